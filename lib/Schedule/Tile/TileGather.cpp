// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TileNetwork.h"

#include <algorithm>

namespace relayout {

/// Part of an input run: its first unit and number of units.
using Span = std::pair<int, int>;

/// The fewest spans of at most `size` units that hold `wanted`: aligned ones (shared
/// with other outputs) where they are no more.
static std::vector<Span> findSpans(const UnitSide &in, std::vector<int> units, int size) {
  std::sort(units.begin(), units.end());
  units.erase(std::unique(units.begin(), units.end()), units.end());
  units.erase(units.begin(), std::upper_bound(units.begin(), units.end(), -1));
  std::vector<Span> spans[2];
  for (bool isAligned : {false, true})
    for (int unit : units) {
      std::vector<Span> &list = spans[isAligned];
      if (!list.empty() && unit < list.back().first + list.back().second)
        continue;
      int begin = in.runBegin[unit], end = in.runEnd[unit];
      int first = isAligned ? begin + (unit - begin) / size * size : unit;
      first = std::max(begin, std::min(first, end - size));
      list.push_back({first, std::min(size, end - first)});
    }
  return spans[spans[1].size() <= spans[0].size()];
}

static std::vector<int> loadUnits(Network &network, const Network::Units &wanted) {
  const NetworkShape &shape = network.getShape();
  std::vector<int> registers;
  for (auto [first, count] : findSpans(shape.map->in, wanted, shape.lanes))
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

/// Registers that hold in each chunk of `size` lanes what `wanted` has there.
static std::vector<int> loadChunks(Network &network, const Network::Units &wanted, int size) {
  std::vector<int> registers;
  for (int lane = 0; lane < network.getShape().lanes; lane += size) {
    std::vector<int> chunk(wanted.begin() + lane, wanted.begin() + lane + size);
    std::vector<Span> spans = findSpans(network.getShape().map->in, chunk, size);
    registers.resize(std::max(registers.size(), spans.size()), -1);
    for (size_t i = 0; i < spans.size(); ++i)
      registers[i] = network.load(spans[i].first, spans[i].second, lane, registers[i]);
  }
  return registers;
}

std::optional<Network> chunkedNetwork(const NetworkShape &shape,
                                      const std::vector<OutVector> &outputs, double limit) {
  int size = static_cast<int>(16 / shape.map->unitBytes);
  if (size < 2 || shape.lanes <= size)
    return std::nullopt;
  Network network(shape);
  for (const OutVector &output : outputs) {
    network.store(network.merge(loadChunks(network, output.wanted, size), output.wanted), output);
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
