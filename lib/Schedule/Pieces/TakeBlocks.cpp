// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Blocks of the input that are packed, fetched or touched, in place of the best order without.

#include "Best.h"
#include "Blocks.h"

#include "relayout/Support/CacheLine.h"

#include <algorithm>
#include <numeric>

using namespace relayout;
using namespace relayout::movement;

namespace {

/// Bytes between the rows of which a tile of `piece` writes parts; 0 if it writes one stretch.
int64_t rowsApart(const Problem &problem, const PieceSchedule &piece) {
  int64_t run = runBytes(problem, piece.tile, Side::Out), apart = 0;
  for (unsigned d = 0; d < piece.tile.size(); ++d)
    if (int64_t pitch = pitchOf(problem, d, Side::Out); piece.tile[d] > 1 && pitch >= run)
      apart = std::gcd(apart, pitch);
  return apart;
}

/// True if blocks that are one stretch, read in its order, are better for a thread alone than those
/// that are packed or fetched: where tiles write rows from there whose lines do not alias, and are
/// not shuffled for long, as bytes are with vectors of half a line, and all with shorter ones
/// (docs/schedules.md, "Lines read in their order").
bool gainsByTouch(Best best) {
  constexpr int64_t kAliased = 512;
  int64_t vectors = kLineBytes / best.target.vectorBytes;
  if (vectors > 2 || (vectors == 2 && best.view.problem.width == 1))
    return false;
  considerTouched(best);
  return best.piece.touch && rowsApart(best.view.problem, best.piece) % kAliased != 0;
}

/// Orders that pack blocks, or else such that fetch them, where the best one is known to lose to
/// them.
std::vector<Knobs> blockOrders(const Best &best) {
  std::vector<Knobs> fetched = fetchKnobs(best.view, best.target, best.piece, best.knobs);
  if (std::optional<Knobs> packed =
          packKnobs(best.view, best.target, best.piece, best.knobs, fetched))
    return {*packed};
  return fetched;
}

} // namespace

void relayout::considerTouched(Best &best) {
  std::vector<PieceSchedule> touched;
  for (const PieceSchedule &piece : best.considered) {
    if (best.writesLines() && piece.store != StoreMode::NonTemporal)
      continue;
    for (PieceSchedule &other : touchBlocks(best.view, best.target, piece))
      touched.push_back(std::move(other));
  }
  for (PieceSchedule &piece : touched)
    best.consider(std::move(piece));
}

void relayout::takeBlocks(Best &best, int64_t threads) {
  std::vector<Knobs> orders = blockOrders(best);
  if (orders.empty() || (threads == 1 && gainsByTouch(best)))
    return;
  double ratio = 0;
  for (const Knobs &knobs : orders) {
    PieceSchedule piece = buildPiece(best.view, best.target, knobs);
    if (!piece.fetch || !holdsBlock(best.view.problem, piece, *piece.fetch, best.target))
      continue;
    Prediction predicted = predictPiece(best.view, piece, best.target);
    if (predicted.ratio <= ratio)
      continue;
    ratio = predicted.ratio;
    best.take(std::move(piece), predicted);
    best.knobs = knobs;
  }
}
