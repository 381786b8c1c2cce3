# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""passes.py SPEC FLAG...: the passes that `explain` prints lead from stage to stage."""

import json
import subprocess
import sys


def output(*command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def emit(stage):
    return output("relayoutc", "compile", *sys.argv[1:], f"--emit={stage}")


explained = json.loads(output("relayoutc", "explain", *sys.argv[1:], "--format=json"))
passes = {stage["stage"]: stage["passes"] for stage in explained["stages"]}
for before, stage in (("buffers", "scheduled"), ("loops", "vectors")):
    pipeline = f"builtin.module({passes[stage]})"
    found = output("relayout-opt", "-", f"--pass-pipeline={pipeline}", text=emit(before))
    assert found.strip() == emit(stage).strip(), (pipeline, found)
