// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What the picked schedules look like, and what the cost model predicts of them.

#include "ScheduleCases.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>
#include <numeric>
#include <tuple>

using namespace relayout;
using namespace relayout::test;

namespace {

TEST(PickSchedule, SweepsWherePiecesMeetInLines) {
  // Rows of 4 times `run` floats, of which the last quarter is filled.
  auto padded = [](int64_t run) {
    Problem problem;
    problem.width = 4;
    problem.digits = {{200000, 3 * run, 4 * run}, {4, run, run}, {run, 1, 1}};
    problem.read = {{{{1, 1}}, 0, 3}};
    ScheduleOptions options;
    options.rows = Rows::Cut;
    return pick(problem, options);
  };
  Schedule meets = padded(20), apart = padded(32);
  ASSERT_EQ(meets.pieces.size(), 2u);
  EXPECT_GT(meets.sweep, 0);
  EXPECT_EQ(apart.sweep, 0);
}

TEST(PickSchedule, SweepsNothingForTheEndsOfLongRuns) {
  // 21 rows of 3790 places of 79 floats in blocks of 2, with two more places before each: pieces
  // meet in 42 lines of 393,000.
  Problem problem = dense(4, {21, 1897, 2, 79}, {2, 0, 1, 3});
  problem.inOffset = -4 * 79;
  problem.digits[1].inStride = 3790 * 79;
  problem.read = {{{{2, 2}, {0, 1}}, 4, 3794}};
  EXPECT_EQ(splitWithBorders(problem).size(), 2u);
  EXPECT_EQ(pickSchedule(problem, like("znver4"), {})->sweep, 0);
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
  TargetInfo target = like("sapphirerapids");
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

TEST(Predict, FollowsRowsOfWhichLessThanALineIsCropped) {
  // Two images are interleaved; the first element of each row of 64 is left out.
  Problem problem;
  problem.width = 4;
  problem.digits = {{96, 64, 126}, {63, 1, 2}, {2, 8192, 1}};
  Result<Schedule> schedule =
      parseSchedule("unit=d0:96 {tile=1x63x2 loops=d0:1 store=ordinary prefetch=0 vector=64}");
  ASSERT_TRUE(schedule) << schedule.error().message;
  Prediction prediction = predict(*schedule, problem, avx512());
  EXPECT_EQ(prediction.readStreams, 2);
  EXPECT_GE(prediction.runBytes, 96 * 63 * 4);
}

TEST(Predict, ReadsRowsBesidePadsThatLieOnThem) {
  // Of 16 values two are read: the others would lie on values of d0 and d4.
  Problem problem;
  problem.width = 2;
  problem.digits = {{5, 8, 128}, {2, 1, 64}, {16, 2, 4}, {2, 40, 2}, {2, 4, 1}};
  problem.inOffset = -16;
  problem.read = {{{{2, 1}}, 8, 10}};
  for (const char *order : {"d0:1,d4:1,d1:1", "d4:1,d1:1,d0:1", "d1:1,d0:1,d4:1"}) {
    Result<Schedule> schedule =
        parseSchedule("unit=d0:1 {tile=1x1x16x2x1 loops=" + std::string(order) +
                      " store=ordinary prefetch=0 vector=32}");
    ASSERT_TRUE(schedule) << schedule.error().message;
    Prediction prediction = predict(*schedule, problem, avx512());
    EXPECT_GT(prediction.ratio, 0) << order;
    EXPECT_GE(prediction.runBytes, 2) << order;
  }
}

TEST(Predict, PutsRowsTogetherThatAreLessThanALineApart) {
  // Rows of 125, of which the last column is moved on its own; every other one is of another image.
  Problem problem;
  problem.width = 4;
  problem.digits = {
      {128, 4096, 15875}, {63, 64, 250}, {2, 1048576, 125}, {62, 1, 2}, {2, 524288, 1}};
  auto chunk = [&](const std::string &loops) {
    Result<Schedule> schedule = parseSchedule("unit=d0:1 {tile=1x1x1x62x2 loops=" + loops +
                                              " store=prefetch prefetch=0 vector=64}");
    EXPECT_TRUE(schedule);
    return schedule ? predict(*schedule, problem, avx512()).chunkBytes : 0;
  };
  EXPECT_EQ(chunk("d2:1,d0:1,d1:1"), 62 * 2 * 4);
  EXPECT_EQ(chunk("d0:1,d1:1,d2:1"), 2 * 62 * 2 * 4);
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
  // From 800 KiB on, both sides together.
  EXPECT_EQ(store(dense(4, {320, 304}, {1, 0}), ResultHint::Auto), StoreMode::Prefetch);
  EXPECT_EQ(store(dense(4, {320, 320}, {1, 0}), ResultHint::Auto), StoreMode::NonTemporal);
  EXPECT_NE(store(large, ResultHint::Hot), StoreMode::NonTemporal);
  TargetInfo quick = avx512();
  quick.memory.fetchesWritten = false;
  EXPECT_EQ(pickSchedule(small, quick, {})->pieces[0].store, StoreMode::Ordinary);
}

TEST(PickSchedule, RanksLargePiecesHoweverManyThereAre) {
  // Rows and columns of a padded image, in blocks of 4 x 4: 17 boxes, of which one is most of it.
  Problem problem;
  problem.width = 4;
  problem.digits = {{4, 15750, 1166400}, {4, 225, 291600}, {3, 1464750, 97200},
                    {24, 63000, 4050},   {18, 900, 225},   {225, 1, 1}};
  problem.inOffset = -31725;
  problem.read = {{{{3, 4}, {0, 1}}, 2, 95}, {{{4, 4}, {1, 1}}, 1, 71}};
  std::vector<Piece> pieces = splitWithBorders(problem);
  ASSERT_GT(pieces.size(), 16u);
  ScheduleOptions options;
  options.rows = Rows::Cut;
  Schedule schedule = *pickSchedule(problem, like("znver4"), options);
  int64_t total = 0;
  for (const Piece &piece : pieces)
    total += piece.elements();
  int large = 0;
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].elements() > total / 2) {
      ++large;
      EXPECT_EQ(schedule.pieces[i].store, StoreMode::NonTemporal);
      EXPECT_TRUE(schedule.pieces[i].stage);
    } else if (pieces[i].elements() < total / 64) {
      EXPECT_FALSE(schedule.pieces[i].stage || schedule.pieces[i].fetch);
    }
  }
  EXPECT_EQ(large, 1);
}

TEST(PickSchedule, FillsLongRunsInWholeLinesWhereverTheyBegin) {
  // Rows of 3 times `run` floats, of which the last third is filled.
  auto fillOf = [](int64_t run) {
    Problem problem;
    problem.width = 4;
    problem.digits = {{9000, 2 * run, 3 * run}, {3, run, run}, {run, 1, 1}};
    problem.read = {{{{1, 1}}, 0, 2}};
    ScheduleOptions options;
    options.rows = Rows::Cut;
    Schedule schedule = pick(problem, options);
    EXPECT_EQ(schedule.pieces.size(), 2u);
    return schedule.pieces.back();
  };
  PieceSchedule odd = fillOf(709);
  EXPECT_EQ(odd.store, StoreMode::NonTemporal);
  EXPECT_TRUE(odd.stage);
  // Along the run inside of the loop over rows.
  EXPECT_EQ(odd.carry, 1u);
  EXPECT_EQ(odd.loops, (std::vector<Loop>{{0, 1}, {1, 256}}));
  // Runs on lines are written without scratch memory, short ones by ordinary stores.
  EXPECT_EQ(fillOf(704).store, StoreMode::NonTemporal);
  EXPECT_FALSE(fillOf(704).stage);
  EXPECT_NE(fillOf(99).store, StoreMode::NonTemporal);
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
  // The input has the runs: nothing goes through scratch memory but ends of lines.
  Problem kept = dense(4, {383, 355, 381}, {1, 0, 2});
  PieceSchedule runs = pick(kept).pieces[0];
  ASSERT_TRUE(runs.carry);
  EXPECT_TRUE(stagedBlock(kept, runs).fromInput);
  // Rows that start on lines need none of it.
  EXPECT_FALSE(pick(dense(4, {2000, 3008}, {1, 0})).pieces[0].stage);
}

TEST(PickSchedule, StagesShortRunsAlongTheRowsOfTheInput) {
  // Patches of 14 x 14 of three channels: rows of patches of one image row, channels side by side.
  PieceSchedule piece = pick(dense(2, {8, 3, 24, 14, 24, 14}, {0, 2, 4, 1, 3, 5})).pieces[0];
  ASSERT_TRUE(piece.stage && !piece.carry);
  EXPECT_EQ(piece.tile, (std::vector<int64_t>{1, 1, 24, 1, 1, 14}));
  EXPECT_EQ(piece.loops.back(), (Loop{3, 1}));
  EXPECT_EQ(*piece.stage, 2u);
}

TEST(PickSchedule, IsDeterministic) {
  Problem problem = dense(2, {5, 48, 28, 33, 28}, {3, 0, 4, 1, 2});
  EXPECT_EQ(pick(problem), pick(problem));
  EXPECT_EQ(candidateSchedules(problem, avx512(), {}, 9),
            candidateSchedules(problem, avx512(), {}, 9));
  EXPECT_EQ(candidateSchedules(problem, avx512(), {}, 3).size(), 3u);
}

TEST(CandidateSchedules, HaveWhatOtherFamiliesWouldBeGiven) {
  // Bytes at powers of two, which only one family is known to gain by packing.
  Problem problem = dense(1, {4096, 8192}, {1, 0});
  auto packs = [](const Schedule &schedule) { return schedule.pieces[0].pack.has_value(); };
  TargetInfo intel = like("sapphirerapids");
  EXPECT_FALSE(packs(*pickSchedule(problem, intel, {})));
  std::vector<Schedule> candidates = candidateSchedules(problem, intel, {}, 12);
  EXPECT_EQ(candidates.front(), *pickSchedule(problem, intel, {}));
  EXPECT_TRUE(std::any_of(candidates.begin(), candidates.end(), packs));
  for (const Schedule &candidate : candidates)
    EXPECT_TRUE(verifySchedule(candidate, problem, intel)) << candidate.str();
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

/// What fetches blocks and reads one stream at a time.
TEST(PickSchedule, MovesOneStreamAtATimeWhereThatIsFaster) {
  Problem problem = dense(1, {2073600, 2}, {1, 0});
  EXPECT_EQ(pickSchedule(problem, fetching(), {})->pieces[0].loops, (std::vector<Loop>{{1, 256}}));
}

/// Picks schedules of `problem` for targets with and without most of what they may have.
void expectSchedules(const Problem &problem) {
  for (unsigned has = 0; has < 128; ++has) {
    TargetInfo target = avx512();
    if (has & 1)
      std::tie(target.isa, target.vectorBytes) = std::make_pair(VectorISA::AVX2, 32);
    target.nonTemporal = has & 2;
    target.l2Bytes = has & 4 ? 64 : 1 << 20;
    target.pageBytes = has & 8 ? 128 : 4096;
    target.tlbPages = has & 16 ? 7 : 1536;
    target.memory.fetches = has & 32;
    target.memory.touches = target.memory.packs = has & 64;
    Result<Schedule> schedule = pickSchedule(problem, target, {});
    ASSERT_TRUE(schedule) << has;
    Status status = verifySchedule(*schedule, problem, target);
    EXPECT_TRUE(status) << has << ": " << status.error().message << "\n" << schedule->str();
  }
}

TEST(PickSchedule, KeepsDigitsOfBordersWholeWhereRunsAreCarried) {
  Problem problem;
  problem.width = 2;
  problem.digits = {{740, 125, 145000}, {1160, 92314, 125}, {125, 1, 1}};
  problem.inOffset = -257;
  problem.read = {{{{0, 125}, {2, 1}}, 257, 92500}};
  expectSchedules(problem);
}

TEST(PickSchedule, KeepsFewLinesWhereRunsGoOnAlongTheInput) {
  Problem problem;
  problem.width = 2;
  problem.digits = {{8589934591, 309, 632523}, {2047, 2654289788619, 309}, {309, 1, 1}};
  expectSchedules(problem);
}

TEST(PickSchedule, FetchesNoSegments) {
  expectSchedules(dense(8, {62, 64, 511}, {0, 2, 1}));
  Problem cropped;
  cropped.width = 4;
  cropped.digits = {{17, 1, 3360}, {10, 136, 336}, {42, 1360, 8}, {8, 17, 1}};
  expectSchedules(cropped);
}

TEST(PickSchedule, StagesWholeStepsOfRowsReadSideBySide) {
  Problem problem;
  problem.width = 2;
  problem.digits = {{4, 31, 84878}, {2738, 634, 31}, {31, 1, 1}};
  problem.inOffset = -1;
  problem.read = {{{{0, 31}, {2, 1}}, 1, 124}};
  expectSchedules(problem);
}

TEST(PickSchedule, CarriesAlongTheInputWhereOneStreamIsFaster) {
  // Space to depth of one channel: the rows of the input one after the other, to 4 planes.
  Problem problem = dense(2, {713, 2, 1069, 2}, {1, 3, 0, 2});
  TargetInfo target = fetching();
  target.memory.loneCarried = 0;
  PieceSchedule one = pickSchedule(problem, target, {})->pieces[0];
  EXPECT_EQ(one.loops, (std::vector<Loop>{{2, 1}, {0, 1}, {3, 128}, {3, 64}}));
  EXPECT_TRUE(one.carry);
}

TEST(PickSchedule, TakesDigitsOfAFewValuesWhole) {
  // A part of three is two of them, so that tiles of it move four.
  auto takesWhole = [](const TargetInfo &target, int64_t width, std::vector<int64_t> dims) {
    std::vector<unsigned> perm(dims.size());
    std::iota(perm.rbegin(), perm.rend(), 0);
    Problem problem = dense(width, dims, perm);
    PieceSchedule piece = pickSchedule(problem, target, {})->pieces[0];
    for (unsigned d = 0; d < piece.tile.size(); ++d)
      if (piece.tile[d] != 1 && piece.tile[d] != problem.digits[d].extent)
        return false;
    return true;
  };
  EXPECT_TRUE(takesWhole(avx512(), 4, std::vector<int64_t>(14, 3)));
  EXPECT_TRUE(takesWhole(like("znver4"), 8, std::vector<int64_t>(9, 5)));
  // Of two bytes, tiles of parts of such digits are as good there.
  std::vector<int64_t> mixed{6, 3, 7, 5, 3, 5, 3, 6, 7, 5};
  EXPECT_TRUE(takesWhole(avx512(), 2, mixed));
  EXPECT_FALSE(takesWhole(like("znver4"), 2, mixed));
}

TEST(PickSchedule, LetsThreadsSplitTheOutermostLoop) {
  ScheduleOptions two;
  two.threads = 2;
  // Each thread walks memory as one alone does. 59 and 79 are too short for whole lines between
  // all units.
  for (const Problem &problem :
       {dense(4, {59, 815, 345}, {0, 2, 1}), dense(1, {257, 79, 2039}, {2, 1, 0})}) {
    Schedule schedule = *pickSchedule(problem, like("znver4"), two);
    EXPECT_EQ(schedule.unitDigit, schedule.pieces[0].loops[0].digit) << schedule.str();
    // To cut the loop that rows are carried along is in the way of one thread.
    Schedule alone = *pickSchedule(problem, like("znver4"), {});
    ASSERT_TRUE(alone.pieces[0].carry) << alone.str();
    EXPECT_FALSE(stagedBlock(problem, alone.pieces[0]).along[alone.unitDigit]) << alone.str();
  }
  // On Intel they share out rows, not parts of them.
  Problem rows = dense(4, {271, 189, 175}, {1, 0, 2});
  TargetInfo intel = like("sapphirerapids");
  for (bool sharesRows : {true, false}) {
    intel.memory.sharesRows &= sharesRows;
    Schedule schedule = *pickSchedule(rows, intel, two);
    ASSERT_TRUE(schedule.pieces[0].carry);
    EXPECT_NE(stagedBlock(rows, schedule.pieces[0]).along[schedule.unitDigit], sharesRows);
  }
}

TEST(PickSchedule, KeepsThreadsBusyWithAFewUnits) {
  // No digit has as many values as threads need. Three units take two threads as long as four
  // would, but more threads have more to do with them; one thread may be joined by another.
  std::vector<int64_t> dims(11, 3);
  dims[4] = 2;
  std::vector<unsigned> perm(dims.size());
  std::iota(perm.rbegin(), perm.rend(), 0);
  Problem problem = dense(4, dims, perm);
  for (const auto &[threads, extent] :
       {std::pair(1, 2), std::pair(2, 2), std::pair(3, 3), std::pair(64, 3)}) {
    ScheduleOptions options;
    options.threads = threads;
    Schedule schedule = *pickSchedule(problem, like("znver4"), options);
    EXPECT_EQ(problem.digits[schedule.unitDigit].extent, extent) << schedule.str();
    EXPECT_EQ(schedule.unitStep, 1);
  }
}

TEST(PickSchedule, WritesToFewerPagesBesideOtherThreads) {
  // Walks of the page table by several threads compete; on Intel one thread may do with many.
  TargetInfo intel = like("sapphirerapids");
  intel.l2Bytes = 2 << 20;
  intel.tlbPages = 2048;
  Problem problem = dense(4, {96, 75, 75, 96}, {3, 2, 1, 0});
  ScheduleOptions two;
  two.threads = 2;
  double alone = predict(*pickSchedule(problem, intel, {}), problem, intel).pages;
  double beside = predict(*pickSchedule(problem, intel, two), problem, intel).pages;
  EXPECT_LT(2 * beside, alone);
}

} // namespace
