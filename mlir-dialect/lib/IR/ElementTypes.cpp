// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/IR/ElementTypes.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

namespace relayout {

Result<const ElementType *> getElementTypeInfo(Type type) {
  // The names are those that MLIR prints, but for the type without a number.
  if (type.isSignlessInteger(128))
    return parseElementType("b128");
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return parseElementType(name);
}

Type getMLIRElementType(const ElementType &type, MLIRContext *context) {
  std::string_view name = type.name;
  switch (type.kind) {
  case ElementKind::Bool:
    return IntegerType::get(context, 1);
  case ElementKind::Unsigned:
    if (name.front() == 'u')
      return IntegerType::get(context, 8 * type.width, IntegerType::Unsigned);
    [[fallthrough]];
  case ElementKind::Signed:
    return IntegerType::get(context, 8 * type.width);
  case ElementKind::Complex:
    return ComplexType::get(type.width == 8 ? Type(Float32Type::get(context))
                                            : Type(Float64Type::get(context)));
  case ElementKind::Float:
    return parseType(StringRef(name.data(), name.size()), context);
  }
  return {};
}

TypedAttr getZeroElement(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return complex::NumberAttr::get(complex, 0.0, 0.0);
  // By its bits, since f8E8M0FNU has no number zero.
  if (auto floating = dyn_cast<FloatType>(type))
    return FloatAttr::get(
        floating, APFloat(floating.getFloatSemantics(), APInt::getZero(floating.getWidth())));
  return Builder(type.getContext()).getZeroAttr(type);
}

TypedAttr getComplexElement(ComplexType type, const APFloat &real, const APFloat &imaginary) {
  return complex::NumberAttr::get(type, real.convertToDouble(), imaginary.convertToDouble());
}

TypedAttr getSplatElement(SplatElementsAttr splat) {
  auto type = dyn_cast<ComplexType>(splat.getElementType());
  if (!type)
    return dyn_cast<TypedAttr>(splat.getSplatValue<Attribute>());
  if (!isa<FloatType>(type.getElementType()))
    return {};
  auto number = splat.getSplatValue<std::complex<APFloat>>();
  return getComplexElement(type, number.real(), number.imag());
}

std::optional<APInt> getElementBits(Attribute value) {
  if (auto integer = dyn_cast<IntegerAttr>(value))
    return integer.getValue();
  if (auto number = dyn_cast<FloatAttr>(value))
    return number.getValue().bitcastToAPInt();
  if (auto number = dyn_cast<complex::NumberAttr>(value))
    return number.getImag().bitcastToAPInt().concat(number.getReal().bitcastToAPInt());
  return std::nullopt;
}

bool isZeroElement(TypedAttr value) { return !value || value == getZeroElement(value.getType()); }

} // namespace relayout
