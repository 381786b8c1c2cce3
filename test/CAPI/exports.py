# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the symbols that a library of the C interface exports against the functions
that its headers declare: no more, no less."""

import pathlib
import re
import subprocess
import sys


def declared(headers):
    text = "".join(pathlib.Path(header).read_text() for header in headers)
    return set(re.findall(r"RELAYOUT_API[^;]*?\b(relayout_\w+)\(", text))


def exported(library):
    out = subprocess.run(["llvm-nm", "--dynamic", "--defined-only", "--format=just-symbols",
                          library], check=True, capture_output=True, text=True).stdout
    return set(out.split())


def main(library, *headers):
    wanted, found = declared(headers), exported(library)
    for name in sorted(wanted - found):
        print(f"not exported: {name}")
    for name in sorted(found - wanted):
        print(f"exported, but not declared: {name}")
    print(f"{len(wanted & found)} functions")
    return 1 if wanted != found or not found else 0


sys.exit(main(*sys.argv[1:]))
