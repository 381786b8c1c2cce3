// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TileNetwork.h"

#include <algorithm>
#include <numeric>

namespace relayout {

namespace {

/// How many units each register holds for each output: rows are registers.
using Demand = std::vector<std::vector<int>>;

struct Halving {
  Network &network;
  const std::vector<OutVector> &outputs;
  std::vector<int> results; ///< register of each output
};

} // namespace

/// The units of `wanted` that `node` or `other` holds, in the lanes of `wanted`.
static Network::Units restrict(const Network &network, const std::vector<int> &nodes,
                               const Network::Units &wanted) {
  Network::Units restricted = wanted;
  for (int &unit : restricted) {
    bool isHeld = false;
    for (int node : nodes) {
      const Network::Units &units = network.units(node);
      isHeld |= std::find(units.begin(), units.end(), unit) != units.end();
    }
    if (!isHeld)
      unit = -1;
  }
  return restricted;
}

/// Merges `sources`, which together hold `wanted`, into one register.
static int mergeChain(Network &network, const std::vector<int> &sources,
                      const Network::Units &wanted) {
  int node = sources.front();
  std::vector<int> merged{node};
  if (sources.size() == 1)
    return network.select(node, -1, wanted);
  for (size_t i = 1; i < sources.size(); ++i) {
    merged.push_back(sources[i]);
    node = network.select(node, sources[i], restrict(network, merged, wanted));
  }
  return node;
}

/// Loads the whole input: each run in whole vectors, its rest by a part of one or,
/// without masks, by one that overlaps.
static std::vector<int> loadInput(Network &network) {
  const NetworkShape &shape = network.getShape();
  const UnitSide &in = shape.map.in;
  std::vector<int> registers;
  for (int begin = 0; begin < in.size(); begin = in.runEnd[begin]) {
    int end = in.runEnd[begin];
    for (int unit = begin; unit < end; unit += shape.lanes) {
      int first = unit;
      if (end - unit < shape.lanes && end - begin >= shape.lanes)
        first = end - shape.lanes;
      registers.push_back(network.load(first, std::min(shape.lanes, end - first)));
    }
  }
  return registers;
}

/// Of each unit: the first of `sources` that holds it, or -1.
static std::vector<int> findHolders(const Network &network, const std::vector<int> &sources) {
  std::vector<int> holder(network.getShape().map.in.size(), -1);
  for (size_t row = sources.size(); row-- > 0;)
    for (int unit : network.units(sources[row]))
      if (unit >= 0)
        holder[unit] = static_cast<int>(row);
  return holder;
}

/// Demand of outputs [first, last) on `rows` sources.
static Demand countDemand(const Halving &state, const std::vector<int> &holder, size_t rows,
                          size_t first, size_t last) {
  Demand demand(rows, std::vector<int>(last - first, 0));
  for (size_t column = first; column < last; ++column)
    for (int unit : state.outputs[column].wanted)
      if (unit >= 0)
        ++demand[holder[unit]][column - first];
  return demand;
}

/// Groups of consecutive rows whose demand fits one register. Rows without demand
/// are left out.
static std::vector<std::vector<int>> packRows(const Demand &demand, size_t first, size_t last,
                                              int lanes) {
  std::vector<std::vector<int>> groups;
  int room = 0;
  for (size_t row = 0; row < demand.size(); ++row) {
    int need = std::accumulate(demand[row].begin() + first, demand[row].begin() + last, 0);
    if (need == 0)
      continue;
    if (groups.empty() || need > room) {
      groups.emplace_back();
      room = lanes;
    }
    groups.back().push_back(static_cast<int>(row));
    room -= need;
  }
  return groups;
}

static Demand packedDemand(const Demand &demand, const std::vector<std::vector<int>> &groups,
                           size_t first, size_t last) {
  Demand packed;
  for (const std::vector<int> &group : groups) {
    packed.emplace_back(last - first, 0);
    for (int row : group)
      for (size_t column = first; column < last; ++column)
        packed.back()[column - first] += demand[row][column];
  }
  return packed;
}

static int directCost(const Demand &demand) {
  int cost = 0;
  for (size_t column = 0; column < demand.front().size(); ++column) {
    int sources = 0;
    for (const std::vector<int> &row : demand)
      sources += row[column] != 0;
    cost += std::max(sources - 1, 0);
  }
  return cost;
}

/// Shuffles that halving needs for `demand`, at most those of direct merging.
static int plannedCost(const Demand &demand, int lanes) {
  int direct = directCost(demand);
  size_t columns = demand.front().size();
  if (columns < 2 || direct <= static_cast<int>(columns))
    return direct;
  int halved = 0;
  for (auto [first, last] : {std::pair<size_t, size_t>{0, columns / 2}, {columns / 2, columns}}) {
    std::vector<std::vector<int>> groups = packRows(demand, first, last, lanes);
    for (const std::vector<int> &group : groups)
      halved += static_cast<int>(group.size()) - 1;
    if (halved >= direct)
      return direct;
    halved += plannedCost(packedDemand(demand, groups, first, last), lanes);
  }
  return std::min(direct, halved);
}

/// One register with all that outputs [first, last) need of the sources in `group`,
/// ordered by output and lane.
static int pack(Halving &state, const std::vector<int> &sources, const std::vector<int> &group,
                const std::vector<int> &holder, size_t first, size_t last) {
  if (group.size() == 1)
    return sources[group.front()];
  Network::Units packed;
  for (size_t column = first; column < last; ++column)
    for (int unit : state.outputs[column].wanted)
      if (unit >= 0 && std::count(group.begin(), group.end(), holder[unit]) &&
          std::find(packed.begin(), packed.end(), unit) == packed.end())
        packed.push_back(unit);
  packed.resize(state.network.getShape().lanes, -1);
  std::vector<int> members;
  for (int row : group)
    members.push_back(sources[row]);
  return mergeChain(state.network, members, packed);
}

static void solve(Halving &state, const std::vector<int> &sources, size_t first, size_t last) {
  std::vector<int> holder = findHolders(state.network, sources);
  Demand demand = countDemand(state, holder, sources.size(), first, last);
  size_t columns = last - first;
  int lanes = state.network.getShape().lanes;
  if (columns < 2 || plannedCost(demand, lanes) >= directCost(demand)) {
    for (size_t column = 0; column < columns; ++column) {
      std::vector<int> needed;
      for (size_t row = 0; row < sources.size(); ++row)
        if (demand[row][column])
          needed.push_back(sources[row]);
      state.results[first + column] =
          mergeChain(state.network, needed, state.outputs[first + column].wanted);
    }
    return;
  }
  for (auto [begin, end] : {std::pair<size_t, size_t>{0, columns / 2}, {columns / 2, columns}}) {
    std::vector<int> packed;
    for (const std::vector<int> &group : packRows(demand, begin, end, lanes))
      packed.push_back(pack(state, sources, group, holder, first + begin, first + end));
    solve(state, packed, first + begin, first + end);
  }
}

Network halvingNetwork(const NetworkShape &shape, const std::vector<OutVector> &outputs) {
  Network network(shape);
  Halving state{network, outputs, std::vector<int>(outputs.size(), -1)};
  solve(state, loadInput(network), 0, outputs.size());
  for (size_t i = 0; i < outputs.size(); ++i)
    network.store(state.results[i], outputs[i]);
  return network;
}

/// The fewest loads that hold the units of `wanted`: aligned ones (shared with
/// other outputs) where they are no more.
static std::vector<int> loadUnits(Network &network, const Network::Units &wanted) {
  const NetworkShape &shape = network.getShape();
  const UnitSide &in = shape.map.in;
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

Network gatherNetwork(const NetworkShape &shape, const std::vector<OutVector> &outputs) {
  Network network(shape);
  for (const OutVector &output : outputs)
    network.store(mergeChain(network, loadUnits(network, output.wanted), output.wanted), output);
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

Network assemblyNetwork(const NetworkShape &shape, const std::vector<OutVector> &outputs) {
  Network network(shape);
  const UnitSide &in = shape.map.in;
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
  }
  return network;
}

} // namespace relayout
