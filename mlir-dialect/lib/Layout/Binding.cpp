// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Boxes.h"
#include "Text.h"
#include "relayout/Layout/CheckedMath.h"
#include "relayout/Layout/NamedOperations.h"
#include "relayout/Layout/Rearrangement.h"
#include "relayout/Support/Text.h"

#include <set>

using namespace relayout;

static bool isEllipsis(const std::vector<std::string> &group) {
  return group.size() == 1 && group[0] == kEllipsis;
}

/// Names for the `count` dimensions of the ellipsis that `pattern` does not use.
static std::vector<std::string> ellipsisNames(const Pattern &pattern, size_t count) {
  std::set<std::string> used;
  for (const auto &group : pattern.operand)
    used.insert(group.begin(), group.end());
  std::vector<std::string> names;
  for (size_t number = 0; names.size() < count; ++number)
    if (std::string name = cat("e", number); !used.count(name))
      names.push_back(name);
  return names;
}

static PatternSide fillEllipsis(const PatternSide &side, const std::vector<std::string> &names) {
  PatternSide filled;
  for (const auto &group : side) {
    if (isEllipsis(group)) {
      for (const std::string &name : names)
        filled.push_back({name});
      continue;
    }
    filled.emplace_back();
    for (const std::string &name : group) {
      if (name == kMergedEllipsis)
        filled.back().insert(filled.back().end(), names.begin(), names.end());
      else
        filled.back().push_back(name);
    }
  }
  return filled;
}

/// [R3] `pattern` with the ellipsis filled in for an operand of `rank`.
static Result<Pattern> fillEllipsis(const Pattern &pattern, size_t rank) {
  bool hasEllipsis = false;
  for (const auto &group : pattern.operand)
    hasEllipsis |= isEllipsis(group);
  size_t written = pattern.operand.size() - (hasEllipsis ? 1 : 0);
  if (hasEllipsis ? rank < written : rank != written)
    return makeError(ErrorCode::Pattern, "expects a tensor of rank ", written,
                     hasEllipsis ? " or more" : "", " for the pattern '", printPattern(pattern),
                     "', but the rank is ", rank);
  std::vector<std::string> names = ellipsisNames(pattern, rank - written);
  return Pattern{fillEllipsis(pattern.operand, names), fillEllipsis(pattern.result, names)};
}

/// [R4]
static Status checkSizes(const Pattern &pattern, const DigitSizes &sizes) {
  std::set<std::string> names;
  for (const auto &group : pattern.operand)
    names.insert(group.begin(), group.end());
  for (const auto &[name, size] : sizes) {
    if (!names.count(name))
      return makeError(ErrorCode::Pattern, "expects sizes of names in the pattern '",
                       printPattern(pattern), "', but got one of '", beginning(name), "'");
    if (size < 0)
      return makeError(ErrorCode::Pattern, "expects sizes of 0 or more, but the size of '", name,
                       "' is ", size);
  }
  return Status::success();
}

/// [R5] The extents of the digits of one operand dimension of padded extent `extent`.
static Result<std::vector<int64_t>> groupExtents(const std::vector<std::string> &group,
                                                 const DigitSizes &sizes, int64_t extent,
                                                 size_t dim) {
  std::vector<int64_t> extents, known;
  std::string written = group.empty() ? "1" : cat("(", join(group, " "), ")");
  std::optional<size_t> unknown;
  for (size_t i = 0; i < group.size(); ++i) {
    auto size = sizes.find(group[i]);
    extents.push_back(size == sizes.end() ? 0 : size->second);
    if (size != sizes.end())
      known.push_back(size->second);
    else if (unknown)
      return makeError(ErrorCode::Pattern, "expects at most one unknown size in ", written,
                       " of dimension ", dim, ", but '", group[*unknown], "' and '", group[i],
                       "' have none");
    else
      unknown = i;
  }
  std::optional<int64_t> product = checkedProduct(known);
  if (!product)
    return makeError(ErrorCode::Overflow, "expects the product of the sizes in ", written,
                     " of dimension ", dim, " to fit 63 bits, but got ", join(known, " * "));
  if (!unknown && *product != extent)
    return makeError(ErrorCode::Divisible, "expects the sizes in ", written, " of dimension ", dim,
                     " to multiply to its padded extent, but the product is ", *product,
                     " and the padded extent is ", extent);
  if (!unknown)
    return extents;
  if (*product == 0)
    return makeError(ErrorCode::Pattern, "expects no size of 0 beside the unknown size of '",
                     group[*unknown], "' in ", written, " of dimension ", dim);
  if (extent % *product != 0)
    return makeError(ErrorCode::Divisible, "expects padded dimension ", dim,
                     " to be divisible by the sizes in ", written, ", but ", extent,
                     " is not divisible by ", *product);
  extents[*unknown] = extent / *product;
  return extents;
}

/// The operand's side of `r`: digits and groups, from the padded shape.
static Status bindOperand(Rearrangement &r, const PatternSide &side, const DigitSizes &sizes) {
  if (Status status = checkPaddedShape(r); !status)
    return status;
  std::vector<int64_t> padded = r.paddedShape();
  for (size_t dim = 0; dim < side.size(); ++dim) {
    Result<std::vector<int64_t>> extents = groupExtents(side[dim], sizes, padded[dim], dim);
    if (!extents)
      return extents.error();
    r.operandGroups.emplace_back();
    for (size_t i = 0; i < side[dim].size(); ++i) {
      r.operandGroups.back().push_back(r.digits.size());
      r.digits.push_back({side[dim][i], (*extents)[i]});
    }
  }
  return Status::success();
}

static Status bindResult(Rearrangement &r, const PatternSide &side) {
  std::map<std::string, unsigned> index;
  for (unsigned digit = 0; digit < r.digits.size(); ++digit)
    index[r.digits[digit].name] = digit;
  for (const auto &group : side) {
    r.resultGroups.emplace_back();
    for (const std::string &name : group) {
      if (!index.count(name))
        return makeError(ErrorCode::Pattern, "expects every name on both sides, but '", name,
                         "' stands only right of '->'");
      r.resultGroups.back().push_back(index[name]);
    }
  }
  return Status::success();
}

Result<Rearrangement> relayout::bindPattern(const Pattern &pattern,
                                            const std::vector<int64_t> &operandShape,
                                            const DigitSizes &sizes, const std::vector<Window> &pad,
                                            const std::vector<Window> &crop) {
  if (Status status = checkShape(operandShape); !status)
    return status.error();
  Result<Pattern> filled = fillEllipsis(pattern, operandShape.size());
  if (!filled)
    return filled.error();
  if (Status status = checkSizes(*filled, sizes); !status)
    return status.error();
  size_t operandRank = operandShape.size(), resultRank = filled->result.size();
  Rearrangement r;
  r.operandShape = operandShape;
  r.pad = pad.empty() ? std::vector<Window>(operandRank) : pad;
  r.crop = crop.empty() ? std::vector<Window>(resultRank) : crop;
  if (Status status = checkPadList(r.pad, operandRank); !status)
    return status.error();
  if (Status status = checkCropList(r.crop, resultRank); !status)
    return status.error();
  if (Status status = bindOperand(r, filled->operand, sizes); !status)
    return status.error();
  if (Status status = bindResult(r, filled->result); !status)
    return status.error();
  if (Status status = r.verify(); !status)
    return status.error();
  return r;
}
