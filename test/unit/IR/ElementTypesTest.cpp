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

TEST_F(ElementTypes, othersAreRefused) {
  for (Type type : {Type(IndexType::get(&context)), Type(IntegerType::get(&context, 4)),
                    Type(IntegerType::get(&context, 256)), Type(Float128Type::get(&context)),
                    Type(ComplexType::get(Float16Type::get(&context))),
                    Type(VectorType::get({4}, Float32Type::get(&context)))})
    EXPECT_FALSE(getElementTypeInfo(type));
}

} // namespace
