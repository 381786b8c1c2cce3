// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// From a piece of a problem to its schedule: the cost model chooses among some candidates, and
/// what is measured to be faster than it predicts takes the place of its choice.

#include "BestPiece.h"
#include "Blocks.h"
#include "BuildPiece.h"
#include "CostModel.h"
#include "Pieces.h"
#include "Segments.h"

#include <algorithm>
#include <numeric>

using namespace relayout;
using namespace relayout::movement;

namespace {

/// The best of the candidates so far.
struct Best {
  Best(const PieceView &view, const TargetInfo &target, const Knobs &base)
      : view(view), target(target), knobs(base), piece(buildPiece(view, target, base)),
        prediction(predictPiece(view, piece, target)), considered{piece} {}

  const PieceView &view;
  const TargetInfo &target;
  Knobs knobs;
  PieceSchedule piece;
  Prediction prediction;
  std::vector<PieceSchedule> considered; ///< so far, each once

  void consider(const Knobs &candidate) {
    if (consider(buildPiece(view, target, candidate)))
      knobs = candidate;
  }

  bool consider(PieceSchedule other, double gain = 1.002) {
    if (std::find(considered.begin(), considered.end(), other) != considered.end())
      return false;
    Prediction predicted = predictPiece(view, other, target);
    considered.push_back(other);
    // What comes first is simpler, and no prediction is as exact.
    if (predicted.ratio <= prediction.ratio * gain)
      return false;
    take(std::move(other), predicted);
    return true;
  }

  void take(PieceSchedule other, const Prediction &predicted) {
    piece = std::move(other);
    prediction = predicted;
  }

  bool writesLines() const { return piece.store == StoreMode::NonTemporal; }
};

/// Segments that are worth reading side by side: more of what is one stream
/// (docs/schedules.md, "Segments").
int64_t segmentCount(const PieceView &view, const PieceSchedule &piece) {
  constexpr double kFew = 2;
  return readingOf(view.problem, piece).streams <= kFew ? 8 : 4;
}

/// The best piece, or the best of `wholes` in segments if that is better: as many for each of
/// `threads`.
PieceSchedule inSegments(Best best, const std::vector<PieceSchedule> &wholes, int64_t threads) {
  const PieceView &view = best.view;
  const PieceSchedule *found = nullptr;
  unsigned digit = 0;
  for (const PieceSchedule &whole : wholes)
    for (unsigned d = 0; d < view.problem.digits.size(); ++d)
      if (std::optional<PieceSchedule> cut =
              addSegments(view, whole, d, segmentCount(view, whole), best.target))
        if (best.consider(std::move(*cut), 1.01)) {
          found = &whole;
          digit = d;
        }
  if (!found)
    return best.piece;
  int64_t count = saturatingMul(segmentCount(view, *found), threads);
  return addSegments(view, *found, digit, count, best.target).value_or(best.piece);
}

/// Considers all pieces so far with lines that are read in their order first; none without whole
/// lines in place of one that writes them.
void considerTouched(Best &best) {
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

/// Bytes between the rows of which a tile of `piece` writes parts; 0 if it writes one stretch.
int64_t rowsApart(const Problem &problem, const PieceSchedule &piece) {
  int64_t run = runBytes(problem, piece.tile, Side::Out), apart = 0;
  for (unsigned d = 0; d < piece.tile.size(); ++d)
    if (int64_t pitch = pitchOf(problem, d, Side::Out); piece.tile[d] > 1 && pitch >= run)
      apart = std::gcd(apart, pitch);
  return apart;
}

/// True if blocks that are one stretch, read in its order, are better for a thread alone than those
/// that are packed or fetched: where tiles write rows from there whose lines do not alias
/// (docs/schedules.md, "Lines read in their order").
bool gainsByTouch(Best best) {
  constexpr int64_t kAliased = 512;
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

/// Takes the best of the orders that pack or fetch blocks, whatever is predicted of the best one
/// so far.
void takeBlocks(Best &best, int64_t threads) {
  std::vector<Knobs> orders = blockOrders(best);
  if (orders.empty() || (threads == 1 && gainsByTouch(best)))
    return;
  double ratio = 0;
  for (const Knobs &knobs : orders) {
    PieceSchedule piece = buildPiece(best.view, best.target, knobs);
    Prediction predicted = predictPiece(best.view, piece, best.target);
    if (!piece.fetch || predicted.ratio <= ratio)
      continue;
    ratio = predicted.ratio;
    best.take(std::move(piece), predicted);
    best.knobs = knobs;
  }
}

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
  if (!keepsRuns(view))
    return;
  unsigned kept = contiguousChain(view.problem, Side::Out)[0];
  if (saturatingMul(view.problem.digits[kept].extent, view.problem.width) < kLeastRun)
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

/// Takes the best piece so far that writes whole lines, if there is one.
void takeLines(Best &best) {
  double ratio = 0;
  for (const PieceSchedule &piece : best.considered) {
    if (piece.store != StoreMode::NonTemporal)
      continue;
    Prediction predicted = predictPiece(best.view, piece, best.target);
    if (predicted.ratio <= ratio)
      continue;
    ratio = predicted.ratio;
    best.take(piece, predicted);
  }
}

/// Pieces that write whole lines of runs of two bytes, which are transposed like elements of that
/// width; none of other runs, or if the target is not known to gain by them.
std::vector<PieceSchedule> transposedRuns(const Best &best, const Knobs &base) {
  std::vector<PieceSchedule> pieces;
  if (!best.target.memory.losesRows())
    return pieces;
  for (const Knobs &knobs : shortRunKnobs(best.view, base, best.target)) {
    PieceSchedule piece = buildPiece(best.view, best.target, knobs);
    if (piece.store == StoreMode::NonTemporal)
      pieces.push_back(std::move(piece));
  }
  return pieces;
}

/// Considers other tiles and orders where all stays in the caches, each of which has to be clearly
/// better than what is simpler. Tiles of much code gain where lines evict each other.
void considerCached(Best &best, const Knobs &base) {
  constexpr double kClearly = 1.1;
  for (const Knobs &knobs : cachedKnobs(base, best.target, TileCode::Short))
    best.consider(buildPiece(best.view, best.target, knobs), kClearly);
  if (!best.view.outOfL1)
    return;
  for (const Knobs &knobs : cachedKnobs(base, best.target, TileCode::Long))
    best.consider(buildPiece(best.view, best.target, knobs), kClearly);
}

/// Considers the orders that write whole lines, and takes blocks where those are better.
void considerOrders(Best &best, const Knobs &base, int64_t threads) {
  for (const Knobs &knobs : rankedKnobs(best.view, base, best.target))
    best.consider(knobs);
  for (PieceSchedule &piece : transposedRuns(best, base))
    best.consider(std::move(piece));
  for (const Knobs &knobs : orderKnobs(best.view, best.knobs, best.target))
    best.consider(knobs);
  takeBlocks(best, threads);
}

/// True if runs are so short that tiles which write whole lines of them are faster than what puts
/// parts of lines together, whatever is predicted (docs/schedules.md, "Lines of short runs").
bool hasShortRuns(const PieceView &view, const TargetInfo &target) {
  if (!target.memory.losesRows() || !hasPatches(view, target))
    return false;
  unsigned kept = contiguousChain(view.problem, Side::Out)[0];
  int64_t run = saturatingMul(view.problem.digits[kept].extent, view.problem.width);
  return run < target.lineBytes * 3 / 4;
}

/// Considers what puts parts of lines together, where whole lines were wanted and no tile writes
/// them, or they are weak; adds pieces to `wholes` whose digits may be cut into segments.
void considerPartLines(Best &best, const Knobs &base, std::vector<PieceSchedule> &wholes) {
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

/// The best of the pieces that transpose runs of two bytes, in blocks, if it is much better than
/// the staged `piece`: that they are fetched is not predicted before.
PieceSchedule orTransposed(const Best &best, const Knobs &base, PieceSchedule piece) {
  constexpr double kMuchBetter = 1.5;
  auto ratioOf = [&](const PieceSchedule &other) {
    return predictPiece(best.view, other, best.target).ratio;
  };
  double ratio = kMuchBetter * std::max(best.prediction.ratio, ratioOf(piece));
  for (PieceSchedule &direct : transposedRuns(best, base)) {
    PieceSchedule fetched = fetchBlocks(best.view, best.target, std::move(direct));
    double other = fetched.fetch ? ratioOf(fetched) : 0;
    if (other <= ratio)
      continue;
    ratio = other;
    piece = std::move(fetched);
  }
  return piece;
}

/// True if blocks read in their order are worse than what is fetched, whatever is predicted: of
/// bytes whose lines come near, in rows of about a line and more.
bool losesByTouch(const Best &best) {
  return rowBytes(best.view.problem, Side::In) >= best.target.lineBytes * 3 / 4 &&
         bringsBytesNear(best.view, best.target, best.piece);
}

/// The best piece, or what is known to be faster in its place though it is predicted not to be, or
/// not predicted at all: the first of these that applies.
PieceSchedule inBlocks(Best best, const Knobs &base) {
  const PieceView &view = best.view;
  const TargetInfo &target = best.target;
  if (best.piece.stage)
    for (auto rowsTogether : {cellPiece, patchPiece, byteLines, columnPiece})
      if (std::optional<PieceSchedule> rows = rowsTogether(view, target))
        return *rows;
  if (!losesByTouch(best))
    considerTouched(best);
  if (best.piece.touch)
    return fetchApart(view, target, best.piece);
  if (std::optional<PieceSchedule> lines = patchLines(view, target))
    return *lines;
  PieceSchedule fetched = fetchBlocks(view, target, best.piece);
  if (fetched.stage)
    fetched = orTransposed(best, base, std::move(fetched));
  std::optional<PieceSchedule> wide = wideByteBlocks(view, target, fetched);
  if (std::optional<PieceSchedule> packed = packCarried(view, target, wide ? *wide : fetched))
    return *packed;
  if (wide)
    return *wide;
  for (auto inPlace : {visitLonger, stageTallTiles})
    if (std::optional<PieceSchedule> other = inPlace(view, target, fetched))
      return *other;
  PieceSchedule grouped =
      groupRuns(view, target, prefetchToSecond(view, target, std::move(fetched)));
  return turnManyRows(view, target, std::move(grouped));
}

PieceSchedule firstChoice(const PieceView &view, const Knobs &base, const TargetInfo &target,
                          int64_t threads) {
  Best best(view, target, base);
  if (!view.fill && !view.outOfCache && base.store != StoreMode::NonTemporal)
    considerCached(best, base);
  considerOrders(best, base, threads);
  // Segments far apart take the place of rows side by side.
  Knobs one = best.knobs;
  one.streams = 1;
  std::vector<PieceSchedule> wholes{buildPiece(view, target, one)};
  if (base.store == StoreMode::NonTemporal)
    considerPartLines(best, base, wholes);
  if (view.fill || !view.outOfCache)
    return best.piece;
  if (base.store == StoreMode::NonTemporal && isFromMemory(view) && !best.writesLines())
    takeLines(best);
  if (target.memory.fetches) {
    PieceSchedule piece = packFetched(view, target, inBlocks(std::move(best), base));
    return bringNear(view, target, fetchStretch(view, target, std::move(piece)));
  }
  // Blocks are read one after the other, whatever segments they are of.
  if (!best.piece.stage || best.piece.carry)
    wholes.push_back(best.piece);
  return inSegments(std::move(best), wholes, threads);
}

/// The first choice, or where the target fetches such blocks alone, the blocks that one that
/// fetches all would have, of bytes or of parts of lines that are put together.
PieceSchedule firstOrFetched(const PieceView &view, const Knobs &base, const TargetInfo &target,
                             int64_t threads) {
  PieceSchedule piece = firstChoice(view, base, target, threads);
  if (!target.memory.fetchesParts || view.fill || !view.outOfCache ||
      !(piece.stage || view.problem.width == 1))
    return piece;
  TargetInfo fetching = target;
  fetching.memory.fetches = true;
  PieceSchedule fetched = firstChoice(view, base, fetching, threads);
  bool isAlike = fetched.stage.has_value() == piece.stage.has_value();
  return fetched.fetch && isAlike ? fetched : piece;
}

/// Parts of rows from which on a tile reads many.
constexpr int64_t kManyParts = 128;

/// True if the tile of `piece` is put together from so many parts of a few bytes that loading them
/// takes longer than whole lines gain (docs/schedules.md, "Tiles of crumbs").
bool gathersCrumbs(const PieceView &view, const PieceSchedule &piece, const TargetInfo &target) {
  constexpr int64_t kCrumbBytes = 4;
  return runBytes(view.problem, piece.tile, Side::In) <= kCrumbBytes &&
         partsRead(view, piece.tile, target.vectorBytes) > kManyParts;
}

} // namespace

PieceSchedule relayout::bestPiece(const PieceView &view, const Knobs &base,
                                  const TargetInfo &target, int64_t threads) {
  PieceSchedule piece = firstOrFetched(view, base, target, threads);
  if (!gathersCrumbs(view, piece, target))
    return piece;
  Knobs fewer = base;
  fewer.parts = kManyParts;
  PieceSchedule other = firstOrFetched(view, fewer, target, threads);
  // Borders take their digits whole, so that a tile without crumbs may be one without vectors.
  bool isWorse = other.vectorBytes == 0 || gathersCrumbs(view, other, target);
  return isWorse ? piece : other;
}
