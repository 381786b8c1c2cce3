// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// A spec: one operation with its attributes on one shape. Whatever form it was
/// written in (flags, JSON, an MLIR file), it becomes this struct, by one set of
/// checks.

#ifndef RELAYOUT_SPEC_SPEC_H
#define RELAYOUT_SPEC_SPEC_H

#include "relayout/Layout/ElementType.h"
#include "relayout/Layout/NamedOperations.h"
#include "relayout/Layout/Rearrangement.h"
#include "relayout/Spec/Element.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace llvm::json {
class Object;
} // namespace llvm::json

namespace relayout {

enum class Operation {
  DepthToSpace,
  SpaceToDepth,
  SpaceToBatch,
  BatchToSpace,
  Rearrange,
  Transpose,
  PixelShuffle,
  PixelUnshuffle,
  ChannelShuffle,
};

/// A checked spec. A member that the operation does not take has its default.
struct Spec {
  Operation operation = Operation::Rearrange;
  std::vector<int64_t> shape; ///< of the operand
  const ElementType *dtype = nullptr;

  std::optional<TensorLayout> layout;
  std::optional<TensorLayout> resultLayout; ///< absent: `layout`
  std::optional<DepthMode> mode;
  std::vector<int64_t> blockSize; ///< the factor of the pixel shuffles, too

  std::vector<int64_t> blockShape;
  std::vector<Window> paddings;
  std::vector<Window> crops;

  std::string pattern;
  DigitSizes sizes;
  std::vector<Window> pad;
  std::vector<Window> crop;
  std::optional<ElementBits> padValue; ///< absent: all bits zero

  std::vector<int64_t> perm;
  int64_t groups = 1;
  int64_t axis = 1;

  /// Where the elements lie, in elements for each dimension; empty: row-major, no gaps.
  std::vector<int64_t> inputStrides;
  std::vector<int64_t> outputStrides;

  bool isStrided() const { return !inputStrides.empty() || !outputStrides.empty(); }
  /// The bytes of the element that pads hold; null for zero.
  const void *fill() const { return padValue ? padValue->data() : nullptr; }
};

/// One flag as a user writes it: `{"block_size", "2,3"}`, dashes or underscores.
using FlagList = std::vector<std::pair<std::string, std::string>>;

/// The spec of operation `name` with the attributes `flags`.
Result<Spec> parseSpecFlags(llvm::StringRef name, const FlagList &flags);

/// The spec that a JSON object holds; docs/spec.md is its schema. Keys in `others`
/// are the caller's and are passed over.
Result<Spec> parseSpecJson(const llvm::json::Object &object,
                           llvm::ArrayRef<llvm::StringRef> others = {});

/// `word` as one word of a shell, in quotes where it needs them, and on one line: what a
/// terminal would not show as it is stands as `$'\012'`, which POSIX knows since 2024.
std::string shellQuoted(llvm::StringRef word);

/// `text` for a terminal: what it would not show as it is, control characters and bytes that are
/// no UTF-8, stands as `\x1b`.
std::string printable(llvm::StringRef text);

/// The operation and flags that give `spec` again, quoted for a POSIX shell.
std::string printSpecFlags(const Spec &spec);

/// The JSON object that `parseSpecJson` reads back as `spec`, on one line.
std::string printSpecJson(const Spec &spec);

/// What `spec` means. Checks all that depends on the shape, the strides too.
Result<Rearrangement> toRearrangement(const Spec &spec);

/// Where the elements of one side lie.
struct SpecSide {
  std::vector<int64_t> shape;
  std::vector<int64_t> strides; ///< in elements, one for each dimension
  int64_t bytes = 0;            ///< from the first element to the end of the last
};

/// The operand and the result of `spec`, which means `r`. Strides are refused that are
/// too many or too few, negative, or so large that 63 bits do not hold the bytes; those
/// of the result, too, unless each is larger than the span of those below it.
Result<std::pair<SpecSide, SpecSide>> specSides(const Spec &spec, const Rearrangement &r);

/// The spec of the inverse, of operation `rearrange`: strides change places. An error
/// where `spec`, which means `r`, has windows.
Result<Spec> invertSpec(const Spec &spec, const Rearrangement &r);

} // namespace relayout

#endif // RELAYOUT_SPEC_SPEC_H
