// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The steps from knobs to a piece: its tile and what that shuffles, the loops around it, what is
/// prefetched.

#ifndef RELAYOUT_LIB_SCHEDULE_BUILDPIECE_H
#define RELAYOUT_LIB_SCHEDULE_BUILDPIECE_H

#include "Knobs.h"

namespace relayout {

/// Extents of the register tile: whole vectors on both sides, whole lines on the
/// output's where the digits allow it within the size of a tile.
std::vector<int64_t> chooseTile(const PieceView &view, const TargetInfo &target,
                                const Knobs &knobs);

struct LoopNest {
  std::vector<Loop> loops;       ///< outermost first
  std::optional<unsigned> fetch; ///< how many of them are outside of a block that is fetched
};

/// The loops around `tile`.
LoopNest orderLoops(const PieceView &view, const TargetInfo &target, const Knobs &knobs,
                    const std::vector<int64_t> &tile);

/// Elements to prefetch ahead: `bytes` in each stream, or where the streams end soon,
/// what the loop that moves them will read next.
int64_t prefetchDistance(const PieceView &view, const PieceSchedule &piece, int64_t bytes,
                         const TargetInfo &target);

/// All steps: tile, unrolling, loops, and the stores that the tile admits.
PieceSchedule buildPiece(const PieceView &view, const TargetInfo &target, const Knobs &knobs);

/// Parts of rows of the input that a tile loads, each a vector or less.
int64_t partsRead(const PieceView &view, const std::vector<int64_t> &tile, int64_t vectorBytes);

/// Shuffles for a vector of the output, estimated from what a vector draws from.
double estimateShuffles(const PieceView &view, const std::vector<int64_t> &tile,
                        int64_t vectorBytes);

} // namespace relayout

#endif // RELAYOUT_LIB_SCHEDULE_BUILDPIECE_H
