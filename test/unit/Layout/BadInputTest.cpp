// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Arguments on which other products crashed, hung or were silently wrong.

#include "relayout/Layout/CheckedMath.h"
#include "relayout/Layout/ElementType.h"
#include "relayout/Layout/NamedOperations.h"
#include "relayout/Layout/Reference.h"

#include "gtest/gtest.h"

using namespace relayout;

namespace {

using Shape = std::vector<int64_t>;

template <typename T> std::string codeOf(const Result<T> &result) {
  return result ? "ok" : codeWord(result.error().code);
}

Result<Rearrangement> d2s(TensorLayout layout, Shape shape, Shape block) {
  return depthToSpace(shape, {block, DepthMode::BlocksFirst, layout, layout});
}
Result<Rearrangement> s2d(TensorLayout layout, Shape shape, Shape block) {
  return spaceToDepth(shape, {block, DepthMode::BlocksFirst, layout, layout});
}

constexpr TensorLayout NHWC = TensorLayout::NHWC, NCHW = TensorLayout::NCHW;
constexpr int64_t kHuge = 4323455642275676160; // its square is 0 modulo 2^64

} // namespace

TEST(BadInput, BlocksBelowOne) {
  EXPECT_EQ(codeOf(s2d(NHWC, {1, 4, 4, 3}, {0, 0})), "block");
  EXPECT_EQ(codeOf(d2s(NHWC, {1, 2, 2, 4}, {0, 0})), "block");
  EXPECT_EQ(codeOf(d2s(NCHW, {1, 4, 2, 2}, {INT64_MIN, 2})), "block");
  EXPECT_EQ(codeOf(batchToSpace({4, 2, 2, 1}, {0, 2}, {{0, 0}, {0, 0}})), "block");
  EXPECT_EQ(codeOf(spaceToBatch({1, 4, 4, 1}, {2, 0}, {{0, 0}, {0, 0}})), "block");
  EXPECT_EQ(codeOf(spaceToBatch({10, 19, 22}, {-1879048192, -1879048192}, {{0, 0}, {0, 0}})),
            "block");
  EXPECT_EQ(codeOf(channelShuffle({1, 4, 10, 10}, 1, 0)), "block");
  EXPECT_EQ(codeOf(pixelShuffle({1, 4, 2, 2}, 0)), "block");
  EXPECT_EQ(codeOf(pixelUnshuffle({1, 4, 2, 2}, -2)), "block");
}

TEST(BadInput, Permutations) {
  EXPECT_EQ(codeOf(permutation({4}, {-10})), "perm");
  EXPECT_EQ(codeOf(permutation({2, 2}, {0, 0})), "perm");
  EXPECT_EQ(codeOf(permutation({2, 2}, {0})), "perm");
  EXPECT_EQ(codeOf(permutation({2, 2}, {0, 2})), "perm");
  Result<Rearrangement> scalar = permutation({}, {});
  ASSERT_TRUE(bool(scalar));
  EXPECT_EQ(referenceMap(*scalar), Shape{0});
}

TEST(BadInput, Windows) {
  EXPECT_EQ(codeOf(spaceToBatch({1, 32, 32, 3}, {1, 1},
                                {{747509374, 2136925906}, {413308538, 904601717}})),
            "overflow");
  EXPECT_EQ(codeOf(spaceToBatch({1, 4}, {1}, {{INT64_MAX, INT64_MAX}})), "overflow");
  EXPECT_EQ(codeOf(spaceToBatch({1, 4}, {1}, {{INT64_MAX - 4, 0}})), "overflow");
  EXPECT_EQ(codeOf(batchToSpace({4, 2, 2, 1}, {2, 2}, {{2012217344, 167772160}, {0, 0}})), "crop");
  EXPECT_EQ(codeOf(batchToSpace({4, 2, 2, 1}, {2, 2}, {{INT64_MAX, INT64_MAX}, {0, 0}})), "crop");
  EXPECT_EQ(codeOf(batchToSpace({4, 2, 2, 1}, {2, 2}, {{3, 3}, {0, 0}})), "crop");
  EXPECT_EQ(codeOf(batchToSpace({4, 2, 2, 1}, {2, 2}, {{-1, 0}, {0, 0}})), "crop");
  EXPECT_EQ(codeOf(spaceToBatch({1, 4, 4, 4}, {2, 2}, {{-4, 0}, {0, 0}})), "pad");
}

TEST(BadInput, HugeBlocks) {
  EXPECT_EQ(codeOf(d2s(NCHW, {0, 0, 9}, {kHuge, kHuge})), "layout");
  EXPECT_EQ(codeOf(pixelShuffle({0, 0, 9}, kHuge)), "overflow");
  EXPECT_EQ(codeOf(d2s(NCHW, {1, 1363, 1, 1}, {8070450532247928832, 8070450532247928832})),
            "overflow");
  EXPECT_EQ(codeOf(d2s(NCHW, {1, 1, 2, 2}, {INT64_MAX, INT64_MAX})), "overflow");
  EXPECT_EQ(codeOf(d2s(NCHW, {1, 1, 2, 2}, {4294967296, 4294967296})), "overflow");
  EXPECT_EQ(codeOf(d2s(NCHW, {1, 4, 2, 2}, {65536, 65536})), "divisible");
  EXPECT_EQ(codeOf(d2s(NHWC, {4, 1, 1, 1}, {2147483647, 2147483647})), "divisible");
  EXPECT_EQ(codeOf(d2s(NHWC, {0, 2, 3, 12}, {536870912, 536870912})), "divisible");
  // The product must not hide behind an extent of 0.
  EXPECT_EQ(codeOf(d2s(NCHW, {1, 0, 2, 2}, {4294967296, 4294967296})), "overflow");
  EXPECT_EQ(codeOf(d2s(NCHW, {1, 0, 2, 2}, {2147483648, 1073741824})), "overflow");
  EXPECT_EQ(codeOf(s2d(NCHW, {1, 3, 4, 4}, {INT64_MAX, INT64_MAX})), "overflow");
  EXPECT_EQ(codeOf(batchToSpace({0, 4, 4}, {4294967296, 4294967296}, {})), "overflow");
}

TEST(BadInput, Divisibility) {
  EXPECT_EQ(codeOf(d2s(NCHW, {1, 4, 2, 2}, {3, 3})), "divisible");
  EXPECT_EQ(codeOf(s2d(NCHW, {1, 4, 3, 2}, {2, 2})), "divisible");
}

TEST(BadInput, EmptyIsFine) {
  Result<Rearrangement> r = d2s(NCHW, {0, 4, 2, 2}, {2, 2});
  ASSERT_TRUE(bool(r));
  EXPECT_EQ(r->resultShape(), (Shape{0, 1, 4, 4}));
  r = d2s(NCHW, {1, 1, 1, 0}, {1, 1});
  ASSERT_TRUE(bool(r));
  EXPECT_EQ(r->resultShape(), (Shape{1, 1, 1, 0}));
  r = d2s(NCHW, {1, 0, 2, 3}, {2, 2});
  ASSERT_TRUE(bool(r));
  EXPECT_EQ(r->resultShape(), (Shape{1, 0, 4, 6}));
  r = pixelShuffle({1, 1, 1, 1, 0}, 1);
  ASSERT_TRUE(bool(r));
  EXPECT_EQ(r->resultShape(), (Shape{1, 1, 1, 1, 0}));
}

TEST(BadInput, Ranks) {
  EXPECT_EQ(codeOf(s2d(TensorLayout::NCHW_VECT_C, {1, 4, 4, 4}, {2, 2})), "layout");
  EXPECT_EQ(codeOf(d2s(TensorLayout::ChannelsFirst, {1, 4}, {})), "layout");
  EXPECT_EQ(codeOf(spaceToBatch(Shape(kMaxRank + 1, 1), {}, {})), "limit");
  EXPECT_EQ(codeOf(spaceToBatch({1, -2}, {}, {})), "shape");
  EXPECT_EQ(codeOf(spaceToBatch({92233720368, 92233720368}, {}, {})), "overflow");
  EXPECT_EQ(codeOf(spaceToBatch({0, 92233720368, 92233720368}, {}, {})), "overflow");
}

TEST(BadInput, Words) {
  EXPECT_EQ(codeOf(parseDepthMode("XYZ")), "mode");
  EXPECT_EQ(codeOf(parseTensorLayout("NHCW")), "layout");
  EXPECT_EQ(codeOf(parseElementType("f31")), "type");
  EXPECT_EQ(parseDepthMode("XYZ").error().message,
            "expects a mode among blocks_first, depth_first, but got 'XYZ'");
  EXPECT_EQ(parseTensorLayout("nhwc").error().message,
            "expects a layout among NHWC, NCHW, NCHW_VECT_C, NWC, NCW, NDHWC, NCDHW, "
            "channels_first, channels_last, but got 'nhwc'");
}

// A reshape is a pattern: it cannot gain or lose elements, and infers one size.
TEST(BadInput, Reshapes) {
  auto bind = [](const char *pattern, Shape shape, DigitSizes sizes) {
    return codeOf(bindPattern(*parsePattern(pattern), shape, sizes));
  };
  EXPECT_EQ(bind("(a b) c -> a (b c)", {2, 3}, {{"a", 4}}), "divisible");
  EXPECT_EQ(bind("(a b) -> a b", {0}, {{"b", 0}}), "pattern");
  EXPECT_EQ(bind("(a b) -> a b", {6}, {}), "pattern");
}

TEST(Words, ParseBack) {
  for (const auto &[word, layout] : tensorLayouts()) {
    EXPECT_STREQ(layoutWord(layout), word);
    EXPECT_EQ(*parseTensorLayout(word), layout);
  }
  for (DepthMode mode : {DepthMode::BlocksFirst, DepthMode::DepthFirst})
    EXPECT_EQ(*parseDepthMode(modeWord(mode)), mode);
  for (const ElementType &type : elementTypes())
    EXPECT_EQ(*parseElementType(type.name), &type);
  for (auto [mlir, word] :
       {std::pair("i1", "bool"), std::pair("si32", "i32"), std::pair("ui64", "u64"),
        std::pair("complex<f32>", "c64"), std::pair("complex<f64>", "c128")})
    EXPECT_STREQ((*parseElementType(mlir))->name, word);
}

TEST(CheckedMath, NoticesOverflow) {
  EXPECT_EQ(checkedAdd(INT64_MAX, 1), std::nullopt);
  EXPECT_EQ(checkedAdd(INT64_MIN, -1), std::nullopt);
  EXPECT_EQ(checkedMul(int64_t(1) << 32, int64_t(1) << 31), std::nullopt);
  EXPECT_EQ(checkedMul(int64_t(1) << 31, int64_t(1) << 31), int64_t(1) << 62);
  EXPECT_EQ(checkedProduct({}), 1);
  EXPECT_EQ(checkedProduct({3, 0, 5}), 0);
  EXPECT_EQ(checkedProduct({0, INT64_MAX, 2}), std::nullopt);
  EXPECT_EQ(floorDiv(-7, 2), -4);
  EXPECT_EQ(floorDiv(7, 2), 3);
  EXPECT_EQ(ceilDiv(-7, 2), -3);
  EXPECT_EQ(ceilDiv(7, 2), 4);
}
