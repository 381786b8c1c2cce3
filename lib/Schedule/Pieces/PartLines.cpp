// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Which pieces put parts of lines together, in place of tiles that write whole ones or of none.

#include "Best.h"
#include "Blocks.h"
#include "Cost/CostModel.h"
#include "Pieces.h"

#include "relayout/Support/CacheLine.h"

#include <algorithm>

using namespace relayout;
using namespace relayout::movement;

namespace {

/// Bytes of the elements for which blocks of several digits are as good as they are predicted.
constexpr int64_t kNarrow = 2;

/// True if one side goes through several digits of a few values first, and no blocks of them are
/// better (docs/schedules.md, "Digits of a few values").
bool hasTinyDigits(const PieceView &view, const TargetInfo &target) {
  constexpr size_t kSeveral = 4;
  if (target.memory.losesRows() && view.problem.width <= kNarrow)
    return false;
  auto startsSo = [&](Side side) {
    std::vector<unsigned> chain = contiguousChain(view.problem, side);
    return chain.size() >= kSeveral &&
           std::all_of(chain.begin(), chain.begin() + kSeveral,
                       [&](unsigned d) { return view.problem.digits[d].extent <= kFewValues; });
  };
  return startsSo(Side::In) || startsSo(Side::Out);
}

/// True if whole lines take tiles that read very little of each of more rows than a block can make
/// up for (docs/schedules.md, "Whole lines of many rows").
bool readsCrumbs(const Best &best) {
  constexpr double kWeakFetched = 0.2;
  double followed = static_cast<double>(best.target.memory.readStreams);
  return best.prediction.ratio < kWeakFetched && best.prediction.readStreams > 2 * followed;
}

/// Considers the pieces that carry parts of lines; the best of those that read no rows side by
/// side, all of them where some are as good.
std::vector<PieceSchedule> considerCarried(Best &best, const Knobs &base) {
  constexpr double kAsGood = 0.99;
  std::vector<Knobs> tiles = rankedKnobs(best.view, base, best.target);
  tiles.push_back(best.knobs);
  // Tiles that write whole lines are too large.
  bool hasLines = best.writesLines();
  if (hasLines)
    for (Knobs &tile : tiles)
      tile.wholeLines = false;
  if (hasTinyDigits(best.view, best.target))
    for (size_t i = 0, count = tiles.size(); i < count; ++i) {
      tiles.push_back(tiles[i]);
      tiles.back().wholeDigits = true;
    }
  // Direct pieces are fetched later, which their prediction does not know.
  auto withBlocks = [&](PieceSchedule piece) {
    return hasLines ? piece : fetchCarried(best.view, best.target, piece).value_or(piece);
  };
  std::vector<PieceSchedule> plain = carryPieces(best.view, best.target, tiles, /*streams=*/1);
  for (PieceSchedule &piece : plain)
    piece = withBlocks(std::move(piece));
  std::vector<double> ratios;
  for (const PieceSchedule &piece : plain) {
    ratios.push_back(predictPiece(best.view, piece, best.target).ratio);
    best.consider(piece);
  }
  for (PieceSchedule &piece : carryPieces(best.view, best.target, tiles, /*streams=*/8))
    best.consider(withBlocks(std::move(piece)));
  std::vector<PieceSchedule> found;
  for (size_t i = 0; i < plain.size(); ++i)
    if (ratios[i] >= kAsGood * *std::max_element(ratios.begin(), ratios.end()))
      found.push_back(std::move(plain[i]));
  return found;
}

/// Considers staged pieces where whole lines were wanted, but no tile writes them, nor long runs
/// in their order.
void considerStaged(Best &best, const Knobs &base) {
  constexpr double kLongRun = 512;
  const Prediction &p = best.prediction;
  int64_t written = runBytes(best.view.problem, best.piece.tile, Side::Out);
  if (p.chunkBytes >= kLongRun && (p.shuffles < kTransposes || written >= kLongRun))
    return;
  for (const Knobs &knobs : {best.knobs, base})
    if (std::optional<PieceSchedule> staged = stagePiece(best.view, best.target, knobs))
      best.consider(std::move(*staged));
}

/// Considers pieces that carry parts of lines of stretches which are fetched, in place of one that
/// puts together more than the first cache holds; not of narrow elements, of which vectors of 16
/// bytes lose by it.
void considerStretches(Best &best, const Knobs &base) {
  const PieceView &view = best.view;
  if (!view.outOfCache || !best.piece.stage || best.piece.carry || view.problem.width <= kNarrow)
    return;
  int64_t elements = stagedBlock(view.problem, best.piece).elements;
  if (saturatingMul(elements, view.problem.width) <= best.target.l1Bytes)
    return;
  std::vector<Knobs> tiles = rankedKnobs(view, base, best.target);
  for (PieceSchedule &carried : carryPieces(view, best.target, tiles, /*streams=*/1)) {
    PieceSchedule fetched = fetchStretch(view, best.target, std::move(carried));
    if (fetched.fetch)
      best.consider(std::move(fetched));
  }
}

/// Considers staged pieces that take runs straight along the rows of the input, where they are
/// put together in the caches.
void considerStagedRuns(Best &best, const Knobs &base) {
  constexpr int64_t kLeastRun = 4; // of bytes: each is a store
  const PieceView &view = best.view;
  if (!keepsRuns(view) || rowBytes(view.problem, Side::Out) < kLeastRun)
    return;
  Knobs rows = base;
  rows.wholeLines = false;
  rows.outBytes = best.view.problem.width;
  rows.inLeast = 512;
  rows.inMost = 1024;
  rows.streams = 4;
  rows.prefetchBytes = rows.inMost;
  if (std::optional<PieceSchedule> staged = stagePiece(best.view, best.target, rows))
    best.consider(std::move(*staged));
}

/// How much better pieces of blocks have to be predicted than the best one so far. That is fetched
/// later, which its prediction does not know, and where it carries parts of lines, of more than
/// bytes, does better than predicted; of one and two bytes such blocks do as well.
double gainOfBlocks(const Best &best) {
  constexpr double kBetter = 1.3, kMuchBetter = 1.8;
  if (best.view.problem.width <= kNarrow)
    return 1;
  PieceSchedule fetched = fetchBlocks(best.view, best.target, best.piece);
  double ratio = predictPiece(best.view, fetched, best.target).ratio / best.prediction.ratio;
  return std::max(1.0, ratio) * (best.piece.carry ? kMuchBetter : kBetter);
}

/// Considers pieces of blocks that are long on both sides.
void considerBlocks(Best &best) {
  std::vector<PieceSchedule> blocks = blockPieces(best.view, best.target);
  if (blocks.empty())
    return;
  double least = best.prediction.ratio * gainOfBlocks(best);
  for (PieceSchedule &block : blocks)
    best.consider(std::move(block), std::max(1.0, least / best.prediction.ratio));
}

/// True if runs are so short that tiles which write whole lines of them are faster than what puts
/// parts of lines together, whatever is predicted (docs/schedules.md, "Lines of short runs").
bool hasShortRuns(const PieceView &view, const TargetInfo &target) {
  return target.memory.losesRows() && hasPatches(view, target) &&
         rowBytes(view.problem, Side::Out) < kLineBytes * 3 / 4;
}

} // namespace

void relayout::considerPartLines(Best &best, const Knobs &base,
                                 std::vector<PieceSchedule> &wholes) {
  // Whole lines at this share of the bound may be worse than parts of lines that wait.
  constexpr double kWeak = 0.5;
  bool hasLines = best.writesLines();
  bool isWeak = best.view.outOfCache &&
                (best.piece.fetch ? readsCrumbs(best) : best.prediction.ratio < kWeak);
  if (!hasLines || (isWeak && !hasShortRuns(best.view, best.target)))
    for (PieceSchedule &carried : considerCarried(best, base))
      wholes.push_back(std::move(carried));
  if (hasLines)
    return;
  if (!best.writesLines())
    considerStaged(best, base);
  considerStretches(best, base);
  considerStagedRuns(best, base);
  considerBlocks(best);
}
