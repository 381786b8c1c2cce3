// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RearrangementOp.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "relayout/Layout/Problem.h"

using namespace mlir;

#include "relayout/IR/RelayoutInterfaces.cpp.inc"

namespace relayout::detail {

static std::string textOf(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// T2 and T3: one side of the movement, called `name` in messages.
static Status checkSide(StringRef name, Type type) {
  auto shaped = cast<ShapedType>(type);
  if (!shaped.hasStaticShape())
    return Error{ErrorCode::Unsupported,
                 ("expects " + name + " to have a static shape, but its type is " + textOf(type) +
                  "; dynamic dimensions are not accepted yet")
                     .str()};
  if (auto tensor = dyn_cast<RankedTensorType>(type); tensor && tensor.getEncoding())
    return Error{ErrorCode::Type, ("expects " + name + " to have no encoding, but its type is " +
                                   textOf(type))
                                      .str()};
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref)
    return Status::success();
  auto [strides, offset] = memref.getStridesAndOffset();
  if (ShapedType::isDynamic(offset) || ShapedType::isDynamicShape(strides))
    return Error{ErrorCode::Unsupported,
                 ("expects " + name + " to have static strides and offset, but its type is " +
                  textOf(type))
                     .str()};
  return Status::success();
}

Status checkOperands(Value source, Value dest) {
  auto sourceType = cast<ShapedType>(source.getType());
  Result<const ElementType *> element = getElementTypeInfo(sourceType.getElementType());
  if (!element)
    return element.error();
  if (Status status = checkSide("source", sourceType); !status)
    return status;
  if (Status status = checkShape(shapeOf(source), (*element)->width); !status)
    return status;
  bool isMemRef = isa<MemRefType>(sourceType);
  if (!dest)
    return isMemRef ? Status(Error{ErrorCode::Type, "expects a dest where source is a memref"})
                    : Status::success();
  if (isMemRef != isa<MemRefType>(dest.getType()))
    return Error{ErrorCode::Type,
                 "expects source and dest to be both tensors or both memrefs, but they are " +
                     textOf(sourceType) + " and " + textOf(dest.getType())};
  return checkSide("dest", dest.getType());
}

Type resultType(Value source, const Rearrangement &rearrangement) {
  return RankedTensorType::get(rearrangement.resultShape(),
                               getElementTypeOrSelf(source.getType()));
}

/// T5: a memref dest has the inferred shape, and no two of its elements share a place.
static LogicalResult verifyMemRefs(RearrangementOpInterface op, const Rearrangement &r) {
  auto source = cast<MemRefType>(op.getSource().getType());
  auto dest = cast<MemRefType>(op.getDest().getType());
  if (op->getNumResults() != 0)
    return op->emitOpError("expects no result where source is a memref");
  if (op.getSource() == op.getDest())
    return op->emitOpError("expects source and dest to be different buffers");
  auto expected = RankedTensorType::get(r.resultShape(), source.getElementType());
  if (dest.getShape() != expected.getShape() || dest.getElementType() != expected.getElementType())
    return op->emitOpError("expects dest to have the shape and element type of ")
           << expected << ", but its type is " << dest;
  auto strides = [](MemRefType type) {
    SmallVector<int64_t> values = type.getStridesAndOffset().first;
    return std::vector<int64_t>(values.begin(), values.end());
  };
  int64_t width = (*getElementTypeInfo(source.getElementType()))->width;
  Result<Problem> problem = buildProblem(r, width, strides(source), strides(dest));
  if (!problem)
    return op->emitOpError(problem.error().message);
  return success();
}

/// T6: the result and a tensor dest have the inferred type.
static LogicalResult verifyTensors(RearrangementOpInterface op, const Rearrangement &r) {
  Type expected = resultType(op.getSource(), r);
  if (op->getNumResults() != 1)
    return op->emitOpError("expects a result of type ") << expected << ", but there is none";
  if (Type actual = op->getResult(0).getType(); actual != expected)
    return op->emitOpError("expects the result type to be ")
           << expected << ", but it is " << actual;
  if (Value dest = op.getDest(); dest && dest.getType() != expected)
    return op->emitOpError("expects the type of dest to be ")
           << expected << ", but it is " << dest.getType();
  return success();
}

LogicalResult verify(RearrangementOpInterface op) {
  // Inference, which runs before, has reported what can fail here.
  Result<Rearrangement> rearrangement = op.getRearrangement();
  if (!rearrangement)
    return op->emitOpError(rearrangement.error().message);
  if (TypedAttr value = op.getPadValue(); value && value.getType() != op.getElementType())
    return op->emitOpError("expects value to have the element type ")
           << op.getElementType() << ", but its type is " << value.getType();
  return op.hasTensorForm() ? verifyTensors(op, *rearrangement) : verifyMemRefs(op, *rearrangement);
}

//===----------------------------------------------------------------------===//
// Folds
//===----------------------------------------------------------------------===//

/// The value that `op` gives back unchanged: its source, or the source of the
/// operation before it that it undoes.
static Value foldToSource(RearrangementOpInterface op, const Rearrangement &second) {
  if (second.isIdentity())
    return op.getSource();
  auto producer = op.getSource().getDefiningOp<RearrangementOpInterface>();
  if (!producer)
    return {};
  Result<Rearrangement> first = producer.getRearrangement();
  if (!first)
    return {};
  Result<Rearrangement> both = compose(*first, second);
  return both && both->isIdentity() ? producer.getSource() : Value();
}

/// The one element of a splat, as an attribute of its type.
static TypedAttr splatElement(SplatElementsAttr splat) {
  if (auto type = dyn_cast<ComplexType>(splat.getElementType())) {
    auto value = splat.getSplatValue<std::complex<APFloat>>();
    return complex::NumberAttr::get(type, value.real().convertToDouble(),
                                    value.imag().convertToDouble());
  }
  return splat.getSplatValue<TypedAttr>();
}

LogicalResult fold(RearrangementOpInterface op, Attribute source,
                   SmallVectorImpl<OpFoldResult> &results) {
  if (!op.hasTensorForm())
    return failure();
  Result<Rearrangement> rearrangement = op.getRearrangement();
  if (!rearrangement)
    return failure();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (Value value = foldToSource(op, *rearrangement); value && value.getType() == type) {
    results.push_back(value);
    return success();
  }
  auto splat = dyn_cast_or_null<SplatElementsAttr>(source);
  if (!splat)
    return failure();
  if (rearrangement->needsFill() && splatElement(splat) != op.getPadValueOrZero())
    return failure();
  results.push_back(splat.resizeSplat(type));
  return success();
}

//===----------------------------------------------------------------------===//
// Other interfaces
//===----------------------------------------------------------------------===//

LogicalResult reifyResultShapes(RearrangementOpInterface op, OpBuilder &builder,
                                ReifiedRankedShapedTypeDims &reifiedReturnShapes) {
  if (!op.hasTensorForm())
    return failure();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  reifiedReturnShapes.push_back(getAsIndexOpFoldResult(builder.getContext(), type.getShape()));
  return success();
}

void getEffects(
    RearrangementOpInterface op,
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  if (op.hasTensorForm())
    return;
  effects.emplace_back(MemoryEffects::Read::get(), &op->getOpOperand(0),
                       SideEffects::DefaultResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), &op->getOpOperand(1),
                       SideEffects::DefaultResource::get());
}

} // namespace relayout::detail
