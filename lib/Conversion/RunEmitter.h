// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Vector code of a contiguous run.

#ifndef RELAYOUT_LIB_CONVERSION_RUNEMITTER_H
#define RELAYOUT_LIB_CONVERSION_RUNEMITTER_H

#include "relayout/IR/Relayout.h"
#include "relayout/Schedule/TargetInfo.h"

namespace relayout {

/// Emits `run` before it: what lies before the first line of the destination, whole
/// lines, and what is left, each part without a loop over elements. The destination is aligned to
/// `alignment` bytes at least.
void emitRun(mlir::OpBuilder &builder, RunOp run, const TargetInfo &target, int64_t alignment);

} // namespace relayout

#endif // RELAYOUT_LIB_CONVERSION_RUNEMITTER_H
