// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Pieces whose rows stay whole though a window cuts them: a block has all of a row, what is filled
/// or left out as well, and so writes long runs.

#include "BestPiece.h"
#include "Blocks.h"
#include "CostModel.h"
#include "Pieces.h"
#include "VerifyPiece.h"

#include <algorithm>

using namespace relayout;
using namespace relayout::movement;

namespace {

/// `view` without its border, as most of it is moved. Of its digits blocks have all values but of
/// the major one, of those of a crop all.
PieceView withoutBorder(const PieceView &view) {
  PieceView inside = view;
  for (const DigitRange &border : view.problem.read)
    for (size_t i = 1; i < border.terms.size(); ++i)
      inside.whole.push_back(border.terms[i].first);
  for (const DigitRange &crop : view.problem.written)
    for (auto [digit, coefficient] : crop.terms)
      inside.whole.push_back(digit);
  inside.problem.read.clear();
  return inside;
}

/// True if `piece` can perform `problem` in blocks that the first cache holds: while a larger one
/// is written, nothing is read.
bool hasRows(const Problem &problem, const PieceSchedule &piece, const TargetInfo &target) {
  if (!piece.stage)
    return false;
  int64_t block = elementsOf(valuesWithin(problem, piece.loops, *piece.stage));
  return saturatingMul(block, problem.width) <= target.l1Bytes &&
         verifyPiece(piece, problem, /*fills=*/false, target);
}

/// True if rows are made of runs that the input has, too, and pieces of those do as well: what a
/// crop leaves is long by itself, and runs of less than two KiB would go through scratch memory for
/// the sake of a border (docs/schedules.md, "Rows left whole").
bool hasRunsApart(const PieceView &view, const TargetInfo &target) {
  constexpr int64_t kLongRun = 2 << 10;
  if (!keepsRuns(view))
    return false;
  const Digit &digit = view.problem.digits[contiguousChain(view.problem, Side::Out)[0]];
  int64_t run = saturatingMul(digit.extent, view.problem.width);
  return run >= target.lineBytes && (run < kLongRun || !view.problem.written.empty());
}

/// Pieces that carry parts of lines, of which blocks may have whole rows.
std::vector<PieceSchedule> carriedPieces(const PieceView &inside, const Knobs &base,
                                         const TargetInfo &target) {
  std::vector<Knobs> tiles = rankedKnobs(inside, base, target);
  for (Knobs &tile : tiles)
    tile.wholeLines = false;
  std::vector<PieceSchedule> pieces;
  for (int64_t streams : {1, 8})
    for (PieceSchedule &piece : carryPieces(inside, target, tiles, streams)) {
      if (std::optional<PieceSchedule> fetched = fetchCarried(inside, target, piece))
        pieces.push_back(std::move(*fetched));
      pieces.push_back(std::move(piece));
    }
  return pieces;
}

/// Pieces of one tile that carry parts of lines, or leave them to ordinary stores, also in blocks
/// that have all of the `window`.
std::vector<PieceSchedule> simplePieces(const PieceView &inside, const Knobs &base,
                                        const TargetInfo &target,
                                        const std::vector<DigitRange> &window) {
  Knobs knobs = base;
  knobs.wholeLines = false;
  std::vector<PieceSchedule> pieces = carryPieces(inside, target, {knobs}, /*streams=*/1);
  PieceView rows = inside;
  for (const DigitRange &range : window)
    rows.whole.push_back(range.terms.front().first);
  for (const PieceView &view : {inside, rows})
    if (std::optional<PieceSchedule> staged = stagePiece(view, target, knobs, /*leastRun=*/0))
      pieces.push_back(std::move(*staged));
  return pieces;
}

/// Those of `pieces` that have whole rows, the best first.
std::vector<PieceSchedule> withRows(const PieceView &view, const PieceView &inside,
                                    const std::vector<PieceSchedule> &pieces,
                                    const TargetInfo &target) {
  std::vector<std::pair<double, size_t>> order; // by what is predicted, negated
  for (size_t i = 0; i < pieces.size(); ++i)
    if (hasRows(view.problem, pieces[i], target))
      order.push_back({-predictPiece(inside, pieces[i], target).ratio, i});
  std::sort(order.begin(), order.end());
  std::vector<PieceSchedule> ranked;
  for (auto [ratio, i] : order)
    ranked.push_back(pieces[i]);
  return ranked;
}

} // namespace

std::vector<PieceSchedule> relayout::wholeRowPieces(const PieceView &view, const Knobs &base,
                                                    const TargetInfo &target) {
  PieceView inside = withoutBorder(view);
  std::vector<PieceSchedule> pieces = carriedPieces(inside, base, target);
  for (PieceSchedule &piece : simplePieces(inside, base, target, view.problem.read))
    pieces.push_back(std::move(piece));
  return withRows(view, inside, pieces, target);
}

std::optional<PieceSchedule> relayout::wholeRowPiece(const PieceView &view, const Knobs &base,
                                                     const TargetInfo &target, int64_t threads) {
  if (hasRunsApart(view, target))
    return std::nullopt;
  PieceView inside = withoutBorder(view);
  PieceSchedule uncut = bestPiece(inside, base, target, threads);
  // What takes the place of better predictions was measured on movements without a window.
  constexpr double kWeak = 0.15; // of the bound
  if (uncut.carry && hasRows(view.problem, uncut, target) &&
      predictPiece(inside, uncut, target).ratio >= kWeak)
    return uncut;
  // What writes whole lines without a window does where it is cut, too.
  if (!uncut.stage && uncut.store == StoreMode::NonTemporal)
    return std::nullopt;
  std::vector<PieceSchedule> carried =
      withRows(view, inside, carriedPieces(inside, base, target), target);
  if (carried.empty())
    return std::nullopt;
  PieceSchedule fetched = fetchBlocks(inside, target, carried.front());
  return hasRows(view.problem, fetched, target) ? fetched : carried.front();
}

std::optional<PieceSchedule> relayout::smallRowPiece(const PieceView &view, const Knobs &base,
                                                     const TargetInfo &target) {
  PieceView inside = withoutBorder(view);
  std::vector<PieceSchedule> pieces =
      withRows(view, inside, simplePieces(inside, base, target, view.problem.read), target);
  return pieces.empty() ? std::nullopt : std::optional(pieces.front());
}
