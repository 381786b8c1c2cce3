// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Conversion/Passes.h"
#include "relayout/IR/Relayout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

namespace relayout {
#define GEN_PASS_DEF_LOWERSWEEPSPASS
#include "relayout/Conversion/Passes.h.inc"
} // namespace relayout

using namespace mlir;
using namespace relayout;

namespace {

void lower(SweepOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  Value step = arith::ConstantIndexOp::create(b, loc, op.getStep());
  auto loop = scf::ForOp::create(b, loc, op.getBegin(), op.getEnd(), step);
  b.setInsertionPointToStart(loop.getBody());
  Value first = loop.getInductionVar();
  Value next = arith::AddIOp::create(b, loc, first, step);
  Value last = arith::MinSIOp::create(b, loc, next, op.getEnd());
  Block &body = op.getBody().front();
  body.getArgument(0).replaceAllUsesWith(first);
  body.getArgument(1).replaceAllUsesWith(last);
  loop.getBody()->getOperations().splice(loop.getBody()->getTerminator()->getIterator(),
                                         body.getOperations());
  op.erase();
}

struct LowerSweeps : relayout::impl::LowerSweepsPassBase<LowerSweeps> {
  void runOnOperation() override {
    getOperation().walk([](SweepOp op) { lower(op); });
  }
};

} // namespace
