// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Memrefs with static extents, strides and offset, seen as flat.

#ifndef RELAYOUT_LIB_CONVERSION_STRIDEDVIEW_H
#define RELAYOUT_LIB_CONVERSION_STRIDEDVIEW_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace relayout {

struct StridedView {
  mlir::MemRefType type;
  int64_t offset; ///< of the first element
  int64_t span;   ///< elements from the first to the last, gaps included
};

/// What `type` says; an error of `op` if it leaves something open, or if its bytes do
/// not fit 63 bits.
mlir::FailureOr<StridedView> getStridedView(mlir::Operation *op, mlir::MemRefType type);

/// `memref`, which has the type of `view`, as one dimension of stride 1.
mlir::Value flatten(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value memref,
                    const StridedView &view);

} // namespace relayout

#endif // RELAYOUT_LIB_CONVERSION_STRIDEDVIEW_H
