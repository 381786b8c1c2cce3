// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// A tile seen as units of movement: the widest pieces that stay whole.

#ifndef RELAYOUT_LIB_SCHEDULE_TILEUNITS_H
#define RELAYOUT_LIB_SCHEDULE_TILEUNITS_H

#include "relayout/Schedule/Tile.h"

#include <vector>

namespace relayout {

/// One side of a tile: its units by ascending offset, in maximal contiguous runs.
struct UnitSide {
  std::vector<int64_t> offset; ///< in elements, of each unit
  std::vector<int> runBegin;   ///< of each unit: the first unit of its run
  std::vector<int> runEnd;     ///< of each unit: one past the last unit of its run

  int size() const { return static_cast<int>(offset.size()); }
};

/// A tile as a map of units. The units of a side do not overlap.
struct UnitMap {
  int64_t width = 1;
  int64_t unitElements = 1;  ///< elements a unit
  int64_t unitBytes = 1;     ///< 1, 2, 4, 8, or 16 for elements of 16 bytes
  std::vector<Digit> digits; ///< extents count units, strides elements; least output stride first
  UnitSide in, out;
  std::vector<int> source; ///< of each unit of `out`: the unit of `in` it comes from
};

/// The map of `tile` with the widest units of at most 8 bytes (or one element)
/// that its kept innermost run allows.
Result<UnitMap> buildUnitMap(const Tile &tile);

/// An access to a vector of units: units [first, first + count) of the vector are
/// active, `offset` (in elements) is that of unit 0. See TileProgram::Instruction.
struct Access {
  int64_t offset = 0;
  int first = 0;
  int count = 0;
  bool masked = false;
};

/// The accesses that cover lanes [lane, lane + count) of a vector of `lanes` units,
/// with units [unit, unit + count) of a run of `side` in them: one where the target
/// has masks or `count` is a power of two, else two narrower ones, which overlap where
/// no two powers of two add up to `count`.
std::vector<Access> accessLanes(const UnitMap &map, const UnitSide &side, int unit, int count,
                                int lane, int lanes, bool maskedAccess);

} // namespace relayout

#endif // RELAYOUT_LIB_SCHEDULE_TILEUNITS_H
