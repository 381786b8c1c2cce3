// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The choice of a piece's schedule.

#ifndef RELAYOUT_LIB_SCHEDULE_BESTPIECE_H
#define RELAYOUT_LIB_SCHEDULE_BESTPIECE_H

#include "Knobs.h"

namespace relayout {

/// The schedule of one piece, made from `base`, for one of `threads`.
PieceSchedule bestPiece(const PieceView &view, const Knobs &base, const TargetInfo &target,
                        int64_t threads);

} // namespace relayout

#endif // RELAYOUT_LIB_SCHEDULE_BESTPIECE_H
