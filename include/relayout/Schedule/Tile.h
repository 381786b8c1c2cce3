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

  /// Number of elements; 0 if an extent is below 1, -1 if the product leaves 64 bits.
  int64_t elements() const;
  bool operator==(const Tile &o) const { return width == o.width && digits == o.digits; }
};

/// Straight-line code over vector registers, in single assignment: instruction i
/// defines register i (a store defines none). All vectors of a program have
/// `lanes` lanes of `laneBytes` bytes.
///
/// Lane l of a load or store is at byte `offset * width + l * laneBytes` from the
/// tile's base: `offset` counts elements and is that of lane 0, also where lane 0
/// is not active (it may then lie outside of the tile, or be negative).
struct TileProgram {
  enum class Op { Load, Shuffle, Store };
  struct Instruction {
    Op op;
    /// Load, Store: distance of lane 0 from the tile's base in elements.
    int64_t offset = 0;
    /// Load, Store: the active lanes, [first, first + count); all for whole vectors.
    unsigned firstLane = 0;
    unsigned laneCount = 0;
    /// Load, Store: how a part of a vector is accessed. True: a masked access of a
    /// whole vector. False: an access of a narrower vector of `laneCount` lanes (a
    /// power of two), inserted at or extracted from `firstLane`.
    bool masked = false;
    /// Load: the register whose other lanes show through, or -1 (undefined lanes).
    /// Shuffle: the sources, `b` is -1 if there is one only. Store: `a` is the value.
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
  /// Price of the whole program in instructions, by the cost table: shuffles, loads and stores.
  double cost = 0;
  /// No program whose loads are whole vectors has fewer shuffles for these stores.
  unsigned shuffleLowerBound = 0;
};

/// Knobs of the synthesis.
struct TileOptions {
  /// Bytes of a vector: a power of two, at most the target's; 0 picks the cheapest.
  int64_t vectorBytes = 0;
};

/// The program for `tile` on `target`. Never reads or writes an element that the
/// tile does not name (masked and overlapping accesses stay inside its footprint).
///
/// Every run of the output that is a multiple of the vector is written by whole
/// vectors from its start on. The rest of a run is one masked store where the
/// target has them, else a store that overlaps the one before, else stores of
/// narrower vectors. Errors: an extent below 1, more than kMaxTileElements elements,
/// two elements with one place in the output.
Result<TileProgram> synthesizeTile(const Tile &tile, const TargetInfo &target,
                                   const TileOptions &options = {});

constexpr int64_t kMaxTileElements = 4096;
static_assert(kMaxBorderRow <= kMaxTileElements);

} // namespace relayout

#endif // RELAYOUT_SCHEDULE_TILE_H
