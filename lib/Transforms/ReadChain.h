// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// What the readers of single operations share.

#ifndef RELAYOUT_LIB_TRANSFORMS_READCHAIN_H
#define RELAYOUT_LIB_TRANSFORMS_READCHAIN_H

#include "relayout/Transforms/Chain.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace relayout::detail {

using Shape = std::vector<int64_t>;

Error unsupported(std::string message);

/// The numbers of `values`, or an error that says what is not known.
Result<Shape> constants(llvm::ArrayRef<mlir::OpFoldResult> values, const char *what);

/// A rearrangement with the digits `extents`, and nothing else, on `operandShape`.
Rearrangement blank(const Shape &operandShape, const Shape &extents);

/// Zero windows for both sides where `r` has none yet, and a check.
Result<Rearrangement> finish(Rearrangement r);

/// Each digit as a group of its own, as many as `count`.
std::vector<Rearrangement::Group> singles(size_t count);

/// True if what stands in `body` before its terminator does no more than compute values.
bool hasNoEffects(mlir::Block &body);

/// True if `op` only yields the elements of its one input, in another order.
bool isPermutation(mlir::linalg::LinalgOp op);
Result<Rearrangement> readPermutation(mlir::linalg::LinalgOp op, const Shape &shape);
Result<Movement> readPack(mlir::linalg::PackOp op, const Shape &shape);
Result<Rearrangement> readUnpack(mlir::linalg::UnPackOp op, const Shape &shape);

} // namespace relayout::detail

#endif // RELAYOUT_LIB_TRANSFORMS_READCHAIN_H
