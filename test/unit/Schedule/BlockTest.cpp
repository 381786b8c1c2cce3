// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Which transposes of short rows and of runs the picked schedules move in blocks of both sides.

#include "../../../lib/Schedule/Movement.h"
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
  EXPECT_GE(bytes.read, 256);
  EXPECT_GE(bytes.written, 128);
  // Two bytes, rows of 34 to rows of 42, of which a visit would write two.
  Block halves = pickedBlock(dense(2, {21, 9, 21, 27, 19, 17}, {1, 5, 4, 0, 3, 2}), touching());
  EXPECT_GE(halves.read, 512);
  EXPECT_GE(halves.written, 128);
  // Rows of 116 bytes, six digits, which no order of one side takes long runs of.
  Block floats = pickedBlock(dense(4, {11, 13, 17, 47, 13, 29}, {2, 0, 4, 1, 5, 3}), touching());
  EXPECT_GE(floats.read, 512);
  EXPECT_GE(floats.written, 128);
}

TEST(PickSchedule, ReadsMoreOfShortRowsThanItWrites) {
  // Rows of 37 bytes, 16 of which lie side by side, to rows of 65: two of these at a visit, so that
  // the block is one stretch for each of the 65.
  TargetInfo target = packing();
  target.l2Bytes = 1 << 20;
  Block block = pickedBlock(dense(1, {33, 65, 19, 16, 37}, {4, 0, 3, 2, 1}), target);
  EXPECT_EQ(block.read, 2 * 16 * 37);
  EXPECT_EQ(block.written, 2 * 65);
  // Longer rows of one side: 256 bytes of each row of the output at a visit.
  block = pickedBlock(dense(1, {33, 65, 19, 3, 307}, {4, 0, 3, 2, 1}), target);
  EXPECT_GE(block.written, 256);
}

TEST(PickSchedule, FetchesTheShareOfABlockThatTheSecondCacheHolds) {
  TargetInfo target = touching();
  Problem problem = dense(2, {51, 15, 10, 16, 11, 32}, {5, 4, 3, 2, 1, 0});
  PieceSchedule piece = pickSchedule(problem, target, {})->pieces[0];
  auto bytesWithin = [&](size_t depth) {
    return movement::elementsOf(valuesWithin(problem, piece.loops, depth)) * problem.width;
  };
  ASSERT_TRUE(piece.fetch && piece.stage && piece.carry);
  EXPECT_LE(bytesWithin(*piece.fetch), target.l2Bytes / 8);
  EXPECT_GT(bytesWithin(*piece.fetch - 1), target.l2Bytes / 8) << "would take more";
  EXPECT_LT(*piece.fetch, *piece.stage) << "and several visits move it";
  // Runs of the output go on from one such share to the next.
  EXPECT_LT(*piece.carry, *piece.fetch - 1);
}

TEST(PickSchedule, JoinsLinesOfLongRowsOfBytesInRegisters) {
  auto writtenAtAVisit = [](const Problem &problem, const TargetInfo &target) {
    PieceSchedule piece = pickSchedule(problem, target, {})->pieces[0];
    EXPECT_TRUE(piece.fetch && piece.carry);
    return stagedBlock(problem, piece).run;
  };
  Problem problem = dense(1, {3001, 9973}, {1, 0});
  PieceSchedule piece = pickSchedule(problem, touching(), {})->pieces[0];
  EXPECT_EQ(piece.tile, (std::vector<int64_t>{32, 64}));
  EXPECT_EQ(piece.stage, piece.loops.size());
  EXPECT_EQ(piece.fetch, piece.stage) << "the next tile";
  EXPECT_EQ(piece.near, 64);
  // Shorter rows, to as long ones, rows on lines, and vectors that no one instruction turns.
  EXPECT_EQ(writtenAtAVisit(dense(1, {1501, 3987}, {1, 0}), touching()), 256);
  EXPECT_EQ(writtenAtAVisit(dense(1, {9037, 6233}, {1, 0}), touching()), 256);
  EXPECT_EQ(writtenAtAVisit(dense(1, {3001, 9984}, {1, 0}), touching()), 256);
  TargetInfo withoutBytes = touching();
  withoutBytes.isa = VectorISA::AVX512;
  EXPECT_EQ(writtenAtAVisit(problem, withoutBytes), 256);
}

TEST(PickSchedule, JoinsLinesOfRowsOfBytesInRegisters) {
  auto isJoined = [](const Problem &problem, const TargetInfo &target) {
    PieceSchedule piece = pickSchedule(problem, target, {})->pieces[0];
    return piece.carry && piece.fetch == *piece.carry + 1 && piece.stage == piece.loops.size();
  };
  Problem problem = dense(1, {61, 333, 971}, {0, 2, 1});
  PieceSchedule piece = pickSchedule(problem, touching(), {})->pieces[0];
  EXPECT_TRUE(isJoined(problem, touching()));
  EXPECT_EQ(piece.tile, (std::vector<int64_t>{1, 16, 64}));
  EXPECT_EQ(piece.near, 64);
  EXPECT_EQ(valuesWithin(problem, piece.loops, *piece.fetch), (std::vector<int64_t>{1, 971, 64}))
      << "the rows of a line";
  // Long rows on one side, or some rows in each of many places.
  EXPECT_TRUE(isJoined(dense(1, {13, 461, 5269}, {0, 2, 1}), touching()));
  EXPECT_TRUE(isJoined(dense(1, {20011, 1601}, {1, 0}), touching()));
  EXPECT_TRUE(isJoined(dense(1, {361, 223, 509}, {2, 1, 0}), touching()));
  // Rows that start on lines, and short ones that lie one after the other on both sides.
  EXPECT_TRUE(isJoined(dense(1, {61, 333, 960}, {0, 2, 1}), touching()));
  EXPECT_TRUE(isJoined(dense(1, {199, 433, 199}, {0, 2, 1}), touching()));
  EXPECT_TRUE(isJoined(dense(1, {59, 18, 491, 64}, {1, 0, 3, 2}), touching()));
  EXPECT_TRUE(isJoined(dense(1, {61, 2021, 97}, {0, 2, 1}), touching()));
  // Rows of three lines, short ones apart on either side or long on the other, long ones on both
  // sides, rows that evict each other or crowd the second cache, and vectors that no one
  // instruction turns.
  EXPECT_FALSE(isJoined(dense(1, {97, 251, 971}, {0, 2, 1}), touching()));
  EXPECT_FALSE(isJoined(dense(1, {83, 547, 11, 128}, {2, 0, 3, 1}), touching()));
  EXPECT_FALSE(isJoined(dense(1, {37, 33, 4, 265, 64}, {2, 0, 4, 1, 3}), touching()));
  EXPECT_FALSE(isJoined(dense(1, {61, 2021, 95}, {0, 2, 1}), touching()));
  EXPECT_FALSE(isJoined(dense(1, {307, 491, 63}, {0, 2, 1}), touching()));
  EXPECT_FALSE(isJoined(dense(1, {7, 2003, 3501}, {0, 2, 1}), touching()));
  EXPECT_FALSE(isJoined(dense(1, {61, 333, 1024}, {0, 2, 1}), touching()));
  EXPECT_FALSE(isJoined(dense(1, {568, 326, 402}, {2, 1, 0}), touching()));
  TargetInfo withoutBytes = touching();
  withoutBytes.isa = VectorISA::AVX512;
  EXPECT_FALSE(isJoined(problem, withoutBytes));
}

TEST(PickSchedule, JoinsLinesInWhichRowsOfTwoDigitsMeet) {
  TargetInfo target = packing();
  target.l2Bytes = 1 << 20;
  target.tlbPages = 3072;
  // Rows of 285 bytes in each of 60 places: what is left of them waits for the next place.
  Problem problem = dense(1, {285, 60, 1921}, {2, 1, 0});
  PieceSchedule piece = pickSchedule(problem, target, {})->pieces[0];
  EXPECT_EQ(piece.loops, (std::vector<Loop>{{1, 1}, {2, 64}, {0, 16}}));
  EXPECT_EQ(piece.carry, 0u);
  EXPECT_EQ(piece.fetch, 2u) << "the rows of a line";
  EXPECT_EQ(piece.stage, 3u);
  // Of more rows than lines may wait for, some at a time.
  Problem longer = dense(1, {285, 61, 2335}, {2, 1, 0});
  piece = pickSchedule(longer, target, {})->pieces[0];
  EXPECT_EQ(piece.loops, (std::vector<Loop>{{0, 1168}, {1, 1}, {2, 64}, {0, 16}}));
  EXPECT_EQ(piece.carry, 1u);
  EXPECT_EQ(piece.fetch, 3u);
  // Rows of less than a KiB are fetched in several of these places, which lines do not wait for.
  piece = pickSchedule(dense(1, {1114, 100, 311}, {2, 1, 0}), target, {})->pieces[0];
  EXPECT_EQ(piece.loops[0], (Loop{1, 6}));
  EXPECT_EQ(piece.carry, 1u);
}

TEST(PickSchedule, TakesLittleMoreThanALineWhole) {
  auto rowsOfTile = [](int64_t width, int64_t rows, const TargetInfo &target) {
    Problem problem = dense(width, {rows, 35, 23, 3, 279}, {4, 3, 2, 1, 0});
    return pickSchedule(problem, target, {})->pieces[0].tile[4];
  };
  EXPECT_EQ(rowsOfTile(2, 36, packing()), 36);
  EXPECT_EQ(rowsOfTile(2, 44, packing()), 44);
  EXPECT_EQ(rowsOfTile(2, 45, packing()), 32);
  EXPECT_EQ(rowsOfTile(2, 36, avx512()), 32) << "not measured there";
  EXPECT_EQ(rowsOfTile(4, 22, packing()), 16) << "gains nothing";
  Problem bytes = dense(1, {43, 16, 2, 83, 411}, {2, 0, 4, 1, 3});
  EXPECT_EQ(pickSchedule(bytes, packing(), {})->pieces[0].tile[4], 83);
}

TEST(PickSchedule, StagesBlocksThatTheFirstCacheHolds) {
  Problem problem = dense(1, {15, 22, 45, 15, 3, 116}, {1, 5, 4, 0, 3, 2});
  PieceSchedule piece = pickSchedule(problem, touching(), {})->pieces[0];
  ASSERT_TRUE(piece.stage);
  EXPECT_LE(stagedBlock(problem, piece).keptFirst, touching().l1Bytes);
}

TEST(PickSchedule, TilesTwoDigitsWhereTheFirstHasAFewValues) {
  // Rows of 51 bytes, of two digits, of which tiles of three would make crumbs.
  Problem bytes = dense(1, {27, 23, 9, 23, 17, 3}, {5, 4, 3, 2, 1, 0});
  PieceSchedule piece = pickSchedule(bytes, touching(), {})->pieces[0];
  EXPECT_EQ(piece.tile[0], 3);
  EXPECT_EQ(piece.tile[1], 17);
  EXPECT_EQ(piece.tile[5], 27);
}

TEST(PickSchedule, LeavesShortRowsToProcessorsThatFollowThem) {
  TargetInfo follows = touching();
  follows.memory.followsRows = true;
  // The rows of 65 bytes, where blocks would have 512 of them and more.
  Block block = pickedBlock(dense(1, {41, 33, 35, 31, 65}, {4, 3, 2, 1, 0}), follows);
  EXPECT_LT(block.read, 512);
}

/// Bytes that a visit of what is picked for `problem` writes to a row; 0 if it carries no parts.
int64_t visitBytes(const Problem &problem, const TargetInfo &target) {
  PieceSchedule piece = pickSchedule(problem, target, {})->pieces[0];
  return piece.carry ? stagedBlock(problem, piece).run * problem.width : 0;
}

TEST(PickSchedule, WritesHundredsOfBytesOfRowsOfBytesAtAVisit) {
  // Rows of 3573 and of 19753 bytes: blocks of 256 bytes of each of both.
  Problem longRows = dense(1, {19753, 3573}, {1, 0});
  Block block = pickedBlock(longRows, touching());
  EXPECT_EQ(block.read, 256);
  EXPECT_EQ(block.written, 256);
  EXPECT_EQ(pickSchedule(longRows, touching(), {})->pieces[0].tile, (std::vector<int64_t>{16, 64}));
  // Rows of 251 bytes go on with the next ones; digits of 11 values are taken whole.
  EXPECT_EQ(visitBytes(dense(1, {89, 251, 3359}, {0, 2, 1}), touching()), 16 * 251);
  EXPECT_EQ(visitBytes(dense(1, {41, 11, 23, 19, 11, 37}, {5, 4, 3, 2, 1, 0}), touching()),
            11 * 41);
  // Rows of 61 bytes, of a transpose that were put together in scratch memory otherwise.
  EXPECT_EQ(visitBytes(dense(1, {61, 131, 1011}, {2, 1, 0}), touching()), 5 * 61);
}

TEST(PickSchedule, TakesAnyCaches) {
  for (int64_t bytes : {0, 64, 1 << 20})
    for (int64_t ways : {0, 8}) {
      TargetInfo target = like("znver4");
      target.l1Bytes = target.l2Bytes = bytes;
      target.l1Ways = target.l2Ways = ways;
      for (const Problem &problem :
           {dense(1, {89, 61, 23, 521}, {3, 0, 2, 1}), dense(1, {4096, 8192}, {1, 0}),
            dense(4, {127, 131, 137}, {2, 1, 0}), dense(2, {2011, 2049}, {1, 0})}) {
        Result<Schedule> schedule = pickSchedule(problem, target, {});
        ASSERT_TRUE(schedule) << schedule.error().message;
        Status verified = verifySchedule(*schedule, problem, target);
        EXPECT_TRUE(verified) << verified.error().message;
      }
    }
}

TEST(PickSchedule, WritesALineOrTwoOfOtherRowsAtAVisit) {
  auto isShort = [](const Problem &problem, const TargetInfo &target) {
    int64_t bytes = visitBytes(problem, target);
    return bytes > 0 && bytes <= 128;
  };
  // Two bytes; others follow rows; blocks that are one stretch; what the caches hold; rows 131052
  // bytes apart, whose lines crowd few sets of the second cache.
  EXPECT_TRUE(isShort(dense(2, {9876, 3573}, {1, 0}), touching()));
  EXPECT_TRUE(isShort(dense(1, {19753, 3573}, {1, 0}), following()));
  EXPECT_TRUE(isShort(dense(1, {43, 6657, 381}, {0, 2, 1}), touching()));
  EXPECT_TRUE(isShort(dense(1, {1201, 1009}, {1, 0}), touching()));
  EXPECT_TRUE(isShort(dense(1, {568, 326, 402}, {2, 1, 0}), touching()));
  EXPECT_TRUE(isShort(dense(1, {300, 326, 402}, {2, 1, 0}), touching()));
  EXPECT_FALSE(isShort(dense(1, {251, 333, 410}, {2, 1, 0}), touching()));
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
