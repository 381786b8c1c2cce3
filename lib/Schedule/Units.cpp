// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Which digit is split over threads, and in what steps.

#include "Units.h"
#include "PieceView.h"

#include "relayout/Layout/CheckedMath.h"
#include "relayout/Support/CacheLine.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

using namespace relayout;
using namespace relayout::movement;

namespace {

constexpr int64_t kUnitsPerThread = 4;

/// How good units over a digit are; larger is better, compared in this order. Threads that split
/// the outermost loop walk memory as one thread does, each a part of its own; where they split an
/// inner one both read parts of the same pages and lines, which mostly costs more than the lines
/// that they share at the borders (docs/schedules.md, "Units of two threads"). Units of one thread
/// must only not be in its way.
struct UnitRank {
  double busy;       ///< see `busyShare`
  bool sweeps;       ///< what several pieces do of a unit stays in the second cache
  bool keepsRuns;    ///< borders lie between runs that blocks go on with, where that counts
  bool onLines;      ///< and on lines, wherever the digits outside begin on them
  int64_t outermost; ///< loops outside of the digit's outermost one, negated

  bool operator<(const UnitRank &o) const {
    return std::tie(busy, sweeps, keepsRuns, onLines, outermost) <
           std::tie(o.busy, o.sweeps, o.keepsRuns, o.onLines, o.outermost);
  }
};

/// The share of their time in which threads have units to do, 1 where there are enough for all to
/// end together whatever holds one up. An eighth of it is not worth an inner loop. What is for one
/// thread may be run by two.
double busyShare(int64_t units, int64_t enough, int64_t threads) {
  constexpr double kNearlyAll = 7. / 8;
  if (units >= enough)
    return 1;
  double most = std::max<int64_t>(2, threads);
  return std::min(kNearlyAll, double(units) / (most * std::ceil(double(units) / most)));
}

/// The loops of a piece outside of the outermost one over `digit`; all, if none is over it.
int64_t depthOf(const PieceSchedule &piece, std::optional<unsigned> digit) {
  auto found = std::find_if(piece.loops.begin(), piece.loops.end(),
                            [&](const auto &loop) { return digit && loop.digit == *digit; });
  return found - piece.loops.begin();
}

/// The step of units over digit `d`: a multiple of the tile's extent in the largest
/// piece, and of what makes the borders fall on lines, if the digit is that long.
int64_t unitStep(const Problem &problem, unsigned d, int64_t tile, int64_t enough) {
  int64_t extent = problem.digits[d].extent;
  int64_t bytes = saturatingMul(problem.digits[d].outStride % kLineBytes, problem.width);
  int64_t lines = kLineBytes / std::gcd(kLineBytes, bytes % kLineBytes);
  int64_t step = std::lcm(tile, lines);
  if (ceilDiv(extent, step) < enough)
    step = tile;
  return std::min(step, extent);
}

/// Units of which all pieces move less than a share of the second cache, so that they
/// find the lines there in which they meet; 0 if one unit moves more, or if all of them
/// do not move more.
int64_t sweepOf(const Problem &problem, const std::vector<Piece> &pieces, int64_t units,
                const TargetInfo &target) {
  constexpr int64_t kShare = 2;
  int64_t bytes = 0;
  for (const Piece &piece : pieces) {
    int64_t sides = piece.kind == Piece::Kind::Fill ? 1 : 2;
    int64_t moved = saturatingMul(piece.elements(), saturatingMul(problem.width, sides));
    bytes = checkedAdd(bytes, moved).value_or(std::numeric_limits<int64_t>::max());
  }
  int64_t sweep = target.l2Bytes / kShare / std::max<int64_t>(1, bytes / units);
  return sweep >= units ? 0 : sweep;
}

/// Sets the digit, the step and the sweep of the units, of which `schedule` has none yet.
void chooseUnits(Schedule &schedule, const Problem &problem, const std::vector<Piece> &pieces,
                 const TargetInfo &target, int64_t threads) {
  if (pieces.empty() || problem.digits.empty())
    return;
  const Piece &largest = largestOf(pieces);
  const PieceSchedule &main = schedule.pieces[&largest - pieces.data()];
  threads = std::max<int64_t>(1, threads);
  int64_t enough = saturatingMul(kUnitsPerThread, threads);
  // Rows that are whole write nearly all lines at one visit, and what goes on along rows while
  // parts of lines wait would be broken off (docs/schedules.md, "Sweeps").
  bool goesOn = main.carry && target.memory.losesRows();
  bool meet = schedule.rows == Rows::Cut && !goesOn && meetInLines(problem, pieces);
  bool sharesRows = threads == 1 || target.memory.sharesRows;
  std::vector<bool> along;
  if (main.carry && sharesRows)
    along = stagedBlock(pieceProblem(problem, largest), main).along;
  std::optional<UnitRank> best;
  Schedule trial = schedule;
  for (unsigned d = 0; d < problem.digits.size(); ++d) {
    trial.unitDigit = d;
    bool possible = true;
    for (size_t i = 0; possible && i < pieces.size(); ++i)
      possible = static_cast<bool>(unitClip(trial, problem, pieces[i], schedule.pieces[i]));
    if (!possible)
      continue;
    UnitClip clip = *unitClip(trial, problem, largest, main);
    int64_t tile = ceilDiv(clip.tile, clip.step);
    int64_t step = unitStep(problem, d, tile, enough);
    int64_t bytes = saturatingMul(problem.digits[d].outStride % kLineBytes,
                                  saturatingMul(problem.width, step % kLineBytes));
    int64_t units = ceilDiv(problem.digits[d].extent, step);
    int64_t sweep = meet ? sweepOf(problem, pieces, units, target) : 0;
    bool cutsRuns = !along.empty() && clip.digit && along[*clip.digit];
    // Of the largest piece, which may have a part of the digit only.
    int64_t parts = clip.digit ? ceilDiv(clip.extent, saturatingMul(clip.step, step)) : 1;
    UnitRank rank{busyShare(parts, enough, threads), sweep > 0, !cutsRuns,
                  !sharesRows || bytes % kLineBytes == 0, -depthOf(main, clip.digit)};
    if (!best || *best < rank) {
      best = rank;
      schedule.unitDigit = d;
      schedule.unitStep = step;
      schedule.sweep = sweep;
    }
  }
}

} // namespace

bool relayout::meetInLines(const Problem &problem, const std::vector<Piece> &pieces) {
  constexpr int64_t kRunBytes = 32 << 10;
  int64_t runs = 0, elements = 0;
  for (const Piece &piece : pieces) {
    Problem part = pieceProblem(problem, piece);
    std::vector<int64_t> all = valuesWithin(part, /*loops=*/{}, 0);
    elements = checkedAdd(elements, piece.elements()).value_or(std::numeric_limits<int64_t>::max());
    if (!writesWholeLines(part, all))
      runs += piece.elements() / std::max<int64_t>(1, contiguousRun(part, all, Side::Out));
  }
  return pieces.size() > 1 && runs > 0 && elements / runs <= kRunBytes / problem.width;
}

Schedule relayout::scheduleOf(const Problem &problem, const std::vector<Piece> &pieces,
                              std::vector<PieceSchedule> schedules, const TargetInfo &target,
                              int64_t threads, Rows rows) {
  Schedule schedule;
  schedule.pieces = std::move(schedules);
  schedule.rows = rows;
  chooseUnits(schedule, problem, pieces, target, threads);
  return schedule;
}
