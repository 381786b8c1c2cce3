# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NumPy writes, the driver reads and writes, NumPy reads and compares."""

import os
import pathlib
import subprocess
import sys

import numpy as np

FOLDER = pathlib.Path(sys.argv[1])
RAW = {"bf16": np.uint16, "f8E5M2": np.uint8, "b128": np.dtype("V16")}
TYPES = {"bool": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
         "u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64, "f16": np.float16,
         "f32": np.float32, "f64": np.float64, "c64": np.complex64, "c128": np.complex128, **RAW}


def run(*arguments, **options):
    return subprocess.run(["relayoutc", *map(str, arguments)], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=60, check=False, **options)


def space_to_depth(x):
    """Blocks first, NHWC, block size 2, by the definition."""
    n, h, w, c = x.shape
    return x.reshape(n, h // 2, 2, w // 2, 2, c).transpose(0, 1, 3, 2, 4, 5).reshape(
        n, h // 2, w // 2, 4 * c)


def check_type(name, numpy_type, order, swap):
    random = np.random.default_rng(5)
    shape = (2, 4, 6, 3)
    data = random.integers(0, 2 if name == "bool" else 256,
                           (*shape, np.dtype(numpy_type).itemsize), dtype=np.uint8)
    x = data.view(numpy_type).reshape(shape)
    stored = np.asarray(x.astype(x.dtype.newbyteorder(">")) if swap else x, order=order)
    source, target = FOLDER / "x.npy", FOLDER / "y.npy"
    np.save(source, stored)
    done = run("run", "space_to_depth", f"--shape=2x4x6x3x{name}", "--layout=NHWC",
               "--mode=blocks_first", "--block-size=2", f"--input={source}", f"--output={target}")
    assert done.returncode == 0, done.stderr
    y, expected = np.load(target), space_to_depth(x)
    assert y.shape == expected.shape, (name, y.shape)
    assert y.tobytes() == expected.tobytes(), (name, order, swap)
    if name not in RAW:
        assert y.dtype == x.dtype.newbyteorder("="), (name, y.dtype)


def check_shape_of_file():
    x = np.arange(24, dtype=np.uint16).reshape(2, 3, 4)
    np.save(FOLDER / "x.npy", x)
    done = run("run", "transpose", "--perm=2,0,1", f"--input={FOLDER / 'x.npy'}", "--output=-")
    assert done.returncode == 0, done.stderr
    (FOLDER / "y.npy").write_bytes(done.stdout)
    assert np.array_equal(np.load(FOLDER / "y.npy"), x.transpose(2, 0, 1))
    done = run("run", "transpose", "--perm=2,0,1", "--input=-", f"--output={FOLDER / 'y.npy'}",
               input=(FOLDER / "x.npy").read_bytes())
    assert done.returncode == 0, done.stderr
    assert np.array_equal(np.load(FOLDER / "y.npy"), x.transpose(2, 0, 1))


def check_refusals():
    """A bad input leaves no output; what stood there stays."""
    target = FOLDER / "kept.npy"
    target.write_text("kept", encoding="utf-8")
    whole = (FOLDER / "x.npy").read_bytes()
    for name, content, code in (("short.npy", whole[:-1], 1), ("long.npy", whole + b"x", 1),
                                ("text.npy", b"hello", 1), ("none.npy", None, 3)):
        if content is not None:
            (FOLDER / name).write_bytes(content)
        done = run("run", "transpose", "--perm=0,1,2", "--shape=2x3x4xu16",
                   f"--input={FOLDER / name}", f"--output={target}")
        assert done.returncode == code and done.stderr, (name, done)
        assert target.read_text(encoding="utf-8") == "kept"
    for flags in (["--shape=2x3x5xu16"], ["--shape=2x3x4xi16"], ["--shape=2x3x4xf32"]):
        done = run("run", "transpose", "--perm=0,1,2", *flags, f"--input={FOLDER / 'x.npy'}",
                   f"--output={target}")
        assert done.returncode == 1, (flags, done)
    done = run("run", "transpose", "--perm=0", "--shape=2xu8", "--iota",
               f"--output={FOLDER / 'none' / 'y.npy'}")
    assert done.returncode == 3, done
    done = run("run", "transpose", "--perm=0", "--shape=9000000xu8", "--iota", "--output=/dev/full")
    assert done.returncode == 3, done
    assert not [name for name in os.listdir(FOLDER) if "part" in name]


for dtype, numpy_dtype in TYPES.items():
    check_type(dtype, numpy_dtype, "C", False)
    check_type(dtype, numpy_dtype, "F", False)
    if np.dtype(numpy_dtype).kind != "V":
        check_type(dtype, numpy_dtype, "C", True)
        check_type(dtype, numpy_dtype, "F", True)
check_shape_of_file()
check_refusals()
print("all files read and written")
