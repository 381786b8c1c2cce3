// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TileNetwork.h"

#include "TileCost.h"

#include <algorithm>

namespace relayout {

std::vector<OutVector> coverOutput(const NetworkShape &shape) {
  const UnitSide &out = shape.map.out;
  std::vector<OutVector> vectors;
  for (int begin = 0; begin < out.size(); begin = out.runEnd[begin]) {
    int end = out.runEnd[begin], length = end - begin;
    for (int unit = begin; unit < end; unit += shape.lanes) {
      OutVector vector;
      vector.fresh = 0;
      int first = unit;
      if (end - unit < shape.lanes && length >= shape.lanes && !shape.target.maskedAccess) {
        first = end - shape.lanes;
        vector.fresh = unit - first;
      }
      int count = std::min(shape.lanes, end - first);
      vector.wanted.assign(shape.lanes, -1);
      std::copy_n(shape.map.source.begin() + first, count, vector.wanted.begin());
      vector.stores =
          accessLanes(shape.map, out, first, count, 0, shape.lanes, shape.target.maskedAccess);
      vectors.push_back(std::move(vector));
    }
  }
  return vectors;
}

int Network::load(int unit, int count, int lane, int through) {
  int node = through;
  for (const Access &access : accessLanes(shape.map, shape.map.in, unit, count, lane, shape.lanes,
                                          shape.target.maskedAccess))
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
  node.price = loadPrice(shape.target.isa, shape.map.unitBytes, shape.lanes, access, through >= 0);
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
  std::vector<int> mask(shape.lanes, -1);
  bool fromA = false, fromB = false;
  for (int i = 0; i < shape.lanes; ++i) {
    if (wanted[i] < 0)
      continue;
    // The lane itself first: a blend is the cheapest shuffle.
    const Units &left = nodes[a].units;
    if (left[i] == wanted[i])
      mask[i] = i;
    else if (b >= 0 && nodes[b].units[i] == wanted[i])
      mask[i] = i + shape.lanes;
    else if (auto at = std::find(left.begin(), left.end(), wanted[i]); at != left.end())
      mask[i] = static_cast<int>(at - left.begin());
    else
      mask[i] =
          static_cast<int>(std::find(nodes[b].units.begin(), nodes[b].units.end(), wanted[i]) -
                           nodes[b].units.begin()) +
          shape.lanes;
    (mask[i] < shape.lanes ? fromA : fromB) = true;
  }
  if (!fromB)
    return addShuffle(a, -1, std::move(mask), wanted);
  if (fromA)
    return addShuffle(a, b, std::move(mask), wanted);
  for (int &lane : mask)
    lane -= lane < 0 ? 0 : shape.lanes;
  return addShuffle(b, -1, std::move(mask), wanted);
}

int Network::addShuffle(int a, int b, std::vector<int> mask, Units units) {
  std::vector<int> &known = knownShuffles[{a, b}];
  for (int node : known)
    if (holds(nodes[node].units, units))
      return node;
  Node node{TileProgram::Op::Shuffle, Access(), a, b, std::move(mask), std::move(units)};
  node.price = shufflePrice(shape.target.isa, shape.map.unitBytes, node.mask);
  price += node.price;
  shufflesPrice += node.price;
  known.push_back(static_cast<int>(nodes.size()));
  nodes.push_back(std::move(node));
  return known.back();
}

void Network::store(int value, const OutVector &vector) {
  for (const Access &access : vector.stores) {
    Node node{TileProgram::Op::Store, access, -1, -1, {}, {}};
    node.a = value;
    node.price = storePrice(shape.target.isa, shape.map.unitBytes, shape.lanes, access);
    price += node.price;
    nodes.push_back(std::move(node));
  }
}

/// Operands before users, starting from the stores. The shuffles of one pair of
/// registers stand together, so that the pair dies there.
std::vector<int> Network::emissionOrder() const {
  std::vector<char> done(nodes.size(), 0);
  std::vector<int> order, stack;
  auto visit = [&](int root) {
    stack.push_back(root);
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
      auto siblings = knownShuffles.find({node.a, node.b});
      bool isPair = node.op == TileProgram::Op::Shuffle && siblings != knownShuffles.end();
      for (int next : isPair ? siblings->second : std::vector<int>{at})
        if (!done[next]) {
          done[next] = 1;
          order.push_back(next);
        }
    }
  };
  for (size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].op == TileProgram::Op::Store)
      visit(static_cast<int>(i));
  return order;
}

TileProgram::Instruction Network::lower(const Node &node, const std::vector<int> &place) const {
  int scale = shape.map.unitBytes > 8 ? 2 : 1; // lanes a unit
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
  int scale = shape.map.unitBytes > 8 ? 2 : 1;
  TileProgram program;
  program.lanes = shape.lanes * scale;
  program.laneBytes = static_cast<unsigned>(shape.map.unitBytes / scale);
  std::vector<int> place(nodes.size(), -1);
  for (int node : emissionOrder()) {
    place[node] = static_cast<int>(program.code.size());
    program.code.push_back(lower(nodes[node], place));
  }
  program.cost = price;
  program.shuffleCost = shufflesPrice;
  return program;
}

} // namespace relayout
