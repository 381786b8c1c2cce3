// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/IR/ElementTypes.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace relayout;

namespace {

struct ElementTypes : testing::Test {
  ElementTypes() { context.loadDialect<complex::ComplexDialect>(); }
  MLIRContext context;
};

/// The name under which a type comes back: MLIR has one signless integer for b8 and
/// i8, and none that is both 16 bytes wide and numbered.
std::string nameOfRoundTrip(std::string_view name) {
  if (name == "b128" || name.front() != 'b' || name == "bf16" || name == "bool")
    return std::string(name);
  return "i" + std::string(name.substr(1));
}

TEST_F(ElementTypes, everyTypeIsATypeOfMLIR) {
  for (const ElementType &type : elementTypes()) {
    Type mlirType = getMLIRElementType(type, &context);
    ASSERT_TRUE(mlirType) << type.name;
    Result<const ElementType *> back = getElementTypeInfo(mlirType);
    ASSERT_TRUE(back) << type.name;
    EXPECT_EQ((*back)->name, nameOfRoundTrip(type.name));
    EXPECT_EQ((*back)->width, type.width);
  }
}

TEST_F(ElementTypes, zeroHasNoBits) {
  for (const ElementType &type : elementTypes()) {
    TypedAttr zero = getZeroElement(getMLIRElementType(type, &context));
    ASSERT_TRUE(zero) << type.name;
    EXPECT_EQ(zero.getType(), getMLIRElementType(type, &context));
    EXPECT_TRUE(isZeroElement(zero));
    if (auto number = dyn_cast<FloatAttr>(zero))
      EXPECT_TRUE(number.getValue().bitcastToAPInt().isZero()) << type.name;
  }
  EXPECT_TRUE(isZeroElement({}));
  EXPECT_FALSE(isZeroElement(FloatAttr::get(Float32Type::get(&context), -0.0)));
  EXPECT_FALSE(isZeroElement(BoolAttr::get(&context, true)));
}

TEST_F(ElementTypes, bitsOfFillValues) {
  EXPECT_EQ(*getElementBits(BoolAttr::get(&context, true)), APInt(1, 1));
  EXPECT_EQ(*getElementBits(IntegerAttr::get(IntegerType::get(&context, 16), -2)),
            APInt(16, 0xfffe));
  EXPECT_EQ(*getElementBits(FloatAttr::get(BFloat16Type::get(&context), 1.5)), APInt(16, 0x3fc0));
  EXPECT_FALSE(getElementBits(StringAttr::get(&context, "1")));
  APFloat real(APFloat::IEEEsingle(), APInt(32, 0xffc00001)), imaginary(-2.0f);
  TypedAttr number =
      getComplexElement(ComplexType::get(Float32Type::get(&context)), real, imaginary);
  EXPECT_EQ(*getElementBits(number), APInt(64, 0xc0000000ffc00001));
}

template <typename T> TypedAttr elementOfSplat(Type type, const T &value) {
  return getSplatElement(cast<SplatElementsAttr>(
      DenseElementsAttr::get(RankedTensorType::get({2, 3}, type), ArrayRef<T>(value))));
}

TEST_F(ElementTypes, elementsOfSplats) {
  auto type = ComplexType::get(Float32Type::get(&context));
  EXPECT_EQ(elementOfSplat(type, std::complex<APFloat>(APFloat(1.5f), APFloat(-2.0f))),
            complex::NumberAttr::get(type, 1.5, -2.0));
  auto integers = ComplexType::get(IntegerType::get(&context, 8));
  EXPECT_FALSE(elementOfSplat(integers, std::complex<APInt>(APInt(8, 1), APInt(8, 2))));
  EXPECT_EQ(elementOfSplat(IntegerType::get(&context, 8), APInt(8, 7)),
            IntegerAttr::get(IntegerType::get(&context, 8), 7));
}

TEST_F(ElementTypes, othersAreRefused) {
  for (Type type : {Type(IndexType::get(&context)), Type(IntegerType::get(&context, 4)),
                    Type(IntegerType::get(&context, 256)), Type(Float128Type::get(&context)),
                    Type(ComplexType::get(Float16Type::get(&context))),
                    Type(VectorType::get({4}, Float32Type::get(&context)))})
    EXPECT_FALSE(getElementTypeInfo(type));
}

} // namespace
