// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Which digit of a whole problem is split over threads, and in what steps.

#ifndef RELAYOUT_LIB_SCHEDULE_UNITS_H
#define RELAYOUT_LIB_SCHEDULE_UNITS_H

#include "relayout/Schedule/Schedule.h"

namespace relayout {

/// The schedule of a whole problem from those of its pieces: chooses the units.
Schedule scheduleOf(const Problem &problem, const std::vector<Piece> &pieces,
                    std::vector<PieceSchedule> schedules, const TargetInfo &target, int64_t threads,
                    Rows rows);

/// True if lines of the output that several of `pieces` write, or may, are not rare: runs whose
/// ends are such lines are short on the whole (docs/schedules.md, "Sweeps").
bool meetInLines(const Problem &problem, const std::vector<Piece> &pieces);

} // namespace relayout

#endif // RELAYOUT_LIB_SCHEDULE_UNITS_H
