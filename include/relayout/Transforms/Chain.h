// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Chains: rearrangements as upstream operations, read and written.

#ifndef RELAYOUT_TRANSFORMS_CHAIN_H
#define RELAYOUT_TRANSFORMS_CHAIN_H

#include "relayout/Layout/Rearrangement.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"

#include <optional>
#include <vector>

namespace relayout {

/// A rearrangement and what it fills with.
struct Movement {
  Rearrangement rearrangement;
  /// Of the element type; null where nothing is filled or anything may be.
  mlir::TypedAttr fill;
};

/// The tensor that `op` rearranges, or null if `op` is of no kind that stands in
/// a chain (the description of relayout-fuse lists the kinds).
mlir::Value getChainSource(mlir::Operation *op);

/// The tensor that `op`, one of a chain, writes its result to; null if it has none
/// or if that tensor is an empty one.
mlir::Value getChainDest(mlir::Operation *op);

/// What `op`, one of a chain, does to a source of `shape`. An error where that is
/// no single rearrangement: dynamic numbers, strides, a fill that is no constant, an
/// element type that is not accepted.
Result<Movement> readChainOp(mlir::Operation *op, const std::vector<int64_t> &shape);

/// The extents of a ranked tensor type if all are static, else nothing.
std::optional<std::vector<int64_t>> getStaticExtents(mlir::Type type);

/// `first`, then `second`. An error where they do not compose or where both fill,
/// with different values.
Result<Movement> composeMovements(const Movement &first, const Movement &second);

/// True if a digit of more than one value changes its place. The rest is windows
/// and reshapes.
bool permutesDigits(const Rearrangement &rearrangement);

/// How many operations that move data the chain of `rearrangement` has: pads,
/// slices, a transpose.
unsigned countChainMoves(const Rearrangement &rearrangement);

/// Writes `movement` of `source` as a chain and returns its end; `source` itself
/// if nothing is to be done. With `dest` the result is written to it.
mlir::Value buildChain(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value source,
                       const Movement &movement, mlir::Value dest = {});

/// A scalar of the value of `fill`, which is of an accepted element type.
mlir::Value buildFill(mlir::OpBuilder &builder, mlir::Location loc, mlir::TypedAttr fill);

/// The constant that `value` is, null where it may be anything (poison), or an
/// error where it is no constant. Understands what `buildFill` builds.
Result<mlir::TypedAttr> readFill(mlir::Value value);

/// The same for a tensor that has one value all over.
Result<mlir::TypedAttr> readSplat(mlir::Value tensor);

} // namespace relayout

#endif // RELAYOUT_TRANSFORMS_CHAIN_H
