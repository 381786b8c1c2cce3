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

static bool isUnit(const Rearrangement &r, unsigned digit) { return r.digits[digit].extent == 1; }

/// Keeps the digits of `r` whose entry of `kept` is set, and numbers them in the
/// order of the operand; the others must not matter.
static void keepDigits(Rearrangement &r, const std::vector<bool> &kept) {
  std::vector<unsigned> newIndex(r.digits.size());
  std::vector<Rearrangement::NamedDigit> digits;
  for (const Group &group : r.operandGroups)
    for (unsigned digit : group)
      if (kept[digit]) {
        newIndex[digit] = digits.size();
        digits.push_back(r.digits[digit]);
      }
  for (std::vector<Group> *groups : {&r.operandGroups, &r.resultGroups})
    for (Group &group : *groups) {
      Group renumbered;
      for (unsigned digit : group)
        if (kept[digit])
          renumbered.push_back(newIndex[digit]);
      group = std::move(renumbered);
    }
  r.digits = std::move(digits);
}

void relayout::dropUnits(Rearrangement &r) {
  std::vector<bool> kept;
  for (unsigned digit = 0; digit < r.digits.size(); ++digit)
    kept.push_back(!isUnit(r, digit));
  keepDigits(r, kept);
}

/// For each digit the one after it in its group, or -1.
static std::vector<int> successors(const std::vector<Group> &groups, size_t count) {
  std::vector<int> next(count, -1);
  for (const Group &group : groups)
    for (size_t i = 1; i < group.size(); ++i)
      next[group[i - 1]] = group[i];
  return next;
}

/// `group` with its digits of extent 1 in front, where they mean the same.
static Group unitsFirst(const Rearrangement &r, const Group &group) {
  Group sorted;
  for (bool units : {true, false})
    for (unsigned digit : group)
      if (isUnit(r, digit) == units)
        sorted.push_back(digit);
  return sorted;
}

void relayout::simplifyDigits(Rearrangement &r) {
  for (std::vector<Group> *groups : {&r.operandGroups, &r.resultGroups})
    for (Group &group : *groups)
      group = unitsFirst(r, group);
  std::vector<int> resultNext = successors(r.resultGroups, r.digits.size());
  std::vector<bool> kept(r.digits.size(), true);
  for (const Group &group : r.operandGroups)
    for (size_t i = group.size(); i-- > 1;)
      if (unsigned high = group[i - 1], low = group[i];
          !isUnit(r, high) && resultNext[high] == static_cast<int>(low)) {
        r.digits[high].extent *= r.digits[low].extent;
        kept[low] = false;
      }
  keepDigits(r, kept);
}

/// The digits of `group` above which there are only digits of extent 1.
static Group leadersOf(const Rearrangement &r, const Group &group) {
  Group leaders;
  for (unsigned digit : group) {
    leaders.insert(leaders.begin(), digit);
    if (!isUnit(r, digit))
      break;
  }
  return leaders;
}

std::vector<Leader> relayout::sharedLeaders(const Rearrangement &r, unsigned resultDim) {
  std::vector<Leader> shared;
  for (unsigned digit : leadersOf(r, r.resultGroups[resultDim]))
    for (unsigned dim = 0; dim < r.operandGroups.size(); ++dim) {
      Group others = leadersOf(r, r.operandGroups[dim]);
      if (std::find(others.begin(), others.end(), digit) != others.end())
        shared.push_back({digit, dim, resultDim});
    }
  return shared;
}

/// The number of places of `group` for one value of `digit`: what is below it.
static int64_t unitIn(const Rearrangement &r, const Group &group, unsigned digit) {
  return groupExtent(r, group) / r.digits[digit].extent;
}

int64_t relayout::resultUnit(const Rearrangement &r, const Leader &leader) {
  return unitIn(r, r.resultGroups[leader.resultDim], leader.digit);
}

int64_t relayout::operandUnit(const Rearrangement &r, const Leader &leader) {
  return unitIn(r, r.operandGroups[leader.operandDim], leader.digit);
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

bool relayout::resizeLeader(Rearrangement &r, const Leader &leader, Interval box) {
  int64_t unit = resultUnit(r, leader), otherUnit = operandUnit(r, leader);
  if (box.isEmpty() || box.low % unit != 0 || box.high % unit != 0)
    return false;
  int64_t extent = (box.high - box.low) / unit;
  std::optional<int64_t> low = checkedMul(box.low / unit, otherUnit);
  std::optional<int64_t> high = checkedMul(box.high / unit, otherUnit);
  if (!low || !high || !windowFits({*low, *high}) || !extentFits(r, leader.digit, extent))
    return false;
  Interval present = operandRange(r, leader.operandDim), places = {*low, *high};
  Interval before = {0, r.digits[leader.digit].extent * otherUnit};
  if (!before.contains(intersect(present, places)))
    return false;
  Interval kept = resultRange(r, leader.resultDim);
  Window pad = {present.low - places.low, places.high - present.high};
  Window crop = {kept.low - box.low, box.high - kept.high};
  if (!windowFits(pad) || !windowFits(crop))
    return false;
  r.digits[leader.digit].extent = extent;
  r.pad[leader.operandDim] = pad;
  r.crop[leader.resultDim] = crop;
  return true;
}

/// Shrinks one digit to the values that lie in both windows: whether it did, or
/// nothing if no value does.
static std::optional<bool> tightenLeader(Rearrangement &r, const Leader &leader) {
  Interval all = {0, r.digits[leader.digit].extent};
  Interval values = intersect(coverOf(operandRange(r, leader.operandDim), operandUnit(r, leader)),
                              coverOf(resultRange(r, leader.resultDim), resultUnit(r, leader)));
  values = intersect(values, all);
  if (values.isEmpty())
    return std::nullopt;
  int64_t unit = resultUnit(r, leader);
  return values != all && resizeLeader(r, leader, {values.low * unit, values.high * unit});
}

bool relayout::tighten(Rearrangement &r) {
  for (bool changed = true; changed;) {
    changed = false;
    simplifyDigits(r);
    for (unsigned dim = 0; dim < r.resultGroups.size() && !changed; ++dim)
      for (const Leader &leader : sharedLeaders(r, dim)) {
        std::optional<bool> shrunk = tightenLeader(r, leader);
        if (!shrunk)
          return false;
        changed |= *shrunk;
      }
  }
  return true;
}
