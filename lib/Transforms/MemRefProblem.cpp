// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Transforms/MemRefProblem.h"

using namespace mlir;
using namespace relayout;

static FailureOr<std::vector<int64_t>> getStrides(Operation *op, Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  // Upstream finds no strides in a type without elements.
  if (type.hasStaticShape() && type.getNumElements() == 0)
    return rowMajorStrides(type.getShape().vec());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) || !type.hasStaticShape() ||
      llvm::any_of(strides, ShapedType::isDynamic))
    return op->emitOpError("expects a static shape and static strides, but got ") << type;
  return std::vector<int64_t>(strides.begin(), strides.end());
}

FailureOr<Problem> relayout::getMemRefProblem(RearrangementOpInterface op) {
  FailureOr<std::vector<int64_t>> in = getStrides(op, op.getSource());
  if (failed(in))
    return failure();
  FailureOr<std::vector<int64_t>> out = getStrides(op, op.getDest());
  if (failed(out))
    return failure();
  Result<const ElementType *> element = getElementTypeInfo(op.getElementType());
  if (!element)
    return op.emitOpError(element.error().message);
  Result<Rearrangement> rearrangement = op.getRearrangement();
  if (!rearrangement)
    return op.emitOpError(rearrangement.error().message);
  Result<Problem> problem = buildProblem(*rearrangement, (*element)->width, *in, *out);
  if (!problem)
    return op.emitOpError(problem.error().message);
  return problem.take();
}
