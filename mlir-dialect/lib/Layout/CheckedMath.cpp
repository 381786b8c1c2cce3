// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Layout/CheckedMath.h"

using namespace relayout;

std::optional<int64_t> relayout::checkedProduct(const std::vector<int64_t> &factors) {
  int64_t product = 1;
  bool zero = false;
  for (int64_t factor : factors) {
    if (factor == 0) {
      zero = true;
      continue;
    }
    std::optional<int64_t> next = checkedMul(product, factor);
    if (!next)
      return std::nullopt;
    product = *next;
  }
  return zero ? 0 : product;
}
