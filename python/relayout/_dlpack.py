# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""DLPack: taking tensors over from other libraries, and handing results out.

Both forms of capsule are taken: `dltensor_versioned` of major version 1, whatever
its minor version, and the older `dltensor`.
"""

from __future__ import annotations

import ctypes
from ctypes import POINTER, c_char_p, c_int32, c_int64, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p
from typing import Any

from ._dtypes import WIDTHS, from_dlpack, refused, to_dlpack
from ._errors import ErrorCode, make_error

NEWEST = (1, 3)
READ_ONLY = 1
CPU = 1
# Memory that the CPU reads and writes: its own, and what CUDA and ROCm pin in it.
_HOST_DEVICES = (CPU, 3, 11)
# Dimensions that a specification may have; checked before the extents are read.
_MAX_RANK = 32


class DLTensor(ctypes.Structure):
    _fields_ = [("data", c_void_p), ("device_type", c_int32), ("device_id", c_int32),
                ("ndim", c_int32), ("code", c_uint8), ("bits", c_uint8), ("lanes", c_uint16),
                ("shape", POINTER(c_int64)), ("strides", POINTER(c_int64)),
                ("byte_offset", c_uint64)]


class Managed(ctypes.Structure):
    """DLManagedTensor."""

    _fields_ = [("tensor", DLTensor), ("context", c_void_p), ("deleter", c_void_p)]


class ManagedVersioned(ctypes.Structure):
    """DLManagedTensorVersioned. The order up to `flags` holds in every version."""

    _fields_ = [("major", c_uint32), ("minor", c_uint32), ("context", c_void_p),
                ("deleter", c_void_p), ("flags", c_uint64), ("tensor", DLTensor)]


# The names must outlive the capsules, which keep pointers to them.
_FORMS: dict[bytes, tuple[bytes, Any]] = {
    b"dltensor_versioned": (b"used_dltensor_versioned", ManagedVersioned),
    b"dltensor": (b"used_dltensor", Managed),
}
_OLD, _VERSIONED = b"dltensor", b"dltensor_versioned"

_DELETER = ctypes.CFUNCTYPE(None, c_void_p)
_api = ctypes.pythonapi


def _declared(name: str, result: Any, *arguments: Any) -> Any:
    prototype = ctypes.PYFUNCTYPE(result, *arguments)
    return prototype((name, _api))


# Capsules as plain pointers: a destructor sees one that may not be referenced again.
_is_valid = _declared("PyCapsule_IsValid", ctypes.c_int, c_void_p, c_char_p)
_get_pointer = _declared("PyCapsule_GetPointer", c_void_p, c_void_p, c_char_p)
_set_name = _declared("PyCapsule_SetName", ctypes.c_int, c_void_p, c_char_p)
_new = _declared("PyCapsule_New", ctypes.py_object, c_void_p, c_char_p, c_void_p)


class Imported:
    """A tensor that was taken over; `release` gives it back, once."""

    __slots__ = ("_managed", "_address", "pointer", "shape", "strides", "dtype", "read_only")

    def __init__(self, managed: Any, address: int) -> None:
        self._managed, self._address = managed, address
        try:
            self._read(managed.tensor)
        except BaseException:
            self.release()
            raise

    def _read(self, tensor: DLTensor) -> None:
        if tensor.device_type not in _HOST_DEVICES:
            raise on_device(tensor.device_type)
        self.dtype = from_dlpack(tensor.code, tensor.bits, tensor.lanes)
        rank = tensor.ndim
        if not 0 <= rank <= _MAX_RANK:
            raise make_error(ErrorCode.LIMIT,
                             f"expects a rank from 0 to {_MAX_RANK}, but got {rank}")
        if rank and not tensor.shape:
            raise make_error(ErrorCode.BUFFER, f"expects the extents of {rank} dimensions, but the "
                             "tensor has none")
        self.shape = tuple(tensor.shape[:rank]) if rank else ()
        self.strides = tuple(tensor.strides[:rank]) if rank and tensor.strides else None
        self.pointer = (tensor.data or 0) + tensor.byte_offset
        flags = self._managed.flags if isinstance(self._managed, ManagedVersioned) else 0
        self.read_only = bool(flags & READ_ONLY)

    def release(self) -> None:
        managed, self._managed = self._managed, None
        if managed is not None and managed.deleter:
            _DELETER(managed.deleter)(self._address)


def on_device(device_type: int) -> Exception:
    return make_error(ErrorCode.BUFFER, "expects memory that the CPU reaches, but the tensor is "
                      f"on a device of DLPack type {device_type}")


def _capsule_of(producer: Any) -> Any:
    device_type = int(producer.__dlpack_device__()[0])
    if device_type not in _HOST_DEVICES:
        raise on_device(device_type)
    try:
        return producer.__dlpack__(max_version=NEWEST)
    except TypeError:  # a producer from before version 1
        return producer.__dlpack__()


def take(producer: Any) -> Imported:
    """Takes the tensor of `producer` over, which has `__dlpack__`."""
    capsule = _capsule_of(producer)
    raw = id(capsule)  # a capsule's address: CPython's id
    for name, (used, form) in _FORMS.items():
        if type(capsule).__name__ == "PyCapsule" and _is_valid(raw, name):
            address = _get_pointer(raw, name)
            _set_name(raw, used)
            managed = form.from_address(address)
            if form is ManagedVersioned and managed.major != NEWEST[0]:
                return _refuse_version(managed, address)
            return Imported(managed, address)
    raise make_error(ErrorCode.BUFFER, "expects a DLPack capsule that nobody has taken, but got "
                     f"{capsule!r}")


def _refuse_version(managed: ManagedVersioned, address: int) -> Imported:
    """Of another major version nothing but the deleter may be touched."""
    major = managed.major
    if managed.deleter:
        _DELETER(managed.deleter)(address)
    raise make_error(ErrorCode.UNSUPPORTED,
                     f"expects a DLPack tensor of major version {NEWEST[0]}, but got {major}")


# ---- Results ---------------------------------------------------------------------

_libc = ctypes.CDLL(None)
_aligned_alloc = _libc.aligned_alloc
_aligned_alloc.restype, _aligned_alloc.argtypes = c_void_p, [ctypes.c_size_t, ctypes.c_size_t]
_free = _libc.free
_free.restype, _free.argtypes = None, [c_void_p]
_FREE_ADDRESS = ctypes.cast(_free, c_void_p).value
_ALIGNMENT = 256


def _round_up(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT


def _drop_capsule(raw: int) -> None:
    """Frees what no consumer took."""
    for name in _FORMS:
        if _is_valid(raw, name):
            _free(_get_pointer(raw, name))


_DROP = ctypes.PYFUNCTYPE(None, c_void_p)(_drop_capsule)
_DROP_ADDRESS = ctypes.cast(_DROP, c_void_p).value


class Tensor:
    """A result for a library that is known by `__dlpack__` alone: dense, row-major,
    of shape `shape` and type `dtype` (a word of docs/spec.md).

    `__dlpack__` hands the memory over, once: a second call is an error.
    """

    __slots__ = ("shape", "dtype", "_block", "pointer", "_header", "__weakref__")

    def __init__(self, shape: tuple[int, ...], dtype: str) -> None:
        self.shape, self.dtype = shape, dtype
        count = WIDTHS[dtype]
        for extent in shape:
            count *= extent
        # One block: header, shape, strides, elements. Its deleter is free itself, which
        # any thread may call at any time, also when Python has ended.
        self._header = _round_up(ctypes.sizeof(ManagedVersioned) + 16 * len(shape))
        self._block = _aligned_alloc(_ALIGNMENT, self._header + _round_up(count))
        if not self._block:
            raise MemoryError(f"no memory for a result of {count} bytes")
        self.pointer = self._block + self._header

    def __del__(self) -> None:
        if getattr(self, "_block", None):
            _free(self._block)

    def __reduce__(self) -> tuple[Any, ...]:
        # A copy of the slots would free one block twice.
        raise refused("expects a tensor to be handed over by __dlpack__, but it is copied or "
                      "pickled")

    def __dlpack_device__(self) -> tuple[int, int]:
        return CPU, 0

    def __dlpack__(self, *, stream: Any = None, max_version: tuple[int, int] | None = None,
                   dl_device: tuple[int, int] | None = None, copy: bool | None = None) -> Any:
        """A capsule that owns the memory. `stream` and `dl_device` name nothing but the
        CPU, and `copy` may not be True."""
        if stream not in (None, -1) or copy or (dl_device or (CPU, 0))[0] != CPU:
            raise make_error(ErrorCode.BUFFER, "expects no stream, no copy and no other device")
        block = self._block
        if block is None:
            raise make_error(ErrorCode.BUFFER, "expects a tensor that was not handed over yet")
        name = _VERSIONED if max_version and max_version[0] >= 1 else _OLD
        self._fill(block, _FORMS[name][1])
        self._block = None
        return _new(block, name, _DROP_ADDRESS)

    def _fill(self, block: int, form: Any) -> None:
        managed, rank = form.from_address(block), len(self.shape)
        ctypes.memset(block, 0, ctypes.sizeof(managed))
        extents = block + ctypes.sizeof(ManagedVersioned)
        numbers = (c_int64 * (2 * rank)).from_address(extents)
        stride = 1
        for i in reversed(range(rank)):
            numbers[i], numbers[rank + i] = self.shape[i], stride
            stride *= max(self.shape[i], 1)
        managed.deleter = _FREE_ADDRESS
        if isinstance(managed, ManagedVersioned):
            managed.major, managed.minor = NEWEST
        tensor = managed.tensor
        tensor.data, tensor.device_type, tensor.ndim = self.pointer, CPU, rank
        tensor.code, tensor.bits = to_dlpack(self.dtype)
        tensor.lanes = 1
        tensor.shape = ctypes.cast(extents, POINTER(c_int64))
        tensor.strides = ctypes.cast(extents + 8 * rank, POINTER(c_int64))
