// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Pipelines/Pipelines.h"

#include "StagePasses.h"

#include "relayout/Conversion/Passes.h"
#include "relayout/Transforms/Passes.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace relayout {

void addChainPasses(OpPassManager &manager) { manager.addPass(createDecomposePass()); }

void addFusedPasses(OpPassManager &manager) {
  // A kernel is one rearrangement, so reshapes and lone windows must become one too.
  FusePassOptions options;
  options.all = true;
  manager.addPass(createFusePass(options));
}

void addBuffersPasses(OpPassManager &manager) {
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.bufferizeFunctionBoundaries = true;
  bufferize.functionBoundaryTypeConversion = bufferization::LayoutMapOption::IdentityLayoutMap;
  manager.addPass(bufferization::createOneShotBufferizePass(bufferize));
  bufferization::BufferResultsToOutParamsPassOptions outParams;
  outParams.hoistStaticAllocs = true;
  outParams.modifyPublicFunctions = true;
  manager.addPass(bufferization::createBufferResultsToOutParamsPass(outParams));
  manager.addNestedPass<func::FuncOp>(createCanonicalizerPass());
  manager.addNestedPass<func::FuncOp>(createKernelAbiPass());
}

void addLoopsPasses(OpPassManager &manager) {
  manager.addNestedPass<func::FuncOp>(createToAffinePass());
}

void addLLVMPasses(OpPassManager &manager) {
  manager.addNestedPass<func::FuncOp>(createLowerAffinePass());
  manager.addNestedPass<func::FuncOp>(createSCFToControlFlowPass());
  manager.addPass(createFinalizeMemRefToLLVMConversionPass());
  ConvertFuncToLLVMPassOptions function;
  function.useBarePtrCallConv = true;
  manager.addPass(createConvertFuncToLLVMPass(function));
  manager.addPass(createArithToLLVMConversionPass());
  manager.addPass(createConvertControlFlowToLLVMPass());
  manager.addPass(createReconcileUnrealizedCastsPass());
  manager.addNestedPass<LLVM::LLVMFuncOp>(createFinalizeKernelPass());
}

void buildStagePipeline(OpPassManager &manager, Stage from, Stage to) {
  for (const StageInfo &info : stages())
    if (info.stage > from && info.stage <= to && info.addPasses)
      info.addPasses(manager);
}

void buildCPUPipeline(OpPassManager &manager) {
  buildStagePipeline(manager, Stage::Named, Stage::LLVM);
}

void buildDirectPipeline(OpPassManager &manager) {
  manager.addNestedPass<func::FuncOp>(createKernelAbiPass());
}

} // namespace relayout
