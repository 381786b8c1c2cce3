// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Rows that stay whole where a window would cut them.

#include "ScheduleCases.h"

#include "relayout/Layout/NamedOperations.h"

#include <algorithm>

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

/// Why `problem` cannot be performed with `rows` by the one `piece`; empty if it can.
std::string refusalOf(const Problem &problem, const std::string &rows, const std::string &piece) {
  Result<Schedule> schedule = parseSchedule("unit=d0:1 rows=" + rows + " {" + piece +
                                            " store=nontemporal prefetch=0 vector=64}");
  EXPECT_TRUE(schedule) << schedule.error().message;
  if (!schedule)
    return schedule.error().message;
  Status status = verifySchedule(*schedule, problem, avx512());
  return status ? "" : status.error().message;
}

TEST(WholeRows, ArePickedForShortRunsThatPadsCut) {
  Problem problem = paddedRows(1361, 213, 4, 5, 3, 2);
  Schedule schedule = picked(problem);
  ASSERT_EQ(schedule.rows, Rows::Whole);
  ASSERT_EQ(schedule.pieces.size(), 1u);
  const PieceSchedule &piece = schedule.pieces[0];
  EXPECT_TRUE(piece.carry);
  // Blocks have all places within a block of the row, and a part of the row.
  StagedBlock block = stagedBlock(problem, piece);
  EXPECT_EQ(block.extents[0], 4);
  EXPECT_LT(block.extents[2], 213);
  EXPECT_EQ(blocksOfBorder(problem, piece), (std::vector<int64_t>{0, 213 - block.extents[2]}));
}

TEST(WholeRows, ArePickedForRunsThatLinesDoNotHoldEvenly) {
  // Rows of 65 lines, which the pads cut on lines: of runs of 20 bytes, and of 16; and such that
  // one tile has all of.
  EXPECT_EQ(picked(paddedRows(1361, 208, 4, 5, 3, 2)).rows, Rows::Whole);
  EXPECT_EQ(picked(paddedRows(1361, 208, 4, 5, 3, 0)).rows, Rows::Whole);
  EXPECT_EQ(picked(paddedRows(1361, 260, 4, 4, 3, 2)).rows, Rows::Cut);
  EXPECT_EQ(picked(paddedRows(10361, 16, 4, 5, 3, 2)).rows, Rows::Cut);
}

TEST(WholeRows, AreNotSweptWhereCutOnesGoOn) {
  // What is left of long cropped rows of eight bytes, whose boxes meet in lines.
  Result<Rearrangement> r = batchToSpace({15, 78, 117, 3}, {5, 3}, {{3, 4}, {1, 1}});
  Problem problem = *buildProblem(*r, 8);
  Schedule schedule = picked(problem);
  EXPECT_EQ(schedule.rows, Rows::Cut);
  EXPECT_TRUE(std::any_of(schedule.pieces.begin(), schedule.pieces.end(),
                          [](const PieceSchedule &piece) { return piece.carry.has_value(); }));
  EXPECT_EQ(schedule.sweep, 0);
}

TEST(WholeRows, ArePickedForRowsThatAreCropped) {
  Problem problem = croppedRows(2741, 89, 7, 6, 4);
  Schedule schedule = picked(problem);
  ASSERT_EQ(schedule.rows, Rows::Whole);
  ASSERT_EQ(schedule.pieces.size(), 1u);
  StagedBlock block = stagedBlock(problem, schedule.pieces[0]);
  EXPECT_EQ(block.extents[1] * block.extents[2], 89 * 7);
  EXPECT_EQ(block.run % (89 * 7 - 10), 0);
  EXPECT_EQ(block.cropped, 6);
}

TEST(WholeRows, AreCutWhereThatIsAsGood) {
  // Runs of lines begin on lines; small problems stay in the caches; and what is read at once is
  // not written past them.
  EXPECT_EQ(picked(paddedRows(1361, 213, 4, 16, 3, 2)).rows, Rows::Cut);
  EXPECT_EQ(picked(ofRuns(croppedRows(1361, 13, 4, 3, 2), 64)).rows, Rows::Cut);
  EXPECT_EQ(picked(paddedRows(23, 213, 4, 5, 3, 2)).rows, Rows::Cut);
  ScheduleOptions hot;
  hot.result = ResultHint::Hot;
  EXPECT_EQ(picked(paddedRows(1361, 213, 4, 5, 3, 2), hot).rows, Rows::Cut);
}

Problem problemOf(const Result<Rearrangement> &rearrangement) {
  EXPECT_TRUE(rearrangement) << rearrangement.error().message;
  Result<Problem> problem = buildProblem(*rearrangement, 4);
  EXPECT_TRUE(problem) << problem.error().message;
  return problem ? *problem : Problem();
}

TEST(WholeRows, HaveRunsOfTheInputOneByOne) {
  // Runs of 67 floats, which begin within lines, in rows and columns of which two are padded or
  // cropped: in the order of the input, or of the output where that is cropped.
  for (const Problem &problem :
       {problemOf(spaceToBatch({5, 41, 53, 67}, {3, 4}, {{1, 0}, {2, 1}})),
        problemOf(batchToSpace({60, 14, 13, 67}, {3, 4}, {{1, 0}, {2, 1}}))}) {
    Schedule schedule = picked(problem);
    ASSERT_EQ(schedule.rows, Rows::Together) << problem.str();
    ASSERT_EQ(schedule.pieces.size(), 1u);
    const PieceSchedule &piece = schedule.pieces[0];
    StagedBlock block = stagedBlock(problem, piece);
    EXPECT_TRUE(block.fromInput);
    EXPECT_EQ(block.run, 67);
    EXPECT_EQ(piece.fetch.has_value(), problem.read.empty());
    PieceWindows windows = windowsOf(problem, piece);
    EXPECT_FALSE(windows.border || windows.crop);
    EXPECT_EQ(windows.reads.size(), problem.read.size());
    EXPECT_EQ(windows.crops.size(), problem.written.size());
  }
  // Where images are cropped in rows alone, long rows are padded once, or runs are lines, long
  // stretches are cut.
  EXPECT_EQ(picked(problemOf(spaceToBatch({16, 3156, 47}, {4}, {{1, 3}}))).rows, Rows::Cut);
  EXPECT_EQ(picked(problemOf(batchToSpace({60, 14, 13, 67}, {3, 4}, {{1, 0}, {0, 0}}))).rows,
            Rows::Cut);
  EXPECT_EQ(picked(problemOf(spaceToBatch({5, 41, 53, 64}, {3, 4}, {{1, 0}, {2, 1}}))).rows,
            Rows::Cut);
}

/// Of more elements than a tile may have.
TEST(WholeRows, HaveLongRunsOfTheInputInParts) {
  Result<Rearrangement> r = batchToSpace({4, 20, 20, 5001}, {1, 2}, {{0, 0}, {1, 0}});
  Problem problem = *buildProblem(*r, 1);
  Schedule schedule = picked(problem);
  EXPECT_EQ(schedule.rows, Rows::Whole);
  ASSERT_EQ(schedule.pieces.size(), 1u);
  const PieceSchedule &piece = schedule.pieces[0];
  EXPECT_EQ(piece.tile, (std::vector<int64_t>{1, 1, 1, kMaxTileElements}));
  ASSERT_EQ(piece.stage, 3u);
  ASSERT_EQ(piece.loops.size(), 4u);
  EXPECT_EQ(piece.loops[3], (Loop{3, kMaxTileElements}));
  EXPECT_EQ(stagedBlock(problem, piece).run, 5001);
}

TEST(WholeRows, GoTogetherWithRowsThatAreFilled) {
  // Planes of 47 rows of 29 floats, of which other rows and columns are padded for each place in a
  // block.
  Problem problem =
      problemOf(spaceToBatch({3, 31, 139, 113}, {1, 1, 3, 4}, {{0, 0}, {0, 0}, {1, 1}, {2, 1}}));
  Schedule schedule = picked(problem);
  ASSERT_EQ(schedule.rows, Rows::Together);
  ASSERT_EQ(schedule.pieces.size(), 1u);
  PieceWindows windows = windowsOf(problem, schedule.pieces[0]);
  ASSERT_TRUE(windows.border);
  ASSERT_EQ(windows.reads.size(), 1u);
  EXPECT_TRUE(hasOneOfEach(*windows.reads[0], schedule.pieces[0].tile));
  EXPECT_EQ(*parseSchedule(schedule.str()), schedule);
  EXPECT_NE(schedule.str().find(" rows=together {"), std::string::npos);
}

TEST(WholeRows, OfTwoBytesAreFetchedWhereTheyWouldBeTouched) {
  // Planes of 65 rows of 37 values, of which the first two rows and columns are padded.
  Problem problem =
      problemOf(spaceToBatch({4, 52, 189, 144}, {1, 1, 3, 4}, {{0, 0}, {0, 0}, {6, 0}, {2, 2}}));
  problem.width = 2;
  Schedule schedule = picked(problem);
  ASSERT_EQ(schedule.rows, Rows::Together);
  EXPECT_TRUE(schedule.pieces[0].fetch);
  EXPECT_FALSE(schedule.pieces[0].touch);
  // Eight rows at a time.
  EXPECT_EQ(stagedBlock(problem, schedule.pieces[0]).run, 8 * 37);
  // What touches blocks without a stage writes whole lines, which a window cuts.
  Problem images;
  images.width = 2;
  images.digits = {{20000, 960, 1024}, {64, 1, 16}, {16, 64, 1}};
  images.inOffset = -64;
  images.read = {{{{2, 1}}, 1, 16}};
  Status possible = verifySchedule(picked(images), images, like("znver4"));
  EXPECT_TRUE(possible) << possible.error().message;
}

TEST(WholeRows, DoNotGoTogetherWithPartsOfThem) {
  // Patches of 7 x 5 of a padded image: what the window of their rows fills lies within rows of
  // patches.
  Problem problem;
  problem.width = 4;
  problem.digits = {{331, 2093, 14700}, {420, 5, 35}, {7, 299, 5}, {5, 1, 1}};
  problem.digits[0].inStride = 7 * 2093;
  problem.digits[2].inStride = 2093;
  problem.read = {{{{0, 7}, {2, 1}}, 0, 2315}, {{{1, 5}, {3, 1}}, 0, 2093}};
  EXPECT_NE(picked(problem).rows, Rows::Together);
}

TEST(WholeRows, OfEightBytesAreCutWhereCropsLeaveLongOnes) {
  auto rowsOf = [](int64_t columns) {
    Problem problem = croppedRows(1361, columns, 2, 1, 0);
    problem.width = 8;
    return picked(problem).rows;
  };
  EXPECT_EQ(rowsOf(201), Rows::Whole);
  EXPECT_EQ(rowsOf(301), Rows::Cut);
}

TEST(WholeRows, ThatArePaddedAreScheduledAsIfTheyWereRead) {
  // Planes of 7 x 7 places of 18 columns; with the pads in the input it is the same: blocks of some
  // rows of the input, not of one place in a block.
  Problem padded =
      problemOf(spaceToBatch({3, 50, 154, 115}, {1, 1, 7, 7}, {{0, 0}, {0, 0}, {0, 0}, {6, 5}}));
  Problem filled =
      problemOf(spaceToBatch({3, 50, 154, 126}, {1, 1, 7, 7}, {{0, 0}, {0, 0}, {0, 0}, {0, 0}}));
  Schedule rows = picked(padded);
  ASSERT_EQ(rows.rows, Rows::Whole);
  EXPECT_EQ(rows.pieces[0].loops, picked(filled).pieces[0].loops);
  EXPECT_EQ(rows.pieces[0].tile, picked(filled).pieces[0].tile);
}

TEST(WholeRows, AreRefusedTogether) {
  auto refusal = [](const Problem &problem, const char *piece) {
    return refusalOf(problem, "together", piece);
  };
  // Digits: rows and columns in a block, images, rows and columns of blocks, channels.
  Problem pads = problemOf(spaceToBatch({5, 41, 53, 67}, {3, 4}, {{1, 0}, {2, 1}}));
  Problem crops = problemOf(batchToSpace({60, 14, 13, 67}, {3, 4}, {{1, 0}, {2, 1}}));
  EXPECT_EQ(refusal(pads, "tile=1x1x1x1x1x67 loops=d2:1,d3:1,d0:1,d4:1,d1:1 stage=5 carry=0"), "");
  EXPECT_EQ(refusal(pads, "tile=1x4x1x1x14x1 loops=d2:1,d3:1,d0:1,d5:1 stage=3"), "");
  EXPECT_EQ(refusal(pads, "tile=1x1x1x2x1x67 loops=d2:1,d3:2,d0:1,d4:1,d1:1 stage=5"),
            "schedule: expects a tile of one value of d3, which belongs to a window outside of "
            "rows, but got 2");
  EXPECT_EQ(refusal(pads, "tile=1x1x1x1x1x67 loops=d2:1,d3:1,d0:1,d4:1,d1:1"),
            "schedule: expects a tile of all 14 values of d4, which belongs to a border, but got "
            "1");
  // Digits: images, rows of blocks, rows in a block, columns of blocks and in a block, channels.
  EXPECT_EQ(refusal(crops, "tile=1x1x1x1x1x67 loops=d0:1,d1:1,d2:1,d3:1,d4:1 stage=5 carry=0"), "");
  EXPECT_EQ(refusal(crops, "tile=1x1x1x1x1x67 loops=d0:1,d1:2,d2:1,d3:1,d4:1,d1:1 stage=5"),
            "schedule: expects a staged block of one value of d1, which belongs to a window "
            "outside of rows, but got 2");
  EXPECT_EQ(refusal(crops, "tile=1x1x1x1x1x67 loops=d0:1,d1:1,d2:1,d3:1,d4:1,d3:7 stage=6"),
            "schedule: expects no loop over segments of d3, which belongs to the window of a row");
}

TEST(WholeRows, ArePinned) {
  auto pinned = [](const Problem &problem, const char *text) {
    return chooseSchedule(problem, like("znver4"), {}, text);
  };
  Problem large = paddedRows(1361, 213, 4, 5, 3, 2), small = paddedRows(23, 213, 4, 5, 3, 2);
  EXPECT_EQ(pinned(large, "unit=d1:1")->rows, Rows::Whole);
  EXPECT_EQ(pinned(large, "rows=cut")->rows, Rows::Cut);
  Result<Schedule> rows = pinned(small, "rows=whole");
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->rows, Rows::Whole);
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
    ++(candidate.rows == Rows::Cut ? cut : whole);
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
  auto refusal = [](const Problem &problem, const char *piece) {
    return refusalOf(problem, "whole", piece);
  };
  Problem pad = paddedRows(9, 213, 4, 5, 27, 22), crop = croppedRows(9, 89, 7, 6, 4);
  EXPECT_EQ(refusal(pad, "tile=4x1x4x5 loops=d1:1,d2:32,d2:4 stage=2"), "");
  EXPECT_EQ(refusal(pad, "tile=2x1x4x5 loops=d1:1,d0:2,d2:32,d2:4 stage=3"),
            "schedule: expects a staged block of all 4 values of d0, which belongs to the window "
            "of a row, or of one value of each of its digits, but got 2");
  EXPECT_EQ(refusal(pad, "tile=4x1x2x5 loops=d1:1,d2:2 stage=2"),
            "schedule: expects staged blocks of which at most 4 along d2 lie across a border or "
            "beyond");
  EXPECT_EQ(refusal(pad, "tile=4x1x4x5 loops=d1:1,d2:4,d2:56 stage=3"),
            "schedule: expects no loop over segments of d2, which belongs to the window of a row");
  EXPECT_EQ(refusal(crop, "tile=1x16x7 loops=d0:1,d1:16 stage=1"), "");
  EXPECT_EQ(refusal(crop, "tile=1x16x7 loops=d0:1,d1:16 stage=2"),
            "schedule: expects a staged block of all 89 values of d1, which belongs to the window "
            "of a row, or of one value of each of its digits, but got 16");
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
