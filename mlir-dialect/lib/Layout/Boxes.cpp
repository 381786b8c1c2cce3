// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Boxes.h"

#include "relayout/Layout/CheckedMath.h"

#include <algorithm>
#include <cstdlib>

using namespace relayout;

using Group = Rearrangement::Group;

Interval relayout::intersect(Interval a, Interval b) {
  return {std::max(a.low, b.low), std::min(a.high, b.high)};
}

Interval relayout::coverOf(Interval range, int64_t unit) {
  return {floorDiv(range.low, unit), ceilDiv(range.high, unit)};
}

int64_t relayout::groupExtent(const Rearrangement &r, const Group &group) {
  int64_t extent = 1;
  for (unsigned digit : group)
    extent *= r.digits[digit].extent;
  return extent;
}

Interval relayout::operandRange(const Rearrangement &r, unsigned dim) {
  return {r.pad[dim].low, r.pad[dim].low + r.operandShape[dim]};
}

Interval relayout::resultRange(const Rearrangement &r, unsigned dim) {
  return {r.crop[dim].low, groupExtent(r, r.resultGroups[dim]) - r.crop[dim].high};
}

Rearrangement relayout::converse(const Rearrangement &r) {
  // What a pad adds before the digits, a crop takes away behind them.
  Rearrangement c;
  c.operandShape = r.resultShape();
  c.digits = r.digits;
  c.operandGroups = r.resultGroups;
  c.resultGroups = r.operandGroups;
  c.pad = r.crop;
  c.crop = r.pad;
  return c;
}

bool relayout::movesNothing(const Rearrangement &r) {
  for (const Rearrangement::NamedDigit &digit : r.digits)
    if (digit.extent == 0)
      return true;
  for (const std::vector<int64_t> &shape : {r.operandShape, r.resultShape()})
    if (std::count(shape.begin(), shape.end(), 0) != 0)
      return true;
  return false;
}

static void dropUnitDigits(std::vector<Group> &groups, const Rearrangement &r) {
  for (Group &group : groups)
    group.erase(std::remove_if(group.begin(), group.end(),
                               [&](unsigned digit) { return r.digits[digit].extent == 1; }),
                group.end());
}

/// For each digit the one after it in its group, or -1.
static std::vector<int> successors(const std::vector<Group> &groups, size_t count) {
  std::vector<int> next(count, -1);
  for (const Group &group : groups)
    for (size_t i = 1; i < group.size(); ++i)
      next[group[i - 1]] = group[i];
  return next;
}

void relayout::simplifyDigits(Rearrangement &r) {
  dropUnitDigits(r.operandGroups, r);
  dropUnitDigits(r.resultGroups, r);
  std::vector<int> operandNext = successors(r.operandGroups, r.digits.size());
  std::vector<int> resultNext = successors(r.resultGroups, r.digits.size());
  std::vector<Rearrangement::NamedDigit> digits;
  std::vector<int> newIndex(r.digits.size(), -1); // of the first digit of each run
  for (Group &group : r.operandGroups) {
    Group merged;
    for (size_t i = 0; i < group.size(); ++i) {
      unsigned digit = group[i];
      bool continues = i > 0 && resultNext[group[i - 1]] == static_cast<int>(digit);
      if (continues) {
        digits.back().extent *= r.digits[digit].extent;
        continue;
      }
      newIndex[digit] = digits.size();
      merged.push_back(digits.size());
      digits.push_back(r.digits[digit]);
    }
    group = merged;
  }
  for (Group &group : r.resultGroups) {
    Group merged;
    for (unsigned digit : group)
      if (newIndex[digit] >= 0)
        merged.push_back(newIndex[digit]);
    group = merged;
  }
  r.digits = std::move(digits);
}

int relayout::sharedLeader(const Rearrangement &r, unsigned dim) {
  if (r.resultGroups[dim].empty())
    return -1;
  for (size_t k = 0; k < r.operandGroups.size(); ++k)
    if (!r.operandGroups[k].empty() && r.operandGroups[k][0] == r.resultGroups[dim][0])
      return static_cast<int>(k);
  return -1;
}

/// The number of digit values in 16 byte elements must stay within 63 bits, as
/// `verify` wants it.
static bool extentFits(const Rearrangement &r, unsigned changed, int64_t extent) {
  std::vector<int64_t> factors = {16};
  for (unsigned digit = 0; digit < r.digits.size(); ++digit)
    factors.push_back(digit == changed ? extent : r.digits[digit].extent);
  return checkedProduct(factors).has_value();
}

static bool windowFits(const Window &window) {
  return std::abs(window.low) <= kMaxWindow && std::abs(window.high) <= kMaxWindow;
}

bool relayout::resizeLeader(Rearrangement &r, unsigned operandDim, unsigned resultDim,
                            Interval box) {
  unsigned leader = r.resultGroups[resultDim][0];
  int64_t extent = r.digits[leader].extent;
  int64_t resultUnit = groupExtent(r, r.resultGroups[resultDim]) / extent;
  int64_t operandUnit = groupExtent(r, r.operandGroups[operandDim]) / extent;
  if (box.isEmpty() || box.low % resultUnit != 0 || box.high % resultUnit != 0)
    return false;
  int64_t newExtent = (box.high - box.low) / resultUnit;
  std::optional<int64_t> low = checkedMul(box.low / resultUnit, operandUnit);
  std::optional<int64_t> high = checkedMul(box.high / resultUnit, operandUnit);
  if (!low || !high || !windowFits({*low, *high}) || !extentFits(r, leader, newExtent))
    return false;
  Interval present = operandRange(r, operandDim), places = {*low, *high};
  if (!Interval{0, extent * operandUnit}.contains(intersect(present, places)))
    return false;
  Interval kept = resultRange(r, resultDim);
  Window pad = {present.low - places.low, places.high - present.high};
  Window crop = {kept.low - box.low, box.high - kept.high};
  if (!windowFits(pad) || !windowFits(crop))
    return false;
  r.digits[leader].extent = newExtent;
  r.pad[operandDim] = pad;
  r.crop[resultDim] = crop;
  return true;
}

bool relayout::tighten(Rearrangement &r) {
  simplifyDigits(r);
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned dim = 0; dim < r.resultGroups.size(); ++dim) {
      int operandDim = sharedLeader(r, dim);
      if (operandDim < 0)
        continue;
      int64_t extent = r.digits[r.resultGroups[dim][0]].extent;
      int64_t resultUnit = groupExtent(r, r.resultGroups[dim]) / extent;
      int64_t operandUnit = groupExtent(r, r.operandGroups[operandDim]) / extent;
      Interval values = intersect(coverOf(operandRange(r, operandDim), operandUnit),
                                  coverOf(resultRange(r, dim), resultUnit));
      values = intersect(values, {0, extent});
      if (values.isEmpty())
        return false;
      if (values != Interval{0, extent})
        changed |=
            resizeLeader(r, operandDim, dim, {values.low * resultUnit, values.high * resultUnit});
    }
    if (changed)
      simplifyDigits(r);
  }
  return true;
}
