// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// How a problem is moved, in words: its pieces, and of the schedule which digits are registers,
/// lanes, loops and units, which stores, what it is expected to reach.

#ifndef RELAYOUT_SCHEDULE_EXPLAIN_H
#define RELAYOUT_SCHEDULE_EXPLAIN_H

#include "relayout/Schedule/Schedule.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace relayout {

struct MovementReport {
  /// One piece: its own digits, and where there is a schedule the program of its tile.
  struct PieceReport {
    Problem problem;
    bool fills;
    int64_t elements;
    PieceSchedule schedule = {};
    unsigned loads = 0, shuffles = 0, stores = 0, leastShuffles = 0;
  };
  std::vector<PieceReport> pieces;
  std::optional<Schedule> schedule; ///< none: nothing is generated
  int64_t units = 0;
  Prediction prediction;

  void writeText(llvm::raw_ostream &out) const;
  /// With the keys `pieces` and `schedule`.
  llvm::json::Object toJson() const;
};

/// How `chooseSchedule` moves `problem` for a hint of the word `result`, with its errors.
Result<MovementReport> explainMovement(const Problem &problem, const TargetInfo &target,
                                       std::string_view result, int64_t threads,
                                       std::string_view pinned);

} // namespace relayout

#endif // RELAYOUT_SCHEDULE_EXPLAIN_H
