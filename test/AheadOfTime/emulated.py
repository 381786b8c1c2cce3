# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""emulated.py EMULATOR FOLDER [COUNT [SEED]]: compiles kernels for AArch64, links them with a
program that needs no library, runs it in an emulator and compares all results with NumPy.

The operands are ids that tell all elements apart: in as many operands as the width of an
element needs. COUNT random rearrangements follow the cases that are written down here.
"""

import argparse
import concurrent.futures
import math
import pathlib
import random
import struct
import subprocess
import sys

import numpy

WIDTHS = {"u8": 1, "f16": 2, "f32": 4, "f64": 8, "c128": 16}
TARGET = "--target=aarch64-linux-gnu"


class Case:
    """A spec, and what it means: a function from an array to an array, both with one more
    dimension for the bytes of an element."""

    def __init__(self, shape, dtype, words, meaning, flags=()):
        text = "x".join(map(str, shape)) + "x" + dtype
        self.shape, self.dtype, self.meaning = shape, dtype, meaning
        self.words = [words[0], f"--shape={text}", *words[1:]]
        self.flags = list(flags)

    def operands(self):
        """Ids of elements, as digits to the base of what an element holds."""
        count, width = math.prod(self.shape), WIDTHS[self.dtype]
        ids = numpy.arange(count, dtype="<u8")
        taken = min(width, 8)
        for begin in range(0, max(1, (count - 1).bit_length()), 8 * taken):
            data = numpy.empty((count, width), "u1")
            data[:, :taken] = (ids >> begin).view("u1").reshape(count, 8)[:, :taken]
            data[:, taken:] = 255 - data[:, :width - taken]
            yield data.reshape(*self.shape, width)


def fill(dtype, value):
    return numpy.array([value], {"u8": "u1", "f16": "<f2", "f32": "<f4"}[dtype]).view("u1")


def padded(x, pads, element):
    """`x` with (low, high) more, or less, at the ends of each dimension."""
    kept = tuple(slice(max(0, -low), n - max(0, -high)) for n, (low, high) in zip(x.shape, pads))
    x = x[kept]
    out = numpy.empty([n + max(0, low) + max(0, high) for n, (low, high) in zip(x.shape, pads)]
                      + [x.shape[-1]], "u1")
    out[:] = element
    out[tuple(slice(max(0, low), max(0, low) + n) for n, (low, _) in zip(x.shape, pads))] = x
    return out


def moved(digits, order, result):
    """Splits into `digits`, permutes them, and merges them into the dimensions `result`."""
    return lambda x: (x.reshape(*digits, x.shape[-1]).transpose(*order, len(order))
                      .reshape(*result, x.shape[-1]))


def transpose(shape, perm, dtype, *flags):
    return Case(shape, dtype, ["transpose", "--perm=" + ",".join(map(str, perm))],
                lambda x: x.transpose(*perm, len(perm)), flags)


def nhwc_depth_to_space(shape, r, dtype, *flags):
    n, h, w, c = shape
    c //= r * r
    return Case(shape, dtype, ["depth_to_space", "--layout=NHWC", "--mode=blocks_first",
                               f"--block-size={r}"],
                moved((n, h, w, r, r, c), (0, 1, 3, 2, 4, 5), (n, h * r, w * r, c)), flags)


def nchw_depth_to_space(shape, r, dtype, mode):
    n, c, h, w = shape
    c //= r * r
    depth_first = moved((n, c, r, r, h, w), (0, 1, 4, 2, 5, 3), (n, c, h * r, w * r))
    blocks_first = moved((n, r, r, c, h, w), (0, 3, 4, 1, 5, 2), (n, c, h * r, w * r))
    return Case(shape, dtype, ["depth_to_space", "--layout=NCHW", f"--mode={mode}",
                               f"--block-size={r}"],
                depth_first if mode == "depth_first" else blocks_first)


def space_to_batch(shape, block, pads, dtype, value):
    n, h, w, c = shape
    bh, bw = block
    oh, ow = (h + sum(pads[0])) // bh, (w + sum(pads[1])) // bw
    move = moved((n, oh, bh, ow, bw, c), (2, 4, 0, 1, 3, 5), (n * bh * bw, oh, ow, c))
    return Case(shape, dtype, ["space_to_batch", f"--block-shape={bh},{bw}",
                               "--paddings=" + ",".join(f"{a}:{b}" for a, b in pads),
                               f"--pad-value={value}"],
                lambda x: move(padded(x, [(0, 0), *pads, (0, 0)], fill(dtype, value))))


def batch_to_space(shape, block, crops, dtype):
    n, h, w, c = shape
    bh, bw = block
    n //= bh * bw
    move = moved((bh, bw, n, h, w, c), (2, 3, 0, 4, 1, 5), (n, h * bh, w * bw, c))
    return Case(shape, dtype, ["batch_to_space", f"--block-shape={bh},{bw}",
                               "--crops=" + ",".join(f"{a}:{b}" for a, b in crops)],
                lambda x: padded(move(x), [(0, 0), *((-a, -b) for a, b in crops), (0, 0)], 0))


def written_cases():
    for dtype in WIDTHS:
        yield transpose((37, 53), (1, 0), dtype)
        yield transpose((3, 29, 43), (2, 0, 1), dtype)
        yield transpose((2, 13, 19, 23), (0, 3, 1, 2), dtype, "--mcpu=neoverse-n1")
        yield transpose((64, 48), (1, 0), dtype)
    for r in (2, 3, 5):
        for dtype in ("u8", "f16", "f32"):
            yield nhwc_depth_to_space((2, 7, 9, 3 * r * r), r, dtype)
            yield nchw_depth_to_space((2, 3 * r * r, 5, 37), r, dtype, "depth_first")
        yield nchw_depth_to_space((2, 4 * r * r, 7, 33), r, "f64", "blocks_first")
    # Kept runs of 3, 6, 7, 10, 12, 15, 24, 48 bytes.
    for kept, dtype in ((3, "u8"), (3, "f16"), (7, "u8"), (5, "f16"), (3, "f32"), (15, "u8"),
                        (3, "f64"), (6, "f64")):
        yield transpose((2, 17, 11, kept), (0, 2, 1, 3), dtype)
    for dtype, value in (("u8", 77), ("f16", -1.5), ("f32", -1.5)):
        yield space_to_batch((3, 33, 35, 7), (2, 4), ((1, 0), (2, 3)), dtype, value)
        yield batch_to_space((24, 17, 10, 7), (2, 4), ((1, 0), (2, 3)), dtype)
    # Beyond the first cache, in several units, through scratch memory, without vectors, with SVE.
    yield transpose((301, 515), (1, 0), "f32", "--threads=4")
    yield transpose((35, 190), (1, 0), "f32",
                    "--schedule=unit=d0:8 {tile=8x8 loops=d0:8,d1:8 stage=1 store=ordinary}")
    yield transpose((35, 19), (1, 0), "f64", "--features=-neon")
    yield nhwc_depth_to_space((2, 7, 9, 48), 4, "u8", "--mcpu=neoverse-v2")
    yield nhwc_depth_to_space((2, 7, 9, 27), 3, "f16", "--mcpu=neoverse-v2", "--threads=3")


def random_case(source):
    """Dimensions of up to 3 digits, permuted, merged otherwise, with windows on both sides."""
    extents = source.sample([2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 16, 17, 24, 31], source.randint(2, 5))
    while math.prod(extents) > 40000:
        extents.remove(max(extents))
    names = "abcde"[:len(extents)]
    order = source.sample(range(len(extents)), len(extents))

    def groups(list_):
        while list_:
            count = source.randint(1, min(3, len(list_)))
            yield list_[:count]
            list_ = list_[count:]

    operand, result = (list(groups(digits)) for digits in (list(range(len(extents))), order))

    def write(side):
        return " ".join("(" + " ".join(names[d] for d in group) + ")" for group in side)

    def windows(side, most):
        sizes = [math.prod(extents[d] for d in group) for group in side]
        return sizes, [tuple(source.choice([0, 0, 1, most]) if size > 2 * most else 0
                             for _ in range(2)) for size in sizes]

    inner, pads = windows(operand, 2)
    sizes, crops = windows(result, 3)
    dtype = source.choice(["u8", "f16", "f32"])
    # A pad of -1 drops an element, which then the operand has more.
    pads = [tuple(p if source.random() < 0.7 else -p for p in pair) for pair in pads]
    shape = [n - low - high for n, (low, high) in zip(inner, pads)]
    words = ["rearrange", f"{write(operand)} -> {write(result)}",
             "--sizes=" + ",".join(f"{n}={e}" for n, e in zip(names, extents)), "--pad-value=9"]
    for flag, pairs in (("pad", pads), ("crop", crops)):
        words.append(f"--{flag}=" + ",".join(f"{a}:{b}" for a, b in pairs))

    def meaning(x):
        x = padded(x, pads, fill(dtype, 9))
        x = moved(extents, order, sizes)(x)
        return padded(x, [(-a, -b) for a, b in crops], 0)

    flags = [source.choice(["--threads=1", "--threads=3"]), source.choice(["--result=auto",
                                                                           "--result=hot"])]
    return Case(shape, dtype, words, meaning, flags)


def text_of_library(data):
    """Code of a shared library and where in it the only function begins."""
    sections, count = struct.unpack_from("<Q", data, 0x28)[0], struct.unpack_from("<H", data, 0x3c)[0]
    headers = [struct.unpack_from("<IIQQQQ", data, sections + 64 * i) for i in range(count)]
    (_, _, _, address, offset, size), = [h for h in headers if h[1] == 1 and h[2] & 4]
    symbols, = [h[4] for h in headers if h[1] == 11]
    return data[offset:offset + size], struct.unpack_from("<Q", data, symbols + 24 + 8)[0] - address


def compile_case(folder, index, case):
    """Writes header and code; flat code, as images hold it, for every third kernel."""
    def emit(what, file):
        subprocess.run(["relayoutc", "compile", *case.words, TARGET, *case.flags,
                        f"--symbol=k{index}", f"--emit={what}", "-o", folder / file],
                       check=True, stdin=subprocess.DEVNULL)
        return folder / file

    emit("header", f"k{index}.h")
    if index % 3 != 0:
        return emit("object", f"k{index}.o")
    code, entry = text_of_library(emit("shared", f"k{index}.so").read_bytes())
    (folder / f"k{index}.bin").write_bytes(code)
    assembly = folder / f"k{index}.s"
    assembly.write_text(f'.text\n.balign 4096\n.globl k{index}\nflat:\n'
                        f'.incbin "{folder}/k{index}.bin"\nk{index} = flat + {entry}\n')
    return assembly


def build(folder, cases, counts):
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        files = list(pool.map(lambda pair: compile_case(folder, *pair), enumerate(cases)))
    lines = [f'#include "k{i}.h"' for i in range(len(cases))]
    lines.append("static const struct kernel kernels[] = {")
    lines += [f"{{k{i}, {n}, K{i}_INPUT_SIZE, K{i}_OUTPUT_SIZE, K{i}_SCRATCH_SIZE, K{i}_UNITS}},"
              for i, n in enumerate(counts)]
    (folder / "kernels.h").write_text("\n".join(lines + ["};", ""]))
    program = folder / "program"
    subprocess.run(["clang", TARGET, "-std=c11", "-O1", "-Wall", "-Werror", "-ffreestanding",
                    "-fno-stack-protector", "-nostdlib", "-static", "-fuse-ld=lld", f"-I{folder}",
                    pathlib.Path(__file__).parent / "Inputs/freestanding.c", *files, "-o", program],
                   check=True)
    return program


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("emulator")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("count", type=int, nargs="?", default=0)
    parser.add_argument("seed", type=int, nargs="?", default=1)
    args = parser.parse_args()
    source = random.Random(args.seed)
    cases = list(written_cases()) + [random_case(source) for _ in range(args.count)]
    operands = [list(case.operands()) for case in cases]
    program = build(args.folder, cases, list(map(len, operands)))
    run = subprocess.run([*args.emulator.split(), program], check=False, stdout=subprocess.PIPE,
                         input=b"".join(x.tobytes() for list_ in operands for x in list_))
    failed, at = 0, 0
    for case, list_ in zip(cases, operands):
        expected = b"".join(case.meaning(x).tobytes() * 2 for x in list_)
        if run.stdout[at:at + len(expected)] != expected:
            failed += 1
            print("differs:", " ".join(map(repr, case.words + case.flags)))
        at += len(expected)
    print(f"{len(cases)} kernels, {failed} differ, exit status {run.returncode}, "
          f"{len(run.stdout) - at} bytes too many")
    return failed != 0 or run.returncode != 0 or len(run.stdout) != at


sys.exit(main())
