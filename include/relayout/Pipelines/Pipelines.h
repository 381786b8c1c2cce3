// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Pass pipelines over whole modules.

#ifndef RELAYOUT_PIPELINES_PIPELINES_H
#define RELAYOUT_PIPELINES_PIPELINES_H

#include "relayout/Pipelines/Stages.h"

namespace relayout {

/// Adds the passes of all stages after `from` up to `to`, which is `llvm` at most.
void buildStagePipeline(mlir::OpPassManager &manager, Stage from, Stage to,
                        const PipelineOptions &options = {});

/// Adds everything from a module of any stage before `llvm` (named operations, or
/// chains that another front end wrote) to the LLVM dialect: `relayout-cpu-pipeline`.
void buildCPUPipeline(mlir::OpPassManager &manager, const PipelineOptions &options = {});

/// Adds the short way of the JIT to the `buffers` stage, without chain and bufferization: for
/// functions of one rearrangement, which `relayout-kernel-abi` takes as it is.
void buildDirectPipeline(mlir::OpPassManager &manager);

} // namespace relayout

#endif // RELAYOUT_PIPELINES_PIPELINES_H
