// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NestEmitter.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace relayout;

static bool isIn(ArrayRef<Loop> loops, unsigned d) {
  return llvm::any_of(loops, [&](const Loop &loop) { return loop.digit == d; });
}

void Subscript::add(OpBuilder &b, Location loc, Value start, int64_t stride) {
  if (start && stride != 0)
    apply(b, loc, {start, stride});
}

Value Subscript::get(OpBuilder &b, Location loc) {
  if (!index || constant != 0)
    apply(b, loc, {Value(), 0});
  return index;
}

void Subscript::apply(OpBuilder &b, Location loc, std::pair<Value, int64_t> term) {
  AffineExpr sum = b.getAffineConstantExpr(0);
  SmallVector<Value> operands;
  for (auto [value, factor] : {std::pair(index, int64_t(1)), term})
    if (value) {
      sum = sum + b.getAffineDimExpr(operands.size()) * factor;
      operands.push_back(value);
    }
  AffineMap map = AffineMap::get(operands.size(), 0, sum + constant);
  index = affine::AffineApplyOp::create(b, loc, map, operands);
  constant = 0;
}

void NestEmitter::clip(const Cut &cut) {
  if (cut.digit) {
    ranges[*cut.digit].begin = cut.begin;
    ranges[*cut.digit].end = cut.end;
  } else {
    guardBegin = cut.begin;
    guardEnd = cut.end;
  }
}

void NestEmitter::leaveOut(unsigned d, const NestEmitter &outer, unsigned outerDigit) {
  int64_t last = outer.piece.digits[outerDigit].extent - outer.tile[outerDigit];
  if (last % outer.tile[outerDigit] == 0)
    return;
  ranges[d].repeats = outer.ranges[outerDigit].block;
  ranges[d].repeatsFrom = last;
}

void NestEmitter::emit(Body body) {
  OpBuilder::InsertionGuard insertion(b);
  if (guardBegin) {
    AffineMap symbol = AffineMap::get(0, 1, b.getAffineSymbolExpr(0));
    enter(affine::AffineForOp::create(b, loc, guardBegin, symbol, guardEnd, symbol));
  }
  // A digit that the tile covers has no loop, but units may still cut it.
  std::vector<Loop> all;
  for (unsigned d = 0; d < ranges.size(); ++d)
    if (ranges[d].begin && !isIn(loops, d))
      all.push_back({d, tile[d]});
  size_t added = all.size();
  llvm::append_range(all, loops);
  for (auto [i, loop] : llvm::enumerate(all)) {
    Value variable = isOverSegments(all, i) ? addSegments(loop) : addLoop(all, i);
    if (i >= added)
      variables.push_back(variable);
    if (!isIn(ArrayRef(all).drop_front(i + 1), loop.digit))
      advance(loop.digit);
    if (outside.second && variables.size() == outside.first && i >= added)
      outside.second();
  }
  Value in = places.in ? places.in->get(b, loc) : Value();
  body(in, places.out.get(b, loc));
}

void NestEmitter::advance(unsigned d) {
  Value from = start(d);
  if (places.in)
    places.in->add(b, loc, from, piece.digits[d].inStride);
  places.out.add(b, loc, from, piece.digits[d].outStride);
}

void NestEmitter::enter(Operation *loop) {
  b.setInsertionPointToStart(cast<affine::AffineForOp>(loop).getBody());
}

Value NestEmitter::addSegments(const Loop &loop) {
  Range &range = ranges[loop.digit];
  Value extent = range.end;
  AffineExpr place = b.getAffineDimExpr(0);
  AffineExpr end =
      extent ? b.getAffineSymbolExpr(0) : b.getAffineConstantExpr(piece.digits[loop.digit].extent);
  SmallVector<Value> operands{range.block};
  if (extent)
    operands.push_back(extent);
  auto op = affine::AffineForOp::create(b, loc, {}, b.getConstantAffineMap(0), operands,
                                        AffineMap::get(1, extent ? 1 : 0, end - place), loop.step);
  range.segment = op.getInductionVar();
  enter(op);
  AffineMap sum = AffineMap::get(2, 0, b.getAffineDimExpr(0) + b.getAffineDimExpr(1));
  range.block = affine::AffineApplyOp::create(b, loc, sum, ValueRange{range.block, range.segment});
  return range.block;
}

class NestEmitter::Bound {
public:
  explicit Bound(OpBuilder &b) : b(b) {}

  AffineExpr dim(Value value) {
    dims.push_back(value);
    return b.getAffineDimExpr(dims.size() - 1);
  }
  AffineExpr symbol(Value value) {
    symbols.push_back(value);
    return b.getAffineSymbolExpr(symbols.size() - 1);
  }
  AffineExpr constant(int64_t value) { return b.getAffineConstantExpr(value); }
  void add(AffineExpr value) { values.push_back(value); }

  AffineMap map() const {
    return AffineMap::get(dims.size(), symbols.size(), values, b.getContext());
  }
  SmallVector<Value> operands() const {
    SmallVector<Value> all(dims);
    llvm::append_range(all, symbols);
    return all;
  }

private:
  OpBuilder &b;
  SmallVector<AffineExpr> values;
  SmallVector<Value> dims, symbols;
};

NestEmitter::Bound NestEmitter::lowerBound(const Range &range) {
  Bound lower(b);
  if (range.block) {
    lower.add(lower.dim(range.block));
  } else if (range.begin) {
    lower.add(lower.symbol(range.begin));
  } else {
    lower.add(lower.constant(0));
    if (range.repeats)
      lower.add(lower.dim(range.repeats) - range.repeatsFrom);
  }
  return lower;
}

NestEmitter::Bound NestEmitter::upperBound(const std::vector<Loop> &all, size_t i) {
  const Range &range = ranges[all[i].digit];
  int64_t extent = piece.digits[all[i].digit].extent;
  std::optional<size_t> segments = segmentLoop(all, all[i].digit);
  bool isInSegment = segments && !range.block;
  Bound upper(b);
  if (range.block)
    upper.add(upper.dim(range.block) + range.blockStep);
  if (range.end)
    upper.add(upper.symbol(range.end));
  else if (!isInSegment && (!range.block || extent % range.blockStep != 0))
    upper.add(upper.constant(extent));
  if (isInSegment) {
    AffineExpr first = range.begin ? upper.symbol(range.begin) : upper.constant(0);
    upper.add(first + all[*segments].step);
  }
  return upper;
}

void NestEmitter::addWindow(const DigitRange &window, const std::vector<Loop> &all, size_t i,
                            Bound &lower, Bound &upper) {
  auto hasTerm = [&](const Loop &loop) {
    return llvm::any_of(window.terms, [&](auto term) { return term.first == loop.digit; });
  };
  if (!hasTerm(all[i]) || llvm::any_of(ArrayRef(all).drop_front(i + 1), hasTerm))
    return;
  for (auto [bound, border] : {std::pair(&lower, window.low), std::pair(&upper, window.high)}) {
    AffineExpr left = bound->constant(border);
    int64_t own = 1;
    for (auto [digit, coefficient] : window.terms) {
      if (digit == all[i].digit)
        own = coefficient;
      else
        left = left - bound->dim(ranges[digit].block) * coefficient;
    }
    bound->add(left.ceilDiv(own));
  }
}

Value NestEmitter::addLoop(const std::vector<Loop> &all, size_t i) {
  Range &range = ranges[all[i].digit];
  Bound lower = lowerBound(range), upper = upperBound(all, i);
  for (const DigitRange *window : windows)
    addWindow(*window, all, i, lower, upper);
  auto op = affine::AffineForOp::create(b, loc, lower.operands(), lower.map(), upper.operands(),
                                        upper.map(), all[i].step);
  range.block = op.getInductionVar();
  range.blockStep = all[i].step;
  enter(op);
  return range.block;
}

Value NestEmitter::sumOf(const DigitRange &window) {
  AffineExpr sum = b.getAffineConstantExpr(0);
  SmallVector<Value> operands;
  for (auto [digit, coefficient] : window.terms) {
    sum = sum + b.getAffineDimExpr(operands.size()) * coefficient;
    operands.push_back(ranges[digit].block);
  }
  return affine::AffineApplyOp::create(b, loc, AffineMap::get(operands.size(), 0, sum), operands);
}

Value NestEmitter::start(unsigned d) {
  int64_t extent = piece.digits[d].extent, taken = tile[d];
  Value variable = ranges[d].block;
  if (!variable || extent % taken == 0)
    return variable;
  AffineMap map = AffineMap::get(
      1, 0, {b.getAffineDimExpr(0), b.getAffineConstantExpr(extent - taken)}, b.getContext());
  return affine::AffineMinOp::create(b, loc, map, variable);
}

Value NestEmitter::repeated(unsigned d) {
  int64_t extent = piece.digits[d].extent, taken = tile[d];
  if (!ranges[d].block || extent % taken == 0)
    return Value();
  AffineMap map = AffineMap::get(
      1, 0, {b.getAffineConstantExpr(0), b.getAffineDimExpr(0) - (extent - taken)}, b.getContext());
  return affine::AffineMaxOp::create(b, loc, map, ranges[d].block);
}

std::optional<size_t> NestEmitter::blockBefore(unsigned d, size_t depth) const {
  for (size_t i = depth; i-- > 0;)
    if (loops[i].digit == d)
      return i;
  return std::nullopt;
}

Value NestEmitter::lowest(unsigned d, size_t depth) const {
  std::optional<size_t> block = blockBefore(d, depth);
  return block ? variables[*block] : ranges[d].begin;
}

Value NestEmitter::end(unsigned d, size_t depth) {
  Value last = ranges[d].end
                   ? ranges[d].end
                   : arith::ConstantIndexOp::create(b, loc, piece.digits[d].extent).getResult();
  std::optional<size_t> block = blockBefore(d, depth);
  if (!block)
    return last;
  int64_t step = loops[*block].step;
  for (const Loop &loop : loops.take_front(depth))
    if (loop.digit == d)
      step = std::min(step, loop.step);
  Value next = arith::AddIOp::create(b, loc, variables[*block],
                                     arith::ConstantIndexOp::create(b, loc, step));
  return arith::MinSIOp::create(b, loc, next, last);
}
