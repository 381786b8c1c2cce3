// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OpSupport.h"

#include "relayout/Layout/Problem.h"

using namespace mlir;

namespace relayout::detail {

/// `type` in quotes, as diagnostics print types.
static std::string quoted(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << "'" << type << "'";
  return text;
}

template <typename... Parts> static Error typeError(const Parts &...parts) {
  std::string message;
  llvm::raw_string_ostream stream(message);
  (stream << ... << parts);
  return {ErrorCode::Type, message};
}

/// Upstream finds no strides in such a type.
static bool hasNoElements(MemRefType type) { return llvm::is_contained(type.getShape(), 0); }

/// [T2] and [T3] for one side of the movement, which messages call `name`.
static Status checkSide(StringRef name, ShapedType type) {
  if (!type.hasStaticShape())
    return typeError("expects ", name, " to have a static shape, but its type is ", quoted(type),
                     "; dynamic dimensions are not accepted");
  if (auto tensor = dyn_cast<RankedTensorType>(type); tensor && tensor.getEncoding())
    return typeError("expects ", name, " to have no encoding, but its type is ", quoted(type));
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref || hasNoElements(memref))
    return Status::success();
  auto [strides, offset] = memref.getStridesAndOffset();
  if (ShapedType::isDynamic(offset) || ShapedType::isDynamicShape(strides))
    return typeError("expects ", name,
                     " to have static strides and a static offset, but its type is ", quoted(type));
  if (offset < 0)
    return typeError("expects ", name, " to begin at an offset of 0 or more, but its type is ",
                     quoted(type));
  return Status::success();
}

Status checkOperands(Value source, Value dest) {
  auto type = cast<ShapedType>(source.getType());
  Result<const ElementType *> element = getElementTypeInfo(type.getElementType());
  if (!element)
    return element.error(); // [T1]
  if (Status status = checkSide("source", type); !status)
    return status;
  if (Status status = checkShape(shapeOf(source), (*element)->width); !status)
    return status; // [S1]
  bool isMemRef = isa<MemRefType>(type);
  if (!dest && isMemRef)
    return typeError("expects a dest, since source is a memref"); // [T4]
  if (!dest)
    return Status::success();
  auto destType = cast<ShapedType>(dest.getType());
  if (isMemRef != isa<MemRefType>(destType))
    return typeError("expects source and dest to be two tensors or two memrefs, but they are ",
                     quoted(type), " and ", quoted(destType)); // [T4]
  return checkSide("dest", destType);
}

Result<RankedTensorType> inferType(Value source, Value dest,
                                   llvm::function_ref<Result<Rearrangement>()> bind) {
  if (Status status = checkOperands(source, dest); !status)
    return status.error();
  Result<Rearrangement> rearrangement = bind();
  if (!rearrangement)
    return rearrangement.error();
  Type element = getElementTypeOrSelf(source.getType());
  std::vector<int64_t> shape = rearrangement->resultShape();
  if (Status status = checkShape(shape, (*getElementTypeInfo(element))->width); !status)
    return status.error(); // [S3]
  return RankedTensorType::get(shape, element);
}

/// [T5] and the second half of [T4].
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

static std::vector<int64_t> stridesOf(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  if (hasNoElements(type))
    return rowMajorStrides(type.getShape().vec());
  SmallVector<int64_t> strides = type.getStridesAndOffset().first;
  return {strides.begin(), strides.end()};
}

/// [T6], [T7] and the second half of [T4].
static LogicalResult verifyMemRefs(RearrangementOpInterface op, RankedTensorType expected) {
  auto dest = cast<MemRefType>(op.getDest().getType());
  if (op->getNumResults() != 0)
    return op->emitOpError("expects no result, since source is a memref");
  if (dest.getShape() != expected.getShape() || dest.getElementType() != expected.getElementType())
    return op->emitOpError("expects dest to have the shape and the element type of ")
           << expected << ", but its type is " << dest;
  if (op.getSource() == op.getDest())
    return op->emitOpError("expects source and dest to be different buffers");
  if (Result<Problem> problem = getMemRefProblem(op); !problem)
    return op->emitOpError(problem.error().message);
  return success();
}

LogicalResult verify(RearrangementOpInterface op) {
  Result<RankedTensorType> expected =
      inferType(op.getSource(), op.getDest(), [&] { return op.getRearrangement(); });
  if (!expected)
    return op->emitOpError(expected.error().message);
  TypedAttr value = op.getPadValue();
  if (value && value.getType() != op.getElementType())
    return op->emitOpError("expects value to have the element type ")
           << op.getElementType() << ", but its type is " << value.getType(); // [T8]
  if (value && !getElementBits(value))
    return op->emitOpError("expects value to be an integer, a float or a complex number, but got ")
           << value; // [T8]
  return op.hasTensorForm() ? verifyTensors(op, *expected) : verifyMemRefs(op, *expected);
}

} // namespace relayout::detail

namespace relayout {

Result<Problem> getMemRefProblem(RearrangementOpInterface op) {
  Result<const ElementType *> element = getElementTypeInfo(op.getElementType());
  if (!element)
    return element.error();
  Result<Rearrangement> rearrangement = op.getRearrangement();
  if (!rearrangement)
    return rearrangement.error();
  return buildProblem(*rearrangement, (*element)->width, detail::stridesOf(op.getSource()),
                      detail::stridesOf(op.getDest()));
}

} // namespace relayout
