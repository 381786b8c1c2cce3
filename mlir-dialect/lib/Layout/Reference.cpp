// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Layout/Reference.h"

#include <cstring>

using namespace relayout;

/// The index in each dimension of the row-major index `flat`.
static std::vector<int64_t> unflatten(int64_t flat, const std::vector<int64_t> &shape) {
  std::vector<int64_t> index(shape.size());
  for (size_t dim = shape.size(); dim-- > 0;) {
    index[dim] = flat % shape[dim];
    flat /= shape[dim];
  }
  return index;
}

int64_t relayout::referenceSource(const Rearrangement &r, int64_t resultIndex) {
  std::vector<int64_t> index = unflatten(resultIndex, r.resultShape());
  std::vector<int64_t> merged = r.mergedShape();
  std::vector<int64_t> value(r.digits.size());
  for (size_t dim = 0; dim < index.size(); ++dim) {
    int64_t place = index[dim] + r.crop[dim].low;
    if (place < 0 || place >= merged[dim])
      return -1;
    const Rearrangement::Group &group = r.resultGroups[dim];
    for (size_t i = group.size(); i-- > 0;) {
      value[group[i]] = place % r.digits[group[i]].extent;
      place /= r.digits[group[i]].extent;
    }
  }
  int64_t source = 0;
  for (size_t dim = 0; dim < r.operandShape.size(); ++dim) {
    int64_t place = 0;
    for (unsigned digit : r.operandGroups[dim])
      place = place * r.digits[digit].extent + value[digit];
    place -= r.pad[dim].low;
    if (place < 0 || place >= r.operandShape[dim])
      return -1;
    source = source * r.operandShape[dim] + place;
  }
  return source;
}

static int64_t countElements(const std::vector<int64_t> &shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

std::vector<int64_t> relayout::referenceMap(const Rearrangement &r) {
  std::vector<int64_t> map(countElements(r.resultShape()));
  for (size_t i = 0; i < map.size(); ++i)
    map[i] = referenceSource(r, i);
  return map;
}

void relayout::evaluateReference(const Rearrangement &r, int64_t width, const void *operand,
                                 void *result, const void *fill) {
  int64_t count = countElements(r.resultShape());
  for (int64_t i = 0; i < count; ++i) {
    int64_t source = referenceSource(r, i);
    const char *from = source < 0 ? static_cast<const char *>(fill)
                                  : static_cast<const char *>(operand) + source * width;
    std::memcpy(static_cast<char *>(result) + i * width, from, width);
  }
}
