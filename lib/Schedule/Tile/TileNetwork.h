// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Registers that know which units they hold, and the network of loads, shuffles
/// and stores over them.

#ifndef RELAYOUT_LIB_SCHEDULE_TILENETWORK_H
#define RELAYOUT_LIB_SCHEDULE_TILENETWORK_H

#include "TileUnits.h"

#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace relayout {

/// What a network is built for: the map, the target and the units of a vector.
struct NetworkShape {
  const UnitMap *map;
  const TargetInfo *target;
  int lanes;
};

/// A vector of the output: where its lanes come from, and how it is stored.
struct OutVector {
  std::vector<int> wanted; ///< of each lane: the unit of the input, -1 for none
  std::vector<Access> stores;
  int fresh; ///< first lane that no vector before writes
};

/// Cuts the runs of the output in vectors.
std::vector<OutVector> coverOutput(const NetworkShape &shape);

/// A program under construction. Equal instructions are shared.
class Network {
public:
  using Units = std::vector<int>; ///< of each lane: the unit of the input, -1 if undefined

  explicit Network(const NetworkShape &shape)
      : shape(shape), laneOf(shape.map->in.size(), -1), holderOf(shape.map->in.size(), -1) {}

  /// Units [unit, unit + count) of one input run in lanes [lane, lane + count),
  /// the other lanes from `through` (or undefined).
  int load(int unit, int count, int lane = 0, int through = -1);
  /// A register that holds `wanted`, every unit of which is in `a` or `b`; `b` may
  /// be -1. It is `a` or `b` itself where that one does. Lanes of -1 are free.
  int select(int a, int b, const Units &wanted);
  /// The same from any number of registers: merged one after the other, or blended in
  /// place and then permuted where that is cheaper.
  int merge(const std::vector<int> &sources, const Units &wanted);
  void store(int value, const OutVector &vector);

  const Units &units(int node) const { return nodes[node].units; }
  const NetworkShape &getShape() const { return shape; }
  /// Price of everything built so far.
  double cost() const { return price; }
  /// The program, in an order that keeps few registers alive.
  TileProgram finish() const;

private:
  /// A register and what it is merged with, one after the other: each step names
  /// the other source (-1 for none) and what the result holds.
  struct Chain {
    int first;
    std::vector<std::pair<int, Units>> steps;
  };
  struct Node {
    TileProgram::Op op;
    Access access;
    int a = -1, b = -1;
    std::vector<int> mask; ///< in units
    Units units;
  };
  int loadAccess(const Access &access, int unit, int through);
  int addShuffle(int a, int b, std::vector<int> mask, const Units &units);
  double maskPrice(const std::vector<int> &mask);
  double newIndexPrice(const std::vector<int> &mask);
  std::vector<int> findMask(const Units &a, const Units *b, const Units &wanted);
  std::vector<int> findHolders(const std::vector<int> &sources, const Units &wanted);
  Chain placedChain(const std::vector<int> &sources, const Units &wanted);
  std::optional<Chain> blendedChain(const std::vector<int> &sources, const Units &wanted);
  double chainPrice(const Chain &chain);
  std::vector<int> storeOrder() const;
  void visit(int root, std::vector<char> &done, std::vector<int> &order) const;
  TileProgram::Instruction lower(const Node &node, const std::vector<int> &place) const;

  NetworkShape shape;
  std::vector<Node> nodes;
  std::map<std::tuple<int64_t, int, int, int>, int> knownLoads;
  std::map<std::pair<int, int>, std::vector<int>> knownShuffles;
  std::map<std::vector<int>, double> knownPrices;
  std::set<std::vector<int>> usedMasks;
  std::vector<int> laneOf, holderOf; ///< scratch, of each unit: -1 between calls
  double price = 0;
  unsigned indexCount = 0;
};

/// The ways to build a network; each yields a whole one, or none if it is seen to cost
/// `limit` or more.
///
/// Whole vectors of the input, or parts of 16 or 32 bytes put side by side as they are
/// loaded, and recursive halving of the outputs: registers are packed with what each
/// half needs.
std::optional<Network> halvingNetwork(const NetworkShape &shape,
                                      const std::vector<OutVector> &outputs, double limit);
/// About what it costs at most, with whole vectors and at the price of the plan alone.
double halvingBound(const NetworkShape &shape, const std::vector<OutVector> &outputs);
/// Stages that each exchange a digit of the registers for one of the lanes, of
/// radix 2; none where the digits do not allow it.
std::optional<Network> stagedNetwork(const NetworkShape &shape,
                                     const std::vector<OutVector> &outputs, double limit);
/// For each output vector the fewest loads that hold its units, merged by a chain.
std::optional<Network> gatherNetwork(const NetworkShape &shape,
                                     const std::vector<OutVector> &outputs, double limit);
/// The same for each 16 bytes of an output vector: its registers are put together from
/// loads of 16 bytes, so that no shuffle crosses from one 16 bytes to another.
std::optional<Network> chunkedNetwork(const NetworkShape &shape,
                                      const std::vector<OutVector> &outputs, double limit);
/// Whole vectors of the input, each permuted once so that all outputs are blends.
std::optional<Network> blendedNetwork(const NetworkShape &shape,
                                      const std::vector<OutVector> &outputs, double limit);
/// Each output vector put together by loads alone, one for each kept run in it.
std::optional<Network> assemblyNetwork(const NetworkShape &shape,
                                       const std::vector<OutVector> &outputs, double limit);

/// Loads the whole input: each run in whole vectors, the last of which overlaps the
/// one before, or is a part of one in a short run.
std::vector<int> loadInput(Network &network);

/// A number of shuffles that no program with whole-vector loads goes below.
unsigned shuffleLowerBound(const NetworkShape &shape, const std::vector<OutVector> &outputs);

} // namespace relayout

#endif // RELAYOUT_LIB_SCHEDULE_TILENETWORK_H
