// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Affine loops around one load and store, for one piece of a problem.

#ifndef RELAYOUT_LIB_CONVERSION_AFFINENEST_H
#define RELAYOUT_LIB_CONVERSION_AFFINENEST_H

#include "relayout/Layout/Problem.h"

#include "mlir/IR/Builders.h"

namespace relayout {

/// What all nests of one problem share. The memrefs are flat.
struct NestMovement {
  const Problem &problem;
  mlir::Value in;
  mlir::Value out;
  mlir::Value fill;  ///< null if no piece fills
  mlir::Value begin; ///< first unit to do; null outside of a kernel, as is `end`
  mlir::Value end;
  mlir::Value scratch = {}; ///< of the memref's element type; null if no piece is staged
  int64_t firstUnit = 0;    ///< the value of the first digit that is unit 0
};

/// Emits the nest of `piece` at the builder's insertion point.
void emitNest(mlir::OpBuilder &builder, mlir::Location loc, const NestMovement &movement,
              const Piece &piece);

} // namespace relayout

#endif // RELAYOUT_LIB_CONVERSION_AFFINENEST_H
