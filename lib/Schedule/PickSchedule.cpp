// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// From a problem to its schedule: the cost model chooses among some candidates.

#include "Candidates.h"
#include "Segments.h"

#include "relayout/Layout/CheckedMath.h"

#include <algorithm>
#include <limits>

using namespace relayout;
using namespace relayout::movement;

namespace {

/// Problems of more pieces take the default knobs: ranking each would take longer
/// than the pieces are worth.
constexpr size_t kRankedPieces = 16;
/// Problems that move as much are taken to come from memory and go there, however large
/// the caches are: others use them too (docs/schedules.md, "Small and cold").
constexpr int64_t kCachedBytes = 800 << 10;

/// Unrolls the innermost loop until the tile moves `vectors` vectors, where that
/// neither repeats elements nor costs whole lines.
void unroll(const PieceView &view, const TargetInfo &target, int64_t vectors,
            const std::vector<Loop> &loops, std::vector<int64_t> &tile) {
  if (loops.empty())
    return;
  unsigned d = loops.back().digit;
  int64_t extent = view.problem.digits[d].extent;
  int64_t bytes = saturatingMul(elementsOf(tile), view.problem.width);
  int64_t vector = std::max(target.vectorBytes, view.problem.width);
  int64_t most = vectors / std::max<int64_t>(1, bytes / vector);
  bool lines = writesWholeLines(view.problem, tile, target.lineBytes);
  for (int64_t times = std::min(most, extent / tile[d]); times > 1; --times) {
    std::vector<int64_t> wider = tile;
    wider[d] *= times;
    if (extent % wider[d] == 0 && isBorderApart(view.problem, wider) &&
        (!lines || writesWholeLines(view.problem, wider, target.lineBytes))) {
      tile = wider;
      return;
    }
  }
}

StoreMode admittedStore(StoreMode wanted, const PieceView &view, const TargetInfo &target,
                        const std::vector<int64_t> &tile, int64_t vectorBytes) {
  bool lines = vectorBytes > 0 && writesWholeLines(view.problem, tile, target.lineBytes);
  if (wanted == StoreMode::NonTemporal && !(target.nonTemporal && lines))
    wanted = StoreMode::Prefetch;
  if (wanted == StoreMode::Prefetch && !(target.prefetchWrite && target.memory.fetchesWritten))
    wanted = StoreMode::Ordinary;
  return wanted;
}

/// The best of the candidates so far.
struct Best {
  const PieceView &view;
  const TargetInfo &target;
  Knobs knobs;
  PieceSchedule piece = buildPiece(view, target, knobs);
  double ratio = predictPiece(view, piece, target).ratio;
  std::vector<PieceSchedule> considered{piece}; ///< so far

  void consider(const Knobs &candidate) {
    if (consider(buildPiece(view, target, candidate)))
      knobs = candidate;
  }

  bool consider(PieceSchedule other, double gain = 1.002) {
    double predicted = predictPiece(view, other, target).ratio;
    considered.push_back(other);
    // What comes first is simpler, and no prediction is as exact.
    if (predicted <= ratio * gain)
      return false;
    piece = std::move(other);
    ratio = predicted;
    return true;
  }
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

/// Takes an order that fetches blocks, where the best one loses what it reads ahead.
void takeFetched(Best &best) {
  double ratio = 0;
  for (const Knobs &knobs : fetchKnobs(best.view, best.target, best.piece, best.knobs)) {
    PieceSchedule piece = buildPiece(best.view, best.target, knobs);
    double predicted = predictPiece(best.view, piece, best.target).ratio;
    if (!piece.fetch || predicted <= ratio)
      continue;
    ratio = best.ratio = predicted;
    best.piece = std::move(piece);
    best.knobs = knobs;
  }
}

/// True if one side goes through several digits of a few values first.
bool hasTinyDigits(const PieceView &view) {
  constexpr size_t kSeveral = 4;
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
  double rows = predictPiece(best.view, best.piece, best.target).readStreams;
  return best.ratio < kWeakFetched && rows > 2 * followed;
}

/// Considers the pieces that carry parts of lines; the best of those that read no rows side by
/// side, all of them where some are as good.
std::vector<PieceSchedule> considerCarried(Best &best, const Knobs &base) {
  constexpr double kAsGood = 0.99;
  std::vector<Knobs> tiles = rankedKnobs(best.view, base, best.target);
  tiles.push_back(best.knobs);
  // Tiles that write whole lines are too large.
  if (best.piece.store == StoreMode::NonTemporal)
    for (Knobs &tile : tiles)
      tile.wholeLines = false;
  if (hasTinyDigits(best.view))
    for (size_t i = 0, count = tiles.size(); i < count; ++i) {
      tiles.push_back(tiles[i]);
      tiles.back().wholeDigits = true;
    }
  // Direct pieces are fetched later, which their prediction does not know.
  bool hasLines = best.piece.store == StoreMode::NonTemporal;
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
  Prediction p = predictPiece(best.view, best.piece, best.target);
  int64_t written = runBytes(best.view.problem, best.piece.tile, Side::Out);
  if (p.chunkBytes >= kLongRun && (p.shuffles < kTransposes || written >= kLongRun))
    return;
  for (const Knobs &knobs : {best.knobs, base})
    if (std::optional<PieceSchedule> staged = stagePiece(best.view, best.target, knobs))
      best.consider(std::move(*staged));
}

/// Considers staged pieces that take runs straight along the rows of the input, where they are
/// put together in the caches.
void considerStagedRuns(Best &best, const Knobs &base) {
  if (!keepsRuns(best.view))
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

/// Considers pieces of blocks that are long on both sides. Other pieces that carry parts of lines,
/// of more than bytes, do better than their prediction.
void considerBlocks(Best &best) {
  constexpr double kBetter = 1.3, kMuchBetter = 1.8;
  std::vector<PieceSchedule> blocks = blockPieces(best.view, best.target);
  if (blocks.empty())
    return;
  bool isBetter = best.piece.carry && best.view.problem.width > 1;
  PieceSchedule fetched = fetchBlocks(best.view, best.target, best.piece);
  double ratio = std::max(best.ratio, predictPiece(best.view, fetched, best.target).ratio);
  double first = ratio * (isBetter ? kMuchBetter : kBetter);
  for (PieceSchedule &block : blocks)
    best.consider(std::move(block), std::max(1.0, first / best.ratio));
}

/// Considers all pieces so far with lines that are read in their order first.
void considerTouched(Best &best) {
  std::vector<PieceSchedule> touched;
  for (const PieceSchedule &piece : best.considered)
    for (PieceSchedule &other : touchBlocks(best.view, best.target, piece))
      touched.push_back(std::move(other));
  for (PieceSchedule &piece : touched)
    best.consider(std::move(piece));
}

/// The target as one of `threads` finds it. Pages that the kernel goes through in turn cost more
/// beside others where no two of them share a line of the page table (docs/schedules.md).
TargetInfo besideOthers(const PieceView &view, const TargetInfo &target, int64_t threads) {
  constexpr int64_t kApartPages = 16; // a line has the entries of 8
  const Problem &problem = view.problem;
  TargetInfo shared = target;
  if (threads <= 1 || problem.digits.empty())
    return shared;
  unsigned first = orderByStride(problem, Side::In)[0];
  if (pitchOf(problem, first, Side::Out) >= kApartPages * target.pageBytes)
    shared.memory.pageCost = target.memory.sharedPageCost;
  return shared;
}

PieceSchedule bestPiece(const PieceView &view, const Knobs &base, const TargetInfo &target,
                        int64_t threads, bool rank) {
  // Whole lines at this share of the bound may be worse than parts of lines that wait.
  constexpr double kWeak = 0.5;
  Best best{view, target, base};
  if (!rank)
    return best.piece;
  for (const Knobs &knobs : rankedKnobs(view, base, target))
    best.consider(knobs);
  for (const Knobs &knobs : orderKnobs(view, best.knobs, target))
    best.consider(knobs);
  takeFetched(best);
  // Segments far apart take the place of rows side by side.
  Knobs one = best.knobs;
  one.streams = 1;
  std::vector<PieceSchedule> wholes{buildPiece(view, target, one)};
  bool wantsLines = base.store == StoreMode::NonTemporal;
  bool hasLines = best.piece.store == StoreMode::NonTemporal;
  if (wantsLines && (!hasLines || (best.piece.fetch ? readsCrumbs(best) : best.ratio < kWeak)))
    for (PieceSchedule &carried : considerCarried(best, base))
      wholes.push_back(std::move(carried));
  if (wantsLines && best.piece.store != StoreMode::NonTemporal)
    considerStaged(best, base);
  if (wantsLines && !hasLines)
    considerStagedRuns(best, base);
  // Parts of lines that only ordinary stores put together, in the order of the output.
  if (wantsLines && best.piece.store != StoreMode::NonTemporal && !best.piece.stage) {
    Knobs inOrder = best.knobs;
    inOrder.pages = 0;
    best.consider(inOrder);
  }
  if (wantsLines && !hasLines)
    considerBlocks(best);
  if (view.fill || !view.outOfCache)
    return best.piece;
  if (best.piece.stage)
    for (auto fetchRows : {fetchPatches, fetchColumns})
      if (std::optional<PieceSchedule> rows = fetchRows(view, target))
        return *rows;
  considerTouched(best);
  if (best.piece.touch)
    return best.piece;
  if (target.memory.fetches) {
    PieceSchedule fetched = fetchBlocks(view, target, best.piece);
    if (std::optional<PieceSchedule> wide = wideByteBlocks(view, target, fetched))
      return *wide;
    return groupRuns(view, target, prefetchToSecond(view, target, std::move(fetched)));
  }
  // Blocks are read one after the other, whatever segments they are of.
  if (!best.piece.stage || best.piece.carry)
    wholes.push_back(best.piece);
  return inSegments(std::move(best), wholes, threads);
}

} // namespace

Schedule relayout::scheduleOf(const Problem &problem, const std::vector<Piece> &pieces,
                              std::vector<PieceSchedule> schedules, const TargetInfo &target,
                              int64_t threads) {
  Schedule schedule;
  schedule.pieces = std::move(schedules);
  chooseUnits(schedule, problem, pieces, target, threads);
  return schedule;
}

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

int64_t relayout::prefetchDistance(const PieceView &view, const PieceSchedule &piece, int64_t bytes,
                                   const TargetInfo &target) {
  constexpr int64_t kLongRunBytes = 1024;
  constexpr int64_t kFar = int64_t(1) << 40; // pointless beyond
  Reading reading = readingOf(view.problem, piece);
  bool isShort = saturatingMul(reading.row, view.problem.width) < kLongRunBytes;
  // Lines that evict each other from the first cache are gone before they are read. Up to some
  // times its ways the second one still has them; beyond, the next one alone may be there yet.
  if (linesPerWay(view.problem, piece, reading, target) > 4 * target.l1Ways) {
    bool isNear = target.memory.partLines < 1 && !isShort;
    return isNear ? std::min(bytes, target.lineBytes) / view.problem.width : 0;
  }
  if (bytes > 0 && isShort && reading.jump > 0)
    return std::min(reading.jump, kFar);
  return bytes / view.problem.width;
}

PieceSchedule relayout::buildPiece(const PieceView &view, const TargetInfo &target,
                                   const Knobs &knobs) {
  PieceSchedule piece;
  piece.tile = chooseTile(view, target, knobs);
  // The tile goes on along one row: those read side by side are tiles of their own.
  Knobs oneStream = knobs;
  oneStream.streams = 1;
  piece.loops = orderLoops(view, target, oneStream, piece.tile).loops;
  unroll(view, target, knobs.vectors, piece.loops, piece.tile);
  if (target.isa != VectorISA::Scalar && target.vectorBytes > view.problem.width)
    piece.vectorBytes = target.vectorBytes;
  piece.store = admittedStore(knobs.store, view, target, piece.tile, piece.vectorBytes);
  Knobs order = knobs;
  // What ordinary stores leave of a line is put together in the caches.
  if (view.outOfCache && piece.store != StoreMode::NonTemporal)
    order.visitBytes = 0;
  LoopNest nest = orderLoops(view, target, order, piece.tile);
  piece.loops = std::move(nest.loops);
  piece.fetch = nest.fetch;
  if (knobs.packs)
    piece.pack = nest.fetch;
  // Of what is fetched, only rows that are read straight on gain by a prefetch of their own.
  bool isAhead = !piece.fetch || knobs.along == Side::In;
  if (!view.fill && isAhead)
    piece.prefetch = prefetchDistance(view, piece, knobs.prefetchBytes, target);
  return piece;
}

Result<Schedule> relayout::pickSchedule(const Problem &problem, const TargetInfo &target,
                                        const ScheduleOptions &options) {
  std::vector<Piece> pieces = splitWithBorders(problem);
  std::vector<PieceView> views = viewPieces(problem, pieces, target);
  std::vector<PieceSchedule> schedules;
  for (const PieceView &view : views)
    schedules.push_back(bestPiece(view, defaultKnobs(view, target, options.result),
                                  besideOthers(view, target, options.threads), options.threads,
                                  pieces.size() <= kRankedPieces));
  return scheduleOf(problem, pieces, std::move(schedules), target, options.threads);
}
