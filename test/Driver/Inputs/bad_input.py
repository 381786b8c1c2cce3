# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Specs that have broken other systems: each is refused, in both written forms.

A line of the file has a spec and the code of the error that it deserves, or the shape
of the result where it is valid. Texts that break parsers are made here.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

FAULTS = []


def expect(name, condition, found):
    if not condition:
        FAULTS.append(f"{name}: {found}")


def run(*arguments, **options):
    return subprocess.run(["relayoutc", *arguments], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=60, check=False, **options)


def batch(lines):
    """The answers to `lines`, and the exit code."""
    done = run("batch", "-", input="".join(line + "\n" for line in lines))
    return [json.loads(line) for line in done.stdout.splitlines()], done.returncode


def flag_text(key, value):
    if key in ("paddings", "crops", "pad", "crop"):
        value = ",".join(f"{low}:{high}" for low, high in value)
    elif isinstance(value, dict):
        value = ",".join(f"{name}={extent}" for name, extent in value.items())
    elif isinstance(value, list):
        value = ",".join(map(str, value))
    return f"--{key.replace('_', '-')}={value}"


def flags(spec):
    shape = "x".join([*map(str, spec["shape"]), spec["dtype"]])
    rest = [flag_text(k, v) for k, v in spec.items() if k not in ("op", "shape", "dtype")]
    return [spec["op"], f"--shape={shape}", *rest]


def check_batch(cases):
    asked = [json.dumps({**case["spec"], "answer": "shape"}) for case in cases]
    answers, code = batch(asked)
    expect("batch", code == 0 and len(answers) == len(cases), f"exit code {code}")
    for case, answer in zip(cases, answers):
        if "shape" in case:
            expect(case["id"], answer.get("shape") == case["shape"], answer)
        else:
            error = answer.get("error", {})
            expect(case["id"], error.get("code") == case["code"] and error.get("message"), answer)


def check_flags(case):
    done = run("compile", *flags(case["spec"]), "--emit=named", "--format=json")
    if "shape" in case:
        expect(case["id"], done.returncode == 0, done.stderr)
        return
    error = json.loads(done.stderr).get("error", {}) if done.stderr.startswith("{") else {}
    expect(case["id"], done.returncode == 1 and error.get("code") == case["code"], done)
    expect(case["id"], not done.stdout, "writes beside the error")


def check_texts():
    """A39, A41, A42: JSON that breaks parsers. A good line behind them is answered."""
    good = '{"op":"transpose","perm":[1,0],"shape":[2,3],"dtype":"u8","answer":"shape"}'
    answers, code = batch([
        "[" * 200000,
        '{"op":"pixel_shuffle","shape":[1,4,2,3],"dtype":"u8","block_size":99999999999999999999}',
        '{"op":"pixel_shuffle","shape":[1,4,2,3],"dtype":"u8","block_size":2,"block_size":0}',
        good])
    codes = [answer.get("error", {}).get("code") for answer in answers]
    expect("A39 A41 A42", codes == ["limit", "syntax", "syntax", None], answers)
    expect("A39 A41 A42", code == 0 and answers[-1].get("shape") == [3, 2], answers)


def check_modules():
    """A40: MLIR that breaks the parser."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "deep.mlir")
        for text in ("affine_map<(d0) -> (" * 10000, "#m = affine_map<(d0) -> (" + "(" * 10000,
                     "#m = affine_map<(d0) -> (" + "-" * 10000 + "d0)>",
                     "#m = affine_map<(d0) -> (d0" + " + d0" * 10000 + ")>",
                     "module { " * 10000, "tensor<" * 10000, "#a = [" + "[" * 10000):
            path.write_text(text, encoding="utf-8")
            done = run("compile", str(path), "--emit=asm", "--format=json")
            error = json.loads(done.stderr).get("error", {}) if done.stderr.startswith("{") else {}
            expect("A40", done.returncode == 1 and error.get("code") == "limit", done)


def main(path):
    with open(path, encoding="utf-8") as file:
        cases = [json.loads(line) for line in file]
    check_batch(cases)
    for case in cases:
        check_flags(case)
    check_texts()
    check_modules()
    for fault in FAULTS:
        print(f"FAILED {fault}")
    print(f"{len(cases)} specs, {len(FAULTS)} faults")
    return 1 if FAULTS else 0


sys.exit(main(sys.argv[1]))
