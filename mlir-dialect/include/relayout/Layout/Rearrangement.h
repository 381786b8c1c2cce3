// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The rearrangement: a digit permutation with windows, the one idea of the
/// project, and its algebra.

#ifndef RELAYOUT_LAYOUT_REARRANGEMENT_H
#define RELAYOUT_LAYOUT_REARRANGEMENT_H

#include "relayout/Layout/Pattern.h"
#include "relayout/Support/Result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace relayout {

/// What is added to the low and high end of a dimension (a pad) or taken from it
/// (a crop). A negative number does the opposite.
struct Window {
  int64_t low = 0;
  int64_t high = 0;
  bool isZero() const { return low == 0 && high == 0; }
  bool operator==(const Window &o) const { return low == o.low && high == o.high; }
};

/// A digit permutation with windows, all extents known.
///
/// The operand (shape `operandShape`) is widened by `pad`, each padded dimension
/// is split into digits in mixed radix (the first digit of a group is the most
/// significant), the digits are merged into the groups of the result, and each
/// merged dimension is narrowed by `crop`. Padding has one fill value, which is
/// not part of this struct.
///
/// Invariants (checked by `verify`): every digit stands in exactly one operand
/// group and one result group; the extents of an operand group multiply to the
/// padded extent of its dimension; pad and crop have one entry a dimension; no
/// extent is negative; all products and sums fit 64 bits; ranks <= kMaxRank.
struct Rearrangement {
  struct NamedDigit {
    std::string name;
    int64_t extent;
    bool operator==(const NamedDigit &o) const { return name == o.name && extent == o.extent; }
  };
  using Group = std::vector<unsigned>; ///< indices into `digits`, major first

  std::vector<int64_t> operandShape;
  std::vector<NamedDigit> digits;
  std::vector<Group> operandGroups; ///< one a dimension of the operand
  std::vector<Group> resultGroups;  ///< one a dimension of the result
  std::vector<Window> pad;          ///< one a dimension of the operand
  std::vector<Window> crop;         ///< one a dimension of the result

  bool operator==(const Rearrangement &o) const;

  Status verify() const;
  /// Extents of the operand after padding; of the result before cropping; of the result.
  std::vector<int64_t> paddedShape() const;
  std::vector<int64_t> mergedShape() const;
  std::vector<int64_t> resultShape() const;
  /// True if some pad is positive or some crop negative: a fill value is needed.
  bool needsFill() const;
  bool hasWindows() const;
  /// True if the result is the operand, element for element and shape for shape.
  bool isIdentity() const;
  /// The pattern with the digits' names, and the sizes that a reader needs
  /// beside it (those of all digits that share a dimension).
  Pattern pattern() const;
  DigitSizes sizes() const;
};

/// Binds `pattern` to a shape: fills in `...` (its dimensions are named e0, e1 ...),
/// infers at most one unknown digit a group by division of the padded extent,
/// checks divisibility and `sizes` (each name must occur; none is negative, and 0
/// stands only in a dimension of padded extent 0, beside which nothing is inferred).
/// `pad` and `crop` may be empty (none) or have one entry a dimension of the
/// operand or result as written in the pattern after `...` is filled in.
Result<Rearrangement> bindPattern(const Pattern &pattern, const std::vector<int64_t> &operandShape,
                                  const DigitSizes &sizes, const std::vector<Window> &pad = {},
                                  const std::vector<Window> &crop = {});

/// The rearrangement that changes nothing.
Rearrangement identityRearrangement(const std::vector<int64_t> &shape);

/// A pure permutation: result dimension i is operand dimension perm[i].
Result<Rearrangement> permutation(const std::vector<int64_t> &shape,
                                  const std::vector<int64_t> &perm);

/// `first`, then `second` (whose operand is the result of `first`), as one.
///
/// An error where no common mixed-radix refinement of the digits exists, or where
/// windows between the two stand in the way (the text says which): `first`'s crop
/// and `second`'s pad must cancel, or move to the operand or to the result through
/// a dimension's most significant digit. Padding is assumed to use one fill value
/// throughout: the caller checks that. The composite is in normal form.
Result<Rearrangement> compose(const Rearrangement &first, const Rearrangement &second);

/// The inverse of an un-windowed rearrangement; an error if it has windows.
Result<Rearrangement> inverse(const Rearrangement &rearrangement);

/// The same map with the fewest digits and canonical names (d0, d1 ... in operand
/// order): extent-1 digits dropped, digits adjacent on both sides merged, each crop
/// that a dimension's most significant digit can carry moved to the operand as a
/// pad. Two rearrangements with equal normal forms are equal functions.
Rearrangement normalize(const Rearrangement &rearrangement);

} // namespace relayout

#endif // RELAYOUT_LAYOUT_REARRANGEMENT_H
