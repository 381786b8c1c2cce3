# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the commands of the pages, follows their links, looks for the sections that comments
name, and whether the index of the schedules has all of them.

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

# What a comment says: (docs/page.md, "Section"), perhaps across two lines.
SECTION = re.compile(r'(docs/[\w-]+\.md),[\s/]*"([^"]*)"')
SCHEDULES = "docs/schedules.md"
# What the index says of where a rule is.
SOURCE = re.compile(r"`([\w/-]+\.cpp)`")


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
    """Links to files and sections that are not there."""
    for _, file, anchor in pages.links(page):
        target = page.parent / file if file else page
        if not target.exists():
            yield f"{page}: no such file: {file}"
        elif anchor and anchor not in map(pages.anchor, pages.titles(target)):
            yield f"{page}: no such section: {file}#{anchor}"


def sections(page):
    """The titles of `page`, and of the sections to which it links by their titles."""
    linked = {text for text, _, anchor in pages.links(page) if anchor == pages.anchor(text)}
    return linked.union(pages.titles(page))


def missing_sections(root, source):
    """Sections of pages that a source file names and the page does not have."""
    for page, section in SECTION.findall(source.read_text(encoding="utf-8")):
        title = " ".join(section.replace("///", " ").replace("//", " ").split())
        if title not in sections(root / page):
            yield f"{source}: {page} has no section '{title}'"


def missing_in_index(root):
    """Sections that the index of the schedules does not have, and files that are not there."""
    index = root / SCHEDULES
    listed = sections(index)
    for page in sorted(index.with_suffix("").glob("*.md")):
        yield from (f"{index}: does not list '{title}' of {page}"
                    for title in pages.titles(page) if title not in listed)
    for name in SOURCE.findall(index.read_text(encoding="utf-8")):
        if not (root / name).exists() and not any(root.glob(f"lib/Schedule/**/{name}")):
            yield f"{index}: no such file: {name}"


def faults(root):
    for path in tree.tracked_files(root):
        if path.suffix in (".h", ".cpp", ".td"):
            yield from missing_sections(root, root / path)
    yield from missing_in_index(root)
    for page in pages.all_pages(root):
        yield from broken_links(page)


def main(root):
    failed = False
    for fault in faults(root):
        print(fault)
        failed = True
    for page in pages.all_pages(root):
        count = run_page(page)
        failed |= count is None
        if count:
            print(f"{page.relative_to(root)}: {count} blocks")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
