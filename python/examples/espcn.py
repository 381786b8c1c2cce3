# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ESPCN (Shi et al., 2016): a picture three times as large from three convolutions
and a pixel shuffle, with PyTorch's own operators and with Relayout's.

    python espcn.py [--height 360] [--width 640] [--threads 1] [--rounds 20]

Prints median times in milliseconds; each round runs all variants once, in turn.
"""

import argparse
import statistics
import time

import torch
from torch import nn

import relayout.torch


class Espcn(nn.Module):
    """From pictures [n, c, h, w] to pictures [n, r * h, r * w, c]."""

    def __init__(self, channels: int = 3, factor: int = 3) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(channels, 64, 5, padding=2), nn.Tanh(),
            nn.Conv2d(64, 32, 3, padding=1), nn.Tanh(),
            nn.Conv2d(32, channels * factor * factor, 3, padding=1))
        self.shuffle = nn.PixelShuffle(factor)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.tail(self.layers(x))

    def tail(self, y: torch.Tensor) -> torch.Tensor:
        """What moves data only: large planes, then interleaved for a screen."""
        return self.shuffle(y).permute(0, 2, 3, 1).contiguous()


class Tail(nn.Module):
    """The end of the network alone."""

    def __init__(self, model: Espcn) -> None:
        super().__init__()
        self.model = model

    def forward(self, y: torch.Tensor) -> torch.Tensor:
        return self.model.tail(y)


def measure(variants, rounds):
    """Medians in milliseconds, of `rounds` rounds that run each variant once."""
    times = {name: [] for name in variants}
    for round in range(rounds + 2):
        for name, run in variants.items():
            start = time.perf_counter()
            run()
            if round >= 2:
                times[name].append(1e3 * (time.perf_counter() - start))
    return {name: statistics.median(found) for name, found in times.items()}


def main() -> None:
    parser = argparse.ArgumentParser()
    for name, value in (("height", 360), ("width", 640), ("threads", 1), ("rounds", 20)):
        parser.add_argument(f"--{name}", type=int, default=value)
    options = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(options.threads)
    model = Espcn().eval()
    fast = relayout.torch.optimize(model, threads=options.threads)
    x = torch.rand(1, 3, options.height, options.width)
    last = x.to(memory_format=torch.channels_last)
    with torch.no_grad():
        y, z = model.layers(x), model.layers(last)
        tail = Tail(model)
        fast_tail = relayout.torch.optimize(tail, options.threads)
        for a, b in ((fast(x), model(x)), (fast(last), model(last)), (fast_tail(y), tail(y))):
            assert torch.equal(a, b)
        found = measure({
            "network, PyTorch": lambda: model(x),
            "network, Relayout": lambda: fast(x),
            "network, channels_last, PyTorch": lambda: model(last),
            "network, channels_last, Relayout": lambda: fast(last),
            "end, PyTorch": lambda: tail(y),
            "end, Relayout": lambda: fast_tail(y),
            "end, channels_last, PyTorch": lambda: tail(z),
            "end, channels_last, Relayout": lambda: fast_tail(z),
            "pixel_shuffle, PyTorch": lambda: model.shuffle(y),
            "pixel_shuffle, Relayout": lambda: relayout.torch.pixel_shuffle(
                y, 3, threads=options.threads),
        }, options.rounds)
    for name, time_ms in found.items():
        print(f"{name:34} {time_ms:8.2f} ms")


if __name__ == "__main__":
    main()
