// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Segments.h"

#include "mlir/IR/BuiltinTypes.h"

#include <algorithm>

using namespace mlir;

namespace relayout {

SmallVector<Operation *> collectChain(Operation *tail) {
  SmallVector<Operation *> chain;
  for (Operation *op = tail; op && op->getBlock() == tail->getBlock();) {
    Value source = getChainSource(op);
    if (!source)
      break;
    chain.push_back(op);
    op = source.getDefiningOp();
  }
  std::reverse(chain.begin(), chain.end());
  return chain;
}

/// A reshape or a slice: later stages do it without moving data.
static bool isView(const Rearrangement &rearrangement) {
  return !rearrangement.needsFill() && !permutesDigits(normalize(rearrangement));
}

/// What the chain does to a source of `shape`, or to one of unknown shape.
static Segment readSegment(Operation *op, const std::optional<std::vector<int64_t>> &shape) {
  Segment segment;
  segment.ops.push_back(op);
  Result<Movement> movement =
      shape ? readChainOp(op, *shape)
            : Result<Movement>(Error{ErrorCode::Unsupported, "expects a static shape"});
  if (movement)
    segment.movement = movement.take();
  else
    segment.reason = movement.error().message;
  return segment;
}

/// The two as one segment, or an error that says why they stay two.
static Result<Segment> merge(const Segment &first, const Segment &second) {
  if (!first.movement || !second.movement)
    return Error{ErrorCode::Unsupported, first.movement ? second.reason : first.reason};
  Result<Movement> composite = composeMovements(*first.movement, *second.movement);
  if (!composite)
    return composite.error();
  bool isShared = second.keepsOperations || !first.result().hasOneUse();
  if (isShared && !isView(first.movement->rearrangement) && !isView(composite->rearrangement))
    return Error{ErrorCode::Unsupported, "the value between has other uses, and to fuse it with "
                                         "one of them would repeat its work"};
  Segment merged;
  merged.ops = first.ops;
  merged.ops.append(second.ops.begin(), second.ops.end());
  merged.movement = composite.take();
  merged.keepsOperations = first.keepsOperations || isShared;
  merged.reason = first.reason;
  return merged;
}

SmallVector<Segment> partitionChain(ArrayRef<Operation *> chain) {
  SmallVector<Segment> segments;
  std::optional<std::vector<int64_t>> shape;
  for (Operation *op : chain) {
    // A type with less information does not unlearn a shape that is known.
    if (auto extents = getStaticExtents(getChainSource(op).getType()))
      shape = extents;
    Segment segment = readSegment(op, shape);
    shape = std::nullopt;
    if (segment.movement)
      shape = segment.movement->rearrangement.resultShape();
    while (!segments.empty()) {
      Result<Segment> merged = merge(segments.back(), segment);
      if (!merged) {
        segment.reason = merged.error().message;
        break;
      }
      segment = merged.take();
      segments.pop_back();
    }
    segments.push_back(std::move(segment));
  }
  return segments;
}

} // namespace relayout
