// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PieceView.h"

#include "relayout/Layout/CheckedMath.h"

#include <algorithm>
#include <limits>

using namespace relayout;
using namespace relayout::movement;

/// Problems that move as much are taken to come from memory and go there, however large
/// the caches are: others use them too (docs/schedules.md, "Small and cold").
constexpr int64_t kCachedBytes = 800 << 10;

bool relayout::isFromMemory(const PieceView &view) {
  return !view.fill && view.outOfCache && view.problem.read.empty();
}

std::vector<PieceView> relayout::viewPieces(const Problem &problem,
                                            const std::vector<Piece> &pieces,
                                            const TargetInfo &target) {
  std::vector<PieceView> views;
  int64_t total = 0;
  for (const Piece &piece : pieces) {
    PieceView view;
    view.problem = pieceProblem(problem, piece);
    view.fill = piece.kind == Piece::Kind::Fill;
    view.bytes = saturatingMul(saturatingMul(piece.elements(), problem.width), view.fill ? 1 : 2);
    total = checkedAdd(total, view.bytes).value_or(std::numeric_limits<int64_t>::max());
    views.push_back(std::move(view));
  }
  for (PieceView &view : views) {
    view.outOfCache = total >= std::min(target.l2Bytes / 4 * 5, kCachedBytes);
    view.outOfL1 = total > target.l1Bytes / 2;
  }
  return views;
}

const Piece &relayout::largestOf(const std::vector<Piece> &pieces) {
  return *std::max_element(pieces.begin(), pieces.end(), [](const Piece &x, const Piece &y) {
    return x.elements() < y.elements();
  });
}

bool relayout::keepsRuns(const PieceView &view) {
  std::vector<unsigned> in = contiguousChain(view.problem, Side::In);
  std::vector<unsigned> out = contiguousChain(view.problem, Side::Out);
  return !in.empty() && !out.empty() && in[0] == out[0];
}
