// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Layout/Rearrangement.h"

#include "Boxes.h"
#include "Text.h"
#include "relayout/Layout/CheckedMath.h"
#include "relayout/Layout/NamedOperations.h"

#include <set>

using namespace relayout;

/// Every digit must stand in one group of `groups`, once.
static Status checkGroups(const Rearrangement &r, const std::vector<Rearrangement::Group> &groups,
                          const char *side) {
  std::vector<int> seen(r.digits.size(), 0);
  for (const Rearrangement::Group &group : groups)
    for (unsigned digit : group) {
      if (digit >= r.digits.size())
        return makeError(ErrorCode::Internal, "expects digits 0 to ", r.digits.size(), " in the ",
                         side, " groups, but got digit ", digit);
      ++seen[digit];
    }
  for (size_t digit = 0; digit < seen.size(); ++digit)
    if (seen[digit] != 1)
      return makeError(ErrorCode::Internal, "expects digit '", r.digits[digit].name,
                       "' in one group of the ", side, ", but it stands in ", seen[digit]);
  return Status::success();
}

static Status checkDigits(const Rearrangement &r) {
  if (r.digits.size() > kMaxDigits)
    return makeError(ErrorCode::Limit, "expects at most ", kMaxDigits, " digits, but got ",
                     r.digits.size());
  std::set<std::string> names;
  std::vector<int64_t> extents;
  for (const Rearrangement::NamedDigit &digit : r.digits) {
    if (!names.insert(digit.name).second)
      return makeError(ErrorCode::Internal, "expects distinct names of digits, but '", digit.name,
                       "' stands twice");
    if (digit.extent < 0)
      return makeError(ErrorCode::Pattern, "expects sizes of 0 or more, but the size of '",
                       digit.name, "' is ", digit.extent);
    extents.push_back(digit.extent);
  }
  std::optional<int64_t> product = checkedProduct(extents);
  if (!product || !checkedMul(*product, 16))
    return makeError(ErrorCode::Overflow, "expects the product of the digits' nonzero sizes (",
                     join(extents, " * "), ") times 16 bytes, as elements of any type count, ",
                     "to fit 63 bits");
  return Status::success();
}

/// [R6] and [S4]
static Status checkWindowList(const std::vector<Window> &windows, size_t rank, ErrorCode code,
                              const char *what, const char *side) {
  if (windows.size() != rank)
    return makeError(code, "expects one ", what, " for each of the ", rank, " dimensions of the ",
                     side, ", but got ", windows.size());
  for (size_t dim = 0; dim < rank; ++dim)
    for (int64_t amount : {windows[dim].low, windows[dim].high})
      if (amount < -kMaxWindow || amount > kMaxWindow)
        return makeError(ErrorCode::Overflow, "expects the ", what, " of dimension ", dim,
                         " to lie within 2^60, but got ", amount);
  return Status::success();
}

Status relayout::checkPadList(const std::vector<Window> &pad, size_t rank) {
  return checkWindowList(pad, rank, ErrorCode::Pad, "pad", "operand");
}

Status relayout::checkCropList(const std::vector<Window> &crop, size_t rank) {
  return checkWindowList(crop, rank, ErrorCode::Crop, "crop", "result");
}

/// [R7] of a pad.
Status relayout::checkPaddedShape(const Rearrangement &r) {
  std::vector<int64_t> padded = r.paddedShape();
  for (size_t dim = 0; dim < padded.size(); ++dim)
    if (padded[dim] < 0)
      return makeError(ErrorCode::Pad, "expects the pad of operand dimension ", dim,
                       " to leave an extent of 0 or more, but ", r.operandShape[dim], " + (",
                       r.pad[dim].low, ") + (", r.pad[dim].high, ") is ", padded[dim]);
  return Status::success();
}

/// [R7] of a pad, and [R5].
static Status checkPads(const Rearrangement &r) {
  if (Status status = checkPadList(r.pad, r.operandShape.size()); !status)
    return status;
  if (Status status = checkPaddedShape(r); !status)
    return status;
  std::vector<int64_t> padded = r.paddedShape();
  for (size_t dim = 0; dim < padded.size(); ++dim) {
    int64_t product = groupExtent(r, r.operandGroups[dim]);
    if (product != padded[dim])
      return makeError(ErrorCode::Divisible, "expects the digits of operand dimension ", dim,
                       " to multiply to its padded extent, but the product is ", product,
                       " and the padded extent is ", padded[dim]);
  }
  return Status::success();
}

/// [R7] of a crop.
static Status checkCrops(const Rearrangement &r) {
  if (Status status = checkCropList(r.crop, r.resultGroups.size()); !status)
    return status;
  std::vector<int64_t> merged = r.mergedShape(), result = r.resultShape();
  for (size_t dim = 0; dim < merged.size(); ++dim)
    if (result[dim] < 0)
      return makeError(ErrorCode::Crop, "expects the crop of result dimension ", dim,
                       " to leave an extent of 0 or more, but ", merged[dim], " - (",
                       r.crop[dim].low, ") - (", r.crop[dim].high, ") is ", result[dim]);
  return checkShape(result);
}

Status Rearrangement::verify() const {
  if (Status status = checkShape(operandShape); !status)
    return status;
  if (operandGroups.size() != operandShape.size())
    return makeError(ErrorCode::Pattern, "expects a tensor of rank ", operandGroups.size(),
                     ", but the rank is ", operandShape.size());
  if (resultGroups.size() > static_cast<size_t>(kMaxRank))
    return makeError(ErrorCode::Limit, "expects a result of rank ", kMaxRank,
                     " at most, but the rank is ", resultGroups.size());
  if (Status status = checkGroups(*this, operandGroups, "operand"); !status)
    return status;
  if (Status status = checkGroups(*this, resultGroups, "result"); !status)
    return status;
  if (Status status = checkDigits(*this); !status)
    return status;
  if (Status status = checkPads(*this); !status)
    return status;
  return checkCrops(*this);
}

std::vector<int64_t> Rearrangement::paddedShape() const {
  std::vector<int64_t> shape = operandShape;
  for (size_t dim = 0; dim < shape.size(); ++dim)
    shape[dim] += pad[dim].low + pad[dim].high;
  return shape;
}

std::vector<int64_t> Rearrangement::mergedShape() const {
  std::vector<int64_t> shape;
  for (const Group &group : resultGroups)
    shape.push_back(groupExtent(*this, group));
  return shape;
}

std::vector<int64_t> Rearrangement::resultShape() const {
  std::vector<int64_t> shape = mergedShape();
  for (size_t dim = 0; dim < shape.size(); ++dim)
    shape[dim] -= crop[dim].low + crop[dim].high;
  return shape;
}

bool Rearrangement::needsFill() const {
  for (const Window &window : pad)
    if (window.low > 0 || window.high > 0)
      return true;
  for (const Window &window : crop)
    if (window.low < 0 || window.high < 0)
      return true;
  return false;
}

bool Rearrangement::hasWindows() const {
  for (const std::vector<Window> *windows : {&pad, &crop})
    for (const Window &window : *windows)
      if (!window.isZero())
        return true;
  return false;
}

bool Rearrangement::operator==(const Rearrangement &o) const {
  return operandShape == o.operandShape && digits == o.digits && operandGroups == o.operandGroups &&
         resultGroups == o.resultGroups && pad == o.pad && crop == o.crop;
}

bool Rearrangement::isIdentity() const {
  if (operandShape != resultShape())
    return false;
  for (int64_t extent : operandShape)
    if (extent == 0)
      return true;
  Rearrangement normal = normalize(*this);
  return !normal.hasWindows() && normal.operandGroups == normal.resultGroups;
}

Pattern Rearrangement::pattern() const {
  auto side = [&](const std::vector<Group> &groups) {
    PatternSide names;
    for (const Group &group : groups) {
      names.emplace_back();
      for (unsigned digit : group)
        names.back().push_back(digits[digit].name);
    }
    return names;
  };
  return {side(operandGroups), side(resultGroups)};
}

DigitSizes Rearrangement::sizes() const {
  DigitSizes sizes;
  for (const Group &group : operandGroups)
    if (group.size() > 1)
      for (unsigned digit : group)
        sizes[digits[digit].name] = digits[digit].extent;
  return sizes;
}

Rearrangement relayout::identityRearrangement(const std::vector<int64_t> &shape) {
  Rearrangement r;
  r.operandShape = shape;
  for (unsigned dim = 0; dim < shape.size(); ++dim) {
    r.digits.push_back({cat("d", dim), shape[dim]});
    r.operandGroups.push_back({dim});
  }
  r.resultGroups = r.operandGroups;
  r.pad.resize(shape.size());
  r.crop.resize(shape.size());
  return r;
}

Result<Rearrangement> relayout::permutation(const std::vector<int64_t> &shape,
                                            const std::vector<int64_t> &perm) {
  if (Status status = checkShape(shape); !status)
    return status.error();
  auto refuse = [&] {
    return makeError(ErrorCode::Permutation, "expects perm to hold each of the ", shape.size(),
                     " dimensions once, from 0, but got [", join(perm, ","), "]");
  };
  if (perm.size() != shape.size())
    return refuse();
  Rearrangement r = identityRearrangement(shape);
  std::vector<bool> seen(shape.size(), false);
  for (size_t dim = 0; dim < perm.size(); ++dim) {
    int64_t from = perm[dim];
    if (from < 0 || from >= static_cast<int64_t>(shape.size()) || seen[from])
      return refuse();
    seen[from] = true;
    r.resultGroups[dim] = {static_cast<unsigned>(from)};
  }
  return r;
}

Result<Rearrangement> relayout::inverse(const Rearrangement &rearrangement) {
  if (!rearrangement.hasWindows())
    return converse(rearrangement);
  Rearrangement normal = normalize(rearrangement);
  if (normal.hasWindows())
    return makeError(ErrorCode::Unsupported, "expects a rearrangement without pads and crops to ",
                     "invert");
  return converse(normal);
}
