# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a call costs beside the movement: microseconds on an operand of 64 bytes.

    python calls.py [--rounds 15]
"""

import argparse
import statistics
import time

import einops
import numpy as np
import torch

import relayout
import relayout.torch


def measure(variants, rounds, calls=3000):
    """The best time a call of each variant, in microseconds; rounds run all in turn."""
    times = {name: [] for name in variants}
    for _ in range(rounds):
        for name, run in variants.items():
            start = time.perf_counter()
            for _ in range(calls):
                run()
            times[name].append(1e6 * (time.perf_counter() - start) / calls)
    return {name: (min(found), statistics.median(found)) for name, found in times.items()}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=15)
    pattern, sizes = "(a b) c -> b c a", {"b": 2}
    x, y = np.arange(16, dtype="f4").reshape(4, 4), torch.arange(16.0).reshape(4, 4)
    out = np.empty((2, 4, 2), "f4")
    kernel = relayout.compile(pattern, shape=x.shape, dtype=x.dtype, sizes=sizes)
    source, target = x.ctypes.data, out.ctypes.data
    found = measure({
        "NumPy: relayout.rearrange": lambda: relayout.rearrange(x, pattern, b=2),
        "NumPy: kernel(x)": lambda: kernel(x),
        "NumPy: kernel(x, out)": lambda: kernel(x, out),
        "NumPy: kernel.run(addresses)": lambda: kernel.run(source, target),
        "NumPy: einops.rearrange, a view": lambda: einops.rearrange(x, pattern, b=2),
        "NumPy: einops.rearrange and copy": lambda: einops.rearrange(x, pattern, b=2).copy(),
        "PyTorch: relayout.rearrange": lambda: relayout.rearrange(y, pattern, b=2),
        "PyTorch: relayout.torch.rearrange": lambda: relayout.torch.rearrange(y, pattern, b=2),
        "PyTorch: relayout.torch.transpose": lambda: relayout.torch.transpose(y, (1, 0)),
        "PyTorch: permute and contiguous": lambda: y.permute(1, 0).contiguous(),
        "PyTorch: einops and contiguous": lambda: einops.rearrange(y, pattern, b=2).contiguous(),
    }, parser.parse_args().rounds)
    for name, (best, median) in found.items():
        print(f"{name:34} best {best:6.2f} us, median {median:6.2f} us")


if __name__ == "__main__":
    main()
