// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Boxes.h"
#include "Text.h"

#include <algorithm>
#include <tuple>

using namespace relayout;

/// All leaders, in the order in which they are made longer: one that has a single
/// value now takes the lead from those below it once it has more.
static std::vector<Leader> leadersFromBelow(const Rearrangement &r) {
  using Key = std::tuple<bool, size_t, unsigned>; // single value, digits below, digit
  std::vector<std::pair<Key, Leader>> found;
  for (unsigned dim = 0; dim < r.resultGroups.size(); ++dim)
    for (const Leader &leader : sharedLeaders(r, dim)) {
      const Rearrangement::Group &group = r.operandGroups[leader.operandDim];
      size_t below = group.end() - std::find(group.begin(), group.end(), leader.digit);
      found.push_back({{r.digits[leader.digit].extent == 1, below, leader.digit}, leader});
    }
  std::sort(found.begin(), found.end(),
            [](const auto &a, const auto &b) { return a.first < b.first; });
  std::vector<Leader> leaders;
  for (const auto &[key, leader] : found)
    leaders.push_back(leader);
  return leaders;
}

static bool leads(const Rearrangement &r, const Leader &leader) {
  std::vector<Leader> leaders = sharedLeaders(r, leader.resultDim);
  return std::any_of(leaders.begin(), leaders.end(),
                     [&](const Leader &other) { return other.digit == leader.digit; });
}

/// Moves each crop to the operand, as far as leaders carry it.
static void moveCropsToOperand(Rearrangement &r) {
  for (const Leader &leader : leadersFromBelow(r)) {
    if (!leads(r, leader))
      continue;
    int64_t unit = resultUnit(r, leader);
    Interval values = coverOf(resultRange(r, leader.resultDim), unit);
    resizeLeader(r, leader, {values.low * unit, values.high * unit});
  }
}

Rearrangement relayout::normalizeWithUnits(Rearrangement normal) {
  simplifyDigits(normal);
  Rearrangement tight = normal;
  // Where nothing moves, windows have no canonical place.
  if (!movesNothing(normal) && tighten(tight)) {
    normal = std::move(tight);
    moveCropsToOperand(normal);
  }
  dropUnits(normal);
  simplifyDigits(normal);
  for (size_t digit = 0; digit < normal.digits.size(); ++digit)
    normal.digits[digit].name = cat("d", digit);
  return normal;
}

Rearrangement relayout::normalize(const Rearrangement &rearrangement) {
  // Digits that the user gave one value must not make a difference.
  Rearrangement normal = rearrangement;
  dropUnits(normal);
  return normalizeWithUnits(std::move(normal));
}
