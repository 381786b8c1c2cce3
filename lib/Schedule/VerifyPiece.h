// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Whether the schedule of one piece can perform it.

#ifndef RELAYOUT_LIB_SCHEDULE_VERIFYPIECE_H
#define RELAYOUT_LIB_SCHEDULE_VERIFYPIECE_H

#include "relayout/Schedule/Schedule.h"

namespace relayout {

/// Checks that windows are within rows, or outside of them, and that no loops over their digits are
/// over segments.
Status verifyWindows(const PieceSchedule &piece, const Problem &problem);

/// Checks all of `piece` but how units cut it; `problem` is the piece's, which may only fill.
Status verifyPiece(const PieceSchedule &piece, const Problem &problem, bool fills,
                   const TargetInfo &target);

} // namespace relayout

#endif // RELAYOUT_LIB_SCHEDULE_VERIFYPIECE_H
