// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Which blocks of the input the picked schedules copy into scratch memory first, and how they lie
/// there.

#include "ScheduleCases.h"

using namespace relayout;
using namespace relayout::test;

namespace {

using Extents = std::vector<int64_t>;

/// The values of each digit in the block that is packed of what is picked for `problem`; empty if
/// none is.
Extents pickedBlock(const Problem &problem, const TargetInfo &target) {
  PieceSchedule piece = pickSchedule(problem, target, {})->pieces[0];
  if (!piece.pack)
    return {};
  EXPECT_EQ(piece.fetch, piece.pack);
  EXPECT_EQ(piece.prefetch, 0);
  return packedBlock(problem, piece).extents;
}

TEST(PickSchedule, PacksTransposesOfBytes) {
  Problem square = dense(1, {8192, 8192}, {1, 0});
  PieceSchedule piece = pickSchedule(square, packing(), {})->pieces[0];
  EXPECT_EQ(piece.tile, (Extents{16, 64}));
  // 128 rows of 256 bytes, in groups that write 4 KiB of each row of the output.
  std::vector<Loop> loops{{1, 4096}, {0, 256}, {1, 128}, {0, 16}, {1, 64}};
  EXPECT_EQ(piece.loops, loops);
  EXPECT_EQ(piece.pack, 3u);
  // Rows that lie in several sets of the first cache.
  EXPECT_EQ(pickedBlock(dense(1, {3072, 22528}, {1, 0}), packing()), (Extents{128, 128}));
  // Rows a megabyte apart.
  EXPECT_EQ(pickedBlock(dense(1, {64, 256, 64, 64}, {3, 2, 1, 0}), packing()),
            (Extents{64, 4, 1, 64}));
}

TEST(PickSchedule, PacksWiderElementsThatAreWrittenAtPowersOfTwo) {
  EXPECT_EQ(pickedBlock(dense(2, {4096, 8192}, {1, 0}), packing()), (Extents{128, 64}));
  EXPECT_EQ(pickedBlock(dense(2, {5632, 7680}, {1, 0}), packing()), Extents()) << "11 KiB";
  EXPECT_EQ(pickedBlock(dense(4, {64, 64, 128, 64}, {3, 0, 2, 1}), packing()),
            (Extents{64, 1, 1, 64}));
  EXPECT_EQ(pickedBlock(dense(4, {4096, 4096}, {1, 0}), packing()), Extents()) << "16 KiB";
  EXPECT_EQ(pickedBlock(dense(8, {8192, 2048}, {1, 0}), packing()), Extents());
}

TEST(PickSchedule, PacksPartsOfLinesThatShortVectorsRead) {
  TargetInfo target = packing();
  target.isa = VectorISA::SSE2;
  target.vectorBytes = 16;
  target.maskedAccess = false;
  EXPECT_EQ(pickedBlock(dense(4, {4096, 4096}, {1, 0}), target), (Extents{64, 64}));
  EXPECT_EQ(pickedBlock(dense(2, {2, 320, 4096}, {0, 2, 1}), target), (Extents{1, 128, 64}));
  // Rows in many sets of the first cache, lines written one beside the other, and wider elements.
  EXPECT_EQ(pickedBlock(dense(4, {4096, 4112}, {1, 0}), target), Extents());
  EXPECT_EQ(pickedBlock(dense(4, {32, 1048576}, {1, 0}), target), Extents());
  EXPECT_EQ(pickedBlock(dense(8, {2048, 2048}, {1, 0}), target), Extents());
}

TEST(PickSchedule, PacksOnlyWhatGains) {
  Problem bytes = dense(1, {8192, 8192}, {1, 0});
  EXPECT_EQ(pickedBlock(bytes, touching()), Extents());
  EXPECT_EQ(pickedBlock(bytes, following()), Extents());
  // Lines written 512 bytes apart, rows of a few bytes, and what stays in the caches.
  EXPECT_EQ(pickedBlock(dense(1, {256, 512, 512}, {0, 2, 1}), packing()), Extents());
  EXPECT_EQ(pickedBlock(dense(1, {4194304, 4}, {1, 0}), packing()), Extents());
  EXPECT_EQ(pickedBlock(dense(1, {128, 256}, {1, 0}), packing()), Extents());
  // Rows that start within lines, unless they evict each other, or are long and of more than bytes.
  EXPECT_EQ(pickedBlock(dense(1, {9024, 6233}, {1, 0}), packing()), Extents());
  EXPECT_NE(pickedBlock(dense(1, {6400, 4097}, {1, 0}), packing()), Extents());
  EXPECT_EQ(pickedBlock(dense(2, {16384, 1001}, {1, 0}), packing()), Extents());
  EXPECT_NE(pickedBlock(dense(2, {16384, 6001}, {1, 0}), packing()), Extents());
  // Short rows of two bytes that lie one after the other, and longer ones.
  EXPECT_EQ(pickedBlock(dense(2, {256, 192, 480}, {2, 0, 1}), packing()), Extents());
  EXPECT_NE(pickedBlock(dense(2, {256, 192, 512}, {2, 0, 1}), packing()), Extents());
  // Tiny rows of two bytes, unless they are a multiple of a way of the first cache apart.
  EXPECT_EQ(pickedBlock(dense(2, {96, 19, 32, 4, 13}, {4, 3, 2, 1, 0}), packing()), Extents());
  EXPECT_NE(pickedBlock(dense(2, {128, 128, 4, 4, 13}, {4, 3, 2, 1, 0}), packing()), Extents());
  EXPECT_NE(pickedBlock(dense(2, {96, 19, 32, 4, 25}, {4, 3, 2, 1, 0}), packing()), Extents());
  // Every other byte of the input: none of its digits is contiguous.
  Problem apart = bytes;
  for (Digit &digit : apart.digits)
    digit.inStride *= 2;
  EXPECT_EQ(pickedBlock(apart, packing()), Extents());
}

TEST(PickSchedule, FetchesBytesWhoseLinesComeNear) {
  auto pickFor = [](const Problem &problem) {
    return pickSchedule(problem, packing(), {})->pieces[0];
  };
  // Short rows that are one stretch, some that would be read in their order; rows of several
  // digits; and 1216 rows of 28 KB, of which the output has a line each.
  for (const Problem &problem :
       {dense(1, {320, 224, 192}, {2, 0, 1}), dense(1, {119808, 128}, {1, 0}),
        dense(1, {2112, 71, 256}, {2, 1, 0}), dense(1, {1216, 63, 448}, {2, 1, 0})}) {
    PieceSchedule piece = pickFor(problem);
    EXPECT_TRUE(piece.fetch && !piece.pack && !piece.touch) << problem.str();
    EXPECT_EQ(piece.near, 64) << problem.str();
  }
  // 96 rows that meet in a set of the first cache, of two places that do not.
  EXPECT_TRUE(pickFor(dense(1, {96, 512, 576}, {2, 1, 0})).pack);
  // Rows of half a line, written at multiples of 512 bytes.
  EXPECT_TRUE(pickFor(dense(1, {23, 21, 4, 512, 36}, {2, 0, 4, 1, 3})).touch);
}

PackedBlock blockOf(const Problem &problem, const std::string &piece) {
  Result<Schedule> schedule = parseSchedule("unit=d0:1 {" + piece + "}");
  EXPECT_TRUE(schedule) << schedule.error().message;
  return packedBlock(problem, schedule->pieces[0]);
}

TEST(PackedBlock, HasOneRowBehindTheOther) {
  // d0 has stride 1 in the input, d1 240 and d2 40.
  Problem problem = dense(4, {7, 6, 40}, {2, 0, 1});
  PackedBlock block =
      blockOf(problem, "tile=8x1x2 loops=d1:3,d0:24,d2:2,d0:8,d1:1 pack=2 store=ordinary "
                       "prefetch=0 vector=64");
  EXPECT_EQ(block.extents, (Extents{24, 3, 6}));
  EXPECT_EQ(block.run, 24);
  // Rows of 96 bytes begin 128 apart, those of d2 before those of d1.
  EXPECT_EQ(block.strides, (Extents{1, 32 * 6, 32}));
  EXPECT_EQ(block.first, 0);
  EXPECT_EQ(block.elements, 32 * 6 * 3 + 16);
  // Whole rows that lie side by side are one.
  block = blockOf(problem, "tile=8x1x2 loops=d1:3,d2:2,d0:8,d1:1 pack=1 store=ordinary "
                           "prefetch=0 vector=64");
  EXPECT_EQ(block.run, 40 * 6 * 3);
  EXPECT_EQ(block.strides, (Extents{1, 240, 40}));
}

TEST(PackedBlock, LiesBehindAStagedOne) {
  Problem problem = dense(4, {35, 90}, {1, 0});
  const std::string text = "tile=8x16 loops=d0:24,d0:8,d1:16 stage=2 pack=1 carry=0 "
                           "store=nontemporal prefetch=0 vector=64";
  PackedBlock block = blockOf(problem, text);
  Result<Schedule> schedule = parseSchedule("unit=d0:1 {" + text + "}");
  const PieceSchedule &piece = schedule->pieces[0];
  EXPECT_GE(block.first, stagedBlock(problem, piece).elements);
  EXPECT_EQ(block.first % 16, 0);
  EXPECT_EQ(block.elements, block.first + 32 * 35 + 16);
  EXPECT_EQ(scratchElements(problem, piece), block.elements);
}

TEST(PackedBlock, CopiesValuesThatOverlapEachByItself) {
  // Windows of 5 elements, 2 apart.
  Problem windows;
  windows.width = 4;
  windows.digits = {{30, 2, 5}, {5, 1, 1}};
  PackedBlock block = blockOf(windows, "tile=6x5 loops=d0:12,d0:6 pack=1 store=ordinary "
                                       "prefetch=0 vector=64");
  EXPECT_EQ(block.run, 5);
  EXPECT_EQ(block.strides, (Extents{5, 1}));
  EXPECT_EQ(block.elements, 5 * 12 + 16);
}

} // namespace
