# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""All C++ files as clang-format 22 leaves them."""

import subprocess
import sys

import tree


def main(root):
    files = [str(p) for p in tree.tracked_files(root) if p.suffix in (".h", ".hpp", ".c", ".cpp")]
    command = ["clang-format-22", "--dry-run", "-Werror", "--ferror-limit=1"]
    return subprocess.run(command + files, cwd=root, check=False).returncode


sys.exit(main(tree.root_from_arguments()))
