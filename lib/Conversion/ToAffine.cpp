// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AffineNest.h"
#include "ScheduledNest.h"
#include "StridedView.h"

#include "relayout/Conversion/KernelAbi.h"
#include "relayout/Conversion/Passes.h"
#include "relayout/IR/Relayout.h"
#include "relayout/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <algorithm>

namespace relayout {
#define GEN_PASS_DEF_TOAFFINEPASS
#include "relayout/Conversion/Passes.h.inc"
} // namespace relayout

using namespace mlir;
using namespace relayout;

namespace {

/// One rearrangement with all that its loops are made from.
struct Lowering {
  RearrangementOpInterface op;
  StridedView in;
  StridedView out;
  Problem problem;
  std::vector<Piece> pieces;
  std::optional<Schedule> schedule; ///< none: scalar loops in the order of the output
};

/// The schedule in `text`, checked against everything but the target, which
/// `relayout-schedule` has seen.
FailureOr<Schedule> readSchedule(RearrangementOpInterface op, StringAttr text,
                                 const Problem &problem) {
  TargetInfo any;
  any.vectorBytes = 64;
  any.maskedAccess = any.nonTemporal = any.prefetchWrite = true;
  Result<Schedule> schedule = parseSchedule(text.getValue());
  if (schedule)
    if (Status possible = verifySchedule(*schedule, problem, any); !possible)
      schedule = possible.error();
  if (!schedule)
    return op.emitOpError(schedule.error().message);
  return schedule.take();
}

FailureOr<Lowering> prepare(RearrangementOpInterface op) {
  FailureOr<StridedView> in = getStridedView(op, cast<MemRefType>(op.getSource().getType()));
  FailureOr<StridedView> out = getStridedView(op, cast<MemRefType>(op.getDest().getType()));
  if (failed(in) || failed(out))
    return failure();
  Result<Problem> problem = getMemRefProblem(op);
  if (!problem)
    return op.emitOpError(problem.error().message);
  std::optional<Schedule> schedule;
  if (auto text = op->getAttrOfType<StringAttr>(kScheduleAttrName)) {
    FailureOr<Schedule> read = readSchedule(op, text, *problem);
    if (failed(read))
      return failure();
    schedule = *read;
  } else if (problem->digits.empty()) {
    // A single element is one unit.
    problem->digits.push_back({1, 0, 0});
  }
  std::vector<Piece> pieces = schedule ? piecesOf(*problem, *schedule) : splitIntoPieces(*problem);
  return Lowering{op, *in, *out, std::move(*problem), std::move(pieces), std::move(schedule)};
}

/// The constant that fill pieces store, or null if there are none.
FailureOr<Value> createFill(OpBuilder &b, const Lowering &lowering) {
  if (llvm::none_of(lowering.pieces, [](const Piece &p) { return p.kind == Piece::Kind::Fill; }))
    return Value();
  RearrangementOpInterface op = lowering.op;
  TypedAttr value = op.getPadValueOrZero();
  if (!arith::ConstantOp::isBuildableWith(value, op.getElementType()))
    return op.emitOpError("expects elements of a signless integer or float type where it fills, "
                          "but got ")
           << op.getElementType() << "; relayout-kernel-abi makes them integers";
  return arith::ConstantOp::create(b, op.getLoc(), value).getResult();
}

/// Blocks of the schedule's digit, or values of the first digit.
struct Units {
  int64_t begin;
  int64_t end;
};

/// Those that some piece writes.
Units unitsOf(const Lowering &lowering) {
  const std::vector<Piece> &pieces = lowering.pieces;
  if (pieces.empty())
    return {0, 0};
  if (lowering.schedule)
    return {0, unitCount(*lowering.schedule, lowering.problem)};
  Units units{pieces.front().lower[0], pieces.front().lower[0]};
  for (const Piece &piece : pieces) {
    units.begin = std::min(units.begin, piece.lower[0]);
    units.end = std::max(units.end, piece.lower[0] + piece.extent[0]);
  }
  return units;
}

/// Records in the kernel what is known once the pieces are.
void recordFacts(func::FuncOp function, Lowering &lowering, int64_t units) {
  setKernelFact(function, fact::kUnits, units);
  if (Attribute schedule = lowering.op->getAttr(kScheduleAttrName))
    function->setAttr(kScheduleAttrName, schedule);
  const std::vector<Piece> &pieces = lowering.pieces;
  if (pieces.size() != 1 || pieces.front().kind != Piece::Kind::Copy)
    return;
  Problem whole = pieceProblem(lowering.problem, pieces.front());
  if (!isPlainCopy(whole))
    return;
  int64_t width = whole.width;
  setKernelFact(function, fact::kCopyFrom, (lowering.in.offset + whole.inOffset) * width);
  setKernelFact(function, fact::kCopyTo, (lowering.out.offset + whole.outOffset) * width);
  setKernelFact(function, fact::kCopyBytes, pieces.front().elements() * width);
}

LogicalResult emitNests(OpBuilder &b, const Lowering &lowering, const NestMovement &movement) {
  RearrangementOpInterface op = lowering.op;
  if (!lowering.schedule) {
    for (const Piece &piece : lowering.pieces)
      emitNest(b, op.getLoc(), movement, piece);
    return success();
  }
  Status status = emitScheduledNests(b, op.getLoc(), movement, op.getPadValueOrZero(),
                                     lowering.pieces, *lowering.schedule);
  return status ? success() : op.emitOpError(status.error().message);
}

/// Elements of scratch memory that the pieces need. Those that fill read no blocks to pack.
int64_t mostScratch(const Lowering &lowering) {
  int64_t most = 0;
  if (!lowering.schedule)
    return most;
  for (auto [piece, schedule] : llvm::zip_equal(lowering.pieces, lowering.schedule->pieces)) {
    PieceSchedule own = schedule;
    if (piece.kind == Piece::Kind::Fill)
      own.pack = std::nullopt;
    most = std::max(most, scratchElements(pieceProblem(lowering.problem, piece), own));
  }
  return most;
}

/// With which scratch memory begins: stores across the end of one are slow.
constexpr int64_t kPageBytes = 4096;

/// Scratch memory for the pieces: the kernel's parameter, or a buffer that is
/// freed before `op`'s successor. Null if none is needed.
Value createScratch(OpBuilder &b, const Lowering &lowering, func::FuncOp function) {
  int64_t elements = mostScratch(lowering);
  if (elements == 0)
    return Value();
  RearrangementOpInterface op = lowering.op;
  Type element = getElementTypeOrSelf(op.getDest().getType());
  auto type = MemRefType::get({elements}, element);
  if (!isKernel(function)) {
    auto buffer = memref::AllocOp::create(b, op.getLoc(), type, b.getI64IntegerAttr(kPageBytes));
    OpBuilder after(op->getContext());
    after.setInsertionPointAfter(op);
    memref::DeallocOp::create(after, op.getLoc(), buffer);
    return buffer;
  }
  BlockArgument argument = function.getArgument(kScratch);
  argument.setType(type);
  SmallVector<Type> inputs(function.getArgumentTypes());
  inputs[kScratch] = type;
  function.setFunctionType(b.getFunctionType(inputs, {}));
  setKernelFact(function, fact::kScratchBytes, elements * lowering.problem.width);
  return argument;
}

LogicalResult lower(RearrangementOpInterface op, func::FuncOp function) {
  FailureOr<Lowering> lowering = prepare(op);
  if (failed(lowering))
    return failure();
  OpBuilder b(op);
  FailureOr<Value> fill = createFill(b, *lowering);
  if (failed(fill))
    return failure();
  Location loc = op.getLoc();
  NestMovement movement{lowering->problem, {}, {}, *fill, {}, {}, {}, 0};
  if (isKernel(function)) {
    Units units = unitsOf(*lowering);
    movement.firstUnit = units.begin;
    movement.begin = function.getArgument(kBegin);
    movement.end = function.getArgument(kEnd);
    recordFacts(function, *lowering, units.end - units.begin);
  }
  if (!lowering->pieces.empty()) {
    movement.in = flatten(b, loc, op.getSource(), lowering->in);
    movement.out = flatten(b, loc, op.getDest(), lowering->out);
    movement.scratch = createScratch(b, *lowering, function);
  }
  LogicalResult done = emitNests(b, *lowering, movement);
  op->erase();
  return done;
}

/// Whoever wrote the attribute of a kernel must have kept to its form.
LogicalResult checkKernel(func::FuncOp function, size_t rearrangements) {
  if (function.getNumArguments() != kNumKernelParameters ||
      !function.getArgument(kBegin).getType().isIndex() ||
      !function.getArgument(kEnd).getType().isIndex())
    return function.emitOpError("expects the five parameters of a kernel, the last two of which "
                                "are of type index");
  if (rearrangements > 1)
    return function.emitOpError("expects one rearrangement in a kernel, but there are ")
           << rearrangements;
  return success();
}

struct ToAffine : relayout::impl::ToAffinePassBase<ToAffine> {
  void runOnOperation() override {
    // Those of functions within this one are theirs.
    SmallVector<RearrangementOpInterface> ops;
    getOperation().walk([&](RearrangementOpInterface op) {
      if (!op.hasTensorForm() && op->getParentOfType<FunctionOpInterface>() == getOperation())
        ops.push_back(op);
    });
    if (isKernel(getOperation()) && failed(checkKernel(getOperation(), ops.size())))
      return signalPassFailure();
    for (RearrangementOpInterface op : ops)
      if (failed(lower(op, getOperation())))
        return signalPassFailure();
  }
};

} // namespace
