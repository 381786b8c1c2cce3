// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The text of schedules and what verification refuses.

#include "ScheduleCases.h"

using namespace relayout;
using namespace relayout::test;

namespace {

std::string parseError(const std::string &text) {
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
  EXPECT_EQ(parseError("unit=d0:1 unit=d0:1"),
            "schedule: expects each word at most once outside of pieces, but 'unit' stands twice");
  EXPECT_EQ(parseError("unit d0:1"), "schedule: expects '=' after 'unit', but got ' d0:1'");
  EXPECT_EQ(parseError("units=d0:1"),
            "schedule: expects one unit=dDIGIT:STEP, at most one "
            "sweep=UNITS, at most one rows=cut, rows=whole or rows=together and "
            "pieces in braces, but got 'units'");
  EXPECT_EQ(parseError("unit=d0:1 rows=half"),
            "schedule: expects rows to be cut, whole or together, but got 'half'");
  EXPECT_EQ(parseError("rows=cut unit=d0:1 rows=cut"),
            "schedule: expects each word at most once outside of pieces, but 'rows' stands twice");
  EXPECT_EQ(parseError("unit=d0:1 {store=fast}"),
            "schedule: expects store to be ordinary, prefetch or nontemporal, but got 'fast'");
  EXPECT_EQ(parseError("unit=d0:1 {store=nontemporal2 vector=64}"),
            "schedule: expects store to be ordinary, prefetch or nontemporal, but got "
            "'nontemporal2'");
  EXPECT_EQ(parseError("unit=d0:1 {store=}"),
            "schedule: expects store to be ordinary, prefetch or nontemporal, but got ''");
  EXPECT_EQ(parseError("unit=d0:1 {store=ordinary}"),
            "schedule: expects store=, prefetch= and vector= in each piece");
  EXPECT_EQ(parseError("unit=d0:1 {tile=1x2"), "schedule: expects a '}' after a piece");
  EXPECT_EQ(parseError("unit=d0:1 {tile=1x}"),
            "schedule: expects a number of 0 or more, but got '}'");
  EXPECT_EQ(parseError("unit=d0:-1"), "schedule: expects a number of 0 or more, but got '-1'");
  EXPECT_EQ(parseError("unit=d-2:1"), "schedule: expects a number of 0 or more, but got '-2'");
  EXPECT_EQ(parseError("unit=d99999999999999999999:1"),
            "schedule: expects a number of 63 bits at most, but got '99999999999999999999'");
  EXPECT_EQ(parseError("unit=d0:-99999999999999999999 {}"),
            "schedule: expects a number of 0 or more, but got '-99999999999999999999'");
  EXPECT_EQ(parseError("unit=d0:1 {tile=1 tile=2}"),
            "schedule: expects each word at most once in a piece, but 'tile' stands twice");
  const std::string words =
      "schedule: expects a piece to be made of tile=, loops=, stage=, carry=, "
      "fetch=, touch=, pack=, store=, prefetch=, cache=, near=, vector=, but got ";
  EXPECT_EQ(parseError("unit=d0:1 {foo=1}"), words + "'foo'");
  EXPECT_EQ(parseError("unit=d0:1 {=1}"), words + "'=1}'");
  EXPECT_EQ(parseError("unit=d0:1 {tile}"), "schedule: expects '=' after 'tile', but got '}'");
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

TEST(ScheduleText, ReadsCaches) {
  const char *text = "unit=d0:16 {tile=16x8 loops=d1:24,d0:16,d1:8 store=nontemporal prefetch=64 "
                     "cache=2 vector=64}";
  Result<Schedule> schedule = parseSchedule(text);
  ASSERT_TRUE(schedule) << schedule.error().message;
  EXPECT_EQ(schedule->pieces[0].cache, 2);
  EXPECT_EQ(schedule->str(), text);
  EXPECT_EQ(overrideSchedule(*schedule, "{vector=32}")->pieces[0].cache, 2);
  // A prefetch that does not say where goes to the first, as one that is printed so.
  EXPECT_EQ(overrideSchedule(*schedule, "{prefetch=3}")->pieces[0].cache, 1);
}

TEST(ScheduleText, ReadsWhatIsNear) {
  const char *text = "unit=d0:16 {tile=16x8 loops=d1:24,d0:16,d1:8 fetch=1 store=nontemporal "
                     "prefetch=0 near=48 vector=64}";
  Result<Schedule> schedule = parseSchedule(text);
  ASSERT_TRUE(schedule) << schedule.error().message;
  EXPECT_EQ(schedule->pieces[0].near, 48);
  EXPECT_EQ(schedule->str(), text);
  EXPECT_EQ(overrideSchedule(*schedule, "{near=16}")->pieces[0].near, 16);
  EXPECT_EQ(overrideSchedule(*schedule, "{prefetch=3}")->pieces[0].near, 48);
  // Nothing is known to be near of other blocks.
  for (const char *other : {"{fetch=2}", "{pack=1}", "{loops=d0:16,d1:8}"})
    EXPECT_EQ(overrideSchedule(*schedule, other)->pieces[0].near, 0) << other;
  EXPECT_EQ(parseError("unit=d0:1 {near=-1}"),
            "schedule: expects a number of 0 or more, but got '-1'");
}

/// The word of a field that says which loops are outside of blocks of the input.
using BlockField = std::pair<const char *, std::optional<unsigned> PieceSchedule::*>;

TEST(ScheduleText, ReadsBlocks) {
  for (auto [word, field] :
       {BlockField("fetch", &PieceSchedule::fetch), BlockField("touch", &PieceSchedule::touch),
        BlockField("pack", &PieceSchedule::pack)}) {
    const std::string name = word;
    std::string text = "unit=d0:16 {tile=16x8 loops=d1:24,d0:16,d1:8 " + name +
                       "=1 store=nontemporal prefetch=0 vector=64}";
    Result<Schedule> schedule = parseSchedule(text);
    ASSERT_TRUE(schedule) << schedule.error().message;
    EXPECT_EQ(schedule->pieces[0].*field, 1u);
    EXPECT_EQ(schedule->str(), text);
    EXPECT_EQ(overrideSchedule(*schedule, "{" + name + "=2}")->pieces[0].*field, 2u);
    EXPECT_EQ(overrideSchedule(*schedule, "{prefetch=3}")->pieces[0].*field, 1u);
    // Other loops have other blocks.
    EXPECT_FALSE(overrideSchedule(*schedule, "{loops=d0:16,d1:8}")->pieces[0].*field);
    EXPECT_EQ(parseError("unit=d0:1 {" + name + "=9999}"),
              "schedule: expects a " + name + " of at most 1024");
  }
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
            "schedule: expects each word at most once outside of pieces, but 'sweep' stands twice");
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
  EXPECT_EQ(wrong.error().message, "schedule: expects 1 piece in braces, but got 2");
  base.pieces.resize(2, base.pieces.front());
  EXPECT_EQ(overrideSchedule(base, "{} {} {}").error().message,
            "schedule: expects 1 or 2 pieces in braces, but got 3");
}

TEST(ScheduleText, IsCheckedWithoutAProblem) {
  for (const char *text :
       {"", "{}", "{} {} {}", "unit=d7:1 {tile=9x9x9}", "sweep=2 {store=ordinary}"})
    EXPECT_TRUE(checkScheduleText(text)) << text;
  EXPECT_EQ(checkScheduleText("garbage").error().message,
            "schedule: expects one unit=dDIGIT:STEP, at most one sweep=UNITS, at most one "
            "rows=cut, rows=whole or rows=together and pieces in braces, but got 'garbage'");
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

} // namespace
