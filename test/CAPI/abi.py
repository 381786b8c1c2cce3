# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the binary interface that the C headers declare against the one that
relayout.abi in this folder stores.

    abi.py INCLUDE FOLDER [--update]

The functions get empty bodies in a library with debug information, which FOLDER
takes: what the real library exports is what the headers declare (exports.py), and
its sources include them. `--update` stores the interface: compatible changes, which
are new functions and new members at the end of structs that state their size, need
nothing else; for others RELAYOUT_ABI_VERSION and the soname change, too.
"""

import pathlib
import re
import subprocess
import sys

STORED = pathlib.Path(__file__).parent / "relayout.abi"
PLAIN = ["--no-show-locs", "--no-comp-dir-path", "--no-corpus-path"]


def bodies(include):
    """A C file with a body for each declared function."""
    lines = ["#include <relayout-c/relayout.h>"]
    for name in ("runtime.h", "relayout.h"):
        text = (include / "relayout-c" / name).read_text()
        for declaration in re.findall(r"^RELAYOUT_API ([^;]+);", text, re.MULTILINE):
            lines.append(f"RELAYOUT_API {declaration} {{ __builtin_unreachable(); }}")
    return "\n".join(lines) + "\n"


def main(include, folder, *rest):
    folder.mkdir(parents=True, exist_ok=True)
    library = folder / "librelayout.so"
    (folder / "stubs.c").write_text(bodies(include))
    subprocess.run(["gcc", "-std=c99", "-g", "-shared", "-fPIC", "-w", f"-I{include.resolve()}",
                    "stubs.c", "-o", library.name, "-Wl,-soname,librelayout.so.0"], cwd=folder,
                   check=True)
    if "--update" in rest:
        dump = subprocess.run(["abidw", *PLAIN, str(library)], check=True, capture_output=True,
                              text=True).stdout
        STORED.write_text(dump)
        return 0
    done = subprocess.run(["abidiff", str(STORED), str(library)], check=False)
    return 1 if done.returncode else 0


sys.exit(main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), *sys.argv[3:]))
