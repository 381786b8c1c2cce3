// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Movement.h"
#include "relayout/Schedule/Schedule.h"

using namespace relayout;
using namespace relayout::movement;

namespace {

/// A tile keeps writing whole lines, and reads of this many bytes.
constexpr int64_t kLineBytes = 64;
constexpr int64_t kReadBytes = 16;

bool isWideEnough(const Problem &piece, const std::vector<int64_t> &tile) {
  return contiguousRun(piece, tile, Side::Out) * piece.width >= kLineBytes &&
         contiguousRun(piece, tile, Side::In) * piece.width >= kReadBytes;
}

} // namespace

PieceSchedule relayout::withOrdinaryStores(const Problem &piece, const PieceSchedule &schedule) {
  PieceSchedule smaller = schedule;
  smaller.store = StoreMode::Ordinary;
  smaller.prefetch = 0;
  for (Loop &loop : smaller.loops) {
    int64_t &tile = smaller.tile[loop.digit];
    if (loop.step != tile || piece.digits[loop.digit].extent % tile != 0)
      continue;
    while (tile % 2 == 0) {
      tile /= 2;
      if (isWideEnough(piece, smaller.tile))
        continue;
      tile *= 2;
      break;
    }
    loop.step = tile;
  }
  return smaller;
}
