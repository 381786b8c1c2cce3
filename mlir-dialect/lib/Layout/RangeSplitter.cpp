// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RangeSplitter.h"
#include "relayout/Layout/CheckedMath.h"
#include "relayout/Support/CacheLine.h"

#include <algorithm>

using namespace relayout;

Piece relayout::narrowed(const Piece &box, unsigned digit, Interval values) {
  Piece part = box;
  part.lower[digit] = values.low;
  part.extent[digit] = values.high - values.low;
  return part;
}

Interval relayout::sumsOf(const Piece &box, const DigitRange &range) {
  Interval sums = {0, 1};
  for (auto [digit, coefficient] : range.terms) {
    sums.low += box.lower[digit] * coefficient;
    sums.high += (box.lower[digit] + box.extent[digit] - 1) * coefficient;
  }
  return sums;
}

MajorValues relayout::majorValues(const Piece &box, const DigitRange &range) {
  int64_t unit = range.terms.front().second;
  Interval sums = sumsOf(box, {{range.terms.begin() + 1, range.terms.end()}, 0, 0});
  return {{ceilDiv(range.low - (sums.high - 1), unit), ceilDiv(range.high - sums.low, unit)},
          {ceilDiv(range.low - sums.low, unit), floorDiv(range.high - sums.high, unit) + 1}};
}

/// The elements of the largest of `boxes`.
static int64_t largestOf(const std::vector<Piece> &boxes) {
  int64_t elements = 0;
  for (const Piece &box : boxes)
    elements = std::max(elements, box.elements());
  return elements;
}

bool RangeSplitter::isBetter(const Parts &a, const Parts &b) const {
  auto count = [&](const Parts &parts) {
    return parts.inside.size() + (wantsOutside ? parts.outside.size() : 0);
  };
  if (count(a) != count(b))
    return count(a) < count(b);
  return largestOf(a.inside) > largestOf(b.inside);
}

bool RangeSplitter::staysInLine(unsigned digit) const {
  return strideOf(digit) < kLineBytes / problem.width;
}

/// True if one of `parts` has nearly all of `box`, which no cache holds, and `minor` steps over
/// runs within a page: boxes for some values of it each would go through the same pages, and leave
/// out what the others move (docs/schedules.md, "Boxes in one stream").
bool RangeSplitter::isOneStream(const Parts &parts, const Piece &box, unsigned minor) const {
  constexpr int64_t kPageBytes = 4096, kCachedBytes = 1 << 20;
  constexpr double kNearlyAll = 0.75;
  return strideOf(minor) < kPageBytes / problem.width &&
         box.elements() > kCachedBytes / problem.width &&
         static_cast<double>(largestOf(parts.inside)) >= kNearlyAll * box.elements();
}

Parts RangeSplitter::split(const Piece &box, const DigitRange &range) const {
  Interval sums = sumsOf(box, range), wanted = {range.low, range.high};
  if (wanted.contains(sums))
    return {{box}, {}};
  if (intersect(wanted, sums).isEmpty())
    return {{}, {box}};
  Parts parts = splitByMajor(box, range);
  if (range.terms.size() > 1 && range.terms.size() <= kMaxTermsByMinor &&
      !staysInLine(range.terms.back().first) &&
      !(keepsStreams && isOneStream(parts, box, range.terms.back().first)))
    if (Parts others = splitByMinor(box, range); isBetter(others, parts))
      return others;
  return parts;
}

/// Head, middle and tail: the middle is the values of the major digit for which the
/// range holds whatever the others are; at most two values are split further.
Parts RangeSplitter::splitByMajor(const Piece &box, const DigitRange &range) const {
  unsigned major = range.terms.front().first;
  int64_t unit = range.terms.front().second;
  DigitRange rest{{range.terms.begin() + 1, range.terms.end()}, 0, 0};
  Interval all = {box.lower[major], box.lower[major] + box.extent[major]};
  auto [some, every] = majorValues(box, range);
  some = intersect(some, all);
  every = intersect(every, some);
  if (every.isEmpty())
    every = {some.high, some.high};
  Parts parts;
  auto splitValues = [&](Interval values) {
    for (int64_t value = values.low; value < values.high; ++value) {
      rest.low = range.low - value * unit;
      rest.high = range.high - value * unit;
      parts.append(split(narrowed(box, major, {value, value + 1}), rest));
    }
  };
  if (all.low < some.low)
    parts.outside.push_back(narrowed(box, major, {all.low, some.low}));
  splitValues({some.low, every.low});
  if (!every.isEmpty())
    parts.inside.push_back(narrowed(box, major, every));
  splitValues({every.high, some.high});
  if (some.high < all.high)
    parts.outside.push_back(narrowed(box, major, {some.high, all.high}));
  return parts;
}

/// Groups the values of the minor digit by the bounds that they leave to the others.
Parts RangeSplitter::splitByMinor(const Piece &box, const DigitRange &range) const {
  auto [minor, minorUnit] = range.terms.back();
  int64_t unit = range.terms[range.terms.size() - 2].second;
  Interval all = {box.lower[minor], box.lower[minor] + box.extent[minor]};
  // From these values on the bound of the others is one lower.
  std::vector<int64_t> borders = {all.low, all.high};
  for (int64_t bound : {range.low, range.high}) {
    int64_t border = ceilDiv(bound - floorDiv(bound, unit) * unit, minorUnit);
    if (all.low < border && border < all.high)
      borders.push_back(border);
  }
  std::sort(borders.begin(), borders.end());
  borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
  Parts parts;
  for (size_t i = 0; i + 1 < borders.size(); ++i) {
    DigitRange others{{range.terms.begin(), range.terms.end() - 1}, 0, 0};
    others.low = ceilDiv(range.low - borders[i] * minorUnit, unit) * unit;
    others.high = ceilDiv(range.high - borders[i] * minorUnit, unit) * unit;
    parts.append(split(narrowed(box, minor, {borders[i], borders[i + 1]}), others));
  }
  return parts;
}

std::vector<Piece> relayout::splitAll(const Problem &problem, const std::vector<Piece> &boxes,
                                      const DigitRange &range, std::vector<Piece> *outside) {
  std::vector<Piece> inside;
  for (const Piece &box : boxes) {
    Parts parts = RangeSplitter(problem, outside != nullptr).split(box, range);
    inside.insert(inside.end(), parts.inside.begin(), parts.inside.end());
    if (outside)
      outside->insert(outside->end(), parts.outside.begin(), parts.outside.end());
  }
  return inside;
}
