// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// From knobs to a piece: its tile, the loops around it, its stores and what is prefetched.

#include "BuildPiece.h"
#include "Cost/Reading.h"

#include "relayout/Support/CacheLine.h"

#include <algorithm>

using namespace relayout;
using namespace relayout::movement;

namespace {

/// Unrolls the innermost loop until the tile moves `vectors` vectors, where that
/// neither repeats elements nor costs whole lines.
void unroll(const PieceView &view, const TargetInfo &target, int64_t vectors,
            const std::vector<Loop> &loops, std::vector<int64_t> &tile) {
  if (loops.empty())
    return;
  unsigned d = loops.back().digit;
  int64_t extent = view.problem.digits[d].extent;
  int64_t bytes = saturatingMul(elementsOf(tile), view.problem.width);
  int64_t vector = std::max(target.vectorBytes, view.problem.width);
  int64_t most = vectors / std::max<int64_t>(1, bytes / vector);
  bool lines = writesWholeLines(view.problem, tile);
  for (int64_t times = std::min(most, extent / tile[d]); times > 1; --times) {
    std::vector<int64_t> wider = tile;
    wider[d] *= times;
    if (extent % wider[d] == 0 && isBorderApart(view.problem, wider) &&
        (!lines || writesWholeLines(view.problem, wider))) {
      tile = wider;
      return;
    }
  }
}

StoreMode admittedStore(StoreMode wanted, const PieceView &view, const TargetInfo &target,
                        const std::vector<int64_t> &tile, int64_t vectorBytes) {
  bool lines = vectorBytes > 0 && writesWholeLines(view.problem, tile);
  if (wanted == StoreMode::NonTemporal && !(target.nonTemporal && lines))
    wanted = StoreMode::Prefetch;
  if (wanted == StoreMode::Prefetch && !(target.prefetchWrite && target.memory.fetchesWritten))
    wanted = StoreMode::Ordinary;
  return wanted;
}

} // namespace

int64_t relayout::prefetchDistance(const PieceView &view, const PieceSchedule &piece, int64_t bytes,
                                   const TargetInfo &target) {
  constexpr int64_t kLongRunBytes = 1024;
  constexpr int64_t kFar = int64_t(1) << 40; // pointless beyond
  Reading reading = readingOf(view.problem, piece);
  bool isShort = saturatingMul(reading.row, view.problem.width) < kLongRunBytes;
  // Lines that evict each other from the first cache are gone before they are read. Up to some
  // times its ways the second one still has them; beyond, the next one alone may be there yet.
  if (linesPerSet(view.problem, piece, reading, target) > 4 * target.l1Ways) {
    bool isNear = target.memory.partLines < 1 && !isShort;
    return isNear ? std::min(bytes, kLineBytes) / view.problem.width : 0;
  }
  if (bytes > 0 && isShort && reading.jump > 0)
    return std::min(reading.jump, kFar);
  return bytes / view.problem.width;
}

PieceSchedule relayout::buildPiece(const PieceView &view, const TargetInfo &target,
                                   const Knobs &knobs) {
  PieceSchedule piece;
  piece.tile = chooseTile(view, target, knobs);
  // The tile goes on along one row: those read side by side are tiles of their own.
  Knobs oneStream = knobs;
  oneStream.streams = 1;
  piece.loops = orderLoops(view, target, oneStream, piece.tile).loops;
  unroll(view, target, knobs.vectors, piece.loops, piece.tile);
  if (target.isa != VectorISA::Scalar && target.vectorBytes > view.problem.width)
    piece.vectorBytes = target.vectorBytes;
  piece.store = admittedStore(knobs.store, view, target, piece.tile, piece.vectorBytes);
  Knobs order = knobs;
  // What ordinary stores leave of a line is put together in the caches.
  if (view.outOfCache && piece.store != StoreMode::NonTemporal)
    order.visitBytes = 0;
  LoopNest nest = orderLoops(view, target, order, piece.tile);
  piece.loops = std::move(nest.loops);
  piece.fetch = nest.fetch;
  if (knobs.packs)
    piece.pack = nest.fetch;
  // Of what is fetched, only rows that are read straight on gain by a prefetch of their own.
  bool isAhead = !piece.fetch || knobs.along == Side::In;
  if (!view.fill && isAhead)
    piece.prefetch = prefetchDistance(view, piece, knobs.prefetchBytes, target);
  return piece;
}
