// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Boxes.h"
#include "Text.h"

#include <algorithm>

using namespace relayout;

using Group = Rearrangement::Group;

namespace {

/// A digit of one of the two rearrangements, split: indices into the common digits.
using Parts = std::vector<Group>;

/// Two rearrangements whose digits meet in the dimensions between them.
class Composer {
public:
  Composer(const Rearrangement &first, const Rearrangement &second)
      : first(first), second(second) {}

  /// The composite, where elements move.
  Result<Rearrangement> run();
  /// The same if no window stands between the two.
  Result<Rearrangement> refineAll();

private:
  Status meet(unsigned dim);
  Status refine(unsigned dim);
  void addCommon(unsigned ofFirst, unsigned ofSecond, int64_t extent);
  void shareUnits(const Group &a, const Group &b);
  Rearrangement assemble() const;
  Error refuseWindows(unsigned dim) const;

  Rearrangement first, second;
  std::vector<Rearrangement::NamedDigit> digits; ///< of the common refinement
  Parts firstParts, secondParts;
};

/// Makes result dimension `dim` of `r` cover `box` of its places: by a digit that
/// leads it and a dimension of the operand, or by a new one in front of any.
bool resizeResult(Rearrangement &r, unsigned dim, Interval box) {
  if (box == Interval{0, groupExtent(r, r.resultGroups[dim])})
    return true;
  for (const Leader &leader : sharedLeaders(r, dim))
    if (resizeLeader(r, leader, box))
      return true;
  std::vector<std::pair<int64_t, unsigned>> dims; // small ones first: small offsets
  for (unsigned operandDim = 0; operandDim < r.operandGroups.size(); ++operandDim)
    dims.push_back({groupExtent(r, r.operandGroups[operandDim]), operandDim});
  std::sort(dims.begin(), dims.end());
  for (auto [extent, operandDim] : dims) {
    Rearrangement longer = r;
    Leader leader = {static_cast<unsigned>(longer.digits.size()), operandDim, dim};
    longer.digits.push_back({cat("lead", leader.digit), 1});
    for (Group *group : {&longer.operandGroups[operandDim], &longer.resultGroups[dim]})
      group->insert(group->begin(), leader.digit);
    if (resizeLeader(longer, leader, box)) {
      r = std::move(longer);
      return true;
    }
  }
  return false;
}

/// The same for the operand's side.
bool resizeOperand(Rearrangement &r, unsigned dim, Interval box) {
  Rearrangement turned = converse(r);
  if (!resizeResult(turned, dim, box))
    return false;
  r = converse(turned);
  return true;
}

Error Composer::refuseWindows(unsigned dim) const {
  return makeError(
      ErrorCode::Unsupported, "expects the crop ", first.crop[dim].low, ":", first.crop[dim].high,
      " and the pad ", second.pad[dim].low, ":", second.pad[dim].high,
      " of intermediate dimension ", dim,
      " to cancel or to move to the operand or the result, but they lie within digits ",
      "of other dimensions");
}

/// Gives dimension `dim` between the two the same extent on both sides and no window.
Status Composer::meet(unsigned dim) {
  // In the places of the first one's merged dimension; the second one's start at `shift`.
  int64_t shift = first.crop[dim].low - second.pad[dim].low;
  Interval firstBox = {0, groupExtent(first, first.resultGroups[dim])};
  Interval secondBox = {shift, shift + groupExtent(second, second.operandGroups[dim])};
  Interval both = intersect(firstBox, secondBox);
  Interval needed = intersect(both, resultRange(first, dim));
  std::vector<Interval> targets = {needed};
  if (needed == both)
    targets.insert(targets.end(), {firstBox, secondBox});
  for (Interval target : targets) {
    Rearrangement a = first, b = second;
    if (!resizeResult(a, dim, target) ||
        !resizeOperand(b, dim, {target.low - shift, target.high - shift}))
      continue;
    first = std::move(a);
    second = std::move(b);
    return Status::success();
  }
  return refuseWindows(dim);
}

std::string extentsOf(const Rearrangement &r, const Group &group) {
  std::vector<int64_t> extents;
  for (unsigned digit : group)
    extents.push_back(r.digits[digit].extent);
  return cat("(", join(extents, " "), ")");
}

/// Adds a common digit, above what is known of a digit of each.
void Composer::addCommon(unsigned ofFirst, unsigned ofSecond, int64_t extent) {
  unsigned digit = digits.size();
  digits.push_back({cat("d", digit), extent});
  firstParts[ofFirst].insert(firstParts[ofFirst].begin(), digit);
  secondParts[ofSecond].insert(secondParts[ofSecond].begin(), digit);
}

/// Digits of extent 1 that meet become common ones, for the windows' sake.
void Composer::shareUnits(const Group &a, const Group &b) {
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (first.digits[a[i]].extent != 1)
      ++i;
    else if (second.digits[b[j]].extent != 1)
      ++j;
    else
      addCommon(a[i++], b[j++], 1);
  }
}

/// Splits the digits of both sides of dimension `dim` into common ones, from the
/// least significant.
Status Composer::refine(unsigned dim) {
  Group a = first.resultGroups[dim], b = second.operandGroups[dim];
  auto refuse = [&] {
    return makeError(ErrorCode::Unsupported, "expects the digits of intermediate dimension ", dim,
                     " to have a common refinement, but ", extentsOf(first, a), " and ",
                     extentsOf(second, b), " have none");
  };
  size_t i = a.size(), j = b.size();
  int64_t restA = 1, restB = 1; // what is left of the digit in hand
  while (true) {
    while (restA == 1 && i > 0)
      restA = first.digits[a[--i]].extent;
    while (restB == 1 && j > 0)
      restB = second.digits[b[--j]].extent;
    if (restA == 1 && restB == 1)
      return shareUnits(a, b), Status::success();
    // A digit of extent 0 takes any other digit as its part, and stays in hand.
    int64_t extent = restA == 0 || restB == 0 ? std::max(restA, restB) : std::min(restA, restB);
    if (extent == 1 || (extent != 0 && (restA % extent != 0 || restB % extent != 0)))
      return refuse();
    addCommon(a[i], b[j], extent);
    restA = extent == 0 ? 1 : restA / extent;
    restB = extent == 0 ? 1 : restB / extent;
  }
}

std::vector<Group> expand(const std::vector<Group> &groups, const Parts &parts) {
  std::vector<Group> expanded;
  for (const Group &group : groups) {
    expanded.emplace_back();
    for (unsigned digit : group)
      expanded.back().insert(expanded.back().end(), parts[digit].begin(), parts[digit].end());
  }
  return expanded;
}

Rearrangement Composer::assemble() const {
  Rearrangement r;
  r.operandShape = first.operandShape;
  r.digits = digits;
  r.operandGroups = expand(first.operandGroups, firstParts);
  r.resultGroups = expand(second.resultGroups, secondParts);
  r.pad = first.pad;
  r.crop = second.crop;
  return r;
}

Result<Rearrangement> Composer::run() {
  for (unsigned dim = 0; dim < first.resultGroups.size(); ++dim)
    if (Status status = meet(dim); !status)
      return status.error();
  return refineAll();
}

Result<Rearrangement> Composer::refineAll() {
  firstParts.resize(first.digits.size());
  secondParts.resize(second.digits.size());
  for (unsigned dim = 0; dim < first.resultGroups.size(); ++dim)
    if (Status status = refine(dim); !status)
      return status.error();
  Rearrangement composite = normalizeWithUnits(assemble());
  if (Status status = composite.verify(); !status)
    return status.error();
  return composite;
}

/// The map from `operandShape` to `resultShape` that is the fill value everywhere.
Result<Rearrangement> fillEverything(const std::vector<int64_t> &operandShape,
                                     const std::vector<int64_t> &resultShape) {
  if (operandShape.empty() && resultShape.empty())
    return makeError(ErrorCode::Unsupported, "expects a dimension whose window can hide the only ",
                     "element of a scalar, but neither the operand nor the result has one");
  Rearrangement r;
  r.operandShape = operandShape;
  r.operandGroups.resize(operandShape.size());
  r.resultGroups.resize(resultShape.size());
  for (int64_t extent : operandShape)
    r.pad.push_back({-extent, 1});
  for (int64_t extent : resultShape)
    r.crop.push_back({1, -extent});
  return r;
}

/// True if no element of the operand of `first` reaches the result of `second`.
bool isDisjoint(const Rearrangement &first, const Rearrangement &second) {
  if (movesNothing(first) || movesNothing(second))
    return true;
  for (unsigned dim = 0; dim < first.resultGroups.size(); ++dim) {
    Interval left =
        intersect(resultRange(first, dim), {0, groupExtent(first, first.resultGroups[dim])});
    int64_t shift = first.crop[dim].low - second.pad[dim].low;
    Interval right = {shift, shift + groupExtent(second, second.operandGroups[dim])};
    if (intersect(left, right).isEmpty())
      return true;
  }
  return false;
}

} // namespace

/// The composite where nothing moves: the digits' if they meet, so that shapes and
/// patterns look as they would for more elements.
static Result<Rearrangement> composeDisjoint(const Rearrangement &first,
                                             const Rearrangement &second) {
  auto isZero = [](const Window &window) { return window.isZero(); };
  if (std::all_of(first.crop.begin(), first.crop.end(), isZero) &&
      std::all_of(second.pad.begin(), second.pad.end(), isZero))
    if (Result<Rearrangement> composite = Composer(first, second).refineAll())
      return composite;
  return fillEverything(first.operandShape, second.resultShape());
}

Result<Rearrangement> relayout::compose(const Rearrangement &first, const Rearrangement &second) {
  if (first.resultShape() != second.operandShape)
    return makeError(ErrorCode::Shape, "expects the second operand to have shape [",
                     join(first.resultShape(), ","), "] of the first result, but it is [",
                     join(second.operandShape, ","), "]");
  Rearrangement a = first, b = second;
  for (Rearrangement *r : {&a, &b}) {
    dropUnits(*r);
    simplifyDigits(*r);
  }
  if (isDisjoint(a, b))
    return composeDisjoint(a, b);
  Result<Rearrangement> composite = Composer(a, b).run();
  if (composite)
    return composite;
  // With digits no longer than what moves, more windows meet.
  if (!tighten(a) || !tighten(b) || isDisjoint(a, b))
    return fillEverything(first.operandShape, second.resultShape());
  if (Result<Rearrangement> tight = Composer(a, b).run())
    return tight;
  return composite;
}
