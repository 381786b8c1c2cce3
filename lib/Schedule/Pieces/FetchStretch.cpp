// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Blocks that are one stretch of the input, of which tiles read several rows side by side
/// (docs/schedules.md, "Stretches of rows").

#include "Blocks.h"
#include "Cost/Reading.h"

using namespace relayout;
using namespace relayout::movement;

namespace {

/// True if tiles read rows side by side that end too soon to be followed for long: of some KiB, or
/// shorter ones of a large block, which has `bytes`.
bool readsShortRows(const PieceView &view, const PieceSchedule &piece, int64_t bytes) {
  constexpr int64_t kLeastRow = 4 << 10, kLongRow = 16 << 10, kLongBlock = 16 << 10;
  constexpr double kSeveral = 2;
  Reading reading = readingOf(view.problem, piece);
  int64_t row = saturatingMul(reading.row, view.problem.width);
  return reading.ofTile >= kSeveral && reading.jump != 0 && row <= kLongRow &&
         (row >= kLeastRow || bytes >= kLongBlock);
}

} // namespace

PieceSchedule relayout::fetchStretch(const PieceView &view, const TargetInfo &target,
                                     PieceSchedule piece) {
  if (!target.memory.losesRows() || view.fill || piece.fetch || piece.touch || piece.pack ||
      piece.loops.empty() || (piece.stage && !piece.carry))
    return piece;
  std::optional<unsigned> depth = fetchDepth(view, piece, target);
  if (!depth ||
      rowsOf(view.problem, valuesWithin(view.problem, piece.loops, *depth), Side::In) > 1 ||
      !readsShortRows(view, piece, blockBytes(view.problem, piece, *depth)))
    return piece;
  piece.fetch = depth;
  piece.prefetch = 0;
  piece.cache = 1;
  return piece;
}
