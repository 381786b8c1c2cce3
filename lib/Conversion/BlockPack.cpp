// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BlockPack.h"

#include "relayout/IR/Relayout.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

#include <algorithm>

using namespace mlir;
using namespace relayout;

namespace {

/// Where the block starts along digit `d`: one at the end is shifted back. Null: at 0.
Value startOf(OpBuilder &b, Location loc, const NestEmitter &nest, const Problem &piece,
              const PieceSchedule &schedule, const PackedBlock &block, unsigned d) {
  int64_t last = piece.digits[d].extent - block.extents[d];
  Value lowest = nest.lowest(d, *schedule.pack);
  if (last == 0 || !lowest)
    return Value();
  AffineMap start =
      AffineMap::get(1, 0, {b.getAffineDimExpr(0), b.getAffineConstantExpr(last)}, b.getContext());
  return affine::AffineMinOp::create(b, loc, start, lowest);
}

/// The tile of one step of the copy: some vectors of a row.
std::vector<int64_t> partOfRow(const Problem &rows) {
  constexpr int64_t kMostBytes = 512;
  std::vector<int64_t> tile(rows.digits.size(), 1);
  for (int64_t part = 1;;) {
    auto next = llvm::find_if(rows.digits, [&](const Digit &digit) {
      return digit.extent > 1 && digit.inStride == part;
    });
    if (next == rows.digits.end())
      return tile;
    int64_t &taken = tile[next - rows.digits.begin()];
    taken = std::clamp<int64_t>(kMostBytes / rows.width / part, 1, next->extent);
    if (taken < next->extent)
      return tile;
    part *= taken;
  }
}

} // namespace

void relayout::emitBlockPack(OpBuilder &b, Location loc, NestEmitter &nest, const Problem &piece,
                             const PieceSchedule &schedule, Value in, Value scratch) {
  PackedBlock block = packedBlock(piece, schedule);
  Subscript from(Value(), piece.inOffset);
  Problem rows;
  rows.width = piece.width;
  for (auto [d, digit] : llvm::enumerate(piece.digits)) {
    Value start = startOf(b, loc, nest, piece, schedule, block, d);
    from.add(b, loc, start, digit.inStride);
    nest.moveBack(start, block.strides[d]);
    rows.digits.push_back({block.extents[d], digit.inStride, block.strides[d]});
  }
  std::vector<int64_t> tile = partOfRow(rows);
  SmallVector<Loop> loops;
  for (auto [d, digit] : llvm::enumerate(rows.digits))
    if (tile[d] < digit.extent)
      loops.push_back({static_cast<unsigned>(d), tile[d]});
  llvm::sort(loops, [&](const Loop &x, const Loop &y) {
    return rows.digits[x.digit].inStride > rows.digits[y.digit].inStride;
  });
  SmallVector<Digit> digits;
  for (auto [digit, taken] : llvm::zip_equal(rows.digits, tile))
    if (taken > 1)
      digits.push_back({taken, digit.inStride, digit.outStride});
  NestEmitter copy(b, loc, rows, loops, tile, {from, Subscript(Value(), block.first)});
  copy.emit([&](Value at, Value to) {
    TileOp::create(b, loc, in, at, scratch, to, /*nonTemporal=*/Value(), /*kept=*/Value(),
                   /*keptIndex=*/Value(), /*fill=*/TypedAttr(), /*border=*/DenseI64ArrayAttr(),
                   DigitsAttr::get(b.getContext(), digits),
                   b.getI64IntegerAttr(schedule.vectorBytes), /*prefetch=*/DenseI64ArrayAttr(),
                   /*cache=*/IntegerAttr(), /*near=*/IntegerAttr(), /*lines=*/DenseI64ArrayAttr());
  });
}
