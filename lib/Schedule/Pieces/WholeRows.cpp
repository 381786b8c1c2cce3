// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Pieces whose rows stay whole though a window cuts them: a block has all of a row, what is filled
/// or left out as well, and so writes long runs.

#include "BestPiece.h"
#include "Blocks.h"
#include "Cost/CostModel.h"
#include "Pieces.h"
#include "VerifyPiece.h"

#include "relayout/Support/CacheLine.h"

#include <algorithm>
#include <limits>

using namespace relayout;
using namespace relayout::movement;

namespace {

bool hasTerm(const DigitRange &range, unsigned d) {
  return std::any_of(range.terms.begin(), range.terms.end(),
                     [&](auto term) { return term.first == d; });
}

/// The input stride of the digit of `border` that strides least there, and its coefficient.
std::pair<int64_t, int64_t> minorOf(const Problem &problem, const DigitRange &border) {
  std::pair<int64_t, int64_t> minor{std::numeric_limits<int64_t>::max(), 1};
  for (auto [digit, coefficient] : border.terms)
    minor = std::min(minor, {problem.digits[digit].inStride, coefficient});
  return minor;
}

/// Elements of a row that `border` lets be read.
int64_t readOf(const Problem &problem, const DigitRange &border) {
  auto [stride, coefficient] = minorOf(problem, border);
  return saturatingMul((border.high - border.low) / coefficient, stride);
}

/// The strides of the input as if its rows had what lies beyond `border`, too.
void fillRows(Problem &problem, const DigitRange &border) {
  int64_t row = readOf(problem, border), whole = minorOf(problem, border).first;
  for (auto [digit, coefficient] : border.terms)
    whole = saturatingMul(whole, problem.digits[digit].extent);
  for (unsigned d = 0; d < problem.digits.size(); ++d) {
    int64_t &outer = problem.digits[d].inStride;
    if (!hasTerm(border, d) && row > 0 && outer >= row && outer % row == 0)
      outer = saturatingMul(outer / row, whole);
  }
}

/// `view` without its windows, as most of it is moved. Of the digits of that of rows blocks have
/// all values but of the major one of a border.
PieceView withoutBorder(const PieceView &view) {
  constexpr int64_t kLongRow = 4 << 10;
  PieceView inside = view;
  const DigitRange *row = rowWindow(view.problem);
  for (const DigitRange &border : view.problem.read) {
    // Long rows are as good as those that are one stretch.
    int64_t read = saturatingMul(readOf(view.problem, border), view.problem.width);
    if (&border != row || read <= kLongRow)
      fillRows(inside.problem, border);
    for (size_t i = 1; &border == row && i < border.terms.size(); ++i)
      inside.whole.push_back(border.terms[i].first);
  }
  for (const DigitRange &crop : view.problem.written)
    for (auto [digit, coefficient] : crop.terms)
      if (&crop == row)
        inside.whole.push_back(digit);
  inside.problem.read.clear();
  return inside;
}

/// Fetches the blocks that `piece`, which is staged, touches, twice as large and staged as a whole:
/// lines of rows with borders are no stretch that could be read in order (docs/schedules.md,
/// "Windows together").
void fetchTouched(const Problem &problem, PieceSchedule &piece) {
  size_t i = *piece.touch - 1;
  unsigned digit = piece.loops[i].digit;
  piece.fetch = piece.touch;
  piece.touch = std::nullopt;
  piece.loops[i].step = std::min(2 * piece.loops[i].step, problem.digits[digit].extent);
  for (size_t inner = *piece.stage; inner-- > *piece.fetch;)
    if (piece.loops[inner].digit == digit) {
      piece.loops.erase(piece.loops.begin() + inner);
      --*piece.stage;
      if (piece.carry && *piece.carry > inner)
        --*piece.carry;
    }
}

/// `piece`, which is for `inside`, as `problem` can have it: each tile lies within the windows
/// outside of rows or beyond, and what is prefetched lies where it does in the input.
PieceSchedule withWindows(const Problem &problem, const Problem &inside, PieceSchedule piece) {
  const DigitRange *row = rowWindow(problem);
  for (const DigitRange &range : problem.read)
    for (auto [digit, coefficient] : range.terms)
      if (&range != row && piece.tile[digit] > 1) {
        piece.tile[digit] = 1;
        piece.loops.push_back({digit, 1});
      }
  if (piece.touch && piece.stage && !problem.read.empty() && problem.width == 2)
    fetchTouched(problem, piece);
  int64_t left = piece.prefetch;
  piece.prefetch = 0;
  std::vector<unsigned> order = orderByStride(inside, Side::In);
  for (auto d = order.rbegin(); d != order.rend() && inside.digits[*d].inStride > 0; ++d) {
    int64_t values = left / inside.digits[*d].inStride;
    piece.prefetch += values * problem.digits[*d].inStride;
    left -= values * inside.digits[*d].inStride;
  }
  piece.prefetch += left;
  return piece;
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

/// True if rows are made of runs that the input has, too: what a window leaves of them is long by
/// itself, and they would go through scratch memory for its sake (docs/schedules.md, "Rows left
/// whole").
bool hasRunsApart(const PieceView &view) {
  return keepsRuns(view) && rowBytes(view.problem, Side::Out) >= kLineBytes;
}

/// True if most of `problem` is written in whole lines where its one window cuts it, or it is not
/// cut. Of several windows some cut it where lines meet.
bool cutsOnLines(const Problem &problem, const TargetInfo &target) {
  if (problem.read.size() + problem.written.size() > 1)
    return false;
  std::vector<Piece> pieces = splitWithBorders(problem);
  if (cutsOddRuns(problem, pieces, target))
    return false;
  Problem part = pieceProblem(problem, largestOf(pieces));
  return pieces.size() == 1 || writesWholeLines(part, valuesWithin(part, /*loops=*/{}, 0));
}

/// True if what a crop leaves of rows of eight bytes is so long that few lines are cut, which lose
/// more by scratch memory.
bool hasLongRows(const PieceView &view) {
  constexpr int64_t kWide = 8, kLongRow = 4 << 10;
  const DigitRange *row = rowWindow(view.problem);
  if (view.problem.width < kWide || !view.problem.read.empty())
    return false;
  auto [digit, coefficient] = row->terms.front();
  int64_t place = view.problem.digits[digit].outStride / coefficient;
  return saturatingMul(saturatingMul(row->high - row->low, place), view.problem.width) >= kLongRow;
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
  std::vector<PieceSchedule> possible, ranked;
  std::vector<std::pair<double, size_t>> order; // by what is predicted, negated
  for (const PieceSchedule &piece : pieces) {
    PieceSchedule own = withWindows(view.problem, inside.problem, piece);
    if (!hasRows(view.problem, own, target))
      continue;
    order.push_back({-predictPiece(inside, piece, target).ratio, possible.size()});
    possible.push_back(std::move(own));
  }
  std::sort(order.begin(), order.end());
  for (auto [ratio, i] : order)
    ranked.push_back(std::move(possible[i]));
  return ranked;
}

} // namespace

bool relayout::cutsOddRuns(const Problem &problem, const std::vector<Piece> &pieces,
                           const TargetInfo &target) {
  const DigitRange *row = rowWindow(problem);
  auto isRow = [&](const DigitRange &range) { return &range == row; };
  if (!target.memory.losesRows() || std::none_of(problem.read.begin(), problem.read.end(), isRow))
    return false;
  int64_t run = kLineBytes;
  for (auto [digit, coefficient] : row->terms)
    run = std::min(run, saturatingMul(problem.digits[digit].outStride, problem.width));
  unsigned major = row->terms.front().first;
  auto hasRow = [&](const Piece &piece) {
    return piece.read == std::vector<DigitRange>{*row} &&
           piece.extent[major] == problem.digits[major].extent;
  };
  return kLineBytes % run != 0 && std::none_of(pieces.begin(), pieces.end(), hasRow);
}

std::vector<PieceSchedule> relayout::wholeRowPieces(const PieceView &view, const Knobs &base,
                                                    const TargetInfo &target) {
  PieceView inside = withoutBorder(view);
  std::vector<PieceSchedule> pieces = carriedPieces(inside, base, target);
  for (PieceSchedule &piece : simplePieces(inside, base, target, view.problem.read))
    pieces.push_back(std::move(piece));
  pieces = withRows(view, inside, pieces, target);
  if (std::optional<PieceSchedule> runs = windowedRuns(view, target))
    pieces.insert(pieces.begin(), *runs);
  return pieces;
}

std::optional<PieceSchedule> relayout::wholeRowPiece(const PieceView &view, const Knobs &base,
                                                     const TargetInfo &target, int64_t threads) {
  if (hasRunsApart(view) || hasLongRows(view))
    return std::nullopt;
  PieceView inside = withoutBorder(view);
  PieceSchedule uncut = bestPiece(inside, base, target, threads);
  PieceSchedule own = withWindows(view.problem, inside.problem, uncut);
  // What takes the place of better predictions was measured on movements without a window.
  constexpr double kWeak = 0.15; // of the bound
  if (uncut.carry && hasRows(view.problem, own, target) &&
      predictPiece(inside, uncut, target).ratio >= kWeak)
    return own;
  // What writes whole lines without a window does where it is cut, too.
  if (!uncut.stage && uncut.store == StoreMode::NonTemporal && cutsOnLines(view.problem, target))
    return std::nullopt;
  std::vector<PieceSchedule> carried =
      withRows(view, inside, carriedPieces(inside, base, target), target);
  if (carried.empty())
    return std::nullopt;
  PieceSchedule fetched = fetchBlocks(inside, target, carried.front());
  return hasRows(view.problem, fetched, target) ? fetched : carried.front();
}
