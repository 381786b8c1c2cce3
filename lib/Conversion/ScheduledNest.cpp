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

/// Runs ahead at which the lines at their ends are fetched for writing.
constexpr int64_t kRunsAhead = 4;

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

/// An index that grows from loop to loop: what a loop does not change is computed outside
/// of it, and its own part is one term for the code generator to follow.
class Subscript {
public:
  /// Grows from `index` (null: 0) plus `constant`.
  Subscript(Value index, int64_t constant) : index(index), constant(constant) {}

  void add(OpBuilder &b, Location loc, Value start, int64_t stride) {
    if (start && stride != 0)
      apply(b, loc, {start, stride});
  }
  Value get(OpBuilder &b, Location loc) {
    if (!index || constant != 0)
      apply(b, loc, {Value(), 0});
    return index;
  }

private:
  void apply(OpBuilder &b, Location loc, std::pair<Value, int64_t> term) {
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

  Value index;
  int64_t constant;
};

/// Where boxes start on both sides of a movement.
struct Places {
  std::optional<Subscript> in; ///< none for a fill
  Subscript out;
};

/// Emits the loops around boxes of `tile` values, and in the innermost one a body.
class NestEmitter {
public:
  /// Makes the body, given where the box starts; `in` is null for a fill.
  using Body = llvm::function_ref<void(Value in, Value out)>;

  NestEmitter(OpBuilder &b, Location loc, const Problem &piece, ArrayRef<Loop> loops,
              ArrayRef<int64_t> tile, Places places)
      : b(b), loc(loc), piece(piece), loops(loops), tile(tile), places(places),
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

  void emit(Body body) {
    OpBuilder::InsertionGuard insertion(b);
    if (guardBegin) {
      AffineMap symbol = AffineMap::get(0, 1, b.getAffineSymbolExpr(0));
      enter(affine::AffineForOp::create(b, loc, guardBegin, symbol, guardEnd, symbol));
    }
    // A digit that the tile covers has no loop, but units may still cut it.
    SmallVector<Loop> all;
    for (unsigned d = 0; d < ranges.size(); ++d)
      if (ranges[d].begin && !isIn(loops, d))
        all.push_back({d, tile[d]});
    llvm::append_range(all, loops);
    for (auto [i, loop] : llvm::enumerate(all)) {
      addLoop(loop);
      if (!isIn(ArrayRef(all).drop_front(i + 1), loop.digit))
        advance(loop.digit);
    }
    Value in = places.in ? places.in->get(b, loc) : Value();
    body(in, places.out.get(b, loc));
  }

private:
  static bool isIn(ArrayRef<Loop> loops, unsigned d) {
    return llvm::any_of(loops, [&](const Loop &loop) { return loop.digit == d; });
  }

  /// Moves the places to where the box starts along digit `d`.
  void advance(unsigned d) {
    Value start = tileStart(d);
    if (places.in)
      places.in->add(b, loc, start, piece.digits[d].inStride);
    places.out.add(b, loc, start, piece.digits[d].outStride);
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

  /// Where the box starts along digit `d`, in its loops.
  Value tileStart(unsigned d) {
    int64_t extent = piece.digits[d].extent, taken = tile[d];
    Value start = ranges[d].block;
    if (extent % taken == 0)
      return start;
    AffineMap map = AffineMap::get(
        1, 0, {b.getAffineDimExpr(0), b.getAffineConstantExpr(extent - taken)}, b.getContext());
    return affine::AffineMinOp::create(b, loc, map, start);
  }

  OpBuilder &b;
  Location loc;
  const Problem &piece;
  ArrayRef<Loop> loops;
  ArrayRef<int64_t> tile;
  Places places;
  std::vector<Range> ranges;
  Value guardBegin, guardEnd; ///< null: none
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
  bool copies; ///< or fills all of the piece
  Problem piece;
  std::optional<Cut> cut;
  Value onLine; ///< whether the output's base is; null where no store asks

  Places start() const {
    auto in = copies ? std::optional(Subscript(Value(), piece.inOffset)) : std::nullopt;
    return {in, Subscript(Value(), piece.outOffset)};
  }
  void emit(OpBuilder &b, Location loc, const PieceSchedule &schedule) const;
  void emitStaged(OpBuilder &b, Location loc, const PieceSchedule &schedule) const;
};

/// How many elements further the tile lies `tiles` steps of the innermost loop later.
int64_t ahead(const Problem &piece, const PieceSchedule &schedule, int64_t tiles,
              int64_t Digit::*stride) {
  if (schedule.loops.empty())
    return 0;
  const Loop &inner = schedule.loops.back();
  return tiles * inner.step * (piece.digits[inner.digit].*stride);
}

/// The bounds of the border of `piece`, and coefficients of the digits of its tile; null if
/// it has none.
DenseI64ArrayAttr borderOf(OpBuilder &b, const Problem &piece, ArrayRef<int64_t> tile) {
  if (piece.read.empty())
    return {};
  const DigitRange &border = piece.read.front();
  SmallVector<int64_t> numbers = {border.low, border.high};
  for (unsigned d = 0; d < tile.size(); ++d)
    if (tile[d] > 1) {
      auto term = llvm::find_if(border.terms, [&](auto term) { return term.first == d; });
      numbers.push_back(term == border.terms.end() ? 0 : term->second);
    }
  return b.getDenseI64ArrayAttr(numbers);
}

/// The tile of `schedule` from `in` (null: a fill) to `out`.
void addTile(OpBuilder &b, Location loc, const PieceNests &nests, const Problem &piece,
             const PieceSchedule &schedule, Value in, Value dest, Value out) {
  SmallVector<Digit> digits;
  for (auto [digit, taken] : llvm::zip_equal(piece.digits, schedule.tile))
    if (taken > 1)
      digits.push_back({taken, digit.inStride, digit.outStride});
  int64_t readAhead = in ? schedule.prefetch : 0;
  int64_t writeAhead = schedule.store == StoreMode::Prefetch
                           ? ahead(piece, schedule, kWriteAhead, &Digit::outStride)
                           : 0;
  DenseI64ArrayAttr prefetch;
  if (readAhead != 0 || writeAhead != 0)
    prefetch = b.getDenseI64ArrayAttr({readAhead, writeAhead});
  IntegerAttr vector;
  if (schedule.vectorBytes != 0)
    vector = b.getI64IntegerAttr(schedule.vectorBytes);
  bool streams = schedule.store == StoreMode::NonTemporal && !schedule.stage;
  DenseI64ArrayAttr border = borderOf(b, piece, schedule.tile);
  TileOp::create(b, loc, in ? nests.movement.in : Value(), in, dest, out,
                 streams ? nests.onLine : Value(), in && !border ? TypedAttr() : nests.fill, border,
                 DigitsAttr::get(b.getContext(), digits), vector, prefetch);
}

void PieceNests::emit(OpBuilder &b, Location loc, const PieceSchedule &schedule) const {
  NestEmitter nest(b, loc, piece, schedule.loops, schedule.tile, start());
  if (cut)
    nest.clip(*cut);
  nest.emit(
      [&](Value in, Value out) { addTile(b, loc, *this, piece, schedule, in, movement.out, out); });
}

/// Fetches the lines at both ends of a run for writing: stores of parts of them would
/// hold up all later ones.
void prefetchEnds(OpBuilder &b, Location loc, Value memref, Value run, int64_t ahead,
                  int64_t count) {
  for (int64_t offset : {ahead, ahead + count - 1}) {
    AffineMap map = AffineMap::get(1, 0, b.getAffineDimExpr(0) + offset);
    Value at = affine::AffineApplyOp::create(b, loc, map, run);
    memref::PrefetchOp::create(b, loc, memref, ValueRange{at}, /*isWrite=*/true,
                               /*localityHint=*/3, /*isDataCache=*/true);
  }
}

/// The runs of a block, from scratch memory to the output at `out`.
void addRuns(OpBuilder &b, Location loc, const PieceNests &nests, const PieceSchedule &schedule,
             const StagedBlock &block, Value out) {
  Problem rows; // `inStride` is that of scratch memory
  SmallVector<Loop> loops;
  for (auto [d, digit] : llvm::enumerate(nests.piece.digits))
    if (block.extents[d] > 1 && digit.outStride >= block.run)
      rows.digits.push_back({block.extents[d], block.strides[d], digit.outStride});
  llvm::sort(rows.digits, [](const Digit &x, const Digit &y) { return x.outStride > y.outStride; });
  for (unsigned d = 0; d < rows.digits.size(); ++d)
    loops.push_back({d, 1});
  SmallVector<int64_t> one(rows.digits.size(), 1);
  NestEmitter nest(b, loc, rows, loops, one, {Subscript(Value(), 0), Subscript(out, 0)});
  nest.emit([&](Value from, Value to) {
    bool streams = schedule.store == StoreMode::NonTemporal;
    if (!rows.digits.empty())
      prefetchEnds(b, loc, nests.movement.out, to, kRunsAhead * rows.digits.back().outStride,
                   block.run);
    RunOp::create(b, loc, nests.movement.scratch, from, nests.movement.out, to,
                  b.getI64IntegerAttr(block.run), b.getI64IntegerAttr(schedule.vectorBytes),
                  streams ? b.getUnitAttr() : UnitAttr());
  });
}

void PieceNests::emitStaged(OpBuilder &b, Location loc, const PieceSchedule &schedule) const {
  StagedBlock block = stagedBlock(piece, schedule);
  ArrayRef<Loop> loops = schedule.loops;
  NestEmitter outer(b, loc, piece, loops.take_front(*schedule.stage), block.extents, start());
  if (cut)
    outer.clip(*cut);
  outer.emit([&](Value in, Value out) {
    Problem inner;
    inner.width = piece.width;
    for (auto [d, digit] : llvm::enumerate(piece.digits))
      inner.digits.push_back({block.extents[d], digit.inStride, block.strides[d]});
    inner.read = piece.read;
    NestEmitter nest(b, loc, inner, loops.drop_front(*schedule.stage), schedule.tile,
                     {Subscript(in, 0), Subscript(Value(), 0)});
    nest.emit([&](Value from, Value to) {
      addTile(b, loc, *this, inner, schedule, from, movement.scratch, to);
    });
    addRuns(b, loc, *this, schedule, block, out);
  });
}

/// Emits all pieces for the units of `movement`.
Status emitPieces(OpBuilder &b, Location loc, const Movement &movement, TypedAttr fill,
                  const std::vector<Piece> &pieces, const Schedule &schedule) {
  Value onLine;
  for (auto [piece, pieceSchedule] : llvm::zip_equal(pieces, schedule.pieces)) {
    PieceNests nests{movement,
                     fill,
                     piece.kind == Piece::Kind::Copy,
                     pieceProblem(movement.problem, piece),
                     std::nullopt,
                     Value()};
    if (movement.begin) {
      Result<UnitClip> clip = unitClip(schedule, movement.problem, piece, pieceSchedule);
      if (!clip)
        return clip.error();
      nests.cut = Cut{clip->digit, emitBorder(b, loc, *clip, movement.begin),
                      emitBorder(b, loc, *clip, movement.end)};
    }
    if (pieceSchedule.stage) {
      nests.emitStaged(b, loc, pieceSchedule);
      continue;
    }
    if (pieceSchedule.store == StoreMode::NonTemporal) {
      onLine = onLine ? onLine : isOnLine(b, loc, movement.out);
      nests.onLine = onLine;
    }
    nests.emit(b, loc, pieceSchedule);
  }
  return Status::success();
}

} // namespace

Status relayout::emitScheduledNests(OpBuilder &b, Location loc, const Movement &movement,
                                    TypedAttr fill, const std::vector<Piece> &pieces,
                                    const Schedule &schedule) {
  if (schedule.sweep == 0)
    return emitPieces(b, loc, movement, fill, pieces, schedule);
  Movement part = movement;
  if (!movement.begin) {
    part.begin = arith::ConstantIndexOp::create(b, loc, 0);
    part.end = arith::ConstantIndexOp::create(b, loc, unitCount(schedule, movement.problem));
  }
  auto sweep = SweepOp::create(b, loc, part.begin, part.end, b.getI64IntegerAttr(schedule.sweep));
  OpBuilder::InsertionGuard insertion(b);
  Block *body =
      b.createBlock(&sweep.getBody(), {}, {b.getIndexType(), b.getIndexType()}, {loc, loc});
  part.begin = body->getArgument(0);
  part.end = body->getArgument(1);
  return emitPieces(b, loc, part, fill, pieces, schedule);
}
