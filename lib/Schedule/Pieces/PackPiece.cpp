// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Transposes whose rows lie so that lines of several evict each other, or lines written wait for
/// each other in the memory: blocks of the input are copied into scratch memory row by row, and
/// tiles write two lines and more side by side from there, of a part of a line of each row
/// (docs/schedules.md, "Blocks packed").

#include "Blocks.h"
#include "BuildPiece.h"
#include "Cost/Reading.h"

#include "relayout/Support/CacheLine.h"

using namespace relayout;
using namespace relayout::movement;

namespace {

/// From row to row on a side, in bytes: of the rows along which the other side is written or read.
int64_t rowPitch(const Problem &problem, Side side) {
  unsigned along = contiguousChain(problem, side == Side::In ? Side::Out : Side::In)[0];
  return pitchOf(problem, along, side);
}

/// True if tiles of short vectors, which read parts of lines, find that what is left of them is
/// gone before the next tile, since they meet in few sets of the first cache.
bool losesParts(const Problem &problem, const PieceSchedule &piece, const Reading &reading,
                const TargetInfo &target) {
  constexpr int64_t kNearBytes = 512; // what is written so near is soon written on
  return target.vectorBytes < kLineBytes && problem.width <= 4 &&
         linesPerSet(problem, piece, reading, target) >= target.l1Ways &&
         rowPitch(problem, Side::Out) >= kNearBytes;
}

/// True if the tiles of `piece` read lines of which what is left is gone before the next tile, and
/// packed blocks are faster. Vectors of whole lines turn rows of four bytes faster without, unless
/// those are very long (docs/schedules.md, "Rows nearly a way apart").
bool evictsLines(const Problem &problem, const PieceSchedule &piece, const TargetInfo &target) {
  constexpr int64_t kMaxWidth = 4, kLongRow = 10 << 10;
  if (problem.width > kMaxWidth)
    return false;
  if (problem.width == kMaxWidth && target.vectorBytes == kLineBytes &&
      rowBytes(problem, Side::In) < kLongRow)
    return false;
  return readsPartLines(problem, piece.tile) && evictsPartLines(problem, piece.tile, target);
}

/// True if lines written one below the other, `pitch` bytes apart, are slow: of bytes nearly all,
/// of wider elements those that many rows have at the same place of a page.
bool areSlow(int64_t pitch, int64_t width) {
  constexpr int64_t kOfBytes = 1 << 10, kOfPairs = 8 << 10, kOfWords = 64 << 10;
  if (width == 1)
    return pitch >= kOfBytes;
  return (width == 2 && pitch % kOfPairs == 0) || (width == 4 && pitch % kOfWords == 0);
}

/// True if elements of more than bytes are fetched as well as packed: from short rows that lie one
/// after the other, which are one stretch, or from tiny ones in many sets of the first cache.
bool readsShortRows(const Problem &problem, const TargetInfo &target) {
  constexpr int64_t kShortBytes = 1 << 10, kTinyBytes = 48;
  int64_t row = rowBytes(problem, Side::In), pitch = rowPitch(problem, Side::In);
  bool isTiny = row < kTinyBytes && pitch % target.firstWayBytes() != 0;
  return problem.width > 1 && (isTiny || (row < kShortBytes && pitch == row));
}

} // namespace

std::optional<Knobs> relayout::packKnobs(const PieceView &view, const TargetInfo &target,
                                         const PieceSchedule &piece, const Knobs &base,
                                         const std::vector<Knobs> &fetched) {
  constexpr int64_t kFarBytes = 128 << 10, kGroupBytes = 4 << 10, kManyPages = 16;
  constexpr int64_t kLongBytes = 4 << 10;
  const Problem &problem = view.problem;
  Reading reading = readingOf(problem, piece);
  if (!target.memory.packs || !isFromMemory(view) || piece.store != StoreMode::NonTemporal ||
      reading.ofTile < kFetchedRows || rowBytes(problem, Side::In) < kLineBytes / 4 ||
      contiguousChain(problem, Side::In).empty() || contiguousChain(problem, Side::Out).empty())
    return std::nullopt;
  bool evicts = evictsLines(problem, piece, target);
  bool isSlow = areSlow(rowPitch(problem, Side::Out), problem.width) &&
                !readsShortRows(problem, target) &&
                (fetched.empty() ||
                 !bringsBytesNear(view, target, buildPiece(view, target, fetched.front())));
  if (!evicts && !losesParts(problem, piece, reading, target) && !isSlow)
    return std::nullopt;
  int64_t pitch = rowPitch(problem, Side::In), line = kLineBytes;
  // Of rows that start within lines, two parts that follow each other read a line both. Bytes are
  // better off in a block whose lines come near.
  bool isLong = problem.width > 1 && rowBytes(problem, Side::In) >= kLongBytes;
  if (!evicts && pitch % line != 0 && !isLong)
    return std::nullopt;
  Knobs knobs = base;
  knobs.packs = true;
  knobs.outBytes = line;
  knobs.inLeast = knobs.inMost = problem.width == 2 ? line / 2 : line / 4;
  // Rows that are far apart have a few lines each in the second cache, if any.
  bool isFar = pitch >= kFarBytes && problem.width < 4;
  knobs.visitBytes = isFar ? line : problem.width == 4 ? 4 * line : 2 * line;
  // Rows that meet in one set of the first cache are read in longer parts.
  bool isCrowded = pitch % target.firstWayBytes() == 0;
  knobs.fetchBytes = problem.width == 1 && !isCrowded ? 2 * line : 4 * line;
  knobs.groupBytes = kGroupBytes;
  knobs.pages = kManyPages * target.tlbPages;
  knobs.prefetchBytes = 0;
  return knobs;
}
