// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Pipelines/Stages.h"

#include "StagePasses.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cassert>

using namespace relayout;

static const StageInfo kStages[] = {
    {Stage::Named, "named", "the operation itself, on tensors", "mlir", false, nullptr},
    {Stage::Chain, "chain",
     "upstream operations: pad, expand_shape, transpose, collapse_shape, slice", "mlir", false,
     addChainPasses},
    {Stage::Fused, "fused", "the chain as one relayout.rearrange", "mlir", false, addFusedPasses},
    {Stage::Buffers, "buffers", "the same on memrefs, in a function of the kernel's form", "mlir",
     false, addBuffersPasses},
    {Stage::Scheduled, "scheduled", "the same with a schedule, since strides are known now", "mlir",
     false, addScheduledPasses},
    {Stage::Loops, "loops", "affine loops around one register tile, a nest for each piece", "mlir",
     false, addLoopsPasses},
    {Stage::Vectors, "vectors", "each tile as vector loads, shuffles and stores", "mlir", false,
     addVectorsPasses},
    {Stage::LLVM, "llvm", "the LLVM dialect", "mlir", false, addLLVMPasses},
    {Stage::LLVMIR, "llvm-ir", "LLVM IR after the LLVM passes", "ll", false, nullptr},
    {Stage::Assembly, "asm", "assembly", "s", false, nullptr},
    {Stage::Object, "object", "an object file", "o", true, nullptr},
};

llvm::ArrayRef<StageInfo> relayout::stages() { return kStages; }

const StageInfo &relayout::stageInfo(Stage stage) {
  const StageInfo &info = kStages[static_cast<size_t>(stage)];
  assert(info.stage == stage && "the table is in the order of the enumeration");
  return info;
}

Result<Stage> relayout::parseStage(std::string_view word, llvm::ArrayRef<const char *> others) {
  llvm::SmallVector<const char *> words;
  for (const StageInfo &info : kStages) {
    if (word == info.word)
      return info.stage;
    words.push_back(info.word);
  }
  words.append(others.begin(), others.end());
  return Error{ErrorCode::Usage, "expects a stage, but got '" + std::string(word) +
                                     "'; possible are " + llvm::join(words, ", ")};
}

std::string relayout::passesText(Stage stage, const PipelineOptions &options) {
  std::string text;
  if (auto *addPasses = stageInfo(stage).addPasses) {
    mlir::OpPassManager manager(mlir::ModuleOp::getOperationName());
    addPasses(manager, options);
    llvm::raw_string_ostream os(text);
    llvm::interleave(manager, os, [&](mlir::Pass &pass) { pass.printAsTextualPipeline(os); }, ",");
  }
  return text;
}
