# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations as hashable tuples, and specs: one operation on one shape."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Mapping, Sequence
from typing import Any

from . import _library as c
from ._arguments import Strides, Windows, digits, element, integers, string, windows
from ._dtypes import WIDTHS
from ._errors import ErrorCode, make_error

#: The name of an operation and its attributes in the order of its function.
Operation = tuple[Any, ...]


def filled(operation: Operation, value: Any, word: str, dtype: Any = None) -> Operation:
    """`operation` with `value` in its pads, as `element` reads it. The value of pads is
    the last attribute of each operation that has one."""
    return (*operation[:-1], element(value, word, dtype))


def rearrangement(pattern: Any, sizes: Mapping[str, int] | None, axes: Mapping[str, int],
                  pad: Any = None, crop: Any = None) -> Operation:
    """With pads of zero bits."""
    return ("rearrange", string(pattern, "pattern"), digits(sizes, axes), windows(pad, "pad"),
            windows(crop, "crop"), None)


def _text(text: str) -> bytes:
    if "\0" in text:
        raise make_error(ErrorCode.SYNTAX, "expects text without a NUL character")
    return text.encode("utf-8", "surrogatepass")


def _array(values: Sequence[int]) -> Any:
    return (ctypes.c_int64 * len(values))(*values)


def _windows(values: Windows | None, count: int | None,
             code: ErrorCode = ErrorCode.PAD) -> Any:
    """`count` is how many the library reads; null stands for none."""
    if values is None:
        return None
    if count is not None and len(values) != count:
        raise make_error(code, f"expects one window for each of {count} dimensions, but "
                         f"got {len(values)}")
    return (c.Window * len(values))(*[c.Window(low, high) for low, high in values])


def _create(operation: Operation, tensor: Any, rank: int) -> int:
    """The handle of the spec of `operation` on `tensor`."""
    name, *rest = operation
    if name == "json":
        data = rest[0].encode("utf-8", "surrogatepass")
        return c.create(c.spec_create_json, data, len(data))
    function = getattr(c, f"spec_create_{'pattern' if name == 'rearrange' else name}")
    if name == "rearrange":
        pattern, sizes, pad, crop, value = rest
        named = (c.Size * len(sizes))(*[c.Size(_text(n), s) for n, s in sizes])
        crops = _windows(crop, None if crop is None else result_rank(pattern, rank),
                         ErrorCode.CROP)
        return c.create(function, _text(pattern), tensor, named, len(sizes), _windows(pad, rank),
                        crops, None if value is None else _text(value))
    if name in ("depth_to_space", "space_to_depth"):
        block, layout, mode = rest
        return c.create(function, tensor, _text(layout), _text(mode), _array(block), len(block))
    if name in ("space_to_batch", "batch_to_space"):
        block, window, *value = rest
        value = [None if text is None else _text(text) for text in value]
        code = ErrorCode.PAD if name == "space_to_batch" else ErrorCode.CROP
        return c.create(function, tensor, _array(block), _windows(window, len(block), code),
                        len(block), *value)
    if name == "transpose":
        perm = range(rank)[::-1] if rest[0] is None else rest[0]
        if len(perm) != rank:
            raise make_error(ErrorCode.PERMUTATION, f"expects perm to hold each of the {rank} "
                             f"dimensions once, from 0, but got {list(perm)}")
        return c.create(function, tensor, _array(perm))
    return c.create(function, tensor, *rest)


def dimensions(side: str) -> list[str]:
    """The words of one side of a pattern that stand for its dimensions; a bracket
    stands for its group."""
    depth, found = 0, []
    for word in side.replace("(", " ( ").replace(")", " ) ").split():
        if depth == 0 and word != ")":
            found.append(word)
        depth += (word == "(") - (word == ")")
    return found


def result_rank(pattern: str, rank: int) -> int | None:
    """The rank of the result where the pattern shows it: the library reads one crop
    for each of its dimensions. None where it will refuse the pattern."""
    sides = [dimensions(side) for side in pattern.split("->")]
    if len(sides) != 2:
        return None
    extra = max(rank - len(sides[0]), -1) if "..." in sides[1] else 0
    return len(sides[1]) + extra


class Spec:
    """One operation on one shape: what a kernel computes. Immutable.

    `shape`, `result_shape`: extents of operand and result. `dtype`: the element's
    type in the words of docs/spec.md. `strides`, `result_strides`: in elements.
    """

    __slots__ = ("_handle", "_free", "__weakref__")

    def __init__(self, handle: int) -> None:
        self._handle = handle
        self._free = c.spec_free

    def __del__(self) -> None:
        self._free(self._handle)

    @classmethod
    def of(cls, operation: Operation, shape: Sequence[int], dtype: str) -> Spec:
        """`dtype` is a word of the spec; what it must be, the library says."""
        shape = integers(shape, "shape")
        tensor = c.TensorType(_text(dtype), WIDTHS.get(dtype, 0), len(shape), _array(shape))
        return cls(_create(operation, ctypes.byref(tensor), len(shape)))

    @classmethod
    def from_json(cls, text: str) -> Spec:
        """From JSON text, which states shape and type; docs/spec.md is its schema."""
        return cls.of(("json", string(text, "the JSON of a spec")), (), "b8")

    def set_strides(self, operand: Strides, result: Strides) -> None:
        """For this module's makers, before anyone else sees the spec."""
        for side, strides in enumerate((operand, result)):
            rank = c.spec_rank(self._handle, side)
            if strides is not None and len(strides) != rank:
                raise make_error(ErrorCode.LAYOUT, f"expects one stride for each of {rank} "
                                 f"dimensions, but got {list(strides)}")
        c.check(c.spec_set_strides(self._handle, *[None if s is None else _array(s)
                                                   for s in (operand, result)]))

    def _integers(self, function: Any, side: int) -> tuple[int, ...]:
        rank = c.spec_rank(self._handle, side)
        return tuple(function(self._handle, side)[:rank]) if rank else ()

    @property
    def shape(self) -> tuple[int, ...]:
        return self._integers(c.spec_shape, 0)

    @property
    def result_shape(self) -> tuple[int, ...]:
        return self._integers(c.spec_shape, 1)

    @property
    def strides(self) -> tuple[int, ...]:
        return self._integers(c.spec_strides, 0)

    @property
    def result_strides(self) -> tuple[int, ...]:
        return self._integers(c.spec_strides, 1)

    @property
    def dtype(self) -> str:
        return str(c.spec_dtype(self._handle).decode())

    @property
    def json(self) -> str:
        """The spec as JSON text, as `from_json` and the driver take it."""
        return str(c.spec_json(self._handle).decode())

    def inverse(self) -> Spec:
        """The spec that undoes this one; an error where windows lose elements."""
        return Spec(c.create(c.spec_invert, self._handle))

    def __reduce__(self) -> tuple[Any, ...]:
        # Copies of the slots would free one handle twice.
        return Spec.from_json, (self.json,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Spec) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        text = json.dumps(json.loads(self.json), sort_keys=True)
        return text, self.strides, self.result_strides

    def __repr__(self) -> str:
        return f"relayout.Spec.from_json({self.json!r})"
