// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TileNetwork.h"

#include <algorithm>

namespace relayout {

/// The fewest loads that hold the units of `wanted`: aligned ones (shared with
/// other outputs) where they are no more.
static std::vector<int> loadUnits(Network &network, const Network::Units &wanted) {
  const NetworkShape &shape = network.getShape();
  const UnitSide &in = shape.map->in;
  Network::Units units = wanted;
  std::sort(units.begin(), units.end());
  units.erase(std::unique(units.begin(), units.end()), units.end());
  units.erase(units.begin(), std::upper_bound(units.begin(), units.end(), -1));
  std::vector<std::pair<int, int>> windows[2];
  for (bool isAligned : {false, true})
    for (int unit : units) {
      std::vector<std::pair<int, int>> &list = windows[isAligned];
      if (!list.empty() && unit < list.back().first + list.back().second)
        continue;
      int begin = in.runBegin[unit], end = in.runEnd[unit];
      int first = isAligned ? begin + (unit - begin) / shape.lanes * shape.lanes : unit;
      first = std::max(begin, std::min(first, end - shape.lanes));
      list.push_back({first, std::min(shape.lanes, end - first)});
    }
  std::vector<int> registers;
  for (auto [first, count] : windows[windows[1].size() <= windows[0].size()])
    registers.push_back(network.load(first, count));
  return registers;
}

std::optional<Network> gatherNetwork(const NetworkShape &shape,
                                     const std::vector<OutVector> &outputs, double limit) {
  Network network(shape);
  for (const OutVector &output : outputs) {
    network.store(network.merge(loadUnits(network, output.wanted), output.wanted), output);
    if (network.cost() >= limit)
      return std::nullopt;
  }
  return network;
}

/// The kept runs of a vector: (lane, count) of consecutive units of one input run.
static std::vector<std::pair<int, int>> keptRuns(const UnitSide &in, const Network::Units &wanted) {
  std::vector<std::pair<int, int>> runs;
  for (int lane = 0, size = static_cast<int>(wanted.size()); lane < size; ++lane) {
    if (wanted[lane] < 0)
      continue;
    bool continues = lane > 0 && wanted[lane - 1] == wanted[lane] - 1 &&
                     in.runBegin[wanted[lane]] != wanted[lane];
    if (continues)
      ++runs.back().second;
    else
      runs.push_back({lane, 1});
  }
  return runs;
}

std::optional<Network> assemblyNetwork(const NetworkShape &shape,
                                       const std::vector<OutVector> &outputs, double limit) {
  Network network(shape);
  const UnitSide &in = shape.map->in;
  for (const OutVector &output : outputs) {
    int node = -1;
    for (auto [lane, count] : keptRuns(in, output.wanted)) {
      int unit = output.wanted[lane];
      // The first load may fill the whole vector: what is too much is replaced.
      bool isWhole = node < 0 && unit - lane >= in.runBegin[unit] &&
                     unit - lane + shape.lanes <= in.runEnd[unit];
      node =
          isWhole ? network.load(unit - lane, shape.lanes) : network.load(unit, count, lane, node);
    }
    network.store(node, output);
    if (network.cost() >= limit)
      return std::nullopt;
  }
  return network;
}

} // namespace relayout
