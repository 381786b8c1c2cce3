// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Boxes.h"
#include "Text.h"

using namespace relayout;

/// Moves each crop to the operand, as far as leading digits carry it.
static void moveCropsToOperand(Rearrangement &r) {
  for (unsigned dim = 0; dim < r.resultGroups.size(); ++dim) {
    int operandDim = sharedLeader(r, dim);
    if (operandDim < 0)
      continue;
    int64_t merged = groupExtent(r, r.resultGroups[dim]);
    int64_t unit = merged / r.digits[r.resultGroups[dim][0]].extent;
    Interval values = coverOf(resultRange(r, dim), unit);
    Interval box = {values.low * unit, values.high * unit};
    if (box != Interval{0, merged})
      resizeLeader(r, operandDim, dim, box);
  }
}

Rearrangement relayout::normalize(const Rearrangement &rearrangement) {
  Rearrangement normal = rearrangement;
  simplifyDigits(normal);
  Rearrangement tight = normal;
  // Where nothing moves, windows have no canonical place.
  if (!movesNothing(normal) && tighten(tight)) {
    normal = std::move(tight);
    moveCropsToOperand(normal);
  }
  for (size_t digit = 0; digit < normal.digits.size(); ++digit)
    normal.digits[digit].name = cat("d", digit);
  return normal;
}
