// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// From a problem to its schedule: those of its pieces, and the units of all.

#include "BestPiece.h"
#include "BuildPiece.h"
#include "Units.h"

#include "relayout/Layout/CheckedMath.h"

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

} // namespace

Result<Schedule> relayout::pickSchedule(const Problem &problem, const TargetInfo &target,
                                        const ScheduleOptions &options) {
  std::vector<Piece> pieces = splitWithBorders(problem);
  std::vector<PieceView> views = viewPieces(problem, pieces, target);
  std::vector<PieceSchedule> schedules;
  int64_t least = leastRanked(views);
  for (const PieceView &view : views) {
    Knobs base = defaultKnobs(view, target, options.result);
    TargetInfo shared = besideOthers(view, target, options.threads);
    schedules.push_back(view.bytes >= least ? bestPiece(view, base, shared, options.threads)
                                            : buildPiece(view, shared, base));
  }
  return scheduleOf(problem, pieces, std::move(schedules), target, options.threads);
}
