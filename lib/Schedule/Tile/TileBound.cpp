// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bound counts steps. Trace each stored lane back through the shuffles to the
// load that it comes from: the traces of different units never share a lane of a
// register, so a shuffle of L lanes lies on at most L traces, and the number of
// shuffles is at least the sum of the traces' lengths divided by L. The traces of
// one output vector form a binary tree whose leaves are lanes of loads. A load of a
// whole vector holds at most m units of that output, m being the most that any L
// consecutive units of the input hold. So the lengths sum to at least those of the
// best binary tree with leaves of weight at most m: of k leaves, ceil(n / m) for n
// units, all at depth floor(log2 k) or one below. An output vector that no load
// yields takes a shuffle of its own in any case.

#include "TileNetwork.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace relayout {

/// The most of `units` (ascending) that one load of `lanes` units holds.
static int mostInOneLoad(const UnitSide &in, const std::vector<int> &units, int lanes) {
  int most = 0;
  for (size_t first = 0, last = 0; first < units.size(); ++first) {
    while (last < units.size() && units[last] < units[first] + lanes &&
           in.runBegin[units[last]] == in.runBegin[units[first]])
      ++last;
    most = std::max(most, static_cast<int>(last - first));
  }
  return most;
}

/// The least sum of depths of `count` leaves in leaves of weight `most` of a tree.
static int leastDepths(int count, int most) {
  int leaves = (count + most - 1) / most, depth = static_cast<int>(llvm::Log2_32(leaves));
  // Leaves split in two at the last level: the lightest ones are among them.
  int split = leaves - (1 << depth);
  int last = count - (leaves - 1) * most;
  int below = split == 0 ? 0 : last + (2 * split - 1) * most;
  return count * depth + below;
}

/// True if one load puts all of `wanted` in place.
static bool isOneLoad(const UnitSide &in, const std::vector<int> &wanted) {
  int lane = 0;
  while (wanted[lane] < 0)
    ++lane;
  for (int other = lane; other < static_cast<int>(wanted.size()); ++other)
    if (wanted[other] >= 0 && (wanted[other] != wanted[lane] + other - lane ||
                               in.runBegin[wanted[other]] != in.runBegin[wanted[lane]]))
      return false;
  return true;
}

unsigned shuffleLowerBound(const NetworkShape &shape, const std::vector<OutVector> &outputs) {
  const UnitSide &in = shape.map->in;
  std::vector<char> isTraced(in.size(), 0);
  int64_t depths = 0;
  unsigned own = 0;
  bool isInjective = in.size() == shape.map->out.size();
  for (const OutVector &output : outputs) {
    bool isWhole = std::count(output.wanted.begin(), output.wanted.end(), -1) == 0;
    own += isWhole && isInjective && output.fresh == 0 && !isOneLoad(in, output.wanted);
    std::vector<int> units;
    for (int unit : output.wanted)
      if (unit >= 0 && !isTraced[unit]) {
        isTraced[unit] = 1;
        units.push_back(unit);
      }
    std::sort(units.begin(), units.end());
    if (!units.empty())
      depths += leastDepths(static_cast<int>(units.size()), mostInOneLoad(in, units, shape.lanes));
  }
  int64_t traced = (depths + shape.lanes - 1) / shape.lanes;
  return std::max<unsigned>(own, static_cast<unsigned>(traced));
}

} // namespace relayout
