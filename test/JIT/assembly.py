# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the assembly of kernels at each instruction set to what it may contain.

A 16 x 16 transpose of 32-bit elements takes 4 stages of 16 shuffles in registers of 64
bytes; one of 4 x 4 in registers of 16 bytes takes 8, and 16 x 4 four times as many. What
is stored past the caches or not, as the output lies on a line or not, was shuffled once.
"""

import re
import subprocess
import sys

SPECS = {
    "transpose": ["transpose", "--shape=256x384xf32", "--perm=1,0"],
    "pixel_shuffle": ["pixel_shuffle", "--shape=2x12x64x96xf32", "--block-size=2"],
    "pixels": ["depth_to_space", "--shape=3x64x96x12xu8", "--layout=NHWC",
               "--mode=blocks_first", "--block-size=2"],
}
# Bytes of a vector, and the most shuffles for each spec.
LEVELS = {
    "icelake-server": (64, {"transpose": 64, "pixel_shuffle": 12, "pixels": 18}),
    "skylake-avx512": (64, {"transpose": 64, "pixel_shuffle": 12, "pixels": 18}),
    "haswell": (32, {"transpose": 48, "pixel_shuffle": 16, "pixels": 162}),
    "x86-64": (16, {"transpose": 32, "pixel_shuffle": 8, "pixels": 152}),
}
# The 8 x 16 tile of AVX2 needs all 16 registers, and two vectors wait to be stored.
SPILLS = {"haswell": 2}
SHUFFLE = r"^\s+v?p?(unpck|shuf|perm|alignr|blend|insert|extract|align|movlhps|movhlps)"


def count(pattern, text):
    return len(re.findall(pattern, text, re.MULTILINE))


def faults(assembly, vector, ceiling, most_spills):
    """What `assembly` has that it may not have, as text."""
    shuffles = count(SHUFFLE, assembly)
    streams = count(r"^\s+v?movnt", assembly)
    if shuffles > ceiling or shuffles == 0:
        yield f"{shuffles} shuffles for at most {ceiling}"
    if calls := count(r"^\s+call", assembly):
        yield f"{calls} calls"
    if (spills := count(r"%[xyz]mm\d+, -?\d*\(%rsp", assembly)) > most_spills:
        yield f"{spills} spills of vectors for at most {most_spills}"
    if vector > 16 and count(rf"^\s+andq\s+\$-{vector}, %rsp", assembly) != 1:
        yield f"a stack that is not aligned to {vector} bytes, so that spills cross lines"
    if streams == 0 or streams * vector % 64 != 0:
        yield f"{streams} stores of {vector} bytes past the caches, which are no whole lines"
    if count(r"^\s+sfence", assembly) != 1:
        yield "not one fence"


def main():
    failed = 0
    for cpu, (vector, ceilings) in LEVELS.items():
        for name, spec in SPECS.items():
            assembly = subprocess.run(
                ["relayoutc", "compile", *spec, f"--mcpu={cpu}", "--result=cold", "--emit=asm", "-o", "-"],
                check=True, capture_output=True, text=True).stdout
            for fault in faults(assembly, vector, ceilings[name], SPILLS.get(cpu, 0)):
                failed += 1
                print(f"{cpu} {name}: {fault}")
    return failed != 0


sys.exit(main())
