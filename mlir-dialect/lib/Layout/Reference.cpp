// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Layout/Reference.h"

#include <cstring>

using namespace relayout;

namespace {

/// Follows single elements of the result back to the operand. Shapes and buffers are
/// kept from one element to the next.
class Follower {
public:
  explicit Follower(const Rearrangement &r)
      : r(r), merged(r.mergedShape()), shape(r.resultShape()), value(r.digits.size()) {}

  /// The row-major index in the operand, or -1.
  int64_t source(int64_t resultIndex) {
    for (size_t dim = shape.size(); dim-- > 0;) {
      int64_t place = resultIndex % shape[dim] + r.crop[dim].low;
      resultIndex /= shape[dim];
      if (place < 0 || place >= merged[dim])
        return -1;
      splitIntoDigits(place, r.resultGroups[dim]);
    }
    int64_t source = 0;
    for (size_t dim = 0; dim < r.operandShape.size(); ++dim) {
      int64_t place = mergeDigits(r.operandGroups[dim]) - r.pad[dim].low;
      if (place < 0 || place >= r.operandShape[dim])
        return -1;
      source = source * r.operandShape[dim] + place;
    }
    return source;
  }

private:
  void splitIntoDigits(int64_t place, const Rearrangement::Group &group) {
    for (size_t i = group.size(); i-- > 0;) {
      value[group[i]] = place % r.digits[group[i]].extent;
      place /= r.digits[group[i]].extent;
    }
  }

  int64_t mergeDigits(const Rearrangement::Group &group) const {
    int64_t place = 0;
    for (unsigned digit : group)
      place = place * r.digits[digit].extent + value[digit];
    return place;
  }

  const Rearrangement &r;
  std::vector<int64_t> merged, shape;
  std::vector<int64_t> value; ///< of each digit
};

} // namespace

int64_t relayout::referenceSource(const Rearrangement &r, int64_t resultIndex) {
  return Follower(r).source(resultIndex);
}

static int64_t countElements(const std::vector<int64_t> &shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

std::vector<int64_t> relayout::referenceMap(const Rearrangement &r) {
  std::vector<int64_t> map(countElements(r.resultShape()));
  Follower follower(r);
  for (size_t i = 0; i < map.size(); ++i)
    map[i] = follower.source(i);
  return map;
}

void relayout::evaluateReference(const Rearrangement &r, int64_t width, const void *operand,
                                 void *result, const void *fill) {
  int64_t count = countElements(r.resultShape());
  Follower follower(r);
  for (int64_t i = 0; i < count; ++i) {
    int64_t source = follower.source(i);
    const char *from = source < 0 ? static_cast<const char *>(fill)
                                  : static_cast<const char *>(operand) + source * width;
    std::memcpy(static_cast<char *>(result) + i * width, from, width);
  }
}
