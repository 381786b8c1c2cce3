// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// An interpreter for chains of tensors of i32, by the definitions of the upstream
/// operations. It shares nothing with the reading and writing of chains.

#ifndef RELAYOUT_TEST_UNIT_TRANSFORMS_EVALUATE_H
#define RELAYOUT_TEST_UNIT_TRANSFORMS_EVALUATE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <vector>

namespace relayout::test {

/// The row-major elements of each result of `function`, whose one argument holds
/// 1, 2, 3 ... Empty where an operation is not known.
std::vector<std::vector<int32_t>> evaluate(mlir::func::FuncOp function);

} // namespace relayout::test

#endif // RELAYOUT_TEST_UNIT_TRANSFORMS_EVALUATE_H
