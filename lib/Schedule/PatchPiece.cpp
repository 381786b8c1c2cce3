// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Pieces of short runs, as patches have them: a few rows of the output are put together at a time,
/// in the first cache, of blocks that are fetched into the second.

#include "Blocks.h"
#include "Pieces.h"

#include "relayout/Layout/CheckedMath.h"

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

/// Takes all values of the innermost of `loops` into `tile`, if that is small.
void unrollInside(const PieceView &view, std::vector<Loop> &loops, std::vector<int64_t> &tile) {
  constexpr int64_t kMostBytes = 1024;
  unsigned inner = loops.back().digit;
  int64_t extent = view.problem.digits[inner].extent;
  if (saturatingMul(saturatingMul(extent, view.problem.width), elementsOf(tile)) > kMostBytes)
    return;
  tile[inner] = extent;
  loops.pop_back();
}

} // namespace

bool relayout::hasPatches(const PieceView &view, const TargetInfo &target) {
  constexpr int64_t kLeastRun = 16; // shorter ones are better moved by shuffles
  if (!target.memory.fetches || !target.nonTemporal || !isFromMemory(view) || !keepsRuns(view))
    return false;
  unsigned kept = contiguousChain(view.problem, Side::Out)[0];
  int64_t run = saturatingMul(view.problem.digits[kept].extent, view.problem.width);
  return run >= kLeastRun && run < target.lineBytes;
}

std::optional<PieceSchedule> relayout::patchPiece(const PieceView &view, const TargetInfo &target) {
  constexpr int64_t kLongBytes = 4096; // of the input side by side
  constexpr int64_t kMostRows = 64;    // whose lines stay until the next box takes the rest of them
  constexpr int64_t kShare = 8;        // of the second cache, for the lines that wait
  if (!hasPatches(view, target))
    return std::nullopt;
  const Problem &problem = view.problem;
  unsigned kept = contiguousChain(problem, Side::Out)[0];
  std::optional<Gathered> gathered = gatherPatches(view);
  if (!gathered || gathered->along == kept ||
      rowsOf(view.problem, gathered->box, Side::In) > kMostRows)
    return std::nullopt;
  const auto &[box, along] = *gathered;
  PieceSchedule piece;
  piece.tile.assign(box.size(), 1);
  piece.tile[kept] = box[kept];
  piece.tile[along] = box[along];
  std::vector<Loop> inside;
  std::vector<unsigned> order = orderByStride(problem, Side::In);
  for (auto d = order.rbegin(); d != order.rend(); ++d) {
    if (*d == along)
      piece.carry = piece.loops.size();
    if (*d == along || box[*d] == 1)
      piece.loops.push_back({*d, piece.tile[*d]});
    else if (*d != kept)
      inside.push_back({*d, 1});
  }
  if (inside.empty() || waitingRows(view, piece) > target.l2Bytes / kShare / target.lineBytes)
    return std::nullopt;
  unrollInside(view, inside, piece.tile);
  piece.stage = piece.loops.size();
  piece.loops.insert(piece.loops.end(), inside.begin(), inside.end());
  piece.store = StoreMode::NonTemporal;
  piece.vectorBytes = target.vectorBytes;
  piece.fetch = fetchDepth(view, piece, target);
  if (!piece.fetch)
    return std::nullopt;
  std::vector<int64_t> block = valuesWithin(problem, piece.loops, *piece.fetch);
  return runBytes(problem, block, Side::In) < kLongBytes ? std::nullopt : std::optional(piece);
}
