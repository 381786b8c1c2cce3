// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// From a problem to its schedules: knobs, candidates, the choice among them.

#include "Candidates.h"

#include "relayout/Layout/CheckedMath.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace relayout;
using namespace relayout::movement;

namespace {

/// Problems of more pieces take the default knobs: ranking each would take longer
/// than the pieces are worth.
constexpr size_t kRankedPieces = 16;
/// A prefetch further ahead is pointless.
constexpr int64_t kFar = int64_t(1) << 40;

/// Unrolls the innermost loop until the tile moves `vectors` vectors, where that
/// neither repeats elements nor costs whole lines.
void unroll(const PieceView &view, const TargetInfo &target, int64_t vectors,
            const std::vector<Loop> &loops, std::vector<int64_t> &tile) {
  if (loops.empty())
    return;
  unsigned d = loops.back().digit;
  int64_t extent = view.problem.digits[d].extent;
  int64_t bytes = view.problem.width;
  for (int64_t taken : tile)
    bytes = saturatingMul(bytes, taken);
  int64_t vector = std::max(target.vectorBytes, view.problem.width);
  int64_t most = vectors / std::max<int64_t>(1, bytes / vector);
  bool lines = writesWholeLines(view.problem, tile, target.lineBytes);
  for (int64_t times = std::min(most, extent / tile[d]); times > 1; --times) {
    std::vector<int64_t> wider = tile;
    wider[d] *= times;
    if (extent % wider[d] == 0 &&
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
  if (wanted == StoreMode::Prefetch && !target.prefetchWrite)
    wanted = StoreMode::Ordinary;
  return wanted;
}

/// Elements to prefetch ahead: `bytes` in each stream, or where the streams end soon,
/// what the loop that moves them will read next.
int64_t prefetchDistance(const PieceView &view, const PieceSchedule &piece, int64_t bytes) {
  constexpr int64_t kLongRunBytes = 1024;
  Reading reading = readingOf(view.problem, piece);
  bool isShort = saturatingMul(reading.run, view.problem.width) < kLongRunBytes;
  if (bytes > 0 && isShort && reading.jump > 0)
    return std::min(reading.jump, kFar);
  return bytes / view.problem.width;
}

/// Settings of the knobs among which the cost model chooses.
std::vector<Knobs> rankedKnobs(const PieceView &view, const Knobs &base, const TargetInfo &target) {
  std::vector<Knobs> all{base};
  if (view.fill || !view.outOfCache)
    return all;
  if (!keepsRuns(view)) {
    for (int64_t bytes : {64, 128, 256, 512})
      for (int64_t visit : {0, 128, 256, 512, 1024}) {
        all.push_back(base);
        all.back().outBytes = bytes;
        all.back().visitBytes = visit;
        if (view.problem.width < 4 && bytes == 64) {
          all.push_back(all.back());
          all.back().inLeast = all.back().inMost = target.lineBytes;
          all.back().instructions = 520;
        }
      }
    return all;
  }
  for (int64_t lines : {2, 4}) {
    all.push_back(base);
    all.back().outBytes = lines * base.outBytes;
    all.back().inLeast = std::max(base.outBytes, base.inLeast / lines);
    all.back().inMost = std::max(base.outBytes, base.inMost / lines);
    all.back().prefetchBytes = 2 * all.back().inMost;
  }
  return all;
}

/// More of them, for tuning by measurement.
std::vector<Knobs> tuningKnobs(const PieceView &view, const Knobs &base, const TargetInfo &target) {
  std::vector<Knobs> all = rankedKnobs(view, base, target);
  auto vary = [&](auto change) {
    Knobs knobs = base;
    change(knobs);
    all.push_back(knobs);
  };
  for (int64_t pages : {0, 256, 720, 1440, 2880})
    vary([&](Knobs &knobs) { knobs.pages = pages; });
  for (int64_t lines : {0, 1, 2, 4, 8})
    vary([&](Knobs &knobs) { knobs.prefetchBytes = lines * base.outBytes; });
  for (int64_t times : {2, 4})
    vary([&](Knobs &knobs) {
      knobs.inLeast *= times;
      knobs.inMost *= times;
    });
  for (int64_t vectors : {1, 16})
    vary([&](Knobs &knobs) { knobs.vectors = vectors; });
  for (StoreMode store : {StoreMode::Ordinary, StoreMode::Prefetch, StoreMode::NonTemporal})
    vary([&](Knobs &knobs) { knobs.store = store; });
  return all;
}

PieceSchedule bestPiece(const PieceView &view, const Knobs &base, const TargetInfo &target,
                        bool rank) {
  PieceSchedule best = buildPiece(view, target, base);
  if (!rank)
    return best;
  double bestRatio = predictPiece(view, best, target).ratio;
  for (const Knobs &knobs : rankedKnobs(view, base, target)) {
    PieceSchedule piece = buildPiece(view, target, knobs);
    double ratio = predictPiece(view, piece, target).ratio;
    if (ratio > bestRatio * 1.001) {
      best = piece;
      bestRatio = ratio;
    }
  }
  return best;
}

Schedule scheduleOf(const Problem &problem, const std::vector<Piece> &pieces,
                    std::vector<PieceSchedule> schedules, const TargetInfo &target,
                    int64_t threads) {
  Schedule schedule;
  schedule.pieces = std::move(schedules);
  chooseUnits(schedule, problem, pieces, target, threads);
  return schedule;
}

} // namespace

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
  for (PieceView &view : views)
    view.outOfCache = total / 5 > target.l2Bytes / 4;
  return views;
}

bool relayout::keepsRuns(const PieceView &view) {
  std::vector<unsigned> in = contiguousChain(view.problem, Side::In);
  std::vector<unsigned> out = contiguousChain(view.problem, Side::Out);
  return !in.empty() && !out.empty() && in[0] == out[0];
}

/// Lines that compete for a set of the first cache while a loop goes along `digit`,
/// each of its values a stretch of `run` elements on `side`; 0 where they spread well.
static double setPressure(const PieceView &view, const TargetInfo &target, unsigned digit,
                          Side side, int64_t run) {
  int64_t width = view.problem.width;
  int64_t period = target.l1Bytes / std::max<int64_t>(1, target.l1Ways);
  const Digit &d = view.problem.digits[digit];
  double lines = std::ceil(static_cast<double>(run) * width / target.lineBytes);
  int64_t distance = saturatingMul(stride(d, side), width);
  double places = static_cast<double>(period / std::gcd(period, distance));
  double sets = static_cast<double>(period / target.lineBytes);
  return 2 * places * lines > sets ? 0 : d.extent / places;
}

/// In cache: true if the order of the input would write lines that evict each other,
/// and the order of the output does not read such lines instead.
static bool prefersOutputOrder(const PieceView &view, const TargetInfo &target) {
  constexpr double kCrowdedLines = 48, kCrowdedRuns = 8;
  std::vector<unsigned> in = orderByStride(view.problem, Side::In);
  std::vector<unsigned> out = orderByStride(view.problem, Side::Out);
  if (view.fill || in.size() < 2)
    return false;
  if (keepsRuns(view)) {
    int64_t run = view.problem.digits[in[0]].extent;
    return setPressure(view, target, in[1], Side::Out, run) > kCrowdedRuns;
  }
  double written = setPressure(view, target, in[0], Side::Out, 1);
  double read = setPressure(view, target, out[0], Side::In, 1);
  return written > kCrowdedLines && 2 * written > read;
}

Knobs relayout::defaultKnobs(const PieceView &view, const TargetInfo &target, ResultHint hint) {
  Knobs knobs;
  int64_t width = view.problem.width;
  bool outOfCache = view.outOfCache;
  knobs.outBytes = target.lineBytes;
  if (view.fill) {
    knobs.outBytes = 8 * target.lineBytes;
  } else if (keepsRuns(view)) {
    knobs.inLeast = 768;
    knobs.inMost = 2048;
  } else {
    // Bytes and pairs of them take less, which keeps the code of a tile short.
    knobs.inMost = std::min(target.vectorBytes, width >= 4 ? target.lineBytes : 16 * width);
    knobs.inLeast = knobs.inMost - knobs.inMost / 4;
    knobs.prefetchBytes = outOfCache ? 4 * target.lineBytes : 0;
  }
  knobs.pages = std::min<int64_t>(2048, target.tlbPages * 7 / 10);
  if (!outOfCache && prefersOutputOrder(view, target))
    knobs.pages = 0;
  if (hint == ResultHint::Cold || (outOfCache && hint == ResultHint::Auto))
    knobs.store = StoreMode::NonTemporal;
  else if (outOfCache)
    knobs.store = StoreMode::Prefetch;
  return knobs;
}

PieceSchedule relayout::buildPiece(const PieceView &view, const TargetInfo &target,
                                   const Knobs &knobs) {
  PieceSchedule piece;
  piece.tile = chooseTile(view, target, knobs);
  piece.loops = orderLoops(view, target, knobs, piece.tile);
  unroll(view, target, knobs.vectors, piece.loops, piece.tile);
  piece.loops = orderLoops(view, target, knobs, piece.tile);
  if (target.isa != VectorISA::Scalar && target.vectorBytes > view.problem.width)
    piece.vectorBytes = target.vectorBytes;
  piece.store = admittedStore(knobs.store, view, target, piece.tile, piece.vectorBytes);
  piece.prefetch = view.fill ? 0 : prefetchDistance(view, piece, knobs.prefetchBytes);
  return piece;
}

Result<Schedule> relayout::pickSchedule(const Problem &problem, const TargetInfo &target,
                                        const ScheduleOptions &options) {
  std::vector<Piece> pieces = splitIntoPieces(problem);
  std::vector<PieceView> views = viewPieces(problem, pieces, target);
  std::vector<PieceSchedule> schedules;
  for (const PieceView &view : views)
    schedules.push_back(bestPiece(view, defaultKnobs(view, target, options.result), target,
                                  pieces.size() <= kRankedPieces));
  return scheduleOf(problem, pieces, std::move(schedules), target, options.threads);
}

std::vector<Schedule> relayout::candidateSchedules(const Problem &problem, const TargetInfo &target,
                                                   const ScheduleOptions &options, unsigned count) {
  std::vector<Piece> pieces = splitIntoPieces(problem);
  std::vector<PieceView> views = viewPieces(problem, pieces, target);
  std::vector<Schedule> candidates;
  if (Result<Schedule> picked = pickSchedule(problem, target, options))
    candidates.push_back(picked.take());
  size_t variants = 0;
  for (const PieceView &view : views)
    variants = std::max(variants, tuningKnobs(view, Knobs(), target).size());
  for (size_t variant = 0; variant < variants; ++variant) {
    std::vector<PieceSchedule> schedules;
    for (const PieceView &view : views) {
      Knobs base = defaultKnobs(view, target, options.result);
      std::vector<Knobs> all = tuningKnobs(view, base, target);
      schedules.push_back(buildPiece(view, target, all[std::min(variant, all.size() - 1)]));
    }
    Schedule schedule = scheduleOf(problem, pieces, std::move(schedules), target, options.threads);
    if (std::find(candidates.begin(), candidates.end(), schedule) == candidates.end())
      candidates.push_back(std::move(schedule));
  }
  std::vector<std::pair<double, size_t>> order;
  for (size_t i = 0; i < candidates.size(); ++i)
    order.push_back({i == 0 ? -2.0 : -predict(candidates[i], problem, target).ratio, i});
  std::sort(order.begin(), order.end());
  std::vector<Schedule> best;
  for (auto [ratio, i] : order)
    if (best.size() < count)
      best.push_back(candidates[i]);
  return best;
}
