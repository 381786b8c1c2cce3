// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Boxes.h"
#include "Reduce.h"
#include "relayout/Layout/CheckedMath.h"
#include "relayout/Layout/Problem.h"

#include <algorithm>
#include <limits>
#include <numeric>

using namespace relayout;

int64_t Piece::elements() const {
  return checkedProduct(extent).value_or(std::numeric_limits<int64_t>::max());
}

namespace {

/// Boxes of the digits: those where a range holds, and those where it does not.
struct Parts {
  std::vector<Piece> inside, outside;

  void append(const Parts &o) {
    inside.insert(inside.end(), o.inside.begin(), o.inside.end());
    outside.insert(outside.end(), o.outside.begin(), o.outside.end());
  }
};

/// `box` with the values of `digit` narrowed to `values`.
Piece narrowed(const Piece &box, unsigned digit, Interval values) {
  Piece part = box;
  part.lower[digit] = values.low;
  part.extent[digit] = values.high - values.low;
  return part;
}

/// Neighbours that are closer are in one line, which boxes that take them apart would
/// both move.
constexpr int64_t kLineBytes = 64;

/// Splits boxes by one range. Of the ways to do so it takes the one with the fewest
/// boxes, and among these the one with the largest; but it does not take neighbours of
/// one line apart, and, if it keeps streams, no runs that follow one another in memory.
class RangeSplitter {
public:
  /// Ranges of `read` want what lies outside, to be filled.
  RangeSplitter(const Problem &problem, bool reads, bool keepsStreams = true)
      : problem(problem), wantsOutside(reads), keepsStreams(keepsStreams) {}

  Parts split(const Piece &box, const DigitRange &range) const;

private:
  Parts splitByMajor(const Piece &box, const DigitRange &range) const;
  Parts splitByMinor(const Piece &box, const DigitRange &range) const;
  bool isBetter(const Parts &a, const Parts &b) const;
  bool staysInLine(unsigned digit) const;
  bool isOneStream(const Parts &parts, const Piece &box, unsigned minor) const;

  /// The stride in elements on the side that the range limits.
  int64_t strideOf(unsigned digit) const {
    const Digit &d = problem.digits[digit];
    return wantsOutside ? d.inStride : d.outStride;
  }

  /// Splitting by the minor digit triples the work; it seldom pays for many digits.
  static constexpr size_t kMaxTermsByMinor = 4;
  const Problem &problem;
  bool wantsOutside;
  bool keepsStreams;
};

/// The smallest and one more than the largest sum of `range` in `box`.
Interval sumsOf(const Piece &box, const DigitRange &range) {
  Interval sums = {0, 1};
  for (auto [digit, coefficient] : range.terms) {
    sums.low += box.lower[digit] * coefficient;
    sums.high += (box.lower[digit] + box.extent[digit] - 1) * coefficient;
  }
  return sums;
}

/// The elements of the largest of `boxes`.
int64_t largestOf(const std::vector<Piece> &boxes) {
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
  Interval sums = sumsOf(box, rest);
  Interval all = {box.lower[major], box.lower[major] + box.extent[major]};
  // Values with some place in the range, and with every place in it.
  Interval some = {ceilDiv(range.low - (sums.high - 1), unit),
                   ceilDiv(range.high - sums.low, unit)};
  Interval every = {ceilDiv(range.low - sums.low, unit),
                    floorDiv(range.high - sums.high, unit) + 1};
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

} // namespace

/// Splits every box of `boxes` by `range`; the outsides are appended to `outside`.
static std::vector<Piece> splitAll(const Problem &problem, const std::vector<Piece> &boxes,
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

/// All values of the digits.
static Piece wholeBox(const Problem &problem) {
  Piece whole;
  for (const Digit &digit : problem.digits) {
    whole.lower.push_back(0);
    whole.extent.push_back(digit.extent);
  }
  return whole;
}

bool relayout::hasFewPieces(const Problem &problem) {
  Piece whole = wholeBox(problem);
  size_t copies = 1, fills = 0;
  for (const DigitRange &range : problem.written)
    copies =
        std::min(copies * RangeSplitter(problem, false, false).split(whole, range).inside.size(),
                 kMaxPieces + 1);
  for (const DigitRange &range : problem.read) {
    Parts parts = RangeSplitter(problem, true, false).split(whole, range);
    fills = std::min(fills + copies * parts.outside.size(), kMaxPieces + 1);
    copies = std::min(copies * parts.inside.size(), kMaxPieces + 1);
  }
  return copies + fills <= kMaxPieces;
}

/// The boxes of `problem`, in `copies` and `fills`, split by all ranges but `kept`.
static void splitBut(const Problem &problem, const DigitRange *kept, std::vector<Piece> &copies,
                     std::vector<Piece> &fills) {
  for (const Digit &digit : problem.digits)
    if (digit.extent == 0)
      return;
  copies = {wholeBox(problem)};
  for (const DigitRange &range : problem.written)
    copies = splitAll(problem, copies, range, nullptr);
  for (const DigitRange &range : problem.read)
    if (&range != kept)
      copies = splitAll(problem, copies, range, &fills);
}

static std::vector<Piece> joined(std::vector<Piece> copies, std::vector<Piece> fills) {
  for (Piece &fill : fills)
    fill.kind = Piece::Kind::Fill;
  copies.insert(copies.end(), fills.begin(), fills.end());
  return copies;
}

std::vector<Piece> relayout::splitIntoPieces(const Problem &problem) {
  std::vector<Piece> copies, fills;
  splitBut(problem, nullptr, copies, fills);
  return joined(std::move(copies), std::move(fills));
}

namespace {

/// Splits boxes by the range that stays as a border.
class BorderSplitter {
public:
  BorderSplitter(const Problem &problem, const DigitRange &range)
      : problem(problem), range(range) {}

  void split(const Piece &box, std::vector<Piece> &copies, std::vector<Piece> &fills) const {
    Interval sums = sumsOf(box, range), wanted = {range.low, range.high};
    std::vector<Interval> parts = cut(box);
    if (wanted.contains(sums) || intersect(wanted, sums).isEmpty() || parts.empty()) {
      Parts boxes = RangeSplitter(problem, true).split(box, range);
      copies.insert(copies.end(), boxes.inside.begin(), boxes.inside.end());
      fills.insert(fills.end(), boxes.outside.begin(), boxes.outside.end());
      return;
    }
    for (Interval values : parts) {
      Piece part = narrowed(box, range.terms.front().first, values);
      Interval partSums = sumsOf(part, range);
      if (intersect(wanted, partSums).isEmpty()) {
        fills.push_back(part);
        continue;
      }
      if (!wanted.contains(partSums))
        part.border = range;
      copies.push_back(part);
    }
  }

  /// True if the borders of all `pieces` can be told from what lies beside them.
  static bool areApart(const Problem &problem, const std::vector<Piece> &pieces) {
    return std::all_of(pieces.begin(), pieces.end(), [&](const Piece &piece) {
      if (!piece.border)
        return true;
      Problem part = pieceProblem(problem, piece);
      std::vector<int64_t> tile(part.digits.size(), 1);
      for (const DigitRange &border : part.read)
        for (auto [digit, coefficient] : border.terms)
          tile[digit] = part.digits[digit].extent;
      return isBorderApart(part, tile);
    });
  }

private:
  /// Bytes of output that `values` of the major digit take with all of the others.
  int64_t bytesOf(const Piece &box, int64_t values) const {
    std::vector<int64_t> factors = {values, problem.width};
    for (size_t i = 1; i < range.terms.size(); ++i)
      factors.push_back(box.extent[range.terms[i].first]);
    return checkedProduct(factors).value_or(std::numeric_limits<int64_t>::max());
  }

  bool rowsAreOnLines() const {
    for (unsigned d = 0; d < problem.digits.size(); ++d) {
      bool inBorder = std::any_of(range.terms.begin(), range.terms.end(),
                                  [&](auto term) { return term.first == d; });
      int64_t stride = problem.digits[d].outStride;
      if (!inBorder && stride >= problem.digits[range.terms.front().first].outStride &&
          stride % kLineBytes * problem.width % kLineBytes != 0)
        return false;
    }
    return true;
  }

  /// The values of the major digit in intervals: outside, a border, inside, a border,
  /// outside, as far as there are such; none if a border is too large. They begin at
  /// multiples of what makes whole lines.
  std::vector<Interval> cut(const Piece &box) const {
    auto [major, unit] = range.terms.front();
    Interval all = {box.lower[major], box.lower[major] + box.extent[major]};
    DigitRange rest{{range.terms.begin() + 1, range.terms.end()}, 0, 0};
    Interval sums = sumsOf(box, rest);
    Interval some = {ceilDiv(range.low - (sums.high - 1), unit),
                     ceilDiv(range.high - sums.low, unit)};
    Interval every = {ceilDiv(range.low - sums.low, unit),
                      floorDiv(range.high - sums.high, unit) + 1};
    int64_t step = kLineBytes / std::gcd(kLineBytes, problem.digits[major].outStride % kLineBytes *
                                                         problem.width);
    auto down = [&](int64_t value) { return all.low + floorDiv(value - all.low, step) * step; };
    auto up = [&](int64_t value) { return all.low + ceilDiv(value - all.low, step) * step; };
    std::vector<int64_t> bounds = {all.low,
                                   down(std::max(some.low, all.low)),
                                   up(std::max(every.low, all.low)),
                                   down(std::min(every.high, all.high)),
                                   std::min(up(std::min(some.high, all.high)), all.high),
                                   all.high};
    // Where no cut is on a line, or the borders are much of a row, short ones stay whole.
    bool isCut = std::is_sorted(bounds.begin(), bounds.end());
    int64_t head = bounds[2] - bounds[1], tail = bounds[4] - bounds[3];
    if (!isCut || !rowsAreOnLines() || (head + tail) * 4 > box.extent[major])
      if (bytesOf(box, box.extent[major]) <= kMaxBorder)
        return {all};
    if (!isCut || bytesOf(box, std::max(head, tail)) > kMaxBorder)
      return {};
    std::vector<Interval> parts;
    for (size_t i = 0; i + 1 < bounds.size(); ++i)
      if (bounds[i] < bounds[i + 1])
        parts.push_back({bounds[i], bounds[i + 1]});
    return parts;
  }

  const Problem &problem;
  const DigitRange &range;
};

} // namespace

/// The read range whose digits lie closest in the output, if they share lines there.
static const DigitRange *borderRange(const Problem &problem) {
  const DigitRange *closest = nullptr;
  int64_t least = kLineBytes / problem.width;
  for (const DigitRange &range : problem.read)
    for (auto [digit, coefficient] : range.terms)
      if (problem.digits[digit].outStride < least) {
        least = problem.digits[digit].outStride;
        closest = &range;
      }
  return closest;
}

std::vector<Piece> relayout::splitWithBorders(const Problem &problem) {
  const DigitRange *range = borderRange(problem);
  if (!range)
    return splitIntoPieces(problem);
  std::vector<Piece> boxes, copies, fills;
  splitBut(problem, range, boxes, fills);
  BorderSplitter splitter(problem, *range);
  for (const Piece &box : boxes)
    splitter.split(box, copies, fills);
  if (!BorderSplitter::areApart(problem, copies))
    return splitIntoPieces(problem);
  return joined(std::move(copies), std::move(fills));
}

bool relayout::isBorderApart(const Problem &piece, const std::vector<int64_t> &tile) {
  if (piece.read.empty())
    return true;
  const DigitRange &border = piece.read[0];
  // The place in the input and the sum of the border's terms, for each element.
  std::vector<std::pair<int64_t, int64_t>> elements{{0, 0}};
  for (size_t d = 0; d < tile.size(); ++d) {
    int64_t coefficient = 0;
    for (auto [digit, factor] : border.terms)
      coefficient = digit == d ? factor : coefficient;
    size_t before = elements.size();
    for (int64_t value = 1; value < tile[d]; ++value)
      for (size_t i = 0; i < before; ++i)
        elements.push_back({elements[i].first + value * piece.digits[d].inStride,
                            elements[i].second + value * coefficient});
  }
  auto isRead = [&](int64_t sum) { return border.low <= sum && sum < border.high; };
  std::sort(elements.begin(), elements.end());
  for (size_t i = 1; i < elements.size(); ++i)
    if (elements[i].first == elements[i - 1].first &&
        isRead(elements[i].second) != isRead(elements[i - 1].second))
      return false;
  return true;
}

Problem relayout::pieceProblem(const Problem &problem, const Piece &piece) {
  Problem part;
  part.width = problem.width;
  // A fill piece may lie anywhere beside the operand: it has no place there.
  bool copies = piece.kind == Piece::Kind::Copy;
  part.inOffset = copies ? problem.inOffset : 0;
  part.outOffset = problem.outOffset;
  for (size_t i = 0; i < problem.digits.size(); ++i) {
    int64_t inStride = copies ? problem.digits[i].inStride : 0;
    int64_t outStride = problem.digits[i].outStride;
    part.inOffset += piece.lower[i] * inStride;
    part.outOffset += piece.lower[i] * outStride;
    part.digits.push_back({piece.extent[i], inStride, outStride});
  }
  if (piece.border) {
    DigitRange range = *piece.border;
    for (auto [digit, coefficient] : range.terms) {
      range.low -= piece.lower[digit] * coefficient;
      range.high -= piece.lower[digit] * coefficient;
    }
    part.read.push_back(std::move(range));
  }
  reduceProblem(part);
  return part;
}
