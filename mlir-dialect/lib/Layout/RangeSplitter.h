// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//
/// \file
/// Boxes of a problem's digits, cut by the ranges of its windows, for the sources of this library.

#ifndef RELAYOUT_LIB_LAYOUT_RANGESPLITTER_H
#define RELAYOUT_LIB_LAYOUT_RANGESPLITTER_H

#include "Boxes.h"
#include "relayout/Layout/Problem.h"

namespace relayout {

/// Boxes of the digits: those where a range holds, and those where it does not.
struct Parts {
  std::vector<Piece> inside, outside;

  void append(const Parts &o) {
    inside.insert(inside.end(), o.inside.begin(), o.inside.end());
    outside.insert(outside.end(), o.outside.begin(), o.outside.end());
  }
};

/// `box` with the values of `digit` narrowed to `values`.
Piece narrowed(const Piece &box, unsigned digit, Interval values);

/// The smallest and one more than the largest sum of `range` in `box`.
Interval sumsOf(const Piece &box, const DigitRange &range);

/// Values of the major digit of a range: those with some place in the range, and those with every
/// place in it. They may lie beyond the box that the other digits are of, and `every` be empty.
struct MajorValues {
  Interval some, every;
};
MajorValues majorValues(const Piece &box, const DigitRange &range);

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
  /// Neighbours so close are in one line, which boxes that take them apart would both move.
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

/// Splits every box of `boxes` by `range`; the outsides are appended to `outside`.
std::vector<Piece> splitAll(const Problem &problem, const std::vector<Piece> &boxes,
                            const DigitRange &range, std::vector<Piece> *outside);

} // namespace relayout

#endif // RELAYOUT_LIB_LAYOUT_RANGESPLITTER_H
