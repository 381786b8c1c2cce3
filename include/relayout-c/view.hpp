// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Views of a caller's memory, with the members of std::mdspan that running a kernel
/// needs. They own and copy nothing; a std::mdspan does as well wherever one is taken.

#ifndef RELAYOUT_C_VIEW_HPP
#define RELAYOUT_C_VIEW_HPP

#include <complex>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace relayout::api {

/// The word for elements of type `T`; an empty one, which means opaque elements, where there is
/// none, as for a struct or an integer of 16 bytes.
template <typename T> constexpr const char *dtypeOf() {
  using Element = std::remove_cv_t<T>;
  if constexpr (std::is_same_v<Element, bool>)
    return "bool";
  else if constexpr (std::is_same_v<Element, float>)
    return "f32";
  else if constexpr (std::is_same_v<Element, double>)
    return "f64";
  else if constexpr (std::is_same_v<Element, std::complex<float>>)
    return "c64";
  else if constexpr (std::is_same_v<Element, std::complex<double>>)
    return "c128";
  else if constexpr (!std::is_integral_v<Element> || sizeof(T) > 8)
    return "";
  else if constexpr (std::is_signed_v<Element>)
    return sizeof(T) == 1 ? "i8" : sizeof(T) == 2 ? "i16" : sizeof(T) == 4 ? "i32" : "i64";
  else
    return sizeof(T) == 1 ? "u8" : sizeof(T) == 2 ? "u16" : sizeof(T) == 4 ? "u32" : "u64";
}

/// Elements at `sum(index[i] * strides[i])` from `data`.
template <typename T> class View {
public:
  using element_type = T;

  View(T *data, std::vector<int64_t> shape, std::vector<int64_t> strides)
      : memory(data), extents(std::move(shape)), steps(std::move(strides)) {}

  /// Row-major without gaps.
  View(T *data, std::vector<int64_t> shape) : memory(data), extents(std::move(shape)) {
    steps.assign(extents.size(), 1);
    for (size_t i = extents.size(); i-- > 1;)
      steps[i - 1] = steps[i] * extents[i];
  }

  size_t rank() const { return extents.size(); }
  int64_t extent(size_t dimension) const { return extents[dimension]; }
  int64_t stride(size_t dimension) const { return steps[dimension]; }
  T *data_handle() const { return memory; }
  const View &mapping() const { return *this; }

  /// Elements from the first to the last, gaps included.
  int64_t required_span_size() const {
    int64_t span = 1;
    for (size_t i = 0; i < extents.size(); ++i) {
      if (extents[i] == 0)
        return 0;
      span += (extents[i] - 1) * steps[i];
    }
    return span;
  }

  template <typename... Indices> T &operator()(Indices... indices) const {
    const int64_t list[] = {static_cast<int64_t>(indices)..., 0};
    int64_t place = 0;
    for (size_t i = 0; i < sizeof...(indices); ++i)
      place += list[i] * steps[i];
    return memory[place];
  }

private:
  T *memory;
  std::vector<int64_t> extents;
  std::vector<int64_t> steps;
};

} // namespace relayout::api

#endif // RELAYOUT_C_VIEW_HPP
