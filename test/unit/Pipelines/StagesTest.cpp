// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Pipelines/Stages.h"
#include "relayout/Pipelines/Pipelines.h"
#include "relayout/Pipelines/Register.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>
#include <set>

using namespace relayout;

namespace {

TEST(Stages, TheTableIsInTheOrderOfTheEnumeration) {
  std::set<std::string> words;
  int next = 0;
  for (const StageInfo &info : stages()) {
    EXPECT_EQ(static_cast<int>(info.stage), next++);
    EXPECT_EQ(&stageInfo(info.stage), &info);
    EXPECT_TRUE(words.insert(info.word).second) << info.word;
    Result<Stage> parsed = parseStage(info.word);
    ASSERT_TRUE(parsed);
    EXPECT_EQ(*parsed, info.stage);
    // The first stage is where one starts, and those past MLIR have no passes of it.
    bool hasPasses = info.stage != Stage::Named && info.stage <= Stage::LLVM;
    EXPECT_EQ(info.addPasses != nullptr, hasPasses) << info.word;
    EXPECT_EQ(passesText(info.stage, {}).empty(), !hasPasses) << info.word;
  }
  EXPECT_EQ(next, static_cast<int>(Stage::Object) + 1);
}

TEST(Stages, AnUnknownWordIsAnsweredByTheKnownOnes) {
  Result<Stage> stage = parseStage("assembly");
  ASSERT_FALSE(stage);
  EXPECT_EQ(stage.error().code, ErrorCode::Usage);
  EXPECT_EQ(stage.error().message,
            "expects a stage, but got 'assembly'; possible are named, chain, fused, buffers, "
            "scheduled, loops, vectors, llvm, llvm-ir, asm, object");
}

void registerUpstreamPasses() {
  mlir::bufferization::registerBufferizationPasses();
  mlir::registerTransformsPasses();
  mlir::registerPass([] { return mlir::createLowerAffinePass(); });
  mlir::registerPass([] { return mlir::createSCFToControlFlowPass(); });
}

TEST(Stages, TheTextOfPassesIsAPipeline) {
  registerAllPasses();
  registerUpstreamPasses();
  for (const StageInfo &info : stages()) {
    std::string text = passesText(info.stage, {});
    mlir::OpPassManager manager(mlir::ModuleOp::getOperationName());
    std::string errors;
    llvm::raw_string_ostream os(errors);
    ASSERT_TRUE(mlir::succeeded(mlir::parsePassPipeline(text, manager, os)))
        << info.word << ": " << text << ": " << errors;
    mlir::OpPassManager direct(mlir::ModuleOp::getOperationName());
    if (info.addPasses)
      info.addPasses(direct, {});
    EXPECT_EQ(manager.size(), direct.size()) << info.word;
  }
}

} // namespace
