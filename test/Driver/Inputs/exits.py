# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""exits.py CODE COMMAND...: succeeds if COMMAND exits with exactly CODE."""

import subprocess
import sys

code = subprocess.run(sys.argv[2:], check=False).returncode
if code != int(sys.argv[1]):
    print(f"exit code {code}, expected {sys.argv[1]}", file=sys.stderr)
sys.exit(code != int(sys.argv[1]))
