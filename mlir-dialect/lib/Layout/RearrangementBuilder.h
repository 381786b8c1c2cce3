// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//
/// \file
/// Building a rearrangement digit by digit, for the named operations.

#ifndef RELAYOUT_LIB_LAYOUT_REARRANGEMENTBUILDER_H
#define RELAYOUT_LIB_LAYOUT_REARRANGEMENTBUILDER_H

#include "relayout/Layout/Rearrangement.h"

#include <optional>

namespace relayout {

/// Collects digits, then the groups of both sides.
class RearrangementBuilder {
public:
  using Group = Rearrangement::Group;

  explicit RearrangementBuilder(const std::vector<int64_t> &operandShape);

  /// A new digit.
  unsigned digit(std::string name, int64_t extent);
  /// Splits the last `extent` values off the end of `digits` as digits of their own;
  /// the rest stays in `digits`. Empty if no digit ends there.
  std::optional<Group> splitTail(Group &digits, int64_t extent, const char *name);

  /// The extents of `digits`, as text: `2 * 3`.
  std::string extentsOf(const Group &digits) const;

  void setOperand(unsigned dim, Group group) { r.operandGroups[dim] = std::move(group); }
  void setResult(unsigned dim, Group group);
  void setPad(unsigned dim, Window window) { r.pad[dim] = window; }
  void setCrop(unsigned dim, Window window) { r.crop[dim] = window; }

  /// The rearrangement, verified.
  Result<Rearrangement> finish();

private:
  Rearrangement r;
};

/// Names for the dimensions of one kind: `w`, `h w` or `d h w` for up to three
/// spatial axes, otherwise `d1 d2 ...`; with `prefix` in front, as in `bh bw`.
std::vector<std::string> spatialNames(const char *prefix, size_t count);
/// `single` if there is one, otherwise `single0 single1 ...`.
std::vector<std::string> numberedNames(const char *single, size_t count);

} // namespace relayout

#endif // RELAYOUT_LIB_LAYOUT_REARRANGEMENTBUILDER_H
