# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""reader.py SOURCE CLONE PAGE...: follows pages as their reader would.

The blocks marked `bash` of the first page, which build and install, run in one shell in
CLONE; then the blocks marked `sh` of all pages, with what these set and nothing else.
"""

import os
import pathlib
import subprocess
import sys

source, clone = (pathlib.Path(argument) for argument in sys.argv[1:3])
sys.path.insert(0, str(source / "test" / "Style"))

import docs  # noqa: E402
import pages  # noqa: E402


def install(page):
    """The environment after the commands of `page`."""
    text = page.read_text(encoding="utf-8")
    commands = "".join(code for _, code, _ in pages.blocks(text, "bash"))
    assert commands, page
    # Where this Python is, its pip is. Nothing that was built may be found by chance.
    built = clone.resolve() / "build" / "bin"
    path = [entry for entry in os.environ["PATH"].split(os.pathsep)
            if pathlib.Path(entry).resolve() != built.resolve()]
    path.insert(0, os.path.dirname(sys.executable))
    given = {**os.environ, "PATH": os.pathsep.join(path)}
    for name in ("LD_LIBRARY_PATH", "PKG_CONFIG_PATH"):
        given[name] = ""
    subprocess.run(["bash", "-euc", commands + "env -0 >environment"], cwd=clone, env=given,
                   stdin=subprocess.DEVNULL, stdout=sys.stderr, timeout=300, check=True)
    entries = (clone / "environment").read_text(encoding="utf-8").split("\0")
    return dict(entry.split("=", 1) for entry in entries if entry)


names = [source / name for name in sys.argv[3:]]
environment = install(names[0])
os.environ.clear()
os.environ.update(environment)
sys.exit(any(docs.run_page(name) is None for name in names))
