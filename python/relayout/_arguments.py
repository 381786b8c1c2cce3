# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What callers give, checked, in the plain types of an operation.

`name` is what messages call an argument.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ._dtypes import OPAQUE, bits_of, refused
from ._errors import ErrorCode, make_error

#: As many as the library takes.
MOST_THREADS = 1024

Sizes = tuple[tuple[str, int], ...]
Strides = tuple[int, ...] | None
Windows = tuple[tuple[int, int], ...]


def _unfit(name: str, what: str, value: Any) -> Exception:
    return refused(f"expects {name} to be {what}, but got {value!r:.60}")


def string(value: Any, name: str) -> str:
    if not isinstance(value, str):
        raise _unfit(name, "a text", value)
    return value


def integer(value: Any, name: str) -> int:
    """`value` as an integer of 64 bits; ctypes would cut it silently."""
    try:
        number = operator.index(value)
    except TypeError:
        raise _unfit(name, "an integer", value) from None
    if not -2**63 <= number < 2**63:
        raise make_error(ErrorCode.OVERFLOW, f"expects integers of 64 bits, but got {number}")
    return number


def _items(values: Any, name: str, what: str) -> Iterator[Any]:
    try:
        return iter(values)
    except TypeError:
        raise _unfit(name, what, values) from None


def integers(values: Any, name: str) -> tuple[int, ...]:
    each = f"each number of {name}"
    return tuple([integer(value, each) for value in _items(values, name, "a list of integers")])


def one_or_more(values: Any, name: str) -> tuple[int, ...]:
    """A number, or one for each axis."""
    try:
        operator.index(values)  # arrays of one number can be iterated in name only
    except TypeError:
        if hasattr(values, "__iter__"):
            return integers(values, name)
    return (integer(values, name),)


def windows(values: Any, name: str) -> Windows | None:
    """Pairs of low and high."""
    if values is None:
        return None
    each = f"a window of {name}"
    pairs = tuple([integers(pair, each) for pair in _items(values, name, "a list of pairs")])
    for pair in pairs:
        if len(pair) != 2:
            raise make_error(ErrorCode.SYNTAX,
                             f"expects windows of a low and a high number, but got {list(pair)}")
    return pairs  # type: ignore[return-value]


def digits(sizes: Mapping[str, int] | None, axes: Mapping[str, int],
           size: Callable[[Any, str], int] = integer) -> Sizes:
    """`sizes` and `axes` are both sizes of digits; a name stands in one of them.
    `size` checks each."""
    if sizes is not None:
        if not isinstance(sizes, Mapping):
            raise _unfit("sizes", "a mapping of names to integers", sizes)
        for name in sizes.keys() & axes.keys():
            raise make_error(ErrorCode.PATTERN, f"expects one size of '{name}', but got two")
        axes = {string(name, "each name of sizes"): sizes[name] for name in sizes} | dict(axes)
    return tuple([(name, size(axes[name], name)) for name in axes])


def both_strides(values: Any) -> tuple[Strides, Strides]:
    """Those of operand and result; None for a dense side."""
    sides = [None if side is None else integers(side, "a side of strides")
             for side in _items(values, "strides", "a pair, of operand and result")]
    if len(sides) != 2:
        raise _unfit("strides", "a pair, of operand and result", values)
    return sides[0], sides[1]


def thread_count(value: Any) -> int:
    count = integer(value, "threads")
    if not 1 <= count <= MOST_THREADS:
        raise make_error(ErrorCode.USAGE,
                         f"expects threads from 1 to {MOST_THREADS}, but got {count}")
    return count


def element(value: Any, word: str, dtype: Any = None) -> str | None:
    """The text of an element of type `word`: a number, or a text as specs have it.
    `dtype` is what another library calls the type, which may know numbers where `word`
    has bits alone; None where the caller asked for `word` itself."""
    if dtype is not None and word in OPAQUE and value is not None:
        return _opaque_element(value, word, dtype)
    if value is None or isinstance(value, str):
        return value
    try:
        value = value.item() if hasattr(value, "item") else value
    except (RuntimeError, TypeError, ValueError):  # each library has its own for arrays
        raise _unfit("pad_value", "one value", value) from None
    if isinstance(value, complex):
        return f"{value.real!r},{value.imag!r}"
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else str(value)


def _opaque_element(value: Any, word: str, dtype: Any) -> str:
    if hasattr(dtype, "hasobject"):
        return str(bits_of(value, dtype))
    raise refused(f"expects no pad_value for elements that are moved as {word}, but got "
                  f"{value!r:.60}; pads of zero bits are possible")
