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

/// True if `target` has vectors of a line and turns those of elements of `width` bytes by one
/// instruction.
bool turnsLines(const TargetInfo &target, int64_t width);

/// The elements that lie before the one at `index` of `memref`, of integers, in its line.
mlir::Value phaseInLine(mlir::OpBuilder &b, mlir::Location loc, mlir::Value memref,
                        mlir::Value index);

/// How vectors of one type are turned, by a number of elements that is known when the kernel runs.
class LineTurn {
public:
  /// Turns vectors of `type` by `phase`. Without `permutesBytes`, those of bytes take several
  /// instructions.
  LineTurn(mlir::OpBuilder &b, mlir::Location loc, mlir::VectorType type, mlir::Value phase,
           bool permutesBytes);

  /// The element that each lane has once it is turned, but for a multiple of those of a line; below
  /// 0 for what lies in the next line.
  mlir::Value lanes() const { return turnedLanes; }

  mlir::Value turn(mlir::Value vector) const;

private:
  /// The numbers of the lanes of `type`, less `by`.
  mlir::Value lanesLess(mlir::VectorType type, mlir::Value by) const;
  mlir::Value permute(mlir::Value vector, mlir::Value by) const;
  mlir::Value turnByWords(mlir::Value vector) const;

  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::Value phase;
  mlir::Value turnedLanes;
  bool byWords; ///< bytes, by permutations of words and shifts
};

} // namespace relayout

#endif // RELAYOUT_LIB_CONVERSION_TURNEDLINE_H
