// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BlockTiles.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <algorithm>

using namespace mlir;
using namespace relayout;

void relayout::emitWithin(OpBuilder &b, Location loc, ArrayRef<const DigitRange *> windows,
                          llvm::function_ref<Value(const DigitRange &)> sumOf,
                          llvm::function_ref<void()> within, llvm::function_ref<void()> beyond) {
  auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); };
  Value isWithin;
  for (const DigitRange *range : windows) {
    Value place = arith::SubIOp::create(b, loc, sumOf(*range), constant(range->low));
    Value isIn = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, place,
                                       constant(range->high - range->low));
    isWithin = isWithin ? arith::AndIOp::create(b, loc, isWithin, isIn).getResult() : isIn;
  }
  if (!isWithin)
    return within();
  OpBuilder::InsertionGuard insertion(b);
  auto choice = scf::IfOp::create(b, loc, isWithin, /*withElseRegion=*/true);
  b.setInsertionPointToStart(choice.thenBlock());
  within();
  b.setInsertionPointToStart(choice.elseBlock());
  beyond();
}

/// Where the block starts tells what parts a border makes of it.
void BlockTiles::emit(const Problem &moved, Value in, Fetch fetch) {
  std::vector<int64_t> starts = blocksOfBorder(nests.piece, schedule);
  Value start = starts.empty() ? Value() : blocks.start(windows.border->terms[0].first);
  if (!start)
    return emitParts(moved, in, 0, fetch);
  OpBuilder::InsertionGuard insertion(b);
  for (int64_t at : starts) {
    Value isThere = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, start,
                                          arith::ConstantIndexOp::create(b, loc, at));
    auto choice = scf::IfOp::create(b, loc, isThere, /*withElseRegion=*/true);
    b.setInsertionPointToStart(choice.thenBlock());
    emitParts(moved, in, at, fetch);
    b.setInsertionPointToStart(choice.elseBlock());
  }
  if (std::optional<int64_t> within = blockWithin(starts))
    emitParts(moved, in, *within, fetch);
}

/// Where a block starts that is none of `starts`, if there is one.
std::optional<int64_t> BlockTiles::blockWithin(ArrayRef<int64_t> starts) const {
  unsigned major = windows.border->terms[0].first;
  int64_t last = nests.piece.digits[major].extent - block.extents[major];
  for (int64_t at = 0;; at = std::min(at + block.extents[major], last)) {
    if (!llvm::is_contained(starts, at))
      return at;
    if (at == last)
      return std::nullopt;
  }
}

/// The tiles of all parts of a block that starts at value `start` of the border's major digit.
void BlockTiles::emitParts(const Problem &moved, Value in, int64_t start, Fetch fetch) {
  std::vector<Piece> parts = partsOfBlock(nests.piece, schedule, start);
  const Piece &largest = largestPart(parts);
  for (const Piece &part : parts)
    emitTiles(moved, part, in, &part == &largest ? fetch : Fetch());
}

/// `part` of the block, from the block's place in the input to its own in scratch memory.
Problem BlockTiles::innerOf(const Problem &moved, const Piece &part) const {
  Problem inner;
  inner.width = nests.piece.width;
  inner.outOffset = block.first - block.cropped;
  for (auto [d, digit] : llvm::enumerate(moved.digits)) {
    inner.digits.push_back({part.extent[d], digit.inStride, block.strides[d]});
    inner.inOffset += part.lower[d] * digit.inStride;
    inner.outOffset += part.lower[d] * block.strides[d];
  }
  return inner;
}

void BlockTiles::emitTiles(const Problem &moved, const Piece &part, Value in, Fetch fetch) {
  Problem fill = innerOf(moved, part), inner = fill;
  if (isBorderInTile(nests.piece, schedule))
    inner.read = {*windows.border};
  PieceSchedule own = schedule;
  own.tile = tileOfPart(schedule, part);
  ArrayRef<Loop> within = ArrayRef(schedule.loops).drop_front(*schedule.stage);
  bool copies = nests.copies && part.kind == Piece::Kind::Copy;
  auto from = copies ? std::optional(Subscript(in, inner.inOffset)) : std::nullopt;
  NestEmitter nest(b, loc, inner, within, own.tile, {from, Subscript(Value(), inner.outOffset)});
  nest.emit([&](Value from, Value to) {
    if (fetch)
      fetch({visitsOf(inner, within, 0), visitNumber(b, loc, nest, inner, within, 0)});
    auto addTile = [&](const Problem &problem, Value at) {
      nests.addTile(b, loc, problem, own, at, nests.movement.scratch, to);
    };
    if (!copies)
      return addTile(fill, Value());
    emitWithin(
        b, loc, windows.reads, [&](const DigitRange &range) { return sumOf(range, part, nest); },
        [&] { addTile(inner, from); }, [&] { addTile(fill, Value()); });
  });
}

/// The sum of the terms of `range` for the tile at hand of `nest`, in `part` of the block.
Value BlockTiles::sumOf(const DigitRange &range, const Piece &part, NestEmitter &nest) {
  AffineExpr sum = b.getAffineConstantExpr(0);
  SmallVector<Value> operands;
  for (auto [digit, coefficient] : range.terms) {
    sum = sum + part.lower[digit] * coefficient;
    for (Value start : {blocks.start(digit), nest.start(digit)})
      if (start) {
        sum = sum + b.getAffineDimExpr(operands.size()) * coefficient;
        operands.push_back(start);
      }
  }
  return affine::AffineApplyOp::create(b, loc, AffineMap::get(operands.size(), 0, sum), operands);
}
