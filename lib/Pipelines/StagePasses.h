// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The passes of each stage, for the table.

#ifndef RELAYOUT_LIB_PIPELINES_STAGEPASSES_H
#define RELAYOUT_LIB_PIPELINES_STAGEPASSES_H

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace relayout {

void addChainPasses(mlir::OpPassManager &manager);
void addFusedPasses(mlir::OpPassManager &manager);
void addBuffersPasses(mlir::OpPassManager &manager);
void addLoopsPasses(mlir::OpPassManager &manager);
void addLLVMPasses(mlir::OpPassManager &manager);

} // namespace relayout

#endif // RELAYOUT_LIB_PIPELINES_STAGEPASSES_H
