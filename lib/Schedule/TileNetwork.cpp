// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TileNetwork.h"

#include "TileCost.h"

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
  Node node{TileProgram::Op::Load, access, -1, -1, {}, {}};
  node.a = through;
  node.units = through < 0 ? Units(shape.lanes, -1) : nodes[through].units;
  for (int i = 0; i < access.count; ++i)
    node.units[access.first + i] = unit + i;
  node.price =
      loadPrice(shape.target->isa, shape.map->unitBytes, shape.lanes, access, through >= 0);
  price += node.price;
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

int Network::select(int a, int b, const Units &wanted) {
  if (holds(nodes[a].units, wanted))
    return a;
  if (b >= 0 && holds(nodes[b].units, wanted))
    return b;
  // Lanes that stay where they are come from `a` or `b` alike; the last to write
  // laneOf wins, so that `a` goes before `b`.
  for (int node : {b, a})
    for (int lane = 0; node >= 0 && lane < shape.lanes; ++lane)
      if (int unit = nodes[node].units[lane]; unit >= 0)
        laneOf[unit] = lane + (node == a ? 0 : shape.lanes);
  std::vector<int> mask(shape.lanes, -1);
  bool fromA = false, fromB = false;
  for (int lane = 0; lane < shape.lanes; ++lane) {
    if (wanted[lane] < 0)
      continue;
    bool isInPlace = nodes[a].units[lane] == wanted[lane];
    mask[lane] = isInPlace ? lane : laneOf[wanted[lane]];
    (mask[lane] < shape.lanes ? fromA : fromB) = true;
  }
  for (int node : {a, b})
    for (int lane = 0; node >= 0 && lane < shape.lanes; ++lane)
      if (int unit = nodes[node].units[lane]; unit >= 0)
        laneOf[unit] = -1;
  if (!fromB)
    return addShuffle(a, -1, std::move(mask), wanted);
  if (fromA)
    return addShuffle(a, b, std::move(mask), wanted);
  for (int &lane : mask)
    lane -= lane < 0 ? 0 : shape.lanes;
  return addShuffle(b, -1, std::move(mask), wanted);
}

int Network::merge(const std::vector<int> &sources, const Units &wanted) {
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
  int node = -1;
  Units merged(shape.lanes, -1);
  for (int i = 0; i < count; ++i) {
    if (!std::count(holder.begin(), holder.end(), i))
      continue;
    for (int lane = 0; lane < shape.lanes; ++lane)
      if (holder[lane] == i)
        merged[lane] = wanted[lane];
    // The first register is brought in place together with the second.
    bool isLast = std::all_of(holder.begin(), holder.end(),
                              [&](int other) { return other <= i || other == count; });
    if (node < 0 && !isLast)
      node = sources[i];
    else
      node = node < 0 ? select(sources[i], -1, merged) : select(node, sources[i], merged);
  }
  return node;
}

int Network::addShuffle(int a, int b, std::vector<int> mask, const Units &units) {
  std::vector<int> &known = knownShuffles[{a, b}];
  for (int node : known)
    if (holds(nodes[node].units, units))
      return node;
  Node node{TileProgram::Op::Shuffle, Access(), a, b, std::move(mask), units};
  auto [priced, isNew] = knownPrices.try_emplace(node.mask, 0);
  if (isNew)
    priced->second = shufflePrice(shape.target->isa, shape.map->unitBytes, node.mask);
  node.price = priced->second;
  price += node.price;
  shufflesPrice += node.price;
  ++shuffleCount;
  known.push_back(static_cast<int>(nodes.size()));
  nodes.push_back(std::move(node));
  return known.back();
}

void Network::store(int value, const OutVector &vector) {
  for (const Access &access : vector.stores) {
    Node node{TileProgram::Op::Store, access, -1, -1, {}, {}};
    node.a = value;
    node.price = storePrice(shape.target->isa, shape.map->unitBytes, shape.lanes, access);
    price += node.price;
    nodes.push_back(std::move(node));
  }
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
  for (size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].op == TileProgram::Op::Store)
      visit(static_cast<int>(i), done, order);
  for (int node : order) {
    place[node] = static_cast<int>(program.code.size());
    program.code.push_back(lower(nodes[node], place));
  }
  program.cost = price;
  program.shuffleCost = shufflesPrice;
  return program;
}

} // namespace relayout
