// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// A schedule in words: which digits are registers, loops and units, which stores,
/// what it is expected to reach.

#ifndef RELAYOUT_TOOLS_RELAYOUTC_SCHEDULETEXT_H
#define RELAYOUT_TOOLS_RELAYOUTC_SCHEDULETEXT_H

#include "Target.h"

#include "relayout/Schedule/Schedule.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace relayout::driver {

struct ScheduleReport {
  /// One piece: its own digits and the program of its tile.
  struct PieceReport {
    Problem problem;
    bool fills;
    PieceSchedule schedule;
    unsigned loads = 0, shuffles = 0, stores = 0, leastShuffles = 0;
  };
  Schedule schedule;
  int64_t units = 0;
  std::vector<PieceReport> pieces;
  Prediction prediction;

  void writeText(llvm::raw_ostream &out) const;
  llvm::json::Object toJson() const;
};

/// The schedule that the flags of `target` lead to for `problem`.
Result<ScheduleReport> explainSchedule(const TargetOptions &target, const Problem &problem);

} // namespace relayout::driver

#endif // RELAYOUT_TOOLS_RELAYOUTC_SCHEDULETEXT_H
