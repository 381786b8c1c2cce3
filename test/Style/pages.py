# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pages of the project and the blocks in them."""

import re

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def all_pages(root):
    return [root / "README.md", root / "mlir-dialect/Spec.md", *sorted(root.glob("docs/*.md"))]


def blocks(text, language):
    """(line, code, expected output or None) for each block of `language`."""
    found = list(BLOCK.finditer(text))
    for index, block in enumerate(found):
        if block[1] != language:
            continue
        after = found[index + 1] if index + 1 < len(found) else None
        direct = after and after[1] == "output" and not text[block.end():after.start()].strip()
        yield text.count("\n", 0, block.start()) + 1, block[2], after[2] if direct else None


def matches(expected, got):
    """A line `...` in `expected` stands for any lines."""
    parts = [re.escape(part.strip("\n")) for part in re.split(r"^\.\.\.$", expected, flags=re.M)]
    return re.fullmatch(r"\n*" + r"(?:.*\n)?".join(parts).replace(r"\n", "\n") + r"\n*", got, re.S)
