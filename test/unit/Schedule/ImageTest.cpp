// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Which images the picked schedules write straight on while the next one is fetched.

#include "../Layout/Random.h"
#include "ScheduleCases.h"

using namespace relayout;
using namespace relayout::test;

namespace {

using Tile = std::vector<int64_t>;
using Loops = std::vector<Loop>;

PieceSchedule pickOn(const char *cpu, const Problem &problem) {
  return pickSchedule(problem, like(cpu), {})->pieces[0];
}

PieceSchedule pick(const Problem &problem) { return pickOn("znver4", problem); }

/// `count` images of `rows` x `columns`, each transposed.
Problem images(int64_t width, int64_t count, int64_t rows, int64_t columns) {
  return dense(width, {count, rows, columns}, {0, 2, 1});
}

/// True if `piece` fetches whole images.
bool fetchesImages(const PieceSchedule &piece) {
  return piece.fetch == 1u && piece.loops[0] == Loop{0, 1} &&
         (piece.loops.size() < 2 || piece.loops[1].digit != 0);
}

TEST(PickSchedule, TurnsLinesAlongRowsOfImages) {
  PieceSchedule piece = pick(images(2, 265, 196, 384));
  EXPECT_EQ(piece.tile, (Tile{1, 32, 32}));
  EXPECT_EQ(piece.loops, (Loops{{0, 1}, {1, 32}, {2, 32}}));
  EXPECT_TRUE(fetchesImages(piece) && piece.stage == 3u && piece.carry == 2u);
  EXPECT_EQ(piece.near, 32);
  // Many rows of four bytes, whose next lines the first cache does not hold.
  piece = pick(images(4, 221, 201, 272));
  EXPECT_EQ(piece.loops, (Loops{{0, 1}, {1, 16}, {2, 16}}));
  EXPECT_EQ(piece.near, 0);
  // Rows of the input that are shorter than a line, also of bytes.
  piece = pick(images(2, 577, 633, 28));
  EXPECT_EQ(piece.tile, (Tile{1, 28, 32}));
  EXPECT_EQ(piece.loops, (Loops{{0, 1}, {2, 32}}));
  EXPECT_TRUE(fetchesImages(piece) && piece.stage == 2u && piece.carry == 1u);
  EXPECT_EQ(pick(images(1, 1068, 826, 26)).tile, (Tile{1, 26, 64}));
  EXPECT_NE(pick(images(1, 1068, 826, 57)).tile, (Tile{1, 57, 64}));
  // The order of the images may be another.
  piece = pick(dense(4, {77, 75, 101, 96}, {1, 0, 3, 2}));
  EXPECT_EQ(piece.loops, (Loops{{0, 1}, {1, 1}, {2, 16}, {3, 16}}));
  EXPECT_EQ(piece.fetch, 2u);
}

TEST(PickSchedule, PutsShortRowsOfImagesTogether) {
  PieceSchedule piece = pick(images(4, 217, 83, 210));
  EXPECT_EQ(piece.tile, (Tile{1, 4, 16}));
  EXPECT_EQ(piece.loops, (Loops{{0, 1}, {1, 4}, {2, 16}}));
  EXPECT_TRUE(fetchesImages(piece) && piece.stage == 2u && piece.carry == 1u);
  EXPECT_EQ(pick(images(2, 495, 29, 749)).loops, (Loops{{0, 1}, {1, 8}})) << "whole rows";
  EXPECT_NE(pickOn("haswell", images(4, 217, 83, 210)).tile, (Tile{1, 4, 8}))
      << "not measured on other targets";
  // Shorter vectors of the same processor.
  TargetInfo target = like("znver4");
  target.isa = VectorISA::AVX2;
  target.vectorBytes = 32;
  target.maskedAccess = false;
  piece = pickSchedule(images(4, 217, 83, 210), target, {})->pieces[0];
  EXPECT_EQ(piece.tile, (Tile{1, 4, 8}));
  EXPECT_TRUE(fetchesImages(piece));
  // Longer rows wait in parts of lines.
  EXPECT_FALSE(fetchesImages(pick(images(4, 217, 263, 210))));
}

TEST(PickSchedule, WritesWholeLinesOfImagesStraightOn) {
  PieceSchedule piece = pick(images(8, 353, 64, 128));
  EXPECT_EQ(piece.tile, (Tile{1, 8, 8}));
  EXPECT_EQ(piece.loops, (Loops{{0, 1}, {1, 8}, {2, 8}}));
  EXPECT_TRUE(fetchesImages(piece) && !piece.stage && !piece.touch && piece.near == 8);
  EXPECT_TRUE(pick(images(8, 353, 64, 56)).touch) << "few rows of the output";
  EXPECT_TRUE(pick(images(8, 353, 72, 128)).touch) << "no multiples of 512 bytes";
  EXPECT_TRUE(pick(images(2, 83, 1024, 128)).touch) << "shorter rows, of two bytes";
}

TEST(PickSchedule, FetchesImagesThatTheSecondCacheHolds) {
  EXPECT_TRUE(fetchesImages(pick(images(8, 121, 631, 40))));
  EXPECT_FALSE(fetchesImages(pick(images(8, 121, 631, 48)))) << "242 KB";
  EXPECT_TRUE(fetchesImages(pick(images(8, 61, 85, 570)))) << "388 KB in short rows";
  EXPECT_FALSE(fetchesImages(pick(images(8, 61, 85, 580)))) << "394 KB";
  EXPECT_FALSE(fetchesImages(pick(images(8, 3, 631, 40)))) << "too few";
  EXPECT_FALSE(fetchesImages(pick(images(1, 99, 783, 480)))) << "bytes";
  EXPECT_FALSE(fetchesImages(pickOn("znver5", images(8, 121, 631, 40))));
  EXPECT_FALSE(fetchesImages(pickOn("sapphirerapids", images(2, 265, 196, 384))));
}

TEST(PickSchedule, WritesImagesInSchedulesThatVerify) {
  Random random;
  int taken = 0;
  for (int i = 0; i < 300; ++i) {
    int64_t width = int64_t(1) << random.between(0, 3);
    int64_t rows = random.between(17, 2400 / width), columns = random.between(17, 400);
    if (random.between(0, 1))
      columns = columns / 16 * 16;
    if (random.between(0, 2) == 0)
      rows = rows / 16 * 16;
    int64_t count = (24 << 20) / (width * rows * columns) + 2;
    Problem problem = images(width, count, rows, columns);
    TargetInfo target = like("znver4");
    Result<Schedule> schedule = pickSchedule(problem, target, {});
    ASSERT_TRUE(schedule) << schedule.error().message;
    Status status = verifySchedule(*schedule, problem, target);
    ASSERT_TRUE(status) << status.error().message << "\n" << schedule->str();
    taken += fetchesImages(schedule->pieces[0]);
  }
  EXPECT_GT(taken, 50);
}

} // namespace
