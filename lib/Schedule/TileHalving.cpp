// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TileCost.h"
#include "TileNetwork.h"

#include <algorithm>
#include <memory>
#include <numeric>

namespace relayout {

namespace {

/// How many units each register holds for each output: rows are registers.
using Demand = std::vector<std::vector<int>>;
/// Rows that are packed into one register.
using Group = std::vector<int>;

/// How outputs are made of registers: each merged directly, or the registers packed
/// for each half of the outputs first.
struct Plan {
  int cost = 0; ///< shuffles
  std::vector<Group> groups[2];
  std::unique_ptr<Plan> halves[2];
};

struct Halving {
  Network &network;
  const std::vector<OutVector> &outputs;
  std::vector<int> results; ///< register of each output
};

} // namespace

std::vector<int> loadInput(Network &network) {
  const NetworkShape &shape = network.getShape();
  const UnitSide &in = shape.map->in;
  std::vector<int> registers;
  for (int begin = 0; begin < in.size(); begin = in.runEnd[begin]) {
    int end = in.runEnd[begin];
    for (int unit = begin; unit < end; unit += shape.lanes) {
      int first = std::max(begin, std::min(unit, end - shape.lanes));
      registers.push_back(network.load(first, std::min(shape.lanes, end - first)));
    }
  }
  return registers;
}

/// Of each unit: the first of `sources` that holds it, or -1.
static std::vector<int> findHolders(const Network &network, const std::vector<int> &sources) {
  std::vector<int> holder(network.getShape().map->in.size(), -1);
  for (size_t row = sources.size(); row-- > 0;)
    for (int unit : network.units(sources[row]))
      if (unit >= 0)
        holder[unit] = static_cast<int>(row);
  return holder;
}

static Demand countDemand(const std::vector<OutVector> &outputs, const std::vector<int> &holder,
                          size_t rows) {
  Demand demand(rows, std::vector<int>(outputs.size(), 0));
  for (size_t column = 0; column < outputs.size(); ++column)
    for (int unit : outputs[column].wanted)
      if (unit >= 0)
        ++demand[holder[unit]][column];
  return demand;
}

/// Groups of consecutive rows whose demand in columns [first, last) fits one
/// register. Rows without demand are left out.
static std::vector<Group> packRows(const Demand &demand, size_t first, size_t last, int lanes) {
  std::vector<Group> groups;
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

static Demand packedDemand(const Demand &demand, const std::vector<Group> &groups, size_t first,
                           size_t last) {
  Demand packed;
  for (const Group &group : groups) {
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

/// The cheaper of merging directly and of halving.
static Plan makePlan(const Demand &demand, int lanes) {
  Plan direct, halved;
  direct.cost = directCost(demand);
  size_t columns = demand.front().size();
  if (columns < 2 || direct.cost <= static_cast<int>(columns))
    return direct;
  for (int half : {0, 1}) {
    size_t first = half ? columns / 2 : 0, last = half ? columns : columns / 2;
    halved.groups[half] = packRows(demand, first, last, lanes);
    for (const Group &group : halved.groups[half])
      halved.cost += static_cast<int>(group.size()) - 1;
    halved.halves[half] = std::make_unique<Plan>(
        makePlan(packedDemand(demand, halved.groups[half], first, last), lanes));
    halved.cost += halved.halves[half]->cost;
    if (halved.cost >= direct.cost)
      return direct;
  }
  return halved;
}

/// One register with all that outputs [first, last) need of the sources in `group`,
/// ordered by output and lane.
static int pack(Halving &state, const std::vector<int> &sources, const Group &group,
                const std::vector<int> &holder, size_t first, size_t last) {
  if (group.size() == 1)
    return sources[group.front()];
  std::vector<char> isMember(sources.size(), 0), isPacked(holder.size(), 0);
  std::vector<int> members;
  for (int row : group) {
    isMember[row] = 1;
    members.push_back(sources[row]);
  }
  Network::Units packed;
  for (size_t column = first; column < last; ++column)
    for (int unit : state.outputs[column].wanted)
      if (unit >= 0 && isMember[holder[unit]] && !isPacked[unit]) {
        isPacked[unit] = 1;
        packed.push_back(unit);
      }
  packed.resize(state.network.getShape().lanes, -1);
  return state.network.merge(members, packed);
}

static void solve(Halving &state, const Plan &plan, const std::vector<int> &sources, size_t first,
                  size_t last) {
  if (!plan.halves[0]) {
    for (size_t column = first; column < last; ++column)
      state.results[column] = state.network.merge(sources, state.outputs[column].wanted);
    return;
  }
  std::vector<int> holder = findHolders(state.network, sources);
  size_t middle = first + (last - first) / 2;
  for (int half : {0, 1}) {
    size_t begin = half ? middle : first, end = half ? last : middle;
    std::vector<int> packed;
    for (const Group &group : plan.groups[half])
      packed.push_back(pack(state, sources, group, holder, begin, end));
    solve(state, *plan.halves[half], packed, begin, end);
  }
}

static Plan planHalving(Network &network, const std::vector<OutVector> &outputs,
                        const std::vector<int> &sources) {
  Demand demand = countDemand(outputs, findHolders(network, sources), sources.size());
  return makePlan(demand, network.getShape().lanes);
}

double halvingBound(const NetworkShape &shape, const std::vector<OutVector> &outputs) {
  Network network(shape);
  Plan plan = planHalving(network, outputs, loadInput(network));
  // A mask without any order: about the dearest there is.
  std::vector<int> mask;
  for (int lane = 0; lane < shape.lanes; ++lane)
    mask.push_back((lane * lane + 5 * lane + 3) % (2 * shape.lanes));
  double worst = shufflePrice(shape.target->isa, shape.map->unitBytes, mask);
  double stores = 0;
  for (const OutVector &output : outputs)
    for (const Access &access : output.stores)
      stores += storePrice(shape.target->isa, shape.map->unitBytes, shape.lanes, access);
  // The plan does not count the shuffles of one source, at most one an output.
  return network.cost() + (plan.cost + static_cast<double>(outputs.size())) * worst + stores;
}

std::optional<Network> halvingNetwork(const NetworkShape &shape,
                                      const std::vector<OutVector> &outputs, double limit) {
  constexpr double kLeastShuffle = 0.6;
  Network network(shape);
  Halving state{network, outputs, std::vector<int>(outputs.size(), -1)};
  std::vector<int> sources = loadInput(network);
  Plan plan = planHalving(network, outputs, sources);
  if (network.cost() + kLeastShuffle * plan.cost >= limit)
    return std::nullopt;
  solve(state, plan, sources, 0, outputs.size());
  for (size_t i = 0; i < outputs.size(); ++i)
    network.store(state.results[i], outputs[i]);
  return network;
}

} // namespace relayout
