// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The register tile: a small window-free movement with a fixed shape, and the
/// straight-line vector program that performs it.

#ifndef RELAYOUT_SCHEDULE_TILE_H
#define RELAYOUT_SCHEDULE_TILE_H

#include "relayout/Layout/Problem.h"
#include "relayout/Schedule/TargetInfo.h"

#include <vector>

namespace relayout {

/// A tile: all combinations of the digits' values, each element read at
/// `sum(d * inStride)` and written at `sum(d * outStride)` from the tile's bases.
/// Extents are small constants; strides are in elements, in any order.
struct Tile {
  int64_t width = 1;
  std::vector<Digit> digits;

  int64_t elements() const;
  bool operator==(const Tile &o) const { return width == o.width && digits == o.digits; }
};

/// Straight-line code over vector registers, in single assignment: instruction i
/// defines register i (a store defines none). All vectors of a program have
/// `lanes` lanes of `laneBytes` bytes; offsets count elements of the tile.
struct TileProgram {
  enum class Op { Load, Shuffle, Store };
  struct Instruction {
    Op op;
    /// Load, Store: distance from the tile's base in elements.
    int64_t offset = 0;
    /// Load, Store: the active lanes, [first, first + count); all for whole vectors.
    unsigned firstLane = 0;
    unsigned laneCount = 0;
    /// Load: the register whose other lanes show through, or -1 (undefined lanes).
    /// Shuffle: the sources. Store: `a` is the value.
    int a = -1;
    int b = -1;
    /// Shuffle: lane of the result from lane mask[i] of (a, b) concatenated, -1 any.
    std::vector<int> mask;
  };
  unsigned lanes = 0;
  unsigned laneBytes = 0; ///< 1, 2, 4, 8; an element of 16 bytes is two lanes
  std::vector<Instruction> code;

  unsigned loads() const;
  unsigned shuffles() const;
  unsigned stores() const;
  /// Instructions that the target needs for the shuffles, by the cost table.
  double shuffleCost = 0;
  /// No program with whole-vector loads and stores of this tile has fewer shuffles.
  unsigned shuffleLowerBound = 0;
};

/// Knobs of the synthesis.
struct TileOptions {
  /// Bytes of a vector: at most the target's; 0 picks the widest that fits the tile.
  int64_t vectorBytes = 0;
};

/// The program for `tile` on `target`. Never reads or writes an element that the
/// tile does not name (masked and overlapping accesses stay inside its footprint).
/// An error if the tile is too large (more than 4096 elements or 256 registers of code).
Result<TileProgram> synthesizeTile(const Tile &tile, const TargetInfo &target,
                                   const TileOptions &options = {});

/// Runs `program` on bytes: the oracle. `in` and `out` point to the tile's bases.
/// Reports an error instead of touching a byte outside of the tile's footprints or using an undefined lane.
Status simulateTile(const TileProgram &program, const Tile &tile, const void *in, void *out);

} // namespace relayout

#endif // RELAYOUT_SCHEDULE_TILE_H
