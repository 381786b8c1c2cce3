// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Transposes of long rows whose tiles read parts of lines of 48 or 64 rows, not whole lines of 16,
/// so that they write three or four lines of each row at a time. What the processor's prefetchers
/// do not follow of so many rows comes to the second cache by the tiles' own prefetches
/// (docs/schedules.md, "Many rows ahead").

#include "Cost/Reading.h"
#include "Pieces.h"

#include "relayout/Layout/CheckedMath.h"
#include "relayout/Support/CacheLine.h"

#include <algorithm>

using namespace relayout;
using namespace relayout::movement;

namespace {

constexpr int64_t kWidth = 4; ///< bytes of an element; others were measured to lose
constexpr int64_t kPart = 4;  ///< values that a tile reads of each row

/// The two digits that the tiles of a transpose turn.
struct Turned {
  unsigned read, written; ///< whose values lie side by side in the input, in the output
};

/// None if tiles do not turn lines of as many rows of two digits, straight from memory to whole
/// lines: parts of lines that wait for what follows gain nothing by it.
std::optional<Turned> turnedDigits(const PieceView &view, const PieceSchedule &piece) {
  const Problem &problem = view.problem;
  if (problem.width != kWidth || !problem.read.empty() || piece.stage || piece.fetch ||
      piece.touch || piece.pack || piece.prefetch == 0 || piece.store != StoreMode::NonTemporal ||
      piece.vectorBytes != kLineBytes)
    return std::nullopt;
  const int64_t line = kLineBytes / kWidth;
  std::optional<unsigned> read, written;
  for (unsigned d = 0; d < problem.digits.size(); ++d) {
    if (piece.tile[d] == 1)
      continue;
    if (piece.tile[d] != line)
      return std::nullopt;
    if (problem.digits[d].inStride == 1)
      read = d;
    else if (problem.digits[d].outStride == 1)
      written = d;
    else
      return std::nullopt;
  }
  if (!read || !written)
    return std::nullopt;
  return Turned{*read, *written};
}

/// `piece` with tiles of parts of so many `rows`; none if they repeat too much of what others do,
/// if loops take other groups, or if the lines that they read evict each other.
std::optional<PieceSchedule> withRows(const PieceView &view, const TargetInfo &target,
                                      PieceSchedule piece, Turned digits, int64_t rows) {
  constexpr int64_t kTenth = 10; // of the values of the digit
  const Problem &problem = view.problem;
  const int64_t extent = problem.digits[digits.written].extent;
  if (rows > extent || kTenth * (ceilDiv(extent, rows) * rows - extent) > extent)
    return std::nullopt;
  bool goesOn = false; // to other parts of the lines
  for (Loop &loop : piece.loops) {
    if (loop.digit == digits.read && loop.step == piece.tile[digits.read]) {
      loop.step = kPart;
      goesOn = true;
    }
    if (loop.digit != digits.written)
      continue;
    if (loop.step != piece.tile[digits.written])
      return std::nullopt;
    loop.step = rows;
  }
  if (!goesOn) // a tile took all values
    piece.loops.push_back({digits.read, kPart});
  if (rows == extent)
    piece.loops.erase(
        std::remove(piece.loops.begin(), piece.loops.end(), Loop{digits.written, rows}),
        piece.loops.end());
  piece.tile[digits.read] = kPart;
  piece.tile[digits.written] = rows;
  piece.cache = 2;
  // The next tiles read the other parts of the same lines.
  Reading reading = readingOf(problem, piece);
  if (4 * linesPerSet(problem, piece, reading, target) > 3 * static_cast<double>(target.l1Ways))
    return std::nullopt;
  return piece;
}

/// True if `piece` reads each row straight on for long enough to prefetch in it, and the rows that
/// it writes lie so far apart that one line of each at a time is slow.
bool gains(const Problem &problem, const PieceSchedule &piece, Turned digits) {
  constexpr int64_t kLongBytes = 2 << 10, kApartBytes = 512;
  Reading reading = readingOf(problem, piece);
  bool isLong = reading.jump == 0 || saturatingMul(reading.row, kWidth) >= kLongBytes;
  return isLong && saturatingMul(problem.digits[digits.read].outStride, kWidth) >= kApartBytes;
}

} // namespace

PieceSchedule relayout::turnManyRows(const PieceView &view, const TargetInfo &target,
                                     PieceSchedule piece) {
  if (!target.memory.losesRows() || !isFromMemory(view))
    return piece;
  std::optional<Turned> digits = turnedDigits(view, piece);
  if (!digits || !gains(view.problem, piece, *digits))
    return piece;
  for (int64_t rows : {64, 48})
    if (std::optional<PieceSchedule> other = withRows(view, target, piece, *digits, rows))
      return *other;
  return piece;
}
