# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions of `relayout` as operators of PyTorch (`torch.ops.relayout.*`).

They have shape functions and gradients, and work under `torch.compile`. An operator
on images keeps `channels_last`: a tensor in that format gives one in that format.

`optimize` replaces PyTorch's own shuffles and `permute().contiguous()` in a module;
`torch.compile(module, backend=relayout.torch.backend)` does so where modules cannot
be traced as a whole.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import torch

from .._adapters import PyTorch
from .._arguments import (digits, element, integer, integers, one_or_more, string,
                          thread_count, windows)
from .._dtypes import from_named
from .._kernel import lookup
from .._spec import Operation, Spec
from ._operations import KINDS, Kind, channels_first
from ._rewrite import backend, optimize

__all__ = ["backend", "batch_to_space", "channel_shuffle", "depth_to_space", "optimize",
           "pixel_shuffle", "pixel_unshuffle", "rearrange", "space_to_batch", "space_to_depth",
           "transpose"]

_memory = PyTorch().memory
_FORMATS = {4: torch.channels_last, 5: torch.channels_last_3d}


@functools.lru_cache(maxsize=1024)
def _result_shape(operation: Operation, shape: tuple[int, ...], dtype: str) -> tuple[int, ...]:
    return Spec.of(operation, shape, dtype).result_shape


def _format(name: str, x: torch.Tensor, arguments: tuple[Any, ...]) -> torch.memory_format:
    """channels_last where `x` has it and the operation is one on images."""
    kept = (name in ("pixel_shuffle", "pixel_unshuffle")
            or name == "channel_shuffle" and arguments[1] == 1
            or name in ("depth_to_space", "space_to_depth") and channels_first(arguments[1]))
    found = _FORMATS.get(x.dim()) if kept else None
    if found is None or x.is_contiguous() or not x.is_contiguous(memory_format=found):
        return torch.contiguous_format
    return found


def _runner(name: str, kind: Kind) -> Callable[..., torch.Tensor]:
    def run(x: torch.Tensor, *arguments: Any) -> torch.Tensor:
        operation, threads = kind.operation(*arguments), arguments[-1]
        pointer, shape, strides, dtype, hold = _memory(x)
        if strides is None:
            kernel = lookup(operation, shape, dtype, None, None, threads)
            out = torch.empty(kernel.result_shape, dtype=x.dtype)
        else:
            out = torch.empty(_result_shape(operation, shape, dtype), dtype=x.dtype,
                              memory_format=_format(name, x, arguments))
            target = None if out.is_contiguous() else out.stride()
            kernel = lookup(operation, shape, dtype, strides, target, threads)
        kernel.run(pointer, out.data_ptr())
        del hold  # what the memory belonged to
        return out

    return run


def _faker(name: str, kind: Kind) -> Callable[..., torch.Tensor]:
    def fake(x: torch.Tensor, *arguments: Any) -> torch.Tensor:
        shape: Sequence[Any]
        if all(type(extent) is int for extent in x.shape) and all(
                type(size) is int for size in _numbers(arguments)):
            # The library's own checks and messages.
            word = from_named(x.dtype, x.dtype.itemsize)
            shape = _result_shape(kind.operation(*arguments), tuple(x.shape), word)
        else:
            shape = kind.shape(x.shape, *arguments)
        return torch.empty(shape, dtype=x.dtype, device=x.device,
                           memory_format=_format(name, x, arguments))

    return fake


def _numbers(arguments: tuple[Any, ...]) -> list[Any]:
    found = []
    for value in arguments:
        if isinstance(value, (list, tuple)):
            found += [v for v in value if not isinstance(v, str)]
    return found


def _register(name: str, kind: Kind) -> None:
    """Registers the operator without `torch.library.custom_op`, whose own dispatch
    costs more than a small kernel."""
    full = f"relayout::{name}"

    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: torch.Tensor) -> None:
        ctx.shape, ctx.arguments = inputs[0].shape, inputs[1:]

    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[Any, ...]:
        adjoint, arguments = kind.adjoint(ctx.shape, *ctx.arguments)
        result = getattr(torch.ops.relayout, adjoint)(gradient, *arguments)
        return result, *[None] * len(ctx.arguments)

    torch.library.define(full, kind.schema, tags=torch.Tag.pt2_compliant_tag)
    torch.library.impl(full, "CPU", _runner(name, kind))
    torch.library.register_fake(full, _faker(name, kind))
    torch.library.register_autograd(full, backward, setup_context=setup_context)


for _name, _kind in KINDS.items():
    _register(_name, _kind)


def _checked(x: torch.Tensor) -> torch.Tensor:
    """`x`, for an operator: PyTorch has no words for a quantized one."""
    if isinstance(x, torch.Tensor) and x.is_quantized:
        from_named(x.dtype, x.dtype.itemsize)
    return x


def _element(x: torch.Tensor, value: Any) -> str | None:
    return None if value is None else element(value, from_named(x.dtype, x.dtype.itemsize),
                                              x.dtype)


def _flat(pairs: Any, name: str) -> list[int]:
    return [number for pair in windows(pairs, name) or () for number in pair]


def _size(value: Any, name: str) -> Any:
    """The size of a digit. Symbols stay symbols: an index would be that of one shape."""
    symbolic = isinstance(value, torch.SymInt) or (
        isinstance(value, int) and torch.compiler.is_compiling())
    return value if symbolic else integer(value, name)


def rearrange(x: torch.Tensor, pattern: str, /, *, threads: int = 1,
              pad: Iterable[Sequence[int]] | None = None,
              crop: Iterable[Sequence[int]] | None = None, pad_value: Any = None,
              sizes: Mapping[str, int] | None = None, **axes: int) -> torch.Tensor:
    """As `relayout.rearrange`; the result is dense and row-major."""
    given = digits(sizes, axes, _size)
    return torch.ops.relayout.rearrange(_checked(x), string(pattern, "pattern"),
                                        [name for name, _ in given], [size for _, size in given],
                                        _flat(pad, "pad"), _flat(crop, "crop"),
                                        _element(x, pad_value), thread_count(threads))


def depth_to_space(x: torch.Tensor, block_size: int | Sequence[int], *, layout: str, mode: str,
                   threads: int = 1) -> torch.Tensor:
    """As `relayout.depth_to_space`."""
    return torch.ops.relayout.depth_to_space(_checked(x), one_or_more(block_size, "block_size"),
                                             string(layout, "layout"), string(mode, "mode"),
                                             thread_count(threads))


def space_to_depth(x: torch.Tensor, block_size: int | Sequence[int], *, layout: str, mode: str,
                   threads: int = 1) -> torch.Tensor:
    """As `relayout.space_to_depth`."""
    return torch.ops.relayout.space_to_depth(_checked(x), one_or_more(block_size, "block_size"),
                                             string(layout, "layout"), string(mode, "mode"),
                                             thread_count(threads))


def space_to_batch(x: torch.Tensor, block_shape: Sequence[int],
                   paddings: Iterable[Sequence[int]] | None = None, *, pad_value: Any = None,
                   threads: int = 1) -> torch.Tensor:
    """As `relayout.space_to_batch`."""
    return torch.ops.relayout.space_to_batch(_checked(x), integers(block_shape, "block_shape"),
                                             _flat(paddings, "paddings"), _element(x, pad_value),
                                             thread_count(threads))


def batch_to_space(x: torch.Tensor, block_shape: Sequence[int],
                   crops: Iterable[Sequence[int]] | None = None, *,
                   threads: int = 1) -> torch.Tensor:
    """As `relayout.batch_to_space`."""
    return torch.ops.relayout.batch_to_space(_checked(x), integers(block_shape, "block_shape"),
                                             _flat(crops, "crops"), thread_count(threads))


def pixel_shuffle(x: torch.Tensor, upscale_factor: int, *, threads: int = 1) -> torch.Tensor:
    """As `torch.nn.functional.pixel_shuffle`: [..., r * r * c, h, w] to
    [..., c, r * h, r * w]."""
    return torch.ops.relayout.pixel_shuffle(_checked(x), integer(upscale_factor, "upscale_factor"),
                                            thread_count(threads))


def pixel_unshuffle(x: torch.Tensor, downscale_factor: int, *,
                    threads: int = 1) -> torch.Tensor:
    """As `torch.nn.functional.pixel_unshuffle`: [..., c, r * h, r * w] to
    [..., r * r * c, h, w]."""
    factor = integer(downscale_factor, "downscale_factor")
    return torch.ops.relayout.pixel_unshuffle(_checked(x), factor, thread_count(threads))


def channel_shuffle(x: torch.Tensor, groups: int, axis: int = 1, *,
                    threads: int = 1) -> torch.Tensor:
    """As `torch.channel_shuffle`, on dimension `axis`."""
    return torch.ops.relayout.channel_shuffle(_checked(x), integer(groups, "groups"),
                                              integer(axis, "axis"), thread_count(threads))


def transpose(x: torch.Tensor, perm: Sequence[int] | None = None, *,
              threads: int = 1) -> torch.Tensor:
    """`x.permute(perm).contiguous()`; reversed unless given."""
    perm = range(x.dim())[::-1] if perm is None else perm
    return torch.ops.relayout.transpose(_checked(x), integers(perm, "perm"),
                                        thread_count(threads))
