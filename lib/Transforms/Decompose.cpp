// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "relayout/IR/Relayout.h"
#include "relayout/Transforms/Chain.h"

namespace relayout {
#define GEN_PASS_DEF_DECOMPOSEPASS
#include "relayout/Transforms/Passes.h.inc"
} // namespace relayout

using namespace mlir;

namespace relayout {
namespace {

struct DecomposePass : impl::DecomposePassBase<DecomposePass> {
  void runOnOperation() override {
    WalkResult result = getOperation()->walk([](RearrangementOpInterface op) {
      if (!op.hasTensorForm())
        return WalkResult::advance();
      Result<Rearrangement> rearrangement = op.getRearrangement();
      if (!rearrangement) {
        op->emitOpError() << rearrangement.error().message;
        return WalkResult::interrupt();
      }
      // A chain has a tensor with a dimension for each digit.
      if (rearrangement->digits.size() > static_cast<size_t>(kMaxRank))
        return WalkResult::advance();
      OpBuilder builder(op);
      Movement movement{rearrangement.take(), op.getPadValueOrZero()};
      Value end = buildChain(builder, op->getLoc(), op.getSource(), movement, op.getDest());
      // Where no order is required of operations, one may read its own result.
      if (end == op->getResult(0))
        return WalkResult::advance();
      op->getResult(0).replaceAllUsesWith(end);
      op->erase();
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
} // namespace relayout
