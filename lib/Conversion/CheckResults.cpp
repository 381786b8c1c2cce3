// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Conversion/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace relayout {
#define GEN_PASS_DEF_CHECKRESULTSPASS
#include "relayout/Conversion/Passes.h.inc"
} // namespace relayout

using namespace mlir;
using namespace relayout;

namespace {

struct CheckResults : relayout::impl::CheckResultsPassBase<CheckResults> {
  void runOnOperation() override {
    markAllAnalysesPreserved();
    getOperation().walk([&](func::ReturnOp op) {
      llvm::SmallPtrSet<Value, 4> seen;
      for (Value value : op.getOperands())
        if (!seen.insert(value).second) {
          op.emitOpError("expects results that differ, but one value is returned twice");
          return signalPassFailure();
        }
    });
  }
};

} // namespace
