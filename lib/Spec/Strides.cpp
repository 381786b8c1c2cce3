// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Where the elements of a spec lie in memory.

#include "relayout/Layout/CheckedMath.h"
#include "relayout/Layout/Problem.h"
#include "relayout/Spec/Spec.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace relayout;

static std::string listText(const std::vector<int64_t> &values) {
  std::string text;
  for (int64_t value : values)
    text += (text.empty() ? "[" : ",") + llvm::itostr(value);
  return text.empty() ? "[]" : text + "]";
}

static bool isEmpty(const std::vector<int64_t> &shape) {
  return std::find(shape.begin(), shape.end(), 0) != shape.end();
}

/// The bytes of one side; an error where a stride is negative or they leave 63 bits.
static Result<int64_t> sideBytes(const char *key, const std::vector<int64_t> &shape,
                                 const std::vector<int64_t> &strides, int64_t width) {
  if (strides.size() != shape.size())
    return Error{ErrorCode::Layout, std::string("expects ") + key +
                                        " to have one number for each " + "of the " +
                                        llvm::utostr(shape.size()) + " dimensions, but it has " +
                                        llvm::utostr(strides.size())};
  std::optional<int64_t> span = 1;
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    if (strides[dim] < 0)
      return Error{ErrorCode::Layout,
                   std::string("expects ") + key + " of 0 or more, but got " + listText(strides)};
    std::optional<int64_t> reach = checkedMul(std::max<int64_t>(shape[dim] - 1, 0), strides[dim]);
    span = span && reach ? checkedAdd(*span, *reach) : std::nullopt;
  }
  if (isEmpty(shape))
    return int64_t(0);
  std::optional<int64_t> bytes = span ? checkedMul(*span, width) : std::nullopt;
  if (!bytes)
    return Error{ErrorCode::Overflow, std::string("expects ") + key +
                                          " of a tensor of less than 2^63 bytes, but got " +
                                          listText(strides) + " for shape " + listText(shape)};
  return *bytes;
}

Result<std::pair<SpecSide, SpecSide>> relayout::specSides(const Spec &spec,
                                                          const Rearrangement &r) {
  SpecSide in{spec.shape, spec.inputStrides, 0}, out{r.resultShape(), spec.outputStrides, 0};
  if (in.strides.empty())
    in.strides = rowMajorStrides(in.shape);
  if (out.strides.empty())
    out.strides = rowMajorStrides(out.shape);
  Result<int64_t> inBytes = sideBytes("input_strides", in.shape, in.strides, spec.dtype->width);
  if (!inBytes)
    return inBytes.error();
  Result<int64_t> outBytes = sideBytes("output_strides", out.shape, out.strides, spec.dtype->width);
  if (!outBytes)
    return outBytes.error();
  if (!arePlacesDistinct(out.shape, out.strides))
    return Error{ErrorCode::Layout,
                 "expects output_strides that keep elements apart, each larger than the span of "
                 "those below it, but got " +
                     listText(out.strides) + " for shape " + listText(out.shape)};
  in.bytes = *inBytes;
  out.bytes = *outBytes;
  return std::make_pair(std::move(in), std::move(out));
}
