// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RunEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace relayout;

namespace {

class Emitter {
public:
  Emitter(OpBuilder &b, RunOp run, const TargetInfo &target)
      : b(b), loc(run.getLoc()), run(run), target(target),
        element(cast<IntegerType>(getElementTypeOrSelf(run.getDest().getType()))),
        width(element.getWidth() / 8), perLine(target.lineBytes / width),
        count(run.getCountAttr().getInt()) {}

  void emit() {
    Value head = run.getNonTemporal() ? beforeFirstLine() : constant(0);
    Value left = arith::SubIOp::create(b, loc, constant(count), head);
    Value tail = arith::AndIOp::create(b, loc, left, constant(perLine - 1));
    Value end = arith::SubIOp::create(b, loc, constant(count), tail);
    if (run.getNonTemporal())
      emitPart(constant(0), head);
    auto loop = scf::ForOp::create(b, loc, head, end, constant(perLine));
    {
      OpBuilder::InsertionGuard insertion(b);
      b.setInsertionPointToStart(loop.getBody());
      emitLine(loop.getInductionVar());
    }
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
    Value base = memref::ExtractAlignedPointerAsIndexOp::create(b, loc, run.getDest());
    Value offset = arith::MulIOp::create(b, loc, run.getDestIndex(), constant(width));
    Value address = arith::AddIOp::create(b, loc, base, offset);
    Value before =
        arith::AndIOp::create(b, loc, arith::SubIOp::create(b, loc, constant(0), address),
                              constant(target.lineBytes - 1));
    Value elements = arith::DivUIOp::create(b, loc, before, constant(width));
    if (count >= perLine)
      return elements;
    return arith::MinUIOp::create(b, loc, elements, constant(count));
  }

  /// One line from element `at` of the run on.
  void emitLine(Value at) {
    int64_t vector = run.getVectorBytes().value_or(target.vectorBytes) / width;
    for (int64_t first = 0; first < perLine; first += vector) {
      Value here = first == 0 ? at : arith::AddIOp::create(b, loc, at, constant(first)).getResult();
      move(here, vector, run.getNonTemporal());
    }
  }

  void move(Value at, int64_t elements, bool nonTemporal) {
    Value loaded = vector::LoadOp::create(b, loc, vectorOf(elements), run.getSource(), from(at),
                                          /*nontemporal=*/false, alignment());
    vector::StoreOp::create(b, loc, loaded, run.getDest(), to(at), nonTemporal,
                            nonTemporal ? llvm::MaybeAlign(llvm::Align(elements * width))
                                        : alignment());
  }

  /// Fewer elements than a line has, from element `at` on: by a mask, or by powers of two.
  void emitPart(Value at, Value elements) {
    if (target.maskedAccess && target.vectorBytes >= target.lineBytes)
      return emitMasked(at, elements);
    for (int64_t part = perLine / 2; part >= 1; part /= 2) {
      Value bit = arith::AndIOp::create(b, loc, elements, constant(part));
      Value has = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, bit, constant(0));
      auto branch = scf::IfOp::create(b, loc, has, /*withElseRegion=*/false);
      OpBuilder::InsertionGuard insertion(b);
      b.setInsertionPointToStart(branch.thenBlock());
      Value before = arith::AndIOp::create(b, loc, elements, constant(-2 * part));
      Value start = arith::AddIOp::create(b, loc, at, before);
      for (int64_t done = 0, most = target.vectorBytes / width; done < part; done += most)
        move(arith::AddIOp::create(b, loc, start, constant(done)), std::min(part, most), false);
    }
  }

  void emitMasked(Value at, Value elements) {
    Type bits = b.getIntegerType(perLine);
    Value one = arith::ConstantOp::create(b, loc, b.getIntegerAttr(bits, 1));
    Value number = arith::IndexCastOp::create(b, loc, bits, elements);
    Value mask = arith::SubIOp::create(b, loc, arith::ShLIOp::create(b, loc, one, number), one);
    mask = vector::BroadcastOp::create(b, loc, VectorType::get({1}, bits), mask);
    mask = vector::BitCastOp::create(b, loc, VectorType::get({perLine}, b.getI1Type()), mask);
    Value loaded = vector::LoadOp::create(b, loc, vectorOf(perLine), run.getSource(), from(at),
                                          /*nontemporal=*/false, alignment());
    vector::MaskedStoreOp::create(b, loc, run.getDest(), to(at), mask, loaded, alignment());
  }

  OpBuilder &b;
  Location loc;
  RunOp run;
  const TargetInfo &target;
  IntegerType element;
  int64_t width;
  int64_t perLine; ///< elements of a line
  int64_t count;
};

} // namespace

void relayout::emitRun(OpBuilder &b, RunOp run, const TargetInfo &target) {
  Emitter(b, run, target).emit();
}
