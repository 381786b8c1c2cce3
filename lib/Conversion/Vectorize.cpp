// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Address.h"
#include "RunEmitter.h"
#include "TileEmitter.h"

#include "relayout/Conversion/KernelAbi.h"
#include "relayout/Conversion/Passes.h"
#include "relayout/Support/CacheLine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/TargetParser/Triple.h"

namespace relayout {
#define GEN_PASS_DEF_VECTORIZEPASS
#include "relayout/Conversion/Passes.h.inc"
} // namespace relayout

using namespace mlir;
using namespace relayout;

namespace {

/// The tile of `op` for the synthesis. One that fills is synthesized as if it copied
/// from memory laid out as its destination is: only the stores are used.
Tile getTile(TileOp op) {
  Tile tile;
  tile.width = getElementTypeOrSelf(op.getDest().getType()).getIntOrFloatBitWidth() / 8;
  tile.digits = op.getDigitVector();
  if (op.isFill())
    for (Digit &digit : tile.digits)
      digit.inStride = digit.outStride;
  return tile;
}

/// The programs of one function: the pieces of a problem often have the same tile.
class Programs {
public:
  explicit Programs(const TargetInfo &target) : target(target) {}

  const Result<TileProgram> &get(const Tile &tile, int64_t vectorBytes) {
    auto known = llvm::find_if(programs, [&](const Known &other) {
      return other.vectorBytes == vectorBytes && other.tile == tile;
    });
    if (known != programs.end())
      return known->program;
    programs.push_back({tile, vectorBytes, synthesizeTile(tile, target, {vectorBytes})});
    return programs.back().program;
  }

private:
  struct Known {
    Tile tile;
    int64_t vectorBytes;
    Result<TileProgram> program;
  };
  const TargetInfo &target;
  std::vector<Known> programs;
};

/// Stores that wait for one another keep their vectors in registers, beside the 16 that a
/// transpose is busy with.
size_t storesAtOnce(const TargetInfo &target) {
  return std::max<int64_t>(2, (target.registers - 16) / 2);
}

LogicalResult vectorize(TileOp op, Programs &programs, const TileEmission &emission) {
  if (!isa<IntegerType>(getElementTypeOrSelf(op.getDest().getType())))
    return op.emitOpError("expects elements of an integer type, but got ")
           << getElementTypeOrSelf(op.getDest().getType());
  const Result<TileProgram> &program = programs.get(getTile(op), op.getVectorBytes().value_or(0));
  if (!program)
    return op.emitOpError(program.error().message);
  OpBuilder b(op);
  if (op.isFill())
    emitFillTile(b, op, *program, emission);
  else
    emitTile(b, op, *program, emission);
  op.erase();
  return success();
}

LogicalResult vectorize(RunOp op, const TargetInfo &target, int64_t alignment) {
  auto element = dyn_cast<IntegerType>(getElementTypeOrSelf(op.getDest().getType()));
  if (!element || element.getWidth() > 64)
    return op.emitOpError("expects elements of an integer type of 8 to 64 bits, but got ")
           << getElementTypeOrSelf(op.getDest().getType());
  OpBuilder b(op);
  emitRun(b, op, target, alignment);
  op.erase();
  return success();
}

/// A loop over the lines, with a load of each that no pass may leave out. The line some way behind
/// is asked for at once: the loads alone come faster than the processor's prefetchers follow
/// (docs/schedules.md, "Lines read in their order").
void vectorize(TouchOp op) {
  constexpr int32_t kLinesAhead = 4;
  OpBuilder b(op);
  Location loc = op.getLoc();
  int64_t width = getElementTypeOrSelf(op.getSource().getType()).getIntOrFloatBitWidth() / 8;
  auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); };
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  Value number = arith::IndexCastOp::create(b, loc, b.getI64Type(),
                                            addressOf(b, loc, op.getSource(), op.getSourceIndex()));
  // Opaque, so that LLVM does not follow the loops around through it (docs/compile-time.md).
  Value start = LLVM::LaunderInvariantGroupOp::create(
      b, loc, pointer, LLVM::IntToPtrOp::create(b, loc, pointer, number));
  int64_t bytes = op.getCountAttr().getInt() * width;
  auto loop = scf::ForOp::create(b, loc, constant(0), constant(bytes), constant(kLineBytes));
  b.setInsertionPointToStart(loop.getBody());
  Value place = arith::IndexCastOp::create(b, loc, b.getI64Type(), loop.getInductionVar());
  Value address = LLVM::GEPOp::create(b, loc, pointer, b.getI8Type(), start, place);
  Value then =
      LLVM::GEPOp::create(b, loc, pointer, b.getI8Type(), address,
                          ArrayRef<LLVM::GEPArg>{kLinesAhead * static_cast<int32_t>(kLineBytes)});
  LLVM::Prefetch::create(b, loc, then, /*rw=*/false, localityOf(/*cache=*/2), /*isDataCache=*/true);
  int64_t part = std::min<int64_t>(width, 4);
  LLVM::LoadOp::create(b, loc, b.getIntegerType(8 * part), address, /*alignment=*/part,
                       /*isVolatile=*/true);
  op.erase();
}

/// Non-temporal stores are not ordered with what follows: a fence before each return
/// makes them so. A release fence of LLVM emits nothing on x86. AArch64 orders such
/// stores as it does all others.
void addFences(func::FuncOp function) {
  function.walk([](func::ReturnOp op) {
    OpBuilder b(op);
    LLVM::CallIntrinsicOp::create(b, op.getLoc(), b.getStringAttr("llvm.x86.sse.sfence"),
                                  ValueRange());
  });
}

struct Vectorize : relayout::impl::VectorizePassBase<Vectorize> {
  using VectorizePassBase::VectorizePassBase;

  /// Asks the machine once, since that takes longer than the pass.
  LogicalResult initialize(MLIRContext *) override {
    found = targetFor(arch, cpu, features);
    return success();
  }

  void runOnOperation() override {
    const Result<TargetInfo> &target = *found;
    if (!target) {
      getOperation().emitError(target.error().message);
      return signalPassFailure();
    }
    FailureOr<std::optional<int64_t>> alignment = getKernelAlignment(getOperation());
    if (failed(alignment))
      return signalPassFailure();
    // Without the fact, elements are aligned to their own width, 8 bytes at most.
    TileEmission emission{alignment->value_or(8), storesAtOnce(*target), patternOnly,
                          target->isa == VectorISA::AVX512VBMI};
    SmallVector<TileOp> tiles;
    getOperation().walk([&](TileOp op) {
      if (op.getVectorBytes())
        tiles.push_back(op);
    });
    Programs programs(*target);
    bool streams =
        llvm::any_of(tiles, [](TileOp op) { return op.getNonTemporal() || op.getKept(); });
    for (TileOp op : tiles)
      if (failed(vectorize(op, programs, emission)))
        return signalPassFailure();
    SmallVector<RunOp> runs;
    getOperation().walk([&](RunOp op) {
      if (op.getVectorBytes())
        runs.push_back(op);
    });
    for (RunOp op : runs) {
      streams |= op.getNonTemporal();
      if (failed(vectorize(op, *target, emission.alignment)))
        return signalPassFailure();
    }
    getOperation().walk([&](TouchOp op) { vectorize(op); });
    if (streams && llvm::Triple(arch).isX86())
      addFences(getOperation());
  }

private:
  std::optional<Result<TargetInfo>> found;
};

} // namespace
