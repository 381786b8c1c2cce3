// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NumPy.h"
#include "Random.h"

#include "relayout/Layout/NamedOperations.h"
#include "relayout/Layout/Reference.h"

#include "gtest/gtest.h"

using namespace relayout;
using namespace relayout::test;

namespace {

using Shape = std::vector<int64_t>;

DepthSpaceAttrs attrs(Shape block, DepthMode mode, TensorLayout layout,
                      std::optional<TensorLayout> result = {}) {
  return {std::move(block), mode, layout, result.value_or(layout)};
}

constexpr DepthMode kBlocksFirst = DepthMode::BlocksFirst, kDepthFirst = DepthMode::DepthFirst;

/// The elements of the result of `r` for an operand that counts from `first`; the
/// fill value is 0.
Array run(const Result<Rearrangement> &r, int64_t first = 0) {
  EXPECT_TRUE(bool(r)) << (r ? "" : r.error().message);
  if (!r)
    return {};
  Array result{r->resultShape(), referenceMap(*r)};
  for (int64_t &source : result.data)
    source = source < 0 ? 0 : source + first;
  return result;
}

Shape shapeOf(const Result<Rearrangement> &r) {
  EXPECT_TRUE(bool(r)) << (r ? "" : r.error().message);
  return r ? r->resultShape() : Shape{};
}

std::string textOf(const Result<Rearrangement> &r) {
  EXPECT_TRUE(bool(r)) << (r ? "" : r.error().message);
  return r ? printPattern(r->pattern()) : "";
}

std::string refusal(const Result<Rearrangement> &r) {
  EXPECT_FALSE(bool(r));
  return r ? "" : r.error().message;
}

/// depth_to_space on [N, C, D1..DK] by its definition in reshapes and a transpose.
Array defineDepthToSpace(const Array &x, const Shape &block, DepthMode mode) {
  size_t axes = block.size();
  int64_t depth = x.shape[1] / product(block);
  Shape split = {x.shape[0]}, perm = {0}, merged = {x.shape[0], depth};
  bool blocksFirst = mode == kBlocksFirst;
  if (!blocksFirst)
    split.push_back(depth);
  split.insert(split.end(), block.begin(), block.end());
  if (blocksFirst)
    split.push_back(depth);
  perm.push_back(blocksFirst ? axes + 1 : 1);
  for (size_t axis = 0; axis < axes; ++axis) {
    split.push_back(x.shape[2 + axis]);
    perm.push_back(axes + 2 + axis);
    perm.push_back((blocksFirst ? 1 : 2) + axis);
    merged.push_back(x.shape[2 + axis] * block[axis]);
  }
  return reshape(transpose(reshape(x, split), perm), merged);
}

/// The permutation that puts the channels of a tensor of `rank` last.
Shape toChannelsLast(size_t rank) {
  Shape perm = {0};
  for (size_t dim = 2; dim < rank; ++dim)
    perm.push_back(dim);
  perm.push_back(1);
  return perm;
}

} // namespace

TEST(DepthToSpace, HasThePatternsOfTheDesign) {
  EXPECT_EQ(textOf(depthToSpace({2, 12, 3, 5}, attrs({2}, kBlocksFirst, TensorLayout::NCHW))),
            "n (by bx c) h w -> n c (h by) (w bx)");
  EXPECT_EQ(textOf(depthToSpace({2, 12, 3, 5}, attrs({2}, kDepthFirst, TensorLayout::NCHW))),
            "n (c by bx) h w -> n c (h by) (w bx)");
  EXPECT_EQ(textOf(depthToSpace({2, 3, 5, 12}, attrs({2}, kBlocksFirst, TensorLayout::NHWC))),
            "n h w (by bx c) -> n (h by) (w bx) c");
  EXPECT_EQ(textOf(spaceToDepth({2, 3, 4, 6}, attrs({2}, kDepthFirst, TensorLayout::NCHW))),
            "n c (h by) (w bx) -> n (c by bx) h w");
  EXPECT_EQ(textOf(depthToSpace({2, 12, 3, 5},
                                attrs({2}, kBlocksFirst, TensorLayout::NCHW, TensorLayout::NHWC))),
            "n (by bx c) h w -> n (h by) (w bx) c");
  EXPECT_EQ(textOf(spaceToBatch({3, 5, 7, 2}, {2, 3}, {{1, 0}, {0, 2}})),
            "n (oh bh) (ow bw) c -> (bh bw n) oh ow c");
  EXPECT_EQ(textOf(batchToSpace({12, 5, 7, 2}, {2, 3}, {})),
            "(bh bw n) h w c -> n (h bh) (w bw) c");
}

// The examples of TensorFlow's page on DepthToSpace.
TEST(DepthToSpace, TensorFlowExamples) {
  DepthSpaceAttrs nhwc = attrs({2}, kBlocksFirst, TensorLayout::NHWC);
  EXPECT_EQ(run(depthToSpace({1, 1, 1, 4}, nhwc), 1), (Array{{1, 2, 2, 1}, {1, 2, 3, 4}}));
  EXPECT_EQ(run(depthToSpace({1, 1, 1, 12}, nhwc), 1),
            (Array{{1, 2, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}}));
  EXPECT_EQ(run(depthToSpace({1, 2, 2, 4}, nhwc), 1),
            (Array{{1, 4, 4, 1}, {1, 2, 5, 6, 3, 4, 7, 8, 9, 10, 13, 14, 11, 12, 15, 16}}));
}

// The example of OpenVINO's page on DepthToSpace-1.
TEST(DepthToSpace, OpenVINOExample) {
  for (DepthMode mode : {kBlocksFirst, kDepthFirst})
    EXPECT_EQ(shapeOf(depthToSpace({5, 28, 2, 3}, attrs({2}, mode, TensorLayout::ChannelsFirst))),
              (Shape{5, 7, 4, 6}));
}

// The examples of TensorFlow's page on SpaceToBatchND.
TEST(SpaceToBatch, TensorFlowExamples) {
  std::vector<Window> none = {{0, 0}, {0, 0}};
  EXPECT_EQ(run(spaceToBatch({1, 2, 2, 1}, {2, 2}, none), 1), (Array{{4, 1, 1, 1}, {1, 2, 3, 4}}));
  EXPECT_EQ(run(spaceToBatch({1, 2, 2, 3}, {2, 2}, none), 1),
            (Array{{4, 1, 1, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}}));
  EXPECT_EQ(run(spaceToBatch({1, 4, 4, 1}, {2, 2}, none), 1),
            (Array{{4, 2, 2, 1}, {1, 3, 9, 11, 2, 4, 10, 12, 5, 7, 13, 15, 6, 8, 14, 16}}));
  EXPECT_EQ(run(spaceToBatch({2, 2, 4, 1}, {2, 2}, {{0, 0}, {2, 0}}), 1),
            (Array{{8, 1, 3, 1}, {0, 1, 3, 0, 9,  11, 0, 2, 4, 0, 10, 12,
                                  0, 5, 7, 0, 13, 15, 0, 6, 8, 0, 14, 16}}));
}

// The examples of OpenVINO's page on BatchToSpace-2.
TEST(BatchToSpace, OpenVINOExamples) {
  EXPECT_EQ(shapeOf(batchToSpace({10, 2}, {1, 5}, {{0, 0}, {2, 0}})), (Shape{2, 8}));
  EXPECT_EQ(shapeOf(batchToSpace({48, 3, 3, 1, 3}, {1, 2, 4, 3, 1},
                                 {{0, 0}, {0, 0}, {1, 1}, {0, 0}, {0, 0}})),
            (Shape{2, 6, 10, 3, 3}));
}

TEST(DepthToSpace, IsItsDefinition) {
  Random random;
  for (int i = 0; i < 1000; ++i) {
    size_t axes = random.between(1, 4);
    Shape block, shape = {random.between(0, 3), 0};
    for (size_t axis = 0; axis < axes; ++axis) {
      block.push_back(random.between(1, 3));
      shape.push_back(random.between(axis == 0 ? 0 : 1, 4));
    }
    shape[1] = random.between(1, 3) * product(block);
    for (DepthMode mode : {kBlocksFirst, kDepthFirst}) {
      Array wanted = defineDepthToSpace(iota(shape), block, mode);
      DepthSpaceAttrs first = attrs(block, mode, TensorLayout::ChannelsFirst);
      Result<Rearrangement> there = depthToSpace(shape, first);
      ASSERT_EQ(run(there), wanted);
      // Another layout of the result is a transpose behind it.
      DepthSpaceAttrs mixed = first;
      mixed.resultLayout = TensorLayout::ChannelsLast;
      ASSERT_EQ(run(depthToSpace(shape, mixed)), transpose(wanted, toChannelsLast(shape.size())));
      // space_to_depth of the same mode undoes it.
      Result<Rearrangement> back = spaceToDepth(wanted.shape, first);
      ASSERT_TRUE(bool(back));
      Result<Rearrangement> both = compose(*there, *back);
      ASSERT_TRUE(both && both->isIdentity());
    }
  }
}

TEST(DepthToSpace, ChannelsLastIsTransposed) {
  Shape shape = {2, 3, 5, 24}, block = {2, 4};
  for (DepthMode mode : {kBlocksFirst, kDepthFirst}) {
    Array first = transpose(iota(shape), {0, 3, 1, 2});
    Array wanted = transpose(defineDepthToSpace(first, block, mode), {0, 2, 3, 1});
    EXPECT_EQ(run(depthToSpace(shape, attrs(block, mode, TensorLayout::NHWC))), wanted);
  }
}

TEST(DepthToSpace, MovesVectorsOfChannels) {
  // [N, C/4, H, W, 4]: the groups of four channels are split, as TensorFlow does.
  Shape shape = {2, 12, 3, 5, 4};
  Array x = iota(shape);
  Array wanted = transpose(reshape(x, {2, 2, 2, 3, 3, 5, 4}), {0, 3, 4, 1, 5, 2, 6});
  DepthSpaceAttrs vector = attrs({2}, kBlocksFirst, TensorLayout::NCHW_VECT_C);
  EXPECT_EQ(run(depthToSpace(shape, vector)), reshape(wanted, {2, 3, 6, 10, 4}));
  // To NCHW: the same, then channels in one dimension.
  vector.resultLayout = TensorLayout::NCHW;
  Array plain = transpose(reshape(wanted, {2, 3, 6, 10, 4}), {0, 1, 4, 2, 3});
  EXPECT_EQ(run(depthToSpace(shape, vector)), reshape(plain, {2, 12, 6, 10}));
}

TEST(DepthToSpace, MakesVectorsOfChannels) {
  Shape shape = {2, 32, 3, 5};
  for (DepthMode mode : {kBlocksFirst, kDepthFirst}) {
    DepthSpaceAttrs to = attrs({2}, mode, TensorLayout::NCHW, TensorLayout::NCHW_VECT_C);
    Array plain = defineDepthToSpace(iota(shape), {2, 2}, mode);
    EXPECT_EQ(run(depthToSpace(shape, to)),
              transpose(reshape(plain, {2, 2, 4, 6, 10}), {0, 1, 3, 4, 2}));
  }
  // space_to_depth, where a vector holds block digits.
  Shape space = {2, 3, 4, 6};
  DepthSpaceAttrs to = attrs({2}, kDepthFirst, TensorLayout::NCHW, TensorLayout::NCHW_VECT_C);
  Array plain = run(spaceToDepth(space, attrs({2}, kDepthFirst, TensorLayout::NCHW)));
  EXPECT_EQ(run(spaceToDepth(space, to)),
            transpose(reshape(plain, {2, 3, 4, 2, 3}), {0, 1, 3, 4, 2}));
  EXPECT_EQ(refusal(depthToSpace({2, 12, 3, 5}, to)),
            "expects the low digits of the result's channels to make vectors of 4 for layout "
            "NCHW_VECT_C, but the sizes of the digits are 3");
}

TEST(SpaceToBatch, IsItsDefinition) {
  Random random;
  for (int i = 0; i < 1000; ++i) {
    size_t axes = random.between(0, 4), rest = random.between(0, 2);
    Shape shape = {random.between(1, 3)}, block, split, perm, result;
    std::vector<Window> pads;
    for (size_t axis = 0; axis < axes; ++axis) {
      block.push_back(random.between(1, 3));
      shape.push_back(random.between(0, 3));
      pads.push_back({random.between(0, 3), 0});
      while ((shape.back() + pads.back().low + pads.back().high) % block.back() != 0)
        ++pads.back().high;
    }
    for (size_t dim = 0; dim < rest; ++dim)
      shape.push_back(random.between(1, 3));
    Array padded = iota(shape, 1);
    for (size_t axis = 0; axis < axes; ++axis)
      padded = pad(padded, axis + 1, pads[axis].low, pads[axis].high);
    split.push_back(shape[0]);
    result.push_back(shape[0] * product(block));
    for (size_t axis = 0; axis < axes; ++axis) {
      split.insert(split.end(), {padded.shape[axis + 1] / block[axis], block[axis]});
      result.push_back(padded.shape[axis + 1] / block[axis]);
      perm.push_back(2 * axis + 2);
    }
    perm.push_back(0);
    for (size_t axis = 0; axis < axes; ++axis)
      perm.push_back(2 * axis + 1);
    for (size_t dim = 0; dim < rest; ++dim) {
      perm.push_back(split.size());
      split.push_back(shape[1 + axes + dim]);
      result.push_back(shape[1 + axes + dim]);
    }
    Array wanted = reshape(transpose(reshape(padded, split), perm), result);
    Result<Rearrangement> there = spaceToBatch(shape, block, pads);
    ASSERT_EQ(run(there, 1), wanted);
    // batch_to_space with the same windows undoes it.
    Result<Rearrangement> back = batchToSpace(result, block, pads);
    ASSERT_TRUE(bool(back)) << back.error().message;
    Result<Rearrangement> both = compose(*there, *back);
    ASSERT_TRUE(both && both->isIdentity()) << describe(*there) << "\n" << describe(*back);
  }
}

TEST(BatchToSpace, IsItsDefinition) {
  Random random;
  for (int i = 0; i < 1000; ++i) {
    int64_t n = random.between(0, 3), h = random.between(1, 4), w = random.between(1, 4);
    int64_t bh = random.between(1, 3), bw = random.between(1, 3), c = random.between(1, 3);
    Shape shape = {bh * bw * n, h, w, c};
    Array wanted = transpose(reshape(iota(shape), {bh, bw, n, h, w, c}), {2, 3, 0, 4, 1, 5});
    wanted = reshape(wanted, {n, h * bh, w * bw, c});
    std::vector<Window> crops;
    for (size_t dim : {1, 2}) {
      int64_t low = random.between(0, wanted.shape[dim]);
      crops.push_back({low, random.between(0, wanted.shape[dim] - low)});
      wanted = crop(wanted, dim, crops.back().low, crops.back().high);
    }
    ASSERT_EQ(run(batchToSpace(shape, {bh, bw}, crops)), wanted);
  }
}

TEST(SpaceToBatch, TakesAnEntryForTheBatch) {
  Shape shape = {3, 4, 5};
  EXPECT_EQ(*spaceToBatch(shape, {1, 2, 5}, {{0, 0}, {1, 1}, {0, 0}}),
            *spaceToBatch(shape, {2, 5}, {{1, 1}, {0, 0}}));
  EXPECT_EQ(refusal(spaceToBatch(shape, {2, 2, 5}, {})),
            "expects a leading 1 where block_shape has an entry for each of the 3 dimensions, but "
            "got 2");
  EXPECT_EQ(refusal(spaceToBatch(shape, {1, 2, 5}, {{1, 0}, {0, 0}, {0, 0}})),
            "expects 0:0 as the entry of paddings for the batch, but got 1:0");
  EXPECT_EQ(refusal(spaceToBatch(shape, {1, 2, 5, 1}, {})),
            "expects at most 2 entries of block_shape for a tensor of rank 3, or 3 with a leading "
            "1, but got 4");
}

TEST(SpaceToBatch, RefusesWithAdvice) {
  EXPECT_EQ(refusal(spaceToBatch({3, 4, 5}, {2, 2}, {{0, 0}, {1, 1}})),
            "expects padded dimension 2 to be divisible by block_shape, but 1 + 5 + 1 = 7 is not "
            "divisible by 2; paddings 1:2 are possible");
  EXPECT_EQ(refusal(batchToSpace({5, 4, 5}, {2, 2}, {})),
            "expects dimension 0 to be divisible by the product of block_shape, but 5 is not "
            "divisible by 4; multiples of 4 are possible");
  EXPECT_EQ(refusal(batchToSpace({4, 4, 5}, {2, 2}, {{5, 4}, {0, 0}})),
            "expects the crops of dimension 1 to sum to at most 8, its extent 4 times its block 2, "
            "but got 5:4");
  EXPECT_EQ(refusal(spaceToBatch({4, 4, 5}, {2, 1}, {{0, 0}})),
            "expects as many paddings as block_shape has entries, 2, but got 1");
  EXPECT_EQ(refusal(spaceToBatch({}, {}, {})), "expects a rank of 1 or more, but the rank is 0");
  // Crops may empty the result.
  EXPECT_EQ(shapeOf(batchToSpace({4, 4, 5}, {2, 2}, {{5, 3}, {0, 0}})), (Shape{1, 0, 10}));
}

TEST(DepthToSpace, RefusesWithAdvice) {
  DepthSpaceAttrs nchw = attrs({4}, kBlocksFirst, TensorLayout::NCHW);
  EXPECT_EQ(refusal(depthToSpace({1, 10, 4, 4}, nchw)),
            "expects dimension 1 to be divisible by block_size^2, but 10 is not divisible by 16; "
            "block_size 1 is possible");
  EXPECT_EQ(refusal(depthToSpace({1, 36, 4, 4}, nchw)),
            "expects dimension 1 to be divisible by block_size^2, but 36 is not divisible by 16; "
            "block_size 3 is possible");
  EXPECT_EQ(refusal(spaceToDepth({1, 3, 6, 9}, nchw)),
            "expects dimension 2 to be divisible by block_size, but 6 is not divisible by 4; "
            "block_size 3 is possible");
  DepthSpaceAttrs unequal = attrs({2, 3}, kBlocksFirst, TensorLayout::NCHW);
  EXPECT_EQ(refusal(depthToSpace({1, 10, 4, 4}, unequal)),
            "expects dimension 1 to be divisible by the product of block_size, but 10 is not "
            "divisible by 6; multiples of 6 are possible");
  EXPECT_EQ(refusal(spaceToDepth({1, 3, 6, 8}, unequal)),
            "expects dimension 3 to be divisible by block_size[1], but 8 is not divisible by 3; "
            "block_size[1] 2 is possible");
  EXPECT_EQ(refusal(depthToSpace({1, 12, 4, 4}, attrs({2, 3, 2}, kDepthFirst, TensorLayout::NCHW))),
            "expects one block_size, or one for each of the 2 spatial axes, but got 3");
  EXPECT_EQ(refusal(depthToSpace({1, 12, 4, 4},
                                 attrs({2}, kDepthFirst, TensorLayout::NCHW, TensorLayout::NWC))),
            "expects a result layout of 2 spatial axes, as the operand in layout NCHW has, but got "
            "NWC");
  EXPECT_EQ(
      refusal(depthToSpace({1, 12, 4, 4, 3}, attrs({2}, kDepthFirst, TensorLayout::NCHW_VECT_C))),
      "expects the last dimension to be 4 in layout NCHW_VECT_C, but it is 3");
}

TEST(PixelShuffle, IsDepthFirst) {
  Shape shape = {2, 3, 12, 5, 7};
  Result<Rearrangement> r = pixelShuffle(shape, 2);
  EXPECT_EQ(shapeOf(r), (Shape{2, 3, 3, 10, 14}));
  Array folded = defineDepthToSpace(iota({6, 12, 5, 7}), {2, 2}, kDepthFirst);
  EXPECT_EQ(run(r), reshape(folded, {2, 3, 3, 10, 14}));
  Result<Rearrangement> back = pixelUnshuffle({2, 3, 3, 10, 14}, 2);
  ASSERT_TRUE(bool(back));
  EXPECT_TRUE(compose(*r, *back)->isIdentity());
  EXPECT_EQ(shapeOf(pixelShuffle({8, 5, 7}, 2)), (Shape{2, 10, 14}));
  EXPECT_EQ(refusal(pixelShuffle({10, 5, 7}, 2)),
            "expects dimension 0 to be divisible by the square of the factor, but 10 is not "
            "divisible by 4; factor 1 is possible");
  EXPECT_EQ(refusal(pixelUnshuffle({2, 6, 9}, 2)),
            "expects dimension 2 to be divisible by the factor, but 9 is not divisible by 2; "
            "factor 1 is possible");
  EXPECT_EQ(refusal(pixelShuffle({5, 7}, 2)), "expects a rank of 3 or more, but the rank is 2");
}

TEST(ChannelShuffle, SwapsGroups) {
  Shape shape = {2, 6, 5};
  Array wanted = reshape(transpose(reshape(iota(shape), {2, 3, 2, 5}), {0, 2, 1, 3}), shape);
  EXPECT_EQ(run(channelShuffle(shape, 1, 3)), wanted);
  EXPECT_TRUE(compose(*channelShuffle(shape, 1, 3), *channelShuffle(shape, 1, 2))->isIdentity());
  EXPECT_EQ(refusal(channelShuffle(shape, 1, 4)),
            "expects dimension 1 to be divisible by groups, but 6 is not divisible by 4; groups 3 "
            "is possible");
  EXPECT_EQ(refusal(channelShuffle(shape, 3, 2)),
            "expects axis to be one of the 3 dimensions, from 0, but got 3");
}

TEST(DepthToSpace, IsAChannelShuffleBesideTheOtherMode) {
  // Blocks first is depth first after the channels' digits are swapped.
  Shape shape = {2, 12, 3, 5};
  Result<Rearrangement> shuffled =
      compose(*channelShuffle(shape, 1, 4),
              *depthToSpace(shape, attrs({2}, kDepthFirst, TensorLayout::NCHW)));
  EXPECT_EQ(run(shuffled), run(depthToSpace(shape, attrs({2}, kBlocksFirst, TensorLayout::NCHW))));
}
