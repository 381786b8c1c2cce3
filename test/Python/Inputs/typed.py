# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a type checker says of results. It is read, not run."""

from typing import assert_type

import numpy
import numpy.typing

import relayout

Bytes = numpy.ndarray[tuple[int, int, int], numpy.dtype[numpy.uint8]]


def of_numpy(x: Bytes) -> None:
    assert_type(relayout.space_to_depth(x, 2, layout="NCHW", mode="blocks_first"), Bytes)
    y = relayout.rearrange(x, "a (b c) d -> a b c d", c=2)
    assert_type(y, numpy.typing.NDArray[numpy.uint8])
    a, b, c, d = y.shape


def of_others(x: bytearray) -> None:
    assert_type(relayout.rearrange(x, "(a b) -> (b a)", b=2), bytearray)
