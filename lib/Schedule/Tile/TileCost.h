// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What the instructions of a tile cost on each ISA.

#ifndef RELAYOUT_LIB_SCHEDULE_TILECOST_H
#define RELAYOUT_LIB_SCHEDULE_TILECOST_H

#include "TileUnits.h"

namespace relayout {

/// Price of a shuffle of vectors of mask.size() lanes of `laneBytes`, in
/// instructions on the shuffle port; see TileCost.cpp for the table.
double shufflePrice(VectorISA isa, int64_t laneBytes, const std::vector<int> &mask);

/// Price of the vector that holds the indices of such a shuffle, once for each mask:
/// more of them than registers are loaded again in each tile.
double indexPrice(VectorISA isa, int64_t laneBytes, const std::vector<int> &mask);

/// Price of a load (the merge with the lanes that show through included) or a store.
double loadPrice(VectorISA isa, int64_t laneBytes, int lanes, const Access &access, bool merges);
double storePrice(VectorISA isa, int64_t laneBytes, int lanes, const Access &access);

} // namespace relayout

#endif // RELAYOUT_LIB_SCHEDULE_TILECOST_H
