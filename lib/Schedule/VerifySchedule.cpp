// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Whether a schedule can perform a problem on a target: everything that a user may pin.

#include "ScheduleError.h"
#include "VerifyPiece.h"
#include "relayout/Layout/CheckedMath.h"

#include <algorithm>

using namespace relayout;

static Status verifyUnits(const Schedule &schedule, const Problem &problem) {
  bool hasDigits = !problem.digits.empty() || schedule.unitDigit != 0 || schedule.unitStep != 1;
  if (hasDigits && schedule.unitDigit >= problem.digits.size())
    return scheduleError("expects units over one of the " + std::to_string(problem.digits.size()) +
                         " digits of the problem, but got d" + std::to_string(schedule.unitDigit));
  // A problem without elements has a digit of extent 0, and units of one value.
  int64_t extent = hasDigits ? std::max<int64_t>(1, problem.digits[schedule.unitDigit].extent) : 1;
  if (schedule.unitStep < 1 || schedule.unitStep > extent)
    return scheduleError("expects units of 1 to " + std::to_string(extent) + " values of d" +
                         std::to_string(schedule.unitDigit) + ", but got " +
                         std::to_string(schedule.unitStep));
  int64_t units = ceilDiv(extent, schedule.unitStep);
  if (schedule.sweep < 0 || schedule.sweep > units)
    return scheduleError("expects a sweep of 0 (none) to " + std::to_string(units) +
                         " units, but got " + std::to_string(schedule.sweep));
  return Status::success();
}

Status relayout::verifySchedule(const Schedule &schedule, const Problem &problem,
                                const TargetInfo &target) {
  std::vector<Piece> pieces = piecesOf(problem, schedule);
  if (schedule.pieces.size() != pieces.size())
    return scheduleError("expects " + std::to_string(pieces.size()) + " pieces, but got " +
                         std::to_string(schedule.pieces.size()));
  if (Status status = verifyUnits(schedule, problem); !status)
    return status;
  for (size_t i = 0; i < pieces.size(); ++i) {
    Problem reduced = pieceProblem(problem, pieces[i]);
    Status status =
        verifyPiece(schedule.pieces[i], reduced, pieces[i].kind == Piece::Kind::Fill, target);
    if (status) {
      Result<UnitClip> clip = unitClip(schedule, problem, pieces[i], schedule.pieces[i]);
      if (!clip)
        status = clip.error();
    }
    if (!status && pieces.size() > 1)
      return Error{status.error().code, status.error().message + " (piece " + std::to_string(i) +
                                            " of " + std::to_string(pieces.size()) + ")"};
    if (!status)
      return status;
  }
  return Status::success();
}
