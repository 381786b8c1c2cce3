# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command as systemd's MemoryDenyWriteExecute would: memory that was writable
never becomes executable. Runs it as it is, and says so, where the kernel cannot."""

import ctypes
import os
import sys

PR_SET_MDWE, REFUSE_EXEC_GAIN = 65, 1
if ctypes.CDLL(None).prctl(PR_SET_MDWE, REFUSE_EXEC_GAIN, 0, 0, 0) != 0:
    print("no PR_SET_MDWE", flush=True)
else:
    print("under PR_SET_MDWE", flush=True)
os.execvp(sys.argv[1], sys.argv[1:])
