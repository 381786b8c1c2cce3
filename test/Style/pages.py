# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pages of the project, the blocks in them, their titles and links."""

import re

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TITLE = re.compile(r"^#+ (.*)$", re.MULTILINE)
LINK = re.compile(r"\[([^]]*)\]\(([^)#:]*)(?:#([^)]*))?\)")


def all_pages(root):
    return [root / "README.md", root / "mlir-dialect/Spec.md", *sorted(root.glob("docs/**/*.md"))]


def titles(page):
    """Of a page and its sections, without the links in them."""
    text = BLOCK.sub("", page.read_text(encoding="utf-8"))
    return [LINK.sub(r"\1", title) for title in TITLE.findall(text)]


def links(page):
    """(text, file, anchor) of each link to a file of the project; file or anchor may be empty."""
    text = BLOCK.sub("", page.read_text(encoding="utf-8"))
    return [(" ".join(link[1].split()), link[2], link[3]) for link in LINK.finditer(text)]


def anchor(title):
    """What GitHub makes of a title."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


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
