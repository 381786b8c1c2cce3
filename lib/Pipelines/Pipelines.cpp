// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Pipelines/Pipelines.h"

#include "StagePasses.h"

#include "relayout/Conversion/Passes.h"
#include "relayout/Transforms/Passes.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace relayout {

void addChainPasses(OpPassManager &manager, const PipelineOptions &) {
  manager.addPass(createDecomposePass());
}

void addFusedPasses(OpPassManager &manager, const PipelineOptions &) {
  // A kernel is one rearrangement, so reshapes and lone windows must become one too.
  FusePassOptions options;
  options.all = true;
  manager.addPass(createFusePass(options));
}

void addBuffersPasses(OpPassManager &manager, const PipelineOptions &) {
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.bufferizeFunctionBoundaries = true;
  bufferize.functionBoundaryTypeConversion = bufferization::LayoutMapOption::IdentityLayoutMap;
  manager.addPass(bufferization::createOneShotBufferizePass(bufferize));
  // Two tensors may have become one buffer.
  manager.addNestedPass<func::FuncOp>(createCheckResultsPass());
  bufferization::BufferResultsToOutParamsPassOptions outParams;
  outParams.hoistStaticAllocs = true;
  outParams.modifyPublicFunctions = true;
  manager.addPass(bufferization::createBufferResultsToOutParamsPass(outParams));
  manager.addNestedPass<func::FuncOp>(createCanonicalizerPass());
  manager.addNestedPass<func::FuncOp>(createKernelAbiPass());
}

void addScheduledPasses(OpPassManager &manager, const PipelineOptions &options) {
  SchedulePassOptions schedule;
  schedule.arch = options.arch;
  schedule.cpu = options.cpu;
  schedule.features = options.features;
  schedule.result = options.result;
  schedule.threads = options.threads;
  schedule.pinned = options.schedule;
  manager.addNestedPass<func::FuncOp>(createSchedulePass(schedule));
}

void addLoopsPasses(OpPassManager &manager, const PipelineOptions &) {
  manager.addNestedPass<func::FuncOp>(createToAffinePass());
}

void addVectorsPasses(OpPassManager &manager, const PipelineOptions &options) {
  VectorizePassOptions vectorize;
  vectorize.arch = options.arch;
  vectorize.cpu = options.cpu;
  vectorize.features = options.features;
  vectorize.patternOnly = options.patternOnly;
  manager.addNestedPass<func::FuncOp>(createVectorizePass(vectorize));
  manager.addNestedPass<func::FuncOp>(createExpandTilesPass());
}

void addLLVMPasses(OpPassManager &manager, const PipelineOptions &) {
  manager.addNestedPass<func::FuncOp>(createLowerAffinePass());
  manager.addNestedPass<func::FuncOp>(createLowerSweepsPass());
  manager.addNestedPass<func::FuncOp>(createSCFToControlFlowPass());
  manager.addNestedPass<func::FuncOp>(createLowerAccessesPass());
  manager.addPass(createToLLVMPass());
  manager.addNestedPass<LLVM::LLVMFuncOp>(createFinalizeKernelPass());
  manager.addNestedPass<LLVM::LLVMFuncOp>(createTileBasesPass());
  manager.addNestedPass<LLVM::LLVMFuncOp>(createFloatLanesPass());
  manager.addNestedPass<LLVM::LLVMFuncOp>(createFenceShufflesPass());
}

void buildStagePipeline(OpPassManager &manager, Stage from, Stage to,
                        const PipelineOptions &options) {
  for (const StageInfo &info : stages())
    if (info.stage > from && info.stage <= to && info.addPasses)
      info.addPasses(manager, options);
}

void buildCPUPipeline(OpPassManager &manager, const PipelineOptions &options) {
  buildStagePipeline(manager, Stage::Named, Stage::LLVM, options);
}

void buildDirectPipeline(OpPassManager &manager) {
  manager.addNestedPass<func::FuncOp>(createKernelAbiPass());
}

} // namespace relayout
