// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Pieces of short runs, as patches have them: a few rows of the output are put together at a time,
/// in the first cache, of blocks that are fetched into the second.

#include "Blocks.h"
#include "Pieces.h"

#include "relayout/Layout/CheckedMath.h"
#include "relayout/Support/CacheLine.h"

#include <algorithm>

using namespace relayout;
using namespace relayout::movement;

namespace {

/// What short runs of the input are put together to: `box` values of each digit, and the digit
/// that the output's rows go on along.
struct Gathered {
  std::vector<int64_t> box;
  unsigned along;
};

/// About `bytes` of a row of the output; none if it has no more.
std::optional<Gathered> gatherRuns(const PieceView &view, int64_t bytes) {
  Gathered gathered{std::vector<int64_t>(view.problem.digits.size(), 1), 0};
  int64_t run = 1;
  for (unsigned d : contiguousChain(view.problem, Side::Out)) {
    int64_t extent = view.problem.digits[d].extent, values = extent;
    int64_t has = saturatingMul(run, view.problem.width);
    gathered.along = d;
    if (has >= bytes - bytes / 4)
      return gathered;
    if (run > 1)
      values = std::min(extent, ceilDiv(bytes, has));
    // The rest of a digit in equal parts.
    values = values * 4 >= extent * 3 ? extent : ceilDiv(extent, ceilDiv(extent, values));
    gathered.box[d] = values;
    run = saturatingMul(run, values);
    if (values < extent)
      return gathered;
  }
  return std::nullopt;
}

/// As little as hides what a visit takes, or more where the ends of what it is part of would count.
std::optional<Gathered> gatherPatches(const PieceView &view) {
  constexpr int64_t kBytes = 2048, kMostBytes = 8192, kLongRow = 16 << 10;
  std::optional<Gathered> gathered = gatherRuns(view, kBytes);
  if (!gathered)
    return std::nullopt;
  std::vector<int64_t> row = gathered->box;
  row[gathered->along] = view.problem.digits[gathered->along].extent;
  if (runBytes(view.problem, row, Side::Out) >= kLongRow)
    return gathered;
  std::optional<Gathered> more = gatherRuns(view, kMostBytes);
  return more ? more : gathered;
}

/// Rows of the output that wait while the loops inside of that which they go on along go round.
int64_t waitingRows(const PieceView &view, const PieceSchedule &piece) {
  int64_t rows = 1;
  for (size_t i = *piece.carry + 1; i < piece.loops.size(); ++i)
    rows = saturatingMul(rows, view.problem.digits[piece.loops[i].digit].extent);
  return rows;
}

/// Takes the innermost of `loops` into `tile` while it is small, and of the next one a part if it
/// is still tiny: one that divides it where a loop outside goes on along its digit.
void unrollInside(const PieceView &view, std::vector<Loop> &loops, std::vector<int64_t> &tile) {
  constexpr int64_t kMostBytes = 1024, kTiny = 256;
  for (bool isWhole = true; isWhole && !loops.empty();) {
    Loop &inner = loops.back();
    int64_t bytes = saturatingMul(elementsOf(tile), view.problem.width), values = inner.step;
    isWhole = saturatingMul(values, bytes) <= kMostBytes;
    if (!isWhole && bytes >= kTiny)
      return;
    bool isOfBlock = values < view.problem.digits[inner.digit].extent;
    int64_t part = std::min(values, kMostBytes / bytes);
    while (isOfBlock && values % part != 0)
      --part;
    tile[inner.digit] = isOfBlock ? part : evenPart(values, part);
    inner.step = tile[inner.digit];
    if (isWhole)
      loops.pop_back();
  }
}

/// True if the runs of fewer rows are put together than lie side by side in each, as mostly from
/// images to patches, and mostly not back.
bool joinsFewRows(const Problem &problem) {
  std::vector<unsigned> in = contiguousChain(problem, Side::In);
  std::vector<unsigned> out = contiguousChain(problem, Side::Out);
  return in.size() > 1 && out.size() > 1 && in[1] != out[1] &&
         problem.digits[out[1]].extent < problem.digits[in[1]].extent;
}

/// True if tiles of `piece`, which read a part of one row each, lose to such as take all rows of a
/// patch and shuffle: where these are few, or give tiny runs; and, back to rows of an image, where
/// those are long (docs/schedules.md, "Patches").
bool isBetterShuffled(const PieceView &view, const PieceSchedule &piece) {
  constexpr int64_t kFewRows = 4, kTinyRun = 16, kLongRow = 2 << 10;
  const Problem &problem = view.problem;
  std::vector<unsigned> in = contiguousChain(problem, Side::In);
  std::vector<unsigned> out = contiguousChain(problem, Side::Out);
  if (in.size() < 2 || in[1] == out[1] || rowsOf(problem, piece.tile, Side::In) > 1)
    return false;
  int64_t run = rowBytes(problem, Side::Out);
  int64_t rows = problem.digits[out[1]].extent; // of which runs are put together
  if (joinsFewRows(problem))
    return rows <= kFewRows || run < kTinyRun;
  return in.size() > 2 && out[1] == in[2] && saturatingMul(run, rows) >= kLongRow;
}

} // namespace

bool relayout::hasPatches(const PieceView &view, const TargetInfo &target) {
  // Shorter ones are better moved by shuffles.
  const int64_t leastRun = target.memory.losesRows() ? 8 : 16;
  if (!target.memory.fetches || !target.nonTemporal || !isFromMemory(view) || !keepsRuns(view))
    return false;
  int64_t run = rowBytes(view.problem, Side::Out);
  return run >= leastRun && run < kLineBytes;
}

std::optional<PieceSchedule> relayout::patchPiece(const PieceView &view, const TargetInfo &target) {
  constexpr int64_t kShare = 8; // of the second cache, for the lines that wait
  if (!hasPatches(view, target))
    return std::nullopt;
  const Problem &problem = view.problem;
  const bool isWide = target.memory.losesRows() && joinsFewRows(problem);
  const int64_t longBytes = isWide ? 2 << 10 : 4 << 10; // of the input side by side
  const int64_t mostRows = isWide ? 128 : 64; // whose lines stay until the next box takes the rest
  unsigned kept = contiguousChain(problem, Side::Out)[0];
  std::optional<Gathered> gathered = gatherPatches(view);
  if (!gathered || gathered->along == kept ||
      rowsOf(view.problem, gathered->box, Side::In) > mostRows)
    return std::nullopt;
  const auto &[box, along] = *gathered;
  PieceSchedule piece;
  piece.tile.assign(box.size(), 1);
  piece.tile[kept] = box[kept];
  std::vector<Loop> inside;
  std::vector<unsigned> order = orderByStride(problem, Side::In);
  for (auto d = order.rbegin(); d != order.rend(); ++d) {
    if (*d == along)
      piece.carry = piece.loops.size();
    if (*d == along || box[*d] == 1)
      piece.loops.push_back({*d, box[*d]});
    if (*d != kept && box[*d] > 1)
      inside.push_back({*d, box[*d]});
  }
  if (inside.empty() || waitingRows(view, piece) > target.l2Bytes / kShare / kLineBytes)
    return std::nullopt;
  unrollInside(view, inside, piece.tile);
  for (Loop &loop : inside)
    loop.step = piece.tile[loop.digit];
  if (target.memory.losesRows() && isBetterShuffled(view, piece))
    return std::nullopt;
  piece.stage = piece.loops.size();
  piece.loops.insert(piece.loops.end(), inside.begin(), inside.end());
  piece.store = StoreMode::NonTemporal;
  piece.vectorBytes = target.vectorBytes;
  piece.fetch = fetchDepth(view, piece, target);
  if (!piece.fetch)
    return std::nullopt;
  std::vector<int64_t> block = valuesWithin(problem, piece.loops, *piece.fetch);
  return runBytes(problem, block, Side::In) < longBytes ? std::nullopt : std::optional(piece);
}
