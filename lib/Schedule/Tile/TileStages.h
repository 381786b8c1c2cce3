// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Stages of two-source shuffles over digits of radix 2. A *bit* is a binary digit
/// of a unit's place. A register file is described by which bit each position of the
/// lane number stands for; all other bits number the registers. A stage lets one bit
/// of the registers enter the lanes and one of the lanes leave, or only permutes
/// the lanes.

#ifndef RELAYOUT_LIB_SCHEDULE_TILESTAGES_H
#define RELAYOUT_LIB_SCHEDULE_TILESTAGES_H

#include "TileNetwork.h"

#include <optional>
#include <vector>

namespace relayout {

/// The bit at each position of the lane number, the least significant first.
using LaneBits = std::vector<int>;

struct TileStage {
  int entering;   ///< bit of the registers that enters the lanes, -1 for none
  LaneBits lanes; ///< after the stage
};

/// Lanes to be rearranged. Bits [0, bits) are real; a number from `bits` on is a
/// filler: it is 0 in every unit, so half of the lanes (or registers) are empty.
struct LaneProblem {
  int bits;
  LaneBits start, target;
};

/// The cheapest stages by the cost table; none if they cost `limit` or more, or if
/// the search does not end soon.
std::optional<std::vector<TileStage>> findStages(const LaneProblem &problem, VectorISA isa,
                                                 int64_t unitBytes, double limit);

} // namespace relayout

#endif // RELAYOUT_LIB_SCHEDULE_TILESTAGES_H
