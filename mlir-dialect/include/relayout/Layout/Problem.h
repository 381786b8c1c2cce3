// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The canonical problem: what kernels and caches are keyed by. Digits with
/// explicit strides on both sides, plus windows as ranges of linear forms.

#ifndef RELAYOUT_LAYOUT_PROBLEM_H
#define RELAYOUT_LAYOUT_PROBLEM_H

#include "relayout/Layout/Rearrangement.h"

#include <optional>

namespace relayout {

/// One loop of a movement. Strides count elements.
struct Digit {
  int64_t extent;
  int64_t inStride;
  int64_t outStride;
  bool operator==(const Digit &o) const {
    return extent == o.extent && inStride == o.inStride && outStride == o.outStride;
  }
};

/// `low <= sum(coefficients[i] * digit[i]) < high`. The digits of a range are
/// those of one dimension: their coefficients form a mixed-radix system (each
/// divides the one before it, and the digits below a coefficient sum to less).
struct DigitRange {
  std::vector<std::pair<unsigned, int64_t>> terms; ///< (digit, coefficient), major first
  int64_t low;
  int64_t high;
  bool operator==(const DigitRange &o) const {
    return terms == o.terms && low == o.low && high == o.high;
  }
};

/// A movement with windows. The element of digit values d is written to
/// `outOffset + sum(d * outStride)` if d satisfies every range of `written`, and is
/// read from `inOffset + sum(d * inStride)` if it satisfies every range of `read`;
/// otherwise it is the fill value. Every digit runs from 0 to its extent. A negative
/// crop shows as a most significant digit that is longer than what `read` lets it
/// read.
///
/// A problem that reads nothing has the one read range `{{}, 0, 0}` and input
/// strides of 0; a problem without elements has the one digit `{0, 1, 1}`.
struct Problem {
  int64_t width = 1;         ///< bytes of an element: 1, 2, 4, 8, 16
  std::vector<Digit> digits; ///< largest output stride first
  int64_t inOffset = 0;      ///< elements; may be negative, where pads lie before the operand
  int64_t outOffset = 0;
  std::vector<DigitRange> read;
  std::vector<DigitRange> written;

  bool hasWindows() const { return !read.empty() || !written.empty(); }
  bool operator==(const Problem &o) const;
  /// Text for people and for cache keys: `w4 [4:12:3 3:1:1] ...`.
  std::string str() const;
};

/// A window-free movement, but for the windows that remain: one box of a problem. Strides and
/// offsets in elements.
struct Piece {
  enum class Kind { Copy, Fill };
  Kind kind = Kind::Copy;
  /// Where the values of the box do not lie in all of these ranges of the problem's, the piece
  /// fills: a row with its border. Of a piece that copies.
  std::vector<DigitRange> read;
  /// Only what lies in all of these ranges of the problem's is written. Of a piece that copies.
  std::vector<DigitRange> written;
  std::vector<int64_t> lower;  ///< first value of each digit of the problem
  std::vector<int64_t> extent; ///< number of values of each digit of the problem
  int64_t elements() const;
};

/// A problem has at most so many pieces; a rearrangement whose windows make more,
/// since they cut the digits of many dimensions, has no problem.
constexpr size_t kMaxPieces = 4096;

/// Row-major strides of `shape`, whose product fits 64 bits.
std::vector<int64_t> rowMajorStrides(const std::vector<int64_t> &shape);

/// True if dimensions with `strides`, in order of these, are each further apart than what is below
/// them spans, so that no two elements of `shape` share a place.
bool arePlacesDistinct(const std::vector<int64_t> &shape, const std::vector<int64_t> &strides);

/// The canonical problem of `r`, fully reduced: extents of 1 dropped, digits
/// adjacent on both sides merged (where no range separates them); an error if it
/// has more than about `kMaxPieces` pieces. Strides are of the operand's and the
/// result's dimensions, in elements; none may be negative and the result's must not
/// make two elements share a place.
Result<Problem> buildProblem(const Rearrangement &r, int64_t width,
                             const std::vector<int64_t> &operandStrides,
                             const std::vector<int64_t> &resultStrides);
/// The same for dense row-major tensors.
Result<Problem> buildProblem(const Rearrangement &r, int64_t width);

/// The pieces of `problem`: boxes to copy and boxes to fill that partition the
/// written output. As few as the windows allow, but where one box may hold nearly all
/// of the runs that follow one another in memory, it does. Empty boxes are left out. A
/// problem without windows has one piece, or none if it has no elements.
std::vector<Piece> splitIntoPieces(const Problem &problem);

/// The same where a read range may remain as the border of a piece: one whose digits
/// lie so close in the output that a line holds both what it copies and what it fills.
/// The digits of a border have few values in its box, `kMaxBorder` bytes of output, and with
/// what lies below them there `kMaxBorderRow`, of `kMaxBorderRuns` of the input: one tile has it.
std::vector<Piece> splitWithBorders(const Problem &problem);
constexpr int64_t kMaxBorder = 1024;
constexpr int64_t kMaxBorderRow = 2048;
constexpr int64_t kMaxBorderRuns = 64;

/// The same with rows left whole: the range whose digits lie closest in the output remains as the
/// border or the crop of the pieces that it would cut, however long their rows are. Pieces as of
/// `splitIntoPieces`, if there is no range, if what is left of cropped rows is no stretch, or if a
/// crop is no more than shorter digits.
std::vector<Piece> splitIntoRows(const Problem &problem);

/// All of `problem`, which has windows, as the one piece that has all of them, if something is
/// read, and what is left of cropped rows is one stretch; otherwise pieces as of `splitIntoPieces`.
std::vector<Piece> keepWindows(const Problem &problem);

/// The range of `problem` whose digits lie closest in the output; null if there is none.
const DigitRange *rowWindow(const Problem &problem);

/// `piece` as a problem of its own, reduced; its windows are those that remain. A fill piece has
/// input strides of 0.
Problem pieceProblem(const Problem &problem, const Piece &piece);

/// True if no place of the input is both read and beyond the border, for a box of `tile`
/// values of the digits of `piece`, all values of those of its border. A load of that
/// place can then be left out.
bool isBorderApart(const Problem &piece, const std::vector<int64_t> &tile);

/// True if the whole problem is one contiguous run on both sides: a plain copy.
bool isPlainCopy(const Problem &problem);

} // namespace relayout

#endif // RELAYOUT_LAYOUT_PROBLEM_H
