# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`relayoutc verify` over every operation, mode and pair of layouts."""

import subprocess
import sys

# Layouts of equal spatial rank, with the extents of batch, depth, space.
FAMILIES = [(["NWC", "NCW", "channels_first", "channels_last"], [5]),
            (["NHWC", "NCHW", "NCHW_VECT_C", "channels_first", "channels_last"], [3, 5]),
            (["NDHWC", "NCDHW", "channels_first", "channels_last"], [3, 5, 2])]
TYPES = ["u8", "f16", "f32", "c64", "c128"]


def shape_of(layout, batch, channels, spatial):
    if layout == "NCHW_VECT_C":
        return [batch, channels // 4, *spatial, 4]
    if layout.endswith("C") or layout == "channels_last":
        return [batch, *spatial, channels]
    return [batch, channels, *spatial]


def depth_space():
    """Each operation in each mode, from each layout to itself and to the next."""
    for layouts, spatial in FAMILIES:
        block = [2, 3, 2][:len(spatial)]
        volume = 1
        for factor in block:
            volume *= factor
        for number, layout in enumerate(layouts):
            for result in (layout, layouts[number - 1]):
                for mode in ("blocks_first", "depth_first"):
                    # Depth first, the low digits of the channels are blocks, not vectors.
                    if mode == "depth_first" and result == "NCHW_VECT_C" != layout:
                        continue
                    deep = shape_of(layout, 2, 4 * volume, spatial)
                    wide = shape_of(layout, 2, 4, [s * b for s, b in zip(spatial, block)])
                    for op, shape in (("depth_to_space", deep), ("space_to_depth", wide)):
                        yield [op, shape_text(shape, TYPES[number]), f"--layout={layout}",
                               f"--result-layout={result}", f"--mode={mode}",
                               "--block-size=" + ",".join(map(str, block))]


def shape_text(shape, dtype):
    return "--shape=" + "x".join([*map(str, shape), dtype])


def others():
    yield ["space_to_batch", "--shape=2x5x7x3xu16", "--block-shape=2,3", "--paddings=1:0,0:2",
           "--pad-value=9"]
    yield ["space_to_batch", "--shape=2x5x7x3xf64", "--block-shape=1,2,3,1",
           "--paddings=0:0,1:0,0:2,0:0"]
    yield ["space_to_batch", "--shape=2x5xbool", "--block-shape="]
    yield ["batch_to_space", "--shape=12x5x7x3xbf16", "--block-shape=2,3", "--crops=1:0,0:2"]
    yield ["batch_to_space", "--shape=12x5xi64", "--block-shape=4", "--crops=20:0"]
    yield ["rearrange", "b (h p) (w q) c -> b (h w) (p q c)", "--sizes=p=2,q=3",
           "--shape=2x6x15x3xf32", "--pad=0:0,1:1,0:-3,0:0", "--crop=0:0,-1:0,0:2",
           "--pad-value=0.5"]
    yield ["transpose", "--perm=3,1,0,2", "--shape=2x3x5x7xi8"]
    yield ["pixel_shuffle", "--shape=3x2x12x5x7xf16", "--block-size=2"]
    yield ["pixel_unshuffle", "--shape=2x3x10x14xb32", "--block-size=2"]
    yield ["channel_shuffle", "--shape=2x15x4x7xf8E5M2", "--groups=3"]


def main():
    count = 0
    for spec in [*depth_space(), *others()]:
        done = subprocess.run(["relayoutc", "verify", *spec], text=True, timeout=60, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        count += 1
        if done.returncode or not done.stdout.startswith("verified: "):
            print("FAILED", *spec, done.stdout, done.stderr)
            return 1
    print(f"verified {count} specs")
    return 0


sys.exit(main())
