// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Addresses as numbers, since which line an element lies in is known when the kernel runs, as
/// pointers of LLVM, and what is asked of the caches for them.

#ifndef RELAYOUT_LIB_CONVERSION_ADDRESS_H
#define RELAYOUT_LIB_CONVERSION_ADDRESS_H

#include "mlir/IR/Builders.h"

namespace relayout {

/// The address in bytes of the element at `index` (null: the first) of the flat `memref`, of
/// integers, whose offset is static.
mlir::Value addressOf(mlir::OpBuilder &b, mlir::Location loc, mlir::Value memref,
                      mlir::Value index);

/// The pointer `offset` elements of type `element` behind `base`.
mlir::Value advance(mlir::OpBuilder &b, mlir::Location loc, mlir::Type element, mlir::Value base,
                    int64_t offset);

/// The locality with which a prefetch goes to that cache, 1 or 2.
inline int32_t localityOf(int64_t cache) { return static_cast<int32_t>(4 - cache); }

} // namespace relayout

#endif // RELAYOUT_LIB_CONVERSION_ADDRESS_H
