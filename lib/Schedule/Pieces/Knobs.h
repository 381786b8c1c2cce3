// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What distinguishes the candidates for a piece, and the settings that are tried.

#ifndef RELAYOUT_LIB_SCHEDULE_KNOBS_H
#define RELAYOUT_LIB_SCHEDULE_KNOBS_H

#include "PieceView.h"

#include "relayout/Schedule/Tile.h"

namespace relayout {

/// What distinguishes the candidates for a piece.
struct Knobs {
  int64_t outBytes = 0; ///< contiguous bytes that a tile writes, about
  int64_t inLeast = 48; ///< contiguous bytes that a tile reads, at least and at most
  int64_t inMost = 64;
  int64_t visitBytes = 0; ///< written side by side before the reads move on, if more
  int64_t streams = 1;    ///< read side by side at least, where a digit allows it
  int64_t pages = 0;      ///< output pages live at most; 0: output order
  int64_t vectors = 12;   ///< vectors a tile moves at least, where it can be unrolled
  StoreMode store = StoreMode::Ordinary;
  int64_t prefetchBytes = 0;        ///< read ahead in each stream; 0: none
  double instructions = 200;        ///< of a tile's code, at most
  int64_t parts = kMaxTileElements; ///< of rows, that a tile reads at most
  bool wholeLines = true;           ///< tiles that write whole lines come first
  bool wholeDigits = false;         ///< other tiles take no part of a digit of a few values
  int64_t fetchBytes = 0; ///< of each row of a block that is fetched before it is moved; 0: none
  movement::Side along = movement::Side::Out; ///< whose rows such a block is moved along
  bool packs = false;     ///< such a block is copied into scratch memory before it is moved
  int64_t groupBytes = 0; ///< written side by side by such blocks before they go on along the input
};

/// The knobs' defaults.
Knobs defaultKnobs(const PieceView &view, const TargetInfo &target, ResultHint hint);

/// Settings of the knobs among which the cost model chooses; the first is `base`.
std::vector<Knobs> rankedKnobs(const PieceView &view, const Knobs &base, const TargetInfo &target);

/// How much code a tile may be.
enum class TileCode { Short, Long };

/// `base` with other tiles for what stays in the caches, where lines need not be written at once:
/// of short or, of much code, middling runs and of long ones on both sides, in the order of each.
std::vector<Knobs> cachedKnobs(const Knobs &base, const TargetInfo &target, TileCode code);

/// `rankedKnobs` for kept runs of two bytes, which are transposed as elements of that width are;
/// none for others.
std::vector<Knobs> shortRunKnobs(const PieceView &view, const Knobs &base,
                                 const TargetInfo &target);

/// `base` with other orders of the loops: more streams side by side, longer runs.
std::vector<Knobs> orderKnobs(const PieceView &view, const Knobs &base, const TargetInfo &target);

/// `base` with orders that fetch blocks, where `piece`, which it gave, loses what it reads ahead
/// and the target gains by it.
std::vector<Knobs> fetchKnobs(const PieceView &view, const TargetInfo &target,
                              const PieceSchedule &piece, const Knobs &base);

/// `base` with blocks that are packed, where `piece`, which it gave, is a transpose that writes
/// lines far apart, or reads parts of lines that evict each other. None where it is not known to
/// gain by it, or writes them far apart alone, and blocks of the first of `fetched`, which would be
/// fetched in its place, bring the lines of bytes near.
std::optional<Knobs> packKnobs(const PieceView &view, const TargetInfo &target,
                               const PieceSchedule &piece, const Knobs &base,
                               const std::vector<Knobs> &fetched);

} // namespace relayout

#endif // RELAYOUT_LIB_SCHEDULE_KNOBS_H
