// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/IR/Relayout.h"

#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "relayout/Layout/Reference.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace relayout;

namespace {

/// The rearrangements of the named operations, with and without windows and elements.
std::vector<Rearrangement> manyRearrangements() {
  std::vector<Result<Rearrangement>> results;
  for (DepthMode mode : {DepthMode::BlocksFirst, DepthMode::DepthFirst})
    for (TensorLayout other : {TensorLayout::NHWC, TensorLayout::NCHW}) {
      DepthSpaceAttrs attrs{{2, 3}, mode, TensorLayout::NHWC, other};
      for (int64_t batch : {0, 1, 2})
        for (int64_t depth : {0, 6, 30})
          results.push_back(depthToSpace({batch, 5, 7, depth}, attrs));
      results.push_back(spaceToDepth({2, 4, 9, 5}, attrs));
    }
  for (Window window : {Window{0, 0}, Window{1, 2}, Window{3, 0}}) {
    results.push_back(spaceToBatch({3, 9, 5}, {3}, {window}));
    results.push_back(spaceToBatch({3, 0, 5}, {3}, {window}));
    results.push_back(batchToSpace({6, 5, 7}, {3}, {window}));
  }
  results.push_back(permutation({2, 3, 1, 5}, {3, 0, 2, 1}));
  results.push_back(permutation({}, {}));
  results.push_back(bindPattern(*parsePattern("a (b c) -> c 1 (b a)"), {3, 4}, {{"b", 3}},
                                {{-1, 0}, {1, 1}}, {{-2, 1}, {0, 0}, {0, -3}}));
  std::vector<Rearrangement> rearrangements;
  for (Result<Rearrangement> &result : results) {
    if (!result) {
      ADD_FAILURE() << result.error().message;
      continue;
    }
    rearrangements.push_back(*result);
    rearrangements.push_back(normalize(*result));
  }
  return rearrangements;
}

struct RearrangeOps : testing::Test {
  RearrangeOps() : builder(&context), module(ModuleOp::create(builder.getUnknownLoc())) {
    context.loadDialect<RelayoutDialect, ub::UBDialect>();
    builder.setInsertionPointToStart(module->getBody());
  }

  Value makeValue(Type type) {
    return ub::PoisonOp::create(builder, builder.getUnknownLoc(), type);
  }
  Value makeTensor(const std::vector<int64_t> &shape) {
    return makeValue(RankedTensorType::get(shape, builder.getF32Type()));
  }

  MLIRContext context;
  OpBuilder builder;
  OwningOpRef<ModuleOp> module;
};

/// A rearrangement survives being an operation, element for element.
TEST_F(RearrangeOps, holdTheirRearrangement) {
  for (const Rearrangement &r : manyRearrangements()) {
    Value source = makeTensor(r.operandShape);
    auto type = RankedTensorType::get(r.resultShape(), builder.getF32Type());
    auto op = RearrangeOp::create(builder, builder.getUnknownLoc(), type, source, Value(), r,
                                  builder.getF32FloatAttr(2.5));
    ASSERT_TRUE(succeeded(verify(op)));
    Result<Rearrangement> back = op.getRearrangement();
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(back->resultShape(), r.resultShape());
    EXPECT_EQ(referenceMap(*back), referenceMap(r));
    EXPECT_EQ(bool(op.getValue()), r.needsFill());
    EXPECT_EQ(op.getPadValueOrZero(), builder.getF32FloatAttr(r.needsFill() ? 2.5 : 0.0));
  }
}

TEST_F(RearrangeOps, inMemoryReadAndWrite) {
  Rearrangement r = *permutation({2, 3}, {1, 0});
  Value source = makeValue(MemRefType::get({2, 3}, builder.getI8Type()));
  Value dest = makeValue(MemRefType::get({3, 2}, builder.getI8Type()));
  auto op =
      RearrangeOp::create(builder, builder.getUnknownLoc(), Type(), source, dest, r, TypedAttr());
  ASSERT_TRUE(succeeded(verify(op)));
  EXPECT_FALSE(op.hasTensorForm());
  EXPECT_TRUE(hasEffect<MemoryEffects::Read>(op, source));
  EXPECT_FALSE(hasEffect<MemoryEffects::Write>(op, source));
  EXPECT_TRUE(hasEffect<MemoryEffects::Write>(op, dest));
  EXPECT_FALSE(hasEffect<MemoryEffects::Read>(op, dest));
  EXPECT_FALSE(isPure(op));
}

TEST_F(RearrangeOps, onTensorsArePure) {
  auto op = DepthToSpaceOp::create(builder, builder.getUnknownLoc(), makeTensor({2, 12, 3, 5}),
                                   Value(), builder.getDenseI64ArrayAttr({2}),
                                   ModeAttr::get(&context, DepthMode::DepthFirst),
                                   LayoutAttr::get(&context, TensorLayout::NCHW), LayoutAttr());
  EXPECT_TRUE(isPure(op));
  EXPECT_EQ(op.getResult().getType(), RankedTensorType::get({2, 3, 6, 10}, builder.getF32Type()));
  ReifiedRankedShapedTypeDims shapes;
  ASSERT_TRUE(succeeded(op.reifyResultShapes(builder, shapes)));
  EXPECT_EQ(getConstantIntValue(shapes[0][3]), 10);
}

} // namespace
