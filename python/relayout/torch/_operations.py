# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What PyTorch must know of each operation without running it: its schema, the shape
of its result, and its adjoint.

Extents may be symbols (torch.SymInt), so that shapes are computed here, not by the
library; tests hold the two equal. The adjoint of a movement is its inverse, where
a pad becomes a crop and a crop a pad of zeros.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from .._spec import Operation, dimensions

Shape = Sequence[Any]
Arguments = tuple[Any, ...]


class Kind(NamedTuple):
    """One operator. Arguments are those of the schema after `x`."""

    #: Without defaults: PyTorch leaves out arguments that have theirs.
    schema: str
    #: The operation of `relayout` that it runs.
    operation: Callable[..., Operation]
    #: Extents of the result, from those of the operand.
    shape: Callable[..., list[Any]]
    #: Name and arguments of the adjoint, from the operand's extents.
    adjoint: Callable[..., tuple[str, Arguments]]


def _pairs(flat: Sequence[int]) -> tuple[tuple[int, int], ...] | None:
    return tuple(zip(flat[::2], flat[1::2], strict=True)) or None


# ---- Patterns ----------------------------------------------------------------------


def _groups(side: str) -> list[list[str]]:
    """The names of each dimension of one side."""
    found: list[list[str]] = []
    group: list[str] | None = None
    for word in side.replace("(", " ( ").replace(")", " ) ").split():
        if word == "(":
            group = []
            found.append(group)
        elif word == ")":
            group = None
        elif group is not None:
            group.append(word)
        else:
            found.append([word])
    return found


def _spelled(pattern: str, rank: int) -> str:
    """`pattern` with names for its ellipsis, which only a result may have in brackets."""
    stem = "e"
    while stem in pattern:
        stem += "e"
    count = rank - len(dimensions(pattern.split("->")[0])) + 1
    return pattern.replace("...", " ".join(f"{stem}{i}" for i in range(count)))


def _sizes(pattern: str, names: Sequence[str], sizes: Shape, pad: Sequence[int],
           shape: Shape) -> tuple[dict[str, Any], list[list[str]]]:
    """The size of each name of a spelled pattern, and the groups of the result."""
    operand, result = [_groups(side) for side in pattern.split("->")]
    known: dict[str, Any] = {"1": 1, **dict(zip(names, sizes, strict=True))}
    windows = _pairs(pad) or ((0, 0),) * len(shape)
    for group, extent, (low, high) in zip(operand, shape, windows, strict=True):
        rest = extent + low + high
        for name in [name for name in group if name not in known]:
            known[name] = rest // math.prod(known[n] for n in group if n in known)
    return known, result


def _pattern_operation(pattern: str, names: Sequence[str], sizes: Sequence[int],
                       pad: Sequence[int], crop: Sequence[int], pad_value: str | None,
                       threads: int) -> Operation:
    given = tuple(zip(names, sizes, strict=True))
    return "rearrange", pattern, given, _pairs(pad), _pairs(crop), pad_value


def _pattern_shape(shape: Shape, pattern: str, names: Sequence[str], sizes: Shape,
                   pad: Sequence[int], crop: Sequence[int], *_: Any) -> list[Any]:
    known, groups = _sizes(_spelled(pattern, len(shape)), names, sizes, pad, shape)
    windows = _pairs(crop) or ((0, 0),) * len(groups)
    return [math.prod(known[name] for name in group) - low - high
            for group, (low, high) in zip(groups, windows, strict=True)]


def _pattern_adjoint(shape: Shape, pattern: str, names: Sequence[str], sizes: Shape,
                     pad: Sequence[int], crop: Sequence[int], pad_value: str | None,
                     threads: int) -> tuple[str, Arguments]:
    pattern = _spelled(pattern, len(shape))
    known, _ = _sizes(pattern, names, sizes, pad, shape)
    given = {name: size for name, size in known.items() if name != "1"}
    back = "->".join(reversed(pattern.split("->")))
    return "rearrange", (back, list(given), list(given.values()), list(crop), list(pad), None,
                         threads)


# ---- Depth and space ------------------------------------------------------------------


def channels_first(layout: str) -> bool:
    return layout.startswith("NC") or layout == "channels_first"


def _depth_shape(shape: Shape, block_size: Sequence[int], layout: str, up: bool) -> list[Any]:
    result = list(shape)
    first = channels_first(layout)
    spatial = range(2, len(shape) - layout.endswith("_C")) if first else range(1, len(shape) - 1)
    blocks = list(block_size) * (len(spatial) if len(block_size) == 1 else 1)
    volume, channel = math.prod(blocks), 1 if first else len(shape) - 1
    result[channel] = result[channel] // volume if up else result[channel] * volume
    for axis, block in zip(spatial, blocks, strict=True):
        result[axis] = result[axis] * block if up else result[axis] // block
    return result


def _depth(name: str, inverse: str, up: bool) -> Kind:
    def shape(extents: Shape, block_size: Sequence[int], layout: str, *_: Any) -> list[Any]:
        return _depth_shape(extents, block_size, layout, up)

    return Kind("(Tensor x, int[] block_size, str layout, str mode, int threads) -> Tensor",
                lambda block, layout, mode, threads: (name, tuple(block), layout, mode), shape,
                lambda extents, *arguments: (inverse, arguments))


def _pixel(name: str, inverse: str, up: bool) -> Kind:
    def shape(extents: Shape, factor: int, *_: Any) -> list[Any]:
        return [*extents[:-3], *_depth_shape([1, *extents[-3:]], [factor], "NCHW", up)[1:]]

    return Kind("(Tensor x, int factor, int threads) -> Tensor",
                lambda factor, threads: (name, factor), shape,
                lambda extents, *arguments: (inverse, arguments))


# ---- Batch and space ------------------------------------------------------------------


def _blocks(shape: Shape, block: Sequence[int],
            flat: Sequence[int]) -> list[tuple[Any, int, tuple[int, int]]]:
    """Extent, block and window of each blocked dimension. The batch is none, which has an
    entry where every dimension has one."""
    windows = _pairs(flat) or ((0, 0),) * len(block)
    first = 1 if len(block) == len(shape) else 0
    return list(zip(shape[1:], block[first:], windows[first:]))


def _to_batch_shape(shape: Shape, block: Sequence[int], paddings: Sequence[int],
                    *_: Any) -> list[Any]:
    inner = [(extent + low + high) // b
             for extent, b, (low, high) in _blocks(shape, block, paddings)]
    return [shape[0] * math.prod(block), *inner, *shape[1 + len(inner):]]


def _to_space_shape(shape: Shape, block: Sequence[int], crops: Sequence[int],
                    *_: Any) -> list[Any]:
    inner = [extent * b - low - high
             for extent, b, (low, high) in _blocks(shape, block, crops)]
    return [shape[0] // math.prod(block), *inner, *shape[1 + len(inner):]]


def _inverse_of(perm: Sequence[int]) -> list[int]:
    return sorted(range(len(perm)), key=perm.__getitem__)


KINDS = {
    "rearrange": Kind(
        "(Tensor x, str pattern, str[] names, SymInt[] sizes, int[] pad, int[] crop, "
        "str? pad_value, int threads) -> Tensor",
        _pattern_operation, _pattern_shape, _pattern_adjoint),
    "depth_to_space": _depth("depth_to_space", "space_to_depth", True),
    "space_to_depth": _depth("space_to_depth", "depth_to_space", False),
    "space_to_batch": Kind(
        "(Tensor x, int[] block_shape, int[] paddings, str? pad_value, int threads) -> Tensor",
        lambda block, paddings, value, threads: ("space_to_batch", tuple(block), _pairs(paddings),
                                                 value),
        _to_batch_shape,
        lambda shape, block, paddings, value, threads: ("batch_to_space",
                                                        (block, paddings, threads))),
    "batch_to_space": Kind(
        "(Tensor x, int[] block_shape, int[] crops, int threads) -> Tensor",
        lambda block, crops, threads: ("batch_to_space", tuple(block), _pairs(crops)),
        _to_space_shape,
        lambda shape, block, crops, threads: ("space_to_batch", (block, crops, None, threads))),
    "pixel_shuffle": _pixel("pixel_shuffle", "pixel_unshuffle", True),
    "pixel_unshuffle": _pixel("pixel_unshuffle", "pixel_shuffle", False),
    "channel_shuffle": Kind(
        "(Tensor x, int groups, int axis, int threads) -> Tensor",
        lambda groups, axis, threads: ("channel_shuffle", groups, axis),
        lambda shape, *_: list(shape),
        # No channels have no groups, and nothing is moved in any.
        lambda shape, groups, axis, threads: ("channel_shuffle",
                                              (max(int(shape[axis]) // groups, 1), axis, threads))),
    "transpose": Kind(
        "(Tensor x, int[] perm, int threads) -> Tensor",
        lambda perm, threads: ("transpose", tuple(perm)),
        lambda shape, perm, *_: [shape[i] for i in perm],
        lambda shape, perm, threads: ("transpose", (_inverse_of(perm), threads))),
}
