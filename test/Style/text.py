# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Licence lines, lengths of files and functions, and words that may not stand in
tracked files."""

import re
import sys

import tree

LICENCE = ("Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.",
           "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception")
FILE_LIMIT = 500
FUNCTION_LIMIT = 60
DATA = (".jsonl", ".npy")
# Written apart, so that this file does not break its own rule.
FORBIDDEN = re.compile("|".join(["TO" "DO", "FIX" "ME", "XX" "X", r"(?<![\w.])/wo" "rk/",
                                 r"(?<![\w.])/ro" "ot/", r"(?<![\w.])/ho" "me/"]))
NOT_FUNCTION = re.compile(r"(namespace|struct|class|enum|union|extern|using|template <.*>$|\w+:$|#|/[/*]|[}\s]|$)")


def check_licence(path, lines):
    start = 1 if lines and lines[0].startswith("#!") else 0
    for offset, text in enumerate(LICENCE):
        if start + offset >= len(lines) or lines[start + offset][2:].strip(" /*") != text:
            yield f"{path}:{start + offset + 1}: expects the licence line '{text}'"
            return


def check_functions(path, lines):
    """Functions at the left margin, as clang-format leaves them."""
    start, inside = None, False
    for number, line in enumerate(lines, 1):
        if not inside and not NOT_FUNCTION.match(line):
            start = number
        if start and not inside:
            inside = line.endswith("{")
            start = None if line.endswith((";", "}")) else start
        elif inside and line.startswith("}"):
            if number - start + 1 > FUNCTION_LIMIT:
                yield f"{path}:{start}: {number - start + 1} lines, more than {FUNCTION_LIMIT}"
            start, inside = None, False


def check_file(root, path):
    try:
        lines = (root / path).read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        return
    if path.suffix in DATA:
        return
    if path.suffix in tree.SOURCES or path.parent.name == ".ci":
        marked = [line.replace("# ", "//", 1) for line in lines]
        yield from check_licence(path, marked)
        if len(lines) > FILE_LIMIT:
            yield f"{path}: {len(lines)} lines, more than {FILE_LIMIT}"
    if path.suffix in (".h", ".hpp", ".c", ".cpp"):
        yield from check_functions(path, lines)
    for number, line in enumerate(lines, 1):
        if FORBIDDEN.search(line):
            yield f"{path}:{number}: {line.strip()}: may not stand in a tracked file"
        if line != line.rstrip() and path.suffix != ".mlir":
            yield f"{path}:{number}: blanks at the end of the line"


def main(root):
    return tree.report([f for p in tree.tracked_files(root) if p.name != "LICENSE"
                        for f in check_file(root, p)])


sys.exit(main(tree.root_from_arguments()))
