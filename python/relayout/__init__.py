# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled kernels for operations that move data and change none of it.

    >>> y = relayout.rearrange(x, "n (by bx c) h w -> n c (h by) (w bx)", by=2, bx=2)

Arrays of NumPy, PyTorch, JAX and TensorFlow, whatever else has `__dlpack__`, and
whatever has the buffer protocol go in, in the memory of the CPU; the same kind comes
out. Strided operands are read where they lie. Kernels are compiled at the first call
for a shape and kept.

Every function takes `out`, an array for the result, and `threads`, how many share the
work. `relayout.torch` has the same functions as operators of PyTorch, with gradients.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, overload

from . import _library
from ._arguments import (both_strides, digits, integer, integers, one_or_more, string,
                         thread_count, windows)
from ._dlpack import Tensor
from ._dtypes import concrete as _concrete, parse as _parse_dtype
from ._errors import (EnvironmentFault, Error, ErrorCode, InternalError, InvalidBufferError,
                      InvalidError, InvalidTypeError, OutOfRangeError, UnsupportedError)
from ._kernel import Kernel, Measurement, cache_statistics, call as _call, lookup as _lookup
from ._spec import Operation, Spec, filled, rearrangement

__all__ = [
    "EnvironmentFault", "Error", "ErrorCode", "InternalError", "InvalidBufferError",
    "InvalidError", "InvalidTypeError", "Kernel", "Measurement", "OutOfRangeError", "Spec",
    "Tensor", "UnsupportedError", "batch_to_space", "cache_statistics", "channel_shuffle",
    "compile", "depth_to_space", "pixel_shuffle", "pixel_unshuffle", "rearrange",
    "space_to_batch", "space_to_depth", "transpose",
]

__version__ = str(_library.version().decode())

if TYPE_CHECKING:
    import numpy

    _DType = TypeVar("_DType", bound=numpy.dtype[Any])

Array = TypeVar("Array")


def _apply(operation: Operation, x: Array, out: Any, threads: int, pad_value: Any = None) -> Array:
    count = thread_count(threads)

    def choose(given: Any, target: Any) -> Kernel:
        chosen = operation
        if pad_value is not None:
            chosen = filled(operation, pad_value, given[3], getattr(x, "dtype", type(x)))
        return _lookup(chosen, given[1], given[3], given[2], target and target[2], count)

    result: Array = _call(choose, x, out)
    return result


# The type of NumPy's arrays has the number of dimensions, which is another one here.
@overload
def rearrange(x: numpy.ndarray[Any, _DType], pattern: str, /, *, out: Any = None, threads: int = 1,
              pad: Iterable[Sequence[int]] | None = None,
              crop: Iterable[Sequence[int]] | None = None, pad_value: Any = None,
              sizes: Mapping[str, int] | None = None, **axes: int
              ) -> numpy.ndarray[tuple[Any, ...], _DType]: ...
@overload
def rearrange(x: Array, pattern: str, /, *, out: Any = None, threads: int = 1,
              pad: Iterable[Sequence[int]] | None = None,
              crop: Iterable[Sequence[int]] | None = None, pad_value: Any = None,
              sizes: Mapping[str, int] | None = None, **axes: int) -> Array: ...
def rearrange(x: Array, pattern: str, /, *, out: Any = None, threads: int = 1,
              pad: Iterable[Sequence[int]] | None = None,
              crop: Iterable[Sequence[int]] | None = None, pad_value: Any = None,
              sizes: Mapping[str, int] | None = None, **axes: int) -> Array:
    """The rearrangement that `pattern` describes, in the notation of einops.

    `axes` are the sizes of digits that the shape of `x` does not give; those whose
    names are taken (`out`, `pad` ...) stand in `sizes`. `pad` has a pair (low, high)
    for each dimension of `x`, `crop` one for each of the result; a negative number
    does the opposite. `pad_value` fills the pads; all bits zero unless given.

        rearrange(x, "n (by bx c) h w -> n c (h by) (w bx)", by=2, bx=2)
        # x: [n, 4 * c, h, w], result: [n, c, 2 * h, 2 * w]
    """
    if sizes is None and pad is None and crop is None and pad_value is None:
        operation = "rearrange", string(pattern, "pattern"), digits(None, axes), None, None, None
        return _apply(operation, x, out, threads)
    return _apply(rearrangement(pattern, sizes, axes, pad, crop), x, out, threads, pad_value)


def _depth(name: str, block_size: Any, layout: Any, mode: Any) -> Operation:
    return (name, one_or_more(block_size, "block_size"), string(layout, "layout"),
            string(mode, "mode"))


def depth_to_space(x: Array, block_size: int | Sequence[int], *, layout: str, mode: str,
                   out: Any = None, threads: int = 1) -> Array:
    """Moves digits of the channels into the spatial dimensions.

    `layout` names the dimensions of `x` (`NCHW`, `NHWC`, `NCW` ...) and `mode` the
    order of the digits in a channel: `DCR` or `blocks_first` (TensorFlow, ONNX's
    default), `CRD` or `depth_first` (PyTorch). Neither has a default: the wrong one
    gives a result of the right shape. `block_size` is b, or one number for each
    spatial dimension.

        depth_to_space(x, 2, layout="NHWC", mode="DCR")
        # x: [n, h, w, b * b * c], result: [n, b * h, b * w, c]
    """
    return _apply(_depth("depth_to_space", block_size, layout, mode), x, out, threads)


def space_to_depth(x: Array, block_size: int | Sequence[int], *, layout: str, mode: str,
                   out: Any = None, threads: int = 1) -> Array:
    """The inverse of `depth_to_space`, with the same arguments.

        space_to_depth(x, 2, layout="NHWC", mode="DCR")
        # x: [n, b * h, b * w, c], result: [n, h, w, b * b * c]
    """
    return _apply(_depth("space_to_depth", block_size, layout, mode), x, out, threads)


def space_to_batch(x: Array, block_shape: Sequence[int],
                   paddings: Iterable[Sequence[int]] | None = None, *, pad_value: Any = None,
                   out: Any = None, threads: int = 1) -> Array:
    """Pads dimensions 1, 2 ... of `x` and moves blocks of them into the batch.

    `block_shape` has a number and `paddings` a pair (low, high) for each of them;
    `pad_value` fills the pads, all bits zero unless given.

        space_to_batch(x, [bh, bw], [(1, 0), (0, 2)])
        # x: [n, h, w, c], result: [bh * bw * n, (1 + h) / bh, (w + 2) / bw, c]
    """
    operation = ("space_to_batch", integers(block_shape, "block_shape"),
                 windows(paddings, "paddings"), None)
    return _apply(operation, x, out, threads, pad_value)


def batch_to_space(x: Array, block_shape: Sequence[int],
                   crops: Iterable[Sequence[int]] | None = None, *, out: Any = None,
                   threads: int = 1) -> Array:
    """The inverse of `space_to_batch`: `crops` cut off what its paddings added.

        batch_to_space(x, [bh, bw], [(1, 0), (0, 2)])
        # x: [bh * bw * n, h, w, c], result: [n, h * bh - 1, w * bw - 2, c]
    """
    operation = "batch_to_space", integers(block_shape, "block_shape"), windows(crops, "crops")
    return _apply(operation, x, out, threads)


def pixel_shuffle(x: Array, upscale_factor: int, *, out: Any = None, threads: int = 1) -> Array:
    """As `torch.nn.functional.pixel_shuffle`, on the last three dimensions.

        pixel_shuffle(x, r)  # x: [..., r * r * c, h, w], result: [..., c, r * h, r * w]
    """
    operation = "pixel_shuffle", integer(upscale_factor, "upscale_factor")
    return _apply(operation, x, out, threads)


def pixel_unshuffle(x: Array, downscale_factor: int, *, out: Any = None,
                    threads: int = 1) -> Array:
    """As `torch.nn.functional.pixel_unshuffle`: the inverse of `pixel_shuffle`.

        pixel_unshuffle(x, r)  # x: [..., c, r * h, r * w], result: [..., r * r * c, h, w]
    """
    operation = "pixel_unshuffle", integer(downscale_factor, "downscale_factor")
    return _apply(operation, x, out, threads)


def channel_shuffle(x: Array, groups: int, axis: int = 1, *, out: Any = None,
                    threads: int = 1) -> Array:
    """Interleaves the `groups` groups of dimension `axis`, as `torch.channel_shuffle`.
    The shape stays.

        channel_shuffle(x, 3)  # channels 0 1 2 3 4 5 become 0 2 4 1 3 5
    """
    operation = "channel_shuffle", integer(groups, "groups"), integer(axis, "axis")
    return _apply(operation, x, out, threads)


def transpose(x: Array, perm: Sequence[int] | None = None, *, out: Any = None,
              threads: int = 1) -> Array:
    """Dimension i of the result is dimension `perm[i]` of `x`; reversed unless given.

        transpose(x, [0, 2, 3, 1])  # x: [n, c, h, w], result: [n, h, w, c]
    """
    given = None if perm is None else integers(perm, "perm")
    return _apply(("transpose", given), x, out, threads)


def compile(pattern: str, /, *, shape: Sequence[int], dtype: Any, threads: int = 1,
            pad: Iterable[Sequence[int]] | None = None,
            crop: Iterable[Sequence[int]] | None = None, pad_value: Any = None,
            strides: tuple[Sequence[int] | None, Sequence[int] | None] | None = None,
            sizes: Mapping[str, int] | None = None, **axes: int) -> Kernel:
    """The kernel of `rearrange` for operands of `shape` and `dtype`.

    `dtype` is a word of docs/spec.md (`f32`, `bf16`, `b64` ...), a dtype of another
    library, or the name of one that has a word; the types `float`, `int` ... are as wide
    as NumPy's. `strides` pins those of operand and result, in elements; a side that is None is dense. Without
    it, the kernel takes operands and results of any strides, and looks up code for them
    when it is called.

        k = compile("n c h w -> n h w c", shape=(2, 3, 5, 7), dtype="f32")
        y = k(x)  # x: [2, 3, 5, 7], result: [2, 5, 7, 3]
    """
    dtype = _concrete(dtype)
    word = _parse_dtype(dtype)
    operation = filled(rearrangement(pattern, sizes, axes, pad, crop), pad_value, word,
                       None if isinstance(dtype, str) else dtype)
    spec = Spec.of(operation, shape, word)
    if strides is not None:
        spec.set_strides(*both_strides(strides))
    return Kernel(spec, threads, _operation=operation, _pinned=strides is not None)
