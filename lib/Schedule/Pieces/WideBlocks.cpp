// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Transposes of bytes whose rows start anywhere in a line, in blocks of some hundred bytes of each
/// row on both sides. The memory does not hide what their tiles shuffle and what it takes to join
/// parts of lines, so a visit writes more than a line of a row, and a tile stores most of a vector
/// at a time (docs/schedules.md, "Bytes in wide blocks").

#include "Blocks.h"
#include "Cost/Reading.h"
#include "Pieces.h"

#include <algorithm>

using namespace relayout;
using namespace relayout::movement;

namespace {

/// True if `piece` moves little of each row at a time, and fetches many rows for that.
bool movesLittle(const PieceView &view, const PieceSchedule &piece) {
  constexpr int64_t kShortVisit = 128, kManyRows = 48;
  if (piece.fetch && rowsFetched(view.problem, piece) < kManyRows)
    return false;
  // What is staged whole reads little of each row, too.
  if (!piece.carry)
    return readingOf(view.problem, piece).ofTile >= kFetchedRows;
  return stagedBlock(view.problem, piece).run < kShortVisit || hasShortRowsOfBoth(view.problem);
}

/// Parts of rows of the input by most of a vector of the output's. Of long rows, less is taken at a
/// time, which the next tiles find in the first cache.
std::vector<int64_t> tileOfBytes(const Problem &problem, int64_t vectorBytes) {
  constexpr int64_t kManyVectors = 8, kLongRow = 256, kShort = 16, kLong = 32;
  unsigned in = contiguousChain(problem, Side::In)[0];
  unsigned out = contiguousChain(problem, Side::Out)[0];
  int64_t read = problem.digits[in].extent, written = problem.digits[out].extent;
  std::vector<int64_t> tile(problem.digits.size(), 1);
  tile[out] = written >= kManyVectors * vectorBytes ? vectorBytes : evenPart(written, vectorBytes);
  bool isShort = read >= kLongRow && tile[out] >= vectorBytes / 4 * 3;
  tile[in] = evenPart(read, isShort ? kShort : kLong);
  return tile;
}

} // namespace

std::optional<PieceSchedule> relayout::wideByteBlocks(const PieceView &view,
                                                      const TargetInfo &target,
                                                      const PieceSchedule &piece) {
  constexpr int64_t kVisitBytes = 256, kShortVisitBytes = 128, kMostBytes = 768, kTimes = 4;
  constexpr BlockSizes kBlocks{48 << 10, 64 << 10, 96 << 10};
  constexpr BlockSizes kShortBlocks{48 << 10, 64 << 10, 128 << 10};
  const Problem &problem = view.problem;
  if (!target.memory.losesRows() || !isFromMemory(view) || !piece.stage || problem.width != 1 ||
      keepsRuns(view) || contiguousChain(problem, Side::In).empty() ||
      view.bytes < (piece.carry ? kTimes : 1) * target.l2Bytes || !movesLittle(view, piece))
    return std::nullopt;
  std::vector<int64_t> tile = tileOfBytes(problem, target.vectorBytes);
  bool isFew = std::any_of(tile.begin(), tile.end(),
                           [](int64_t values) { return values > 1 && values <= kFewValues; });
  if (isFew)
    return std::nullopt;
  Knobs knobs = defaultKnobs(view, target, ResultHint::Cold);
  // Where rows of both sides are short, a block had better have more of the input side by side.
  bool areShort = hasShortRowsOfBoth(problem);
  std::optional<PieceSchedule> wide =
      carryTile(view, target, knobs, tile, areShort ? kShortVisitBytes : kVisitBytes, kMostBytes);
  if (wide)
    wide = fetchStaged(problem, std::move(*wide), areShort ? kShortBlocks : kBlocks);
  if (!wide || blockCrowdsSecondCache(problem, *wide, target))
    return std::nullopt;
  std::optional<PieceSchedule> lines = longByteLines(view, target);
  return lines ? lines : wide;
}
