# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A suite with every kind of result: ShTests here, a GoogleTest program in unit."""

import lit.formats

config.name = "Kinds"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".test"]
config.excludes = ["unit"]
