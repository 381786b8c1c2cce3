// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//
/// \file
/// The digits of a rearrangement as a box, for the sources of this library.
///
/// A rearrangement relates places of the operand to places of the result: the
/// values of its digits form a box, `pad` says which of them lie in the operand,
/// `crop` which lie in the result. A digit that leads a dimension on both sides can
/// be made longer or shorter, and the windows of these two dimensions change with it.

#ifndef RELAYOUT_LIB_LAYOUT_BOXES_H
#define RELAYOUT_LIB_LAYOUT_BOXES_H

#include "relayout/Layout/Rearrangement.h"

namespace relayout {

/// Windows beyond this are refused, so that sums of a few of them stay in 64 bits.
constexpr int64_t kMaxWindow = int64_t(1) << 60;

/// A half-open range of integers.
struct Interval {
  int64_t low;
  int64_t high;
  bool isEmpty() const { return high <= low; }
  bool contains(Interval o) const { return o.isEmpty() || (low <= o.low && o.high <= high); }
  bool operator==(Interval o) const { return low == o.low && high == o.high; }
  bool operator!=(Interval o) const { return !(*this == o); }
};

Interval intersect(Interval a, Interval b);

/// The smallest multiples of `unit` (counted in units) that hold `range`.
Interval coverOf(Interval range, int64_t unit);

/// Product of the extents of `group`.
int64_t groupExtent(const Rearrangement &r, const Rearrangement::Group &group);

/// Checks the number and the size of windows (not what they leave of an extent).
Status checkPadList(const std::vector<Window> &pad, size_t rank);
Status checkCropList(const std::vector<Window> &crop, size_t rank);
/// Checks that the pads of `r` leave every operand dimension an extent.
Status checkPaddedShape(const Rearrangement &r);

/// The places of padded dimension `dim` that the operand has, and of merged
/// dimension `dim` that the result has.
Interval operandRange(const Rearrangement &r, unsigned dim);
Interval resultRange(const Rearrangement &r, unsigned dim);

/// The relation of `r` read from the result to the operand.
Rearrangement converse(const Rearrangement &r);

/// True if some extent of the digits, the operand or the result is 0: no element moves.
bool movesNothing(const Rearrangement &r);

/// Merges digits that are adjacent on both sides. Digits of extent 1 are kept, at
/// the front of their groups: what was made short can be made longer again.
void simplifyDigits(Rearrangement &r);
/// Drops digits of extent 1.
void dropUnits(Rearrangement &r);

/// A digit that stands above all others of more than one value in a dimension of
/// the operand and in one of the result.
struct Leader {
  unsigned digit;
  unsigned operandDim;
  unsigned resultDim;
};

/// The leaders of result dimension `resultDim`, that of more than one value first.
std::vector<Leader> sharedLeaders(const Rearrangement &r, unsigned resultDim);

/// Places of the leader's dimension for one value of it.
int64_t resultUnit(const Rearrangement &r, const Leader &leader);
int64_t operandUnit(const Rearrangement &r, const Leader &leader);

/// Makes the merged extent of the leader's result dimension the range `box` of
/// today's places, by more or fewer values of the leader. False, and no change, if
/// it cannot express `box` or if elements would move that did not before.
bool resizeLeader(Rearrangement &r, const Leader &leader, Interval box);

/// Simplifies, and shrinks every leader to the values that lie in both windows.
/// False, with `r` unspecified, if no value does.
bool tighten(Rearrangement &r);

/// `normalize` for a rearrangement whose digits of extent 1 were made so short.
Rearrangement normalizeWithUnits(Rearrangement r);

} // namespace relayout

#endif // RELAYOUT_LIB_LAYOUT_BOXES_H
