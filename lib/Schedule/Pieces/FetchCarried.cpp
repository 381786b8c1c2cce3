// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Blocks of the input for pieces that carry parts of lines: small ones, beside which what waits
/// stays in the caches (docs/schedules.md, "Blocks of carried pieces").

#include "Blocks.h"
#include "Cost/Reading.h"

#include "relayout/Layout/CheckedMath.h"
#include "relayout/Support/CacheLine.h"

#include <algorithm>

using namespace relayout;
using namespace relayout::movement;

namespace {

/// True if a piece that carries parts of lines, and whose tiles read many rows, gains by small
/// blocks: where rows are short and each tile takes a large part of them, or where two lines of
/// each row of the output are written at a visit (docs/schedules.md, "Blocks of carried pieces").
bool gainsFromRows(const PieceView &view, const PieceSchedule &piece, const Reading &reading,
                   bool isOneStretch) {
  constexpr int64_t kTinyRow = 512, kLongRow = 4 << 10, kWide = 4, kNarrow = 2;
  constexpr double kNarrowRows = 32;
  int64_t width = view.problem.width;
  int64_t part = runBytes(view.problem, piece.tile, Side::In);
  if (saturatingMul(reading.row, width) < kTinyRow)
    return isOneStretch || (width >= kWide && part >= kLineBytes / 2);
  return width == kNarrow && rowBytes(view.problem, Side::In) > kLongRow &&
         reading.streams >= kNarrowRows && part >= kLineBytes / 4 &&
         saturatingMul(stagedBlock(view.problem, piece).run, width) == 2 * kLineBytes;
}

/// What the first cache about holds.
constexpr BlockSizes kSmallBlocks{4 << 10, 16 << 10, 48 << 10};

} // namespace

bool relayout::visitInGroups(const Problem &problem, size_t i, int64_t bytes, int64_t wanted,
                             PieceSchedule &piece) {
  const Loop loop = piece.loops[i];
  auto isOutside = [&](const Loop &other) { return other.digit == loop.digit; };
  auto begin = piece.loops.begin(), end = begin + static_cast<std::ptrdiff_t>(i);
  auto outer = std::find_if(begin, end, isOutside);
  int64_t visits = valuesWithin(problem, piece.loops, i)[loop.digit] / loop.step;
  int64_t times = ceilDiv(wanted, bytes);
  if (times <= 1 || times >= visits || std::count_if(begin, end, isOutside) > 1)
    return false;
  // Groups of about equal size: a short one would not fetch all of the next.
  if (outer == end)
    times = ceilDiv(visits, ceilDiv(visits, times));
  int64_t group = loop.step * times;
  if (outer != end && outer->step / group <= 1)
    return false;
  if (outer != end)
    outer->step = outer->step / group * group;
  piece.loops.insert(piece.loops.begin() + static_cast<std::ptrdiff_t>(i), {loop.digit, group});
  if (piece.stage)
    ++*piece.stage;
  if (piece.carry && i < *piece.carry)
    ++*piece.carry;
  return true;
}

int64_t relayout::rowsFetched(const Problem &problem, const PieceSchedule &piece) {
  return rowsOf(problem, valuesWithin(problem, piece.loops, *piece.fetch), Side::In);
}

bool relayout::blockCrowdsSecondCache(const Problem &problem, const PieceSchedule &piece,
                                      const TargetInfo &target) {
  std::vector<int64_t> block = valuesWithin(problem, piece.loops, piece.fetch.value_or(0));
  double lines = boxLinesPerSet(problem, Side::In, block, target.secondWayBytes());
  return 2 * lines > static_cast<double>(target.l2Ways);
}

std::optional<PieceSchedule> relayout::fetchStaged(const Problem &problem, PieceSchedule piece,
                                                   const BlockSizes &sizes) {
  if (*piece.stage == 0)
    return std::nullopt;
  unsigned depth = 1;
  while (depth < *piece.stage && blockBytes(problem, piece, depth) > sizes.most)
    ++depth;
  int64_t bytes = blockBytes(problem, piece, depth);
  if (bytes > sizes.most)
    return std::nullopt;
  if (bytes < sizes.least)
    visitInGroups(problem, depth - 1, bytes, sizes.wanted, piece);
  piece.fetch = depth;
  piece.prefetch = 0;
  return piece;
}

std::optional<PieceSchedule> relayout::fetchCarried(const PieceView &view, const TargetInfo &target,
                                                    const PieceSchedule &piece) {
  constexpr int64_t kShortRow = 1 << 10, kLongRow = 16 << 10;
  Reading reading = readingOf(view.problem, piece);
  if (!target.memory.fetches || !piece.carry || reading.jump == 0)
    return std::nullopt;
  std::optional<PieceSchedule> blocks = fetchStaged(view.problem, piece, kSmallBlocks);
  if (!blocks)
    return std::nullopt;
  int64_t row = saturatingMul(reading.row, view.problem.width);
  bool isOneStretch = rowsFetched(view.problem, *blocks) == 1;
  bool gains = reading.ofTile < kFetchedRows ? isOneStretch && row >= kShortRow && row <= kLongRow
                                             : gainsFromRows(view, piece, reading, isOneStretch);
  if (target.memory.followsRows && (reading.ofTile >= kFetchedRows || !isOneStretch))
    return std::nullopt;
  return gains ? blocks : std::nullopt;
}

std::optional<PieceSchedule> relayout::fetchByteRows(const PieceView &view,
                                                     const TargetInfo &target,
                                                     const PieceSchedule &piece) {
  constexpr int64_t kLeastRow = 512;
  Reading reading = readingOf(view.problem, piece);
  if (!target.memory.fetches || !piece.carry || view.problem.width != 1 ||
      reading.row < kLeastRow || reading.ofTile < static_cast<double>(kLineBytes))
    return std::nullopt;
  return fetchStaged(view.problem, piece, kSmallBlocks);
}
