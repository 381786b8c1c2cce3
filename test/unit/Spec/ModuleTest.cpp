// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Specs as modules of MLIR and back, and the guard of the parser.

#include "relayout/Spec/Module.h"

#include "relayout/IR/Relayout.h"
#include "relayout/Layout/Reference.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace relayout;

namespace {

class ModuleTest : public ::testing::Test {
protected:
  ModuleTest() : context(mlir::MLIRContext::Threading::DISABLED) {
    context.loadDialect<RelayoutDialect, mlir::func::FuncDialect, mlir::complex::ComplexDialect>();
  }
  mlir::MLIRContext context;
};

std::vector<Spec> specs() {
  const std::vector<std::pair<const char *, FlagList>> flags = {
      {"depth_to_space",
       {{"shape", "2x3x5x12xf32"},
        {"layout", "NHWC"},
        {"mode", "blocks_first"},
        {"block_size", "2,3"}}},
      {"space_to_depth",
       {{"shape", "2x3x4x9xbool"},
        {"layout", "NCHW"},
        {"mode", "depth_first"},
        {"block_size", "2,3"},
        {"result_layout", "NHWC"}}},
      {"space_to_batch",
       {{"shape", "2x3x5x7xc64"},
        {"block_shape", "2,4"},
        {"paddings", "1:0,2:1"},
        {"pad_value", "1.5,-2"}}},
      {"space_to_batch",
       {{"shape", "2x3x5xf8E4M3FN"},
        {"block_shape", "2"},
        {"paddings", "1:0"},
        {"pad_value", "nan"}}},
      {"rearrange",
       {{"shape", "2x3xf32"},
        {"pattern", "a b -> b a"},
        {"pad", "1:0,0:0"},
        {"pad_value", "0xFFC00001"}}},
      {"rearrange",
       {{"shape", "2x3xc128"},
        {"pattern", "a b -> b a"},
        {"pad", "1:0,0:0"},
        {"pad_value", "0x7FF8000000000001,-nan"}}},
      {"batch_to_space", {{"shape", "12x3x5xu16"}, {"block_shape", "2,3"}, {"crops", "1:0,0:2"}}},
      {"rearrange",
       {{"shape", "2x12x5xb128"},
        {"pattern", "n (a c) ... -> c n ... a"},
        {"sizes", "a=3"},
        {"pad", "0:0,0:0,1:-2"},
        {"crop", "0:0,-1:0,0:0,0:1"},
        {"pad_value", "340282366920938463463374607431768211455"}}},
      {"transpose", {{"shape", "2x3x5xi64"}, {"perm", "2,0,1"}}},
      {"transpose", {{"shape", "f32"}, {"perm", ""}}},
      {"pixel_shuffle", {{"shape", "2x12x3x5xf16"}, {"block_size", "2"}}},
      {"pixel_unshuffle", {{"shape", "3x6x10xbf16"}, {"block_size", "2"}}},
      {"channel_shuffle", {{"shape", "2x6x5xu8"}, {"groups", "2"}}},
  };
  std::vector<Spec> result;
  for (const auto &[name, list] : flags) {
    Result<Spec> spec = parseSpecFlags(name, list);
    EXPECT_TRUE(spec) << name << ": " << (spec ? "" : spec.error().message);
    if (spec)
      result.push_back(spec.take());
  }
  return result;
}

TEST_F(ModuleTest, HoldsWhatTheSpecMeans) {
  for (const Spec &spec : specs()) {
    auto module = buildModule(spec, context);
    ASSERT_TRUE(module) << module.error().message;
    ASSERT_TRUE(mlir::succeeded(mlir::verify(**module))) << printSpecFlags(spec);
    Result<Spec> back = specFromModule(**module);
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(back->dtype, spec.dtype);
    EXPECT_EQ(back->shape, spec.shape);
    EXPECT_EQ(back->padValue, spec.padValue) << printSpecFlags(spec);
    EXPECT_EQ(referenceMap(*toRearrangement(*back)), referenceMap(*toRearrangement(spec)))
        << printSpecFlags(spec);
  }
}

TEST_F(ModuleTest, SurvivesText) {
  for (const Spec &spec : specs()) {
    auto module = buildModule(spec, context);
    ASSERT_TRUE(module);
    std::string text;
    llvm::raw_string_ostream out(text);
    (*module)->print(out);
    auto parsed = parseModule(text, "text.mlir", context);
    ASSERT_TRUE(parsed) << parsed.error().message;
    EXPECT_EQ(specFromModule(**parsed)->padValue, spec.padValue);
  }
}

TEST_F(ModuleTest, RefusesBadSpecs) {
  Result<Spec> spec = parseSpecFlags("transpose", {{"shape", "2x3xf32"}, {"perm", "0,0"}});
  ASSERT_TRUE(spec);
  auto module = buildModule(*spec, context);
  ASSERT_FALSE(module);
  EXPECT_EQ(module.error().code, ErrorCode::Permutation);
}

TEST_F(ModuleTest, ErrorsOfTheParserHaveAPlace) {
  auto module =
      parseModule("module {\n  func.func @kernel() {\n    foo\n  }\n}\n", "in.mlir", context);
  ASSERT_FALSE(module);
  EXPECT_EQ(module.error().message.substr(0, 12), "in.mlir:3:5:") << module.error().message;
}

TEST_F(ModuleTest, AFunctionThatReturnsItsArgumentIsTheIdentity) {
  const std::pair<const char *, const char *> cases[] = {
      {"tensor<2x3xf16>",
       "rearrange 'd0 d1 -> d0 d1' --pad=0:0,0:0 --crop=0:0,0:0 --shape=2x3xf16"},
      {"tensor<i1>", "rearrange '->' --shape=bool"},
      {"tensor<4x0xcomplex<f32>>",
       "rearrange 'd0 d1 -> d0 d1' --pad=0:0,0:0 --crop=0:0,0:0 --shape=4x0xc64"}};
  for (auto [type, flags] : cases) {
    std::string text = std::string("func.func @kernel(%a: ") + type + ") -> " + type +
                       " { return %a : " + type + " }";
    auto module = parseModule(text, "in.mlir", context);
    ASSERT_TRUE(module) << module.error().message;
    Result<Spec> spec = specFromModule(**module);
    ASSERT_TRUE(spec) << spec.error().message;
    EXPECT_EQ(printSpecFlags(*spec), flags);
    EXPECT_TRUE(toRearrangement(*spec));
  }
}

TEST_F(ModuleTest, SpecFromModuleSaysWhatElseIsThere) {
  const std::pair<const char *, const char *> cases[] = {
      {"module {}", "it has 0 functions"},
      {"func.func private @kernel(tensor<2xf32>) -> tensor<2xf32>", "the function has no body"},
      {"func.func @kernel(%a: tensor<?xf32>) -> tensor<?xf32> { return %a : tensor<?xf32> }",
       "it returns an argument that is no tensor of a static shape"},
      {"func.func @kernel(%a: memref<2xf32>) -> memref<2xf32> { return %a : memref<2xf32> }",
       "it returns an argument that is no tensor of a static shape"},
      {"func.func @kernel(%a: tensor<2xf32>) { return }", "the function returns something else"},
      {"func.func @kernel() { return }",
       "the function has branches or another number of arguments"},
      {"func.func @kernel(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {\n"
       "  %0 = relayout.rearrange %a \"a b -> b a\" : tensor<2x3xf32> -> tensor<3x2xf32>\n"
       "  %1 = relayout.rearrange %0 \"a b -> b a\" : tensor<3x2xf32> -> tensor<2x3xf32>\n"
       "  return %1 : tensor<2x3xf32>\n}",
       "more than one remains after fusion"},
      {"func.func @a(%a: tensor<2xf32>) { return }\nfunc.func @b(%a: tensor<2xf32>) { return }",
       "it has 2 functions"}};
  for (auto [text, found] : cases) {
    auto module = parseModule(text, "in.mlir", context);
    ASSERT_TRUE(module) << module.error().message;
    Result<Spec> spec = specFromModule(**module);
    ASSERT_FALSE(spec) << text;
    EXPECT_EQ(spec.error().code, ErrorCode::Unsupported);
    EXPECT_EQ(spec.error().message,
              std::string("expects a module of one function that returns one rearrangement of its "
                          "argument, but ") +
                  found);
  }
}

TEST(ModuleGuard, TakesWhatIsCommon) {
  for (const char *text : {"", "func.func @f() { return } // ((((((((", "\"((((((((\\\"((((\"",
                           "#m = affine_map<(d0) -> (d0 floordiv 2 + d0 mod 2)>", "() -> () -> ()"})
    EXPECT_TRUE(checkModuleText(text)) << text;
  std::string many;
  for (int i = 0; i < 5000; ++i)
    many += "%c = arith.constant -1 : i32\n#s = affine_set<(d0) : (d0 >= 0)>\n// -> (\n";
  EXPECT_TRUE(checkModuleText(many));
  EXPECT_TRUE(checkModuleText(std::string(256, '(')));
}

/// However many dashes the names have, each operation has a comma, a colon or an equals sign.
TEST(ModuleGuard, TakesManyNames) {
  std::string many = "func.func @f(%a-b: index) {\n";
  for (int i = 0; i < 5000; ++i)
    many += "%c-" + std::to_string(i) + " = arith.addi %a-b, %a-b : index\n" +
            "affine.store %v, %m[%i + 1, %j * 2 - 1] : memref<7x5xf32>\n";
  EXPECT_TRUE(checkModuleText(many + "return\n}"));
}

TEST(ModuleGuard, RefusesDepthAndSize) {
  for (char bracket : {'(', '[', '{', '<'})
    EXPECT_EQ(checkModuleText(std::string(257, bracket)).error().message,
              "expects brackets and operators of MLIR to be nested at most 256 deep");
  EXPECT_FALSE(checkModuleText("#m = affine_map<(d0) -> (" + std::string(10000, '-') + "d0)>"));
  std::string sum = "#m = affine_map<(d0) -> (d0", quotient = sum;
  for (int i = 0; i < 10000; ++i) {
    sum += " + d0";
    quotient += " floordiv 2";
  }
  EXPECT_FALSE(checkModuleText(sum + ")>"));
  EXPECT_FALSE(checkModuleText(quotient + ")>"));
  // Names of values stand in the subscripts of operations.
  std::string subscript = "affine.load %m[%i";
  for (int i = 0; i < 10000; ++i)
    subscript += "+%i";
  EXPECT_FALSE(checkModuleText(subscript + "] : memref<7xf32>"));
  // Comparisons and arrows do not hide brackets.
  std::string hidden;
  for (int i = 0; i < 300; ++i)
    hidden += "< >= -> ";
  EXPECT_FALSE(checkModuleText(hidden));
  EXPECT_EQ(checkModuleText(std::string(kMaxModuleBytes + 1, ' ')).error().message,
            "expects at most 1048576 bytes of MLIR, but got 1048577");
  EXPECT_FALSE(checkModuleText("\"\n" + std::string(300, '(')));
}

} // namespace
