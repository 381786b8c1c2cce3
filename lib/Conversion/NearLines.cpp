// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NearLines.h"

#include "relayout/Layout/CheckedMath.h"
#include "relayout/Support/CacheLine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace relayout;

namespace {

/// What a tile reads: rows of some elements side by side, at the places of digits.
struct TileRows {
  explicit TileRows(TileOp tile) {
    std::vector<Digit> digits = tile.getDigitVector();
    llvm::sort(digits, [](const Digit &x, const Digit &y) { return x.inStride < y.inStride; });
    for (const Digit &digit : digits)
      if (digit.inStride == run && among.empty())
        run *= digit.extent;
      else
        among.push_back(digit);
  }

  /// Takes out the digit of most rows.
  Digit takeLargest() {
    auto largest = llvm::max_element(
        among, [](const Digit &x, const Digit &y) { return x.extent < y.extent; });
    Digit digit = *largest;
    among.erase(largest);
    return digit;
  }

  int64_t run = 1; ///< elements of a row
  SmallVector<Digit> among;
};

} // namespace

NearLines relayout::nearLines(OpBuilder &b, TileOp tile) {
  NearLines lines{tile.getSourceIndex(), {}};
  if (!tile.getNear())
    return lines;
  lines.distances.push_back(tile.getNearAttr().getInt());
  TileRows rows(tile);
  if (rows.among.empty())
    return lines;
  Location loc = tile.getLoc();
  int64_t width = getElementTypeOrSelf(tile.getSource().getType()).getIntOrFloatBitWidth() / 8;
  Digit shared = rows.takeLargest();
  int64_t tiles = std::clamp<int64_t>(kLineBytes / (rows.run * width), 1, shared.extent);
  int64_t share = ceilDiv(shared.extent, tiles);
  if (tiles > 1) {
    auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); };
    Value number = arith::DivUIOp::create(b, loc, lines.base, constant(rows.run));
    Value turn = arith::RemUIOp::create(b, loc, number, constant(tiles));
    Value first = arith::MulIOp::create(b, loc, turn, constant(share * shared.inStride));
    lines.base = arith::AddIOp::create(b, loc, lines.base, first);
  }
  rows.among.push_back({share, shared.inStride, shared.outStride});
  for (const Digit &digit : rows.among) {
    size_t count = lines.distances.size();
    for (int64_t value = 1; value < digit.extent; ++value)
      for (size_t i = 0; i < count; ++i)
        lines.distances.push_back(lines.distances[i] + value * digit.inStride);
  }
  return lines;
}
