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
  std::vector<int64_t> blockSize = {1}; ///< the factor of the pixel shuffles, too

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
};

/// One flag as a user writes it: `{"block_size", "2,3"}`, dashes or underscores.
using FlagList = std::vector<std::pair<std::string, std::string>>;

/// The spec of operation `name` with the attributes `flags`.
Result<Spec> parseSpecFlags(llvm::StringRef name, const FlagList &flags);

/// The spec that a JSON object holds; docs/spec.md is its schema. Keys in `others`
/// are the caller's and are passed over.
Result<Spec> parseSpecJson(const llvm::json::Object &object,
                           llvm::ArrayRef<llvm::StringRef> others = {});

/// The operation and flags that give `spec` again, quoted for a POSIX shell.
std::string printSpecFlags(const Spec &spec);

/// What `spec` means. Checks all that depends on the shape.
Result<Rearrangement> toRearrangement(const Spec &spec);

} // namespace relayout

#endif // RELAYOUT_SPEC_SPEC_H
