// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// A piece and what its schedule is made from.

#ifndef RELAYOUT_LIB_SCHEDULE_PIECEVIEW_H
#define RELAYOUT_LIB_SCHEDULE_PIECEVIEW_H

#include "Movement.h"
#include "relayout/Schedule/Schedule.h"

namespace relayout {

/// Digits of up to so many values are mostly moved twice where a tile takes a part of them.
constexpr int64_t kFewValues = 8;

/// Shuffles a vector from which on a tile transposes.
constexpr double kTransposes = 3;

/// Rows that a tile reads, from which on they are worth fetching all.
constexpr double kFetchedRows = 8;

/// A piece and what its schedule is made from.
struct PieceView {
  Problem problem;             ///< reduced, with the windows that the piece keeps
  std::vector<unsigned> whole; ///< digits of which blocks have all values
  bool fill = false;
  int64_t bytes = 0;       ///< read and written by the piece
  bool outOfCache = false; ///< what the whole problem moves does not stay in the caches
  bool outOfL1 = false;    ///< nor in a share of the first of them
};

/// True if all of `view` comes from memory, and goes there, in runs that nothing is cut from.
bool isFromMemory(const PieceView &view);

std::vector<PieceView> viewPieces(const Problem &problem, const std::vector<Piece> &pieces,
                                  const TargetInfo &target);

/// That of `pieces` with the most elements, the first of several.
const Piece &largestOf(const std::vector<Piece> &pieces);

/// True if the innermost digit is the same on both sides: runs are kept.
bool keepsRuns(const PieceView &view);

} // namespace relayout

#endif // RELAYOUT_LIB_SCHEDULE_PIECEVIEW_H
