// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Pieces that read the lines of a block of the input in the order of their addresses before they
/// move it. The processor follows that order as it does a copy's, where it would lose the streams
/// that the tiles read within the block (docs/schedules.md, "Lines read in their order").

#include "Blocks.h"
#include "BuildPiece.h"
#include "Cost/Reading.h"

using namespace relayout;
using namespace relayout::movement;

namespace {

/// What the loops from `depth` on read, in bytes, if that is one stretch of the input; else 0.
int64_t stretchBytes(const Problem &problem, const PieceSchedule &piece, size_t depth) {
  int64_t bytes = blockBytes(problem, piece, depth);
  std::vector<int64_t> block = valuesWithin(problem, piece.loops, depth);
  return runBytes(problem, block, Side::In) == bytes ? bytes : 0;
}

/// True if the tiles of `piece` shuffle what they read of several streams, where they are not too
/// many to be beside lines that wait.
bool gains(const PieceView &view, const PieceSchedule &piece) {
  Reading reading = readingOf(view.problem, piece);
  double shuffles = estimateShuffles(view, piece.tile, piece.vectorBytes);
  return reading.streams >= 2 && shuffles > 0 &&
         (!piece.carry || (shuffles < kTransposes && reading.ofTile < kFetchedRows));
}

} // namespace

std::vector<PieceSchedule> relayout::touchBlocks(const PieceView &view, const TargetInfo &target,
                                                 const PieceSchedule &piece) {
  constexpr int64_t kLeastBytes = 512, kMostBytes = 24 << 10, kFewBytes = 3 << 10;
  constexpr int64_t kWantedBytes = 4 << 10;
  std::vector<PieceSchedule> all;
  const Problem &problem = view.problem;
  // Fetched blocks give other pieces their loops, but are only added to those of carried ones.
  if (!target.memory.touches || !isFromMemory(view) || piece.vectorBytes == 0 ||
      piece.loops.empty() || (piece.fetch && !piece.carry) || !gains(view, piece))
    return all;
  size_t last = piece.stage ? *piece.stage : piece.loops.size() - 1;
  for (size_t depth = 1; depth <= last; ++depth) {
    int64_t bytes = stretchBytes(problem, piece, depth);
    if (bytes == 0 || bytes > kMostBytes)
      continue;
    PieceSchedule touched = piece;
    touched.fetch.reset();
    touched.prefetch = 0;
    touched.touch = static_cast<unsigned>(depth);
    if (bytes >= kLeastBytes)
      all.push_back(touched);
    // Between lines that wait, less is better at once.
    if (!piece.carry && bytes <= kFewBytes &&
        visitInGroups(problem, depth - 1, bytes, kWantedBytes, touched) &&
        stretchBytes(problem, touched, depth) > 0)
      all.push_back(std::move(touched));
  }
  return all;
}

PieceSchedule relayout::fetchApart(const PieceView &view, const TargetInfo &target,
                                   PieceSchedule piece) {
  if (!piece.touch || !piece.carry || *piece.touch <= *piece.carry + 1)
    return piece;
  unsigned depth = *piece.carry + 1;
  if (stretchBytes(view.problem, piece, depth) > 0 ||
      !holdsBlock(view.problem, piece, depth, target))
    return piece;
  piece.touch.reset();
  piece.fetch = depth;
  return piece;
}
