// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BlockFetch.h"

#include "Address.h"

#include "relayout/IR/Relayout.h"
#include "relayout/Layout/CheckedMath.h"
#include "relayout/Support/CacheLine.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <algorithm>
#include <limits>

using namespace mlir;
using namespace relayout;

/// Steps of the loop `loops[i]` within the next outer one over its digit.
static int64_t stepsOf(const Problem &piece, ArrayRef<Loop> loops, size_t i) {
  int64_t values = piece.digits[loops[i].digit].extent;
  for (const Loop &outer : loops.take_front(i))
    if (outer.digit == loops[i].digit)
      values = outer.step;
  return ceilDiv(values, loops[i].step);
}

int64_t relayout::visitsOf(const Problem &piece, ArrayRef<Loop> loops, size_t first) {
  int64_t visits = 1;
  for (size_t i = first; i < loops.size(); ++i)
    visits *= stepsOf(piece, loops, i);
  return visits;
}

Value relayout::visitNumber(OpBuilder &b, Location loc, NestEmitter &nest, const Problem &piece,
                            ArrayRef<Loop> loops, size_t first) {
  auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); };
  Value number;
  for (size_t i = first; i < nest.depth(); ++i) {
    Value step = nest.variable(i);
    if (Value low = nest.lowest(loops[i].digit, i))
      step = arith::SubIOp::create(b, loc, step, low);
    // `affine.apply` does not know that this is not negative, and divides in three times as long.
    if (loops[i].step > 1)
      step = arith::DivUIOp::create(b, loc, step, constant(loops[i].step));
    if (number) {
      number = arith::MulIOp::create(b, loc, number, constant(stepsOf(piece, loops, i)));
      step = arith::AddIOp::create(b, loc, number, step);
    }
    number = step;
  }
  return number;
}

namespace {

/// Of a row, fetched by one visit: their addresses are known from one.
constexpr int64_t kMostLines = 16;
/// What a piece costs beside its lines, in lines.
constexpr int64_t kLinesOfPiece = 3;
/// Numbers of pieces that are compared: all of a block that a cache holds.
constexpr int64_t kMostCuts = 1 << 15;

/// A block as rows of the input: what lies side by side, and the digits over the others.
struct BlockRows {
  BlockRows(const Problem &piece, const PieceSchedule &schedule);

  /// Of all rows; one that starts within a line may end in one more.
  int64_t lines() const { return rows * linesOfRow; }

  std::vector<int64_t> extents;                    ///< of all digits
  SmallVector<std::pair<int64_t, int64_t>> digits; ///< extents and strides, nearest first
  int64_t rows = 1;
  int64_t linesOfRow;
};

BlockRows::BlockRows(const Problem &piece, const PieceSchedule &schedule)
    : extents(valuesWithin(piece, schedule.loops, *schedule.fetch)) {
  const int64_t line = kLineBytes / piece.width;
  SmallVector<unsigned> order;
  auto isOnLines = [&](int64_t elements) { return elements % line == 0; };
  bool onLines = isOnLines(piece.inOffset); // where each of them starts
  for (unsigned d = 0; d < extents.size(); ++d) {
    if (extents[d] > 1)
      order.push_back(d);
    if (extents[d] < piece.digits[d].extent)
      onLines &= isOnLines(piece.digits[d].inStride % line * extents[d]);
  }
  llvm::sort(order, [&](unsigned x, unsigned y) {
    return piece.digits[x].inStride < piece.digits[y].inStride;
  });
  int64_t elements = 1; // side by side
  for (unsigned d : order) {
    int64_t stride = piece.digits[d].inStride;
    if (digits.empty() && stride <= elements) {
      // Overlapping values are one stretch, too.
      elements += stride * (extents[d] - 1);
      continue;
    }
    onLines &= isOnLines(stride);
    digits.push_back({extents[d], stride});
    rows *= extents[d];
  }
  linesOfRow = ceilDiv(elements + (onLines ? 0 : line - 1), line);
}

class BlockFetch {
public:
  BlockFetch(OpBuilder &b, Location loc, NestEmitter &nest, const Problem &piece,
             const PieceSchedule &schedule, FetchShare share)
      : b(b), loc(loc), nest(nest), piece(piece), loops(schedule.loops), depth(*schedule.fetch),
        share(share), block(piece, schedule) {
    cutRows(visitsOf(piece, ArrayRef(loops).take_front(nest.depth()), depth) * share.parts);
  }

  /// Fetches the lines of the visit's pieces of rows.
  void emit(Value in) {
    OpBuilder::InsertionGuard insertion(b);
    Value start = nextBlock(), visit = visitNumber(), all = constant(block.rows * piecesOfRow);
    if (piecesAVisit == 1) {
      Value has = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, visit, all);
      auto branch = scf::IfOp::create(b, loc, has, /*withElseRegion=*/false);
      b.setInsertionPointToStart(branch.thenBlock());
      return fetchPiece(in, placeOf(start, visit));
    }
    Value first = product(visit, piecesAVisit);
    Value end = arith::MinUIOp::create(b, loc, sum(first, constant(piecesAVisit)), all);
    auto loop = scf::ForOp::create(b, loc, first, end, constant(1));
    b.setInsertionPointToStart(loop.getBody());
    fetchPiece(in, placeOf(start, loop.getInductionVar()));
  }

private:
  /// Cuts rows into pieces of which each of `visits` fetches as many, so that lines are asked for
  /// evenly until the last visit: what is asked for in a hurry is dropped, or waited for
  /// (docs/schedules.md, "Evenly fetched").
  void cutRows(int64_t visits) {
    int64_t least = std::numeric_limits<int64_t>::max();
    int64_t fewest = ceilDiv(block.linesOfRow, kMostLines);
    int64_t most = std::min({block.linesOfRow, fewest * kMostLines, fewest + kMostCuts});
    for (int64_t pieces = fewest; pieces <= most; ++pieces) {
      int64_t lines = ceilDiv(block.linesOfRow, pieces);
      int64_t aVisit = ceilDiv(block.rows * pieces, visits);
      int64_t cost = aVisit * (lines + kLinesOfPiece);
      if (cost >= least)
        continue;
      least = cost;
      piecesOfRow = pieces;
      linesOfPiece = lines;
      piecesAVisit = aVisit;
    }
  }

  void fetchPiece(Value in, Value place) {
    for (int64_t line = 0; line < linesOfPiece; ++line) {
      Value at = line == 0 ? place : sum(place, constant(line * lineElements()));
      memref::PrefetchOp::create(b, loc, in, ValueRange{at}, /*isWrite=*/false,
                                 localityOf(/*cache=*/2), /*isDataCache=*/true);
    }
  }

  /// Where in the input the piece of a row lies whose number in the block at `start` is `number`.
  Value placeOf(Value start, Value number) {
    SmallVector<std::pair<int64_t, int64_t>> digits{{piecesOfRow, linesOfPiece * lineElements()}};
    digits.append(block.digits);
    Value place = start;
    for (auto [i, digit] : llvm::enumerate(digits)) {
      auto [extent, stride] = digit;
      bool isLast = i + 1 == digits.size();
      if (extent > 1)
        place = sum(place, product(isLast ? number : remainder(number, extent), stride));
      number = isLast ? number : quotient(number, extent);
    }
    return place;
  }

  /// How many visits to the block there were before this one.
  Value visitNumber() {
    Value number = relayout::visitNumber(b, loc, nest, piece, loops, depth);
    if (!share.part)
      return number ? number : constant(0);
    return number ? sum(product(number, share.parts), share.part) : share.part;
  }

  /// Where in the input the next block starts; known outside of the loops over this one.
  Value nextBlock() {
    OpBuilder::InsertionGuard insertion(b);
    b.setInsertionPointToStart(nest.variable(depth - 1).getParentBlock());
    SmallVector<Value> next = nextValues();
    AffineExpr start = b.getAffineConstantExpr(piece.inOffset);
    SmallVector<Value> operands;
    for (unsigned d = 0; d < piece.digits.size(); ++d) {
      Value value = nest.lowest(d, 0);
      for (size_t i = 0; i < depth; ++i)
        value = loops[i].digit == d ? next[i] : value;
      if (!value)
        continue;
      // Of a last block that is shorter, what lies before it is there already; behind it is
      // nothing.
      int64_t extent = piece.digits[d].extent, taken = block.extents[d];
      if (extent % taken != 0)
        value = arith::MinUIOp::create(b, loc, value, constant(extent - taken));
      start = start + b.getAffineDimExpr(operands.size()) * piece.digits[d].inStride;
      operands.push_back(value);
    }
    return affine::AffineApplyOp::create(b, loc, AffineMap::get(operands.size(), 0, start),
                                         operands);
  }

  /// The values of the variables outside of the block at the next one; behind the last block the
  /// first.
  SmallVector<Value> nextValues() {
    SmallVector<Value> isOver(depth), after(depth), next(depth);
    for (size_t i = 0; i < depth; ++i) {
      after[i] = sum(nest.variable(i), constant(loops[i].step));
      isOver[i] = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, after[i],
                                        nest.end(loops[i].digit, i));
    }
    SmallVector<Value> moves(depth); // null: always
    for (size_t i = depth - 1; i-- > 0;)
      moves[i] = moves[i + 1]
                     ? arith::AndIOp::create(b, loc, moves[i + 1], isOver[i + 1]).getResult()
                     : isOver[i + 1];
    for (size_t i = 0; i < depth; ++i) {
      Value first = nest.lowest(loops[i].digit, 0);
      for (size_t outer = 0; outer < i; ++outer)
        first = loops[outer].digit == loops[i].digit ? next[outer] : first;
      first = first ? first : constant(0);
      next[i] = arith::SelectOp::create(b, loc, isOver[i], first, after[i]);
      if (moves[i])
        next[i] = arith::SelectOp::create(b, loc, moves[i], next[i], nest.variable(i));
    }
    return next;
  }

  int64_t lineElements() const { return kLineBytes / piece.width; }
  Value constant(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }

  Value sum(Value x, Value y) { return arith::AddIOp::create(b, loc, x, y); }
  Value product(Value x, int64_t y) {
    return y == 1 ? x : arith::MulIOp::create(b, loc, x, constant(y)).getResult();
  }

  // Of what is not negative, which `affine.apply` does not know: it divides in three times as long.
  Value quotient(Value x, int64_t y) {
    return y == 1 ? x : arith::DivUIOp::create(b, loc, x, constant(y)).getResult();
  }
  Value remainder(Value x, int64_t y) { return arith::RemUIOp::create(b, loc, x, constant(y)); }

  OpBuilder &b;
  Location loc;
  NestEmitter &nest;
  const Problem &piece;
  const std::vector<Loop> &loops;
  size_t depth;
  FetchShare share;
  BlockRows block;
  int64_t piecesOfRow = 1, linesOfPiece = 1, piecesAVisit = 1;
};

} // namespace

void relayout::emitBlockFetch(OpBuilder &b, Location loc, NestEmitter &nest, const Problem &piece,
                              const PieceSchedule &schedule, Value in, FetchShare share) {
  BlockFetch(b, loc, nest, piece, schedule, share).emit(in);
}

void relayout::emitBlockTouch(OpBuilder &b, Location loc, const NestEmitter &nest,
                              const Problem &piece, const PieceSchedule &schedule, Value in) {
  int64_t count = llvm::product_of(valuesWithin(piece, schedule.loops, *schedule.touch)), all = 1;
  for (const Digit &digit : piece.digits)
    all += (digit.extent - 1) * digit.inStride;
  AffineExpr place = b.getAffineConstantExpr(piece.inOffset);
  SmallVector<Value> operands;
  for (unsigned d = 0; d < piece.digits.size(); ++d)
    if (Value value = nest.lowest(d, *schedule.touch)) {
      place = place + b.getAffineDimExpr(operands.size()) * piece.digits[d].inStride;
      operands.push_back(value);
    }
  // The last block may be shorter.
  AffineMap start = AffineMap::get(operands.size(), 0,
                                   {place, b.getAffineConstantExpr(piece.inOffset + all - count)},
                                   b.getContext());
  Value at = affine::AffineMinOp::create(b, loc, start, operands);
  TouchOp::create(b, loc, in, at, count);
}

int64_t relayout::linesFetched(const Problem &piece, const PieceSchedule &schedule, size_t depth) {
  ArrayRef<Loop> loops = ArrayRef(schedule.loops).take_front(depth);
  return ceilDiv(BlockRows(piece, schedule).lines(), visitsOf(piece, loops, *schedule.fetch));
}
