// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Decompose and fuse keep every element in its place, on random rearrangements and
// on random chains; the way through the chain ends where the direct way does.

#include "Evaluate.h"
#include "RandomChain.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "relayout/IR/Relayout.h"
#include "relayout/Layout/Reference.h"
#include "relayout/Transforms/Chain.h"
#include "relayout/Transforms/Passes.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace relayout;
using namespace relayout::test;

namespace {

class ChainTest : public testing::Test {
protected:
  ChainTest() : context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<arith::ArithDialect, complex::ComplexDialect, func::FuncDialect,
                        linalg::LinalgDialect, tensor::TensorDialect, RelayoutDialect>();
  }

  /// Runs `passes` on `module`, which must verify before and after.
  void run(ModuleOp module, ArrayRef<std::function<std::unique_ptr<Pass>()>> passes) {
    ASSERT_TRUE(succeeded(verify(module)));
    PassManager manager(&context);
    for (const auto &create : passes)
      manager.addPass(create());
    ASSERT_TRUE(succeeded(manager.run(module)));
  }

  static func::FuncOp kernel(ModuleOp module) { return *module.getOps<func::FuncOp>().begin(); }

  static std::string text(ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream(text) << module;
    return text;
  }

  MLIRContext context;
  Random random;
};

std::unique_ptr<Pass> decompose() { return createDecomposePass(); }
std::unique_ptr<Pass> fuse() { return createFusePass(); }
std::unique_ptr<Pass> fuseAll() { return createFusePass({/*all=*/true}); }

TEST_F(ChainTest, DecomposeKeepsEveryElement) {
  for (int i = 0; i < 3000; ++i) {
    Rearrangement r = random.rearrangement(Options());
    OwningOpRef<ModuleOp> module = kernelOf(context, r);
    auto before = evaluate(kernel(*module));
    run(*module, {decompose});
    EXPECT_TRUE(kernel(*module).getOps<RearrangeOp>().empty());
    ASSERT_EQ(evaluate(kernel(*module)), before) << describe(r) << text(*module);
  }
}

TEST_F(ChainTest, FuseUndoesDecompose) {
  for (int i = 0; i < 3000; ++i) {
    Rearrangement r = random.rearrangement(Options());
    OwningOpRef<ModuleOp> module = kernelOf(context, r);
    auto before = evaluate(kernel(*module));
    run(*module, {decompose, fuseAll});
    ASSERT_EQ(evaluate(kernel(*module)), before) << describe(r) << text(*module);
    auto count = llvm::range_size(kernel(*module).getBody().front().without_terminator());
    ASSERT_EQ(count, r.isIdentity() ? 0 : 1) << describe(r) << text(*module);
    // Windows of a dimension of extent 1 have more than one place.
    if (r.hasWindows())
      continue;
    OwningOpRef<ModuleOp> direct = kernelOf(context, r);
    run(*direct, {fuseAll});
    ASSERT_EQ(text(*module), text(*direct)) << describe(r);
  }
}

TEST_F(ChainTest, FuseKeepsEveryElement) {
  size_t fused = 0;
  for (int i = 0; i < 3000; ++i) {
    OwningOpRef<ModuleOp> module = randomChain(context, random, random.between(1, 10));
    std::string original = text(*module);
    auto before = evaluate(kernel(*module));
    size_t count = llvm::range_size(kernel(*module).getBody().front());
    run(*module, {random.chance(50) ? fuse : fuseAll});
    ASSERT_EQ(evaluate(kernel(*module)), before) << original << text(*module);
    fused += llvm::range_size(kernel(*module).getBody().front()) < count;
  }
  EXPECT_GT(fused, 1000u);
}

} // namespace
