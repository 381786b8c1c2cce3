# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The library's errors as exceptions."""

from __future__ import annotations

import enum
from typing import Any


class ErrorCode(enum.IntEnum):
    """Which kind of rule was broken; the numbers of relayout-c/runtime.h."""

    USAGE = 1
    SYNTAX = 2
    LIMIT = 3
    SHAPE = 4
    TYPE = 5
    LAYOUT = 6
    MODE = 7
    BLOCK = 8
    DIVISIBLE = 9
    PATTERN = 10
    PERMUTATION = 11
    PAD = 12
    CROP = 13
    OVERFLOW = 14
    INPUT = 15
    BUFFER = 16
    SCHEDULE = 17
    UNSUPPORTED = 18
    ENVIRONMENT = 19
    MISMATCH = 20
    INTERNAL = 21


class Error(Exception):
    """What every exception of Relayout is. Its text says which rule was broken, by
    which values, and what would be accepted; `code` says what kind of rule."""

    def __init__(self, code: ErrorCode, message: str) -> None:
        super().__init__(message)
        self.code = code

    def __reduce__(self) -> tuple[Any, ...]:
        # Exceptions are rebuilt from `args`, which are the text alone; one that cannot be
        # rebuilt ends a worker of multiprocessing without an answer.
        return type(self), (self.code, str(self)), self.__dict__


class InvalidError(Error, ValueError):
    """A spec or an argument that breaks a rule."""


class InvalidTypeError(Error, TypeError):
    """An element type, or an object, that is not taken."""


class InvalidBufferError(Error, BufferError):
    """Memory that cannot be read or written: read-only, overlapping, on a device."""


class OutOfRangeError(Error, OverflowError):
    """A size or a product that leaves 64 bits."""


class UnsupportedError(Error, NotImplementedError):
    """Valid, but not done by this version or this host."""


class EnvironmentFault(Error, OSError):
    """Files, memory or devices."""


class InternalError(Error, RuntimeError):
    """A result that differs from the reference, or another fault of Relayout."""


_CLASSES: dict[ErrorCode, type[Error]] = {
    ErrorCode.TYPE: InvalidTypeError,
    ErrorCode.BUFFER: InvalidBufferError,
    ErrorCode.OVERFLOW: OutOfRangeError,
    ErrorCode.UNSUPPORTED: UnsupportedError,
    ErrorCode.ENVIRONMENT: EnvironmentFault,
    ErrorCode.MISMATCH: InternalError,
    ErrorCode.INTERNAL: InternalError,
}


def make_error(code: int, message: str) -> Error:
    """The exception for `code`; a code of a later library is an `Error` as such."""
    try:
        known = ErrorCode(code)
    except ValueError:
        return Error(ErrorCode.INTERNAL, f"{message} (error code {code})")
    return _CLASSES.get(known, InvalidError)(known, message)
