// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TileNetwork.h"

#include <algorithm>
#include <cmath>
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
  if (options.vectorBytes)
    return {options.vectorBytes};
  std::vector<int64_t> widths{target.vectorBytes};
  int64_t smallest = target.isa == VectorISA::Scalar ? 1 : 16;
  while (widths.back() > smallest && widths.back() > map.unitBytes)
    widths.push_back(widths.back() / 2);
  return widths;
}

/// The cheapest network with vectors of `lanes` units.
static Network cheapestNetwork(const NetworkShape &shape) {
  std::vector<OutVector> outputs = coverOutput(shape);
  std::vector<Network> candidates{assemblyNetwork(shape, outputs)};
  if (shape.lanes > 1) {
    candidates.push_back(gatherNetwork(shape, outputs));
    candidates.push_back(halvingNetwork(shape, outputs));
  }
  return *std::min_element(candidates.begin(), candidates.end(),
                           [](const Network &a, const Network &b) { return a.cost() < b.cost(); });
}

Result<TileProgram> synthesizeTile(const Tile &tile, const TargetInfo &target,
                                   const TileOptions &options) {
  Result<UnitMap> map = buildUnitMap(tile);
  if (!map)
    return map.error();
  int64_t bytes = options.vectorBytes;
  if (bytes && (bytes < 0 || bytes > target.vectorBytes || (bytes & (bytes - 1))))
    return Error{ErrorCode::Schedule, "expects vectors of a power of two of at most " +
                                          std::to_string(target.vectorBytes) + " bytes, but got " +
                                          std::to_string(bytes)};
  std::optional<TileProgram> best;
  for (int64_t width : vectorWidths(*map, target, options)) {
    bool isScalar = target.isa == VectorISA::Scalar;
    int lanes = isScalar ? 1 : static_cast<int>(std::max<int64_t>(width / map->unitBytes, 1));
    Network network = cheapestNetwork({*map, target, lanes});
    if (!best || network.cost() < best->cost)
      best = network.finish();
    if (lanes == 1)
      break;
  }
  return std::move(*best);
}

} // namespace relayout
