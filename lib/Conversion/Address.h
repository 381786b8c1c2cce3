// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Addresses as numbers: which line an element lies in is known when the kernel runs.

#ifndef RELAYOUT_LIB_CONVERSION_ADDRESS_H
#define RELAYOUT_LIB_CONVERSION_ADDRESS_H

#include "mlir/IR/Builders.h"

namespace relayout {

/// The address in bytes of the element at `index` (null: the first) of the flat `memref`, of
/// integers, whose offset is static.
mlir::Value addressOf(mlir::OpBuilder &b, mlir::Location loc, mlir::Value memref,
                      mlir::Value index);

} // namespace relayout

#endif // RELAYOUT_LIB_CONVERSION_ADDRESS_H
