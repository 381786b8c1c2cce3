// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// A tile program as operations of the vector dialect.

#ifndef RELAYOUT_LIB_CONVERSION_TILEEMITTER_H
#define RELAYOUT_LIB_CONVERSION_TILEEMITTER_H

#include "relayout/IR/Relayout.h"
#include "relayout/Layout/CheckedMath.h"
#include "relayout/Schedule/Tile.h"

#include "mlir/IR/Builders.h"

namespace relayout {

/// What `emitTile` is to make of a program.
struct TileEmission {
  int64_t alignment = 8; ///< of the destination, in bytes, at least
  /// Stores that share a branch where it is decided at run time whether they go past the caches.
  size_t storesAtOnce = 4;
  /// Stores what was loaded without shuffling it: the same accesses, to measure with.
  bool patternOnly = false;
  bool permutesBytes = false; ///< of a vector, by a value
};

/// Emits `program`, which performs `tile`, before it.
void emitTile(mlir::OpBuilder &builder, TileOp tile, const TileProgram &program,
              const TileEmission &emission);

/// Emits the stores of a tile that fills.
void emitFillTile(mlir::OpBuilder &builder, TileOp tile, const TileProgram &program,
                  const TileEmission &emission);

} // namespace relayout

#endif // RELAYOUT_LIB_CONVERSION_TILEEMITTER_H
