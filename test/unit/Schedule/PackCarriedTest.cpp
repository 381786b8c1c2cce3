// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Which transposes the picked schedules copy into scratch memory first since their rows evict each
/// other, though none of them lies a power of two apart.

#include "../Layout/Random.h"
#include "ScheduleCases.h"

using namespace relayout;
using namespace relayout::test;

namespace {

PieceSchedule pickOn(const char *cpu, const Problem &problem) {
  return pickSchedule(problem, like(cpu), {})->pieces[0];
}

bool packs(const Problem &problem) { return pickOn("znver4", problem).pack.has_value(); }

TEST(PickSchedule, PacksRowsNearlyAWayApartWhereLinesWait) {
  // Rows two bytes more than 4 KiB apart: 64 of them, 256 bytes of each.
  Problem halves = dense(2, {2011, 2049}, {1, 0});
  PieceSchedule piece = pickOn("znver4", halves);
  EXPECT_EQ(piece.tile, (std::vector<int64_t>{8, 32}));
  EXPECT_EQ(packedBlock(halves, piece).extents, (std::vector<int64_t>{128, 64}));
  EXPECT_EQ(piece.fetch, piece.pack);
  EXPECT_TRUE(piece.carry && piece.store == StoreMode::NonTemporal);
  // Each visit is one tile, whose registers take what waits.
  EXPECT_EQ(*piece.stage, piece.loops.size());
  EXPECT_EQ(stagedBlock(halves, piece).run, 32);
  // Of four bytes, visits of 64 values to each row.
  Problem words = dense(4, {2011, 2047}, {1, 0});
  piece = pickOn("znver4", words);
  EXPECT_EQ(packedBlock(words, piece).extents, (std::vector<int64_t>{64, 64}));
  EXPECT_EQ(stagedBlock(words, piece).run, 64);
  // Bytes: of rows of a kilobyte, 256 bytes at a time, too.
  Problem bytes = dense(1, {4441, 1024}, {1, 0});
  EXPECT_EQ(packedBlock(bytes, pickOn("znver4", bytes)).extents, (std::vector<int64_t>{256, 64}));
}

TEST(PickSchedule, PacksRowsWhoseEndsMeetInLines) {
  // Of 202 values, more than a line each, of 64 rows that lie one after the other.
  Problem rows = dense(4, {202, 64, 32, 55}, {3, 2, 1, 0});
  PieceSchedule piece = pickOn("znver4", rows);
  ASSERT_TRUE(piece.pack && piece.carry);
  EXPECT_EQ(stagedBlock(rows, piece).order, (std::vector<unsigned>{3, 2}));
}

TEST(PickSchedule, PacksRowsNearlyAWayApartToWholeLines) {
  EXPECT_TRUE(packs(dense(1, {4864, 4095}, {1, 0})));
  EXPECT_TRUE(packs(dense(2, {4864, 2049}, {1, 0})));
  EXPECT_FALSE(packs(dense(2, {4864, 2113}, {1, 0})));
  EXPECT_TRUE(packs(dense(4, {1216, 4097}, {1, 0})));
  EXPECT_FALSE(packs(dense(4, {1216, 4157}, {1, 0})));
  // Of four bytes, rows of up to some KiB by shorter vectors alone.
  Problem words = dense(4, {3168, 2049}, {1, 0});
  TargetInfo avx2 = like("znver4");
  avx2.vectorBytes = 32;
  EXPECT_FALSE(packs(words));
  EXPECT_TRUE(pickSchedule(words, avx2, {})->pieces[0].pack);
  EXPECT_FALSE(packs(dense(4, {1696, 45, 91}, {2, 1, 0})));
}

TEST(PickSchedule, PacksRowsNearlyAWayApartToShortRows) {
  // 33 rows a megabyte and a byte apart, whose blocks of 512 bytes are fetched anyway.
  Problem rows = dense(1, {33, 1048577}, {1, 0});
  EXPECT_EQ(packedBlock(rows, pickOn("znver4", rows)).extents, (std::vector<int64_t>{512, 33}));
  // Rows two bytes less than 32 KiB apart, to rows of 62.
  EXPECT_TRUE(packs(dense(1, {62, 129, 254}, {2, 1, 0})));
}

TEST(PickSchedule, PacksWordsWhoseTilesBeginWithinLines) {
  // Rows 800 KiB apart, read in parts of 64 bytes that begin every 160 bytes.
  Problem words = dense(4, {75, 16, 16, 20, 40}, {4, 3, 2, 1, 0});
  PieceSchedule piece = pickOn("znver4", words);
  EXPECT_TRUE(piece.pack && piece.carry);
  EXPECT_EQ(piece.tile[0], 4);
  // Every 256 bytes they begin on lines.
  EXPECT_FALSE(packs(dense(4, {75, 16, 16, 20, 64}, {4, 3, 2, 1, 0})));
}

TEST(PickSchedule, PacksFetchedBlocksWhoseTilesBeginWithinLines) {
  // Rows 264 KiB apart, read in parts of 64 bytes that begin every 96 bytes.
  Problem halves = dense(2, {138, 11, 16, 16, 3, 16}, {5, 4, 3, 2, 1, 0});
  PieceSchedule piece = pickOn("znver4", halves);
  EXPECT_TRUE(piece.pack && piece.carry);
  EXPECT_EQ(piece.fetch, piece.pack);
  EXPECT_EQ(piece.near, 0);
  EXPECT_EQ(piece.tile[0] * piece.tile[1], 32);
  // 32 rows of a block, not 64: it is the one that would be fetched alone.
  EXPECT_EQ(packedBlock(halves, piece).extents.back(), 32);
  // Of bytes.
  EXPECT_TRUE(packs(dense(1, {280, 3, 16, 64, 7, 6}, {5, 4, 3, 2, 1, 0})));
  // Rows in 17 sets; parts that begin on lines; wider elements; another target.
  EXPECT_FALSE(packs(dense(2, {138, 11, 16, 17, 3, 16}, {5, 4, 3, 2, 1, 0})));
  EXPECT_FALSE(packs(dense(2, {138, 11, 16, 16, 3, 32}, {5, 4, 3, 2, 1, 0})));
  EXPECT_FALSE(packs(dense(8, {138, 11, 16, 16, 3, 12}, {5, 4, 3, 2, 1, 0})));
  EXPECT_FALSE(pickOn("znver5", halves).pack);
}

TEST(PickSchedule, PacksOnlyRowsThatEvictEachOther) {
  EXPECT_FALSE(packs(dense(2, {2011, 2111}, {1, 0})));
  EXPECT_FALSE(packs(dense(4, {2011, 2111}, {1, 0})));
  EXPECT_FALSE(packs(dense(1, {4021, 4157}, {1, 0})));
  // Whole lines, each of which one tile reads.
  EXPECT_FALSE(packs(dense(4, {333, 4096}, {1, 0})));
  EXPECT_FALSE(packs(dense(8, {2011, 2049}, {1, 0}))) << "of eight bytes it is no gain";
  Problem halves = dense(2, {2011, 2049}, {1, 0});
  EXPECT_FALSE(pickOn("znver5", halves).pack) << "not measured on other targets";
  EXPECT_FALSE(pickOn("sapphirerapids", halves).pack);
}

TEST(PickSchedule, BlocksNeedStoresPastTheCachesWherePartsOfLinesWait) {
  TargetInfo target = like("znver4");
  target.nonTemporal = false;
  // Rows that would be packed, bytes that would go in wide blocks, and what would be visited
  // longer.
  for (const Problem &problem :
       {dense(2, {2011, 2049}, {1, 0}), dense(1, {62, 129, 1011}, {2, 1, 0}),
        dense(1, {4021, 4157}, {1, 0}), dense(4, {2011, 1025}, {1, 0})}) {
    Result<Schedule> schedule = pickSchedule(problem, target, {});
    ASSERT_TRUE(schedule) << schedule.error().message;
    Status status = verifySchedule(*schedule, problem, target);
    EXPECT_TRUE(status) << status.error().message << "\n" << schedule->str();
    EXPECT_FALSE(schedule->pieces[0].carry) << schedule->str();
  }
}

/// Rows near any multiple of a way of the first cache apart, of one digit or two, in batches.
TEST(PickSchedule, PacksRowsInSchedulesThatVerify) {
  Random random;
  int carried = 0, whole = 0;
  for (int i = 0; i < 200; ++i) {
    int64_t width = int64_t(1) << random.between(0, 2);
    int64_t row = random.between(1, 5) * 4096 / width + random.between(-3, 3);
    int64_t rows = random.between(65, 900) * (random.between(0, 1) ? 1 : 64 / width);
    Problem problem = dense(width, {rows, row}, {1, 0});
    if (random.between(0, 1))
      problem = dense(width, {3, rows, row}, {0, 2, 1});
    else if (random.between(0, 1))
      problem = dense(width, {rows, 5, row}, {2, 1, 0});
    else if (random.between(0, 1)) // rows of 512 places, whose parts begin within lines
      problem = dense(width, {rows, 16, 32, random.between(9, 99)}, {3, 2, 1, 0});
    for (const char *cpu : {"znver4", "haswell"}) {
      TargetInfo target = like(cpu);
      target.memory = like("znver4").memory;
      Result<Schedule> schedule = pickSchedule(problem, target, {});
      ASSERT_TRUE(schedule) << schedule.error().message;
      Status status = verifySchedule(*schedule, problem, target);
      ASSERT_TRUE(status) << status.error().message << "\n" << schedule->str();
      const PieceSchedule &piece = schedule->pieces[0];
      carried += piece.pack && piece.carry;
      whole += piece.pack && !piece.carry;
    }
  }
  EXPECT_GT(carried, 50);
  EXPECT_GT(whole, 20);
}

} // namespace
