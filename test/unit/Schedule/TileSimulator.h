// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What the program of a tile does, told by its definition.

#ifndef RELAYOUT_TEST_UNIT_SCHEDULE_TILESIMULATOR_H
#define RELAYOUT_TEST_UNIT_SCHEDULE_TILESIMULATOR_H

#include "relayout/Schedule/Tile.h"

namespace relayout::test {

/// Runs `program` on bytes. `in` and `out` point to the tile's bases. Reports an error instead of
/// touching a byte outside of the tile's footprints or using an undefined lane.
Status simulateTile(const TileProgram &program, const Tile &tile, const void *in, void *out);

} // namespace relayout::test

#endif // RELAYOUT_TEST_UNIT_SCHEDULE_TILESIMULATOR_H
