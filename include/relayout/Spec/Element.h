// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Elements as text and as bits: fill values, JSON data, ramps.

#ifndef RELAYOUT_SPEC_ELEMENT_H
#define RELAYOUT_SPEC_ELEMENT_H

#include "relayout/Layout/ElementType.h"

#include "llvm/ADT/StringRef.h"

#include <array>

namespace llvm {
class APInt;
class raw_ostream;
struct fltSemantics;
namespace json {
class Value;
} // namespace json
} // namespace llvm

namespace relayout {

/// One element, little endian; bytes past its width are zero.
using ElementBits = std::array<unsigned char, 16>;

/// The element of `type` that `text` states: `-3`, `1.5`, `nan`, `-inf`, `true`,
/// `1.5,-2` (complex), `0x7FC00001` (the bits of a float, all of them). Integers must be
/// in range; decimals are rounded to nearest, and must not leave the range of the type.
Result<ElementBits> parseElement(const ElementType &type, llvm::StringRef text);

/// The text for `parseElement` of a JSON value: a number, a boolean, a string, or
/// `[re, im]`.
Result<std::string> elementText(const llvm::json::Value &value);

/// Writes the element at `bytes` as a JSON value that `parseElement` reads back
/// exactly: numbers, `true`, `"nan"`, `"-nan"`, `"inf"`, `[re, im]`; other NaNs as their
/// bits, `"0x7FC00001"`; integers of 128 bits as strings.
void printElement(llvm::raw_ostream &out, const ElementType &type, const void *bytes);

/// The number whose `width` bytes are at `bytes`.
llvm::APInt loadBits(const unsigned char *bytes, int64_t width);

/// An error if `count` integers from `first` leave 64 bits.
Status checkIota(int64_t first, int64_t count);

/// Writes `count` elements of `type` to `data`: the integers first, first + 1 ..., which
/// `checkIota` takes, converted as a cast from int64 does it: integers keep their low
/// bits, floats round to nearest, bool is `not zero`.
void fillIota(const ElementType &type, int64_t first, int64_t count, void *data);

/// The format of a float type, or of the parts of a complex one.
const llvm::fltSemantics &floatSemantics(const ElementType &type);

} // namespace relayout

#endif // RELAYOUT_SPEC_ELEMENT_H
