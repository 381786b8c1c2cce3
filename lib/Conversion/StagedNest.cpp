// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Staged pieces: blocks are put together in scratch memory and written in their long runs.

#include "BlockFetch.h"
#include "BlockPack.h"
#include "PieceNests.h"

#include "relayout/IR/Relayout.h"
#include "relayout/Layout/CheckedMath.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace relayout;

namespace {

/// Runs ahead at which the lines at their ends are fetched for writing.
constexpr int64_t kRunsAhead = 4;
/// What a visit to a block fetches at once; of more the processor waits for the first.
constexpr int64_t kLinesAtOnce = 16;
/// Lines that a run writes between those that it fetches.
constexpr int64_t kLinesBetween = 8;
constexpr int64_t kLineBytes = 64;
/// Rows of a block from which on those that go on at both sides stand by themselves.
constexpr int64_t kManyRows = 4;

class StagedEmitter {
public:
  StagedEmitter(OpBuilder &b, Location loc, const PieceNests &nests, const PieceSchedule &schedule)
      : b(b), loc(loc), nests(nests), schedule(schedule), block(stagedBlock(nests.piece, schedule)),
        moved(nests.movedByTiles(schedule)), loops(schedule.loops),
        blocks(b, loc, moved, loops.take_front(*schedule.stage), block.extents,
               nests.start(moved)) {}

  void emit() {
    if (nests.cut)
      blocks.clip(*nests.cut);
    auto touch = [&] { emitBlockTouch(b, loc, blocks, nests.piece, schedule, nests.movement.in); };
    if (schedule.touch)
      blocks.emitAt(*schedule.touch, touch);
    auto pack = [&] {
      emitBlockPack(b, loc, blocks, nests.piece, schedule, nests.movement.in,
                    nests.movement.scratch);
    };
    if (schedule.pack)
      blocks.emitAt(*schedule.pack, pack);
    blocks.emit([&](Value in, Value out) {
      if (schedule.fetch && !fetchesBeside())
        emitBlockFetch(b, loc, blocks, nests.piece, schedule, nests.movement.in);
      if (!block.fromInput && !carriesTiles())
        addTiles(in);
      addRuns(in, out);
    });
  }

private:
  /// A run of the loops that continue it.
  struct Ends {
    Value first, last; ///< whether no run goes before or behind it
    Value repeated;    ///< elements at its beginning that the block before has written

    bool isNone() const { return matchPattern(first, m_Zero()) && matchPattern(last, m_Zero()); }
  };

  /// True if the next block is fetched while runs are written, since it is too much at once, and
  /// nothing else is read then.
  bool fetchesBeside() const {
    constexpr int64_t kLeastLines = 3; // of a run, so that some of them are whole
    return schedule.fetch && block.run >= kLeastLines * lineElements() &&
           linesFetched(nests.piece, schedule, *schedule.stage) > kLinesAtOnce;
  }

  /// Lets `run`, whose row of the block's `rows` is `row`, fetch its share of the next block.
  void fetchBeside(RunOp run, Value row, int64_t rows) {
    int64_t every = kLinesBetween * lineElements(), parts = ceilDiv(block.run, every);
    run.setEvery(every);
    OpBuilder::InsertionGuard insertion(b);
    Block *body = b.createBlock(&run.getBeside(), {}, b.getIndexType(), loc);
    AffineExpr place = b.getAffineDimExpr(0).floorDiv(every);
    SmallVector<Value> operands{body->getArgument(0)};
    if (row) {
      place = place + b.getAffineDimExpr(1) * parts;
      operands.push_back(row);
    }
    Value part =
        affine::AffineApplyOp::create(b, loc, AffineMap::get(operands.size(), 0, place), operands);
    emitBlockFetch(b, loc, blocks, nests.piece, schedule, nests.movement.in, {rows * parts, part});
  }

  /// True if the block is one tile whose rows are a few lines long each, which a tile can join with
  /// what waits without scratch memory in between, where no row begins or ends.
  bool carriesTiles() const {
    constexpr int64_t kMostVectors = 32; // of larger tiles two take long to compile
    int64_t elements = 1;
    for (int64_t extent : block.extents)
      elements *= extent;
    return schedule.carry && !block.fromInput && *schedule.stage == loops.size() &&
           schedule.vectorBytes == kLineBytes && block.run % lineElements() == 0 &&
           nests.piece.width > 1 && nests.piece.read.empty() && elements / block.run >= kManyRows &&
           elements / lineElements() <= kMostVectors;
  }

  /// The tile of a block in the middle of its runs, of which lines from `kept` on wait.
  void addCarriedTile(Value in, Value out, Subscript kept) {
    TileOp tile = nests.addTile(b, loc, moved, schedule, in, nests.movement.out, out);
    OpBuilder::InsertionGuard insertion(b);
    b.setInsertionPoint(tile);
    SmallVector<int64_t> lines;
    for (auto [d, taken] : llvm::enumerate(schedule.tile))
      if (taken > 1)
        lines.push_back(nests.piece.digits[d].outStride < block.run ? 0 : block.keptStrides[d]);
    tile.getKeptMutable().assign(nests.movement.scratch);
    tile.getKeptIndexMutable().assign(kept.get(b, loc));
    tile.setLines(lines);
  }

  void addTiles(Value in) {
    Problem inner;
    inner.width = nests.piece.width;
    for (auto [d, digit] : llvm::enumerate(moved.digits))
      inner.digits.push_back({block.extents[d], digit.inStride, block.strides[d]});
    inner.read = nests.piece.read;
    NestEmitter nest(b, loc, inner, loops.drop_front(*schedule.stage), schedule.tile,
                     {Subscript(in, 0), Subscript(Value(), block.first)});
    nest.emit([&](Value from, Value to) {
      nests.addTile(b, loc, inner, schedule, from, nests.movement.scratch, to);
    });
  }

  /// The runs of the block, from scratch memory to the output at `out`; or from the input at
  /// `in`, where that has them.
  void addRuns(Value in, Value out) {
    Problem rows; // `inStride` is that of where the runs are
    SmallVector<unsigned> digits;
    for (unsigned d = 0; d < block.extents.size(); ++d)
      if (block.extents[d] > 1 && nests.piece.digits[d].outStride >= block.run)
        digits.push_back(d);
    llvm::sort(digits, [&](unsigned x, unsigned y) {
      return nests.piece.digits[x].outStride > nests.piece.digits[y].outStride;
    });
    SmallVector<Loop> rowLoops;
    for (auto [i, d] : llvm::enumerate(digits)) {
      const Digit &digit = nests.piece.digits[d];
      int64_t stride = block.fromInput ? digit.inStride : block.strides[d];
      rows.digits.push_back({block.extents[d], stride, digit.outStride});
      rowLoops.push_back({static_cast<unsigned>(i), 1});
    }
    SmallVector<int64_t> one(digits.size(), 1);
    Subscript from = block.fromInput ? Subscript(in, 0) : Subscript(Value(), block.first);
    auto makeNest = [&] {
      return NestEmitter(b, loc, rows, rowLoops, one, {from, Subscript(out, 0)});
    };
    if (!schedule.carry) {
      NestEmitter nest = makeNest();
      return nest.emit([&](Value from, Value to) { addRun(rows, nest, from, to); });
    }
    Subscript kept = firstKept();
    auto emitRows = [&](const Ends &ends) {
      NestEmitter nest = makeNest();
      // A row that the block before it has would be carried on twice.
      for (auto [i, d] : llvm::enumerate(digits))
        nest.leaveOut(i, blocks, d);
      nest.emit([&](Value from, Value to) {
        Subscript line = kept;
        Value joined; // its value in the block, null: 0
        for (auto [i, d] : llvm::enumerate(digits)) {
          line.add(b, loc, nest.variable(i), block.keptStrides[d]);
          joined = block.joined == d ? nest.variable(i) : joined;
        }
        RunOp run = addCarriedRun(from, to, line, ends);
        OpBuilder::InsertionGuard insertion(b);
        b.setInsertionPoint(run);
        if (block.joined && !ends.isNone())
          addHeads(run, line, joined);
        if (fetchesBeside())
          fetchBeside(run, numberOf(rows, nest), rowsOf(rows));
      });
    };
    if (!carriesTiles())
      return emitBetweenEnds(rowsOf(rows), emitRows, emitRows);
    auto emitBlock = [&](const Ends &ends) {
      addTiles(in);
      emitRows(ends);
    };
    emitBetweenEnds(rowsOf(rows), emitBlock, [&](const Ends &) { addCarriedTile(in, out, kept); });
  }

  /// Emits a block by `emitAny`; of many rows, by `emitMiddle` where its runs go on at both sides,
  /// so that none asks for what holds for all.
  void emitBetweenEnds(int64_t rows, llvm::function_ref<void(const Ends &)> emitAny,
                       llvm::function_ref<void(const Ends &)> emitMiddle) {
    Ends ends = endsOfRuns();
    if (rows < kManyRows || matchPattern(ends.first, m_One()))
      return emitAny(ends);
    Value isEnd = arith::OrIOp::create(b, loc, ends.first, ends.last);
    if (!matchPattern(ends.repeated, m_Zero()))
      isEnd = arith::OrIOp::create(b, loc, isEnd, isNonzero(ends.repeated));
    if (carriesTiles())
      for (unsigned d = 0; d < block.extents.size(); ++d)
        if (Value repeated = block.along[d] ? Value() : blocks.repeated(d))
          isEnd = arith::OrIOp::create(b, loc, isEnd, isNonzero(repeated));
    auto choice = scf::IfOp::create(b, loc, isEnd, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard insertion(b);
    b.setInsertionPointToStart(choice.thenBlock());
    emitAny(ends);
    b.setInsertionPointToStart(choice.elseBlock());
    Value no = arith::ConstantOp::create(b, loc, b.getBoolAttr(false));
    emitMiddle({no, no, constant(0)});
  }

  /// The part at `from` of a run, which goes on where `ends` do not say that it ends.
  RunOp addCarriedRun(Value from, Value to, Subscript line, const Ends &ends) {
    Value source = block.fromInput ? nests.movement.in : nests.movement.scratch;
    auto run = RunOp::create(b, loc, source, from, nests.movement.out, to, block.run,
                             schedule.vectorBytes, /*nonTemporal=*/true);
    run.setExact(block.fromInput);
    if (block.fromInput && schedule.prefetch != 0) {
      run.setPrefetch(schedule.prefetch);
      if (schedule.cache != 1)
        run.setCache(schedule.cache);
    }
    OpBuilder::InsertionGuard insertion(b);
    b.setInsertionPoint(run);
    run.getKeptMutable().assign(nests.movement.scratch);
    run.getKeptIndexMutable().assign(line.get(b, loc));
    run.getRepeatedMutable().assign(ends.repeated);
    run.getFirstMutable().assign(ends.first);
    run.getLastMutable().assign(ends.last);
    return run;
  }

  static int64_t rowsOf(const Problem &rows) {
    int64_t number = 1;
    for (const Digit &digit : rows.digits)
      number *= digit.extent;
    return number;
  }

  /// Which of `rows` the body of `nest` is at; null: there is one.
  Value numberOf(const Problem &rows, NestEmitter &nest) {
    AffineExpr number = b.getAffineConstantExpr(0);
    SmallVector<Value> variables;
    for (auto [i, digit] : llvm::enumerate(rows.digits)) {
      number = number * digit.extent + b.getAffineDimExpr(i);
      variables.push_back(nest.variable(i));
    }
    if (variables.empty())
      return Value();
    return affine::AffineApplyOp::create(b, loc, AffineMap::get(variables.size(), 0, number),
                                         variables);
  }

  /// Lets `run`, whose kept line is `line`, meet the runs beside it: the one at the next value of
  /// the joined digit begins where it ends.
  void addHeads(RunOp run, Subscript line, Value inBlock) {
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
    // Units that cut the runs leave parts of them to others.
    for (unsigned along : digitsAlong())
      if (Value cut = isCut(along)) {
        Value whole = arith::XOrIOp::create(b, loc, cut,
                                            arith::ConstantOp::create(b, loc, b.getBoolAttr(true)));
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

  void addRun(const Problem &rows, NestEmitter &nest, Value from, Value to) {
    if (!rows.digits.empty())
      prefetchEnds(to, kRunsAhead * rows.digits.back().outStride);
    Value number = fetchesBeside() ? numberOf(rows, nest) : Value();
    auto run =
        RunOp::create(b, loc, nests.movement.scratch, from, nests.movement.out, to, block.run,
                      schedule.vectorBytes, schedule.store == StoreMode::NonTemporal);
    if (fetchesBeside())
      fetchBeside(run, number, rowsOf(rows));
  }

  /// Fetches the lines at both ends of a run for writing: stores of parts of them would
  /// hold up all later ones.
  void prefetchEnds(Value run, int64_t ahead) {
    for (int64_t offset : {ahead, ahead + block.run - 1}) {
      AffineMap map = AffineMap::get(1, 0, b.getAffineDimExpr(0) + offset);
      Value at = affine::AffineApplyOp::create(b, loc, map, run);
      memref::PrefetchOp::create(b, loc, nests.movement.out, ValueRange{at}, /*isWrite=*/true,
                                 /*localityHint=*/3, /*isDataCache=*/true);
    }
  }

  /// The kept line of the block's first run.
  Subscript firstKept() {
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
  Value segmentOf(unsigned d) {
    size_t i = *segmentLoop(schedule.loops, d);
    AffineMap number = AffineMap::get(1, 0, b.getAffineDimExpr(0).floorDiv(loops[i].step));
    return affine::AffineApplyOp::create(b, loc, number, blocks.segment(d));
  }

  /// Elements at the beginning of each run that the block before has written.
  Value repeatedElements() {
    for (unsigned d = 0; d < block.along.size(); ++d)
      if (block.along[d] && nests.piece.digits[d].outStride < block.run)
        if (Value repeated = blocks.repeated(d)) {
          AffineMap map =
              AffineMap::get(1, 0, b.getAffineDimExpr(0) * nests.piece.digits[d].outStride);
          return affine::AffineApplyOp::create(b, loc, map, repeated);
        }
    return arith::ConstantIndexOp::create(b, loc, 0);
  }

  /// The digits over whose loops runs go on, in the order of the output.
  SmallVector<unsigned> digitsAlong() const {
    SmallVector<unsigned> digits;
    for (unsigned d = 0; d < block.along.size(); ++d)
      if (block.along[d])
        digits.push_back(d);
    llvm::sort(digits, [&](unsigned x, unsigned y) {
      return nests.piece.digits[x].outStride < nests.piece.digits[y].outStride;
    });
    return digits;
  }

  /// Whether the units to do cut the runs, so that they do not go on beyond the values of `d`;
  /// null: they do not.
  Value isCut(unsigned d) {
    if (!nests.cut || nests.cut->digit != d)
      return Value();
    Value zero = arith::ConstantIndexOp::create(b, loc, 0);
    Value extent = arith::ConstantIndexOp::create(b, loc, nests.piece.digits[d].extent);
    auto differ = arith::CmpIPredicate::ne;
    Value begins = arith::CmpIOp::create(b, loc, differ, nests.cut->begin, zero);
    Value ends = arith::CmpIOp::create(b, loc, differ, nests.cut->end, extent);
    return arith::OrIOp::create(b, loc, begins, ends);
  }

  /// Whether the block is the last one along `d` from `low` on, or of its segment; the innermost
  /// loop over blocks of `d` is `loops[i]`.
  Value isLast(unsigned d, unsigned i, Value low) {
    Value next = sum(blocks.variable(i), constant(loops[i].step));
    std::optional<size_t> segments = segmentLoop(schedule.loops, d);
    if (!segments)
      return isAtLeast(next, blocks.end(d, *schedule.carry));
    Value ofSegment = isAtLeast(next, sum(low, constant(loops[*segments].step)));
    Value ofAll = isAtLeast(sum(next, blocks.segment(d)), blocks.end(d, *schedule.carry));
    return arith::OrIOp::create(b, loc, ofSegment, ofAll);
  }

  Ends endsOfRuns() {
    Ends ends;
    Value cut;
    for (unsigned d : digitsAlong()) {
      unsigned i = *schedule.stage - 1; // the innermost loop over it that is not over segments
      while (loops[i].digit != d || isOverSegments(schedule.loops, i))
        --i;
      Value low = blocks.lowest(d, *schedule.carry);
      low = low ? low : constant(0);
      auto equal = arith::CmpIPredicate::eq;
      ends.first =
          both(ends.first, arith::CmpIOp::create(b, loc, equal, blocks.variable(i), low), cut);
      ends.last = both(ends.last, isLast(d, i, low), cut);
      cut = cut ? cut : isCut(d);
    }
    ends.repeated = repeatedElements();
    if (!ends.first)
      ends.first = ends.last = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
    return ends;
  }

  int64_t lineElements() const { return kLineBytes / nests.piece.width; }
  Value constant(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }
  Value sum(Value x, Value y) { return arith::AddIOp::create(b, loc, x, y); }
  Value isNonzero(Value x) {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, x, constant(0));
  }
  Value isAtLeast(Value x, Value y) {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, x, y);
  }

  /// `x` (null: true) and `y`, which counts where not `unless` (null: false).
  Value both(Value x, Value y, Value unless) {
    if (unless)
      y = arith::OrIOp::create(b, loc, y, unless);
    return x ? arith::AndIOp::create(b, loc, x, y).getResult() : y;
  }

  OpBuilder &b;
  Location loc;
  const PieceNests &nests;
  const PieceSchedule &schedule;
  StagedBlock block;
  Problem moved; ///< as the tiles see it
  ArrayRef<Loop> loops;
  NestEmitter blocks;
};

} // namespace

void PieceNests::emitStaged(OpBuilder &b, Location loc, const PieceSchedule &schedule) const {
  StagedEmitter(b, loc, *this, schedule).emit();
}
