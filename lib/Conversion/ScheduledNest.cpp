// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScheduledNest.h"

#include "Address.h"
#include "BlockFetch.h"
#include "BlockPack.h"
#include "PieceNests.h"

#include "relayout/IR/Relayout.h"
#include "relayout/Support/CacheLine.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace relayout;

namespace {

/// Tiles ahead at which output lines are fetched for writing.
constexpr int64_t kWriteAhead = 2;

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

/// True if the first byte of `memref` lies on a line.
Value isOnLine(OpBuilder &b, Location loc, Value memref) {
  Value address = addressOf(b, loc, memref, Value());
  Value mask = arith::ConstantIndexOp::create(b, loc, kLineBytes - 1);
  Value phase = arith::AndIOp::create(b, loc, address, mask);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, phase, zero);
}

/// How many elements further the tile lies `tiles` steps of the innermost loop later that is not
/// over segments.
int64_t ahead(const Problem &piece, const PieceSchedule &schedule, int64_t tiles,
              int64_t Digit::*stride) {
  size_t i = schedule.loops.size();
  while (i > 0 && isOverSegments(schedule.loops, i - 1))
    --i;
  if (i == 0)
    return 0;
  const Loop &inner = schedule.loops[i - 1];
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
} // namespace

TileOp PieceNests::addTile(OpBuilder &b, Location loc, const Problem &moved,
                           const PieceSchedule &schedule, Value in, Value dest, Value out) const {
  SmallVector<Digit> digits;
  for (auto [digit, taken] : llvm::zip_equal(moved.digits, schedule.tile))
    if (taken > 1)
      digits.push_back({taken, digit.inStride, digit.outStride});
  int64_t readAhead = in ? schedule.prefetch : 0;
  int64_t writeAhead = schedule.store == StoreMode::Prefetch
                           ? ahead(moved, schedule, kWriteAhead, &Digit::outStride)
                           : 0;
  DenseI64ArrayAttr prefetch;
  if (readAhead != 0 || writeAhead != 0)
    prefetch = b.getDenseI64ArrayAttr({readAhead, writeAhead});
  IntegerAttr vector, cache, near;
  if (readAhead != 0 && schedule.cache != 1)
    cache = b.getI64IntegerAttr(schedule.cache);
  if (in && schedule.near != 0)
    near = b.getI64IntegerAttr(schedule.near);
  if (schedule.vectorBytes != 0)
    vector = b.getI64IntegerAttr(schedule.vectorBytes);
  bool streams = schedule.store == StoreMode::NonTemporal && !schedule.stage;
  DenseI64ArrayAttr border = borderOf(b, moved, schedule.tile);
  Value source = schedule.pack ? movement.scratch : movement.in;
  return TileOp::create(b, loc, in ? source : Value(), in, dest, out, streams ? onLine : Value(),
                        /*kept=*/Value(), /*keptIndex=*/Value(), in && !border ? TypedAttr() : fill,
                        border, DigitsAttr::get(b.getContext(), digits), vector, prefetch, cache,
                        near, /*lines=*/DenseI64ArrayAttr());
}

Problem PieceNests::movedByTiles(const PieceSchedule &schedule) const {
  if (!schedule.pack || !copies)
    return piece;
  PackedBlock block = packedBlock(piece, schedule);
  Problem moved = piece;
  moved.inOffset = block.first;
  for (auto [digit, stride] : llvm::zip_equal(moved.digits, block.strides))
    digit.inStride = stride;
  return moved;
}

void PieceNests::readBlocks(OpBuilder &b, Location loc, const PieceSchedule &schedule,
                            NestEmitter &nest) const {
  if (schedule.touch && copies)
    nest.emitAt(*schedule.touch,
                [&, loc] { emitBlockTouch(b, loc, nest, piece, schedule, movement.in); });
  if (schedule.pack && copies)
    nest.emitAt(*schedule.pack, [&, loc] {
      emitBlockPack(b, loc, nest, piece, schedule, movement.in, movement.scratch);
    });
}

void PieceNests::emit(OpBuilder &b, Location loc, const PieceSchedule &schedule) const {
  Problem moved = movedByTiles(schedule);
  NestEmitter nest(b, loc, moved, schedule.loops, schedule.tile, start(moved));
  if (cut)
    nest.clip(*cut);
  readBlocks(b, loc, schedule, nest);
  nest.emit([&](Value in, Value out) {
    if (schedule.fetch && copies)
      emitBlockFetch(b, loc, nest, piece, schedule, movement.in);
    addTile(b, loc, moved, schedule, in, movement.out, out);
  });
}

namespace {

/// Emits all pieces for the units of `movement`.
Status emitPieces(OpBuilder &b, Location loc, const NestMovement &movement, TypedAttr fill,
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

Status relayout::emitScheduledNests(OpBuilder &b, Location loc, const NestMovement &movement,
                                    TypedAttr fill, const std::vector<Piece> &pieces,
                                    const Schedule &schedule) {
  if (schedule.sweep == 0)
    return emitPieces(b, loc, movement, fill, pieces, schedule);
  NestMovement part = movement;
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
