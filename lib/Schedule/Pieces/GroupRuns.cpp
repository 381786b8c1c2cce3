// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Transposes of runs, in blocks of a few of them along both sides: what is written side by side
/// is written at about the same time, where the order of the input would go to hundreds of other
/// rows in between (docs/schedules.md, "Runs in groups").

#include "Pieces.h"

#include "relayout/Layout/CheckedMath.h"

#include <algorithm>

using namespace relayout;
using namespace relayout::movement;

namespace {

/// The two digits that a transpose of runs exchanges.
struct Exchanged {
  unsigned read;    ///< whose runs lie side by side in the input
  unsigned written; ///< in the output
};

/// None if `problem` is not a transpose of runs, or one in each of many places.
std::optional<Exchanged> exchangedDigits(const Problem &problem) {
  std::vector<unsigned> in = orderByStride(problem, Side::In);
  std::vector<unsigned> out = orderByStride(problem, Side::Out);
  bool isPlain = contiguousChain(problem, Side::In).size() == in.size() &&
                 contiguousChain(problem, Side::Out).size() == out.size();
  if (in.size() < 3 || !isPlain || in[0] != out[0] || in[1] != out[2] || in[2] != out[1] ||
      !std::equal(in.begin() + 3, in.end(), out.begin() + 3))
    return std::nullopt;
  return Exchanged{in[1], out[1]};
}

} // namespace

PieceSchedule relayout::groupRuns(const PieceView &view, const TargetInfo &target,
                                  PieceSchedule piece) {
  constexpr int64_t kManyRows = 256, kShortRun = 128, kLongRun = 1 << 10;
  constexpr int64_t kReadBytes = 2 << 10, kWrittenBytes = 1 << 10;
  const Problem &problem = view.problem;
  std::optional<Exchanged> digits = exchangedDigits(problem);
  if (!target.memory.losesRows() || !isFromMemory(view) || piece.store != StoreMode::NonTemporal ||
      piece.stage || piece.fetch || piece.touch || !digits ||
      problem.digits[digits->read].extent < kManyRows)
    return piece;
  unsigned run = orderByStride(problem, Side::In)[0];
  int64_t bytes = rowBytes(problem, Side::In);
  if (piece.tile[run] < problem.digits[run].extent || bytes < kShortRun || bytes >= kLongRun)
    return piece;
  std::vector<Loop> loops;
  for (const Loop &loop : piece.loops)
    if (loop.digit != digits->read && loop.digit != digits->written)
      loops.push_back(loop);
  auto add = [&](unsigned d, int64_t values) {
    int64_t tile = piece.tile[d], extent = problem.digits[d].extent;
    int64_t step = std::max<int64_t>(1, std::min(values, extent) / tile) * tile;
    bool isAgain = std::any_of(loops.begin(), loops.end(), [&](const Loop &loop) {
      return loop.digit == d && loop.step == step;
    });
    if (!isAgain && step < extent)
      loops.push_back({d, step});
  };
  add(digits->written, ceilDiv(kWrittenBytes, bytes));
  add(digits->read, ceilDiv(kReadBytes, bytes));
  add(digits->written, 1);
  add(digits->read, 1);
  piece.loops = std::move(loops);
  piece.prefetch = 0;
  return piece;
}
