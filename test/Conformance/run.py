#!/usr/bin/env python3
# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs test cases of other systems through `relayoutc batch`.

Each line of the file is a case in the words of some framework. It passes if every
element of the result is the expected one, or if an input that the framework refuses
is refused here too. A case is skipped, with the reason printed, where mlir-dialect/
Spec.md states that this project decides otherwise, or does not do such a thing.
"""

import argparse
import json
import pathlib
import struct
import subprocess
import sys

import disagreements
import frameworks

SPEC_PAGE = pathlib.Path(__file__).resolve().parents[2] / "mlir-dialect" / "Spec.md"
# Numbers up to which every integer is exact in the type.
EXACT = {"bf16": 256, "f16": 2048, "f32": 1 << 24, "i8": 127, "u8": 255, "i16": 32767,
         "u16": 65535, "bool": 1}
PACK = {"f16": "<e", "f32": "<f"}


def dtype_of(word):
    return frameworks.DTYPES.get(word, word)


def values_of(case):
    """The distinct numbers that a case feeds."""
    given = case.get("input")
    if isinstance(given, dict):
        size = 1
        for extent in case["input_shape"]:
            size *= extent
        return [given["iota"], given["iota"] + size]
    return given or []


def dtypes_to_run(case):
    """The case's type and those of its `also_dtypes` that hold all its numbers."""
    words = [dtype_of(case["dtype"])]
    if case.get("expect_error") or "output" not in case:
        return words
    numbers = values_of(case)
    for word in map(dtype_of, case.get("also_dtypes", [])):
        exact = all(float(v).is_integer() and abs(v) <= EXACT.get(word, 1 << 31) for v in numbers)
        signed = word[0] != "u" or all(v >= 0 for v in numbers)
        if exact and signed and word not in words:
            words.append(word)
    return words


def make_spec(case, dtype):
    spec = frameworks.to_spec(case)
    spec["shape"] = case["input_shape"]
    spec["dtype"] = dtype
    if case.get("expect_error"):
        spec["answer"] = "shape"
    else:
        given = case["input"]
        if isinstance(given, list) and dtype in ("c64", "c128"):
            given = [[v, 0] for v in given]
        spec["input"] = given
        if "output" not in case:
            spec["answer"] = "sha256"
    return spec


def same_value(dtype, expected, got):
    if isinstance(got, list):
        return len(got) == 2 and got[1] == 0 and got[0] == expected
    if dtype in PACK:
        return struct.pack(PACK[dtype], expected) == struct.pack(PACK[dtype], got)
    return expected == got


def judge_result(case, dtype, answer):
    """What is wrong with an answer to a case that expects a result, or None."""
    if "error" in answer:
        return "refused: " + answer["error"].get("message", "")
    if answer.get("shape") != case["output_shape"]:
        return f"expected shape {case['output_shape']}, but got {answer.get('shape')}"
    if "output" not in case:
        digest = answer.get("sha256")
        return None if digest == case["output_sha256"] else f"digest differs: {digest}"
    output = answer.get("output")
    if not isinstance(output, list) or len(output) != len(case["output"]):
        return "the number of elements differs"
    for index, (expected, got) in enumerate(zip(case["output"], output)):
        if not same_value(dtype, expected, got):
            return f"{dtype} element {index}: expected {expected}, but got {got}"
    return None


def judge_refusal(case, answer):
    """(verdict, text) for a case that the framework refuses."""
    if "error" in answer:
        error = answer["error"]
        if error.get("code") in ("internal", "environment", None) or not error.get("message"):
            return "failed", f"refused for the wrong reason: {error}"
        return "passed", ""
    stated = disagreements.why_accepted(case)
    if stated:
        return "skipped", stated
    return "failed", f"accepted, but {case['framework']} refuses it: {case.get('why', '')}"


def run_batch(relayoutc, specs):
    """One answer a spec, in order. Exits if the driver did not answer all."""
    lines = "".join(json.dumps(spec) + "\n" for spec in specs)
    done = subprocess.run([relayoutc, "batch", "-"], input=lines, text=True,
                          stdout=subprocess.PIPE, timeout=900, check=False)
    answers = [json.loads(line) for line in done.stdout.splitlines() if line.strip()]
    if len(answers) != len(specs):
        sys.exit(f"{relayoutc} gave {len(answers)} answers to {len(specs)} specs, then exit code "
                 f"{done.returncode}; the next spec is {json.dumps(specs[len(answers)])[:500]}")
    return answers


def judge(case, dtypes, answers):
    """(verdict, text) of one case from the answers for its types."""
    if case.get("expect_error"):
        return judge_refusal(case, answers[0])
    for dtype, answer in zip(dtypes, answers):
        stated = disagreements.why_refused(case, answer.get("error", {}).get("code"))
        if stated:
            return "skipped", stated
        fault = judge_result(case, dtype, answer)
        if fault:
            return "failed", fault
    return "passed", ""


def load(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def plan(cases):
    """(case, types, specs, reason to skip) for each case."""
    for case in cases:
        try:
            dtypes = dtypes_to_run(case)
            yield case, dtypes, [make_spec(case, dtype) for dtype in dtypes], None
        except frameworks.NotDone as reason:
            yield case, [], [], str(reason)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", type=pathlib.Path)
    parser.add_argument("--relayoutc", default="relayoutc")
    args = parser.parse_args()

    planned = list(plan(load(args.cases)))
    answers = iter(run_batch(args.relayoutc, [s for _, _, specs, _ in planned for s in specs]))
    labels = disagreements.labels(SPEC_PAGE)
    count = {"passed": 0, "failed": 0, "skipped": 0}
    for case, dtypes, specs, reason in planned:
        mine = [next(answers) for _ in specs]
        verdict, text = ("skipped", reason) if reason else judge(case, dtypes, mine)
        if verdict == "skipped" and text.split(":")[0] not in labels:
            verdict, text = "failed", f"{SPEC_PAGE.name} does not state: {text}"
        count[verdict] += 1
        if verdict != "passed":
            print(f"{verdict}: {case['id']} {case['framework']} {case['op']}: {text}")
    print(", ".join(f"{count[word]} {word}" for word in ("passed", "failed", "skipped")))
    return 1 if count["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
