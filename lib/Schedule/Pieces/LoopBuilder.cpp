// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LoopBuilder.h"

#include <algorithm>

using namespace relayout;
using namespace relayout::movement;

void LoopBuilder::place(unsigned d, int64_t values) {
  values = std::min(values, problem.digits[d].extent);
  if (values <= covered[d])
    return;
  placed.push_back({d, covered[d]});
  covered[d] = values;
}

void LoopBuilder::placeRest() {
  std::vector<std::pair<int64_t, unsigned>> left; // by how far a step goes
  for (unsigned d = 0; d < problem.digits.size(); ++d)
    if (!isDone(d))
      left.push_back({saturatingMul(problem.digits[d].outStride, covered[d]), d});
  std::sort(left.begin(), left.end());
  for (auto [advance, d] : left)
    place(d, problem.digits[d].extent);
}

std::optional<std::vector<unsigned>>
relayout::digitsAlong(const Problem &problem, const std::vector<int64_t> &box, unsigned depth) {
  std::vector<unsigned> along;
  for (unsigned d : contiguousChain(problem, Side::Out)) {
    if (box[d] == problem.digits[d].extent && along.empty())
      continue;
    if (along.size() == depth || (!along.empty() && box[d] > 1))
      break;
    along.push_back(d);
  }
  if (along.size() < depth)
    return std::nullopt;
  return along;
}
