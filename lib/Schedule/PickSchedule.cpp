// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// From a problem to its schedule: those of its pieces, and the units of all.

#include "Pieces/BestPiece.h"
#include "Pieces/BuildPiece.h"
#include "Pieces/Pieces.h"
#include "ScheduleError.h"
#include "Units.h"

#include "relayout/Layout/CheckedMath.h"

#include <algorithm>
#include <limits>

using namespace relayout;
using namespace relayout::movement;

namespace {

/// The bytes of the smallest piece that is ranked. The others take the default knobs: to rank each,
/// and the code of what is found, would take longer than they are worth.
int64_t leastRanked(const std::vector<PieceView> &views) {
  constexpr int64_t kSmallShare = 32;
  int64_t total = 0;
  for (const PieceView &view : views)
    total = checkedAdd(total, view.bytes).value_or(std::numeric_limits<int64_t>::max());
  return total / kSmallShare;
}

/// The target as one of `threads` finds it. Pages that the kernel goes through in turn cost more
/// beside others where no two of them share a line of the page table (docs/schedules.md, "Two
/// threads and pages").
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

/// The schedule of one piece: by rank, or if it is less than `least`, by the default knobs.
PieceSchedule scheduleOfPiece(const PieceView &view, const TargetInfo &target,
                              const ScheduleOptions &options, int64_t least) {
  Knobs base = defaultKnobs(view, target, options.result);
  TargetInfo shared = besideOthers(view, target, options.threads);
  if (view.bytes < least)
    return buildPiece(view, shared, base);
  PieceSchedule piece = bestPiece(view, base, shared, options.threads);
  if (base.store == StoreMode::NonTemporal && piece.store != StoreMode::NonTemporal)
    if (std::optional<PieceSchedule> runs = fillRuns(view, shared))
      return *runs;
  return piece;
}

/// True if windows but that of rows fill or leave out whole rows, not parts of them.
bool areRowsApart(const Problem &problem) {
  const DigitRange *row = rowWindow(problem);
  int64_t most = problem.digits[row->terms.front().first].outStride;
  auto isOutside = [&](const DigitRange &range) {
    return &range == row || std::all_of(range.terms.begin(), range.terms.end(), [&](auto term) {
      return problem.digits[term.first].outStride >= most;
    });
  };
  return std::all_of(problem.read.begin(), problem.read.end(), isOutside) &&
         std::all_of(problem.written.begin(), problem.written.end(), isOutside);
}

/// The same of one that a window cuts, with its rows whole; none where that is impossible, or not
/// wanted and not known to gain, as where pieces would not meet in lines.
std::optional<PieceSchedule> rowsOfPiece(const PieceView &view, const TargetInfo &target,
                                         const ScheduleOptions &options, bool wouldMeet) {
  Knobs base = defaultKnobs(view, target, options.result);
  TargetInfo shared = besideOthers(view, target, options.threads);
  if (options.rows) {
    std::vector<PieceSchedule> all = wholeRowPieces(view, base, shared);
    return all.empty() ? std::nullopt : std::optional(all.front());
  }
  if (base.store != StoreMode::NonTemporal || !view.outOfCache)
    return std::nullopt;
  // Long rows that one window pads are few boxes, each of a long stretch.
  bool isPaddedOnce = view.problem.read.size() == 1 && view.problem.written.empty();
  if (wouldMeet || !isPaddedOnce)
    if (std::optional<PieceSchedule> runs = windowedRuns(view, shared))
      return runs;
  if (!wouldMeet || !areRowsApart(view.problem))
    return std::nullopt;
  return wholeRowPiece(view, base, shared, options.threads);
}

/// True if whole rows may gain over those that are cut: their pieces meet in lines, or the one tile
/// has all of a row, or tiles would join runs to lines (docs/schedules.md, "Rows left
/// whole").
bool mayGainByRows(const Problem &problem, const TargetInfo &target) {
  std::vector<Piece> others = splitWithBorders(problem);
  return others.size() == 1 || meetInLines(problem, others) || cutsOddRuns(problem, others, target);
}

/// The schedule whose `rows` are whole or together where windows would cut them; none where they
/// are not cut, where that is impossible, or not wanted and not known to gain.
std::optional<Schedule> pickRows(const Problem &problem, const TargetInfo &target,
                                 const ScheduleOptions &options, Rows rows) {
  std::vector<Piece> pieces = rows == Rows::Whole ? splitIntoRows(problem) : keepWindows(problem);
  // One window is that of rows.
  if (rows == Rows::Together && !options.rows && problem.read.size() + problem.written.size() < 2)
    return std::nullopt;
  bool isCut = std::any_of(pieces.begin(), pieces.end(), [](const Piece &piece) {
    return !piece.read.empty() || !piece.written.empty();
  });
  if (!isCut)
    return std::nullopt;
  bool wouldMeet = mayGainByRows(problem, target);
  std::vector<PieceView> views = viewPieces(problem, pieces, target);
  std::vector<PieceSchedule> schedules(views.size());
  int64_t least = leastRanked(views);
  auto hasRows = [&](size_t i) { return !views[i].fill && views[i].problem.hasWindows(); };
  for (size_t i = 0; i < views.size(); ++i) {
    if (!hasRows(i))
      continue;
    std::optional<PieceSchedule> whole = rowsOfPiece(views[i], target, options, wouldMeet);
    if (!whole)
      return std::nullopt;
    schedules[i] = std::move(*whole);
  }
  for (size_t i = 0; i < views.size(); ++i)
    if (!hasRows(i))
      schedules[i] = scheduleOfPiece(views[i], target, options, least);
  return scheduleOf(problem, pieces, std::move(schedules), target, options.threads, rows);
}

Schedule pickCut(const Problem &problem, const TargetInfo &target, const ScheduleOptions &options) {
  std::vector<Piece> pieces = splitWithBorders(problem);
  std::vector<PieceView> views = viewPieces(problem, pieces, target);
  std::vector<PieceSchedule> schedules;
  int64_t least = leastRanked(views);
  for (const PieceView &view : views)
    schedules.push_back(scheduleOfPiece(view, target, options, least));
  return scheduleOf(problem, pieces, std::move(schedules), target, options.threads, Rows::Cut);
}

} // namespace

Result<Schedule> relayout::pickSchedule(const Problem &problem, const TargetInfo &target,
                                        const ScheduleOptions &options) {
  for (Rows rows : {Rows::Together, Rows::Whole})
    if (options.rows.value_or(rows) == rows)
      if (std::optional<Schedule> picked = pickRows(problem, target, options, rows))
        return *picked;
  if (options.rows.value_or(Rows::Cut) == Rows::Cut)
    return pickCut(problem, target, options);
  return scheduleError(std::string("expects rows that a window cuts, and that blocks in a cache "
                                   "hold, for rows=") +
                       wordOf(*options.rows) + "; rows=cut is possible");
}
