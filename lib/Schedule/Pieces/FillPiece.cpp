// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Fills of long runs that begin and end within lines.

#include "Pieces.h"

#include "relayout/Layout/CheckedMath.h"

#include <algorithm>

using namespace relayout;
using namespace relayout::movement;

std::optional<PieceSchedule> relayout::fillRuns(const PieceView &view, const TargetInfo &target) {
  constexpr int64_t kBlockBytes = 1 << 10;
  const Problem &problem = view.problem;
  std::vector<unsigned> chain = contiguousChain(problem, Side::Out);
  if (!view.fill || !view.outOfCache || !target.nonTemporal || target.isa == VectorISA::Scalar ||
      problem.width > kMaxStagedWidth || chain.empty())
    return std::nullopt;
  PieceSchedule piece;
  piece.tile.assign(problem.digits.size(), 1);
  int64_t run = problem.width, whole = problem.width;
  for (unsigned d : chain) {
    int64_t extent = problem.digits[d].extent;
    if (run == whole)
      piece.tile[d] = std::min(extent, std::max<int64_t>(1, kBlockBytes / run));
    run = saturatingMul(run, piece.tile[d]);
    whole = saturatingMul(whole, extent);
  }
  if (whole < kLeastStagedRun)
    return std::nullopt;
  // In the output's order: along runs inside of all other loops.
  std::vector<unsigned> order = orderByStride(problem, Side::Out);
  for (auto d = order.rbegin(); d != order.rend(); ++d) {
    if (piece.tile[*d] == problem.digits[*d].extent)
      continue;
    if (!piece.carry && run < whole && std::find(chain.begin(), chain.end(), *d) != chain.end())
      piece.carry = piece.loops.size();
    piece.loops.push_back({*d, piece.tile[*d]});
  }
  piece.stage = piece.loops.size();
  piece.store = StoreMode::NonTemporal;
  piece.vectorBytes = target.vectorBytes;
  return piece;
}
