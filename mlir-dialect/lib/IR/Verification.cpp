// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OpSupport.h"

#include "relayout/Layout/Problem.h"

using namespace mlir;

namespace relayout::detail {

template <typename... Parts> static Error typeError(const Parts &...parts) {
  std::string message;
  llvm::raw_string_ostream stream(message);
  (stream << ... << parts);
  return {ErrorCode::Type, message};
}

/// T2 and T3 for one side of the movement, which messages call `name`.
static Status checkSide(StringRef name, ShapedType type) {
  if (!type.hasStaticShape())
    return typeError("expects ", name, " to have a static shape, but its type is ", type,
                     "; dynamic dimensions are not accepted");
  if (auto tensor = dyn_cast<RankedTensorType>(type); tensor && tensor.getEncoding())
    return typeError("expects ", name, " to have no encoding, but its type is ", type);
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref)
    return Status::success();
  auto [strides, offset] = memref.getStridesAndOffset();
  if (ShapedType::isDynamic(offset) || ShapedType::isDynamicShape(strides))
    return typeError("expects ", name,
                     " to have static strides and a static offset, but its type is ", type);
  return Status::success();
}

Status checkOperands(Value source, Value dest) {
  auto type = cast<ShapedType>(source.getType());
  Result<const ElementType *> element = getElementTypeInfo(type.getElementType());
  if (!element)
    return element.error(); // T1
  if (Status status = checkSide("source", type); !status)
    return status;
  if (Status status = checkShape(shapeOf(source), (*element)->width); !status)
    return status; // S1
  bool isMemRef = isa<MemRefType>(type);
  if (!dest && isMemRef)
    return typeError("expects a dest, since source is a memref"); // T4
  if (!dest)
    return Status::success();
  auto destType = cast<ShapedType>(dest.getType());
  if (isMemRef != isa<MemRefType>(destType))
    return typeError("expects source and dest to be two tensors or two memrefs, but they are ",
                     type, " and ", destType); // T4
  return checkSide("dest", destType);
}

Result<RankedTensorType> resultType(Value source, const Rearrangement &rearrangement) {
  Type element = getElementTypeOrSelf(source.getType());
  std::vector<int64_t> shape = rearrangement.resultShape();
  if (Status status = checkShape(shape, (*getElementTypeInfo(element))->width); !status)
    return status.error();
  return RankedTensorType::get(shape, element);
}

/// T6: the result and a dest have the inferred type.
static LogicalResult verifyTensors(RearrangementOpInterface op, RankedTensorType expected) {
  if (op->getNumResults() != 1)
    return op->emitOpError("expects a result of type ") << expected << ", but there is none";
  if (Type actual = op->getResult(0).getType(); actual != expected)
    return op->emitOpError("expects the type of the result to be ")
           << expected << ", but it is " << actual;
  if (Value dest = op.getDest(); dest && dest.getType() != expected)
    return op->emitOpError("expects the type of dest to be ")
           << expected << ", but it is " << dest.getType();
  return success();
}

static std::vector<int64_t> stridesOf(MemRefType type) {
  SmallVector<int64_t> strides = type.getStridesAndOffset().first;
  return {strides.begin(), strides.end()};
}

/// T7: dest has the inferred shape and the strides of both sides can be walked.
static LogicalResult verifyMemRefs(RearrangementOpInterface op, RankedTensorType expected,
                                   const Rearrangement &rearrangement) {
  auto source = cast<MemRefType>(op.getSource().getType());
  auto dest = cast<MemRefType>(op.getDest().getType());
  if (op->getNumResults() != 0)
    return op->emitOpError("expects no result, since source is a memref");
  if (dest.getShape() != expected.getShape() || dest.getElementType() != expected.getElementType())
    return op->emitOpError("expects dest to have the shape and the element type of ")
           << expected << ", but its type is " << dest;
  if (op.getSource() == op.getDest())
    return op->emitOpError("expects source and dest to be different buffers");
  int64_t width = (*getElementTypeInfo(source.getElementType()))->width;
  Result<Problem> problem = buildProblem(rearrangement, width, stridesOf(source), stridesOf(dest));
  if (!problem)
    return op->emitOpError(problem.error().message);
  return success();
}

LogicalResult verify(RearrangementOpInterface op) {
  // Inference has run before and has reported what fails here.
  Result<Rearrangement> rearrangement = op.getRearrangement();
  if (!rearrangement)
    return failure();
  Result<RankedTensorType> expected = resultType(op.getSource(), *rearrangement);
  if (!expected)
    return failure();
  if (TypedAttr value = op.getPadValue(); value && value.getType() != op.getElementType())
    return op->emitOpError("expects value to have the element type ")
           << op.getElementType() << ", but its type is " << value.getType(); // T8
  return op.hasTensorForm() ? verifyTensors(op, *expected)
                            : verifyMemRefs(op, *expected, *rearrangement);
}

} // namespace relayout::detail
