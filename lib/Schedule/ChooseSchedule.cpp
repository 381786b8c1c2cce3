// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Schedule/Schedule.h"

using namespace relayout;

Result<Schedule> relayout::chooseSchedule(const Problem &problem, const TargetInfo &target,
                                          const ScheduleOptions &options, std::string_view pinned) {
  ScheduleOptions wanted = options;
  if (std::optional<Rows> rows = pinnedRows(pinned))
    wanted.rows = rows;
  Result<Schedule> picked = pickSchedule(problem, target, wanted);
  size_t pieces = pinnedPieces(pinned);
  for (Rows rows : {Rows::Cut, Rows::Whole}) {
    if (!picked || wanted.rows || pieces <= 1 || pieces == picked->pieces.size())
      break;
    ScheduleOptions others = wanted;
    others.rows = rows;
    Result<Schedule> other = pickSchedule(problem, target, others);
    if (other && other->pieces.size() == pieces)
      picked = std::move(other);
  }
  if (!picked || pinned.empty())
    return picked;
  Result<Schedule> chosen = overrideSchedule(*picked, pinned);
  if (!chosen)
    return chosen;
  if (Status possible = verifySchedule(*chosen, problem, target); !possible)
    return possible.error();
  return chosen;
}
