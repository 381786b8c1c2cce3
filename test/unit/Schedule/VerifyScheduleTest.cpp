// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What verification refuses of schedules.

#include "../../../lib/Schedule/VerifyPiece.h"
#include "ScheduleCases.h"

using namespace relayout;
using namespace relayout::test;

namespace {

/// The message for the 40 x 96 transpose of f32 with the tile and loops given.
std::string refusal(const std::string &text, const TargetInfo &target = avx512()) {
  Result<Schedule> schedule = parseSchedule(text);
  EXPECT_TRUE(schedule) << schedule.error().message;
  Status status = verifySchedule(*schedule, dense(4, {96, 40}, {1, 0}), target);
  return status ? "" : status.error().message;
}

TEST(VerifySchedule, RefusesTilesThatCutABorder) {
  // Rows of 40 floats and 3 places to fill; a row's border is where the next one begins.
  Problem problem;
  problem.width = 4;
  problem.digits = {{9, 40, 43}, {43, 1, 1}};
  problem.read = {{{{1, 1}}, 0, 40}};
  auto refusal = [&](const char *text) {
    Status status = verifySchedule(*parseSchedule(text), problem, avx512());
    return status ? "" : status.error().message;
  };
  EXPECT_EQ(refusal("unit=d0:1 {tile=1x43 loops=d0:1 store=ordinary prefetch=0 vector=64}"), "");
  EXPECT_EQ(refusal("unit=d0:1 {tile=1x16 loops=d0:1,d1:16 store=ordinary prefetch=0 vector=64}"),
            "schedule: expects a tile of all 43 values of d1, which belongs to a border, but got "
            "16");
  EXPECT_EQ(refusal("unit=d0:1 {tile=2x43 loops=d0:2 store=ordinary prefetch=0 vector=64}"),
            "schedule: expects a tile in which no place is read that another element has beyond "
            "its border");
  Schedule picked = *pickSchedule(problem, avx512(), {});
  ASSERT_EQ(picked.pieces.size(), 1u);
  EXPECT_EQ(picked.pieces[0].tile, (std::vector<int64_t>{1, 43}));
}

TEST(VerifySchedule, RefusesSweepsBeyondTheUnits) {
  const char *piece = " {tile=8x16 loops=d0:8,d1:16 store=ordinary prefetch=0 vector=64}";
  EXPECT_EQ(refusal(std::string("unit=d0:8 sweep=5") + piece), "");
  EXPECT_EQ(refusal(std::string("unit=d0:8 sweep=6") + piece),
            "schedule: expects a sweep of 0 (none) to 5 units, but got 6");
}

TEST(VerifySchedule, AcceptsWhatCanBePerformed) {
  EXPECT_EQ(refusal("unit=d0:8 {tile=8x16 loops=d0:8,d1:16 store=ordinary prefetch=0 vector=64}"),
            "");
  EXPECT_EQ(refusal("unit=d1:96 {tile=40x96 store=nontemporal prefetch=0 vector=16}"), "");
  // The last tile over d0 is shifted back, to rows that start on lines all the same.
  EXPECT_EQ(refusal("unit=d1:96 {tile=16x16 loops=d1:48,d0:16,d1:16 store=nontemporal prefetch=9 "
                    "vector=32}"),
            "");
}

TEST(VerifySchedule, RefusesCachesThatAreNotThere) {
  auto into = [](const char *cache) {
    return refusal(std::string("unit=d0:8 {tile=8x16 loops=d0:8,d1:16 store=ordinary prefetch=8 "
                               "cache=") +
                   cache + " vector=64}");
  };
  EXPECT_EQ(into("2"), "");
  for (const char *cache : {"0", "3"})
    EXPECT_EQ(into(cache),
              std::string("schedule: expects a cache of 1 or 2 to prefetch into, but got ") +
                  cache);
}

TEST(VerifySchedule, RefusesStages) {
  EXPECT_EQ(refusal("unit=d0:8 {tile=8x16 loops=d0:8,d1:16 stage=1 store=nontemporal prefetch=0 "
                    "vector=64}"),
            "");
  EXPECT_EQ(refusal("unit=d0:8 {tile=8x16 loops=d0:8,d1:16 stage=3 store=ordinary prefetch=0 "
                    "vector=64}"),
            "schedule: expects a stage of 0 to 2, the number of loops, but got 3");
  EXPECT_EQ(refusal("unit=d0:8 {tile=8x16 loops=d0:8,d1:16 stage=1 store=prefetch prefetch=0 "
                    "vector=64}"),
            "schedule: expects store=ordinary, or nontemporal where the target has such stores, "
            "for a stage");
  EXPECT_EQ(refusal("unit=d0:8 {tile=8x16 loops=d0:8,d1:16 stage=1 store=ordinary prefetch=0 "
                    "vector=0}"),
            "schedule: expects vectors, elements of at most 8 bytes and an output with contiguous "
            "runs for a stage");
}

TEST(VerifySchedule, RefusesCarries) {
  auto piece = [](const char *how) {
    return std::string("unit=d0:8 {tile=8x16 loops=d0:8,d1:16 ") + how + " prefetch=0 vector=64}";
  };
  EXPECT_EQ(refusal(piece("stage=2 carry=1 store=nontemporal")), "");
  EXPECT_EQ(refusal(piece("carry=1 store=nontemporal")),
            "schedule: expects a stage beside a carry");
  EXPECT_EQ(refusal(piece("stage=1 carry=2 store=nontemporal")),
            "schedule: expects a carry of 0 to 1, the stage, but got 2");
  EXPECT_EQ(refusal(piece("stage=1 carry=1 store=ordinary")),
            "schedule: expects store=nontemporal beside a carry, but got store=ordinary");
  EXPECT_EQ(refusal("unit=d0:8 {tile=8x8 loops=d0:8,d1:8 stage=2 carry=1 store=nontemporal "
                    "prefetch=0 vector=32}"),
            "schedule: expects a stage whose runs have at least 64 bytes, a line, beside a carry, "
            "but they have 32");
}

TEST(VerifySchedule, RefusesFetches) {
  auto piece = [](const char *how) {
    return std::string("unit=d0:8 {tile=8x16 loops=d0:16,d1:16,d0:8 ") + how +
           " prefetch=0 vector=64}";
  };
  EXPECT_EQ(refusal(piece("fetch=1 store=ordinary")), "");
  EXPECT_EQ(refusal(piece("fetch=2 store=ordinary")), "");
  EXPECT_EQ(refusal(piece("stage=2 fetch=2 store=ordinary")), "");
  EXPECT_EQ(refusal(piece("stage=3 fetch=3 store=ordinary")), "");
  std::string expected = "schedule: expects a fetch of 1 to 2, loops outside of it and inside of "
                         "it or a stage, but got ";
  EXPECT_EQ(refusal(piece("fetch=0 store=ordinary")), expected + "0");
  EXPECT_EQ(refusal(piece("fetch=3 store=ordinary")), expected + "3");
  EXPECT_EQ(refusal(piece("stage=2 fetch=3 store=ordinary")), expected + "3");
  EXPECT_EQ(refusal("unit=d0:8 {tile=8x16 loops=d1:16,d1:48,d0:8 fetch=1 store=ordinary "
                    "prefetch=0 vector=64}"),
            "schedule: expects no loops over segments beside a fetch");
}

TEST(VerifySchedule, RefusesNearWhatIsNotFetched) {
  auto piece = [](const char *how, const char *near = "16") {
    return std::string("unit=d0:8 {tile=8x16 loops=d0:16,d1:16,d0:8 ") + how +
           " store=nontemporal prefetch=0 near=" + near + " vector=64}";
  };
  EXPECT_EQ(refusal(piece("fetch=1")), "");
  EXPECT_EQ(refusal(piece("stage=3 carry=1 fetch=2")), "");
  EXPECT_EQ(refusal(piece("", "0")), "");
  std::string expected =
      "schedule: expects at most 1099511627776 elements to be near, of blocks that "
      "are fetched, and no border, pack or runs straight from the input beside "
      "them";
  EXPECT_EQ(refusal(piece("")), expected);
  EXPECT_EQ(refusal(piece("fetch=1", "1099511627777")), expected);
  EXPECT_EQ(refusal(piece("pack=1 fetch=1")), expected);
}

/// Blocks that lie between loops, where there are none.
TEST(VerifySchedule, RefusesBlocksThatHaveNoPlace) {
  for (const std::string name : {"fetch", "touch", "pack"}) {
    auto piece = [&](const char *loops) {
      return refusal("unit=d0:8 {" + std::string(loops) + " " + name +
                     "=1 store=ordinary prefetch=0 vector=64}");
    };
    std::string expected = "schedule: expects a loop outside of a " + name +
                           " and a loop or a stage inside of it, but the piece has ";
    EXPECT_EQ(piece("tile=40x96"), expected + "0 loops, which leaves no place for it");
    EXPECT_EQ(piece("tile=8x96 loops=d0:8"), expected + "1 loop, which leaves no place for it");
    EXPECT_EQ(piece("tile=8x16 loops=d0:8,d1:16 stage=0"),
              expected + "2 loops and stage=0, which leaves no place for it");
  }
}

TEST(VerifySchedule, RefusesTouches) {
  auto piece = [](const char *how) {
    return std::string("unit=d0:8 {tile=8x16 loops=d1:48,d1:16,d0:8 ") + how +
           " prefetch=0 vector=64}";
  };
  // 48 and 16 rows of the input.
  EXPECT_EQ(refusal(piece("touch=1 store=ordinary")), "");
  EXPECT_EQ(refusal(piece("touch=2 store=ordinary")), "");
  EXPECT_EQ(refusal(piece("stage=2 touch=2 store=ordinary")), "");
  // 8 elements of each of 48.
  EXPECT_EQ(refusal("unit=d0:8 {tile=8x16 loops=d0:8,d1:48,d1:16 touch=2 store=ordinary "
                    "prefetch=0 vector=64}"),
            "schedule: expects blocks that are one stretch of the input without a border for a "
            "touch, but of 384 elements 8 lie side by side");
  std::string expected = "schedule: expects a touch of 1 to 2, loops outside of it and inside of "
                         "it or a stage, but got ";
  EXPECT_EQ(refusal(piece("touch=0 store=ordinary")), expected + "0");
  EXPECT_EQ(refusal(piece("touch=3 store=ordinary")), expected + "3");
  EXPECT_EQ(refusal("unit=d0:8 {tile=8x16 loops=d1:16,d1:48,d0:8 touch=1 store=ordinary "
                    "prefetch=0 vector=64}"),
            "schedule: expects no loops over segments beside a touch");
}

TEST(VerifySchedule, RefusesPacks) {
  auto piece = [](const char *how) {
    return std::string("unit=d0:8 {tile=8x16 loops=d1:48,d0:24,d1:16,d0:8 ") + how + " vector=64}";
  };
  EXPECT_EQ(refusal(piece("pack=1 store=ordinary prefetch=0")), "");
  EXPECT_EQ(refusal(piece("pack=3 fetch=2 store=ordinary prefetch=0")), "");
  EXPECT_EQ(refusal(piece("stage=2 pack=2 store=ordinary prefetch=0")), "");
  std::string expected = "schedule: expects a pack of 1 to 3, loops outside of it and inside of "
                         "it or a stage, but got ";
  EXPECT_EQ(refusal(piece("pack=0 store=ordinary prefetch=0")), expected + "0");
  EXPECT_EQ(refusal(piece("pack=4 store=ordinary prefetch=0")), expected + "4");
  EXPECT_EQ(refusal("unit=d0:8 {tile=8x16 loops=d1:16,d1:48,d0:8 pack=1 store=ordinary "
                    "prefetch=0 vector=64}"),
            "schedule: expects no loops over segments beside a pack");
  std::string beside = "schedule: expects vectors, elements of at most 8 bytes, and no border, "
                       "prefetch, touch or runs straight from the input beside a pack";
  EXPECT_EQ(refusal(piece("pack=1 store=ordinary prefetch=8")), beside);
  EXPECT_EQ(refusal(piece("pack=1 touch=1 store=ordinary prefetch=0")), beside);
  EXPECT_EQ(refusal("unit=d0:8 {tile=8x16 loops=d1:16,d0:8 pack=1 store=ordinary prefetch=0 "
                    "vector=0}"),
            beside);
}

TEST(VerifySchedule, RefusesTilesAndLoops) {
  EXPECT_EQ(refusal("unit=d0:1"), "schedule: expects 1 pieces, but got 0");
  EXPECT_EQ(refusal("unit=d2:1 {tile=40x96 store=ordinary prefetch=0 vector=0}"),
            "schedule: expects units over one of the 2 digits of the problem, but got d2");
  EXPECT_EQ(refusal("unit=d0:41 {tile=40x96 store=ordinary prefetch=0 vector=0}"),
            "schedule: expects units of 1 to 40 values of d0, but got 41");
  EXPECT_EQ(refusal("unit=d0:1 {tile=8 store=ordinary prefetch=0 vector=0}"),
            "schedule: expects a tile of 2 extents, one for each digit, but got 1");
  EXPECT_EQ(refusal("unit=d0:1 {tile=41x1 store=ordinary prefetch=0 vector=0}"),
            "schedule: expects the tile's extent of d0 in 1 to 40, but got 41");
  EXPECT_EQ(refusal("unit=d0:1 {tile=8x16 loops=d1:16 store=ordinary prefetch=0 vector=0}"),
            "schedule: expects a loop over d0, of which the tile covers 8 of 40 values");
  EXPECT_EQ(refusal("unit=d0:1 {tile=8x96 loops=d0:4 store=ordinary prefetch=0 vector=0}"),
            "schedule: expects the innermost loop over d0 to advance by 8 as the tile, but got 4");
  EXPECT_EQ(refusal("unit=d0:1 {tile=8x96 loops=d0:20,d0:8 store=ordinary prefetch=0 vector=0}"),
            "schedule: expects a loop over d0 to advance by a larger multiple of 8, the step of "
            "the next inner one, but got 20");
  EXPECT_EQ(refusal("unit=d0:1 {tile=8x96 loops=d0:48,d0:8 store=ordinary prefetch=0 vector=0}"),
            "schedule: expects a loop over d0 to advance by at most 40, but got 48");
  EXPECT_EQ(refusal("unit=d0:1 {tile=40x96 loops=d2:1 store=ordinary prefetch=0 vector=0}"),
            "schedule: expects loops over d0 to d1, but got d2");
}

TEST(VerifySchedule, RefusesSegments) {
  auto loops = [](const char *loops, const char *stage = "store=ordinary") {
    return std::string("unit=d0:1 {tile=8x16 loops=") + loops + " " + stage +
           " prefetch=0 vector=64}";
  };
  EXPECT_EQ(refusal(loops("d1:16,d1:48,d0:8")), "");
  EXPECT_EQ(refusal(loops("d1:32,d0:8,d1:64,d1:16")), "");
  EXPECT_EQ(refusal(loops("d1:16,d0:8,d0:24,d1:48")), "");
  EXPECT_EQ(refusal(loops("d1:16,d1:40,d0:8")),
            "schedule: expects segments of a multiple of 16 values, the step of the outermost loop "
            "over d1, but got 40");
  EXPECT_EQ(refusal(loops("d1:32,d1:64,d1:96,d1:16,d0:8")),
            "schedule: expects at most one loop over segments of d1");
  EXPECT_EQ(refusal(loops("d1:16,d1:112,d0:8")),
            "schedule: expects a loop over d1 to advance by at most 96, but got 112");
  EXPECT_EQ(refusal(loops("d1:32,d0:8,d1:64,d1:16", "stage=3 store=ordinary")), "");
  EXPECT_EQ(
      refusal(loops("d1:32,d0:8,d1:64,d1:16", "stage=2 store=ordinary")),
      "schedule: expects a stage and a carry outside or inside of all loops over the segments "
      "of d1");
  EXPECT_EQ(
      refusal(loops("d1:32,d0:8,d1:64,d1:16", "stage=3 carry=1 store=nontemporal")),
      "schedule: expects a stage and a carry outside or inside of all loops over the segments "
      "of d1");
  EXPECT_EQ(refusal(loops("d1:32,d1:64,d1:16,d0:8", "stage=3 carry=0 store=nontemporal")),
            "schedule: expects no loop over d1 between its segments and the stage beside a carry");
  EXPECT_EQ(refusal(loops("d1:32,d1:16,d1:64,d0:8", "stage=3 carry=0 store=nontemporal")), "");
}

TEST(VerifySchedule, RefusesStoresThatTheTargetOrTheTileLacks) {
  std::string tile = "unit=d0:1 {tile=8x16 loops=d0:8,d1:16 ";
  EXPECT_EQ(refusal(tile + "store=ordinary prefetch=0 vector=48}"),
            "schedule: expects vectors of 0 (scalar) or a power of 2 from 4 to 64 bytes, but got "
            "48");
  EXPECT_EQ(refusal(tile + "store=nontemporal prefetch=0 vector=0}"),
            "schedule: expects a target with non-temporal stores, and vectors, for "
            "store=nontemporal; store=ordinary is possible");
  EXPECT_EQ(refusal("unit=d0:1 {tile=8x24 loops=d0:8,d1:24 store=nontemporal prefetch=0 "
                    "vector=64}"),
            "schedule: expects a tile that writes whole lines of 64 bytes wherever it stands, for "
            "store=nontemporal; store=ordinary is possible");
  TargetInfo target = avx512();
  target.prefetchWrite = false;
  EXPECT_EQ(refusal(tile + "store=prefetch prefetch=0 vector=64}", target),
            "schedule: expects a target that can prefetch for write; store=ordinary is possible");
}

TEST(VerifySchedule, RefusesDistancesBeyondAddresses) {
  EXPECT_EQ(refusal("unit=d0:1 {tile=8x16 loops=d0:8,d1:16 store=ordinary prefetch=1099511627777 "
                    "vector=64}"),
            "schedule: expects a prefetch of 0 to 1099511627776 elements ahead, but got "
            "1099511627777");
}

TEST(VerifySchedule, RefusesBlocksBeyondScratchMemory) {
  Problem problem;
  problem.width = 8;
  problem.digits = {{2, 1 << 20, 1 << 20}, {1024, 1, 1024}, {1024, 1024, 1}};
  auto refusal = [&](const std::string &piece) {
    Result<Schedule> schedule =
        parseSchedule("unit=d0:1 {" + piece + " store=ordinary prefetch=0 vector=64}");
    Status status = verifySchedule(*schedule, problem, avx512());
    return status ? "" : status.error().message;
  };
  EXPECT_EQ(refusal("tile=1x8x8 loops=d0:1,d1:8,d2:8 pack=1"),
            "schedule: expects a pack of at most 8388608 bytes, but got 1048584 elements of 8");
  EXPECT_EQ(refusal("tile=1x8x8 loops=d0:1,d1:8,d2:8 stage=1"),
            "schedule: expects a stage of at most 8388608 bytes, but got 1048592 elements of 8");
  EXPECT_EQ(refusal("tile=1x128x64 loops=d0:1,d1:128,d2:64"),
            "schedule: expects a tile of at most 4096 elements, but got 8192");
}

/// Six rows of 9999 elements, of which the first and the last are filled: the piece between merges
/// both digits.
TEST(VerifySchedule, RefusesUnitsWithinWhatPiecesMerge) {
  Problem problem;
  problem.width = 4;
  problem.digits = {{6, 9999, 9999}, {9999, 1, 1}};
  problem.inOffset = -9999;
  problem.read = {{{{0, 1}}, 1, 5}};
  ScheduleOptions options;
  options.rows = Rows::Cut;
  auto refusal = [&](const std::string &units) {
    Schedule schedule = *pickSchedule(problem, avx512(), options);
    Status status = verifySchedule(*overrideSchedule(schedule, units), problem, avx512());
    return status ? "" : status.error().message;
  };
  EXPECT_EQ(refusal("unit=d0:1"), "");
  EXPECT_EQ(refusal("unit=d1:1"),
            "schedule: expects units over a digit that is the major part of what each piece merges "
            "it with, but d1 is not; d0 is possible (piece 0 of 3)");
}

TEST(VerifySchedule, RefusesSeveralWindowsWithoutAStage) {
  Problem problem;
  problem.width = 4;
  problem.digits = {{5, 360, 387}, {9, 40, 43}, {43, 1, 1}};
  problem.read = {{{{0, 1}}, 0, 4}, {{{2, 1}}, 0, 40}};
  PieceSchedule piece;
  piece.tile = {1, 1, 43};
  piece.loops = {{0, 1}, {1, 1}};
  piece.vectorBytes = 64;
  Status status = verifyPiece(piece, problem, /*fills=*/false, avx512());
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "schedule: expects a stage where several windows remain");
}

} // namespace
