# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the assembly of kernels for AArch64 to what it may contain.

Ceilings follow from the tiles: a transpose of L x L lanes takes log2(L) stages of L
shuffles. Runs of 6 or 12 bytes are drawn from up to 3 vectors, with 2 shuffles for each of
24; a map of radix 3 takes 2 shuffles for each of 12, which are two instructions where no
instruction has the form. Whole lines of elements of 1 and 2 bytes need tiles of 32 vectors,
which is all registers, so each may be spilled once.
"""

import re
import subprocess
import sys

# Each with the most shuffles, and the most spills and reloads.
SPECS = {
    "bytes": (["transpose", "--shape=256x384xu8", "--perm=1,0"], 2 * 4 * 16 + 16, 64),
    "halves": (["transpose", "--shape=256x384xf16", "--perm=1,0"], 4 * 3 * 8 + 8, 64),
    "words": (["transpose", "--shape=256x384xf32", "--perm=1,0"], 4 * 2 * 4, 0),
    "doubles": (["transpose", "--shape=256x384xf64", "--perm=1,0"], 8 * 1 * 2, 0),
    "pixel_shuffle": (["pixel_shuffle", "--shape=2x12x64x96xf32", "--block-size=2"], 12, 0),
    "thirds": (["pixel_shuffle", "--shape=2x27x64x96xf32", "--block-size=3"], 48, 0),
    "pixels": (["depth_to_space", "--shape=3x64x96x12xu8", "--layout=NHWC",
                "--mode=blocks_first", "--block-size=2"], 48, 0),
    "wide_pixels": (["depth_to_space", "--shape=3x64x96x12xf16", "--layout=NHWC",
                     "--mode=blocks_first", "--block-size=2"], 48, 0),
}
SHUFFLE = r"^\s+(tb[lx]|zip[12]|uzp[12]|trn[12]|ext|ins|dup|rev\d+|st[234]|mov\s+v)\b"


def count(pattern, text):
    return len(re.findall(pattern, text, re.MULTILINE))


def faults(assembly, most_shuffles, most_spills):
    """What `assembly` has that it may not have, as text."""
    shuffles = count(SHUFFLE, assembly)
    if shuffles > most_shuffles or shuffles == 0:
        yield f"{shuffles} shuffles for at most {most_shuffles}"
    if (spills := count(r"\bq\d+.*\[sp", assembly)) > most_spills:
        yield f"{spills} spills and reloads of vectors for at most {most_spills}"
    if calls := count(r"^\s+blr?\s", assembly):
        yield f"{calls} calls"
    if count(r"\bq\d+", assembly) == 0:
        yield "no vectors"
    # Nor bytes one at a time.
    if singles := count(r"^\s+(ldr|str|ldur|stur)[bh]\s", assembly):
        yield f"{singles} accesses of one byte or two"
    if count(r"^\s+(stnp|dmb|dsb)\b", assembly):
        yield "stores past the caches, or fences"


def main():
    failed = 0
    for name, (spec, most_shuffles, most_spills) in SPECS.items():
        assembly = subprocess.run(
            ["relayoutc", "compile", *spec, "--target=aarch64-linux-gnu", "--result=cold",
             "--emit=asm", "-o", "-"], check=True, capture_output=True, text=True).stdout
        for fault in faults(assembly, most_shuffles, most_spills):
            failed += 1
            print(f"{name}: {fault}")
    return failed != 0


sys.exit(main())
