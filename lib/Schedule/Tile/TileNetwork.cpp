// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TileNetwork.h"

#include "TileCost.h"

#include "relayout/Layout/CheckedMath.h"
#include "relayout/Support/CacheLine.h"

#include <algorithm>

namespace relayout {

std::vector<OutVector> coverOutput(const NetworkShape &shape) {
  const UnitSide &out = shape.map->out;
  std::vector<OutVector> vectors;
  for (int begin = 0; begin < out.size(); begin = out.runEnd[begin]) {
    int end = out.runEnd[begin], length = end - begin;
    for (int unit = begin; unit < end; unit += shape.lanes) {
      OutVector vector;
      vector.fresh = 0;
      int first = unit;
      if (end - unit < shape.lanes && length >= shape.lanes && !shape.target->maskedAccess) {
        first = end - shape.lanes;
        vector.fresh = unit - first;
      }
      int count = std::min(shape.lanes, end - first);
      vector.wanted.assign(shape.lanes, -1);
      std::copy_n(shape.map->source.begin() + first, count, vector.wanted.begin());
      vector.stores =
          accessLanes(*shape.map, out, first, count, 0, shape.lanes, shape.target->maskedAccess);
      vectors.push_back(std::move(vector));
    }
  }
  return vectors;
}

int Network::load(int unit, int count, int lane, int through) {
  int node = through;
  for (const Access &access : accessLanes(*shape.map, shape.map->in, unit, count, lane, shape.lanes,
                                          shape.target->maskedAccess))
    node = loadAccess(access, unit - lane + access.first, node);
  return node;
}

int Network::loadAccess(const Access &access, int unit, int through) {
  auto [known, isNew] = knownLoads.try_emplace({access.offset, access.first, access.count, through},
                                               static_cast<int>(nodes.size()));
  if (!isNew)
    return known->second;
  Node node{TileProgram::Op::Load, access, through, -1, {}, {}};
  node.units = through < 0 ? Units(shape.lanes, -1) : nodes[through].units;
  for (int i = 0; i < access.count; ++i)
    node.units[access.first + i] = unit + i;
  price += loadPrice(shape.target->isa, shape.map->unitBytes, shape.lanes, access, through >= 0);
  nodes.push_back(std::move(node));
  return known->second;
}

/// True if `units` holds all of `wanted` in place.
static bool holds(const Network::Units &units, const Network::Units &wanted) {
  for (size_t i = 0; i < wanted.size(); ++i)
    if (wanted[i] >= 0 && units[i] != wanted[i])
      return false;
  return true;
}

/// The mask that takes `wanted` from registers that hold `a` and `b`.
std::vector<int> Network::findMask(const Units &a, const Units *b, const Units &wanted) {
  // What is in both comes from `a`: the last to write laneOf wins.
  for (const Units *units : {b, &a})
    for (int lane = 0; units && lane < shape.lanes; ++lane)
      if (int unit = (*units)[lane]; unit >= 0)
        laneOf[unit] = lane + (units == b ? shape.lanes : 0);
  std::vector<int> mask(shape.lanes, -1);
  for (int lane = 0; lane < shape.lanes; ++lane)
    if (wanted[lane] >= 0)
      mask[lane] = a[lane] == wanted[lane] ? lane : laneOf[wanted[lane]];
  for (const Units *units : {b, &a})
    for (int lane = 0; units && lane < shape.lanes; ++lane)
      if (int unit = (*units)[lane]; unit >= 0)
        laneOf[unit] = -1;
  return mask;
}

int Network::select(int a, int b, const Units &wanted) {
  if (holds(nodes[a].units, wanted))
    return a;
  if (b >= 0 && holds(nodes[b].units, wanted))
    return b;
  std::vector<int> mask = findMask(nodes[a].units, b < 0 ? nullptr : &nodes[b].units, wanted);
  bool takesSecond =
      std::any_of(mask.begin(), mask.end(), [&](int lane) { return lane >= shape.lanes; });
  return addShuffle(a, takesSecond ? b : -1, std::move(mask), wanted);
}

/// Of each lane of `wanted`: the first of `sources` that holds its unit, or their
/// number for a free lane.
std::vector<int> Network::findHolders(const std::vector<int> &sources, const Units &wanted) {
  int count = static_cast<int>(sources.size());
  for (int i = count; i-- > 0;)
    for (int unit : nodes[sources[i]].units)
      if (unit >= 0)
        holderOf[unit] = i;
  std::vector<int> holder(shape.lanes, count);
  for (int lane = 0; lane < shape.lanes; ++lane)
    if (wanted[lane] >= 0)
      holder[lane] = holderOf[wanted[lane]];
  for (int node : sources)
    for (int unit : nodes[node].units)
      if (unit >= 0)
        holderOf[unit] = -1;
  return holder;
}

/// Each source brings its units to the lanes where they are wanted.
Network::Chain Network::placedChain(const std::vector<int> &sources, const Units &wanted) {
  std::vector<int> holder = findHolders(sources, wanted);
  Chain chain{sources.front(), {}};
  Units placed(shape.lanes, -1);
  for (size_t i = 0; i < sources.size(); ++i) {
    for (int lane = 0; lane < shape.lanes; ++lane)
      if (holder[lane] == static_cast<int>(i))
        placed[lane] = wanted[lane];
    // The first one is brought in place together with the second.
    if (i > 0 || sources.size() == 1)
      chain.steps.push_back({i > 0 ? sources[i] : -1, placed});
  }
  return chain;
}

/// The sources are blended, each unit in the lane that it has, and permuted at last;
/// none if two units want one lane.
std::optional<Network::Chain> Network::blendedChain(const std::vector<int> &sources,
                                                    const Units &wanted) {
  std::vector<int> holder = findHolders(sources, wanted);
  Chain chain{sources.front(), {}};
  Units blend(shape.lanes, -1);
  for (size_t i = 0; i < sources.size(); ++i) {
    const Units &units = nodes[sources[i]].units;
    for (int lane = 0; lane < shape.lanes; ++lane) {
      if (holder[lane] != static_cast<int>(i))
        continue;
      auto from = std::find(units.begin(), units.end(), wanted[lane]) - units.begin();
      if (blend[from] >= 0 && blend[from] != wanted[lane])
        return std::nullopt;
      blend[from] = wanted[lane];
    }
    if (i > 0)
      chain.steps.push_back({sources[i], blend});
  }
  chain.steps.push_back({-1, wanted});
  return chain;
}

double Network::chainPrice(const Chain &chain) {
  double sum = 0;
  const Units *held = &nodes[chain.first].units;
  for (const auto &[source, units] : chain.steps) {
    sum += maskPrice(findMask(*held, source < 0 ? nullptr : &nodes[source].units, units));
    held = &units;
  }
  return sum;
}

int Network::merge(const std::vector<int> &sources, const Units &wanted) {
  std::vector<int> holder = findHolders(sources, wanted), used;
  for (size_t i = 0; i < sources.size(); ++i)
    if (std::count(holder.begin(), holder.end(), static_cast<int>(i)))
      used.push_back(sources[i]);
  Chain chain = placedChain(used, wanted);
  if (used.size() > 1)
    if (std::optional<Chain> blended = blendedChain(used, wanted))
      if (chainPrice(*blended) < chainPrice(chain))
        chain = std::move(*blended);
  int node = chain.first;
  for (const auto &[source, units] : chain.steps)
    node = select(node, source, units);
  return node;
}

double Network::maskPrice(const std::vector<int> &mask) {
  auto [priced, isNew] = knownPrices.try_emplace(mask, 0);
  if (isNew)
    priced->second = shufflePrice(shape.target->isa, shape.map->unitBytes, mask);
  return priced->second;
}

/// The price of the vector of indices for `mask`, if that was not used before; the first ones stay
/// in registers.
double Network::newIndexPrice(const std::vector<int> &mask) {
  constexpr unsigned kKept = 16;
  if (!usedMasks.insert(mask).second)
    return 0;
  double indices = indexPrice(shape.target->isa, shape.map->unitBytes, mask);
  return indices > 0 && ++indexCount > kKept ? indices : 0;
}

int Network::addShuffle(int a, int b, std::vector<int> mask, const Units &units) {
  std::vector<int> &known = knownShuffles[{a, b}];
  for (int node : known)
    if (holds(nodes[node].units, units))
      return node;
  Node node{TileProgram::Op::Shuffle, Access(), a, b, std::move(mask), units};
  price += maskPrice(node.mask) + newIndexPrice(node.mask);
  known.push_back(static_cast<int>(nodes.size()));
  nodes.push_back(std::move(node));
  return known.back();
}

void Network::store(int value, const OutVector &vector) {
  for (const Access &access : vector.stores) {
    price += storePrice(shape.target->isa, shape.map->unitBytes, shape.lanes, access);
    nodes.push_back({TileProgram::Op::Store, access, value, -1, {}, {}});
  }
}

/// The stores, a line at a time (the parts of a line must not be far apart where they
/// bypass the caches), and the lines in the order of the first load that they need, so
/// that parts of the tile that have no register in common do not mix.
std::vector<int> Network::storeOrder() const {
  std::vector<int> firstLoad(nodes.size());
  std::map<int64_t, int> firstOfLine;
  std::vector<std::tuple<int, int64_t, int>> stores; // (first load, line, store)
  auto line = [&](size_t i) {
    return floorDiv(nodes[i].access.offset * shape.map->width, kLineBytes);
  };
  for (size_t i = 0; i < nodes.size(); ++i) {
    const Node &node = nodes[i];
    firstLoad[i] = static_cast<int>(i);
    for (int source : {node.a, node.b})
      if (source >= 0)
        firstLoad[i] = std::min(firstLoad[i], firstLoad[source]);
    if (node.op == TileProgram::Op::Store) {
      int &first = firstOfLine.try_emplace(line(i), firstLoad[i]).first->second;
      first = std::min(first, firstLoad[i]);
    }
  }
  for (size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].op == TileProgram::Op::Store)
      stores.push_back({firstOfLine[line(i)], line(i), static_cast<int>(i)});
  std::sort(stores.begin(), stores.end());
  std::vector<int> order;
  for (const auto &store : stores)
    order.push_back(std::get<2>(store));
  return order;
}

/// Appends `root` to `order`, after what it uses. The shuffles of one pair of
/// registers stand together, so that the pair dies there.
void Network::visit(int root, std::vector<char> &done, std::vector<int> &order) const {
  std::vector<int> stack{root};
  while (!stack.empty()) {
    int at = stack.back();
    const Node &node = nodes[at];
    int operand = node.a >= 0 && !done[node.a]   ? node.a
                  : node.b >= 0 && !done[node.b] ? node.b
                                                 : -1;
    if (operand >= 0) {
      stack.push_back(operand);
      continue;
    }
    stack.pop_back();
    if (done[at])
      continue;
    done[at] = 1;
    order.push_back(at);
    if (node.op != TileProgram::Op::Shuffle || node.b < 0)
      continue;
    for (int twin : knownShuffles.at({node.a, node.b}))
      if (!done[twin]) {
        done[twin] = 1;
        order.push_back(twin);
      }
  }
}

TileProgram::Instruction Network::lower(const Node &node, const std::vector<int> &place) const {
  int scale = shape.map->unitBytes > 8 ? 2 : 1; // lanes a unit
  TileProgram::Instruction code;
  code.op = node.op;
  code.a = node.a < 0 ? -1 : place[node.a];
  code.b = node.b < 0 ? -1 : place[node.b];
  if (node.op == TileProgram::Op::Shuffle) {
    for (int lane : node.mask)
      for (int part = 0; part < scale; ++part)
        code.mask.push_back(lane < 0 ? -1 : lane * scale + part);
    return code;
  }
  code.offset = node.access.offset;
  code.firstLane = node.access.first * scale;
  code.laneCount = node.access.count * scale;
  code.masked = node.access.masked;
  return code;
}

TileProgram Network::finish() const {
  int scale = shape.map->unitBytes > 8 ? 2 : 1;
  TileProgram program;
  program.lanes = shape.lanes * scale;
  program.laneBytes = static_cast<unsigned>(shape.map->unitBytes / scale);
  std::vector<int> place(nodes.size(), -1);
  std::vector<char> done(nodes.size(), 0);
  std::vector<int> order;
  for (int node : storeOrder())
    visit(node, done, order);
  for (int node : order) {
    place[node] = static_cast<int>(program.code.size());
    program.code.push_back(lower(nodes[node], place));
  }
  program.cost = price;
  return program;
}

} // namespace relayout
