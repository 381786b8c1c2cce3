// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The parts of the cost model: what it costs to read a piece, to write it, and to shuffle it.

#ifndef RELAYOUT_LIB_SCHEDULE_COSTMODEL_H
#define RELAYOUT_LIB_SCHEDULE_COSTMODEL_H

#include "Reading.h"

namespace relayout {

/// What the cost model expects of one piece.
Prediction predictPiece(const PieceView &view, const PieceSchedule &schedule,
                        const TargetInfo &target);

/// What reads the input: tiles, of the memory or of the caches into which blocks are fetched;
/// a block's lines before tiles do; or what copies blocks into scratch memory.
enum class ReadBy { Tiles, TilesOfFetched, Touches, Packs };

ReadBy readBy(const PieceSchedule &schedule);

/// A piece with a digit of its own for the segments of each digit.
struct CostedPiece {
  const PieceView &view;
  const PieceSchedule &schedule;
  const TargetInfo &target;
  const Reading &reading;
  std::vector<std::vector<int64_t>> boxes; ///< what the innermost 0, 1, 2 ... loops cover

  const Problem &problem() const { return view.problem; }
};

struct Writing {
  double chunkBytes = 0; ///< written side by side at a visit
  int64_t pitch = 0;     ///< bytes: what divides the distances of some chunks in a row
  double inARow = 1;     ///< how many
};

Writing writingOf(const CostedPiece &piece);

/// Output pages that must stay reachable: those written inside the outermost loop
/// that still returns to a page.
double livePages(const CostedPiece &piece);

/// Vectors that a tile moves.
double tileVectors(const Problem &problem, const PieceSchedule &schedule);

/// The share of the bound that is left by how a piece reads, out of cache.
double readFactor(const CostedPiece &piece, const Prediction &p);

/// What is left where a tile takes less than a line of each stream and the streams'
/// lines evict each other from the first cache before the next tile takes the rest; all
/// where that was measured to be no loss.
double lineReuse(const CostedPiece &piece);

/// True if whole lines are stored past the caches at each visit.
bool writesPastCaches(const PieceSchedule &schedule);

/// What is left by how it writes to the memory, but for what `storeFactor` says.
double writeFactor(const CostedPiece &piece, const Prediction &p, const Writing &writing);

/// The share of a copy's speed that the instructions and the lines of its tiles leave a piece whose
/// bytes stay in the caches, but for what tiles move twice.
double cachedFactor(const CostedPiece &piece, double shuffles);

/// What is left by runs that go through scratch memory, or that the caches put together.
double storeFactor(const CostedPiece &piece, const Prediction &p);

} // namespace relayout

#endif // RELAYOUT_LIB_SCHEDULE_COSTMODEL_H
