// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Conversion/Passes.h"
#include "relayout/IR/Relayout.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IntegerSet.h"

namespace relayout {
#define GEN_PASS_DEF_EXPANDTILESPASS
#include "relayout/Conversion/Passes.h.inc"
} // namespace relayout

using namespace mlir;
using namespace relayout;

namespace {

/// `base` plus the linear form of `strides` over `variables`.
Value offsetIndex(OpBuilder &b, Location loc, Value base, ArrayRef<int64_t> strides,
                  ValueRange variables) {
  AffineExpr sum = b.getAffineConstantExpr(0);
  for (auto [i, stride] : llvm::enumerate(strides))
    sum = sum + b.getAffineDimExpr(i) * stride;
  AffineMap map = AffineMap::get(variables.size(), 0, sum);
  Value offset = affine::AffineApplyOp::create(b, loc, map, variables);
  return arith::AddIOp::create(b, loc, base, offset);
}

/// What `read` gives for the elements within the border, and `fill` for the others.
Value selectInBorder(OpBuilder &b, Location loc, TileOp op, ValueRange variables,
                     llvm::function_ref<Value(OpBuilder &)> read, Value fill) {
  ArrayRef<int64_t> border = *op.getBorder();
  AffineExpr sum = b.getAffineConstantExpr(0);
  unsigned next = 0;
  for (auto [digit, coefficient] : llvm::zip_equal(op.getDigitVector(), border.drop_front(2)))
    if (digit.extent != 1)
      sum = sum + b.getAffineDimExpr(next++) * coefficient;
  IntegerSet within =
      IntegerSet::get(variables.size(), 0, {sum - border[0], border[1] - 1 - sum}, {false, false});
  auto choice = affine::AffineIfOp::create(b, loc, fill.getType(), within, variables,
                                           /*withElseRegion=*/true);
  OpBuilder inside = choice.getThenBodyBuilder(), outside = choice.getElseBodyBuilder();
  affine::AffineYieldOp::create(inside, loc, read(inside));
  affine::AffineYieldOp::create(outside, loc, fill);
  return choice.getResult(0);
}

void expand(TileOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  SmallVector<Value> variables;
  SmallVector<int64_t> inStrides, outStrides;
  for (const Digit &digit : op.getDigitVector()) {
    if (digit.extent == 1)
      continue;
    auto loop = affine::AffineForOp::create(b, loc, 0, digit.extent);
    variables.push_back(loop.getInductionVar());
    inStrides.push_back(digit.inStride);
    outStrides.push_back(digit.outStride);
    b.setInsertionPointToStart(loop.getBody());
  }
  Value element, fill;
  if (op.getFill())
    element = fill = arith::ConstantOp::create(b, loc, op.getFillAttr());
  auto read = [&](OpBuilder &at) -> Value {
    Value from = offsetIndex(at, loc, op.getSourceIndex(), inStrides, variables);
    return memref::LoadOp::create(at, loc, op.getSource(), from);
  };
  if (op.getBorder())
    element = selectInBorder(b, loc, op, variables, read, fill);
  else if (!op.isFill())
    element = read(b);
  Value to = offsetIndex(b, loc, op.getDestIndex(), outStrides, variables);
  memref::StoreOp::create(b, loc, element, op.getDest(), to);
  op.erase();
}

void expand(RunOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  auto loop = affine::AffineForOp::create(b, loc, 0, op.getCountAttr().getInt());
  b.setInsertionPointToStart(loop.getBody());
  Value from = offsetIndex(b, loc, op.getSourceIndex(), {1}, loop.getInductionVar());
  Value to = offsetIndex(b, loc, op.getDestIndex(), {1}, loop.getInductionVar());
  Value element = memref::LoadOp::create(b, loc, op.getSource(), from);
  memref::StoreOp::create(b, loc, element, op.getDest(), to);
  op.erase();
}

struct ExpandTiles : relayout::impl::ExpandTilesPassBase<ExpandTiles> {
  void runOnOperation() override {
    getOperation().walk([](TileOp op) { expand(op); });
    getOperation().walk([](RunOp op) { expand(op); });
    getOperation().walk([](TouchOp op) { op.erase(); });
  }
};

} // namespace
