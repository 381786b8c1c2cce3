// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/IR/ElementTypes.h"
#include "relayout/Transforms/Chain.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace relayout {

static Error notConstant() { return {ErrorCode::Unsupported, "expects a constant fill value"}; }

Value buildFill(OpBuilder &builder, Location loc, TypedAttr fill) {
  if (auto number = dyn_cast<complex::NumberAttr>(fill)) {
    auto type = cast<ComplexType>(number.getType());
    Attribute parts[] = {FloatAttr::get(type.getElementType(), number.getReal()),
                         FloatAttr::get(type.getElementType(), number.getImag())};
    return complex::ConstantOp::create(builder, loc, type, builder.getArrayAttr(parts));
  }
  if (arith::ConstantOp::isBuildableWith(fill, fill.getType()))
    return arith::ConstantOp::create(builder, loc, fill);
  // arith.constant takes integers with a sign as elements of a tensor alone.
  auto tensor = DenseElementsAttr::get(RankedTensorType::get({}, fill.getType()), fill);
  Value constant = arith::ConstantOp::create(builder, loc, tensor);
  return tensor::ExtractOp::create(builder, loc, constant, ValueRange());
}

Result<TypedAttr> readFill(Value value) {
  if (value.getDefiningOp<ub::PoisonOp>())
    return TypedAttr();
  if (auto extract = value.getDefiningOp<tensor::ExtractOp>())
    return readSplat(extract.getTensor());
  Attribute constant;
  if (!matchPattern(value, m_Constant(&constant)))
    return notConstant();
  if (auto type = dyn_cast<ComplexType>(value.getType())) {
    auto parts = dyn_cast<ArrayAttr>(constant);
    if (!parts || parts.size() != 2 || !isa<FloatAttr>(parts[0]) || !isa<FloatAttr>(parts[1]))
      return notConstant();
    return getComplexElement(type, cast<FloatAttr>(parts[0]).getValue(),
                             cast<FloatAttr>(parts[1]).getValue());
  }
  if (auto typed = dyn_cast<TypedAttr>(constant))
    return typed;
  return notConstant();
}

Result<TypedAttr> readSplat(Value tensor) {
  if (tensor.getDefiningOp<tensor::EmptyOp>())
    return TypedAttr();
  if (auto fill = tensor.getDefiningOp<linalg::FillOp>())
    return readFill(fill.getInputs().front());
  if (auto splat = tensor.getDefiningOp<tensor::SplatOp>())
    return readFill(splat.getInput());
  SplatElementsAttr elements;
  if (!matchPattern(tensor, m_Constant(&elements)))
    return notConstant();
  if (TypedAttr element = getSplatElement(elements))
    return element;
  return notConstant();
}

} // namespace relayout
