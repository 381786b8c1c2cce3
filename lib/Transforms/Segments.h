// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// The partition of a chain into segments, each of which is one movement.

#ifndef RELAYOUT_LIB_TRANSFORMS_SEGMENTS_H
#define RELAYOUT_LIB_TRANSFORMS_SEGMENTS_H

#include "relayout/Transforms/Chain.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

namespace relayout {

/// Neighbours of a chain that have been merged.
struct Segment {
  llvm::SmallVector<mlir::Operation *, 1> ops; ///< in order, at least one
  std::optional<Movement> movement;            ///< none: the one operation is not understood
  /// True if an operation before the last keeps a reader outside of the segment, so
  /// that it and what it reads stay when the last one is replaced.
  bool keepsOperations = false;
  /// Why it was not merged with the segment before it, or not understood.
  std::string reason;

  mlir::Value source() const { return getChainSource(ops.front()); }
  mlir::Value result() const { return ops.back()->getResult(0); }
};

/// The operations of the chain that ends in `tail`: the path up through sources,
/// within one block, in order.
llvm::SmallVector<mlir::Operation *> collectChain(mlir::Operation *tail);

/// Merges neighbours of `chain` until no two of them may be.
llvm::SmallVector<Segment> partitionChain(llvm::ArrayRef<mlir::Operation *> chain);

} // namespace relayout

#endif // RELAYOUT_LIB_TRANSFORMS_SEGMENTS_H
