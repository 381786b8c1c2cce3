# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The help of each subcommand fits 60 lines of 120 columns, and is not empty."""

import subprocess

for command in ([], ["run"], ["compile"], ["verify"], ["explain"], ["batch"], ["bench"]):
    text = subprocess.run(["relayoutc", *command, "--help"], text=True, check=True,
                          stdout=subprocess.PIPE).stdout
    lines = text.splitlines()
    assert 15 < len(lines) <= 60, (command, len(lines))
    assert all(len(line) <= 120 for line in lines), (command, max(lines, key=len))
