// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What is picked for problems that stay in the caches, and predicted of it.

#include "ScheduleCases.h"

using namespace relayout;
using namespace relayout::test;

namespace {

double predicted(const Problem &problem, const char *text) {
  Result<Schedule> schedule = parseSchedule(text);
  EXPECT_TRUE(schedule) << text;
  return schedule ? predict(*schedule, problem, avx512()).ratio : 0;
}

/// Bytes that the picked tile reads of a row, which goes along the digit `d`.
int64_t readOfRow(const Problem &problem, unsigned d) {
  return pick(problem).pieces.front().tile[d] * problem.width;
}

TEST(Cached, RowsThatMeetInSetsAreWrittenAlong) {
  // Rows of the result are 1024 bytes apart: 64 of them meet in 4 sets.
  Problem apart = dense(4, {256, 275}, {1, 0});
  const char *along = "unit=d0:8 {tile=8x16 loops=d0:8,d1:16 store=ordinary prefetch=0 vector=64}";
  const char *across =
      "unit=d1:16 {tile=8x16 loops=d1:16,d0:8 store=ordinary prefetch=0 vector=64}";
  EXPECT_GT(predicted(apart, along), 1.05 * predicted(apart, across));
  // Rows of 1088 bytes spread over all sets.
  Problem spread = dense(4, {272, 275}, {1, 0});
  EXPECT_LT(predicted(spread, along), 1.02 * predicted(spread, across));
}

TEST(Cached, LinesThatEvictEachOtherAreReadAtOnce) {
  // 100 rows at a pitch of 2048 bytes meet in 2 sets: 16 bytes of each would be fetched again.
  EXPECT_GE(readOfRow(dense(2, {100, 1024}, {1, 0}), 0), 64);
  // At 2112 bytes they spread.
  EXPECT_LE(readOfRow(dense(2, {100, 1056}, {1, 0}), 0), 32);
}

TEST(Cached, RowsAreNotReadInCrumbs) {
  // 192 parts of 6 bytes put whole lines together, of two digits of the result.
  EXPECT_GE(readOfRow(dense(1, {12, 32, 23, 36}, {3, 2, 1, 0}), 0), 16);
}

TEST(Cached, LargeTilesAreForLinesThatEvictEachOther) {
  auto elements = [](const Problem &problem) {
    Schedule schedule = pick(problem);
    int64_t count = 1;
    for (int64_t extent : schedule.pieces.front().tile)
      count *= extent;
    return count;
  };
  EXPECT_GT(elements(dense(1, {16, 16, 32, 16}, {3, 2, 1, 0})), 2048);
  EXPECT_LE(elements(dense(1, {16, 17, 33, 16}, {3, 2, 1, 0})), 2048);
}

TEST(Cached, PredictionsAreSharesOfACopy) {
  Problem problem = dense(4, {24, 40, 32}, {1, 0, 2});
  double whole = predicted(
      problem, "unit=d0:1 {tile=1x4x32 loops=d0:1,d1:4 store=ordinary prefetch=0 vector=64}");
  double parts = predicted(
      problem, "unit=d0:1 {tile=1x4x5 loops=d0:1,d2:5,d1:4 store=ordinary prefetch=0 vector=64}");
  EXPECT_GT(whole, 0.9);
  EXPECT_LT(parts, 0.7 * whole);
}

} // namespace
