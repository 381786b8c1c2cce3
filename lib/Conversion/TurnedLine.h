// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Vectors of a line's length that are turned in registers to where their elements lie in lines:
/// each then has the end of one line and the beginning of the next.

#ifndef RELAYOUT_LIB_CONVERSION_TURNEDLINE_H
#define RELAYOUT_LIB_CONVERSION_TURNEDLINE_H

#include "relayout/Schedule/TargetInfo.h"

#include "mlir/IR/Builders.h"

namespace relayout {

/// True if `target` has vectors of a line and turns those of elements of `width` bytes.
bool turnsLines(const TargetInfo &target, int64_t width);

/// The elements that lie before the one at `index` of `memref`, of integers, in its line.
mlir::Value phaseInLine(mlir::OpBuilder &b, mlir::Location loc, mlir::Value memref,
                        mlir::Value index, int64_t lineBytes);

/// The element that each lane of a vector of type `type` has once it is turned by `phase`, but for
/// a multiple of those of a line; below 0 for what lies in the next line.
mlir::Value turnedLanes(mlir::OpBuilder &b, mlir::Location loc, mlir::VectorType type,
                        mlir::Value phase);

/// `vector` turned, so that its lanes have the elements that `lanes` tells.
mlir::Value turn(mlir::OpBuilder &b, mlir::Location loc, mlir::Value vector, mlir::Value lanes);

} // namespace relayout

#endif // RELAYOUT_LIB_CONVERSION_TURNEDLINE_H
