// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Which transposes the picked schedules move in tiles of parts of lines of many rows.

#include "../Layout/Random.h"
#include "ScheduleCases.h"

#include <algorithm>
#include <numeric>

using namespace relayout;
using namespace relayout::test;

namespace {

using Tile = std::vector<int64_t>;

PieceSchedule pickOn(const char *cpu, const Problem &problem) {
  return pickSchedule(problem, like(cpu), {})->pieces[0];
}

TEST(PickSchedule, ReadsPartsOfLinesOfManyLongRows) {
  // Rows of 10,924 bytes to rows of 1280: four lines of each at a time.
  Problem images = dense(4, {7, 320, 2731}, {0, 2, 1});
  PieceSchedule piece = pickOn("znver4", images);
  EXPECT_EQ(piece.tile, (Tile{1, 4, 64}));
  EXPECT_EQ(piece.loops, (std::vector<Loop>{{0, 1}, {2, 64}, {1, 4}}));
  EXPECT_TRUE(piece.prefetch == 64 && piece.cache == 2);
  // Not what as many rows would be without such prefetches.
  Schedule whole = *pickSchedule(images, like("znver4"), {});
  EXPECT_GT(predict(whole, images, like("znver4")).ratio, 0.6);
  // Of 96 values 64 and 64 would be a third more.
  EXPECT_EQ(pickOn("znver4", dense(4, {45, 96, 17, 617}, {3, 0, 2, 1})).tile, (Tile{4, 1, 1, 48}));
  // Rows of 384 bytes that go on from one digit to the next.
  EXPECT_EQ(pickOn("znver4", dense(4, {96, 71, 73, 96}, {3, 2, 1, 0})).tile, (Tile{4, 1, 1, 48}));
  // Lines that are all of a digit: the tile's part of them needs a loop.
  piece = pickOn("znver4", dense(4, {96, 71, 97, 16}, {3, 2, 1, 0}));
  EXPECT_EQ(piece.tile, (Tile{4, 1, 1, 48}));
  EXPECT_EQ(piece.loops.back(), (Loop{0, 4}));
}

/// Digits that are whole tiles, and those that are not, in any order that reads one and writes
/// another side by side.
TEST(PickSchedule, ReadsPartsOfLinesInSchedulesThatVerify) {
  Random random;
  auto oneOf = [&](const std::vector<int64_t> &values) {
    return values[random.between(0, int64_t(values.size()) - 1)];
  };
  int taken = 0;
  for (int i = 0; i < 300; ++i) {
    std::vector<int64_t> extents{oneOf({48, 64, 96, 160, 192, 256, 320})};
    for (int64_t more = random.between(1, 3); more > 0; --more)
      extents.push_back(oneOf({5, 16, 71, 97}));
    extents.push_back(oneOf({16, 48, 617, 2731}));
    std::vector<unsigned> perm(extents.size());
    std::iota(perm.rbegin(), perm.rend(), 0);
    for (size_t k = perm.size() - 1; k > 1; --k)
      std::swap(perm[k - 1], perm[random.between(0, int64_t(k) - 1)]);
    Problem problem = dense(4, extents, perm);
    TargetInfo target = like("znver4");
    Result<Schedule> schedule = pickSchedule(problem, target, {});
    ASSERT_TRUE(schedule) << schedule.error().message;
    Status status = verifySchedule(*schedule, problem, target);
    ASSERT_TRUE(status) << status.error().message << "\n" << schedule->str();
    const Tile &tile = schedule->pieces[0].tile;
    taken += tile.back() >= 48 && std::count(tile.begin(), tile.end(), 4) > 0;
  }
  EXPECT_GT(taken, 20);
}

TEST(PickSchedule, ReadsWholeLinesOfOtherRows) {
  const Tile lines{1, 16, 16};
  // Rows of 384 bytes, which lie near each other.
  EXPECT_EQ(pickOn("znver4", dense(4, {61, 96, 2731}, {0, 2, 1})).tile, lines);
  // Rows of 1388 bytes.
  EXPECT_EQ(pickOn("znver4", dense(4, {45, 320, 347}, {0, 2, 1})).tile, lines);
  // Of 160 values 64 or 48 at a time would be a fifth more.
  EXPECT_EQ(pickOn("znver4", dense(4, {45, 160, 17, 617}, {3, 0, 2, 1})).tile,
            (Tile{16, 1, 1, 16}));
  // Rows whose lines evict each other.
  EXPECT_EQ(pickOn("znver4", dense(4, {7, 320, 4096}, {0, 2, 1})).tile, lines);
  // Rows of the output that start within lines.
  EXPECT_EQ(pickOn("znver4", dense(4, {7, 321, 2731}, {0, 2, 1})).tile, lines);
  EXPECT_EQ(pickOn("znver4", dense(8, {7, 320, 2731}, {0, 2, 1})).tile, (Tile{1, 8, 16}));
  EXPECT_NE(pickOn("znver5", dense(4, {7, 320, 2731}, {0, 2, 1})).tile, (Tile{1, 4, 64}))
      << "not measured on other targets";
}

} // namespace
