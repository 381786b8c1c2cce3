// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Which transposes of short rows and of runs the picked schedules move in blocks of both sides.

#include "ScheduleCases.h"

using namespace relayout;
using namespace relayout::test;

namespace {

/// Bytes side by side of a block that is fetched; 0 if none is.
struct Block {
  int64_t read, written;
};

Block pickedBlock(const Problem &problem, const TargetInfo &target) {
  PieceSchedule piece = pickSchedule(problem, target, {})->pieces[0];
  if (!piece.fetch || !piece.stage)
    return {0, 0};
  std::vector<int64_t> values = valuesWithin(problem, piece.loops, *piece.fetch);
  auto run = [&](auto stride) {
    int64_t elements = 1;
    for (bool grows = true; grows;) {
      grows = false;
      for (size_t d = 0; d < values.size(); ++d)
        if (problem.digits[d].*stride == elements && values[d] > 1) {
          elements *= values[d];
          grows = values[d] == problem.digits[d].extent;
          break;
        }
    }
    return elements * problem.width;
  };
  return {run(&Digit::inStride), run(&Digit::outStride)};
}

TEST(PickSchedule, MovesShortRowsInBlocksOfSeveralDigits) {
  // Rows of 65 bytes to rows of 41.
  Block bytes = pickedBlock(dense(1, {41, 33, 35, 31, 65}, {4, 3, 2, 1, 0}), touching());
  EXPECT_GE(bytes.read, 512);
  EXPECT_GE(bytes.written, 128);
  // Rows of 116 bytes, six digits, which no order of one side takes long runs of.
  Block floats = pickedBlock(dense(4, {11, 13, 17, 47, 13, 29}, {2, 0, 4, 1, 5, 3}), touching());
  EXPECT_GE(floats.read, 512);
  EXPECT_GE(floats.written, 128);
}

TEST(PickSchedule, StagesBlocksThatTheFirstCacheHolds) {
  Problem problem = dense(1, {15, 22, 45, 15, 3, 116}, {1, 5, 4, 0, 3, 2});
  PieceSchedule piece = pickSchedule(problem, touching(), {})->pieces[0];
  ASSERT_TRUE(piece.stage);
  EXPECT_LE(stagedBlock(problem, piece).keptFirst, touching().l1Bytes);
}

TEST(PickSchedule, LeavesLongRowsInTheirOrder) {
  TargetInfo target = touching();
  TargetInfo follows = target;
  follows.memory.followsRows = true;
  // Rows of 3573 and of 19753 bytes: tiles write lines, where those of blocks write 16 bytes.
  Problem longRows = dense(1, {19753, 3573}, {1, 0});
  PieceSchedule piece = pickSchedule(longRows, target, {})->pieces[0];
  EXPECT_EQ(piece.tile[1], 64);
  // Others follow short rows by themselves.
  Problem shortRows = dense(1, {41, 33, 35, 31, 65}, {4, 3, 2, 1, 0});
  EXPECT_FALSE(pickSchedule(shortRows, follows, {})->pieces[0] ==
               pickSchedule(shortRows, target, {})->pieces[0]);
}

/// Steps of the loops that are picked for `problem`, with their digits.
std::vector<std::pair<unsigned, int64_t>> pickedLoops(const Problem &problem) {
  PieceSchedule piece = pickSchedule(problem, touching(), {})->pieces[0];
  std::vector<std::pair<unsigned, int64_t>> loops;
  for (const Loop &loop : piece.loops)
    loops.push_back({loop.digit, loop.step});
  return loops;
}

TEST(PickSchedule, MovesRunsToManyRowsInGroups) {
  using Loops = std::vector<std::pair<unsigned, int64_t>>;
  // Runs of 256 bytes: 4 of them make 1 KiB of a row written, 8 of them 2 KiB of a row read.
  Problem runs = dense(2, {700, 502, 128}, {1, 0, 2});
  Loops loops = pickedLoops(runs);
  ASSERT_GE(loops.size(), 3u);
  EXPECT_EQ(loops[0], std::pair(1u, int64_t(4)));
  EXPECT_EQ(loops[1], std::pair(0u, int64_t(8)));
  // In each of five places, one after the other.
  Loops inPlaces = pickedLoops(dense(2, {5, 300, 502, 128}, {0, 2, 1, 3}));
  ASSERT_GE(inPlaces.size(), 4u);
  EXPECT_EQ(inPlaces[0], std::pair(0u, int64_t(1)));
  EXPECT_EQ(inPlaces[1], std::pair(2u, int64_t(4)));
  EXPECT_EQ(inPlaces[2], std::pair(1u, int64_t(8)));
  // To 171 rows, the order of the input is as good.
  Loops few = pickedLoops(dense(2, {2052, 171, 128}, {1, 0, 2}));
  EXPECT_NE(few[1], std::pair(0u, int64_t(8)));
}

} // namespace
