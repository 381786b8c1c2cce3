// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Transforms/Passes.h"

#include "Segments.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "relayout/IR/Relayout.h"
#include "llvm/ADT/SetVector.h"

namespace relayout {
#define GEN_PASS_DEF_FUSEPASS
#include "relayout/Transforms/Passes.h.inc"
} // namespace relayout

using namespace mlir;

namespace relayout {
namespace {

/// True if no other operation continues the chain that `op` is of: none reads it, or
/// more than one does, or the one reader is of no chain.
bool isTail(Operation *op) {
  Value result = op->getResult(0);
  if (!result.hasOneUse())
    return true;
  Operation *reader = *result.user_begin();
  return reader->getBlock() != op->getBlock() || getChainSource(reader) != result;
}

bool isReshape(Operation *op) {
  return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ReshapeOp, tensor::CastOp>(op);
}

bool movesData(const Segment &segment) {
  return !segment.movement || llvm::any_of(segment.ops, [](Operation *op) {
    return !isReshape(op) && !isa<tensor::ExtractSliceOp>(op);
  });
}

/// What a segment turns into.
enum class Form { Itself, Chain, Rearrange };

Form chooseForm(const Segment &segment, const Rearrangement &normal, bool all) {
  bool hasDest = static_cast<bool>(getChainDest(segment.ops.back()));
  bool isNothing = normal.isIdentity() && !hasDest;
  if (!isNothing && (all || permutesDigits(normal)))
    return Form::Rearrange;
  bool isOurs = llvm::any_of(segment.ops, llvm::IsaPred<RearrangementOpInterface>);
  unsigned before = llvm::count_if(segment.ops, [](Operation *op) { return !isReshape(op); });
  unsigned after = isNothing ? 0 : countChainMoves(normal) + hasDest;
  bool isRoundTrip = isNothing && segment.ops.size() > 1;
  return isOurs || isRoundTrip || after < before ? Form::Chain : Form::Itself;
}

/// Erases `op` and what it alone has read, as far as that is without effect.
void eraseDead(Operation *op) {
  SmallVector<Operation *> worklist{op};
  while (!worklist.empty()) {
    Operation *dead = worklist.pop_back_val();
    llvm::SetVector<Operation *> sources;
    dead->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *source = operand.getDefiningOp(); source && !dead->isAncestor(source))
          sources.insert(source);
    });
    dead->erase();
    for (Operation *source : sources)
      if (isOpTriviallyDead(source))
        worklist.push_back(source);
  }
}

struct FusePass : impl::FusePassBase<FusePass> {
  using impl::FusePassBase<FusePass>::FusePassBase;

  void runOnOperation() override {
    // What a tail alone has read is erased with it: that must have had its turn.
    SmallVector<Operation *> tails;
    getOperation()->walk<WalkOrder::PostOrder, ForwardDominanceIterator<>>([&](Operation *op) {
      if (getChainSource(op) && isTail(op) && !mayBeGraphRegion(*op->getParentRegion()))
        tails.push_back(op);
    });
    for (Operation *tail : tails) {
      SmallVector<Segment> segments = partitionChain(collectChain(tail));
      // What lies above a value with other uses belongs to another tail.
      size_t own = segments.size() - 1;
      while (own > 0 && segments[own - 1].result().hasOneUse())
        --own;
      remark(segments, own);
      for (const Segment &segment : ArrayRef(segments).drop_front(own))
        if (segment.movement)
          rewrite(segment);
    }
  }

  /// Says why neighbours that both move data stay apart, from segment `first` on.
  static void remark(ArrayRef<Segment> segments, size_t first) {
    for (size_t index = first; index < segments.size(); ++index) {
      const Segment &segment = segments[index];
      bool isBlocked = index > 0 && movesData(segments[index - 1]) && movesData(segment);
      if (isBlocked || !segment.movement)
        remark::missed(segment.ops.front()->getLoc(),
                       remark::RemarkOpts::name("not-fused").category("relayout-fuse"))
            << remark::reason("{0}", segment.reason);
    }
  }

  void rewrite(const Segment &segment) {
    Movement normal = *segment.movement;
    normal.rearrangement = normalize(normal.rearrangement);
    Form form = chooseForm(segment, normal.rearrangement, all);
    if (form == Form::Itself)
      return;
    Operation *last = segment.ops.back();
    OpBuilder builder(last);
    Location loc = builder.getFusedLoc(
        llvm::map_to_vector(segment.ops, [](Operation *op) { return op->getLoc(); }));
    Value source = castTo(builder, loc, segment.source(), normal.rearrangement.operandShape);
    Value dest = getChainDest(last);
    if (dest)
      dest = castTo(builder, loc, dest, normal.rearrangement.resultShape());
    Value result = form == Form::Chain ? buildChain(builder, loc, source, normal, dest)
                                       : buildRearrange(builder, loc, source, normal, dest);
    if (segment.ops.size() > 1)
      remark::passed(loc, remark::RemarkOpts::name("fused").category("relayout-fuse"))
          << remark::metric("operations", segment.ops.size());
    ArrayRef<int64_t> shape = cast<RankedTensorType>(last->getResult(0).getType()).getShape();
    last->getResult(0).replaceAllUsesWith(castTo(builder, loc, result, shape));
    eraseDead(last);
  }

  static Value buildRearrange(OpBuilder &builder, Location loc, Value source,
                              const Movement &movement, Value dest) {
    Type element = cast<RankedTensorType>(source.getType()).getElementType();
    Type type = RankedTensorType::get(movement.rearrangement.resultShape(), element);
    return RearrangeOp::create(builder, loc, type, source, dest, movement.rearrangement,
                               movement.fill)
        ->getResult(0);
  }

  /// `value` itself if it has `shape` already.
  static Value castTo(OpBuilder &builder, Location loc, Value value, ArrayRef<int64_t> shape) {
    auto type = cast<RankedTensorType>(value.getType());
    if (type.getShape() == shape)
      return value;
    return tensor::CastOp::create(builder, loc, type.clone(shape), value);
  }
};

} // namespace
} // namespace relayout
