// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TileCost.h"

#include <algorithm>

namespace relayout {

double shufflePrice(VectorISA isa, int64_t laneBytes, const std::vector<int> &mask) {
  (void)isa;
  (void)laneBytes;
  (void)mask;
  return 1;
}

double loadPrice(VectorISA isa, int64_t laneBytes, int lanes, const Access &access, bool merges) {
  if (access.count == lanes)
    return 0.5;
  int64_t bytes = laneBytes * access.count;
  bool isInsert = bytes >= 16 && access.first % access.count == 0 && !access.masked;
  if (isInsert || access.masked)
    return merges ? 0.8 : 0.6;
  if (!merges && access.first == 0)
    return 0.5;
  return isa == VectorISA::SSE2 && bytes < 8 ? 2.5 : 1.5;
}

double storePrice(VectorISA isa, int64_t laneBytes, int lanes, const Access &access) {
  (void)isa;
  if (access.count == lanes || access.masked)
    return 1;
  return laneBytes * access.count >= 8 && access.first == 0 ? 1 : 1.5;
}

} // namespace relayout
