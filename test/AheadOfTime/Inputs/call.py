# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loads a shared library and calls its kernel, which copies SIZE bytes in one unit."""

import ctypes
import os
import sys

library, name, size = sys.argv[1], sys.argv[2], int(sys.argv[3])
function = getattr(ctypes.CDLL(os.path.abspath(library)), name)
function.argtypes = [ctypes.c_void_p] * 3 + [ctypes.c_int64] * 2
function.restype = None
source = bytes(range(1, size + 1)) + b"beyond"
out = ctypes.create_string_buffer(b"\xa5" * (size + 6), size + 6)
function(source, out, None, 0, 1 if size else 0)
assert out.raw == source[:size] + b"\xa5" * 6, out.raw
