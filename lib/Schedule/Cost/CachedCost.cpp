// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What a piece costs whose bytes stay in the caches: the instructions of its tiles, and the lines
/// that the first cache lacks, which its loops are followed to count (docs/schedules.md, "What
/// tiles cost in cache").

#include "CostModel.h"
#include "Pieces/BuildPiece.h"

#include "relayout/Layout/CheckedMath.h"
#include "relayout/Support/CacheLine.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace relayout;
using namespace relayout::movement;

namespace {

/// Costs, in loads of a vector. That of a line counts from the second cache on; a line that evicts
/// another before its time is one of many that meet in a set.
constexpr double kShuffle = 0.6, kTornRow = 2, kLineWritten = 3;
constexpr double kLineMissed = 7, kSetContended = 6;

/// What a vector of a tile costs more, stage by stage of its shuffles, beyond about what registers
/// hold: as fitted, on all targets.
constexpr double kLiveVectors = 32, kSpilled = 1.1;

/// The lines of the first cache, where new ones replace those that were used the longest ago.
class FirstCache {
public:
  explicit FirstCache(const TargetInfo &target)
      : sets(target.firstWayBytes() / kLineBytes), ways(std::max<int64_t>(1, target.l1Ways)),
        lines(sets * ways) {}

  /// The cost of the next access, which is to `line`; written lines alone suffer by contention.
  double touch(int64_t line, bool isWritten) {
    ++now;
    auto *set = &lines[line % sets * ways];
    auto *found = std::find_if(set, set + ways, [&](const Line &l) { return l.number == line; });
    bool hits = found != set + ways;
    Line latest{line, hits ? found->since : now};
    Line &last = hits ? *found : set[ways - 1];
    bool isEarly = !hits && last.number >= 0 && 2 * (now - last.since) < sets * ways;
    std::move_backward(set, &last, &last + 1);
    *set = latest;
    return hits ? 0 : kLineMissed + (isWritten && isEarly ? kSetContended : 0);
  }

private:
  struct Line {
    int64_t number = -1;
    int64_t since = 0; ///< the access that brought it
  };

  int64_t sets, ways, now = 0;
  std::vector<Line> lines; ///< set by set, the latest first
};

/// Where the runs of a tile begin on a side, in elements.
std::vector<int64_t> runStarts(const Problem &problem, const std::vector<int64_t> &tile,
                               Side side) {
  int64_t run = contiguousRun(problem, tile, side);
  std::vector<int64_t> starts{0};
  for (unsigned d : orderByStride(problem, side)) {
    int64_t distance = stride(problem.digits[d], side);
    if (tile[d] == 1 || distance < run)
      continue;
    for (size_t i = 0, count = starts.size(); i < count * (tile[d] - 1); ++i)
      starts.push_back(starts[i] + distance);
  }
  return starts;
}

/// Follows the loops of a piece for some thousand lines, as if both sides began on one.
class Walk {
public:
  Walk(const CostedPiece &piece)
      : piece(piece), cache(piece.target), read(sideOf(Side::In)), written(sideOf(Side::Out)),
        begins(piece.problem().digits.size(), 0),
        ends(valuesWithin(piece.problem(), /*loops=*/{}, 0)) {}

  /// The cost of a tile's lines, on average: those that it writes, and those that the first cache
  /// lacks if all of them do not fit there.
  double costOfTile() {
    visit(0);
    return cost / static_cast<double>(std::max<int64_t>(1, tiles));
  }

private:
  static constexpr int64_t kTouches = 4096;
  static constexpr int64_t kApart = int64_t(1) << 40; ///< lines between the sides

  struct RunsOfTile {
    std::vector<int64_t> starts; ///< in bytes
    int64_t bytes;               ///< of each
  };

  RunsOfTile sideOf(Side side) const {
    const std::vector<int64_t> &tile = piece.schedule.tile;
    RunsOfTile runs{runStarts(piece.problem(), tile, side), runBytes(piece.problem(), tile, side)};
    for (int64_t &start : runs.starts)
      start *= piece.problem().width;
    return runs;
  }

  void visit(size_t depth) {
    const std::vector<Loop> &loops = piece.schedule.loops;
    if (depth == loops.size()) {
      ++tiles;
      if (!piece.view.fill)
        touchRuns(read, Side::In);
      touchRuns(written, Side::Out);
      return;
    }
    auto [digit, step] = loops[depth];
    int64_t begin = begins[digit], end = ends[digit];
    for (int64_t value = begin; value < end && touches < kTouches; value += step) {
      // Tiles at the end are shifted back.
      bool isTile = step == piece.schedule.tile[digit];
      begins[digit] = isTile ? std::max<int64_t>(0, std::min(value, end - step)) : value;
      ends[digit] = std::min(begins[digit] + step, end);
      visit(depth + 1);
    }
    begins[digit] = begin;
    ends[digit] = end;
  }

  void touchRuns(const RunsOfTile &runs, Side side) {
    const Problem &problem = piece.problem();
    bool isWritten = side == Side::Out;
    int64_t line = kLineBytes, first = 0;
    for (unsigned d = 0; d < begins.size(); ++d)
      first += begins[d] * stride(problem.digits[d], side);
    first *= problem.width;
    for (int64_t start : runs.starts)
      for (int64_t i = (first + start) / line; i <= (first + start + runs.bytes - 1) / line; ++i) {
        ++touches;
        cost += isWritten ? kLineWritten : 0;
        if (piece.view.outOfL1)
          cost += cache.touch(isWritten ? i + kApart : i, isWritten);
      }
  }

  const CostedPiece &piece;
  FirstCache cache;
  RunsOfTile read, written;
  std::vector<int64_t> begins, ends; ///< of what each digit's loops are in
  int64_t tiles = 0, touches = 0;
  double cost = 0;
};

/// The cost of a tile's instructions, but for its stores.
double instructionsOfTile(const CostedPiece &piece, double shuffles) {
  constexpr int64_t kLeastLoad = 4; // bytes, of those that are loads of their own
  const PieceSchedule &schedule = piece.schedule;
  int64_t vector = std::max(schedule.vectorBytes, piece.problem().width);
  double vectors = tileVectors(piece.problem(), schedule);
  double cost = kShuffle * vectors * shuffles +
                kSpilled * std::max(0.0, vectors * std::max(shuffles, 1.0) - kLiveVectors);
  if (piece.view.fill)
    return cost;
  int64_t run = runBytes(piece.problem(), schedule.tile, Side::In);
  bool isTorn = run % vector != 0 && (run < kLeastLoad || !llvm::isPowerOf2_64(run));
  double rows = static_cast<double>(rowsOf(piece.problem(), schedule.tile, Side::In));
  return cost + static_cast<double>(partsRead(piece.view, schedule.tile, vector)) +
         (isTorn ? kTornRow * rows : 0);
}

} // namespace

double relayout::cachedFactor(const CostedPiece &piece, double shuffles) {
  double vector = static_cast<double>(std::max(piece.schedule.vectorBytes, piece.problem().width));
  double lines =
      tileVectors(piece.problem(), piece.schedule) * vector / static_cast<double>(kLineBytes);
  double sides = piece.view.fill ? 1 : 2;
  double copied = sides - 1 + kLineWritten + (piece.view.outOfL1 ? sides * kLineMissed : 0);
  double cost = instructionsOfTile(piece, shuffles) + Walk(piece).costOfTile();
  return std::min(1.0, lines * copied / cost);
}
