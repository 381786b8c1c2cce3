// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Staged pieces: blocks are put together in scratch memory and written in their long runs.

#include "BlockFetch.h"
#include "BlockTiles.h"
#include "PieceNests.h"
#include "RunEnds.h"

#include "relayout/IR/Relayout.h"
#include "relayout/Layout/CheckedMath.h"
#include "relayout/Support/CacheLine.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

#include <algorithm>

using namespace mlir;
using namespace relayout;

namespace {

/// Runs ahead at which the lines at their ends are fetched for writing.
constexpr int64_t kRunsAhead = 4;
/// What a visit to a block fetches at once; of more the processor waits for the first.
constexpr int64_t kLinesAtOnce = 16;
/// Lines that a run writes between those that it fetches.
constexpr int64_t kLinesBetween = 8;
/// Rows of a block from which on those that go on at both sides stand by themselves.
constexpr int64_t kManyRows = 4;

class StagedEmitter {
public:
  StagedEmitter(OpBuilder &b, Location loc, const PieceNests &nests, const PieceSchedule &schedule)
      : b(b), loc(loc), nests(nests), schedule(schedule), block(stagedBlock(nests.piece, schedule)),
        windows(windowsOf(nests.piece, schedule)), moved(nests.movedByTiles(schedule)),
        loops(schedule.loops),
        blocks(b, loc, moved, loops.take_front(*schedule.stage), block.extents, nests.start(moved)),
        runEnds(b, loc, nests, schedule, block, blocks) {}

  void emit() {
    if (nests.cut)
      blocks.clip(*nests.cut);
    for (const DigitRange *crop : windows.crops)
      blocks.keepWithin(*crop);
    if (block.fromInput && !windows.reads.empty())
      fillRun();
    nests.readBlocks(b, loc, schedule, blocks);
    blocks.emit([&](Value in, Value out) {
      if (fetches() && !fetchesBeside() && !fetchesInTiles())
        emitFetch({});
      if (!block.fromInput && !carriesTiles())
        addTiles(in);
      addRunsWithin(in, out);
    });
  }

private:
  /// Fills the run in scratch memory that is written where blocks lie beyond a border.
  void fillRun() {
    Problem run;
    run.width = nests.piece.width;
    run.digits = {{block.run, 0, 1}};
    PieceSchedule own = schedule;
    own.tile = {std::min(block.run, kLinesAtOnce * lineElements())};
    SmallVector<Loop> loops{{0, own.tile[0]}};
    NestEmitter nest(b, loc, run, loops, own.tile, {std::nullopt, Subscript(Value(), block.first)});
    nest.emit([&](Value, Value to) {
      nests.addTile(b, loc, run, own, /*in=*/Value(), nests.movement.scratch, to);
    });
  }

  bool fetches() const { return schedule.fetch && nests.copies; }

  /// True if the next block is fetched while runs are written, since it is too much at once, and
  /// nothing else is read then.
  bool fetchesBeside() const {
    constexpr int64_t kLeastLines = 3; // of a run, so that some of them are whole
    return fetches() && block.run >= kLeastLines * lineElements() &&
           linesFetched(nests.piece, schedule, *schedule.stage) > kLinesAtOnce;
  }

  /// True if the tiles of a block fetch the next one between them: too much at once for runs that
  /// are too short to do so.
  bool fetchesInTiles() const {
    return fetches() && !fetchesBeside() && !block.fromInput && !carriesTiles() &&
           *schedule.stage < loops.size() &&
           linesFetched(nests.piece, schedule, *schedule.stage) > 2 * kLinesAtOnce;
  }

  /// Lets `run`, whose row of the block's `rows` is `row`, fetch its share of the next block: at
  /// once if it writes a few lines, or beside them. Its first and last line may be parts of lines,
  /// beside which nothing is fetched.
  void fetchBeside(RunOp run, Value row, int64_t rows) {
    int64_t every = kLinesBetween * lineElements(), whole = block.run - 2 * (lineElements() - 1);
    int64_t parts = std::max<int64_t>(1, ceilDiv(whole, every));
    OpBuilder::InsertionGuard insertion(b);
    if (parts == 1) {
      b.setInsertionPoint(run);
      return emitFetch({rows, row});
    }
    run.setEvery(every);
    Block *body = b.createBlock(&run.getBeside(), {}, b.getIndexType(), loc);
    Value part = arith::DivUIOp::create(b, loc, body->getArgument(0), constant(every));
    if (row)
      part =
          arith::AddIOp::create(b, loc, arith::MulIOp::create(b, loc, row, constant(parts)), part);
    emitFetch({rows * parts, part});
  }

  void emitFetch(FetchShare share) {
    emitBlockFetch(b, loc, blocks, nests.piece, schedule, nests.movement.in, share);
  }

  /// True if the block is one tile whose rows are a few lines long each, which a tile can join with
  /// what waits without scratch memory in between, where no row begins or ends. Rows beside which
  /// something is fetched are written one by one.
  bool carriesTiles() const {
    constexpr int64_t kMostVectors = 32; // of larger tiles two take long to compile
    int64_t elements = llvm::product_of(block.extents);
    return nests.copies && schedule.carry && !block.fromInput && *schedule.stage == loops.size() &&
           schedule.vectorBytes == kLineBytes && block.run % lineElements() == 0 &&
           !nests.piece.hasWindows() && elements / block.run >= kManyRows &&
           elements / lineElements() <= kMostVectors && !fetchesBeside();
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
    auto fetch = [&](FetchShare share) { emitFetch(share); };
    BlockTiles tiles(b, loc, nests, schedule, block, blocks);
    tiles.emit(moved, in, fetchesInTiles() ? fetch : llvm::function_ref<void(FetchShare)>());
  }

  /// The rows of a block, each of a run. Digits over rows that lie furthest apart in the output
  /// come first.
  struct Rows {
    Problem problem;              ///< `inStride` is that of where the runs are
    SmallVector<unsigned> digits; ///< of the piece
    SmallVector<Loop> loops;
    SmallVector<int64_t> one; ///< at a time

    int64_t number() const {
      return llvm::product_of(
          llvm::map_range(problem.digits, [](const Digit &digit) { return digit.extent; }));
    }
  };

  /// Those of a block; `in` is null where its runs do not come from the input.
  Rows rowsOfBlock(Value in) const {
    Rows rows;
    for (unsigned d = 0; d < block.extents.size(); ++d)
      if (block.extents[d] > 1 && nests.piece.digits[d].outStride >= block.run)
        rows.digits.push_back(d);
    llvm::sort(rows.digits, [&](unsigned x, unsigned y) {
      return nests.piece.digits[x].outStride > nests.piece.digits[y].outStride;
    });
    for (auto [i, d] : llvm::enumerate(rows.digits)) {
      const Digit &digit = nests.piece.digits[d];
      int64_t stride = block.fromInput ? (in ? digit.inStride : 0) : block.strides[d];
      rows.problem.digits.push_back({block.extents[d], stride, digit.outStride});
      rows.loops.push_back({static_cast<unsigned>(i), 1});
      rows.one.push_back(1);
    }
    return rows;
  }

  /// The nest over `rows`, from scratch memory to the output at `out`; or from the input at `in`,
  /// where that has the runs; the one that is filled, if `in` is null.
  NestEmitter nestOver(const Rows &rows, Value in, Value out) {
    Subscript from = block.fromInput && in ? Subscript(in, 0) : Subscript(Value(), block.first);
    return NestEmitter(b, loc, rows.problem, rows.loops, rows.one,
                       {from, Subscript(out, block.cropped)});
  }

  /// The runs of the block, which may lie beyond a border.
  void addRunsWithin(Value in, Value out) {
    if (!block.fromInput)
      return addRuns(in, out);
    emitWithin(
        b, loc, windows.reads, [&](const DigitRange &range) { return blocks.sumOf(range); },
        [&] { addRuns(in, out); }, [&] { addRuns(/*in=*/Value(), out); });
  }

  /// The runs of the block.
  void addRuns(Value in, Value out) {
    Rows rows = rowsOfBlock(in);
    if (!schedule.carry) {
      NestEmitter nest = nestOver(rows, in, out);
      return nest.emit([&](Value from, Value to) { addRun(rows, nest, from, to); });
    }
    Subscript kept = runEnds.firstKept();
    auto emitRows = [&](const Ends &ends) { addCarriedRuns(rows, in, out, kept, ends); };
    if (!carriesTiles())
      return emitBetweenEnds(rows.number(), emitRows, emitRows);
    auto emitBlock = [&](const Ends &ends) {
      addTiles(in);
      emitRows(ends);
    };
    emitBetweenEnds(rows.number(), emitBlock, [&](const Ends &) { addCarriedTile(in, out, kept); });
  }

  /// The parts of runs that the block has, with `ends`; lines from `kept` on wait for them.
  void addCarriedRuns(const Rows &rows, Value in, Value out, Subscript kept, const Ends &ends) {
    NestEmitter nest = nestOver(rows, in, out);
    // A row that the block before it has would be carried on twice.
    for (auto [i, d] : llvm::enumerate(rows.digits))
      nest.leaveOut(i, blocks, d);
    nest.emit([&](Value from, Value to) {
      Subscript line = kept;
      Value joined; // its value in the block, null: 0
      for (auto [i, d] : llvm::enumerate(rows.digits)) {
        line.add(b, loc, nest.variable(i), block.keptStrides[d]);
        joined = block.joined == d ? nest.variable(i) : joined;
      }
      RunOp run = addCarriedRun(from, to, line, ends, /*isRead=*/block.fromInput && in);
      OpBuilder::InsertionGuard insertion(b);
      b.setInsertionPoint(run);
      if (block.joined && !ends.isNone())
        runEnds.addHeads(run, line, joined);
      if (fetchesBeside())
        fetchBeside(run, numberOf(rows, nest), rows.number());
    });
  }

  /// Emits a block by `emitAny`; of many rows, by `emitMiddle` where its runs go on at both sides,
  /// so that none asks for what holds for all.
  void emitBetweenEnds(int64_t rows, llvm::function_ref<void(const Ends &)> emitAny,
                       llvm::function_ref<void(const Ends &)> emitMiddle) {
    Ends ends = runEnds.ofBlock();
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

  /// The part at `from`, in scratch memory or of the input if it `isRead`, of a run, which goes on
  /// where `ends` do not say that it ends.
  RunOp addCarriedRun(Value from, Value to, Subscript line, const Ends &ends, bool isRead) {
    Value source = isRead ? nests.movement.in : nests.movement.scratch;
    auto run = RunOp::create(b, loc, source, from, nests.movement.out, to, block.run,
                             schedule.vectorBytes, /*nonTemporal=*/true);
    run.setExact(isRead);
    if (isRead && schedule.prefetch != 0) {
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

  /// Which of `rows` the body of `nest` is at; null: there is one.
  Value numberOf(const Rows &rows, NestEmitter &nest) {
    AffineExpr number = b.getAffineConstantExpr(0);
    SmallVector<Value> variables;
    for (auto [i, digit] : llvm::enumerate(rows.problem.digits)) {
      number = number * digit.extent + b.getAffineDimExpr(i);
      variables.push_back(nest.variable(i));
    }
    if (variables.empty())
      return Value();
    return affine::AffineApplyOp::create(b, loc, AffineMap::get(variables.size(), 0, number),
                                         variables);
  }

  void addRun(const Rows &rows, NestEmitter &nest, Value from, Value to) {
    if (!rows.digits.empty())
      prefetchEnds(to, kRunsAhead * rows.problem.digits.back().outStride);
    Value number = fetchesBeside() ? numberOf(rows, nest) : Value();
    auto run =
        RunOp::create(b, loc, nests.movement.scratch, from, nests.movement.out, to, block.run,
                      schedule.vectorBytes, schedule.store == StoreMode::NonTemporal);
    if (fetchesBeside())
      fetchBeside(run, number, rows.number());
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

  int64_t lineElements() const { return kLineBytes / nests.piece.width; }
  Value constant(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }
  Value isNonzero(Value x) {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, x, constant(0));
  }

  OpBuilder &b;
  Location loc;
  const PieceNests &nests;
  const PieceSchedule &schedule;
  StagedBlock block;
  PieceWindows windows;
  Problem moved; ///< as the tiles see it
  ArrayRef<Loop> loops;
  NestEmitter blocks;
  RunEnds runEnds; ///< with a carry
};

} // namespace

void PieceNests::emitStaged(OpBuilder &b, Location loc, const PieceSchedule &schedule) const {
  StagedEmitter(b, loc, *this, schedule).emit();
}
