// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TileNetwork.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace relayout {

static unsigned countOps(const TileProgram &program, TileProgram::Op op) {
  return static_cast<unsigned>(
      std::count_if(program.code.begin(), program.code.end(),
                    [op](const TileProgram::Instruction &code) { return code.op == op; }));
}

unsigned TileProgram::loads() const { return countOps(*this, Op::Load); }
unsigned TileProgram::shuffles() const { return countOps(*this, Op::Shuffle); }
unsigned TileProgram::stores() const { return countOps(*this, Op::Store); }

/// The widths of vectors to try, widest first.
static std::vector<int64_t> vectorWidths(const UnitMap &map, const TargetInfo &target,
                                         const TileOptions &options) {
  if (target.isa == VectorISA::Scalar)
    return {map.unitBytes};
  if (options.vectorBytes)
    return {std::max(options.vectorBytes, map.unitBytes)};
  std::vector<int64_t> widths{std::max(target.vectorBytes, map.unitBytes)};
  while (widths.back() > 16 && widths.back() > map.unitBytes)
    widths.push_back(widths.back() / 2);
  return widths;
}

/// True if narrower vectors cannot be better: all runs are whole vectors.
static bool isWhole(const UnitMap &map, int lanes) {
  for (const UnitSide *side : {&map.in, &map.out})
    for (int unit = 0; unit < side->size(); unit = side->runEnd[unit])
      if ((side->runEnd[unit] - unit) % lanes != 0)
        return false;
  return true;
}

/// A price that no network with these outputs goes below.
static double leastCost(const NetworkShape &shape, const std::vector<OutVector> &outputs) {
  constexpr double kLeastShuffle = 0.6, kLeastLoad = 0.5;
  double loads = (shape.map->in.size() + shape.lanes - 1) / shape.lanes;
  double stores = 0;
  for (const OutVector &output : outputs)
    stores += static_cast<double>(output.stores.size());
  return kLeastShuffle * shuffleLowerBound(shape, outputs) + kLeastLoad * loads + stores;
}

/// The cheapest network with vectors of the shape's width; none if that costs `limit`
/// or more.
static std::optional<Network> cheapestNetwork(const NetworkShape &shape,
                                              const std::vector<OutVector> &outputs, double limit) {
  if (shape.lanes == 1)
    return assemblyNetwork(shape, outputs, limit);
  std::optional<Network> best;
  auto consider = [&](std::optional<Network> network) {
    if (!network || network->cost() >= limit)
      return;
    limit = network->cost();
    best.emplace(std::move(*network));
  };
  // The stages are the best way more often than not, but a search: what another way
  // costs bounds it.
  consider(stagedNetwork(shape, outputs, std::min(limit, halvingBound(shape, outputs))));
  for (auto build :
       {halvingNetwork, blendedNetwork, gatherNetwork, chunkedNetwork, assemblyNetwork})
    consider(build(shape, outputs, limit));
  return best;
}

Result<TileProgram> synthesizeTile(const Tile &tile, const TargetInfo &target,
                                   const TileOptions &options) {
  Result<UnitMap> map = buildUnitMap(tile);
  if (!map)
    return map.error();
  int64_t bytes = options.vectorBytes;
  if (bytes && (bytes < 0 || bytes > target.vectorBytes || !llvm::isPowerOf2_64(bytes)))
    return Error{ErrorCode::Schedule, "expects vectors of a power of two of at most " +
                                          std::to_string(target.vectorBytes) + " bytes, but got " +
                                          std::to_string(bytes)};
  std::optional<TileProgram> best;
  for (int64_t width : vectorWidths(*map, target, options)) {
    NetworkShape shape{&*map, &target, static_cast<int>(width / map->unitBytes)};
    std::vector<OutVector> outputs = coverOutput(shape);
    double limit = best ? best->cost : std::numeric_limits<double>::infinity();
    if (leastCost(shape, outputs) >= limit)
      continue;
    if (std::optional<Network> network = cheapestNetwork(shape, outputs, limit)) {
      best = network->finish();
      best->shuffleLowerBound = shuffleLowerBound(shape, outputs);
    }
    if (isWhole(*map, shape.lanes))
      break;
  }
  return std::move(*best);
}

} // namespace relayout
