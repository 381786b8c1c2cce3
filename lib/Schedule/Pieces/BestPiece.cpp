// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// From a piece of a problem to its schedule: the cost model chooses among some candidates, and
/// what is measured to be faster than it predicts takes the place of its choice.

#include "BestPiece.h"
#include "Best.h"
#include "Blocks.h"
#include "Pieces.h"
#include "Segments.h"

#include "relayout/Support/CacheLine.h"

#include <algorithm>

using namespace relayout;
using namespace relayout::movement;

namespace {

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
  return rowBytes(best.view.problem, Side::In) >= kLineBytes * 3 / 4 &&
         bringsBytesNear(best.view, best.target, best.piece);
}

/// The best piece, or what is known to be faster in its place though it is predicted not to be, or
/// not predicted at all: the first of these that applies.
PieceSchedule inBlocks(Best best, const Knobs &base) {
  const PieceView &view = best.view;
  const TargetInfo &target = best.target;
  if (best.piece.stage) {
    if (std::optional<PieceSchedule> image = imagePiece(view, target, best.piece))
      return *image;
    for (auto rowsTogether : {cellPiece, patchPiece, byteLines, columnPiece})
      if (std::optional<PieceSchedule> rows = rowsTogether(view, target))
        return *rows;
  }
  if (!losesByTouch(best))
    considerTouched(best);
  if (best.piece.touch) {
    std::optional<PieceSchedule> image = imagePiece(view, target, best.piece);
    return image ? *image : fetchApart(view, target, best.piece);
  }
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
