// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Random chains of operations as front ends write them.

#ifndef RELAYOUT_TEST_UNIT_TRANSFORMS_RANDOMCHAIN_H
#define RELAYOUT_TEST_UNIT_TRANSFORMS_RANDOMCHAIN_H

#include "../Layout/Random.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace relayout::test {

/// A module with `func.func @kernel` from one tensor of i32 to the end of a chain of
/// `length` operations and some values on the way. Fill values are -1, seldom -2.
mlir::OwningOpRef<mlir::ModuleOp> randomChain(mlir::MLIRContext &context, Random &random,
                                              int64_t length);

/// A module with `func.func @kernel` that holds `rearrangement`, filling with -1.
mlir::OwningOpRef<mlir::ModuleOp> kernelOf(mlir::MLIRContext &context,
                                           const Rearrangement &rearrangement);

} // namespace relayout::test

#endif // RELAYOUT_TEST_UNIT_TRANSFORMS_RANDOMCHAIN_H
