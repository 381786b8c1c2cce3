// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The lines that a tile asks to come from the second cache to the first.

#ifndef RELAYOUT_LIB_CONVERSION_NEARLINES_H
#define RELAYOUT_LIB_CONVERSION_NEARLINES_H

#include "relayout/IR/Relayout.h"

#include "mlir/IR/Builders.h"

namespace relayout {

/// Lines of a tile's source, as distances from an index into it.
struct NearLines {
  mlir::Value base;
  llvm::SmallVector<int64_t> distances;
};

/// Those that `tile` asks for with `near`. Where it reads a part of a line of each row, so many
/// tiles side by side as have a line together ask for the lines of other rows each.
NearLines nearLines(mlir::OpBuilder &builder, TileOp tile);

} // namespace relayout

#endif // RELAYOUT_LIB_CONVERSION_NEARLINES_H
