// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The text of schedules.

#include "ScheduleCases.h"

using namespace relayout;
using namespace relayout::test;

namespace {

std::string parseError(const std::string &text) {
  Result<Schedule> schedule = parseSchedule(text);
  return schedule ? "" : schedule.error().message;
}

const std::string kOutside = "schedule: expects one unit=dDIGIT:STEP, at most one sweep=UNITS, at "
                             "most one rows=cut, rows=whole or rows=together and pieces in "
                             "braces, but got ";

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
  EXPECT_EQ(parseError("units=d0:1"), kOutside + "'units'");
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

/// Long text is cut at the end of a character.
TEST(ScheduleText, QuotesWholeCharacters) {
  std::string before(39, '.');
  EXPECT_EQ(parseError(before + "a\u00e9"), kOutside + "'" + before + "a...'");
  EXPECT_EQ(parseError(before + "\u00e9b"), kOutside + "'" + before + "...'");
}

TEST(ScheduleText, RefusesWhatIsEndless) {
  std::string tile = "1";
  for (int i = 0; i < 1024; ++i)
    tile += "x1";
  EXPECT_EQ(parseError("unit=d0:1 {tile=" + tile + "}"),
            "schedule: expects at most 1024 items in a list");
  std::string pieces;
  for (int i = 0; i <= 1 << 16; ++i)
    pieces += "{}";
  EXPECT_EQ(parseError(pieces), "schedule: expects at most 65536 pieces");
}

TEST(ScheduleText, APieceAsItIsPrintedHasNoLoopsUnlessItSaysSo) {
  const std::string none = "unit=d0:16 {tile=16x8 store=ordinary prefetch=0 vector=64}";
  Result<Schedule> base =
      parseSchedule("unit=d0:8 {tile=8x8 loops=d0:8,d1:8 stage=1 carry=0 fetch=1 "
                    "store=ordinary prefetch=0 near=8 vector=64}");
  ASSERT_TRUE(base);
  Result<Schedule> pinned = overrideSchedule(*base, none);
  ASSERT_TRUE(pinned);
  EXPECT_EQ(pinned->str(), none);
  EXPECT_EQ(overrideSchedule(*base, "{tile=8x8 store=prefetch}")->pieces[0].loops.size(), 2u);
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

} // namespace
