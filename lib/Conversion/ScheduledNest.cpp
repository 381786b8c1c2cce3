// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScheduledNest.h"

#include "relayout/IR/Relayout.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace relayout;

namespace {

constexpr int64_t kLineBytes = 64;

/// Tiles ahead at which output lines are fetched for writing.
constexpr int64_t kWriteAhead = 2;

/// One digit of the piece while its loops are built.
struct Range {
  Value begin, end; ///< the values to do; null: all of them
  Value block;      ///< of the next outer loop over the digit; null: none yet
  int64_t blockStep = 0;
};

/// The values of one digit of a piece that the units to do perform.
struct Cut {
  std::optional<unsigned> digit; ///< none: the piece as a whole, once or not at all
  Value begin, end;
};

/// `UnitClip::border` of a run-time unit.
Value emitBorder(OpBuilder &b, Location loc, const UnitClip &clip, Value unit) {
  AffineExpr s = b.getAffineSymbolExpr(0);
  Value wanted = affine::AffineApplyOp::create(
      b, loc, AffineMap::get(0, 1, s * clip.step - clip.offset), unit);
  AffineMap rounded = AffineMap::get(
      0, 1, {b.getAffineConstantExpr(0), s.ceilDiv(clip.tile) * clip.tile}, b.getContext());
  Value tiles = affine::AffineMaxOp::create(b, loc, rounded, wanted);
  Value last = arith::ConstantIndexOp::create(b, loc, (clip.extent / clip.tile - 1) * clip.tile);
  Value extent = arith::ConstantIndexOp::create(b, loc, clip.extent);
  Value past = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, wanted, last);
  return arith::SelectOp::create(b, loc, past, extent, tiles);
}

/// Emits the nest of one piece.
class NestEmitter {
public:
  NestEmitter(OpBuilder &b, Location loc, const Movement &movement, TypedAttr fill,
              const Problem &piece, const PieceSchedule &schedule)
      : b(b), loc(loc), movement(movement), fill(fill), piece(piece), schedule(schedule),
        ranges(piece.digits.size()) {}

  /// Cuts the piece to the units of the kernel.
  void clip(const Cut &cut) {
    if (cut.digit) {
      ranges[*cut.digit].begin = cut.begin;
      ranges[*cut.digit].end = cut.end;
    } else {
      guardBegin = cut.begin;
      guardEnd = cut.end;
    }
  }

  void emit() {
    OpBuilder::InsertionGuard insertion(b);
    if (guardBegin) {
      AffineMap symbol = AffineMap::get(0, 1, b.getAffineSymbolExpr(0));
      enter(affine::AffineForOp::create(b, loc, guardBegin, symbol, guardEnd, symbol));
    }
    // A digit that the tile covers has no loop, but units may still cut it.
    for (unsigned d = 0; d < ranges.size(); ++d)
      if (ranges[d].begin && !hasLoop(d))
        addLoop({d, schedule.tile[d]});
    for (const Loop &loop : schedule.loops)
      addLoop(loop);
    addTile();
  }

private:
  bool hasLoop(unsigned d) const {
    return llvm::any_of(schedule.loops, [&](const Loop &loop) { return loop.digit == d; });
  }

  void enter(affine::AffineForOp loop) { b.setInsertionPointToStart(loop.getBody()); }

  /// The loop over all of a digit, or over a block of it.
  void addLoop(const Loop &loop) {
    Range &range = ranges[loop.digit];
    SmallVector<Value> lowerOperands, upperOperands;
    SmallVector<AffineExpr> upper;
    AffineExpr lower = b.getAffineConstantExpr(0);
    if (range.block) {
      lower = b.getAffineDimExpr(0);
      lowerOperands.push_back(range.block);
      upperOperands.push_back(range.block);
      upper.push_back(lower + range.blockStep);
    } else if (range.begin) {
      lower = b.getAffineSymbolExpr(0);
      lowerOperands.push_back(range.begin);
    }
    int64_t extent = piece.digits[loop.digit].extent;
    if (range.end) {
      upper.push_back(b.getAffineSymbolExpr(0));
      upperOperands.push_back(range.end);
    } else if (!range.block || extent % range.blockStep != 0) {
      upper.push_back(b.getAffineConstantExpr(extent));
    }
    unsigned dims = range.block ? 1 : 0;
    unsigned lowerSymbols = lowerOperands.size() - dims, upperSymbols = upperOperands.size() - dims;
    auto op = affine::AffineForOp::create(
        b, loc, lowerOperands, AffineMap::get(dims, lowerSymbols, lower), upperOperands,
        AffineMap::get(dims, upperSymbols, upper, b.getContext()), loop.step);
    range.block = op.getInductionVar();
    range.blockStep = loop.step;
    enter(op);
  }

  /// Where the tile starts along digit `d`; null for a digit that it covers.
  Value tileStart(unsigned d) {
    int64_t extent = piece.digits[d].extent, tile = schedule.tile[d];
    Value start = ranges[d].block;
    if (!start || extent % tile == 0)
      return start;
    AffineMap map = AffineMap::get(
        1, 0, {b.getAffineDimExpr(0), b.getAffineConstantExpr(extent - tile)}, b.getContext());
    return affine::AffineMinOp::create(b, loc, map, start);
  }

  Value subscript(int64_t constant, ArrayRef<Value> starts, int64_t Digit::*stride) {
    AffineExpr sum = b.getAffineConstantExpr(constant);
    SmallVector<Value> operands;
    for (unsigned d = 0; d < starts.size(); ++d)
      if (starts[d] && piece.digits[d].*stride != 0) {
        sum = sum + b.getAffineDimExpr(operands.size()) * (piece.digits[d].*stride);
        operands.push_back(starts[d]);
      }
    return affine::AffineApplyOp::create(b, loc, AffineMap::get(operands.size(), 0, sum), operands);
  }

  /// How many elements further the tile lies `tiles` steps of the innermost loop later.
  int64_t ahead(int64_t tiles, int64_t Digit::*stride) const {
    if (tiles == 0 || schedule.loops.empty())
      return 0;
    const Loop &inner = schedule.loops.back();
    return tiles * inner.step * (piece.digits[inner.digit].*stride);
  }

  void addTile() {
    SmallVector<Value> starts;
    SmallVector<Digit> digits;
    for (unsigned d = 0; d < piece.digits.size(); ++d) {
      starts.push_back(tileStart(d));
      Digit digit = piece.digits[d];
      if (schedule.tile[d] > 1)
        digits.push_back({schedule.tile[d], digit.inStride, digit.outStride});
    }
    Value in = fill ? Value() : subscript(piece.inOffset, starts, &Digit::inStride);
    Value out = subscript(piece.outOffset, starts, &Digit::outStride);
    int64_t readAhead = fill ? 0 : schedule.prefetch;
    int64_t writeAhead =
        schedule.store == StoreMode::Prefetch ? ahead(kWriteAhead, &Digit::outStride) : 0;
    DenseI64ArrayAttr prefetch;
    if (readAhead != 0 || writeAhead != 0)
      prefetch = b.getDenseI64ArrayAttr({readAhead, writeAhead});
    IntegerAttr vector;
    if (schedule.vectorBytes != 0)
      vector = b.getI64IntegerAttr(schedule.vectorBytes);
    TileOp::create(b, loc, fill ? Value() : movement.in, in, movement.out, out, fill,
                   DigitsAttr::get(b.getContext(), digits), vector, prefetch,
                   schedule.store == StoreMode::NonTemporal ? b.getUnitAttr() : UnitAttr());
  }

  OpBuilder &b;
  Location loc;
  const Movement &movement;
  TypedAttr fill; ///< null for a piece that copies
  const Problem &piece;
  const PieceSchedule &schedule;
  std::vector<Range> ranges;
  Value guardBegin, guardEnd; ///< null: none
  int64_t guardStep = 1;
};

/// True if the first byte of `memref` lies on a line.
Value isOnLine(OpBuilder &b, Location loc, Value memref) {
  Value address = memref::ExtractAlignedPointerAsIndexOp::create(b, loc, memref);
  Value mask = arith::ConstantIndexOp::create(b, loc, kLineBytes - 1);
  Value phase = arith::AndIOp::create(b, loc, address, mask);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, phase, zero);
}

/// What the nests of one piece have in common.
struct PieceNests {
  const Movement &movement;
  TypedAttr fill;
  Problem piece;
  std::optional<Cut> cut;

  void emit(OpBuilder &b, Location loc, const PieceSchedule &schedule) const {
    NestEmitter nest(b, loc, movement, fill, piece, schedule);
    if (cut)
      nest.clip(*cut);
    nest.emit();
  }
};

} // namespace

Status relayout::emitScheduledNests(OpBuilder &b, Location loc, const Movement &movement,
                                    TypedAttr fill, const std::vector<Piece> &pieces,
                                    const Schedule &schedule) {
  Value onLine;
  for (auto [piece, pieceSchedule] : llvm::zip_equal(pieces, schedule.pieces)) {
    bool fills = piece.kind == Piece::Kind::Fill;
    PieceNests nests{movement, fills ? fill : TypedAttr(), pieceProblem(movement.problem, piece),
                     std::nullopt};
    if (movement.begin) {
      Result<UnitClip> clip = unitClip(schedule, movement.problem, piece, pieceSchedule.tile);
      if (!clip)
        return clip.error();
      nests.cut = Cut{clip->digit, emitBorder(b, loc, *clip, movement.begin),
                      emitBorder(b, loc, *clip, movement.end)};
    }
    if (pieceSchedule.store != StoreMode::NonTemporal) {
      nests.emit(b, loc, pieceSchedule);
      continue;
    }
    if (!onLine)
      onLine = isOnLine(b, loc, movement.out);
    auto choice = scf::IfOp::create(b, loc, onLine, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard insertion(b);
    b.setInsertionPointToStart(choice.thenBlock());
    nests.emit(b, loc, pieceSchedule);
    b.setInsertionPointToStart(choice.elseBlock());
    nests.emit(b, loc, withOrdinaryStores(nests.piece, pieceSchedule));
  }
  return Status::success();
}
