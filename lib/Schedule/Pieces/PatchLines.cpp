// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Pieces of short runs of which those of several rows of the input make whole lines of the output,
/// as patches of images have them: a line of each row at a time, or some where that is little, of
/// blocks that are fetched (docs/schedules.md, "Patches of whole lines").

#include "Blocks.h"
#include "Pieces.h"

#include "relayout/Layout/CheckedMath.h"
#include "relayout/Support/CacheLine.h"

#include <algorithm>
#include <numeric>
#include <tuple>

using namespace relayout;
using namespace relayout::movement;

namespace {

/// Grows the runs in `tile` by digits of the output until they make whole lines, and then by the
/// first of these that is not whole, up to `most` bytes in all.
void growToLines(const Problem &problem, const std::vector<unsigned> &chain, int64_t most,
                 std::vector<int64_t> &tile) {
  int64_t run = saturatingMul(tile[chain[0]], problem.width);
  for (size_t i = 1; i < chain.size() && run % kLineBytes != 0; ++i) {
    int64_t extent = problem.digits[chain[i]].extent, unit = kLineBytes / std::gcd(run, kLineBytes);
    int64_t others = saturatingMul(elementsOf(tile) / tile[chain[i]], problem.width);
    tile[chain[i]] =
        extent % unit != 0 ? extent : evenPart(extent, std::max<int64_t>(1, most / others), unit);
    run = saturatingMul(run, tile[chain[i]]);
  }
}

} // namespace

std::optional<PieceSchedule> relayout::patchLines(const PieceView &view, const TargetInfo &target) {
  constexpr int64_t kLeastRun = 16, kLeastRow = 512; // of the input
  constexpr int64_t kTileBytes = 1024, kMostTileBytes = 2048, kLeastBlock = 4096;
  constexpr int64_t kShare = 8; // of the second cache, for a block
  if (!target.memory.losesRows() || !hasPatches(view, target))
    return std::nullopt;
  const Problem &problem = view.problem;
  std::vector<unsigned> in = contiguousChain(problem, Side::In);
  std::vector<unsigned> out = contiguousChain(problem, Side::Out);
  if (in.size() < 2 || out.size() < 2 || in[1] == out[1])
    return std::nullopt;
  auto [kept, along, rows] = std::tuple(in[0], in[1], out[1]);
  int64_t run = rowBytes(problem, Side::In);
  int64_t values = problem.digits[along].extent, lineValues = kLineBytes / run;
  if (run < kLeastRun || kLineBytes % run != 0 || values < lineValues ||
      saturatingMul(values, run) < kLeastRow)
    return std::nullopt;
  PieceSchedule piece;
  piece.tile.assign(problem.digits.size(), 1);
  piece.tile[kept] = problem.digits[kept].extent;
  piece.tile[along] = lineValues;
  growToLines(problem, out, kTileBytes, piece.tile);
  if (saturatingMul(elementsOf(piece.tile), problem.width) > kMostTileBytes ||
      !writesWholeLines(problem, piece.tile))
    return std::nullopt;
  auto addLoop = [&](unsigned d) {
    if (piece.tile[d] < problem.digits[d].extent)
      piece.loops.push_back({d, piece.tile[d]});
  };
  std::vector<unsigned> order = orderByStride(problem, Side::In);
  for (auto d = order.rbegin(); d != order.rend(); ++d)
    if (*d != along && *d != rows)
      addLoop(*d);
  std::vector<int64_t> box = piece.tile;
  box[along] = values;
  box[rows] = problem.digits[rows].extent;
  int64_t block = saturatingMul(elementsOf(box), problem.width);
  int64_t most = target.l2Bytes / kShare;
  if (block > most) {
    int64_t step = evenPart(values, most / (block / values), piece.tile[along]);
    if (step == piece.tile[along])
      return std::nullopt;
    if (step < values)
      piece.loops.push_back({along, step});
  }
  piece.fetch = piece.loops.size();
  addLoop(along);
  addLoop(rows);
  piece.store = StoreMode::NonTemporal;
  piece.vectorBytes = target.vectorBytes;
  bool hasBlocks = *piece.fetch > 0 && *piece.fetch < piece.loops.size();
  return hasBlocks && block >= kLeastBlock ? std::optional(piece) : std::nullopt;
}
