// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Orders that fetch blocks of the input into the second cache: for tiles that read short rows, or
/// rows that evict each other's lines.

#include "Candidates.h"

#include <algorithm>

using namespace relayout;
using namespace relayout::movement;

namespace {

/// True if the rows that the tiles of `piece` read end within `bytes`, and others begin.
bool hasShortRows(const PieceView &view, const Reading &reading, int64_t bytes) {
  return reading.jump != 0 && saturatingMul(reading.row, view.problem.width) < bytes;
}

/// True if these rows, with what is prefetched of them, meet in few sets of the first cache.
bool isCrowded(const PieceView &view, const PieceSchedule &piece, const Reading &reading,
               const TargetInfo &target) {
  double ahead = 1 + static_cast<double>(target.memory.linesAhead);
  return linesPerWay(view.problem, piece, reading, target) * ahead >
         static_cast<double>(target.l1Ways);
}

/// Bytes of the output before it goes on along another digit.
int64_t outputRow(const PieceView &view) {
  unsigned inner = contiguousChain(view.problem, Side::Out)[0];
  return saturatingMul(view.problem.digits[inner].extent, view.problem.width);
}

/// Bytes of the input inside of the first `depth` loops.
int64_t blockBytes(const Problem &problem, const PieceSchedule &piece, size_t depth) {
  int64_t bytes = problem.width;
  for (int64_t values : valuesWithin(problem, piece.loops, depth))
    bytes = saturatingMul(bytes, values);
  return bytes;
}

} // namespace

PieceSchedule relayout::fetchStaged(const PieceView &view, const TargetInfo &target,
                                    PieceSchedule piece) {
  constexpr int64_t kShortBytes = 1 << 10;
  constexpr int64_t kShare = 4; // two blocks are there at once, and scratch memory
  constexpr double kManyRows = 8;
  if (!target.memory.fetches || !piece.stage)
    return piece;
  Reading reading = readingOf(view.problem, piece);
  bool loses = reading.ofTile >= kManyRows && (hasShortRows(view, reading, kShortBytes) ||
                                               isCrowded(view, piece, reading, target));
  bool putsRunsTogether = keepsRuns(view) && !piece.carry;
  if (!loses && !putsRunsTogether)
    return piece;
  for (unsigned depth = 1; depth <= *piece.stage; ++depth)
    if (blockBytes(view.problem, piece, depth) <= target.l2Bytes / kShare) {
      piece.fetch = depth;
      piece.prefetch = 0;
      return piece;
    }
  return piece;
}

std::vector<Knobs> relayout::fetchKnobs(const PieceView &view, const TargetInfo &target,
                                        const PieceSchedule &piece, const Knobs &base) {
  constexpr double kTileBytes = 16 << 10, kLeastBytes = 512, kMostRows = 64;
  std::vector<Knobs> all;
  if (!target.memory.fetches || view.fill || !view.outOfCache ||
      piece.store != StoreMode::NonTemporal)
    return all;
  Reading reading = readingOf(view.problem, piece);
  // What is read ahead is lost at the ends of short rows, and where lines evict each other. Where
  // the output's rows are short, too, an order with long runs is as good (docs/performance.md,
  // "Blocks fetched").
  constexpr int64_t kShortBytes = 4 << 10, kLongBytes = 512;
  bool loses = hasShortRows(view, reading, kShortBytes) ||
               (isCrowded(view, piece, reading, target) && outputRow(view) >= kLongBytes);
  if (reading.ofTile < 2 || !loses)
    return all;
  for (int64_t lines : {1, 2, 4}) {
    // More rows than the first TLB has entries for are slower.
    if (lines > 1 && static_cast<double>(lines) * reading.ofTile > kMostRows)
      continue;
    all.push_back(base);
    all.back().outBytes = target.lineBytes;
    all.back().visitBytes = lines * target.lineBytes;
    all.back().fetchBytes =
        static_cast<int64_t>(std::max(kLeastBytes, kTileBytes / reading.ofTile));
  }
  return all;
}
