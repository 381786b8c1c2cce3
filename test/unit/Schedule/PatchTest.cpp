// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What is picked for short runs, as patches of images have them: to patches, and back.

#include "ScheduleCases.h"

#include <algorithm>

using namespace relayout;
using namespace relayout::test;

namespace {

TEST(PickSchedule, PutsPatchesTogetherFromFetchedRows) {
  auto loops = [](const Problem &problem) {
    PieceSchedule piece = pickSchedule(problem, fetching(), {})->pieces[0];
    EXPECT_TRUE(piece.fetch && piece.carry && piece.stage);
    EXPECT_EQ(piece.prefetch, 0);
    return piece.loops;
  };
  // Patches of 3 x 14 x 14 of two bytes: two at a time of 24 in a row.
  EXPECT_EQ(loops(dense(2, {8, 3, 24, 14, 24, 14}, {0, 2, 4, 1, 3, 5})),
            (std::vector<Loop>{{0, 1}, {1, 1}, {2, 2}, {3, 1}}));
  // Back, of four bytes: seven rows of one channel at a time, which go on to the next seven; parts
  // of five patches of 37, which have 980 bytes.
  EXPECT_EQ(loops(dense(4, {8, 37, 37, 3, 7, 7}, {0, 3, 1, 4, 2, 5})),
            (std::vector<Loop>{{0, 1}, {2, 1}, {1, 1}, {4, 5}}));
  // Rows of 7000 planes would wait for the next row of patches: too many lines.
  auto waits = [](int64_t planes) {
    Problem problem = dense(4, {64, planes, 14, 6, 14}, {1, 0, 3, 2, 4});
    PieceSchedule piece = pickSchedule(problem, fetching(), {})->pieces[0];
    return piece.fetch && piece.carry == 0u && piece.loops.front().digit == 1;
  };
  EXPECT_TRUE(waits(70));
  EXPECT_FALSE(waits(7000));
  // Runs of lines are not put together so; nor on other targets.
  EXPECT_FALSE(pickSchedule(dense(4, {8, 3, 24, 16, 24, 16}, {0, 2, 4, 1, 3, 5}), fetching(), {})
                   ->pieces[0]
                   .carry);
  EXPECT_FALSE(pick(dense(2, {8, 3, 24, 14, 24, 14}, {0, 2, 4, 1, 3, 5})).pieces[0].fetch);
}

TEST(PickSchedule, PutsPatchesTogetherInPartsOfRows) {
  // 82 patches of 7 x 4 of four bytes: of each of their rows half, which has 656 bytes.
  PieceSchedule many =
      pickSchedule(dense(4, {2626, 7, 82, 4}, {0, 2, 1, 3}), packing(), {})->pieces[0];
  EXPECT_EQ(many.tile, (std::vector<int64_t>{1, 41, 1, 4}));
  EXPECT_TRUE(many.fetch && many.stage);
  // Of three rows, as few as the processor follows, tiles take all and shuffle; so do those of
  // runs of eight bytes.
  for (const Problem &problem :
       {dense(8, {4968, 3, 203, 2}, {0, 2, 1, 3}), dense(1, {3856, 5, 287, 8}, {0, 2, 1, 3})}) {
    PieceSchedule few = pickSchedule(problem, packing(), {})->pieces[0];
    EXPECT_EQ(few.tile[2], problem.digits[2].extent);
    EXPECT_TRUE(few.fetch && few.stage);
  }
  // Back to rows of 1440 bytes, patches go one after the other as they lie in memory.
  PieceSchedule back =
      pickSchedule(dense(4, {15336, 90, 3, 4}, {0, 2, 1, 3}), packing(), {})->pieces[0];
  EXPECT_EQ(back.tile, (std::vector<int64_t>{1, 3, 18, 4}));
  EXPECT_EQ(back.loops, (std::vector<Loop>{{0, 2}, {0, 1}, {2, 18}}));
}

TEST(PickSchedule, PutsPatchesTogetherFromShortOrManyRows) {
  auto pieceOf = [](const Problem &problem) {
    PieceSchedule piece = pickSchedule(problem, packing(), {})->pieces[0];
    EXPECT_TRUE(piece.carry && piece.fetch && piece.stage);
    return piece;
  };
  // Six rows of 660 bytes have less than 4 KiB side by side: 5 patches of 432 bytes at a time, of
  // one channel.
  PieceSchedule rows = pieceOf(dense(4, {78, 6, 40, 6, 55, 3}, {0, 2, 4, 1, 3, 5}));
  EXPECT_EQ(rows.tile, (std::vector<int64_t>{1, 1, 5, 1, 6, 3}));
  EXPECT_EQ(rows.loops, (std::vector<Loop>{{0, 1}, {1, 1}, {2, 5}, {3, 1}}));
  // Six channels of eleven rows, 66 in all.
  PieceSchedule many = pieceOf(dense(4, {6, 185, 11, 159, 2}, {1, 3, 0, 2, 4}));
  EXPECT_EQ(many.tile, (std::vector<int64_t>{1, 4, 1, 11, 2}));
  EXPECT_EQ(many.loops, (std::vector<Loop>{{0, 1}, {1, 4}, {2, 1}}));
  // Not so of 130 rows, of less than 2 KiB side by side, and where rows are followed.
  auto goesOnAlong = [](unsigned digit, const Problem &problem, const TargetInfo &target) {
    PieceSchedule piece = pickSchedule(problem, target, {})->pieces[0];
    return piece.carry && piece.fetch && piece.loops[*piece.carry].digit == digit;
  };
  Problem limit = dense(4, {7, 185, 18, 81, 2}, {1, 3, 0, 2, 4});
  EXPECT_TRUE(goesOnAlong(1, limit, packing()));
  EXPECT_FALSE(goesOnAlong(1, dense(4, {10, 185, 13, 81, 2}, {1, 3, 0, 2, 4}), packing()));
  Problem twoKiB = dense(4, {78, 6, 40, 5, 21, 5}, {0, 2, 4, 1, 3, 5});
  EXPECT_TRUE(goesOnAlong(2, twoKiB, packing()));
  EXPECT_FALSE(goesOnAlong(2, dense(4, {78, 6, 40, 5, 20, 5}, {0, 2, 4, 1, 3, 5}), packing()));
  EXPECT_FALSE(goesOnAlong(2, twoKiB, following()));
  // Back, where 3 x 7 patches would be a tile, of five channels of 3 x 6 of eight bytes.
  EXPECT_TRUE(
      pickSchedule(dense(8, {285, 82, 5, 3, 6}, {2, 0, 3, 1, 4}), packing(), {})->pieces[0].touch);
}

TEST(PickSchedule, MovesPatchesOfWholeLinesFromFetchedRows) {
  // Patches of 3 x 4 x 16 bytes: a line of each of four rows at a time, to lines of four patches.
  Problem problem = dense(1, {5, 3, 69, 4, 291, 16}, {0, 2, 4, 1, 3, 5});
  PieceSchedule piece = pickSchedule(problem, packing(), {})->pieces[0];
  EXPECT_EQ(piece.tile, (std::vector<int64_t>{1, 1, 4, 1, 4, 16}));
  EXPECT_EQ(piece.loops, (std::vector<Loop>{{0, 1}, {3, 1}, {1, 1}, {2, 4}}));
  EXPECT_EQ(piece.fetch, 3u);
  EXPECT_EQ(piece.store, StoreMode::NonTemporal);
  EXPECT_FALSE(piece.stage);
  // Rows of five patches make lines with those of four planes.
  PieceSchedule planes =
      pickSchedule(dense(8, {29, 16, 7, 5, 234, 2}, {0, 2, 4, 1, 3, 5}), packing(), {})->pieces[0];
  EXPECT_EQ(planes.tile, (std::vector<int64_t>{1, 1, 4, 4, 5, 2}));
  // What is one stretch of 5 KiB is read in its order instead.
  EXPECT_TRUE(
      pickSchedule(dense(1, {4046, 2, 160, 16}, {0, 2, 1, 3}), packing(), {})->pieces[0].touch);
  // Of long rows blocks are parts of them; other targets fetch none.
  EXPECT_EQ(
      pickSchedule(dense(1, {3, 4, 291007, 16}, {0, 2, 1, 3}), packing(), {})->pieces[0].loops,
      (std::vector<Loop>{{0, 1}, {1, 2036}, {1, 4}}));
  EXPECT_FALSE(pick(problem).pieces[0].fetch);
}

TEST(PickSchedule, WritesWholeLinesOfShortRuns) {
  auto piece = [](int64_t run, int64_t rows) {
    Problem problem = dense(1, {rows, 48, 19, 37, run}, {1, 3, 2, 0, 4});
    return pickSchedule(problem, packing(), {})->pieces[0];
  };
  // 32 runs of 26 bytes are 13 lines, which tiles write though they read 32 rows for them.
  EXPECT_EQ(piece(26, 32).tile, (std::vector<int64_t>{1, 2, 1, 32, 26}));
  EXPECT_FALSE(piece(26, 32).stage);
  // Runs of nearly a line, and such as make no lines, are put together.
  EXPECT_TRUE(piece(50, 32).stage);
  EXPECT_TRUE(piece(26, 31).stage);
}

TEST(PickSchedule, MovesPatchesOfManyRowsInBlocksThatTilesDivide) {
  // Rows too many for a block of more than a tile of each; and runs of three rows, which make lines
  // with those of eight patches.
  for (const Problem &problem :
       {dense(4, {8448, 131, 8}, {1, 0, 2}), dense(2, {2084, 256, 16}, {1, 0, 2}),
        dense(1, {64, 3, 5448, 16}, {0, 2, 1, 3}), dense(1, {64, 2, 4104, 16}, {0, 2, 1, 3}),
        dense(2, {28, 5, 256, 14, 16}, {0, 2, 3, 1, 4})}) {
    Schedule schedule = *pickSchedule(problem, packing(), {});
    Status status = verifySchedule(schedule, problem, packing());
    EXPECT_TRUE(status) << status.error().message << "\n" << schedule.str();
  }
}

TEST(PickSchedule, MovesCellsToTheirRowsInGroups) {
  auto pieceOf = [](const Problem &problem) {
    PieceSchedule piece = pickSchedule(problem, packing(), {})->pieces[0];
    EXPECT_TRUE(piece.carry && piece.fetch && piece.stage && piece.prefetch == 0);
    EXPECT_EQ(piece.store, StoreMode::NonTemporal);
    return piece;
  };
  // Cells of 16 channels of 6 x 7 bytes, back to rows: 32 of 160 in a row at a time, which have 224
  // bytes of each, and of one channel in two tiles of its six rows.
  PieceSchedule piece = pieceOf(dense(1, {194, 160, 16, 6, 7}, {2, 0, 3, 1, 4}));
  EXPECT_EQ(piece.tile, (std::vector<int64_t>{1, 1, 6, 16, 7}));
  EXPECT_EQ(piece.loops, (std::vector<Loop>{{1, 1}, {3, 32}, {0, 1}, {3, 16}}));
  EXPECT_EQ(piece.carry, 1u);
  EXPECT_EQ(piece.fetch, 2u);
  EXPECT_EQ(piece.stage, 3u);
  // Where the channels lie side by side in each row of a patch, tiles take eight of these, and four
  // patches, three of which tiles have 312 bytes of a row.
  piece = pieceOf(dense(2, {38, 370, 8, 24, 13}, {3, 0, 2, 1, 4}));
  EXPECT_EQ(piece.tile, (std::vector<int64_t>{8, 1, 1, 4, 13}));
  EXPECT_EQ(piece.loops, (std::vector<Loop>{{1, 1}, {3, 12}, {2, 1}, {0, 8}, {3, 4}}));
  // Thirteen, which eight does not divide, are taken whole; of two rows those of four channels.
  EXPECT_EQ(pieceOf(dense(1, {79, 153, 3, 13, 13}, {2, 0, 3, 1, 4})).tile[2], 13);
  EXPECT_EQ(pieceOf(dense(1, {4, 87, 301, 48, 2, 2}, {0, 3, 1, 4, 2, 5})).tile,
            (std::vector<int64_t>{1, 4, 1, 2, 51, 2}));
}

/// True if groups of cells, the values of digit 3, are moved some rows at a time.
bool isGrouped(const PieceSchedule &piece) {
  return piece.carry && piece.fetch && *piece.fetch == *piece.carry + 1 &&
         piece.loops[*piece.carry].digit == 3 && piece.tile[2] > 1 && piece.loops.size() > 2;
}

TEST(PickSchedule, MovesFewOrShortCellsInOtherWays) {
  auto isPickedFor = [](const Problem &problem, const TargetInfo &target) {
    return isGrouped(pickSchedule(problem, target, {})->pieces[0]);
  };
  Problem many = dense(1, {194, 160, 16, 6, 7}, {2, 0, 3, 1, 4});
  EXPECT_TRUE(isPickedFor(many, packing()));
  // On a target that follows rows; cells of 30 rows, fewer than are too many; and rows of 20 cells.
  EXPECT_FALSE(isPickedFor(many, following()));
  EXPECT_FALSE(isPickedFor(dense(1, {389, 160, 3, 10, 7}, {2, 0, 3, 1, 4}), packing()));
  EXPECT_FALSE(isPickedFor(dense(1, {1552, 20, 16, 6, 7}, {2, 0, 3, 1, 4}), packing()));
}

TEST(PickSchedule, MovesAnyCellsInGroupsThatVerify) {
  int grouped = 0;
  auto check = [&](const Problem &problem) {
    Schedule schedule = *pickSchedule(problem, packing(), {});
    Status status = verifySchedule(schedule, problem, packing());
    EXPECT_TRUE(status) << status.error().message << "\n" << schedule.str();
    grouped += isGrouped(schedule.pieces[0]);
  };
  for (int64_t channels : {5, 37, 64, 131})
    for (int64_t rows : {7, 11, 16})
      for (int64_t run : {2, 9, 31})
        for (int64_t values : {17, 131, 1023}) {
          int64_t images = (8 << 20) / (channels * rows * run * values) + 2;
          check(dense(2, {images, values, channels, rows, run}, {2, 0, 3, 1, 4}));
        }
  EXPECT_GT(grouped, 40);
  // Equal parts of a row that have less than a line of it, though as many as there may be have one.
  check(dense(2, {9, 56, 64, 31, 3}, {2, 0, 3, 1, 4}));
  check(dense(1, {6, 129, 1000, 2, 2}, {2, 0, 3, 1, 4}));
}

} // namespace
