// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Schedule/Schedule.h"
#include "relayout/IR/Relayout.h"
#include "relayout/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace relayout {
#define GEN_PASS_DEF_SCHEDULEPASS
#include "relayout/Transforms/Passes.h.inc"
} // namespace relayout

using namespace mlir;
using namespace relayout;

namespace {

struct SchedulePassImpl : relayout::impl::SchedulePassBase<SchedulePassImpl> {
  using SchedulePassBase::SchedulePassBase;

  /// Asks the machine once, since that takes longer than the pass.
  LogicalResult initialize(MLIRContext *) override {
    found = targetFor(arch, cpu, features);
    return success();
  }

  void runOnOperation() override {
    const Result<TargetInfo> &target = *found;
    if (!target)
      return fail(getOperation(), target.error());
    Result<ResultHint> hint = parseResultHint(result.getValue());
    if (!hint)
      return fail(getOperation(), hint.error());
    if (threads < 1)
      return fail(getOperation(), {ErrorCode::Usage, "expects 1 or more threads, but got " +
                                                         std::to_string(threads)});
    ScheduleOptions options{*hint, threads};
    SmallVector<RearrangementOpInterface> ops;
    getOperation().walk([&](RearrangementOpInterface op) {
      if (!op.hasTensorForm())
        ops.push_back(op);
    });
    for (RearrangementOpInterface op : ops)
      if (!scheduleOp(op, *target, options))
        return signalPassFailure();
  }

private:
  std::optional<Result<TargetInfo>> found;

  void fail(Operation *op, const Error &error) {
    op->emitError(error.message);
    signalPassFailure();
  }

  bool scheduleOp(RearrangementOpInterface op, const TargetInfo &target,
                  const ScheduleOptions &options) {
    Result<Problem> problem = getMemRefProblem(op);
    if (!problem) {
      op.emitOpError(problem.error().message);
      return false;
    }
    if (splitWithBorders(*problem).empty())
      return true; // Nothing to put in order.
    Result<relayout::Schedule> chosen =
        chooseSchedule(*problem, target, options, pinned.getValue());
    if (!chosen) {
      op.emitOpError(chosen.error().message);
      return false;
    }
    op->setAttr(kScheduleAttrName, StringAttr::get(&getContext(), chosen->str()));
    return true;
  }
};

} // namespace
