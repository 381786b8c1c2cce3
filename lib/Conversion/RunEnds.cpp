// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RunEnds.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace relayout;

bool Ends::isNone() const { return matchPattern(first, m_Zero()) && matchPattern(last, m_Zero()); }

void RunEnds::addHeads(RunOp run, Subscript line, Value inBlock) {
  unsigned d = *block.joined;
  Subscript place(Value(), 0);
  place.add(b, loc, blocks.start(d), 1);
  place.add(b, loc, inBlock, 1);
  Value value = place.get(b, loc), low = blocks.lowest(d, *schedule.carry);
  Value behind =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, value, low ? low : constant(0));
  Value next = sum(value, constant(1));
  Value before = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, next,
                                       blocks.end(d, *schedule.carry));
  if (std::optional<size_t> crop = cropOf(d)) {
    behind = both(behind, isNot(isFirst(*crops[*crop])), /*unless=*/Value());
    before = both(before, isNot(isLast(*crops[*crop])), /*unless=*/Value());
  }
  // Units that cut the runs leave parts of them to others.
  for (unsigned along : block.order)
    if (Value cut = isCut(along)) {
      Value whole = isNot(cut);
      behind = arith::AndIOp::create(b, loc, behind, whole);
      before = arith::AndIOp::create(b, loc, before, whole);
    }
  Value kept = line.get(b, loc);
  int64_t ahead = block.headsFirst - block.keptFirst;
  run.getHeadMutable().assign(sum(kept, constant(ahead)));
  run.getBehindMutable().assign(behind);
  run.getBeforeMutable().assign(before);
  run.getNextMutable().assign(sum(kept, constant(ahead + block.keptStrides[d])));
}

Subscript RunEnds::firstKept() {
  Subscript kept(Value(), block.keptFirst);
  for (unsigned d = 0; d < block.keptStrides.size(); ++d) {
    if (block.keptStrides[d] == 0)
      continue;
    if (block.along[d]) {
      kept.add(b, loc, segmentOf(d), block.keptStrides[d]);
      continue;
    }
    kept.add(b, loc, blocks.start(d), block.keptStrides[d]);
    kept.add(b, loc, blocks.lowest(d, *schedule.carry), -block.keptStrides[d]);
  }
  return kept;
}

/// In which segment of `d` the block lies, from the first to do on.
Value RunEnds::segmentOf(unsigned d) {
  size_t i = *segmentLoop(schedule.loops, d);
  AffineMap number = AffineMap::get(1, 0, b.getAffineDimExpr(0).floorDiv(schedule.loops[i].step));
  return affine::AffineApplyOp::create(b, loc, number, blocks.segment(d));
}

/// Elements at the beginning of each run that the block before has written.
Value RunEnds::repeatedElements() {
  for (unsigned d = 0; d < block.along.size(); ++d)
    if (block.along[d] && nests.piece.digits[d].outStride < block.run)
      if (Value repeated = blocks.repeated(d)) {
        AffineMap map =
            AffineMap::get(1, 0, b.getAffineDimExpr(0) * nests.piece.digits[d].outStride);
        return affine::AffineApplyOp::create(b, loc, map, repeated);
      }
  return constant(0);
}

/// Whether the units to do cut the runs, so that they do not go on beyond the values of `d`;
/// null: they do not.
Value RunEnds::isCut(unsigned d) {
  if (!nests.cut || nests.cut->digit != d)
    return Value();
  auto differ = arith::CmpIPredicate::ne;
  Value begins = arith::CmpIOp::create(b, loc, differ, nests.cut->begin, constant(0));
  Value ends =
      arith::CmpIOp::create(b, loc, differ, nests.cut->end, constant(nests.piece.digits[d].extent));
  return arith::OrIOp::create(b, loc, begins, ends);
}

/// Whether the block is the last one along `d` from `low` on, or of its segment; the innermost
/// loop over blocks of `d` is `schedule.loops[i]`.
Value RunEnds::isLast(unsigned d, unsigned i, Value low) {
  Value next = sum(blocks.variable(i), constant(schedule.loops[i].step));
  std::optional<size_t> segments = segmentLoop(schedule.loops, d);
  if (!segments)
    return isAtLeast(next, blocks.end(d, *schedule.carry));
  Value ofSegment = isAtLeast(next, sum(low, constant(schedule.loops[*segments].step)));
  Value ofAll = isAtLeast(sum(next, blocks.segment(d)), blocks.end(d, *schedule.carry));
  return arith::OrIOp::create(b, loc, ofSegment, ofAll);
}

std::optional<size_t> RunEnds::cropOf(unsigned d) const {
  for (auto [i, crop] : llvm::enumerate(crops))
    if (llvm::any_of(crop->terms, [&](auto term) { return term.first == d; }))
      return i;
  return std::nullopt;
}

Value RunEnds::isFirst(const DigitRange &crop) {
  int64_t unit = crop.terms.back().second;
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, blocks.sumOf(crop),
                               constant(crop.low + unit));
}

Value RunEnds::isLast(const DigitRange &crop) {
  int64_t unit = crop.terms.back().second;
  return isAtLeast(blocks.sumOf(crop), constant(crop.high - unit));
}

Ends RunEnds::ofBlock() {
  Ends ends; // by the digits so far, but for those of crops
  SmallVector<Ends> cropped(crops.size());
  Value cut;
  for (unsigned d : block.order) {
    unsigned i = *schedule.stage - 1; // the innermost loop over it that is not over segments
    while (schedule.loops[i].digit != d || isOverSegments(schedule.loops, i))
      --i;
    Value low = blocks.lowest(d, *schedule.carry);
    low = low ? low : constant(0);
    auto equal = arith::CmpIPredicate::eq;
    std::optional<size_t> crop = cropOf(d);
    Ends &own = crop ? cropped[*crop] : ends;
    own.first = both(own.first, arith::CmpIOp::create(b, loc, equal, blocks.variable(i), low), cut);
    own.last = both(own.last, isLast(d, i, low), cut);
    cut = cut ? cut : isCut(d);
  }
  for (auto [crop, own] : llvm::zip_equal(crops, cropped)) {
    if (!own.first)
      continue;
    Value first = arith::OrIOp::create(b, loc, own.first, isFirst(*crop));
    Value last = arith::OrIOp::create(b, loc, own.last, isLast(*crop));
    ends.first = both(ends.first, first, /*unless=*/Value());
    ends.last = both(ends.last, last, /*unless=*/Value());
  }
  ends.repeated = repeatedElements();
  if (!ends.first)
    ends.first = ends.last = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
  return ends;
}

Value RunEnds::constant(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }

Value RunEnds::sum(Value x, Value y) { return arith::AddIOp::create(b, loc, x, y); }

Value RunEnds::isNot(Value x) {
  return arith::XOrIOp::create(b, loc, x, arith::ConstantOp::create(b, loc, b.getBoolAttr(true)));
}

Value RunEnds::isAtLeast(Value x, Value y) {
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, x, y);
}

/// `x` (null: true) and `y`, which counts where not `unless` (null: false).
Value RunEnds::both(Value x, Value y, Value unless) {
  if (unless)
    y = arith::OrIOp::create(b, loc, y, unless);
  return x ? arith::AndIOp::create(b, loc, x, y).getResult() : y;
}
