// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//
/// \file
/// Arrays with the reshape, transpose and pad of NumPy, in which definitions of
/// operations are written. They share nothing with the library.

#ifndef RELAYOUT_TEST_UNIT_LAYOUT_NUMPY_H
#define RELAYOUT_TEST_UNIT_LAYOUT_NUMPY_H

#include <cassert>
#include <cstdint>
#include <ostream>
#include <vector>

namespace relayout::test {

/// A dense row-major array.
struct Array {
  std::vector<int64_t> shape;
  std::vector<int64_t> data;
  bool operator==(const Array &o) const { return shape == o.shape && data == o.data; }
};

inline std::ostream &operator<<(std::ostream &out, const Array &array) {
  for (int64_t extent : array.shape)
    out << extent << " x ";
  for (int64_t element : array.data)
    out << element << " ";
  return out;
}

inline int64_t product(const std::vector<int64_t> &factors) {
  int64_t result = 1;
  for (int64_t factor : factors)
    result *= factor;
  return result;
}

inline Array iota(const std::vector<int64_t> &shape, int64_t first = 0) {
  Array array{shape, std::vector<int64_t>(product(shape))};
  for (int64_t &element : array.data)
    element = first++;
  return array;
}

inline Array reshape(Array array, const std::vector<int64_t> &shape) {
  assert(product(shape) == static_cast<int64_t>(array.data.size()));
  array.shape = shape;
  return array;
}

/// Dimension i of the result is dimension perm[i] of `array`.
inline Array transpose(const Array &array, const std::vector<int64_t> &perm) {
  Array result;
  for (int64_t from : perm)
    result.shape.push_back(array.shape[from]);
  result.data.resize(array.data.size());
  for (size_t element = 0; element < array.data.size(); ++element) {
    std::vector<int64_t> index(array.shape.size());
    int64_t rest = element, to = 0;
    for (size_t dim = index.size(); dim-- > 0;) {
      index[dim] = rest % array.shape[dim];
      rest /= array.shape[dim];
    }
    for (size_t dim = 0; dim < perm.size(); ++dim)
      to = to * result.shape[dim] + index[perm[dim]];
    result.data[to] = array.data[element];
  }
  return result;
}

/// Adds zeros to both ends of dimension `dim`.
inline Array pad(const Array &array, size_t dim, int64_t low, int64_t high) {
  int64_t inner = 1, outer = 1, extent = array.shape[dim];
  for (size_t i = 0; i < array.shape.size(); ++i)
    (i < dim ? outer : inner) *= i == dim ? 1 : array.shape[i];
  Array result = array;
  result.shape[dim] = low + extent + high;
  result.data.assign(outer * inner * result.shape[dim], 0);
  for (int64_t o = 0; o < outer; ++o)
    for (int64_t i = 0; i < extent * inner; ++i)
      result.data[(o * result.shape[dim] + low) * inner + i] = array.data[o * extent * inner + i];
  return result;
}

/// Takes elements from both ends of dimension `dim`.
inline Array crop(const Array &array, size_t dim, int64_t low, int64_t high) {
  int64_t inner = 1, extent = array.shape[dim];
  for (size_t i = dim + 1; i < array.shape.size(); ++i)
    inner *= array.shape[i];
  Array result{array.shape, {}};
  result.shape[dim] = extent - low - high;
  for (int64_t element = 0; element < static_cast<int64_t>(array.data.size()); ++element)
    if (int64_t place = element / inner % extent; place >= low && place < extent - high)
      result.data.push_back(array.data[element]);
  return result;
}

} // namespace relayout::test

#endif // RELAYOUT_TEST_UNIT_LAYOUT_NUMPY_H
