// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Rows that stay whole where a window would cut them.

#include "ScheduleCases.h"

using namespace relayout;
using namespace relayout::test;

namespace {

Schedule picked(const Problem &problem, ScheduleOptions options = {}) {
  Result<Schedule> schedule = pickSchedule(problem, like("znver4"), options);
  EXPECT_TRUE(schedule);
  return schedule ? *schedule : Schedule();
}

/// `problem` with runs of `run` elements for each of its own.
Problem ofRuns(Problem problem, int64_t run) {
  for (Digit &digit : problem.digits) {
    digit.inStride *= run;
    digit.outStride *= run;
  }
  problem.digits.push_back({run, 1, 1});
  problem.outOffset *= run;
  return problem;
}

TEST(WholeRows, ArePickedForShortRunsThatPadsCut) {
  Problem problem = paddedRows(1361, 213, 4, 5, 3, 2);
  Schedule schedule = picked(problem);
  ASSERT_TRUE(schedule.wholeRows);
  ASSERT_EQ(schedule.pieces.size(), 1u);
  const PieceSchedule &piece = schedule.pieces[0];
  EXPECT_TRUE(piece.carry);
  // Blocks have all places within a block of the row, and a part of the row.
  StagedBlock block = stagedBlock(problem, piece);
  EXPECT_EQ(block.extents[0], 4);
  EXPECT_LT(block.extents[2], 213);
  EXPECT_EQ(blocksOfBorder(problem, piece), (std::vector<int64_t>{0, 213 - block.extents[2]}));
}

TEST(WholeRows, ArePickedForRowsThatAreCropped) {
  Problem problem = croppedRows(2741, 89, 7, 6, 4);
  Schedule schedule = picked(problem);
  ASSERT_TRUE(schedule.wholeRows);
  ASSERT_EQ(schedule.pieces.size(), 1u);
  StagedBlock block = stagedBlock(problem, schedule.pieces[0]);
  EXPECT_EQ(block.extents[1] * block.extents[2], 89 * 7);
  EXPECT_EQ(block.run % (89 * 7 - 10), 0);
  EXPECT_EQ(block.cropped, 6);
}

TEST(WholeRows, AreCutWhereThatIsAsGood) {
  // Runs of lines begin on lines; cropped ones are long by themselves; small problems stay in the
  // caches; and what is read at once is not written past them.
  EXPECT_FALSE(picked(paddedRows(1361, 213, 4, 16, 3, 2)).wholeRows);
  EXPECT_FALSE(picked(ofRuns(croppedRows(1361, 13, 4, 3, 2), 67)).wholeRows);
  EXPECT_FALSE(picked(paddedRows(23, 213, 4, 5, 3, 2)).wholeRows);
  ScheduleOptions hot;
  hot.result = ResultHint::Hot;
  EXPECT_FALSE(picked(paddedRows(1361, 213, 4, 5, 3, 2), hot).wholeRows);
}

TEST(WholeRows, ArePinned) {
  auto pinned = [](const Problem &problem, const char *text) {
    return chooseSchedule(problem, like("znver4"), {}, text);
  };
  Problem large = paddedRows(1361, 213, 4, 5, 3, 2), small = paddedRows(23, 213, 4, 5, 3, 2);
  EXPECT_TRUE(pinned(large, "unit=d1:1")->wholeRows);
  EXPECT_FALSE(pinned(large, "rows=cut")->wholeRows);
  Result<Schedule> rows = pinned(small, "rows=whole");
  ASSERT_TRUE(rows);
  EXPECT_TRUE(rows->wholeRows);
  EXPECT_NE(rows->str().find(" rows=whole {"), std::string::npos);
  EXPECT_EQ(*parseSchedule(rows->str()), *rows);
  EXPECT_EQ(pinned(dense(4, {320, 320}, {1, 0}), "rows=whole").error().message,
            "schedule: expects rows that a window cuts, and that blocks in a cache hold, for "
            "rows=whole; rows=cut is possible");
  // The text of a schedule that is cut says nothing of rows, but has as many pieces.
  Schedule cut = *pinned(large, "rows=cut");
  ASSERT_GT(cut.pieces.size(), 1u);
  EXPECT_EQ(*pinned(large, cut.str().c_str()), cut);
  EXPECT_EQ(overrideSchedule(*rows, "rows=cut").error().message,
            "schedule: expects rows to be whole as in the schedule of which parts are pinned");
}

TEST(WholeRows, AreTunedBothWays) {
  Problem problem = paddedRows(1361, 213, 4, 5, 3, 2);
  int whole = 0, cut = 0;
  for (const Schedule &candidate : candidateSchedules(problem, like("znver4"), {}, 20)) {
    ++(candidate.wholeRows ? whole : cut);
    Status status = verifySchedule(candidate, problem, like("znver4"));
    EXPECT_TRUE(status) << status.error().message;
  }
  EXPECT_GT(whole, 10);
  EXPECT_GT(cut, 0);
}

TEST(WholeRows, HaveBlocksOfSeveralParts) {
  // 13 blocks of 4 places, the first 6 and the last 3 of which are filled.
  Problem problem = paddedRows(9, 13, 4, 5, 6, 3);
  PieceSchedule piece = parseSchedule("unit=d1:1 {tile=4x1x1x5 loops=d1:1,d2:4,d2:1 stage=2 "
                                      "carry=0 store=nontemporal prefetch=0 vector=64}")
                            ->pieces[0];
  EXPECT_EQ(blocksOfBorder(problem, piece), (std::vector<int64_t>{0, 9}));
  EXPECT_EQ(partsOfBlock(problem, piece, 4).size(), 1u);
  // Of the first: a whole column and a half are filled.
  int64_t copied = 0, filled = 0;
  for (const Piece &part : partsOfBlock(problem, piece, 0))
    (part.kind == Piece::Kind::Copy ? copied : filled) += part.elements();
  EXPECT_EQ(copied, (4 * 4 - 6) * 5);
  EXPECT_EQ(filled, 6 * 5);
  copied = filled = 0;
  for (const Piece &part : partsOfBlock(problem, piece, 9))
    (part.kind == Piece::Kind::Copy ? copied : filled) += part.elements();
  EXPECT_EQ(copied, (4 * 4 - 3) * 5);
  EXPECT_EQ(filled, 3 * 5);
}

TEST(WholeRows, AreRefusedInOtherBlocks) {
  auto refusal = [](const Problem &problem, const std::string &piece) {
    Result<Schedule> schedule = parseSchedule("unit=d0:1 rows=whole {" + piece +
                                              " store=nontemporal prefetch=0 vector=64}");
    EXPECT_TRUE(schedule) << schedule.error().message;
    Status status = verifySchedule(*schedule, problem, avx512());
    return status ? "" : status.error().message;
  };
  Problem pad = paddedRows(9, 213, 4, 5, 27, 22), crop = croppedRows(9, 89, 7, 6, 4);
  EXPECT_EQ(refusal(pad, "tile=4x1x4x5 loops=d1:1,d2:32,d2:4 stage=2"), "");
  EXPECT_EQ(refusal(pad, "tile=2x1x4x5 loops=d1:1,d0:2,d2:32,d2:4 stage=3"),
            "schedule: expects a staged block of all 4 values of d0, which belongs to the window "
            "of a row, but got 2");
  EXPECT_EQ(refusal(pad, "tile=4x1x2x5 loops=d1:1,d2:2 stage=2"),
            "schedule: expects staged blocks of which at most 4 along d2 lie across a border or "
            "beyond");
  EXPECT_EQ(refusal(pad, "tile=4x1x4x5 loops=d1:1,d2:4,d2:56 stage=3"),
            "schedule: expects no loop over segments of d2, which belongs to the window of a row");
  EXPECT_EQ(refusal(crop, "tile=1x16x7 loops=d0:1,d1:16 stage=1"), "");
  EXPECT_EQ(refusal(crop, "tile=1x16x7 loops=d0:1,d1:16 stage=2"),
            "schedule: expects a staged block of all 89 values of d1, which belongs to the window "
            "of a row, but got 16");
  EXPECT_EQ(refusal(crop, "tile=1x89x7 loops=d0:1 stage=99 carry=98"),
            "schedule: expects a stage of 0 to 1, the number of loops, but got 99");
  EXPECT_EQ(refusal(crop, "tile=1x16x7 loops=d0:1,d1:16"),
            "schedule: expects a stage for rows that are cropped");
  // A run of a few channels of each place has none of a row.
  Problem places = ofRuns(croppedRows(9, 89, 7, 6, 4), 6);
  EXPECT_EQ(refusal(places, "tile=1x1x7x3 loops=d0:1,d3:3,d1:1 stage=2"),
            "schedule: expects a staged block whose runs have all of a row that is cropped, but "
            "they have 3 elements");
}

} // namespace
