// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Which blocks of the input the picked schedules fetch.

#include "../../../lib/Schedule/Movement.h"
#include "ScheduleCases.h"

#include <algorithm>
#include <numeric>

using namespace relayout;
using namespace relayout::test;

namespace {

TEST(PickSchedule, FetchesBlocksOfShortRows) {
  // Rows of 384 bytes, transposed in each of 75 x 71 places; and rows of 170 KiB.
  Problem shortRows = dense(4, {71, 75, 96, 96}, {1, 0, 3, 2});
  Problem longRows = dense(4, {1216, 43408}, {1, 0});
  PieceSchedule piece = pickSchedule(shortRows, fetching(), {})->pieces[0];
  ASSERT_TRUE(piece.fetch);
  EXPECT_GT(piece.prefetch, 0) << "the next rows of the block";
  EXPECT_FALSE(pickSchedule(longRows, fetching(), {})->pieces[0].fetch);
  EXPECT_FALSE(pick(shortRows).pieces[0].fetch) << "gains nothing on other targets";
}

TEST(PickSchedule, FetchesBlocksOfRowsThatShareSets) {
  Problem aliased = dense(4, {2048, 4096}, {1, 0}), apart = dense(4, {2048, 4112}, {1, 0});
  EXPECT_TRUE(pickSchedule(aliased, fetching(), {})->pieces[0].fetch);
  EXPECT_FALSE(pickSchedule(apart, fetching(), {})->pieces[0].fetch);
  // 64 rows of bytes in one set, though the output's rows are short.
  Problem bytes = dense(1, {256, 192, 256}, {2, 1, 0});
  EXPECT_TRUE(pickSchedule(bytes, fetching(), {})->pieces[0].fetch);
}

TEST(PickSchedule, FetchesFewRowsThatShareSetsOfTheSecondCache) {
  TargetInfo target = fetching();
  target.memory.visitCost = 35;
  auto rows = [&](int64_t width, int64_t pitch) {
    Problem problem = dense(width, {2048, pitch}, {1, 0});
    PieceSchedule piece = pickSchedule(problem, target, {})->pieces[0];
    EXPECT_TRUE(piece.fetch);
    int64_t values = 1;
    for (const Loop &loop : piece.loops)
      if (&loop < &piece.loops[piece.fetch.value_or(0)] && loop.digit == 1)
        values = loop.step;
    return values;
  };
  // Rows 16 KiB apart meet in 8 places of a cache of 8 x 128 KiB, rows 128 KiB apart in one.
  EXPECT_EQ(rows(4, 4096), 64);
  EXPECT_EQ(rows(4, 32768), 32);
  EXPECT_EQ(rows(8, 2048), 16);
}

TEST(PickSchedule, FetchesBlocksThatAreStaged) {
  // Rows of 137 floats, which end early.
  Problem ends = dense(4, {127, 131, 137}, {2, 1, 0});
  PieceSchedule rows = pickSchedule(ends, fetching(), {})->pieces[0];
  EXPECT_TRUE(rows.carry && rows.fetch);
  EXPECT_FALSE(pick(ends).pieces[0].fetch);
  // Rows of 1532 bytes, 3.5 MB apart, are followed without.
  Problem apart = dense(4, {59, 2321, 383}, {2, 1, 0});
  PieceSchedule plain = pickSchedule(apart, fetching(), {})->pieces[0];
  EXPECT_TRUE(plain.stage);
  EXPECT_FALSE(plain.fetch);
}

/// Rows of the input of which a block that `piece` fetches has a part, and bytes of each.
std::pair<int64_t, int64_t> blockOf(const Problem &problem, const PieceSchedule &piece) {
  std::vector<int64_t> block = valuesWithin(problem, piece.loops, piece.fetch.value_or(0));
  std::vector<size_t> order(block.size());
  std::iota(order.begin(), order.end(), 0);
  auto strideOf = [&](size_t d) { return problem.digits[d].inStride; };
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return strideOf(a) < strideOf(b); });
  int64_t run = 1, elements = 1;
  for (size_t d : order)
    run = strideOf(d) == run ? run * block[d] : run;
  for (int64_t values : block)
    elements *= values;
  return {elements / run, run * problem.width};
}

TEST(PickSchedule, FetchesSmallBlocksOfCarriedPieces) {
  auto blocks = [](const Problem &problem) {
    PieceSchedule piece = pickSchedule(problem, fetching(), {})->pieces[0];
    EXPECT_TRUE(piece.carry && piece.fetch);
    return blockOf(problem, piece);
  };
  using Rows = std::pair<int64_t, int64_t>;
  // Pairs of rows of 4006 bytes to rows of pairs, and one row at a time of 223 that lie apart.
  EXPECT_EQ(blocks(dense(2, {501, 2, 2003}, {0, 2, 1})), Rows(1, 8012));
  EXPECT_EQ(blocks(dense(4, {59, 29, 24, 7, 223}, {1, 3, 2, 0, 4})), Rows(1, 7 * 892));
  // Bytes, in the second cache: one line of each of 64 rows, whose lines all stay in the first.
  EXPECT_EQ(blocks(dense(1, {1001, 1024}, {1, 0})), Rows(64, 64));
  // Two bytes: two lines of 128 rows of the output, each of two tiles.
  EXPECT_EQ(blocks(dense(2, {5688, 10312}, {1, 0})), Rows(64, 256));
  // Rows of 188 bytes, five side by side, of each of 16 places.
  EXPECT_EQ(blocks(dense(4, {20, 299, 32, 5, 47}, {4, 0, 3, 2, 1})), Rows(16, 5 * 188));
}

TEST(PickSchedule, CarriesPairsInSmallTilesOfRowsThatAreNear) {
  // Each line of a row is read by four tiles, though it leaves the first cache in between.
  auto readOfRow = [](const Problem &problem, unsigned along) {
    PieceSchedule piece = pickSchedule(problem, like("znver4"), {})->pieces[0];
    EXPECT_TRUE(piece.carry);
    return piece.tile[along];
  };
  EXPECT_EQ(readOfRow(dense(2, {96, 1820, 256}, {0, 2, 1}), 1), 8);
  EXPECT_EQ(readOfRow(dense(2, {147, 130, 75, 64}, {3, 2, 1, 0}), 0), 32) << "rows far apart";
}

TEST(PickSchedule, FetchesNoBlocksOfCarriedPiecesThatAreFollowed) {
  // Two long rows side by side; runs that are read straight on.
  for (const Problem &problem : {dense(4, {3, 12, 2, 2, 255, 513}, {0, 1, 4, 2, 5, 3}),
                                 dense(4, {352, 97, 1642}, {1, 0, 2})}) {
    PieceSchedule piece = pickSchedule(problem, fetching(), {})->pieces[0];
    EXPECT_TRUE(piece.carry);
    EXPECT_FALSE(piece.fetch);
  }
}

TEST(PickSchedule, ReadsNoCrumbsForWholeLines) {
  // Tiles that write whole lines would read 4 bytes of each of 368 rows; or of one stretch.
  PieceSchedule piece =
      pickSchedule(dense(4, {57, 92, 16, 626}, {3, 0, 2, 1}), fetching(), {})->pieces[0];
  EXPECT_TRUE(piece.carry);
  EXPECT_LE(*std::max_element(piece.tile.begin(), piece.tile.end()), 16);
}

TEST(PickSchedule, PutsNoTilesTogetherFromCrumbs) {
  // Whole lines would be 4 bytes of each of 832 rows, of 464, of 38 x 16, and of 600 pixels.
  const Problem problems[] = {dense(1, {416, 26, 16, 4, 65}, {4, 3, 2, 1, 0}),
                              dense(4, {2, 96, 27, 3, 29, 3}, {3, 5, 0, 1, 2, 4}),
                              dense(2, {19, 38, 16, 5, 255}, {4, 0, 3, 2, 1}),
                              dense(2, {2, 560, 5, 720, 3}, {0, 2, 4, 1, 3})};
  for (const char *cpu : {"znver4", "znver5", "sapphirerapids"})
    for (const Problem &problem : problems) {
      Result<Schedule> schedule = pickSchedule(problem, like(cpu), {});
      ASSERT_TRUE(schedule);
      const PieceSchedule &piece = schedule->pieces[0];
      // Digits that stay side by side are one in the piece.
      Problem reduced = pieceProblem(problem, splitIntoPieces(problem)[0]);
      ASSERT_EQ(piece.tile.size(), reduced.digits.size());
      int64_t run = movement::runBytes(reduced, piece.tile, movement::Side::In);
      EXPECT_TRUE(run > 4 || movement::elementsOf(piece.tile) * problem.width <= 128 * run)
          << cpu << " " << schedule->str();
    }
}

TEST(PickSchedule, WritesWholeLinesToMemory) {
  // Rows of 2016 bytes in 32 visits of 63; one stretch of 16 KiB is read for each.
  Problem bytes = dense(1, {31, 32, 4, 63, 256}, {2, 0, 4, 1, 3});
  Problem words = dense(4, {30, 24, 45, 16, 42}, {1, 3, 0, 4, 2});
  for (int64_t vectorBytes : {16, 32, 64})
    for (const Problem &problem : {bytes, words}) {
      TargetInfo target = like("znver4");
      target.vectorBytes = vectorBytes;
      target.maskedAccess = vectorBytes == 64;
      target.isa = vectorBytes == 64   ? VectorISA::AVX512VBMI
                   : vectorBytes == 32 ? VectorISA::AVX2
                                       : VectorISA::SSE2;
      auto store = [&](ResultHint hint) {
        return pickSchedule(problem, target, {hint})->pieces[0].store;
      };
      EXPECT_EQ(store(ResultHint::Auto), StoreMode::NonTemporal) << vectorBytes;
      EXPECT_NE(store(ResultHint::Hot), StoreMode::NonTemporal) << vectorBytes;
    }
}

TEST(PickSchedule, PutsShortRowsOfATransposeTogether) {
  auto pieceOf = [](const Problem &problem) {
    return pickSchedule(problem, fetching(), {})->pieces[0];
  };
  // 7 x 7 pixels, channels first: 16 channels at a time of 128.
  PieceSchedule piece = pieceOf(dense(4, {64, 49, 2048}, {0, 2, 1}));
  EXPECT_EQ(piece.loops, (std::vector<Loop>{{0, 1}, {1, 128}, {1, 16}, {2, 16}}));
  EXPECT_EQ(piece.tile, (std::vector<int64_t>{1, 16, 16}));
  EXPECT_EQ(piece.carry, 1u);
  EXPECT_EQ(piece.fetch, 2u);
  EXPECT_EQ(piece.stage, 3u);
  EXPECT_EQ(piece.store, StoreMode::NonTemporal);
  // Bytes: 32 channels at a time in two tiles. 501 are fetched as 512 of 1002.
  EXPECT_EQ(pieceOf(dense(1, {380, 63, 1002}, {0, 2, 1})).loops,
            (std::vector<Loop>{{0, 1}, {1, 512}, {1, 32}, {2, 32}, {1, 16}}));
  // Other digits are outside, in the order of the input.
  EXPECT_EQ(pieceOf(dense(4, {47, 27, 5, 29, 351}, {3, 2, 1, 4, 0})).loops.front().digit, 2u);
  // Few rows, more than 64, and long ones are read as they are; of bytes fewer, and unless they
  // divide lines; narrow ones however long.
  auto isTogether = [&](int64_t width, std::vector<int64_t> shape) {
    PieceSchedule piece = pieceOf(dense(width, shape, {0, 2, 1}));
    return piece.carry == 1u && piece.fetch == 2u && piece.stage == 3u &&
           piece.loops[1].digit == 1 && piece.loops[2].digit == 1;
  };
  EXPECT_TRUE(isTogether(4, {200, 33, 1001}));
  EXPECT_TRUE(isTogether(4, {33, 57, 5120}));
  EXPECT_FALSE(isTogether(4, {285, 27, 1001}));
  EXPECT_FALSE(isTogether(4, {100, 65, 1001}));
  EXPECT_FALSE(isTogether(4, {3, 33, 50001}));
  EXPECT_TRUE(isTogether(2, {3, 59, 100003}));
  EXPECT_TRUE(isTogether(1, {45, 9, 20177}));
  EXPECT_FALSE(isTogether(1, {400, 16, 1001}));
  // The size of their blocks is found in few steps then, too.
  EXPECT_TRUE(isTogether(1, {3, 33, (int64_t(1) << 56) + 3}));
}

TEST(PickSchedule, FetchesBehindManyShuffles) {
  // 49 pixels, channels last, as one stream: six shuffles a vector of bytes, four of f32.
  PieceSchedule piece =
      pickSchedule(dense(1, {796, 512, 49}, {0, 2, 1}), fetching(), {})->pieces[0];
  EXPECT_TRUE(piece.fetch && !piece.stage);
  EXPECT_EQ(piece.prefetch, 0);
  EXPECT_FALSE(pickSchedule(dense(4, {9, 64, 3136}, {0, 2, 1}), fetching(), {})->pieces[0].fetch);
}

TEST(PickSchedule, FetchesBlocksInsteadOfLoneLines) {
  // Lines of 2048 rows, 90 KiB apart, would be written in turn; one row of a block at a time.
  PieceSchedule piece =
      pickSchedule(dense(4, {384, 59, 2320}, {2, 1, 0}), fetching(), {})->pieces[0];
  EXPECT_EQ(piece.loops, (std::vector<Loop>{{0, 144}, {1, 1}, {2, 192}, {0, 16}, {2, 16}}));
  EXPECT_EQ(piece.fetch, 3u);
  EXPECT_EQ(piece.prefetch, 0);
}

TEST(PickSchedule, FetchesNoLoneLinesOfPlainTransposes) {
  // Of rows that start on lines, and anywhere: parts of many rows are prefetched instead.
  for (const Problem &problem : {dense(4, {4096, 5456}, {1, 0}), dense(4, {4096, 5461}, {1, 0})}) {
    PieceSchedule piece = pickSchedule(problem, like("znver4"), {})->pieces[0];
    EXPECT_FALSE(piece.fetch);
    EXPECT_EQ(piece.cache, 2);
  }
}

TEST(PickSchedule, FetchesNoMoreThanTheSecondCacheHasRoomFor) {
  // A row of the output at a time would be all of 320 rows of the input, 180 KiB.
  Problem problem = dense(2, {320, 429, 288}, {2, 1, 0});
  PieceSchedule piece = pickSchedule(problem, like("znver4"), {})->pieces[0];
  ASSERT_TRUE(piece.fetch);
  EXPECT_LE(2 * movement::elementsOf(valuesWithin(problem, piece.loops, *piece.fetch)),
            avx512().l2Bytes / 8);
}

TEST(PickSchedule, FetchesPartsOfLinesAlongTheInput) {
  // Each line of rows that start anywhere is read by two tiles, one right after the other.
  auto innermost = [](int64_t columns) {
    Problem problem = dense(4, {8192, columns}, {1, 0});
    PieceSchedule piece = pickSchedule(problem, fetching(), {})->pieces[0];
    EXPECT_TRUE(piece.fetch);
    return piece.loops.back().digit;
  };
  EXPECT_EQ(innermost(992), 1u);
  EXPECT_EQ(innermost(1001), 0u);
}

TEST(PickSchedule, FetchesSmallBlocksOfNarrowElements) {
  auto pieceOf = [](const Problem &problem) {
    return pickSchedule(problem, fetching(), {})->pieces[0];
  };
  // Bytes: 16 of each of 64 rows, whose lines stay for the rest.
  PieceSchedule piece = pieceOf(dense(1, {199, 3136, 64}, {0, 2, 1}));
  EXPECT_EQ(piece.tile, (std::vector<int64_t>{1, 16, 64}));
  ASSERT_TRUE(piece.fetch);
  EXPECT_EQ(piece.loops[*piece.fetch - 1], (Loop{2, 128}));
  // Rows that fill the sets of the first cache: 32 of each; and 64 where they evict each other.
  EXPECT_EQ(pieceOf(dense(1, {96, 512, 512}, {0, 2, 1})).tile[1], 32);
  EXPECT_EQ(pieceOf(dense(1, {8, 2048, 2048}, {0, 2, 1})).tile[1], 64);
  // Long rows of bytes, four lines of each row of the output, so of 256 rows, at a time.
  piece = pickSchedule(dense(1, {4096, 12311}, {1, 0}), like("znver4"), {})->pieces[0];
  ASSERT_TRUE(piece.fetch);
  EXPECT_EQ(piece.loops[*piece.fetch - 2], (Loop{1, 256}));
  // Long rows of two bytes, two lines of each row of the output at a time.
  piece = pieceOf(dense(2, {24, 256, 3136}, {0, 2, 1}));
  ASSERT_TRUE(piece.fetch);
  EXPECT_EQ(piece.loops[*piece.fetch], (Loop{1, 32}));
  EXPECT_EQ(valuesWithin(dense(2, {24, 256, 3136}, {0, 2, 1}), piece.loops, *piece.fetch),
            (std::vector<int64_t>{1, 288, 64}));
}

TEST(PickSchedule, PrefetchesIntoTheSecondCache) {
  auto cacheOf = [](const Problem &problem, const TargetInfo &target) {
    PieceSchedule piece = pickSchedule(problem, target, {})->pieces[0];
    EXPECT_GT(piece.prefetch, 0);
    return piece.cache;
  };
  // The next rows of a block, and one stream of a staged piece.
  Problem shortRows = dense(4, {71, 75, 96, 96}, {1, 0, 3, 2});
  Problem oneStream = dense(1, {777777, 7}, {1, 0});
  EXPECT_EQ(cacheOf(shortRows, fetching()), 2);
  EXPECT_EQ(cacheOf(oneStream, fetching()), 2);
  // Many streams of a staged piece, and runs that the input has as well.
  EXPECT_EQ(cacheOf(dense(4, {3000, 3016}, {1, 0}), fetching()), 1);
  EXPECT_EQ(cacheOf(dense(4, {47, 29, 27, 49, 33}, {1, 3, 2, 0, 4}), fetching()), 1);
  for (const Problem &problem : {shortRows, oneStream})
    EXPECT_EQ(pick(problem).pieces[0].cache, 1) << "on other targets";
}

TEST(PickSchedule, BringsLinesOfFetchedBlocksNear) {
  auto nearOf = [](const Problem &problem) {
    PieceSchedule piece = pickSchedule(problem, fetching(), {})->pieces[0];
    EXPECT_TRUE(piece.fetch);
    return piece.near;
  };
  // Parts of a line of each of many rows: on their way to whole lines, and to scratch memory.
  EXPECT_EQ(nearOf(dense(1, {23, 192, 784}, {0, 2, 1})), 64);
  EXPECT_EQ(nearOf(dense(2, {31, 255, 400}, {0, 2, 1})), 32);
  // Whole lines, one after the other of each row; or of other rows first.
  EXPECT_EQ(nearOf(dense(4, {512, 24, 144}, {0, 2, 1})), 16);
  EXPECT_EQ(nearOf(dense(4, {384, 59, 2320}, {2, 1, 0})), 0);
  // Rows whose lines are in one set of the first cache, and rows that go on.
  EXPECT_EQ(nearOf(dense(2, {4096, 4096}, {1, 0})), 0);
  EXPECT_EQ(nearOf(dense(4, {71, 75, 96, 96}, {1, 0, 3, 2})), 0);
}

TEST(PickSchedule, FetchesLittleWhereRowsAreFollowed) {
  auto fetches = [](const Problem &problem, const TargetInfo &target) {
    return pickSchedule(problem, target, {})->pieces[0].fetch.has_value();
  };
  // Rows that evict each other, few rows of bytes, one stretch of a few rows.
  Problem crowded = dense(2, {4096, 11008}, {1, 0});
  Problem fewBytes = dense(1, {320, 2, 321, 2, 3}, {0, 2, 1, 3, 4});
  Problem stretch = dense(2, {1001, 2, 2003}, {0, 2, 1});
  for (const Problem &problem : {crowded, fewBytes, stretch}) {
    EXPECT_TRUE(fetches(problem, fetching()));
    EXPECT_TRUE(fetches(problem, following()));
  }
  // Rows that lie apart, short ones, parts of lines of many rows.
  for (const Problem &problem :
       {dense(4, {384, 59, 2320}, {2, 1, 0}), dense(4, {8, 512, 768}, {0, 2, 1}),
        dense(2, {4, 1000, 1920}, {0, 2, 1})}) {
    EXPECT_TRUE(fetches(problem, fetching()));
    EXPECT_FALSE(fetches(problem, following()));
  }
  EXPECT_EQ(pickSchedule(dense(1, {777777, 7}, {1, 0}), following(), {})->pieces[0].cache, 1);
}

TEST(PickSchedule, FetchesGroupsOfEqualSize) {
  // 33 visits to 16 columns each, of which 14 read what a block should have.
  PieceSchedule piece =
      pickSchedule(dense(1, {89, 61, 23, 521}, {3, 0, 2, 1}), like("znver4"), {})->pieces[0];
  ASSERT_TRUE(piece.fetch);
  int64_t group = 0, visit = 0;
  for (size_t i = 0; i < piece.loops.size(); ++i)
    if (piece.loops[i].digit == 0)
      (i < *piece.fetch ? group : visit) = piece.loops[i].step;
  ASSERT_GT(visit, 0);
  ASSERT_GT(group, visit);
  EXPECT_LE(group - 521 % group, visit);
}

TEST(PickSchedule, PutsBytesTogetherInRegisters) {
  // Runs of two bytes, in patches of five rows: the tile has more of a row of the output.
  PieceSchedule piece =
      pickSchedule(dense(1, {11, 77, 5, 261, 2}, {1, 3, 0, 2, 4}), like("znver4"), {})->pieces[0];
  EXPECT_GT(piece.tile[3], 1);
  // Of nine rows and twelve planes, whose whole lines a tile writes as a transpose does.
  Problem patches = dense(1, {5, 12, 32, 9, 128, 2}, {0, 2, 4, 1, 3, 5});
  piece = pickSchedule(patches, like("znver4"), {})->pieces[0];
  EXPECT_TRUE(piece.fetch && !piece.stage);
  EXPECT_EQ(piece.tile[3] * piece.tile[4] * piece.tile[5], 12 * 9 * 2);
  // Not runs of four.
  patches.width = 2;
  EXPECT_TRUE(pickSchedule(patches, like("znver4"), {})->pieces[0].stage);
}

TEST(PickSchedule, StagesTilesOfManyLines) {
  auto pickOn = [](const char *cpu, const Problem &problem) {
    return pickSchedule(problem, like(cpu), {})->pieces[0];
  };
  // 49 pixels of 512 channels, to planes: 49 lines a tile, of images that are fetched.
  Problem images = dense(2, {797, 49, 512}, {0, 2, 1});
  PieceSchedule piece = pickOn("znver4", images);
  EXPECT_EQ(piece.tile, (std::vector<int64_t>{1, 32, 49}));
  EXPECT_EQ(piece.loops, (std::vector<Loop>{{0, 1}, {1, 32}}));
  EXPECT_TRUE(piece.stage == 2u && piece.carry == 1u && piece.fetch == 1u);
  EXPECT_FALSE(pickOn("znver5", images).stage) << "gains nothing on other targets";
  // A tile that is an image.
  piece = pickOn("znver4", dense(1, {3826, 49, 64}, {0, 2, 1}));
  EXPECT_EQ(piece.tile, (std::vector<int64_t>{1, 64, 49}));
  EXPECT_TRUE(piece.stage == 1u && piece.carry == 0u && piece.fetch == 1u);
  // Tiles of 25 lines, and images that the second cache has no room for beside others.
  EXPECT_FALSE(pickOn("znver4", dense(2, {1562, 25, 512}, {0, 2, 1})).stage);
  EXPECT_FALSE(pickOn("znver4", dense(2, {199, 49, 2048}, {0, 2, 1})).stage);
}

TEST(PickSchedule, FetchesStretchesOfShortRows) {
  auto pickOn = [](const char *cpu, const Problem &problem) {
    return pickSchedule(problem, like(cpu), {})->pieces[0];
  };
  // Three rows of 8 KiB side by side, and five that parts of lines are put together from.
  Problem direct = dense(4, {2048, 3, 2048}, {0, 2, 1});
  Problem carried = dense(4, {1696, 5, 2730}, {0, 2, 1});
  for (const Problem &problem : {direct, carried}) {
    PieceSchedule piece = pickOn("znver4", problem);
    ASSERT_TRUE(piece.fetch);
    EXPECT_EQ(piece.prefetch, 0);
    std::vector<int64_t> block = valuesWithin(problem, piece.loops, *piece.fetch);
    EXPECT_EQ(movement::rowsOf(problem, block, movement::Side::In), 1);
    EXPECT_FALSE(pickOn("znver5", problem).fetch);
  }
  // Of 32 KiB each, which are followed.
  EXPECT_FALSE(pickOn("znver4", dense(4, {1024, 3, 8192}, {0, 2, 1})).fetch);
  // Images of short rows, of which parts of lines are put together.
  PieceSchedule image = pickOn("znver4", dense(4, {78, 8, 170, 177}, {1, 0, 3, 2}));
  EXPECT_TRUE(image.carry && image.fetch);
  // Of one stretch in its order.
  EXPECT_FALSE(pickOn("znver4", dense(4, {2048, 2048, 3, 16}, {0, 2, 1, 3})).fetch);
}

TEST(PickSchedule, FetchesBytesAndPartsOfLinesOnIntel) {
  auto pickOn = [](const Problem &problem) {
    return pickSchedule(problem, like("sapphirerapids"), {})->pieces[0];
  };
  // Bytes in tiles that write whole lines; its prefetchers read wider elements as well.
  Problem rows = dense(1, {400, 240, 202}, {2, 0, 1});
  PieceSchedule piece = pickOn(rows);
  EXPECT_TRUE(piece.fetch && !piece.stage);
  rows.width = 4;
  EXPECT_FALSE(pickOn(rows).fetch);
  EXPECT_FALSE(pickOn(dense(2, {4096, 4096}, {1, 0})).fetch);
  // Runs of 126 bytes, put together in lines that wait.
  piece = pickOn(dense(2, {16, 536, 16, 63}, {0, 2, 1, 3}));
  EXPECT_TRUE(piece.fetch && piece.stage && piece.carry);
  // Nothing in cache.
  EXPECT_FALSE(pickOn(dense(1, {40, 24, 202}, {2, 0, 1})).fetch);
}

TEST(PickSchedule, WritesWholeLinesFromMemoryOnIntel) {
  Problem problem = dense(4, {16, 16, 28, 4, 267}, {1, 3, 0, 4, 2});
  EXPECT_EQ(pickSchedule(problem, like("sapphirerapids"), {})->pieces[0].store,
            StoreMode::NonTemporal);
}

} // namespace
