// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Movement.h"
#include "relayout/Schedule/Schedule.h"

#include <algorithm>

using namespace relayout;
using namespace relayout::movement;

namespace {

/// A part keeps writing as much as a line side by side, and reads of this many bytes.
constexpr int64_t kLineBytes = 64;
constexpr int64_t kReadBytes = 16;

/// What a part of a tile must keep side by side, in bytes.
struct Runs {
  int64_t in, out;

  Runs(const Problem &piece, const std::vector<int64_t> &tile)
      : in(contiguousRun(piece, tile, Side::In) * piece.width),
        out(contiguousRun(piece, tile, Side::Out) * piece.width) {}

  /// True for a part of `whole` that has no parts of vectors where `whole` has none.
  bool isEnough(const Runs &whole, int64_t vector) const {
    return in >= std::min(whole.in, kReadBytes) && out >= std::min(whole.out, kLineBytes) &&
           (out % vector == 0 || whole.out % vector != 0);
  }
};

bool isOfBorder(const Problem &piece, unsigned digit) {
  return std::any_of(piece.read.begin(), piece.read.end(), [&](const DigitRange &border) {
    return std::any_of(border.terms.begin(), border.terms.end(),
                       [&](const auto &term) { return term.first == digit; });
  });
}

} // namespace

PieceSchedule relayout::ordinaryPart(const Problem &piece, const PieceSchedule &schedule) {
  PieceSchedule ordinary;
  ordinary.vectorBytes = schedule.vectorBytes;
  ordinary.tile = schedule.tile;
  std::vector<int64_t> &part = ordinary.tile;
  Runs whole(piece, part);
  int64_t vector = std::max<int64_t>(schedule.vectorBytes, 1);
  for (unsigned d : orderByStride(piece, Side::Out)) {
    int64_t all = part[d];
    for (int64_t values = 1; values <= all && !isOfBorder(piece, d); ++values) {
      part[d] = values;
      if (all % values == 0 && Runs(piece, part).isEnough(whole, vector))
        break;
    }
    if (part[d] < all)
      ordinary.loops.insert(ordinary.loops.begin(), {d, part[d]});
  }
  return ordinary;
}
