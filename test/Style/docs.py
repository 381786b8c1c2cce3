# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the commands of the pages, follows their links, and looks for the sections that
comments name.

The blocks marked `sh` of one page run in order, in one empty folder, and must
succeed. A block marked `output` right after one must be what it wrote to the
standard output; a line `...` in it stands for any lines. Blocks marked `bash` build and
install: test/Install/Inputs/reader.py runs them.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

import pages
import tree

LINK = re.compile(r"\]\(([^)#:]+)[)#]")
# What a comment says: (docs/page.md, "Section"), perhaps across two lines.
SECTION = re.compile(r'(docs/[\w-]+\.md),[\s/]*"([^"]*)"')


def run_page(page):
    """The number of blocks that ran, or None if one failed."""
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        for line, commands, expected in pages.blocks(page.read_text(encoding="utf-8"), "sh"):
            done = subprocess.run(["sh", "-eu", "-c", commands], cwd=folder, text=True,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT if expected is None else subprocess.PIPE,
                                  timeout=120, check=False)
            count += 1
            if done.returncode:
                print(f"{page}:{line}: exit code {done.returncode}\n{commands}{done.stdout}"
                      f"{done.stderr or ''}")
                return None
            if expected is not None and not pages.matches(expected, done.stdout):
                print(f"{page}:{line}: expected\n{expected}but got\n{done.stdout}")
                return None
    return count


def broken_links(page):
    """Links to files that are not there."""
    links = LINK.findall(pages.BLOCK.sub("", page.read_text(encoding="utf-8")))
    return [link for link in links if not (page.parent / link).exists()]


def missing_sections(root, source):
    """Sections of pages that a source file names and the page does not have."""
    for page, section in SECTION.findall(source.read_text(encoding="utf-8")):
        title = " ".join(section.replace("///", " ").replace("//", " ").split())
        text = (root / page).read_text(encoding="utf-8")
        if not re.search(rf"^#+ {re.escape(title)}$", text, re.MULTILINE):
            yield f"{source}: {page} has no section '{title}'"


def main(root):
    failed = False
    for path in tree.tracked_files(root):
        if path.suffix in (".h", ".cpp", ".td"):
            for fault in missing_sections(root, root / path):
                print(fault)
                failed = True
    for page in pages.all_pages(root):
        for link in broken_links(page):
            print(f"{page}: no such file: {link}")
            failed = True
        count = run_page(page)
        failed |= count is None
        if count:
            print(f"{page.relative_to(root)}: {count} blocks")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
