// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Layout/KernelForm.h"

#include "relayout/Layout/CheckedMath.h"

#include <algorithm>
#include <cstring>
#include <limits>

using namespace relayout;

/// The widest lane of a vector.
static constexpr int64_t kMostBytes = 8;

/// `wanted`, or with as many underscores behind it as make it new.
static std::string newName(const Rearrangement &r, std::string wanted) {
  while (std::any_of(r.digits.begin(), r.digits.end(),
                     [&](const Rearrangement::NamedDigit &digit) { return digit.name == wanted; }))
    wanted += '_';
  return wanted;
}

KernelForm relayout::kernelForm(const Rearrangement &r, int64_t width, const void *fill) {
  KernelForm whole{r, width};
  const char *bytes = static_cast<const char *>(fill);
  if (width != 2 * kMostBytes ||
      (r.needsFill() && fill && std::memcmp(bytes, bytes + kMostBytes, kMostBytes) != 0))
    return whole;
  KernelForm form{r, kMostBytes, 2};
  Rearrangement &parts = form.rearrangement;
  Rearrangement::Group part{static_cast<unsigned>(r.digits.size())};
  parts.digits.push_back({newName(r, "part"), form.parts});
  parts.operandShape.push_back(form.parts);
  parts.operandGroups.push_back(part);
  parts.resultGroups.push_back(part);
  parts.pad.push_back({});
  parts.crop.push_back({});
  return parts.verify() ? form : whole;
}

std::vector<int64_t> relayout::stridesOfParts(const KernelForm &form,
                                              const std::vector<int64_t> &strides) {
  std::vector<int64_t> result;
  // A stride of one value counts for nothing, and may be any number.
  for (int64_t stride : strides)
    result.push_back(checkedMul(stride, form.parts).value_or(std::numeric_limits<int64_t>::max()));
  if (form.parts > 1)
    result.push_back(1);
  return result;
}

Result<Problem> relayout::buildKernelProblem(const Rearrangement &r, int64_t width,
                                             const void *fill,
                                             const std::vector<int64_t> &operandStrides,
                                             const std::vector<int64_t> &resultStrides) {
  // An error is to speak of elements.
  Result<Problem> whole = buildProblem(r, width, operandStrides, resultStrides);
  if (!whole)
    return whole;
  KernelForm form = kernelForm(r, width, fill);
  if (form.parts == 1)
    return whole;
  return buildProblem(form.rearrangement, form.width, stridesOfParts(form, operandStrides),
                      stridesOfParts(form, resultStrides));
}

Result<Problem> relayout::buildKernelProblem(const Rearrangement &r, int64_t width,
                                             const void *fill) {
  if (Status status = r.verify(); !status)
    return status.error();
  return buildKernelProblem(r, width, fill, rowMajorStrides(r.operandShape),
                            rowMajorStrides(r.resultShape()));
}
