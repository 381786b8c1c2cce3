# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs each pass of a .td file on the module under "Before:" of its description.

The result must be the module under "After:", once both are printed anew.

    examples.py relayout-opt Passes.td
"""

import re
import subprocess
import sys
import textwrap

opt, td = sys.argv[1:3]


def run(module, *flags):
    done = subprocess.run([opt, *flags, "-"], input=module, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{flags}: {done.stderr}")
    return done.stdout


definitions = re.split(r"^def \w+ : Pass<", open(td).read(), flags=re.M)[1:]
block = r"\n\s*```mlir\n(.*?)```"
count = 0
for text in definitions:
    name = re.match(r'"([\w-]+)"', text).group(1)
    before = re.search(r"Before:\n" + block, text, re.S)
    after = re.search(r"After:\n" + block, text, re.S)
    if not before:
        sys.exit(f"{name}: the description has no example")
    got = run(textwrap.dedent(before.group(1)), "--" + name)
    if not after:  # it depends on the machine: the pass's own tests pin it
        continue
    expected = run(textwrap.dedent(after.group(1)))
    if got != expected:
        sys.exit(f"{name}: expects\n{expected}\nbut got\n{got}")
    count += 1
print(f"{count} examples")
sys.exit(0 if count else "no example was found")
