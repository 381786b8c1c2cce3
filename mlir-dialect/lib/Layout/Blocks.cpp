// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Blocks.h"

#include "Text.h"
#include "relayout/Layout/CheckedMath.h"

#include <algorithm>

using namespace relayout;

Result<int64_t> relayout::blockProduct(const std::vector<int64_t> &blocks, const char *word) {
  for (int64_t block : blocks)
    if (block < 1)
      return makeError(ErrorCode::Block, "expects ", word, " to be 1 or more, but got ", block);
  std::optional<int64_t> product = checkedProduct(blocks);
  if (!product)
    return makeError(ErrorCode::Overflow, "expects the product of ", word,
                     " over the axes to fit 63 bits, but got ", join(blocks, " * "));
  return *product;
}

int64_t relayout::largestBlock(const std::vector<int64_t> &extents, size_t power, int64_t block) {
  // Far enough for advice; 1 always divides.
  constexpr int64_t kSearchFrom = 4096;
  for (int64_t smaller = std::min(block - 1, kSearchFrom); smaller > 1; --smaller) {
    std::optional<int64_t> product = checkedProduct(std::vector<int64_t>(power, smaller));
    if (product && std::all_of(extents.begin(), extents.end(),
                               [&](int64_t extent) { return extent % *product == 0; }))
      return smaller;
  }
  return 1;
}
