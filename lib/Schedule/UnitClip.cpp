// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// How the units of a problem cut its pieces.

#include "Movement.h"
#include "ScheduleError.h"
#include "relayout/Layout/CheckedMath.h"
#include "relayout/Schedule/Schedule.h"

using namespace relayout;
using movement::saturatingMul;

namespace {

/// Where a digit of the problem stands in the reduced problem of a piece.
struct DigitPlace {
  unsigned digit; ///< of the piece's problem
  int64_t factor; ///< values of it for one value of the problem's digit
};

/// A merged digit is a chain of the problem's digits, each of which strides over what
/// the ones before it cover, on both sides (a fill has no input side).
std::optional<DigitPlace> placeInPiece(const Problem &problem, const Piece &piece,
                                       const Problem &reduced, unsigned wanted) {
  auto next = [&](const Digit &digit, int64_t covered) -> std::optional<unsigned> {
    for (unsigned d = 0; d < problem.digits.size(); ++d)
      if (piece.extent[d] > 1 && problem.digits[d].outStride == digit.outStride * covered &&
          (piece.kind == Piece::Kind::Fill ||
           problem.digits[d].inStride == digit.inStride * covered))
        return d;
    return std::nullopt;
  };
  for (unsigned r = 0; r < reduced.digits.size(); ++r)
    for (int64_t covered = 1; covered < reduced.digits[r].extent;) {
      std::optional<unsigned> d = next(reduced.digits[r], covered);
      if (!d)
        break;
      if (*d == wanted)
        return DigitPlace{r, covered};
      covered *= piece.extent[*d];
    }
  return std::nullopt;
}

} // namespace

int64_t relayout::unitCount(const Schedule &schedule, const Problem &problem) {
  if (problem.digits.empty())
    return 1;
  return ceilDiv(problem.digits[schedule.unitDigit].extent, schedule.unitStep);
}

int64_t UnitClip::border(int64_t unit) const {
  __int128 wanted = static_cast<__int128>(unit) * step - offset;
  if (wanted <= 0)
    return 0;
  if (wanted > (extent / tile - 1) * tile)
    return extent;
  return ceilDiv(static_cast<int64_t>(wanted), tile) * tile;
}

Result<UnitClip> relayout::unitClip(const Schedule &schedule, const Problem &problem,
                                    const Piece &piece, const PieceSchedule &pieceSchedule) {
  unsigned unit = schedule.unitDigit;
  if (problem.digits.empty())
    return UnitClip{std::nullopt, 1, 0, 1, 1};
  int64_t before = piece.lower[unit];
  if (piece.extent[unit] == 1)
    return UnitClip{std::nullopt, schedule.unitStep, before, 1, 1};
  Problem reduced = pieceProblem(problem, piece);
  const std::vector<int64_t> tile =
      pieceSchedule.stage ? stagedBlock(reduced, pieceSchedule).extents : pieceSchedule.tile;
  std::optional<DigitPlace> place = placeInPiece(problem, piece, reduced, unit);
  if (!place || place->digit >= tile.size())
    return Error{ErrorCode::Internal,
                 "schedule: d" + std::to_string(unit) + " is not found in a piece"};
  int64_t extent = reduced.digits[place->digit].extent;
  if (place->factor * piece.extent[unit] != extent)
    return scheduleError("expects units over a digit that is the major part of what each piece "
                         "merges it with, but d" +
                         std::to_string(unit) + " is not; d0 is possible");
  return UnitClip{place->digit, saturatingMul(schedule.unitStep, place->factor),
                  saturatingMul(before, place->factor), extent, tile[place->digit]};
}
