// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What schedules ask of a movement without windows, but for rows that are cropped: contiguous
/// chains, runs, lines, pages.

#ifndef RELAYOUT_LIB_SCHEDULE_MOVEMENT_H
#define RELAYOUT_LIB_SCHEDULE_MOVEMENT_H

#include "relayout/Layout/Problem.h"

#include <vector>

namespace relayout::movement {

/// Elements of more bytes may lie across lines: they are neither staged nor packed.
constexpr int64_t kMaxStagedWidth = 8;

enum class Side { In, Out };

inline int64_t stride(const Digit &digit, Side side) {
  return side == Side::In ? digit.inStride : digit.outStride;
}

/// `a * b`, or the largest number where that leaves 64 bits: for estimates.
int64_t saturatingMul(int64_t a, int64_t b);

/// As many values as each of the fewest equal parts of `extent` has that are `most` values long or
/// less; a multiple of `unit`.
int64_t evenPart(int64_t extent, int64_t most, int64_t unit = 1);

/// The digits that form one contiguous stretch of a side, stride 1 first.
std::vector<unsigned> contiguousChain(const Problem &problem, Side side);

/// The order of all digits by stride on a side, smallest first.
std::vector<unsigned> orderByStride(const Problem &problem, Side side);

/// Elements of the contiguous stretch that `extents` (one a digit) covers on a side.
int64_t contiguousRun(const Problem &problem, const std::vector<int64_t> &extents, Side side);

/// The same in bytes.
int64_t runBytes(const Problem &problem, const std::vector<int64_t> &extents, Side side);

/// Elements of a box of `extents`.
int64_t elementsOf(const std::vector<int64_t> &extents);

/// Such stretches of which `extents` are made on a side.
int64_t rowsOf(const Problem &problem, const std::vector<int64_t> &extents, Side side);

/// Bytes from one value of digit `d` to the next on a side.
int64_t pitchOf(const Problem &problem, unsigned d, Side side);

/// What `contiguousRun` gives where gaps of less than a line, as cropped rows have them, do not end
/// the stretch.
int64_t nearRun(const Problem &problem, const std::vector<int64_t> &extents, Side side);

/// Bytes of a side before it goes on along another digit.
int64_t rowBytes(const Problem &problem, Side side);

/// Grows `box` along rows of a side to an equal part of `most` elements or less of their first
/// digit, and of the next one where digits have a few values.
void coverRow(const Problem &problem, Side side, int64_t most, std::vector<int64_t> &box);

/// Blocks of `blockBytes` that a box of `extents` touches on a side, estimated: exact
/// for aligned dense boxes.
double footprint(const Problem &problem, const std::vector<int64_t> &extents, Side side,
                 int64_t blockBytes);

/// True if every run that a tile writes, wherever loops put the tile, starts and ends
/// on a line, given an output base on a line.
bool writesWholeLines(const Problem &problem, const std::vector<int64_t> &tile);

} // namespace relayout::movement

#endif // RELAYOUT_LIB_SCHEDULE_MOVEMENT_H
