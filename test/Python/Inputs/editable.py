# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Uses the package that is installed with -e below a prefix: editable.py PREFIX SOURCE."""

import pathlib
import runpy
import site
import sys

prefix, source = sys.argv[1:]
for folder in pathlib.Path(prefix).glob("lib/python*/site-packages"):
    site.addsitedir(str(folder))
sys.argv[1:] = [source]
runpy.run_path(str(pathlib.Path(__file__).with_name("installed.py")), run_name="__main__")
