# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""As test/unit/lit.site.cfg.py.in."""

import lit.formats

config.name = "Kinds-Unit"
config.test_format = lit.formats.GoogleTest(".", "Tests")
config.suffixes = []
