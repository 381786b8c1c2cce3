# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types: the names of other libraries in the words of a spec.

A movement needs an element's width only. A type without a name here (a date, a
record, numbers of the other byte order) is moved as opaque bytes: `b8` to `b128`.
"""

from __future__ import annotations

import struct
import sys
from typing import Any

from ._errors import ErrorCode, make_error

WIDTHS = {
    "bool": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "u8": 1, "u16": 2, "u32": 4, "u64": 8,
    "f8E5M2": 1, "f8E4M3": 1, "f8E4M3FN": 1, "f8E5M2FNUZ": 1, "f8E4M3FNUZ": 1,
    "f8E4M3B11FNUZ": 1, "f8E3M4": 1, "f8E8M0FNU": 1, "f16": 2, "bf16": 2, "f32": 4, "f64": 8,
    "c64": 8, "c128": 16, "b8": 1, "b16": 2, "b32": 4, "b64": 8, "b128": 16,
}
#: What kernels ask of addresses: as C aligns such an element, but at most to 8.
ALIGNMENTS = {word: width // 2 if word[0] == "c" else min(width, 8)
              for word, width in WIDTHS.items()}
#: Elements that are bits and no numbers.
OPAQUE = {"b8", "b16", "b32", "b64", "b128"}
# As NumPy, ml_dtypes, PyTorch, JAX and TensorFlow print them.
_NAMES = {
    "bool": "bool", "bool_": "bool", "half": "f16", "float16": "f16", "bfloat16": "bf16",
    "float32": "f32", "double": "f64", "float64": "f64", "complex64": "c64",
    "complex128": "c128", "float8_e5m2": "f8E5M2", "float8_e4m3": "f8E4M3",
    "float8_e4m3fn": "f8E4M3FN", "float8_e5m2fnuz": "f8E5M2FNUZ",
    "float8_e4m3fnuz": "f8E4M3FNUZ", "float8_e4m3b11fnuz": "f8E4M3B11FNUZ",
    "float8_e3m4": "f8E3M4", "float8_e8m0fnu": "f8E8M0FNU",
    **{f"int{8 * n}": f"i{8 * n}" for n in (1, 2, 4, 8)},
    **{f"uint{8 * n}": f"u{8 * n}" for n in (1, 2, 4, 8)},
}
# NumPy's short names, without their byte order. The words of a spec come first: i8 and u8
# have 8 bits, and NumPy's are written with a byte order, `<i8`.
_SHORT_NAMES = {
    "?": "bool", "b1": "bool", "e": "f16", "f": "f32", "d": "f64", "F": "c64", "D": "c128",
    "f2": "f16", "f4": "f32", "f8": "f64", "c8": "c64", "c16": "c128",
    **{code: f"i{8 * struct.calcsize(code)}" for code in "bhilq"},
    **{code: f"u{8 * struct.calcsize(code)}" for code in "BHILQ"},
    **{f"{kind}{n}": f"{kind}{8 * n}" for kind in "iu" for n in (1, 2, 4, 8)},
}
_NATIVE_NAMES = "=|<" if sys.byteorder == "little" else "=|>"
# The types of Python, as NumPy reads them.
_PYTHON = {bool: "bool", int: "i64", float: "f64", complex: "c128"}
# Names by which NumPy means the wide type, and PyTorch, TensorFlow or JAX the narrow one.
_AMBIGUOUS = {"int": ("int32", "int64"), "uint": ("uint32", "uint64"),
              "float": ("float32", "float64"), "complex": ("complex64", "complex128")}
# DLPack's type codes and bits; a movement has no use for lanes above 1.
_DLPACK = {
    (6, 8): "bool", (4, 16): "bf16", (5, 64): "c64", (5, 128): "c128",
    (7, 8): "f8E3M4", (8, 8): "f8E4M3", (9, 8): "f8E4M3B11FNUZ", (10, 8): "f8E4M3FN",
    (11, 8): "f8E4M3FNUZ", (12, 8): "f8E5M2", (13, 8): "f8E5M2FNUZ", (14, 8): "f8E8M0FNU",
    **{(0, bits): f"i{bits}" for bits in (8, 16, 32, 64)},
    **{(1, bits): f"u{bits}" for bits in (8, 16, 32, 64)},
    **{(2, bits): f"f{bits}" for bits in (16, 32, 64)},
}
# Kinds of the characters of the struct module; their sizes are the buffer's.
FORMATS = {"?": "bool", "e": "f", "f": "f", "d": "f", "Zf": "c", "Zd": "c", "F": "c", "D": "c",
            **dict.fromkeys("bhilqn", "i"), **dict.fromkeys("BHILQN", "u")}
# As memoryview.cast takes them; in CPython 3.11 it knows no 16-bit floats.
MEMORYVIEW = {"bool": "?", "i8": "b", "u8": "B", "i16": "h", "u16": "H", "i32": "i", "u32": "I",
              "i64": "q", "u64": "Q", "f32": "f", "f64": "d"}
_NATIVE = "@=<" if sys.byteorder == "little" else "@=>!"


def refused(text: str) -> Exception:
    return make_error(ErrorCode.TYPE, text)


def opaque(width: int, what: object) -> str:
    """The opaque type of `width` bytes."""
    if width not in (1, 2, 4, 8, 16):
        raise refused(f"expects elements of 1, 2, 4, 8 or 16 bytes, but those of {what} have "
                      f"{width}")
    return f"b{8 * width}"


def from_numpy(dtype: Any) -> str:
    """The word for a dtype of NumPy."""
    if dtype.hasobject:
        raise refused(f"expects elements that are plain bytes, but those of {dtype} are objects")
    word = _NAMES.get(dtype.name) if dtype.isnative else None
    return word if word and WIDTHS[word] == dtype.itemsize else opaque(dtype.itemsize, dtype)


def bits_of(value: Any, dtype: Any) -> int:
    """The bits of `value` as an element of a dtype of NumPy. Floats and times are rounded
    as NumPy assigns them; whatever else would not stay equal is refused."""
    made = _element_of(value, dtype)
    if made is None:
        raise refused(f"expects pad_value to be an element of {dtype}, but got {value!r:.60}")
    return int.from_bytes(made.tobytes(), sys.byteorder)


def _element_of(value: Any, dtype: Any) -> Any:
    """`value` as an array of one element; None where it would not stay equal."""
    numpy = sys.modules["numpy"]
    try:
        given = numpy.asarray(value, None if dtype.kind in "iufcmM" else dtype)
        # NumPy takes the real part of a complex number, and times as numbers of any unit.
        if given.dtype.kind in "cmM" and given.dtype.kind != dtype.kind:
            return None
        with numpy.errstate(over="raise"):
            made = numpy.array(value, dtype)
        kept = made.ndim == 0 and made.dtype == dtype and (
            dtype == getattr(value, "dtype", None) or _is_kept(value, given, made))
    except (ArithmeticError, TypeError, ValueError):
        return None
    return made if kept else None


def _is_kept(value: Any, given: Any, made: Any) -> bool:
    """True if `made` is `value`, which `given` is an array of, but for digits of a float
    or parts of a time's unit."""
    if made.dtype.kind in "mM":
        return _is_time_kept(given, made)
    if made.dtype.kind in "fc":  # texts of large numbers become infinite without an error
        return not sys.modules["numpy"].isinf(made) or "inf" in str(value).lower()
    return bool(made.item() == (value.item() if hasattr(value, "item") else value))


def _is_time_kept(given: Any, made: Any) -> bool:
    """True if at most parts of the unit of `made` are lost. NumPy wraps silently, both
    where it reads a time and where it goes to a finer unit."""
    if given.dtype.kind in "biu":
        return int(given) == int(made.astype("i8"))
    if given.dtype.kind not in "mMSUO":
        return False
    read = given.astype(made.dtype.kind + "8")  # in a unit as fine as it is written in
    if given.dtype.kind == "O" and read.item() != given.item():
        return False
    if given.dtype.kind in "SU" and not str(read.astype("U")).startswith(
            str(given.astype("U")).replace(" ", "T")):
        return False
    finer = sys.modules["numpy"].promote_types(read.dtype, made.dtype)
    return bool(read.astype(finer).astype(read.dtype).tobytes() == read.tobytes())


def from_named(dtype: Any, width: int) -> str:
    """The word for a dtype that prints as `name` or `library.name`."""
    name = str(dtype).rpartition(".")[2]
    if name[0] == "q":  # PyTorch's; scale and zero point lie outside of the elements
        raise refused(f"expects elements that have no scale, but those of {dtype} are "
                      "quantized; x.int_repr() is possible")
    return _NAMES.get(name) or opaque(width, dtype)


def from_format(text: str, width: int) -> str:
    """The word for the format of a buffer (PEP 3118)."""
    if "O" in text or "&" in text or "X" in text:
        raise refused(f"expects elements that are plain bytes, but format '{text}' has objects")
    kind = FORMATS.get(text.lstrip(_NATIVE))
    word = kind if kind == "bool" else f"{kind}{8 * width}"
    return word if kind and word in WIDTHS else opaque(width, f"format '{text}'")


def from_dlpack(code: int, bits: int, lanes: int) -> str:
    """The word for the type of a DLPack tensor."""
    word = _DLPACK.get((code, bits))
    if word is None or lanes != 1:
        raise refused("expects a DLPack type of whole bytes and one lane, but got code "
                      f"{code}, {bits} bits, {lanes} lanes")
    return word


def to_dlpack(word: str) -> tuple[int, int]:
    """Type code and bits; opaque elements travel as unsigned integers."""
    for pair, name in _DLPACK.items():
        if name == word:
            return pair
    if word == "b128":
        raise refused("expects an element type that DLPack has, but got b128")
    return 1, 8 * WIDTHS[word]


def _parse_name(name: str) -> str:
    """The word for a name of another library's; the library refuses what is none."""
    if name in _AMBIGUOUS:
        narrow, wide = _AMBIGUOUS[name]
        raise refused(f"expects an element type of one width, but '{name}' is {wide} in NumPy and "
                      f"{narrow} in others; '{narrow}' and '{wide}' are possible")
    short = name[1:] if name[:1] in _NATIVE_NAMES else name
    return _SHORT_NAMES.get(short) or _NAMES.get(name, name)


def concrete(dtype: Any) -> Any:
    """The dtype of a scalar type of NumPy; whatever else as it is."""
    numpy = sys.modules.get("numpy")
    if numpy and isinstance(dtype, type) and issubclass(dtype, numpy.generic):
        try:
            return numpy.dtype(dtype)
        except TypeError:  # an abstract one, such as numpy.floating
            return dtype
    return dtype


def parse(dtype: Any) -> str:
    """The word for a dtype that a user names: a word of the spec, a dtype or type
    object of Python or another library, or its name."""
    if isinstance(dtype, str):
        return dtype if dtype in WIDTHS else _parse_name(dtype)
    if isinstance(dtype, type) and dtype in _PYTHON:
        return _PYTHON[dtype]
    if hasattr(dtype, "hasobject"):
        return from_numpy(dtype)
    for name in (getattr(dtype, "name", None), getattr(dtype, "__name__", None),
                 str(dtype).rpartition(".")[2]):
        if name in _NAMES:
            return _NAMES[name]
    torch = sys.modules.get("torch")
    if torch and isinstance(dtype, torch.dtype):  # one whose elements are moved as bits
        return from_named(dtype, dtype.itemsize)
    raise refused(f"expects an element type among {', '.join(WIDTHS)}, but got {dtype!r}")
