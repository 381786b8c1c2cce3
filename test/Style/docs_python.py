# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the blocks marked `python` of the pages, those of one page in order in one
process. A block marked `output` right after one must be what it printed.
"""

import contextlib
import io
import pathlib
import subprocess
import sys

import pages


def run_page(page):
    """In a process of its own: the exit status."""
    names = {"__name__": "__main__"}
    for line, code, expected in pages.blocks(page.read_text(encoding="utf-8"), "python"):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile("\n" * line + code, str(page), "exec"), names)  # noqa: S102
        if expected is not None and not pages.matches(expected, printed.getvalue()):
            print(f"{page}:{line}: expected\n{expected}but got\n{printed.getvalue()}")
            return 1
    return 0


def main(root):
    failed = False
    for page in pages.all_pages(root):
        count = len(list(pages.blocks(page.read_text(encoding="utf-8"), "python")))
        if count:
            done = subprocess.run([sys.executable, __file__, root, page], timeout=300, check=False)
            failed |= done.returncode != 0
            print(f"{page.relative_to(root)}: {count} blocks", flush=True)
    return 1 if failed else 0


if len(sys.argv) > 2:
    sys.exit(run_page(pathlib.Path(sys.argv[2])))
sys.exit(main(pathlib.Path(sys.argv[1])))
