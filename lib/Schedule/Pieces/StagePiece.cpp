// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Staged pieces: for an output that tiles cannot write in whole lines.

#include "BuildPiece.h"
#include "Cost/Reading.h"
#include "Pieces.h"

#include "relayout/Layout/CheckedMath.h"

#include <algorithm>

using namespace relayout;
using namespace relayout::movement;

namespace {

/// Runs of this length hide what their two ends cost (docs/schedules.md, "Output rows of different
/// phase").
constexpr int64_t kRunBytes = 1024;

/// Grows `box` along the contiguous chain of `side` until its run has kRunBytes, in
/// multiples of `tile`, while the block stays within `most` elements.
void growBox(const PieceView &view, Side side, const std::vector<int64_t> &tile, int64_t most,
             std::vector<int64_t> &box) {
  int64_t elements = elementsOf(box);
  for (unsigned d : contiguousChain(view.problem, side)) {
    int64_t extent = view.problem.digits[d].extent;
    int64_t others = elements / box[d];
    int64_t run = runBytes(view.problem, box, side);
    if (run >= kRunBytes)
      return;
    if (box[d] == extent)
      continue;
    int64_t wanted = std::min(extent, ceilDiv(kRunBytes, run) * box[d]);
    wanted = std::min(wanted, std::max(box[d], most / others));
    // The last block is shifted back, so that a multiple near the extent is the extent.
    int64_t values = wanted * 4 >= extent * 3 && saturatingMul(others, extent) <= most
                         ? extent
                         : std::max(box[d], wanted / tile[d] * tile[d]);
    box[d] = values;
    elements = saturatingMul(others, values);
    if (values < extent)
      return;
  }
}

/// A loop over rows of `box` that are far apart, up to `streams` of them, if it has any.
std::optional<Loop> rowsInside(const Problem &problem, const std::vector<int64_t> &tile,
                               int64_t streams, const std::vector<int64_t> &box) {
  int64_t apart =
      std::max(contiguousRun(problem, box, Side::In), ceilDiv(kApartBytes, problem.width));
  for (unsigned d : orderByStride(problem, Side::In))
    if (box[d] > tile[d] && problem.digits[d].inStride >= apart)
      return Loop{d, std::min(box[d], saturatingMul(tile[d], streams))};
  return std::nullopt;
}

/// Grows `box` until `streams` rows of it can be read side by side; what the loop over them
/// covers, or none where that takes more than `most` elements.
std::optional<Loop> growStreams(const Problem &problem, const std::vector<int64_t> &tile,
                                int64_t streams, int64_t most, std::vector<int64_t> &box) {
  std::optional<Loop> rows = rowsBeside(problem, tile, streams);
  if (!rows)
    return std::nullopt;
  std::vector<int64_t> wider = box;
  wider[rows->digit] = std::max(box[rows->digit], rows->step);
  if (elementsOf(wider) > most)
    return std::nullopt;
  box = std::move(wider);
  return rows;
}

} // namespace

std::optional<PieceSchedule> relayout::stagePiece(const PieceView &view, const TargetInfo &target,
                                                  const Knobs &knobs, int64_t leastRun) {
  const Problem &problem = view.problem;
  std::vector<unsigned> inOrder = orderByStride(problem, Side::In);
  if (view.fill || problem.width > kMaxStagedWidth || target.isa == VectorISA::Scalar ||
      contiguousChain(problem, Side::Out).empty())
    return std::nullopt;
  PieceSchedule piece;
  piece.tile = chooseTile(view, target, knobs);
  piece.vectorBytes = target.vectorBytes;
  piece.store = target.nonTemporal ? StoreMode::NonTemporal : StoreMode::Ordinary;
  std::vector<int64_t> box = piece.tile;
  for (unsigned d : view.whole)
    box[d] = problem.digits[d].extent;
  int64_t most = target.l2Bytes / 4 / problem.width;
  growBox(view, Side::Out, piece.tile, most, box);
  growBox(view, Side::In, piece.tile, most, box);
  std::optional<Loop> rows;
  if (knobs.streams > 1)
    rows = rowsInside(problem, piece.tile, knobs.streams, box);
  if (!rows)
    rows = growStreams(problem, piece.tile, knobs.streams, most, box);
  if (rows && box[rows->digit] < problem.digits[rows->digit].extent)
    box[rows->digit] -= box[rows->digit] % rows->step;
  // Both nests go in the order of the input.
  for (auto d = inOrder.rbegin(); d != inOrder.rend(); ++d)
    if (box[*d] < problem.digits[*d].extent)
      piece.loops.push_back({*d, box[*d]});
  piece.stage = piece.loops.size();
  for (auto d = inOrder.rbegin(); d != inOrder.rend(); ++d) {
    int64_t step = rows && rows->digit == *d ? rows->step : piece.tile[*d];
    if (step < box[*d])
      piece.loops.push_back({*d, step});
  }
  if (rows)
    piece.loops.push_back({rows->digit, piece.tile[rows->digit]});
  piece.prefetch = prefetchDistance(view, piece, knobs.prefetchBytes, target);
  int64_t run = stagedBlock(problem, piece).run;
  if (saturatingMul(run, problem.width) < leastRun)
    return std::nullopt;
  return piece;
}
