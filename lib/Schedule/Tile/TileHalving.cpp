// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TileCost.h"
#include "TileNetwork.h"

#include <algorithm>
#include <map>
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
  int cost = 0;      ///< shuffles
  size_t middle = 0; ///< outputs in the first half
  std::vector<Group> groups[2];
  std::unique_ptr<Plan> halves[2];
};

/// Units of one run of the input.
struct Part {
  int unit, count;
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

/// One register of `lanes` with parts of the input `size` units apart: those of `parts` from
/// `first` on, as many as fit. Quarters are put together in two halves, since what goes into the
/// lower half of a register is cheap.
static int loadSideBySide(Network &network, const std::vector<Part> &parts, size_t first, int lanes,
                          int size) {
  if (first >= parts.size())
    return -1;
  if (lanes == 2 * size) {
    int node = network.load(parts[first].unit, parts[first].count);
    if (++first == parts.size())
      return node;
    return network.load(parts[first].unit, parts[first].count, size, node);
  }
  int low = loadSideBySide(network, parts, first, lanes / 2, size);
  int high = loadSideBySide(network, parts, first + lanes / 2 / size, lanes / 2, size);
  if (high < 0)
    return low;
  Network::Units both = network.units(low);
  const Network::Units &upper = network.units(high);
  std::copy_n(upper.begin(), lanes / 2, both.begin() + lanes / 2);
  return network.select(low, high, both);
}

/// Loads the whole input in parts of `size` units, which lie side by side in registers: those at
/// one place of their runs, one run after the other.
static std::vector<int> loadParts(Network &network, int size) {
  const NetworkShape &shape = network.getShape();
  const UnitSide &in = shape.map->in;
  std::map<int, std::vector<Part>> partsAt; // by place in the run
  for (int begin = 0; begin < in.size(); begin = in.runEnd[begin]) {
    int end = in.runEnd[begin];
    for (int unit = begin; unit < end; unit += size) {
      int first = std::max(begin, std::min(unit, end - size));
      partsAt[unit - begin].push_back({first, std::min(size, end - first)});
    }
  }
  std::vector<int> registers;
  for (const auto &[place, parts] : partsAt)
    for (size_t first = 0; first < parts.size(); first += shape.lanes / size)
      registers.push_back(loadSideBySide(network, parts, first, shape.lanes, size));
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

static Plan makePlan(const Demand &demand, int lanes);

/// The plan that packs the registers for outputs [0, middle) and for the others; one
/// that costs `limit` where it is seen to cost so much.
static Plan splitPlan(const Demand &demand, int lanes, size_t middle, int limit) {
  Plan plan;
  plan.middle = middle;
  for (int half : {0, 1}) {
    size_t first = half ? middle : 0, last = half ? demand.front().size() : middle;
    plan.groups[half] = packRows(demand, first, last, lanes);
    for (const Group &group : plan.groups[half])
      plan.cost += static_cast<int>(group.size()) - 1;
    if (plan.cost >= limit)
      break;
    plan.halves[half] = std::make_unique<Plan>(
        makePlan(packedDemand(demand, plan.groups[half], first, last), lanes));
    plan.cost += plan.halves[half]->cost;
  }
  plan.cost = std::min(plan.cost, limit);
  return plan;
}

/// The cheapest of merging directly and of halving.
static Plan makePlan(const Demand &demand, int lanes) {
  Plan best;
  best.cost = directCost(demand);
  size_t columns = demand.front().size();
  if (columns < 2 || best.cost <= static_cast<int>(columns))
    return best;
  constexpr size_t kFew = 12; // outputs, of which more are cut in the middle only
  for (size_t middle : {columns / 2, columns / 2 + 1, columns / 2 - 1}) {
    if (middle < 1 || middle >= columns || (columns > kFew && middle != columns / 2))
      continue;
    Plan plan = splitPlan(demand, lanes, middle, best.cost);
    if (plan.cost < best.cost)
      best = std::move(plan);
  }
  return best;
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
  size_t middle = first + plan.middle;
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

/// The network whose registers hold parts of `size` units, or where that is 0 whole
/// vectors of the input.
static std::optional<Network> halveFrom(int size, const NetworkShape &shape,
                                        const std::vector<OutVector> &outputs, double limit) {
  constexpr double kLeastShuffle = 0.6;
  Network network(shape);
  Halving state{network, outputs, std::vector<int>(outputs.size(), -1)};
  std::vector<int> sources = size ? loadParts(network, size) : loadInput(network);
  Plan plan = planHalving(network, outputs, sources);
  if (network.cost() + kLeastShuffle * plan.cost >= limit)
    return std::nullopt;
  solve(state, plan, sources, 0, outputs.size());
  for (size_t i = 0; i < outputs.size(); ++i)
    network.store(state.results[i], outputs[i]);
  return network;
}

std::optional<Network> halvingNetwork(const NetworkShape &shape,
                                      const std::vector<OutVector> &outputs, double limit) {
  std::optional<Network> best = halveFrom(0, shape, outputs, limit);
  for (int64_t bytes : {16, 32}) { // what one instruction puts in place
    int size = static_cast<int>(bytes / shape.map->unitBytes);
    if (size < 2 || size >= shape.lanes)
      continue;
    std::optional<Network> packed = halveFrom(size, shape, outputs, best ? best->cost() : limit);
    if (packed && packed->cost() < (best ? best->cost() : limit))
      best.emplace(std::move(*packed));
  }
  return best;
}

} // namespace relayout
