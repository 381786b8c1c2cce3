// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RangeSplitter.h"
#include "Reduce.h"
#include "relayout/Layout/CheckedMath.h"
#include "relayout/Layout/Problem.h"
#include "relayout/Support/CacheLine.h"

#include <algorithm>
#include <limits>
#include <numeric>

using namespace relayout;

int64_t Piece::elements() const {
  return checkedProduct(extent).value_or(std::numeric_limits<int64_t>::max());
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
    if (&range != kept)
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
        part.read = {range};
      copies.push_back(part);
    }
  }

  /// True if the borders of all `pieces` can be told from what lies beside them.
  static bool areApart(const Problem &problem, const std::vector<Piece> &pieces) {
    return std::all_of(pieces.begin(), pieces.end(), [&](const Piece &piece) {
      if (piece.read.empty())
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
  /// True if a tile may have `values` of the major digit with all of the others, and what lies
  /// below them in the output.
  bool isShort(const Piece &box, int64_t values) const {
    std::vector<int64_t> extents(problem.digits.size(), 1);
    int64_t minor = std::numeric_limits<int64_t>::max();
    std::vector<int64_t> factors = {problem.width};
    for (auto [digit, coefficient] : range.terms) {
      extents[digit] = digit == range.terms.front().first ? values : box.extent[digit];
      factors.push_back(extents[digit]);
      minor = std::min(minor, problem.digits[digit].outStride);
    }
    int64_t bytes = checkedProduct(factors).value_or(kMaxBorder + 1);
    if (bytes > kMaxBorder || bytes > kMaxBorderRow / minor)
      return false;
    for (size_t d = 0; d < extents.size(); ++d)
      if (problem.digits[d].outStride < minor)
        extents[d] = box.extent[d];
    return runsRead(extents) <= kMaxBorderRuns;
  }

  /// Runs of the input of which a tile with `extents` is made.
  int64_t runsRead(const std::vector<int64_t> &extents) const {
    std::vector<unsigned> order(extents.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](unsigned x, unsigned y) {
      return problem.digits[x].inStride < problem.digits[y].inStride;
    });
    int64_t run = 1, runs = 1;
    for (unsigned d : order) {
      bool goesOn = problem.digits[d].inStride == run && runs == 1;
      (goesOn ? run : runs) *= extents[d];
    }
    return runs;
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
    unsigned major = range.terms.front().first;
    Interval all = {box.lower[major], box.lower[major] + box.extent[major]};
    const auto [some, every] = majorValues(box, range);
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
      if (isShort(box, box.extent[major]))
        return {all};
    if (!isCut || !isShort(box, std::max(head, tail)))
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

/// The one of `lists` whose digits lie closest in the output, if that is less than `most`
/// elements; null if there is none.
static const DigitRange *closestRange(const Problem &problem,
                                      std::initializer_list<const std::vector<DigitRange> *> lists,
                                      int64_t most = std::numeric_limits<int64_t>::max()) {
  const DigitRange *closest = nullptr;
  for (const std::vector<DigitRange> *ranges : lists)
    for (const DigitRange &range : *ranges)
      for (auto [digit, coefficient] : range.terms)
        if (problem.digits[digit].outStride < most) {
          most = problem.digits[digit].outStride;
          closest = &range;
        }
  return closest;
}

std::vector<Piece> relayout::splitWithBorders(const Problem &problem) {
  // Digits that share lines of the output.
  const DigitRange *range = closestRange(problem, {&problem.read}, kLineBytes / problem.width);
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

/// True if the digits of the written `range` are one stretch of the output but for what is cut off.
static bool isOneStretch(const Problem &problem, const DigitRange &range) {
  const std::pair<unsigned, int64_t> &minor = range.terms.back();
  return std::all_of(range.terms.begin(), range.terms.end(), [&](auto term) {
    return checkedMul(problem.digits[minor.first].outStride, term.second / minor.second) ==
           problem.digits[term.first].outStride;
  });
}

static bool isOf(const std::vector<DigitRange> &ranges, const DigitRange *range) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const DigitRange &other) { return &other == range; });
}

const DigitRange *relayout::rowWindow(const Problem &problem) {
  return closestRange(problem, {&problem.written, &problem.read});
}

/// True if `piece` as a problem of its own has all values of its box: a crop may shorten a digit.
static bool keepsValues(const Problem &problem, const Piece &piece) {
  std::vector<int64_t> extents;
  for (const Digit &digit : pieceProblem(problem, piece).digits)
    extents.push_back(digit.extent);
  return checkedProduct(extents) == piece.elements();
}

std::vector<Piece> relayout::splitIntoRows(const Problem &problem) {
  const DigitRange *range = rowWindow(problem);
  bool reads = isOf(problem.read, range);
  if (!range || !(reads || isOneStretch(problem, *range)))
    return splitIntoPieces(problem);
  std::vector<Piece> boxes, copies, fills;
  splitBut(problem, range, boxes, fills);
  if (!reads)
    fills = splitAll(problem, fills, *range, nullptr);
  for (Piece &box : boxes) {
    Interval sums = sumsOf(box, *range), wanted = {range->low, range->high};
    bool isOutside = intersect(wanted, sums).isEmpty();
    if (!isOutside && !wanted.contains(sums))
      (reads ? box.read : box.written) = {*range};
    if (!isOutside)
      copies.push_back(std::move(box));
    else if (reads)
      fills.push_back(std::move(box));
  }
  if (!std::all_of(copies.begin(), copies.end(),
                   [&](const Piece &piece) { return keepsValues(problem, piece); }))
    return splitIntoPieces(problem);
  return joined(std::move(copies), std::move(fills));
}

std::vector<Piece> relayout::keepWindows(const Problem &problem) {
  Piece piece = wholeBox(problem);
  piece.read = problem.read;
  piece.written = problem.written;
  bool reads = piece.elements() > 0 &&
               std::none_of(problem.read.begin(), problem.read.end(),
                            [](const DigitRange &range) { return range.terms.empty(); });
  bool areStretches =
      std::all_of(problem.written.begin(), problem.written.end(),
                  [&](const DigitRange &range) { return isOneStretch(problem, range); });
  if (!reads || !areStretches || !problem.hasWindows() || !keepsValues(problem, piece))
    return splitIntoPieces(problem);
  return {std::move(piece)};
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
  // Steps over a pad may leave 64 bits where the place that they lead to does not.
  __int128 inOffset = copies ? problem.inOffset : 0;
  part.outOffset = problem.outOffset;
  for (size_t i = 0; i < problem.digits.size(); ++i) {
    int64_t inStride = copies ? problem.digits[i].inStride : 0;
    int64_t outStride = problem.digits[i].outStride;
    inOffset += static_cast<__int128>(piece.lower[i]) * inStride;
    part.outOffset += piece.lower[i] * outStride;
    part.digits.push_back({piece.extent[i], inStride, outStride});
  }
  part.inOffset = static_cast<int64_t>(inOffset);
  auto fromLower = [&](DigitRange range) {
    for (auto [digit, coefficient] : range.terms) {
      range.low -= piece.lower[digit] * coefficient;
      range.high -= piece.lower[digit] * coefficient;
    }
    return range;
  };
  for (const DigitRange &range : piece.read)
    part.read.push_back(fromLower(range));
  for (const DigitRange &range : piece.written)
    part.written.push_back(fromLower(range));
  reduceProblem(part);
  return part;
}
