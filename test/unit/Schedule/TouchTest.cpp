// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Which blocks of the input the picked schedules read in the order of their addresses first, and
/// what streams that begin elsewhere are taken to cost.

#include "ScheduleCases.h"

#include <algorithm>

using namespace relayout;
using namespace relayout::test;

namespace {

/// Bytes of the block that `piece` reads first; 0 if it reads none.
int64_t touchedBytes(const Problem &problem, const PieceSchedule &piece) {
  if (!piece.touch)
    return 0;
  int64_t bytes = problem.width;
  for (int64_t values : valuesWithin(problem, piece.loops, *piece.touch))
    bytes *= values;
  return bytes;
}

int64_t pickedBytes(const Problem &problem, const TargetInfo &target) {
  PieceSchedule piece = pickSchedule(problem, target, {})->pieces[0];
  EXPECT_TRUE(!piece.touch || piece.prefetch == 0);
  return touchedBytes(problem, piece);
}

TEST(PickSchedule, TouchesShortRowsThatAreOneStretch) {
  // Rows of 384 bytes, transposed in each of 75 x 71 places: 16 of them are what a tile reads.
  Problem rows = dense(4, {71, 75, 96, 96}, {1, 0, 3, 2});
  EXPECT_EQ(pickedBytes(rows, touching()), 16 * 384);
  EXPECT_EQ(pickedBytes(rows, fetching()), 0) << "gains nothing on other targets";
  // Rows of 64 floats of 3136 pixels, to planes.
  EXPECT_EQ(pickedBytes(dense(4, {37, 3136, 64}, {0, 2, 1}), touching()), 16 * 256);
}

TEST(PickSchedule, TouchesRowsThatWaitingLinesArePutTogetherFrom) {
  // Pairs of rows of 664 bytes, to rows of pairs that begin anywhere in a line.
  Problem pairs = dense(8, {4099, 2, 83}, {0, 2, 1});
  PieceSchedule piece = pickSchedule(pairs, touching(), {})->pieces[0];
  EXPECT_TRUE(piece.carry);
  EXPECT_EQ(touchedBytes(pairs, piece), 2 * 664);
  // Rows of 35 blocks of 2 x 2, which would be fetched on other targets.
  Problem blocks = dense(8, {4019, 29, 2, 35, 2}, {0, 2, 4, 1, 3});
  piece = pickSchedule(blocks, touching(), {})->pieces[0];
  EXPECT_TRUE(piece.carry && !piece.fetch);
  EXPECT_EQ(touchedBytes(blocks, piece), 2 * 2 * 35 * 2 * 8);
  piece = pickSchedule(blocks, fetching(), {})->pieces[0];
  EXPECT_TRUE(piece.carry && piece.fetch);
}

TEST(PickSchedule, TouchesBlocksInPlaceOfFetchedOnes) {
  // 256 channels of bytes, whose tiles shuffle for long, to planes.
  auto pickFor = [](int64_t pixels, int64_t threads) {
    Problem images = dense(1, {7, pixels, 256}, {0, 2, 1});
    return pickSchedule(images, like("znver4"), {ResultHint::Auto, threads})->pieces[0];
  };
  EXPECT_TRUE(pickFor(12544, 1).touch);
  EXPECT_TRUE(pickFor(12544, 2).fetch) << "beside another thread";
  EXPECT_TRUE(pickFor(12800, 1).fetch) << "rows written at multiples of 512 bytes";
  // Rows at such multiples that are read from short ones, and one stretch that a tile writes.
  for (const Problem &problem :
       {dense(1, {1920, 64, 16, 8}, {3, 0, 2, 1}), dense(1, {192, 64, 4, 64}, {2, 0, 3, 1})})
    EXPECT_FALSE(pickSchedule(problem, like("znver4"), {})->pieces[0].touch) << problem.str();
}

TEST(PickSchedule, FetchesBlocksThatShortVectorsShuffleForLong) {
  auto pickFor = [](const Problem &problem, VectorISA isa, int64_t vectorBytes) {
    TargetInfo target = like("znver4");
    target.isa = isa;
    target.vectorBytes = vectorBytes;
    target.maskedAccess = false;
    return pickSchedule(problem, target, {})->pieces[0];
  };
  // Rows of 256 channels to planes: with vectors of half a line bytes alone.
  Problem bytes = dense(1, {7, 12544, 256}, {0, 2, 1}),
          floats = dense(4, {7, 12544, 256}, {0, 2, 1});
  EXPECT_TRUE(pickFor(bytes, VectorISA::AVX2, 32).fetch);
  EXPECT_TRUE(pickFor(floats, VectorISA::AVX2, 32).touch);
  // With shorter vectors others, too.
  Problem rows = dense(4, {15, 23, 8, 64, 2, 60}, {2, 0, 4, 1, 5, 3});
  EXPECT_TRUE(pickFor(rows, VectorISA::SSE2, 16).fetch);
  EXPECT_TRUE(pickFor(rows, VectorISA::AVX2, 32).touch);
}

TEST(PickSchedule, FetchesWhatAVisitReadsOfRowsFarApart) {
  // Patches of 5 x 9, of eight channels whose rows of patches are 17 KiB apart: eleven patches of
  // each channel, one after the other, are a visit to the rows of all.
  PieceSchedule piece =
      pickSchedule(dense(4, {2, 186, 8, 99, 5, 9}, {0, 2, 1, 4, 3, 5}), packing(), {})->pieces[0];
  ASSERT_TRUE(piece.carry && piece.stage);
  EXPECT_FALSE(piece.touch);
  EXPECT_EQ(piece.fetch, *piece.carry + 1);
  EXPECT_EQ(piece.loops.back(), (Loop{1, 1}));
}

TEST(PickSchedule, TouchesNothingThatIsFollowed) {
  // Rows of 170 KiB; runs that are read straight on; what stays in the caches.
  for (const Problem &problem :
       {dense(4, {1216, 43408}, {1, 0}), dense(4, {352, 97, 1642}, {1, 0, 2}),
        dense(8, {16, 2, 83}, {0, 2, 1})})
    EXPECT_EQ(pickedBytes(problem, touching()), 0) << problem.str();
}

/// The digit of the innermost loop of what is picked for `problem`.
unsigned innermost(const Problem &problem, const TargetInfo &target) {
  PieceSchedule piece = pickSchedule(problem, target, {})->pieces[0];
  return piece.loops.back().digit;
}

TEST(PickSchedule, ReadsShortRunsOnWhereOthersBeginSlowly) {
  // Runs of 600 bytes. 97 lie side by side in the input, where each goes to another row of the
  // output; 352 rows on, some fill a part of a row.
  Problem runs = dense(4, {11, 352, 97, 150}, {2, 1, 0, 3});
  TargetInfo quick = touching();
  quick.memory.freshBytes = 0;
  EXPECT_EQ(innermost(runs, touching()), 0u);
  EXPECT_EQ(innermost(runs, quick), 1u);
}

} // namespace
