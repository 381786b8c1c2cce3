// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Handles.h"

#include "relayout/Schedule/Schedule.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace relayout;
using namespace relayout::capi;

static void writeSide(llvm::raw_ostream &out, const char *name, const SpecSide &side,
                      const Spec &spec) {
  out << name;
  for (int64_t extent : side.shape)
    out << extent << 'x';
  out << spec.dtype->name << ", " << side.bytes << " bytes";
  if (spec.isStrided()) {
    out << ", strides [";
    llvm::interleave(side.strides, out, ",");
    out << ']';
  }
  out << '\n';
}

/// What is moved, without a word on how.
static void writeMeaning(llvm::raw_ostream &out, const relayout_plan &plan) {
  out << "spec      " << plan.spec.json << '\n';
  writeSide(out, "operand   ", plan.spec.input, plan.spec.spec);
  writeSide(out, "result    ", plan.spec.output, plan.spec.spec);
  out << "pattern   " << printPattern(plan.spec.meaning.pattern()) << '\n'
      << "problem   " << plan.problem.str() << '\n';
}

static Result<Schedule> scheduleOf(const relayout_plan &plan, const TargetInfo &target) {
  Result<ResultHint> hint = parseResultHint(plan.options.result);
  if (!hint)
    return hint.error();
  return chooseSchedule(plan.problem, target, {*hint, plan.options.threads}, plan.options.schedule);
}

/// How it is moved, and the schedule's text.
static Status writeSchedule(llvm::raw_ostream &out, const relayout_plan &plan) {
  std::vector<Piece> pieces = splitWithBorders(plan.problem);
  if (pieces.empty() || (pieces.size() == 1 && pieces.front().kind == Piece::Kind::Copy &&
                         isPlainCopy(pieceProblem(plan.problem, pieces.front())))) {
    out << (pieces.empty() ? "schedule  none: there is nothing to move\n"
                           : "schedule  none: a plain copy\n");
    return Status::success();
  }
  Result<Machine> machine = plan.service->machine(plan.options);
  if (!machine)
    return machine.error();
  Result<Schedule> schedule = scheduleOf(plan, machine->target);
  if (!schedule)
    return schedule.error();
  plan.schedule = schedule->str();
  for (const Piece &piece : piecesOf(plan.problem, *schedule))
    out << (piece.kind == Piece::Kind::Copy ? "copy      " : "fill      ") << piece.elements()
        << " elements, " << pieceProblem(plan.problem, piece).str() << '\n';
  Prediction p = predict(*schedule, plan.problem, machine->target);
  out << "schedule  " << plan.schedule << '\n'
      << "units     " << unitCount(*schedule, plan.problem) << '\n'
      << llvm::format("expected  %.2f of the bound: %.0f bytes, %.0f pages live, %.0f streams of "
                      "%.0f bytes read, %.0f bytes written at a visit\n",
                      p.ratio, p.bytes, p.pages, p.readStreams, p.runBytes, p.chunkBytes);
  return Status::success();
}

void capi::describePlan(const relayout_plan &plan) {
  llvm::raw_string_ostream out(plan.explanation);
  writeMeaning(out, plan);
  if (Status status = writeSchedule(out, plan); !status)
    out << "schedule  none: " << status.error().message << '\n';
}
