// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Transposes that go through scratch memory, of rows that lie about a way of the first cache
/// apart, or many: their lines meet in few of its sets, and evict each other before the next tile
/// reads on. So blocks of them are copied together first, row by row, and parts of lines wait
/// (docs/schedules.md, "Rows nearly a way apart").

#include "Blocks.h"
#include "Cost/Reading.h"
#include "Pieces.h"

#include "relayout/Support/CacheLine.h"

#include <algorithm>

using namespace relayout;
using namespace relayout::movement;

namespace {

/// Rows of the input of which a block has a part.
constexpr int64_t kRows = 64;

/// A part of a line of each row of the input, by a line of the output.
std::vector<int64_t> tileOfParts(const Problem &problem) {
  const int64_t part = kLineBytes / 4 / problem.width;
  std::vector<int64_t> tile(problem.digits.size(), 1);
  const int64_t line = kLineBytes / problem.width;
  unsigned inner = contiguousChain(problem, Side::Out)[0];
  int64_t extent = problem.digits[inner].extent;
  // Whole lines can be joined with what waits in a tile's registers. They repeat little; visits to
  // rows that are hardly longer than a block write several of these as one run.
  if (3 * extent > 4 * kRows && 4 * evenPart(extent, line) >= 3 * line)
    tile[inner] = line;
  coverRow(problem, Side::Out, line, tile);
  coverRow(problem, Side::In, part, tile);
  return tile;
}

} // namespace

std::optional<PieceSchedule> relayout::packCarried(const PieceView &view, const TargetInfo &target,
                                                   const PieceSchedule &piece) {
  constexpr int64_t kBlockBytes = 16 << 10, kMaxWidth = 4, kNarrow = 2;
  constexpr BlockSizes kBlocks{kBlockBytes, kBlockBytes, 2 * kBlockBytes};
  const Problem &problem = view.problem;
  if (!target.memory.packs || !isFromMemory(view) || !piece.stage || keepsRuns(view) ||
      contiguousChain(problem, Side::In).empty() || problem.width > kMaxWidth ||
      readingOf(problem, piece).ofTile < kFetchedRows ||
      !evictsPartLines(problem, piece.tile, target))
    return std::nullopt;
  std::vector<int64_t> tile = tileOfParts(problem);
  Knobs knobs = defaultKnobs(view, target, ResultHint::Cold);
  std::optional<PieceSchedule> packed =
      carryTile(view, target, knobs, tile, kRows * problem.width, /*mostBytes=*/0, /*depth=*/2);
  if (!packed)
    packed = carryTile(view, target, knobs, tile, kRows * problem.width, /*mostBytes=*/0);
  if (packed)
    packed = fetchStaged(problem, std::move(*packed), kBlocks);
  if (!packed)
    return packed;
  packed->pack = packed->fetch;
  // What waits is joined in registers, a line of each row at a time.
  int64_t written = runBytes(problem, packed->tile, Side::Out);
  if (problem.width <= kNarrow && target.vectorBytes == kLineBytes && written % kLineBytes == 0 &&
      stagedBlock(problem, *packed).run <= kRows)
    packed->stage = static_cast<unsigned>(packed->loops.size());
  return packed;
}

PieceSchedule relayout::packFetched(const PieceView &view, const TargetInfo &target,
                                    PieceSchedule piece) {
  constexpr int64_t kMaxWidth = 2;
  const Problem &problem = view.problem;
  bool isOfBlocks = piece.stage && piece.fetch && *piece.fetch < piece.loops.size();
  if (!target.memory.packs || !isOfBlocks || piece.pack || problem.width > kMaxWidth ||
      !isFromMemory(view) || keepsRuns(view) || contiguousChain(problem, Side::In).empty() ||
      readingOf(problem, piece).ofTile < kFetchedRows ||
      !evictsPartLines(problem, piece.tile, target, TileStarts::OfAny))
    return piece;
  PieceSchedule packed = piece;
  packed.pack = packed.fetch;
  // Beside what waits.
  bool fits = saturatingMul(packedBlock(problem, packed).elements, problem.width) <= target.l2Bytes;
  return fits ? packed : piece;
}
