// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Transposes of four bytes that carry parts of lines, in visits of four lines to each row and
/// fetched blocks: of short vectors, whose tiles take long, and to rows which lie nearly a way of
/// the first cache apart, whose lone lines are slow to write (docs/schedules.md, "Longer visits").

#include "Blocks.h"
#include "Cost/Reading.h"
#include "Pieces.h"

#include "relayout/Support/CacheLine.h"

#include <algorithm>

using namespace relayout;
using namespace relayout::movement;

namespace {

/// Lines of rows of `side` one after the other in each set of the first cache where they have any.
double linesOfRows(const Problem &problem, Side side, const TargetInfo &target) {
  constexpr int64_t kRows = 64;
  unsigned along = contiguousChain(problem, side == Side::In ? Side::Out : Side::In)[0];
  std::vector<int64_t> box(problem.digits.size(), 1);
  box[along] = std::min(kRows, problem.digits[along].extent);
  return boxLinesPerSet(problem, side, box, target.firstWayBytes());
}

bool gainsByLongVisits(const Problem &problem, const PieceSchedule &piece,
                       const TargetInfo &target) {
  constexpr int64_t kLongRow = 1280;
  const double ways = static_cast<double>(target.l1Ways);
  if (4 * target.vectorBytes <= kLineBytes)
    return true;
  bool isShort = target.vectorBytes < kLineBytes;
  if (isShort && rowBytes(problem, Side::Out) >= kLongRow &&
      linesOfRows(problem, Side::In, target) <= ways)
    return true;
  return !piece.fetch && linesOfRows(problem, Side::Out, target) > ways;
}

} // namespace

std::optional<PieceSchedule> relayout::visitLonger(const PieceView &view, const TargetInfo &target,
                                                   const PieceSchedule &piece) {
  constexpr int64_t kWidth = 4, kLines = 4, kBlockBytes = 16 << 10;
  constexpr BlockSizes kBlocks{kBlockBytes, kBlockBytes, 2 * kBlockBytes};
  const Problem &problem = view.problem;
  if (!target.memory.losesRows() || !isFromMemory(view) || !piece.carry || keepsRuns(view) ||
      contiguousChain(problem, Side::In).empty() || problem.width != kWidth ||
      readingOf(problem, piece).ofTile < kFetchedRows ||
      stagedBlock(problem, piece).run * kWidth > kLineBytes ||
      !gainsByLongVisits(problem, piece, target))
    return std::nullopt;
  const int64_t line = kLineBytes / kWidth;
  std::vector<int64_t> tile(problem.digits.size(), 1);
  coverRow(problem, Side::Out, line, tile);
  coverRow(problem, Side::In, line / 2, tile);
  Knobs knobs = defaultKnobs(view, target, ResultHint::Cold);
  std::optional<PieceSchedule> longer =
      carryTile(view, target, knobs, tile, kLines * kLineBytes, /*mostBytes=*/0);
  return longer ? fetchStaged(problem, std::move(*longer), kBlocks) : std::nullopt;
}
