# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The files of the project: those that git tracks."""

import pathlib
import subprocess
import sys

SOURCES = (".h", ".hpp", ".c", ".cpp", ".td", ".py", ".sh")


def tracked_files(root):
    """Paths relative to `root`, sorted."""
    done = subprocess.run(["git", "-c", "safe.directory=*", "ls-files", "-z"], cwd=root,
                          stdout=subprocess.PIPE, check=True)
    names = done.stdout.decode().split("\0")
    return sorted(pathlib.PurePosixPath(n) for n in names if n and (root / n).is_file())


def report(faults):
    """Prints the faults and returns the exit status."""
    for fault in faults:
        print(fault)
    print(f"{len(faults)} faults")
    return 1 if faults else 0


def root_from_arguments():
    return pathlib.Path(sys.argv[1])
