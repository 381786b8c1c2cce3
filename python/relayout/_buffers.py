# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The buffer protocol (PEP 3118) through the C functions of CPython's stable ABI."""

from __future__ import annotations

import ctypes
from ctypes import POINTER, c_char_p, c_int, c_ssize_t, c_void_p, py_object
from typing import Any

from ._dtypes import ALIGNMENTS
from ._errors import ErrorCode, make_error


class _PyBuffer(ctypes.Structure):
    _fields_ = [("buf", c_void_p), ("obj", c_void_p), ("len", c_ssize_t),
                ("itemsize", c_ssize_t), ("readonly", c_int), ("ndim", c_int),
                ("format", c_char_p), ("shape", POINTER(c_ssize_t)),
                ("strides", POINTER(c_ssize_t)), ("suboffsets", POINTER(c_ssize_t)),
                ("internal", c_void_p)]


_get = ctypes.PYFUNCTYPE(c_int, py_object, POINTER(_PyBuffer), c_int)(
    ("PyObject_GetBuffer", ctypes.pythonapi))
_release = ctypes.PYFUNCTYPE(None, POINTER(_PyBuffer))(("PyBuffer_Release", ctypes.pythonapi))
_new_bytes = ctypes.PYFUNCTYPE(py_object, c_void_p, c_ssize_t)(
    ("PyBytes_FromStringAndSize", ctypes.pythonapi))
_bytes_address = ctypes.PYFUNCTYPE(c_void_p, py_object)(("PyBytes_AsString", ctypes.pythonapi))
_STRIDED, _FORMAT = 0x18, 0x04


class Borrowed:
    """The memory of an object, held in place until `release`."""

    __slots__ = ("_view", "pointer", "shape", "byte_strides", "itemsize", "format", "read_only")

    def __init__(self, exporter: Any) -> None:
        view = _PyBuffer()
        _get(exporter, ctypes.byref(view), _STRIDED | _FORMAT)
        rank = view.ndim
        self._view: _PyBuffer | None = view
        self.pointer: int = view.buf or 0
        self.shape = tuple(view.shape[:rank]) if rank else ()
        self.byte_strides = tuple(view.strides[:rank]) if rank and view.strides else None
        self.itemsize: int = view.itemsize
        self.format = view.format.decode() if view.format else "B"
        self.read_only = bool(view.readonly)

    def release(self) -> None:
        view, self._view = self._view, None
        if view is not None:
            _release(ctypes.byref(view))


def new_bytes(size: int) -> tuple[bytes, int]:
    """Bytes that nobody has seen yet, and their address, to be filled in."""
    made = _new_bytes(None, size)
    return made, _bytes_address(made)


def address_of(writable: Any) -> int:
    """Of a bytearray or an array.array that the caller has made."""
    view = Borrowed(writable)
    view.release()
    return view.pointer


def element_strides(byte_strides: tuple[int, ...] | None, width: int) -> tuple[int, ...] | None:
    """Strides in elements; None for those of no kernel: negative ones, and those that
    lie between elements."""
    if byte_strides is None:
        return ()
    if any(stride < 0 or stride % width for stride in byte_strides):
        return None
    return tuple([stride // width for stride in byte_strides])


def is_dense(shape: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    """True if the elements lie row-major without gaps."""
    expected = 1
    for extent, stride in zip(reversed(shape), reversed(strides)):
        if extent != 1 and stride != expected and 0 not in shape:
            return False
        expected *= extent
    return True


def is_misaligned(pointer: int, word: str) -> bool:
    """True of addresses that no kernel takes for elements of type `word`."""
    return pointer % ALIGNMENTS[word] != 0


def misaligned(pointer: int, word: str) -> Exception:
    return make_error(ErrorCode.LAYOUT, f"expects an address that is a multiple of "
                      f"{ALIGNMENTS[word]}, but it is {pointer:#x}")


def not_strided(what: str) -> Exception:
    return make_error(ErrorCode.LAYOUT, f"expects strides of 0 or more whole elements, but {what}")
