// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//
/// \file
/// Checks of block sizes that the named operations share.

#ifndef RELAYOUT_LIB_LAYOUT_BLOCKS_H
#define RELAYOUT_LIB_LAYOUT_BLOCKS_H

#include "relayout/Support/Result.h"

#include <cstdint>
#include <vector>

namespace relayout {

/// The product of `blocks`, called `word` in messages, each of which must be 1 or more.
Result<int64_t> blockProduct(const std::vector<int64_t> &blocks, const char *word);

/// The largest block below `block` whose power `power` divides each of `extents`.
int64_t largestBlock(const std::vector<int64_t> &extents, size_t power, int64_t block);

} // namespace relayout

#endif // RELAYOUT_LIB_LAYOUT_BLOCKS_H
