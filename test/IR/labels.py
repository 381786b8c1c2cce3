# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every constraint of Spec.md is cited where it is checked and where it is tested, and
no other label is."""

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])


def text_of(folder, *patterns):
    paths = sorted(p for pattern in patterns for p in (root / folder).rglob(pattern))
    return "\n".join(p.read_text(encoding="utf-8") for p in paths)


spec = (root / "mlir-dialect" / "Spec.md").read_text(encoding="utf-8")
stated = set(re.findall(r"^\| ([STDBR]\d+) \|", spec, re.MULTILINE))
checked = set(re.findall(r"\[([STDBR]\d+)\]", text_of("mlir-dialect/lib", "*.cpp")))
tested = set(re.findall(r"\b([STDBR]\d+)\b", "\n".join(
    line for line in text_of("test/IR", "invalid-*").splitlines() if line.startswith(("//", "#")))))

failures = []
for name, cited in (("mlir-dialect/lib", checked), ("test/IR/invalid-*", tested)):
    failures += [f"{name} does not cite {label}" for label in sorted(stated - cited)]
    failures += [f"{name} cites {label}, which Spec.md does not state"
                 for label in sorted(cited - stated)]
print("\n".join(failures))
sys.exit(bool(failures) or not stated)
