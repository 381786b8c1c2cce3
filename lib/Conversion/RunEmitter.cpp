// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RunEmitter.h"

#include "Address.h"
#include "LineWriter.h"
#include "TurnedLine.h"

#include "relayout/Support/CacheLine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace relayout;

namespace {

class Emitter {
public:
  Emitter(OpBuilder &b, RunOp run, const TargetInfo &target, int64_t alignment)
      : b(b), loc(run.getLoc()), run(run), target(target),
        element(cast<IntegerType>(getElementTypeOrSelf(run.getDest().getType()))),
        width(element.getWidth() / 8), perLine(kLineBytes / width),
        count(run.getCountAttr().getInt()) {
    if (run.getNonTemporal())
      lines.emplace(b, loc, run.getDest(), alignment);
  }

  void emit() {
    if (run.getKept())
      return emitKept();
    Value head = run.getNonTemporal() ? beforeFirstLine() : constant(0);
    Value left = arith::SubIOp::create(b, loc, constant(count), head);
    Value tail = arith::AndIOp::create(b, loc, left, constant(perLine - 1));
    Value end = arith::SubIOp::create(b, loc, constant(count), tail);
    if (run.getNonTemporal())
      emitPart(constant(0), head);
    emitLines(head, end);
    emitPart(end, tail);
  }

private:
  Value constant(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }
  VectorType vectorOf(int64_t elements) { return VectorType::get({elements}, element); }
  llvm::MaybeAlign alignment() const { return llvm::Align(width); }
  Value from(Value at) { return arith::AddIOp::create(b, loc, run.getSourceIndex(), at); }
  Value to(Value at) { return arith::AddIOp::create(b, loc, run.getDestIndex(), at); }

  /// Elements of the run before the first whole line, at most all.
  Value beforeFirstLine() {
    Value address = addressOf(b, loc, run.getDest(), run.getDestIndex());
    Value before = arith::AndIOp::create(
        b, loc, arith::SubIOp::create(b, loc, constant(0), address), constant(kLineBytes - 1));
    Value elements = arith::DivUIOp::create(b, loc, before, constant(width));
    if (count >= perLine)
      return elements;
    return arith::MinUIOp::create(b, loc, elements, constant(count));
  }

  /// The whole lines from element `first` of the run on, up to `end`, and what is done beside them.
  void emitLines(Value first, Value end) {
    OpBuilder::InsertionGuard insertion(b);
    if (IntegerAttr every = run.getEveryAttr()) {
      auto sweep = SweepOp::create(b, loc, first, end, every);
      Block *body =
          b.createBlock(&sweep.getBody(), {}, {b.getIndexType(), b.getIndexType()}, {loc, loc});
      first = body->getArgument(0);
      end = body->getArgument(1);
      IRMapping mapping;
      mapping.map(run.getBeside().getArgument(0), first);
      for (Operation &op : run.getBeside().front())
        b.clone(op, mapping);
    }
    auto loop = scf::ForOp::create(b, loc, first, end, constant(perLine));
    b.setInsertionPointToStart(loop.getBody());
    emitLine(loop.getInductionVar());
  }

  /// One line from element `at` of the run on.
  void emitLine(Value at) {
    prefetch(at);
    int64_t vector = *run.getVectorBytes() / width;
    for (int64_t first = 0; first < perLine; first += vector) {
      Value here = first == 0 ? at : arith::AddIOp::create(b, loc, at, constant(first)).getResult();
      move(here, vector, run.getNonTemporal());
    }
    if (lines)
      lines->flush();
  }

  void prefetch(Value at) {
    if (std::optional<uint64_t> ahead = run.getPrefetch()) {
      Value then = arith::AddIOp::create(b, loc, from(at), constant(*ahead));
      memref::PrefetchOp::create(b, loc, run.getSource(), ValueRange{then}, /*isWrite=*/false,
                                 localityOf(run.getCache().value_or(1)), /*isDataCache=*/true);
    }
  }

  void move(Value at, int64_t elements, bool nonTemporal) {
    Value loaded = vector::LoadOp::create(b, loc, vectorOf(elements), run.getSource(), from(at),
                                          /*nontemporal=*/false, alignment());
    if (nonTemporal)
      return lines->store(loaded, to(at));
    vector::StoreOp::create(b, loc, loaded, run.getDest(), to(at), /*nontemporal=*/false,
                            alignment());
  }

  bool hasMasks() const { return target.maskedAccess && target.vectorBytes >= kLineBytes; }

  /// Fewer elements than a line has, from element `at` on: by a mask, or by powers of two.
  void emitPart(Value at, Value elements) {
    if (hasMasks())
      return emitMasked(at, elements);
    emitPowers(at, elements, perLine / 2);
  }

  /// Less than twice `most` elements, a power of two.
  void emitPowers(Value at, Value elements, int64_t most) {
    for (int64_t part = most; part >= 1; part /= 2) {
      Value bit = arith::AndIOp::create(b, loc, elements, constant(part));
      Value has = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, bit, constant(0));
      auto branch = scf::IfOp::create(b, loc, has, /*withElseRegion=*/false);
      OpBuilder::InsertionGuard insertion(b);
      b.setInsertionPointToStart(branch.thenBlock());
      Value before = arith::AndIOp::create(b, loc, elements, constant(-2 * part));
      Value start = arith::AddIOp::create(b, loc, at, before);
      for (int64_t done = 0, lanes = target.vectorBytes / width; done < part; done += lanes)
        move(arith::AddIOp::create(b, loc, start, constant(done)), std::min(part, lanes), false);
    }
  }

  Value bits(int64_t value) {
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(b.getIntegerType(perLine), value));
  }

  /// A bit for each element of a line, all ones shifted left by `elements`, as a mask.
  Value maskFrom(Value elements, bool inverted = false) {
    Value number = arith::IndexCastOp::create(b, loc, b.getIntegerType(perLine), elements);
    Value mask = arith::ShLIOp::create(b, loc, bits(-1), number);
    if (inverted)
      mask = arith::XOrIOp::create(b, loc, mask, bits(-1));
    mask = vector::BroadcastOp::create(b, loc, VectorType::get({1}, mask.getType()), mask);
    return vector::BitCastOp::create(b, loc, VectorType::get({perLine}, b.getI1Type()), mask);
  }

  void emitMasked(Value at, Value elements) {
    Value mask = maskFrom(elements, /*inverted=*/true);
    vector::MaskedStoreOp::create(b, loc, run.getDest(), to(at), mask, loadLine(at, mask),
                                  alignment());
  }

  /// The elements of a line that `mask` has, and any others.
  Value loadLine(Value at, Value mask) {
    if (turned)
      return turned;
    if (run.getExact())
      return loadMasked(at, mask, ub::PoisonOp::create(b, loc, vectorOf(perLine)));
    return vector::LoadOp::create(b, loc, vectorOf(perLine), run.getSource(), from(at),
                                  /*nontemporal=*/false, alignment());
  }

  //===--------------------------------------------------------------------===//
  // Parts of longer runs. Lines count from the one in which the part begins.
  //===--------------------------------------------------------------------===//

  void emitKept() {
    phase = phaseInLine(b, loc, run.getDest(), run.getDestIndex());
    Value zero = constant(0);
    lineStart = arith::SubIOp::create(b, loc, zero, phase);
    prefetch(lineStart);
    if (isTurned())
      return emitTurned();
    emitHead();
    // Whole lines from the second on, and what is left of the last one.
    Value covered = arith::AddIOp::create(b, loc, phase, constant(count));
    Value left = count % perLine == 0
                     ? phase
                     : arith::AndIOp::create(b, loc, covered, constant(perLine - 1)).getResult();
    if (isUnrolled()) {
      for (int64_t line = perLine; line < count; line += perLine)
        emitLine(arith::AddIOp::create(b, loc, lineStart, constant(line)));
      return emitTail(arith::AddIOp::create(b, loc, lineStart, constant(count)), left);
    }
    Value end = arith::SubIOp::create(b, loc, constant(count), left);
    Value second = arith::AddIOp::create(b, loc, lineStart, constant(perLine));
    emitLines(second, end);
    emitTail(end, left);
  }

  /// True if the part has as many elements as a few whole lines.
  bool isUnrolled() {
    constexpr int64_t kMostLines = 8;
    return count % perLine == 0 && count / perLine <= kMostLines && !run.getEvery();
  }

  /// True if vectors of the source are turned in registers to where their elements lie in lines.
  /// A load of what lies in a line would take parts of two vectors that were just stored: it waits
  /// until both have left the store buffer, in which whole lines wait for memory.
  bool isTurned() {
    return turnsLines(target, width) && isUnrolled() && !run.getExact() &&
           int64_t(*run.getVectorBytes()) == kLineBytes;
  }

  /// A part of a few whole lines, by vectors turned by the phase. Each has the end of one line and
  /// the beginning of the next.
  void emitTurned() {
    SmallVector<Value> vectors;
    LineTurn turn(b, loc, vectorOf(perLine), phase, /*permutesBytes=*/true);
    for (int64_t first = 0; first < count; first += perLine) {
      Value vector = loadVector(run.getSource(), from(constant(first)), perLine, alignment());
      vectors.push_back(turn.turn(vector));
    }
    turned = vectors.front();
    emitHead();
    Value isSecond = maskFrom(phase);
    for (size_t i = 1; i < vectors.size(); ++i) {
      Value line = arith::SelectOp::create(b, loc, isSecond, vectors[i], vectors[i - 1]);
      Value at = arith::AddIOp::create(b, loc, lineStart, constant(int64_t(i) * perLine));
      lines->store(line, to(at));
    }
    lines->flush();
    turned = vectors.back();
    emitTail(arith::AddIOp::create(b, loc, lineStart, constant(count)), phase);
  }

  /// The line in which the part begins, unless it was written before.
  void emitHead() {
    OpBuilder::InsertionGuard insertion(b);
    if (!matchPattern(run.getRepeated(), m_Zero())) {
      Value begin = arith::AddIOp::create(b, loc, phase, run.getRepeated());
      Value isOpen =
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, begin, constant(perLine));
      b.setInsertionPointToStart(
          scf::IfOp::create(b, loc, isOpen, /*withElseRegion=*/false).thenBlock());
    }
    emitEither(
        run.getFirst(),
        [&] {
          emitEither(
              run.getBehind(),
              [&] { keepLine(lineStart, phase, /*sourceFirst=*/false, run.getHead()); },
              [&] { emitBegin(); });
        },
        [&] { joinLine(lineStart, phase, /*sourceFirst=*/false, run.getKeptIndex()); });
  }

  /// The last line, from element `at` on, of which the part covers `elements`.
  void emitTail(Value at, Value elements) {
    emitEither(
        run.getLast(),
        [&] {
          emitEither(
              run.getBefore(), [&] { joinLine(at, elements, /*sourceFirst=*/true, run.getNext()); },
              [&] { emitPart(at, elements); });
        },
        [&] { keepLine(at, elements, /*sourceFirst=*/true, run.getKeptIndex()); });
  }

  /// A choice by `condition`; where that is null or known to be false, the second one.
  void emitEither(Value condition, llvm::function_ref<void()> first,
                  llvm::function_ref<void()> second) {
    if (!condition || matchPattern(condition, m_Zero()))
      return second();
    OpBuilder::InsertionGuard insertion(b);
    auto choice = scf::IfOp::create(b, loc, condition, /*withElseRegion=*/true);
    b.setInsertionPointToStart(choice.thenBlock());
    first();
    b.setInsertionPointToStart(choice.elseBlock());
    second();
  }

  /// What the part adds to its first line, by itself.
  void emitBegin() {
    if (!hasMasks())
      return emitPowers(constant(0), arith::SubIOp::create(b, loc, constant(perLine), phase),
                        perLine);
    Value mask = maskFrom(phase);
    Value line = turned
                     ? turned
                     : loadMasked(lineStart, mask, ub::PoisonOp::create(b, loc, vectorOf(perLine)));
    vector::MaskedStoreOp::create(b, loc, run.getDest(), to(lineStart), mask, line, alignment());
  }

  Value loadMasked(Value at, Value mask, Value through) {
    if (turned)
      return arith::SelectOp::create(b, loc, mask, turned, through);
    return vector::MaskedLoadOp::create(b, loc, vectorOf(perLine), run.getSource(),
                                        ValueRange{from(at)}, mask, through, alignment());
  }

  llvm::MaybeAlign aligned(int64_t elements) const { return llvm::Align(elements * width); }

  /// Vectors of a line: each one's first element and how many it has.
  void forVectors(llvm::function_ref<void(Value first, int64_t number, int64_t lanes)> body) {
    int64_t lanes = hasMasks() ? perLine : *run.getVectorBytes() / width;
    for (int64_t first = 0; first < perLine; first += lanes)
      body(constant(first), first, lanes);
  }

  /// Copies elements of the source's line that starts at element `at` to the kept one at `index`:
  /// those before `border`, or from there on; what becomes of the others does not matter.
  void keepLine(Value at, Value border, bool sourceFirst, Value index) {
    if (turned)
      return storeKept(turned, index, aligned(perLine));
    if (run.getExact() && hasMasks()) {
      Value mask = maskFrom(border, /*inverted=*/sourceFirst);
      return storeKept(loadLine(at, mask), index, aligned(perLine));
    }
    if (run.getExact())
      return shiftLine(at, sourceFirst, index);
    forVectors([&](Value first, int64_t, int64_t lanes) {
      Value here = arith::AddIOp::create(b, loc, at, first);
      storeKept(loadVector(run.getSource(), from(here), lanes, alignment()),
                arith::AddIOp::create(b, loc, index, first), aligned(lanes));
    });
  }

  /// The same where no masks are, and the source has no more than the run: its first or last line
  /// goes to where its part of the kept one is.
  void shiftLine(Value at, bool sourceFirst, Value index) {
    Value start = constant(sourceFirst ? count - perLine : 0);
    Value shifted = arith::AddIOp::create(b, loc, index, arith::SubIOp::create(b, loc, start, at));
    forVectors([&](Value first, int64_t, int64_t lanes) {
      Value here = arith::AddIOp::create(b, loc, start, first);
      storeKept(loadVector(run.getSource(), from(here), lanes, alignment()),
                arith::AddIOp::create(b, loc, shifted, first), alignment());
    });
  }

  Value loadVector(Value memref, Value index, int64_t lanes, llvm::MaybeAlign align) {
    return vector::LoadOp::create(b, loc, vectorOf(lanes), memref, index, /*nontemporal=*/false,
                                  align);
  }

  void storeKept(Value value, Value index, llvm::MaybeAlign align) {
    vector::StoreOp::create(b, loc, value, run.getKept(), index, /*nontemporal=*/false, align);
  }

  /// Writes the line that starts at element `at`: of the kept one at `index`, and of the source
  /// the elements before `border`, or those from there on.
  void joinLine(Value at, Value border, bool sourceFirst, Value index) {
    bool isShifted = run.getExact() && !hasMasks();
    if (isShifted)
      shiftLine(at, sourceFirst, index);
    forVectors([&](Value first, int64_t number, int64_t lanes) {
      Value place = arith::AddIOp::create(b, loc, index, first);
      Value joined = loadVector(run.getKept(), place, lanes, aligned(lanes));
      Value here = arith::AddIOp::create(b, loc, at, first);
      if (hasMasks()) {
        joined = loadMasked(here, maskFrom(border, /*inverted=*/sourceFirst), joined);
      } else if (!isShifted) {
        Value loaded = loadVector(run.getSource(), from(here), lanes, alignment());
        Value isSource = compareLanes(number, lanes, border, sourceFirst);
        joined = arith::SelectOp::create(b, loc, isSource, loaded, joined);
      }
      lines->store(joined, to(here));
    });
    lines->flush();
  }

  /// Of the elements of a line from `first` on, which ones lie before `border`, or not.
  Value compareLanes(int64_t first, int64_t lanes, Value border, bool before) {
    SmallVector<Attribute> numbers;
    for (int64_t i = first; i < first + lanes; ++i)
      numbers.push_back(b.getIntegerAttr(element, i));
    Value lane =
        arith::ConstantOp::create(b, loc, DenseElementsAttr::get(vectorOf(lanes), numbers));
    Value number = arith::IndexCastOp::create(b, loc, element, border);
    Value borders = vector::BroadcastOp::create(b, loc, vectorOf(lanes), number);
    auto predicate = before ? arith::CmpIPredicate::slt : arith::CmpIPredicate::sge;
    return arith::CmpIOp::create(b, loc, predicate, lane, borders);
  }

  OpBuilder &b;
  Location loc;
  RunOp run;
  const TargetInfo &target;
  std::optional<LineWriter> lines; ///< where whole lines go past the caches
  IntegerType element;
  int64_t width;
  int64_t perLine; ///< elements of a line
  int64_t count;
  Value phase;     ///< elements of its line before the part
  Value lineStart; ///< where that line starts, from the part's first element on
  Value turned;    ///< what the source has of the line at hand; null: to be loaded
};

} // namespace

void relayout::emitRun(OpBuilder &b, RunOp run, const TargetInfo &target, int64_t alignment) {
  Emitter(b, run, target, alignment).emit();
}
