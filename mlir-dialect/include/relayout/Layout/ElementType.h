// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The element types that Relayout accepts, by the words that specs use.

#ifndef RELAYOUT_LAYOUT_ELEMENTTYPE_H
#define RELAYOUT_LAYOUT_ELEMENTTYPE_H

#include "relayout/Support/Result.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace relayout {

/// How the bits of an element are read where that matters: for a fill value and
/// for printing.
enum class ElementKind { Bool, Signed, Unsigned, Float, Complex };

/// One accepted element type. A movement needs its width alone.
struct ElementType {
  const char *name; ///< the word in specs: "f32", "u8", "bf16", "f8E4M3FN", "c64" ...
  ElementKind kind;
  int64_t width; ///< bytes: 1, 2, 4, 8 or 16
};

/// All accepted types, in the order in which messages list them. bool, i8..i64,
/// u8..u64, f16, bf16, f32, f64, the f8 kinds of MLIR, c64 (complex of f32),
/// c128 (complex of f64), and b8, b16, b32, b64, b128 (untyped elements of 1, 2, 4, 8, 16 bytes).
const std::vector<ElementType> &elementTypes();

/// The type called `name` ("i1" is bool, "si32" i32, "ui32" u32,
/// "complex<f32>" c64 as MLIR writes them), or an error that lists all names.
Result<const ElementType *> parseElementType(std::string_view name);

} // namespace relayout

#endif // RELAYOUT_LAYOUT_ELEMENTTYPE_H
