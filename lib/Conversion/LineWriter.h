// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Whole lines past the caches, to an output whose elements may lie across lines.

#ifndef RELAYOUT_LIB_CONVERSION_LINEWRITER_H
#define RELAYOUT_LIB_CONVERSION_LINEWRITER_H

#include "mlir/IR/Builders.h"

namespace relayout {

/// Writes vectors of lines of one output. Complex numbers are aligned as their parts are: where the
/// first one lies at half of its size, so do all, lines are taken to begin as far off as they do,
/// and ordinary stores write them.
class LineWriter {
public:
  /// `memref` is of integers, and its first byte aligned to `alignment` bytes at least. What is
  /// asked of its address is asked at the insertion point of `b`.
  LineWriter(mlir::OpBuilder &b, mlir::Location loc, mlir::Value memref, int64_t alignment);

  /// Stores `vector`, of a line or of an aligned part of one, at `index`, with the next `flush`.
  void store(mlir::Value vector, mlir::Value index);

  /// Performs the stores so far: one choice for all of them, whose vectors are in registers.
  void flush();

private:
  void storeVector(mlir::Value vector, mlir::Value index, bool stream);

  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::Value memref;
  int64_t alignment;
  mlir::Value areWhole; ///< whether no element lies across lines; null: none ever does
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>> waiting; ///< vectors and indices
};

} // namespace relayout

#endif // RELAYOUT_LIB_CONVERSION_LINEWRITER_H
