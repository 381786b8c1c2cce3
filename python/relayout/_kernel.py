# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels: compiled code for one spec, and how it is called."""

from __future__ import annotations

import contextlib
import ctypes
import dataclasses
import functools
import math
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from . import _library as c
from ._adapters import View, adapter_of
from ._arguments import thread_count
from ._dtypes import OPAQUE, WIDTHS, refused
from ._errors import ErrorCode, make_error
from ._spec import Operation, Spec

#: Kernels that calls of one operation are looked up in.
CACHED_CALLS = 1024

_lock = threading.RLock()
_shared: dict[object, int] = {}
_is_first = True


def _once(key: object, make: Any) -> int:
    """A handle of the whole process, which lives as long as it."""
    found = _shared.get(key)
    if found is None:
        with _lock:
            found = _shared.get(key)
            if found is None:
                found = _shared[key] = make()
    return found


@contextlib.contextmanager
def _first_alone() -> Iterator[None]:
    """Holds what forks take for the first compile of the process: it makes tables of the
    library, for which a child that is forked meanwhile would wait for ever."""
    global _is_first
    with _lock if _is_first else contextlib.nullcontext():
        yield
        _is_first = False


def _forget() -> None:
    """A forked child makes a compiler of its own: threads of the parent, which it has not, may
    have been inside. Pools and kernels are usable in both."""
    global _lock
    _lock = threading.RLock()
    _shared.pop("compiler", None)


os.register_at_fork(before=lambda: _lock.acquire(), after_in_parent=lambda: _lock.release(),
                    after_in_child=_forget)


def _compiler() -> int:
    return _once("compiler", lambda: c.create(c.compiler_create, None))


def _executor(threads: int) -> int | None:
    """The pool of `threads` threads; None for the caller's thread."""
    if threads == 1:
        return None
    return _once(threads, lambda: c.pool_executor(c.create(c.pool_create, threads)))


def cache_statistics() -> dict[str, int]:
    """How often kernels came from memory, from disk and from the compiler, and how
    often the cache on disk was refused or failed, since the process began."""
    found = c.Statistics(struct_size=ctypes.sizeof(c.Statistics))
    c.check(c.compiler_get_statistics(_compiler(), ctypes.byref(found)))
    return {name: getattr(found, name) for name in
            (field[0] for field in c.Statistics._fields_[1:])}


@dataclasses.dataclass(frozen=True)
class Measurement:
    """What `Kernel.bench` measured. Rates are 10^9 bytes read and written a second. The
    copies move as many bytes as the larger of input and output has."""

    gbps: float  #: of the kernel, over all of input and output
    bound_gbps: float  #: of the best copy, measured alternately
    memcpy_gbps: float  #: of memcpy
    ratio: float  #: time of the best copy / time of the kernel
    spread: float  #: of the ratio between rounds: (third - first quartile) / median


class Kernel:
    """Compiled code for `spec` on `threads` threads. Call it as `k(x, out=None)`.

    May be called by several threads at once; the GIL is released while it compiles
    and while it runs.
    """

    __slots__ = ("spec", "threads", "result_shape", "_shape", "_strides", "_dtype", "_operation",
                 "_pinned", "_stated", "_plan", "_handle", "_executor", "_input", "_output",
                 "_free", "__weakref__")

    def __init__(self, spec: Spec, threads: int = 1, *, _operation: Operation | None = None,
                 _pinned: bool = False) -> None:
        self._plan = self._handle = 0
        self._free = c.kernel_free, c.plan_free
        if not isinstance(spec, Spec):
            raise refused(f"expects a Spec, but got {spec!r:.60}")
        self.spec, self.threads = spec, thread_count(threads)
        self._operation = _operation or ("json", spec.json)
        self._pinned = _pinned
        self._shape, self.result_shape = spec.shape, spec.result_shape
        self._strides, self._dtype = (spec.strides, spec.result_strides), spec.dtype
        self._stated = tuple(None if _are_alike(own, _dense_strides(shape), shape) else own
                             for own, shape in zip(self._strides, (self._shape, self.result_shape)))
        options = c.PlanOptions(struct_size=ctypes.sizeof(c.PlanOptions), threads=self.threads)
        with _first_alone():
            self._plan = c.create(c.plan_create, _compiler(), spec._handle, ctypes.byref(options))
            self._handle = c.create(c.kernel_create, self._plan)
        info = c.KernelInfo(struct_size=ctypes.sizeof(c.KernelInfo))
        c.check(c.kernel_get_info(self._handle, ctypes.byref(info)))
        self._input, self._output = info.input_size, info.output_size
        self._executor = _executor(self.threads)

    def __del__(self) -> None:
        for free, handle in zip(self._free, (self._handle, self._plan)):
            free(handle)

    def __reduce__(self) -> tuple[Any, ...]:
        # Compiled again from the spec: copies of the slots would free one handle twice.
        return _rebuilt, (self.spec, self.threads, self._operation, self._pinned)

    def __call__(self, x: Any, out: Any = None) -> Any:
        """The rearranged `x`.

        `x` has the spec's shape and element type. Where its strides differ from the
        kernel's, a kernel for them is looked up, unless `strides` were given to
        `compile`. `out` has the result's shape and the same type, is writable and does
        not overlap `x`; without it, a new array of `x`'s kind is returned.
        """
        return call(self._choose, x, out, self._shape,
                    self._dtype if self._dtype in OPAQUE else None)

    def _choose(self, given: View, target: View | None) -> Kernel:
        """This kernel, or the one for the strides of operand and result."""
        for side, view in (("x", given), ("out", target)):
            if view is not None:
                self._expect(side, view)
        strides = given[2], target[2] if target else None
        if self._pinned:
            self._expect_strides(*strides)
            return self
        if strides == self._stated:
            return self
        return lookup(self._operation, self._shape, self._dtype, *strides, self.threads)

    def _expect(self, side: str, view: View) -> None:
        shape = self._shape if side == "x" else self.result_shape
        if view[1] != shape:
            raise make_error(ErrorCode.SHAPE, f"expects {side} of shape {list(shape)}, but got "
                             f"{list(view[1])}")
        same = view[3] == self._dtype
        if self._dtype in OPAQUE:
            same = WIDTHS[view[3]] == WIDTHS[self._dtype]
        if not same:
            raise make_error(ErrorCode.TYPE, f"expects {side} of type {self._dtype}, but got "
                             f"{view[3]}")

    def _expect_strides(self, operand: Sequence[int] | None, result: Sequence[int] | None) -> None:
        for side, shape, given, own in zip(("x", "out"), (self._shape, self.result_shape),
                                           (operand, result), self._strides):
            actual = _dense_strides(shape) if given is None else given
            if not _are_alike(actual, own, shape):
                raise make_error(ErrorCode.LAYOUT, f"expects {side} of strides {list(own)}, but "
                                 f"got {list(actual)}")

    def run(self, source: int, target: int) -> None:
        """Runs on the memory at two addresses, which have the spec's sizes and strides.
        The library checks that they are aligned and do not overlap."""
        try:
            given, wanted = c.ConstBuffer(source, self._input), c.Buffer(target, self._output)
        except TypeError:
            raise refused("expects two addresses, integers such as x.ctypes.data, but got "
                          f"{type(source).__name__} and {type(target).__name__}") from None
        error = c.kernel_run(self._handle, given, wanted, self._executor)
        if error:
            c.check(error)

    def explain(self) -> str:
        """What the kernel does and what it is predicted to cost, for people."""
        return str(c.plan_explain(self._plan).decode())

    def verify(self) -> None:
        """Runs the kernel on ids that tell all elements apart, in guarded memory, and
        compares every byte with the reference evaluator; an `InternalError` where one
        differs. Code that touches what is outside of its buffers ends the process there."""
        c.check(c.kernel_verify(self._handle))

    def bench(self, warm: bool = False) -> Measurement:
        """Measures the kernel on one thread against the best copy, for about a second.
        `warm` keeps the memory in cache between calls."""
        found = c.Measurement(struct_size=ctypes.sizeof(c.Measurement))
        c.check(c.kernel_bench(self._handle, int(warm), ctypes.byref(found)))
        return Measurement(found.gbps, found.bound_gbps, found.memcpy_gbps, found.ratio,
                           found.spread)

    def __repr__(self) -> str:
        return (f"<relayout.Kernel {list(self._shape)} -> {list(self.result_shape)} of "
                f"{self._dtype}: {self.spec.json}>")


def _rebuilt(spec: Spec, threads: int, operation: Operation, pinned: bool) -> Kernel:
    return Kernel(spec, threads, _operation=operation, _pinned=pinned)


def _dense_strides(shape: Sequence[int]) -> tuple[int, ...]:
    strides, step = [], 1
    for extent in reversed(shape):
        strides.append(step)
        step *= extent
    return tuple(reversed(strides))


def _are_alike(strides: Sequence[int], others: Sequence[int], shape: Sequence[int]) -> bool:
    """True if both name the same places."""
    return 0 in shape or all(a == b for a, b, n in zip(strides, others, shape) if n > 1)


@functools.lru_cache(maxsize=CACHED_CALLS)
def lookup(operation: Operation, shape: tuple[int, ...], dtype: str,
           strides: tuple[int, ...] | None, result_strides: tuple[int, ...] | None,
           threads: int) -> Kernel:
    """The kernel of `operation` on this shape and these strides, compiled once."""
    spec = Spec.of(operation, shape, dtype)
    spec.set_strides(strides, result_strides)  # in place of those that JSON may have
    return Kernel(spec, threads, _operation=operation)


def _reshaped(view: View, shape: tuple[int, ...]) -> View:
    """Arrays that have no shape stand for any of their size."""
    return (view[0], shape, *view[2:]) if math.prod(shape) == math.prod(view[1]) else view


def call(choose: Callable[[View, View | None], Kernel], x: Any, out: Any,
         shape: tuple[int, ...] | None = None, dtype: str | None = None) -> Any:
    """Runs the kernel that `choose` names for the views of `x` and `out`. `shape` is
    that of operands without one, `dtype` the type that kernels move any elements as."""
    adapter = adapter_of(x)
    given, target = adapter.view(x, False, dtype), None
    try:
        if shape is not None and adapter.flat:
            given = _reshaped(given, shape)
        if out is None:
            kernel = choose(given, None)
            made, address = adapter.empty(x, given[3], kernel.result_shape)
            kernel.run(given[0], address)
            return adapter.finish(x, made)
        other = adapter_of(out)
        target = other.view(out, True, dtype)
        kernel = choose(given, None if other.flat else target)
        kernel._expect("out", _reshaped(target, kernel.result_shape) if other.flat else target)
        kernel.run(given[0], target[0])
        other.written(out)
        return out
    finally:
        for view in (given, target):
            if view is not None and view[4] is not None:
                view[4].release()
