// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Long digits in segments, which are read and written side by side.

#ifndef RELAYOUT_LIB_SCHEDULE_SEGMENTS_H
#define RELAYOUT_LIB_SCHEDULE_SEGMENTS_H

#include "Cost/Reading.h"

namespace relayout {

/// `view` and `schedule` with a digit of their own for the segments of each digit, whose last
/// segment counts as a whole one: for estimates. How both read: all segments side by side, however
/// far each one is followed at a visit.
Reading splitSegments(PieceView &view, PieceSchedule &schedule);

/// `schedule` with `count` segments of digit `d`, visited side by side at each place of its loops;
/// none where the digit is not long enough.
std::optional<PieceSchedule> addSegments(const PieceView &view, const PieceSchedule &schedule,
                                         unsigned d, int64_t count, const TargetInfo &target);

} // namespace relayout

#endif // RELAYOUT_LIB_SCHEDULE_SEGMENTS_H
