# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds librelayout.so.0 and declares the functions of relayout-c/relayout.h."""

from __future__ import annotations

import ctypes
import os
import pathlib
from ctypes import POINTER, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint32, c_void_p
from typing import Any

from ._errors import make_error

ABI_VERSION = 0
NAME = f"librelayout.so.{ABI_VERSION}"


class Window(ctypes.Structure):
    _fields_ = [("low", c_int64), ("high", c_int64)]


class Size(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("size", c_int64)]


class TensorType(ctypes.Structure):
    _fields_ = [("dtype", c_char_p), ("width", c_int64), ("rank", c_int64),
                ("shape", POINTER(c_int64))]


class ConstBuffer(ctypes.Structure):
    _fields_ = [("data", c_void_p), ("size", c_size_t)]


class Buffer(ctypes.Structure):
    _fields_ = [("data", c_void_p), ("size", c_size_t)]


class PlanOptions(ctypes.Structure):
    _fields_ = [("struct_size", c_size_t), ("cpu", c_char_p), ("features", c_char_p),
                ("result", c_char_p), ("schedule", c_char_p), ("threads", c_int64)]


class KernelInfo(ctypes.Structure):
    _fields_ = [("struct_size", c_size_t), ("input_size", c_int64), ("output_size", c_int64),
                ("alignment", c_int64), ("scratch_size", c_int64), ("units", c_int64)]


class Statistics(ctypes.Structure):
    _fields_ = [("struct_size", c_size_t), ("memory_hits", c_int64), ("disk_hits", c_int64),
                ("compiles", c_int64), ("evictions", c_int64), ("disk_refusals", c_int64),
                ("disk_failures", c_int64)]


class Measurement(ctypes.Structure):
    _fields_ = [("struct_size", c_size_t), ("gbps", c_double), ("bound_gbps", c_double),
                ("memcpy_gbps", c_double), ("ratio", c_double), ("spread", c_double)]


_TENSOR = POINTER(TensorType)
_INTEGERS = POINTER(c_int64)
_WINDOWS = POINTER(Window)
_OUT = POINTER(c_void_p)
_ERROR = c_void_p
_DEPTH = [_TENSOR, c_char_p, c_char_p, _INTEGERS, c_size_t, _OUT]
# Result and arguments; an error is a pointer, and null is success.
_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "abi_version": (c_uint32, []),
    "version": (c_char_p, []),
    "error_get_code": (c_int, [c_void_p]),
    "error_message": (c_char_p, [c_void_p]),
    "error_free": (None, [c_void_p]),
    "pool_create": (_ERROR, [c_int64, _OUT]),
    "pool_executor": (c_void_p, [c_void_p]),
    "spec_create_pattern": (_ERROR, [c_char_p, _TENSOR, POINTER(Size), c_size_t, _WINDOWS,
                                     _WINDOWS, c_char_p, _OUT]),
    "spec_create_depth_to_space": (_ERROR, _DEPTH),
    "spec_create_space_to_depth": (_ERROR, _DEPTH),
    "spec_create_space_to_batch": (_ERROR, [_TENSOR, _INTEGERS, _WINDOWS, c_size_t, c_char_p,
                                            _OUT]),
    "spec_create_batch_to_space": (_ERROR, [_TENSOR, _INTEGERS, _WINDOWS, c_size_t, _OUT]),
    "spec_create_pixel_shuffle": (_ERROR, [_TENSOR, c_int64, _OUT]),
    "spec_create_pixel_unshuffle": (_ERROR, [_TENSOR, c_int64, _OUT]),
    "spec_create_channel_shuffle": (_ERROR, [_TENSOR, c_int64, c_int64, _OUT]),
    "spec_create_transpose": (_ERROR, [_TENSOR, _INTEGERS, _OUT]),
    "spec_create_json": (_ERROR, [c_char_p, c_size_t, _OUT]),
    "spec_set_strides": (_ERROR, [c_void_p, _INTEGERS, _INTEGERS]),
    "spec_invert": (_ERROR, [c_void_p, _OUT]),
    "spec_rank": (c_int64, [c_void_p, c_int]),
    "spec_shape": (_INTEGERS, [c_void_p, c_int]),
    "spec_strides": (_INTEGERS, [c_void_p, c_int]),
    "spec_size": (c_int64, [c_void_p, c_int]),
    "spec_dtype": (c_char_p, [c_void_p]),
    "spec_width": (c_int64, [c_void_p]),
    "spec_json": (c_char_p, [c_void_p]),
    "spec_free": (None, [c_void_p]),
    "compiler_create": (_ERROR, [c_void_p, _OUT]),
    "compiler_get_statistics": (_ERROR, [c_void_p, POINTER(Statistics)]),
    "compiler_cache_problem": (c_char_p, [c_void_p]),
    "plan_create": (_ERROR, [c_void_p, c_void_p, POINTER(PlanOptions), _OUT]),
    "plan_free": (None, [c_void_p]),
    "plan_explain": (c_char_p, [c_void_p]),
    "kernel_create": (_ERROR, [c_void_p, _OUT]),
    "kernel_get_info": (_ERROR, [c_void_p, POINTER(KernelInfo)]),
    "kernel_run": (_ERROR, [c_void_p, ConstBuffer, Buffer, c_void_p]),
    "kernel_verify": (_ERROR, [c_void_p]),
    "kernel_bench": (_ERROR, [c_void_p, c_int, POINTER(Measurement)]),
    "kernel_free": (None, [c_void_p]),
}


def _candidates() -> list[str]:
    """Where the library may lie, best first. A name without a folder is looked up by
    the system's linker."""
    named = os.environ.get("RELAYOUT_LIBRARY")
    if named:
        return [named]
    package = pathlib.Path(__file__).resolve().parent
    found = [package / "_lib" / NAME]
    # In a source tree, the build of tools/build.sh.
    built = package.parent.parent / "build" / "lib" / NAME
    return [str(path) for path in found if path.exists()] + [NAME] + [str(built)]


def _open() -> ctypes.CDLL:
    """The library. CDLL, not PyDLL: every call of it releases the GIL."""
    # TensorFlow exports the symbols of an LLVM of its own to the whole process; ours
    # must come first for us.
    mode = getattr(os, "RTLD_DEEPBIND", 0)
    reasons = []
    for path in _candidates():
        try:
            return ctypes.CDLL(path, mode=mode)
        except OSError as error:
            reasons.append(str(error))
    raise ImportError(
        f"relayout expects {NAME}: set RELAYOUT_LIBRARY to its path, or install it where the "
        f"system's linker looks (ldconfig, LD_LIBRARY_PATH). Tried: {'; '.join(reasons)}")


def _declare(library: ctypes.CDLL) -> None:
    for name, (result, arguments) in _FUNCTIONS.items():
        try:
            function = getattr(library, f"relayout_{name}")
        except AttributeError:
            raise ImportError(f"relayout expects {library._name} to have the function "
                              f"relayout_{name}; it is older than this package") from None
        function.restype, function.argtypes = result, arguments
        globals()[name] = function
        if name == "abi_version" and function() != ABI_VERSION:
            raise ImportError(f"relayout expects {library._name} to have ABI version "
                              f"{ABI_VERSION}, but it has {function()}")


def __getattr__(name: str) -> Any:  # for type checkers; every function is declared
    raise AttributeError(name)


def check(error: int | None) -> None:
    """Raises the exception that `error` stands for, unless it is null."""
    if error:
        library = globals()
        raised = make_error(library["error_get_code"](error),
                            library["error_message"](error).decode("utf-8", "replace"))
        library["error_free"](error)
        raise raised


def create(function: Any, *arguments: Any) -> int:
    """The handle that `function` stores behind its last argument."""
    handle = c_void_p()
    check(function(*arguments, ctypes.byref(handle)))
    assert handle.value is not None
    return handle.value


LIBRARY = _open()
_declare(LIBRARY)
