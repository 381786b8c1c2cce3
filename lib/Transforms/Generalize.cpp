// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Transforms/Passes.h"

#include "relayout/IR/Relayout.h"

namespace relayout {
#define GEN_PASS_DEF_GENERALIZEPASS
#include "relayout/Transforms/Passes.h.inc"
} // namespace relayout

using namespace mlir;

namespace relayout {
namespace {

struct GeneralizePass : impl::GeneralizePassBase<GeneralizePass> {
  void runOnOperation() override {
    WalkResult result = getOperation()->walk([](RearrangementOpInterface op) {
      if (isa<RearrangeOp>(op))
        return WalkResult::advance();
      Result<Rearrangement> rearrangement = op.getRearrangement();
      if (!rearrangement) {
        op->emitOpError() << rearrangement.error().message;
        return WalkResult::interrupt();
      }
      OpBuilder builder(op);
      Type type = op.hasTensorForm() ? op->getResult(0).getType() : Type();
      auto general = RearrangeOp::create(builder, op->getLoc(), type, op.getSource(), op.getDest(),
                                         *rearrangement, op.getPadValue());
      general->setDiscardableAttrs(op->getDiscardableAttrDictionary());
      op->replaceAllUsesWith(general);
      op->erase();
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
} // namespace relayout
