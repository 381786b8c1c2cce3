// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What the nests of one scheduled piece have in common.

#ifndef RELAYOUT_LIB_CONVERSION_PIECENESTS_H
#define RELAYOUT_LIB_CONVERSION_PIECENESTS_H

#include "AffineNest.h"
#include "NestEmitter.h"

#include "relayout/IR/Relayout.h"

#include "mlir/IR/BuiltinAttributes.h"

namespace relayout {

struct PieceNests {
  const NestMovement &movement;
  mlir::TypedAttr fill;
  bool copies; ///< or fills all of the piece
  Problem piece;
  std::optional<Cut> cut;
  mlir::Value onLine; ///< whether the output's base is; null where no store asks

  /// The first places of `moved`.
  Places start(const Problem &moved) const {
    auto in = copies ? std::optional(Subscript(mlir::Value(), moved.inOffset)) : std::nullopt;
    return {in, Subscript(mlir::Value(), moved.outOffset)};
  }

  /// The piece as its tiles see it: from scratch memory, where `schedule` packs it.
  Problem movedByTiles(const PieceSchedule &schedule) const;

  /// The tile of `schedule`, with the strides of `moved`, from `in` (null: a fill) to `out`.
  TileOp addTile(mlir::OpBuilder &b, mlir::Location loc, const Problem &moved,
                 const PieceSchedule &schedule, mlir::Value in, mlir::Value dest,
                 mlir::Value out) const;

  /// Lets `nest` read blocks before tiles do, where `schedule` touches or packs them.
  void readBlocks(mlir::OpBuilder &b, mlir::Location loc, const PieceSchedule &schedule,
                  NestEmitter &nest) const;

  /// Blocks of scratch memory, which tiles fill, and their runs to the output.
  void emitStaged(mlir::OpBuilder &b, mlir::Location loc, const PieceSchedule &schedule) const;

  /// Tiles that write to the output.
  void emit(mlir::OpBuilder &b, mlir::Location loc, const PieceSchedule &schedule) const;
};

} // namespace relayout

#endif // RELAYOUT_LIB_CONVERSION_PIECENESTS_H
