// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Runs that the input has, too, in rows that a window cuts: each run lies within the window or
/// beyond, and parts of lines go on from run to run along the whole row (docs/schedules.md, "Runs
/// within a window").

#include "Blocks.h"
#include "Pieces.h"
#include "VerifyPiece.h"

#include "relayout/Layout/CheckedMath.h"
#include "relayout/Support/CacheLine.h"

#include <algorithm>

using namespace relayout;
using namespace relayout::movement;

namespace {

/// True if the runs of `view` start within lines, and the window leaves out or fills some of those
/// that lie side by side in the output: other windows cut long stretches.
bool hasWindowedRuns(const PieceView &view, const TargetInfo &target) {
  const Problem &problem = view.problem;
  std::vector<unsigned> chain = contiguousChain(problem, Side::Out);
  if (view.fill || !problem.hasWindows() || !keepsRuns(view) || chain.size() < 2)
    return false;
  int64_t bytes = rowBytes(problem, Side::Out);
  const DigitRange *window = rowWindow(problem);
  bool isNext = std::any_of(window->terms.begin(), window->terms.end(),
                            [&](auto term) { return term.first == chain[1]; });
  return isNext && bytes % kLineBytes != 0 && bytes >= kLineBytes && bytes <= target.l1Bytes / 2;
}

/// Sets where lines begin to wait: as far outside as the first cache holds them well.
void placeCarry(const Problem &problem, const TargetInfo &target, PieceSchedule &piece) {
  for (piece.carry = 0; *piece.carry < *piece.stage; ++*piece.carry) {
    int64_t bytes = saturatingMul(stagedBlock(problem, piece).elements, problem.width);
    if (bytes <= target.l1Bytes / 2)
      return;
  }
}

} // namespace

std::optional<PieceSchedule> relayout::windowedRuns(const PieceView &view,
                                                    const TargetInfo &target) {
  constexpr int64_t kLinesAhead = 16;
  if (!hasWindowedRuns(view, target) || !target.nonTemporal)
    return std::nullopt;
  const Problem &problem = view.problem;
  unsigned run = contiguousChain(problem, Side::Out)[0];
  PieceSchedule piece;
  piece.vectorBytes = target.vectorBytes;
  piece.store = StoreMode::NonTemporal;
  piece.tile.assign(problem.digits.size(), 1);
  piece.tile[run] = std::min(problem.digits[run].extent, kMaxTileElements);
  // A crop breaks off what would be read in the order of the input.
  bool isCropped = problem.read.empty();
  std::vector<unsigned> order = orderByStride(problem, isCropped ? Side::Out : Side::In);
  for (auto d = order.rbegin(); d != order.rend(); ++d)
    if (*d != run)
      piece.loops.push_back({*d, 1});
  piece.stage = piece.loops.size();
  if (piece.tile[run] < problem.digits[run].extent)
    piece.loops.push_back({run, piece.tile[run]});
  placeCarry(problem, target, piece);
  if (isCropped && target.memory.fetches)
    piece.fetch = fetchDepth(view, piece, target);
  if (!piece.fetch)
    piece.prefetch = kLinesAhead * kLineBytes / problem.width;
  return verifyPiece(piece, problem, /*fills=*/false, target) ? std::optional(piece) : std::nullopt;
}
