// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The passes of each stage, for the table.

#ifndef RELAYOUT_LIB_PIPELINES_STAGEPASSES_H
#define RELAYOUT_LIB_PIPELINES_STAGEPASSES_H

#include "relayout/Pipelines/Stages.h"

namespace relayout {

void addChainPasses(mlir::OpPassManager &manager, const PipelineOptions &options);
void addFusedPasses(mlir::OpPassManager &manager, const PipelineOptions &options);
void addBuffersPasses(mlir::OpPassManager &manager, const PipelineOptions &options);
void addScheduledPasses(mlir::OpPassManager &manager, const PipelineOptions &options);
void addLoopsPasses(mlir::OpPassManager &manager, const PipelineOptions &options);
void addVectorsPasses(mlir::OpPassManager &manager, const PipelineOptions &options);
void addLLVMPasses(mlir::OpPassManager &manager, const PipelineOptions &options);

} // namespace relayout

#endif // RELAYOUT_LIB_PIPELINES_STAGEPASSES_H
