# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What goes in and comes out: the memory behind arrays of other libraries.

An adapter knows one kind of array. None of those libraries is imported here; an
array that a caller holds proves that its library is loaded.
"""

from __future__ import annotations

import abc
import array
import contextlib
import ctypes
import math
import sys
from typing import Any

from . import _buffers, _dlpack, _dtypes
from ._buffers import is_misaligned, misaligned, not_strided
from ._errors import ErrorCode, make_error

#: Address; extents; strides in elements, or None if dense; the word for the element
#: type; and what must be released after the call, or None.
View = tuple[int, tuple[int, ...], tuple[int, ...] | None, str, Any]


_pointer_at = ctypes.c_void_p.from_address


class Adapter(abc.ABC):
    """Arrays of one kind."""

    #: Arrays of this kind have no shape, and come out flat, in row-major order.
    flat = False

    @abc.abstractmethod
    def view(self, x: Any, out: bool = False, kernel: str | None = None) -> View:
        """The memory of `x`. Where no kernel takes its strides or its address, that of
        a dense copy; with `out`, an error. `kernel` is the type that the kernel has
        where that is not the array's: bits ask more of an address than complex numbers."""

    @abc.abstractmethod
    def empty(self, x: Any, dtype: str, shape: tuple[int, ...]) -> tuple[Any, int]:
        """Dense memory for a result like `x`, and its address."""

    def finish(self, x: Any, made: Any) -> Any:
        """The array of `x`'s kind over `made`, now that it is filled."""
        return made

    def written(self, out: Any) -> None:
        """Tells the library of `out` that its elements are others now."""


def _address(x: Any) -> int:
    """Of a NumPy array's elements, the slow way."""
    return x.__array_interface__["data"][0]


def _fast_address(x: Any) -> int:
    """The same. The pointer is the first member of an array's struct, which NumPy's
    ABI fixes: extensions that were compiled for it read the member themselves."""
    return _pointer_at(id(x) + object.__basicsize__).value or 0


class NumPy(Adapter):
    def __init__(self) -> None:
        self.words: dict[Any, str] = {}
        self.address = _address

    def learn(self, x: Any) -> None:
        """Takes the fast way where it gives what the slow one gives."""
        if hasattr(sys, "getrefcount") and _fast_address(x) == _address(x):
            self.address = _fast_address

    def view(self, x: Any, out: bool = False, kernel: str | None = None) -> View:
        dtype = x.dtype
        word = self.words.get(dtype)
        if word is None:
            word = self.words.setdefault(dtype, _dtypes.from_numpy(dtype))
            self.learn(x)
        flags = x.flags
        if out and not flags.writeable:
            raise read_only()
        pointer = self.address(x)
        strides = None
        if not flags.c_contiguous:
            strides = _buffers.element_strides(x.strides, dtype.itemsize)
            if strides is None:
                why = not_strided(f"those of the array are {x.strides} bytes")
                return self._copied(x, out, why)
        if is_misaligned(pointer, kernel or word):
            return self._copied(x, out, misaligned(pointer, kernel or word))
        return pointer, x.shape, strides, word, None

    def _copied(self, x: Any, out: bool, why: Exception) -> View:
        if out:
            raise why
        dense = sys.modules["numpy"].array(x, order="C", subok=False)
        if is_misaligned(dense.ctypes.data, "b128"):  # malloc aligns to 16
            raise why
        pointer, shape, strides, word, _ = self.view(dense)
        return pointer, shape, strides, word, _Holder(dense)

    def empty(self, x: Any, dtype: str, shape: tuple[int, ...]) -> tuple[Any, int]:
        made = sys.modules["numpy"].empty(shape, x.dtype)
        return made, self.address(made)


class _Holder:
    """Keeps an object until the call is over."""

    def __init__(self, held: Any) -> None:
        self.held = held

    def release(self) -> None:
        self.held = None


class PyTorch(Adapter):
    def __init__(self) -> None:
        self.words: dict[Any, str] = {}

    def view(self, x: Any, out: bool = False, kernel: str | None = None) -> View:
        if x.requires_grad and sys.modules["torch"].is_grad_enabled():
            raise make_error(ErrorCode.INPUT, "expects a tensor without a gradient; the operators "
                             "of relayout.torch have gradients")
        return self.memory(x, out, kernel)

    def memory(self, x: Any, out: bool = False, kernel: str | None = None) -> View:
        """`view` below autograd."""
        if x.is_nested:
            raise make_error(ErrorCode.BUFFER, "expects one tensor, but got a nested one")
        if not x.is_cpu or x.layout is not sys.modules["torch"].strided:
            raise make_error(ErrorCode.BUFFER, "expects a dense tensor on the CPU, but got one of "
                             f"layout {x.layout} on {x.device}")
        dtype = x.dtype
        word = self.words.get(dtype)
        if word is None:
            word = self.words.setdefault(dtype, _dtypes.from_named(dtype, dtype.itemsize))
        pointer, strides, hold = x.data_ptr(), None, None
        lazy = x.is_conj() or x.is_neg()
        if lazy or is_misaligned(pointer, kernel or word):
            if out:
                raise lazy_out() if lazy else misaligned(pointer, kernel or word)
            x = hold = x.resolve_conj().resolve_neg() if lazy else x.clone()
            pointer, hold = x.data_ptr(), _Holder(hold)
        if not x.is_contiguous():
            strides = x.stride()
        return pointer, x.shape, strides, word, hold

    def empty(self, x: Any, dtype: str, shape: tuple[int, ...]) -> tuple[Any, int]:
        made = sys.modules["torch"].empty(shape, dtype=x.dtype)
        return made, made.data_ptr()

    def written(self, out: Any) -> None:
        # So that autograd refuses a gradient that needs what was there.
        if not out.is_inference():
            sys.modules["torch"].autograd.graph.increment_version(out)


class DLPack(Adapter):
    """Whatever has `__dlpack__`; results go back by the library's `from_dlpack`."""

    def view(self, x: Any, out: bool = False, kernel: str | None = None) -> View:
        taken = _dlpack.take(x)
        try:
            strides = taken.strides
            if strides is None or _buffers.is_dense(taken.shape, strides):
                strides = None
            elif min(strides) < 0:
                raise not_strided(f"those of the tensor are {strides}")
            if is_misaligned(taken.pointer, kernel or taken.dtype):
                raise misaligned(taken.pointer, kernel or taken.dtype)
            if out and taken.read_only:
                raise read_only()
        except BaseException:
            taken.release()
            raise
        return taken.pointer, taken.shape, strides, taken.dtype, taken

    def empty(self, x: Any, dtype: str, shape: tuple[int, ...]) -> tuple[Any, int]:
        made = _dlpack.Tensor(tuple(shape), dtype)
        return made, made.pointer

    def finish(self, x: Any, made: Any) -> Any:
        kind = type(x)
        if hasattr(x, "__array_namespace__"):
            return x.__array_namespace__().from_dlpack(made)
        home = sys.modules.get(kind.__module__.partition(".")[0])
        for owner in (kind, home):
            if hasattr(owner, "from_dlpack"):
                return owner.from_dlpack(made)  # type: ignore[union-attr]
        return made


#: What JAX calls the types that it has in 64 bits and in 32.
_JAX_WIDE = ("int64", "uint64", "float64", "complex128")


class Jax(DLPack):
    def view(self, x: Any, out: bool = False, kernel: str | None = None) -> View:
        if out:
            raise immutable("JAX")
        if x.is_deleted():
            raise make_error(ErrorCode.BUFFER, "expects an array that was not deleted or donated")
        if len(x.devices()) > 1:
            raise make_error(ErrorCode.BUFFER, "expects an array on one device, but got one on "
                             f"{len(x.devices())}")
        if x.dtype.name.startswith(("int2", "uint2", "int4", "uint4", "float4")):
            raise _dtypes.refused(f"expects elements of whole bytes, but got {x.dtype}")
        return super().view(x, out, kernel)

    def finish(self, x: Any, made: Any) -> Any:
        jax = sys.modules["jax"]
        if x.dtype.name not in _JAX_WIDE:
            return self._placed(jax, x, made)
        # Where JAX makes arrays of 32 bits unless told otherwise, it would cut these to that.
        owner = jax if hasattr(jax, "enable_x64") else jax.experimental
        with owner.enable_x64(True):
            return self._placed(jax, x, made)

    @staticmethod
    def _placed(jax: Any, x: Any, made: Any) -> Any:
        result, (device,) = jax.dlpack.from_dlpack(made), x.devices()
        return result if result.devices() == {device} else jax.device_put(result, device)


class TensorFlow(DLPack):
    def view(self, x: Any, out: bool = False, kernel: str | None = None) -> View:
        if out:
            raise immutable("TensorFlow")
        kind = self._kind(x)
        if kind == "q":  # DLPack has no quantized types: move their integers
            return super().view(self._bitcast(x, x.dtype.name[1:]), out, kernel)
        if kind == "f8":
            dense = x.numpy()
            pointer, shape, strides, word, _ = _NUMPY.view(dense)
            return pointer, shape, strides, word, _Holder(dense)
        return super().view(x, out, kernel)

    @staticmethod
    def _kind(x: Any) -> str:
        """How the memory of `x` is reached: `q`, `f8`, or by DLPack."""
        name = x.dtype.name
        if name in ("string", "resource", "variant"):
            raise _dtypes.refused(f"expects elements that are plain bytes, but got {name}")
        return "f8" if name.startswith("float8") else "q" if name[0] == "q" else "dlpack"

    @staticmethod
    def _bitcast(x: Any, dtype: Any) -> Any:
        return sys.modules["tensorflow"].bitcast(x, dtype)

    def empty(self, x: Any, dtype: str, shape: tuple[int, ...]) -> tuple[Any, int]:
        if self._kind(x) != "f8":
            return super().empty(x, dtype, shape)
        made = sys.modules["numpy"].empty(shape, x.dtype.as_numpy_dtype)
        return made, made.ctypes.data

    def finish(self, x: Any, made: Any) -> Any:
        tf = sys.modules["tensorflow"]
        if not isinstance(made, _dlpack.Tensor):
            return tf.constant(made)  # a copy
        result = tf.experimental.dlpack.from_dlpack(made.__dlpack__())
        return result if result.dtype == x.dtype else self._bitcast(result, x.dtype)


class Buffers(Adapter):
    """The buffer protocol. A `memoryview` comes out, unless a subclass knows better."""

    def view(self, x: Any, out: bool = False, kernel: str | None = None) -> View:
        taken = _buffers.Borrowed(x)
        try:
            word = _dtypes.from_format(taken.format, taken.itemsize)
            if out and taken.read_only:
                raise read_only()
            strides = _buffers.element_strides(taken.byte_strides, taken.itemsize)
            if strides is None:
                why = not_strided(f"those of the buffer are {taken.byte_strides} bytes")
                return self._copied(x, taken, word, out, why)
            if is_misaligned(taken.pointer, kernel or word):
                return self._copied(x, taken, word, out,
                                    misaligned(taken.pointer, kernel or word))
        except BaseException:
            taken.release()
            raise
        dense = _buffers.is_dense(taken.shape, strides)
        return taken.pointer, taken.shape, None if dense else strides, word, taken

    def _copied(self, x: Any, taken: _buffers.Borrowed, word: str, out: bool,
                why: Exception) -> View:
        if out:
            raise why
        dense = bytearray(memoryview(x).tobytes())
        taken.release()
        return _buffers.address_of(dense), taken.shape, None, word, _Holder(dense)

    def empty(self, x: Any, dtype: str, shape: tuple[int, ...]) -> tuple[Any, int]:
        size = _dtypes.WIDTHS[dtype] * math.prod(shape)
        made = bytearray(size)
        view: Any = memoryview(made)
        given = memoryview(x).format
        # A memoryview is never cast to a shape without elements.
        form = [] if 0 in shape else [shape]
        for code in (given, _dtypes.MEMORYVIEW.get(dtype)):
            with contextlib.suppress(TypeError, ValueError):
                return view.cast(code, *form), _buffers.address_of(made)
        raise make_error(ErrorCode.UNSUPPORTED, "expects a format that memoryview.cast knows, or "
                         f"out, but got '{given}'")


class Bytes(Buffers):
    flat = True

    def empty(self, x: Any, dtype: str, shape: tuple[int, ...]) -> tuple[Any, int]:
        return _buffers.new_bytes(math.prod(shape))


class ByteArrays(Buffers):
    flat = True

    def empty(self, x: Any, dtype: str, shape: tuple[int, ...]) -> tuple[Any, int]:
        made = bytearray(math.prod(shape))
        return made, _buffers.address_of(made)


class Arrays(Buffers):
    flat = True

    def empty(self, x: Any, dtype: str, shape: tuple[int, ...]) -> tuple[Any, int]:
        made = array.array(x.typecode, bytes(x.itemsize)) * math.prod(shape)
        return made, made.buffer_info()[0]


def read_only() -> Exception:
    return make_error(ErrorCode.BUFFER, "expects out to be writable, but it is read-only")


def lazy_out() -> Exception:
    return make_error(ErrorCode.LAYOUT, "expects out to hold its elements as they are, but it is "
                      "a conjugate or negated view")


def immutable(library: str) -> Exception:
    return make_error(ErrorCode.BUFFER, f"expects out to be writable, but arrays of {library} are "
                      "read-only")


_BUFFERS, _DLPACK, _NUMPY = Buffers(), DLPack(), NumPy()
_LIBRARIES: dict[tuple[str, str], Adapter] = {
    ("numpy", "ndarray"): _NUMPY, ("torch", "Tensor"): PyTorch(),
    ("jaxlib", "ArrayImpl"): Jax(), ("jax", "ArrayImpl"): Jax(),
    ("tensorflow", "EagerTensor"): TensorFlow(),
}
#: By exact type; grows by the types that are seen.
_known: dict[type, Adapter] = {array.array: Arrays(), bytes: Bytes(), bytearray: ByteArrays(),
                               memoryview: _BUFFERS}
# What looks like an array of numbers and is none.
_NO_ARRAYS = {("numpy", "MaskedArray"): "its mask would be lost",
              ("jax", "Tracer"): "it is traced: call outside of jit, or through pure_callback",
              ("tensorflow", "SymbolicTensor"): "it is traced: call outside of tf.function, or "
                                                "through tf.py_function"}


def _search(kind: type) -> Adapter | None:
    for base in kind.__mro__:
        name = base.__module__.partition(".")[0], base.__name__
        if name in _NO_ARRAYS:
            raise _dtypes.refused(f"expects an array of numbers, but got {kind.__name__}: "
                                  f"{_NO_ARRAYS[name]}")
        if name in _LIBRARIES:
            return _LIBRARIES[name]
    return _DLPACK if hasattr(kind, "__dlpack__") else None


def adapter_of(x: Any) -> Adapter:
    """The adapter for `x`, or a TypeError."""
    kind = type(x)
    found = _known.get(kind)
    if found is None:
        found = _search(kind)
        if found is None:
            try:
                memoryview(x).release()
            except TypeError:
                raise _dtypes.refused("expects an array: an object with __dlpack__ or the buffer "
                                      f"protocol, but got {kind.__name__}") from None
            found = _BUFFERS
        _known[kind] = found
    return found
