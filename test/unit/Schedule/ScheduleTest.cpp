// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The text of schedules, what verification refuses, and what the picked ones look like.

#include "relayout/Schedule/Schedule.h"

#include <gtest/gtest.h>
#include <limits>

using namespace relayout;

namespace {

TargetInfo avx512() {
  TargetInfo target;
  target.isa = VectorISA::AVX512VBMI;
  target.vectorBytes = 64;
  target.maskedAccess = target.nonTemporal = target.prefetchWrite = true;
  return target;
}

/// A dense movement: the digits of the operand, major first, in the order `perm` of the result.
Problem dense(int64_t width, std::vector<int64_t> extents, std::vector<unsigned> perm) {
  std::vector<int64_t> in(extents.size());
  int64_t stride = 1;
  for (size_t i = extents.size(); i-- > 0; stride *= extents[i])
    in[i] = stride;
  Problem problem;
  problem.width = width;
  stride = 1;
  for (size_t i = perm.size(); i-- > 0; stride *= extents[perm[i]])
    problem.digits.insert(problem.digits.begin(), {extents[perm[i]], in[perm[i]], stride});
  return problem;
}

Schedule pick(const Problem &problem, const ScheduleOptions &options = {}) {
  Result<Schedule> schedule = pickSchedule(problem, avx512(), options);
  EXPECT_TRUE(schedule);
  return schedule ? *schedule : Schedule();
}

std::string parseError(const char *text) {
  Result<Schedule> schedule = parseSchedule(text);
  return schedule ? "" : schedule.error().message;
}

/// The message for the 40 x 96 transpose of f32 with the tile and loops given.
std::string refusal(const std::string &text, const TargetInfo &target = avx512()) {
  Result<Schedule> schedule = parseSchedule(text);
  EXPECT_TRUE(schedule) << schedule.error().message;
  Status status = verifySchedule(*schedule, dense(4, {96, 40}, {1, 0}), target);
  return status ? "" : status.error().message;
}

TEST(ScheduleText, ReadsWhatItPrints) {
  const char *text = "unit=d0:16 {tile=16x8 loops=d1:24,d0:16,d1:8 store=nontemporal prefetch=64 "
                     "vector=64} {store=ordinary prefetch=0 vector=0}";
  Result<Schedule> schedule = parseSchedule(text);
  ASSERT_TRUE(schedule) << schedule.error().message;
  EXPECT_EQ(schedule->str(), text);
  EXPECT_EQ(schedule->unitStep, 16);
  ASSERT_EQ(schedule->pieces.size(), 2u);
  EXPECT_EQ(schedule->pieces[0].tile, (std::vector<int64_t>{16, 8}));
  EXPECT_EQ(schedule->pieces[0].loops, (std::vector<Loop>{{1, 24}, {0, 16}, {1, 8}}));
  EXPECT_EQ(schedule->pieces[0].store, StoreMode::NonTemporal);
  EXPECT_TRUE(schedule->pieces[1].tile.empty());
}

TEST(ScheduleText, RefusesWhatIsMalformed) {
  EXPECT_EQ(parseError(""), "schedule: expects unit=dDIGIT:STEP");
  EXPECT_EQ(parseError("unit=3:4"), "schedule: expects dDIGIT:STEP, but got '3:4'");
  EXPECT_EQ(parseError("unit=d3"), "schedule: expects dDIGIT:STEP, but got '' after d3");
  EXPECT_EQ(parseError("unit=d0:1 unit=d0:1"), "schedule: expects one unit=dDIGIT:STEP, at most "
                                               "one sweep=UNITS and pieces in braces, but got "
                                               "'unit'");
  EXPECT_EQ(parseError("unit=d0:1 {store=fast}"),
            "schedule: expects store to be ordinary, prefetch or nontemporal, but got 'fast'");
  EXPECT_EQ(parseError("unit=d0:1 {store=ordinary}"),
            "schedule: expects store=, prefetch= and vector= in each piece");
  EXPECT_EQ(parseError("unit=d0:1 {tile=1x2"), "schedule: expects a '}' after a piece");
  EXPECT_EQ(parseError("unit=d0:1 {tile=1x}"),
            "schedule: expects a number of 0 or more, but got '}'");
  EXPECT_EQ(parseError("unit=d0:-1"), "schedule: expects a number of 0 or more, but got '-1'");
  EXPECT_EQ(
      parseError("unit=d0:1 {tile=1 tile=2}"),
      "schedule: expects each of tile=, loops=, stage=, carry=, store=, prefetch= and vector= at "
      "most once in a piece, but got 'tile'");
  EXPECT_NE(parseError("unit=d0:99999999999999999999"), "");
}

TEST(ScheduleText, ReadsStages) {
  const char *text = "unit=d0:16 {tile=16x8 loops=d1:24,d0:16,d1:8 stage=1 store=nontemporal "
                     "prefetch=0 vector=64}";
  Result<Schedule> schedule = parseSchedule(text);
  ASSERT_TRUE(schedule) << schedule.error().message;
  EXPECT_EQ(schedule->pieces[0].stage, 1u);
  EXPECT_EQ(schedule->str(), text);
  // Other loops make another nest, which has a stage only if that is named.
  Result<Schedule> pinned = overrideSchedule(*schedule, "{loops=d0:16,d1:8}");
  ASSERT_TRUE(pinned);
  EXPECT_FALSE(pinned->pieces[0].stage);
  EXPECT_EQ(parseError("unit=d0:1 {stage=9999}"), "schedule: expects a stage of at most 1024");
}

TEST(ScheduleText, ReadsCarries) {
  const char *text = "unit=d0:16 {tile=16x8 loops=d1:24,d0:16,d1:8 stage=2 carry=1 "
                     "store=nontemporal prefetch=0 vector=64}";
  Result<Schedule> schedule = parseSchedule(text);
  ASSERT_TRUE(schedule) << schedule.error().message;
  EXPECT_EQ(schedule->pieces[0].carry, 1u);
  EXPECT_EQ(schedule->str(), text);
  EXPECT_EQ(overrideSchedule(*schedule, "{carry=0}")->pieces[0].carry, 0u);
  EXPECT_EQ(overrideSchedule(*schedule, "{prefetch=3}")->pieces[0].carry, 1u);
  EXPECT_FALSE(overrideSchedule(*schedule, "{stage=1}")->pieces[0].carry);
  EXPECT_EQ(parseError("unit=d0:1 {carry=9999}"), "schedule: expects a carry of at most 1024");
}

TEST(ScheduleText, ReadsSweeps) {
  const char *text = "unit=d0:16 sweep=3 {tile=16 store=ordinary prefetch=0 vector=64}";
  Result<Schedule> schedule = parseSchedule(text);
  ASSERT_TRUE(schedule) << schedule.error().message;
  EXPECT_EQ(schedule->sweep, 3);
  EXPECT_EQ(schedule->str(), text);
  // Other units are other sweeps; other pieces are not.
  EXPECT_EQ(overrideSchedule(*schedule, "unit=d1:2")->sweep, 0);
  EXPECT_EQ(overrideSchedule(*schedule, "sweep=1")->sweep, 1);
  EXPECT_EQ(overrideSchedule(*schedule, "{prefetch=8}")->sweep, 3);
  EXPECT_EQ(parseError("sweep=3"), "schedule: expects unit=dDIGIT:STEP");
  EXPECT_EQ(parseError("unit=d0:1 sweep=-1"),
            "schedule: expects a number of 0 or more, but got '-1'");
  EXPECT_EQ(parseError("unit=d0:1 sweep=1 sweep=1"),
            "schedule: expects one unit=dDIGIT:STEP, at most one sweep=UNITS and pieces in braces, "
            "but got 'sweep'");
}

TEST(ScheduleText, PinsWhatIsNamed) {
  Schedule base = pick(dense(4, {960, 640}, {1, 0}));
  Result<Schedule> pinned = overrideSchedule(base, "{store=ordinary prefetch=0}");
  ASSERT_TRUE(pinned);
  EXPECT_EQ(pinned->pieces[0].tile, base.pieces[0].tile);
  EXPECT_EQ(pinned->pieces[0].store, StoreMode::Ordinary);
  EXPECT_EQ(pinned->pieces[0].prefetch, 0);
  Result<Schedule> units = overrideSchedule(base, "unit=d1:32");
  ASSERT_TRUE(units);
  EXPECT_EQ(units->unitDigit, 1u);
  EXPECT_EQ(units->pieces, base.pieces);
  Result<Schedule> wrong = overrideSchedule(base, "{} {}");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message, "schedule: expects 1 or 1 pieces in braces, but got 2");
}

TEST(PickSchedule, SweepsWherePiecesMeetInLines) {
  // Rows of 4 times `run` floats, of which the last quarter is filled.
  auto padded = [](int64_t run) {
    Problem problem;
    problem.width = 4;
    problem.digits = {{200000, 3 * run, 4 * run}, {4, run, run}, {run, 1, 1}};
    problem.read = {{{{1, 1}}, 0, 3}};
    return pick(problem);
  };
  Schedule meets = padded(20), apart = padded(32);
  ASSERT_EQ(meets.pieces.size(), 2u);
  EXPECT_GT(meets.sweep, 0);
  EXPECT_EQ(apart.sweep, 0);
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
  const char *expected = "schedule: expects a carry of 0 to 1, the stage, with store=nontemporal "
                         "and runs of at least 64 bytes, but got ";
  EXPECT_EQ(refusal(piece("stage=1 carry=2 store=nontemporal")), expected + std::string("2"));
  EXPECT_EQ(refusal(piece("stage=1 carry=1 store=ordinary")), expected + std::string("1"));
  EXPECT_EQ(refusal("unit=d0:8 {tile=8x8 loops=d0:8,d1:8 stage=2 carry=1 store=nontemporal "
                    "prefetch=0 vector=32}"),
            "schedule: expects a carry of 0 to 2, the stage, with store=nontemporal and runs of at "
            "least 64 bytes, but got 1");
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
}

TEST(PickSchedule, ReadsSegmentsOfOneStreamSideBySide) {
  Problem problem = dense(1, {2073600, 2}, {1, 0});
  Schedule schedule = pick(problem);
  // Eight of them, in whole tiles.
  EXPECT_EQ(schedule.pieces[0].loops, (std::vector<Loop>{{1, 256}, {1, 259328}}));
  EXPECT_EQ(predict(schedule, problem, avx512()).readStreams, 8);
  ScheduleOptions options;
  options.threads = 3; // as many for each
  EXPECT_EQ(pick(problem, options).pieces[0].loops, (std::vector<Loop>{{1, 256}, {1, 86528}}));
}

TEST(PickSchedule, ReadsSegmentsInsteadOfShortRowsSideBySide) {
  // Depth to space of rows of 1920 bytes: images far apart, not one beside the other.
  Problem problem = dense(1, {540, 960, 2, 2}, {0, 2, 1, 3});
  PieceSchedule piece = pick(problem).pieces[0];
  EXPECT_EQ(piece.loops.back(), (Loop{0, 68})); // eight segments of 540 images
  EXPECT_EQ(piece.loops.front(), (Loop{0, 1}));
}

TEST(PickSchedule, CarriesWhereWholeLinesTakeTooManyRows) {
  // A tile that writes whole lines reads 15 x 32 rows.
  Problem problem = dense(1, {15, 15, 32, 15, 15, 32}, {1, 4, 0, 5, 3, 2});
  Schedule schedule = pick(problem);
  EXPECT_TRUE(schedule.pieces[0].carry);
  EXPECT_LE(predict(schedule, problem, avx512()).readStreams, 64);
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

TEST(PickSchedule, ReadsLongRunsAndScattersLines) {
  // The reversal 96x75x75x96: a block of the run set, then the output's digits, and
  // innermost the input's contiguous direction.
  Schedule schedule = pick(dense(4, {96, 75, 75, 96}, {3, 2, 1, 0}));
  ASSERT_EQ(schedule.pieces.size(), 1u);
  const PieceSchedule &piece = schedule.pieces[0];
  EXPECT_EQ(piece.tile, (std::vector<int64_t>{16, 1, 1, 16}));
  ASSERT_EQ(piece.loops.size(), 5u);
  EXPECT_EQ(piece.loops[0].digit, 1u);
  EXPECT_LE(96 * piece.loops[0].step, avx512().tlbPages); // each row of the output on its page
  std::vector<Loop> inner(piece.loops.begin() + 1, piece.loops.end());
  EXPECT_EQ(inner, (std::vector<Loop>{{2, 1}, {3, 16}, {1, 1}, {0, 16}}));
  EXPECT_EQ(piece.store, StoreMode::NonTemporal);
  EXPECT_GT(piece.prefetch, 0);
}

TEST(PickSchedule, WritesPairsOfLinesWhereThePitchAliases) {
  Problem aliased = dense(4, {4096, 4096}, {1, 0});
  Problem odd = dense(4, {4096 + 16, 4096 + 16}, {1, 0});
  EXPECT_GE(predict(pick(aliased), aliased, avx512()).chunkBytes, 128);
  EXPECT_EQ(predict(pick(odd), odd, avx512()).chunkBytes, 64);
}

TEST(PickSchedule, KeepsRunsWhole) {
  // Runs of 23 lines: a tile of 16 would repeat lines at a run's end.
  Schedule schedule = pick(dense(4, {384, 384, 368}, {1, 0, 2}));
  EXPECT_EQ(schedule.pieces[0].tile, (std::vector<int64_t>{1, 1, 368}));
}

TEST(PickSchedule, WritesRunsShorterThanALineSideBySide) {
  // Patches of 2 x 2 bf16 in 16 channels: runs of 4 bytes, pixels of two lines.
  Problem problem = dense(2, {16, 96, 2, 80, 2}, {1, 3, 0, 2, 4});
  TargetInfo target = avx512();
  target.readStreams = 32;
  target.visitBytes = 128;
  target.restartBytes = 400;
  Result<Schedule> schedule = pickSchedule(problem, target, {});
  ASSERT_TRUE(schedule) << schedule.error().message;
  EXPECT_EQ(schedule->pieces[0].store, StoreMode::NonTemporal);
  EXPECT_GE(predict(*schedule, problem, target).chunkBytes, 128);
}

TEST(PickSchedule, ReadsSeveralImagesWhereItCannotWriteWholeLines) {
  // Rows of 25 floats: each row of an image lies within a page of the others near it.
  Problem problem = dense(4, {128, 25, 2, 25, 2}, {0, 2, 4, 1, 3});
  TargetInfo target = avx512();
  target.nonTemporal = false;
  Schedule schedule = *pickSchedule(problem, target, {});
  EXPECT_EQ(schedule.pieces[0].store, StoreMode::Prefetch);
  EXPECT_GE(predict(schedule, problem, target).readStreams, 4);
}

TEST(PickSchedule, TakesSmallTilesWhereTheMemoryIsSlow) {
  // The memory hides the loops; in the caches the same rows take larger tiles.
  Problem large = dense(2, {640, 48, 2048}, {1, 0, 2}), small = dense(2, {4, 3, 2048}, {1, 0, 2});
  auto elements = [](const Problem &problem) {
    Schedule schedule = pick(problem);
    int64_t count = 1;
    for (int64_t taken : schedule.pieces[0].tile)
      count *= taken;
    return count;
  };
  EXPECT_LE(elements(large) * 2, 1024);
  EXPECT_GT(elements(small), elements(large));
}

TEST(Predict, CountsRowsReadToTheirEndsAsOneStretch) {
  // 16 rows side by side, to their ends, and then the next 16: the input in its order.
  Problem problem = dense(4, {960, 96}, {1, 0});
  Result<Schedule> schedule = parseSchedule(
      "unit=d0:96 {tile=16x16 loops=d1:16,d0:16 store=ordinary prefetch=0 vector=64}");
  ASSERT_TRUE(schedule) << schedule.error().message;
  Prediction prediction = predict(*schedule, problem, avx512());
  EXPECT_EQ(prediction.readStreams, 16);
  EXPECT_EQ(prediction.readStreams * prediction.runBytes, 960 * 96 * 4);
}

TEST(PickSchedule, StoresByTheHintAndTheSize) {
  auto store = [](const Problem &problem, ResultHint hint) {
    ScheduleOptions options;
    options.result = hint;
    return pick(problem, options).pieces[0].store;
  };
  Problem small = dense(4, {128, 64}, {1, 0});
  Problem large = dense(4, {4096, 2048}, {1, 0});
  // What leaves the first cache may have left the others since it was last used.
  EXPECT_EQ(store(dense(4, {48, 32}, {1, 0}), ResultHint::Auto), StoreMode::Ordinary);
  EXPECT_EQ(store(small, ResultHint::Auto), StoreMode::Prefetch);
  EXPECT_EQ(store(small, ResultHint::Cold), StoreMode::NonTemporal);
  EXPECT_EQ(store(large, ResultHint::Auto), StoreMode::NonTemporal);
  EXPECT_NE(store(large, ResultHint::Hot), StoreMode::NonTemporal);
}

TEST(PickSchedule, GivesThreadsUnitsWithBordersOnLines) {
  ScheduleOptions options;
  options.threads = 4;
  Problem problem = dense(4, {2000, 3, 80}, {1, 0, 2});
  Schedule schedule = pick(problem, options);
  EXPECT_GE(unitCount(schedule, problem), 16);
  const Digit &digit = problem.digits[schedule.unitDigit];
  EXPECT_EQ(digit.outStride * schedule.unitStep * 4 % 64, 0);
}

TEST(PickSchedule, CarriesRowsThatStartAnywhereInALine) {
  // A line or two a visit, along the rows of the output and from row to row.
  Problem problem = dense(4, {2001, 3007}, {1, 0});
  Schedule schedule = pick(problem);
  const PieceSchedule &piece = schedule.pieces[0];
  ASSERT_TRUE(piece.stage && piece.carry) << schedule.str();
  StagedBlock block = stagedBlock(problem, piece);
  EXPECT_GE(block.run, 16);
  EXPECT_LE(block.run, 64);
  EXPECT_EQ(block.along, (std::vector<bool>{false, true}));
  EXPECT_EQ(block.joined, 0u);
  EXPECT_TRUE(pick(dense(4, {97, 199, 201}, {0, 2, 1})).pieces[0].carry);
  // Threads share out rows, not parts of them.
  ScheduleOptions two;
  two.threads = 2;
  Schedule shared = *pickSchedule(problem, avx512(), two);
  ASSERT_TRUE(shared.pieces[0].carry);
  EXPECT_FALSE(stagedBlock(problem, shared.pieces[0]).along[shared.unitDigit]);
  // The input has the runs: nothing goes through scratch memory but ends of lines.
  Problem kept = dense(4, {383, 355, 381}, {1, 0, 2});
  PieceSchedule runs = pick(kept).pieces[0];
  ASSERT_TRUE(runs.carry);
  EXPECT_TRUE(stagedBlock(kept, runs).fromInput);
  // Rows that start on lines need none of it.
  EXPECT_FALSE(pick(dense(4, {2000, 3008}, {1, 0})).pieces[0].stage);
}

TEST(PickSchedule, IsDeterministic) {
  Problem problem = dense(2, {5, 48, 28, 33, 28}, {3, 0, 4, 1, 2});
  EXPECT_EQ(pick(problem), pick(problem));
  EXPECT_EQ(candidateSchedules(problem, avx512(), {}, 9),
            candidateSchedules(problem, avx512(), {}, 9));
  EXPECT_EQ(candidateSchedules(problem, avx512(), {}, 3).size(), 3u);
}

TEST(UnitClip, BordersFallOnTilesAndLeaveNoShortRest) {
  UnitClip clip{0, 10, 25, 75, 16};
  EXPECT_EQ(clip.border(0), 0);
  EXPECT_EQ(clip.border(2), 0);
  EXPECT_EQ(clip.border(3), 16);
  EXPECT_EQ(clip.border(7), 48);
  EXPECT_EQ(clip.border(8), 75); // 55 would round to 64 and leave 11 values
  EXPECT_EQ(clip.border(std::numeric_limits<int64_t>::max()), 75);
}

} // namespace
