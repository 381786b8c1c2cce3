// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Arithmetic on sizes: 64-bit, signed, every overflow noticed.

#ifndef RELAYOUT_LAYOUT_CHECKEDMATH_H
#define RELAYOUT_LAYOUT_CHECKEDMATH_H

#include <cstdint>
#include <optional>
#include <vector>

namespace relayout {

/// `a + b`, `a * b`; empty where the result leaves 64 bits.
inline std::optional<int64_t> checkedAdd(int64_t a, int64_t b) {
  int64_t result;
  if (__builtin_add_overflow(a, b, &result))
    return std::nullopt;
  return result;
}
inline std::optional<int64_t> checkedMul(int64_t a, int64_t b) {
  int64_t result;
  if (__builtin_mul_overflow(a, b, &result))
    return std::nullopt;
  return result;
}

/// The product of `factors`. A factor of 0 does not hide an overflow of the
/// others: the product of the nonzero factors must fit as well.
std::optional<int64_t> checkedProduct(const std::vector<int64_t> &factors);

/// Division that rounds towards minus infinity; `b` is positive.
inline int64_t floorDiv(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }
/// Division that rounds towards plus infinity; `b` is positive.
inline int64_t ceilDiv(int64_t a, int64_t b) { return a / b + (a % b > 0 ? 1 : 0); }

} // namespace relayout

#endif // RELAYOUT_LAYOUT_CHECKEDMATH_H
