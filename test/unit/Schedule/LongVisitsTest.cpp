// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Which transposes of four bytes write several lines of each row at a visit, where parts of lines
/// wait.

#include "ScheduleCases.h"

using namespace relayout;
using namespace relayout::test;

namespace {

/// Bytes of a row of the output that a visit of what is picked writes on a Zen 4, with vectors of
/// `vectorBytes`; 0 where none are carried.
int64_t visitBytes(const Problem &problem, int64_t vectorBytes = 64) {
  TargetInfo target = like("znver4");
  target.vectorBytes = vectorBytes;
  target.isa = vectorBytes == 16   ? VectorISA::SSE2
               : vectorBytes == 32 ? VectorISA::AVX2
                                   : VectorISA::AVX512VBMI;
  target.maskedAccess = vectorBytes == 64;
  PieceSchedule piece = pickSchedule(problem, target, {})->pieces[0];
  return piece.carry ? stagedBlock(problem, piece).run * problem.width : 0;
}

TEST(PickSchedule, WritesFourLinesOfRowsNearlyAWayApart) {
  // Rows of 4092 bytes, and of 4124.
  Problem problem = dense(4, {1023, 1501}, {1, 0});
  EXPECT_EQ(visitBytes(problem), 256);
  EXPECT_EQ(visitBytes(dense(4, {1031, 1501}, {1, 0})), 64);
  PieceSchedule piece = pickSchedule(problem, like("znver4"), {})->pieces[0];
  EXPECT_EQ(piece.tile, (std::vector<int64_t>{8, 16}));
  // 64 rows by 256 bytes.
  EXPECT_EQ(valuesWithin(problem, piece.loops, *piece.fetch), (std::vector<int64_t>{64, 64}));
  // What is fetched already.
  EXPECT_EQ(visitBytes(dense(4, {65535, 257}, {1, 0})), 64);
}

TEST(PickSchedule, WritesFourLinesOfRowsByShortVectors) {
  Problem problem = dense(4, {6021, 3543}, {1, 0});
  EXPECT_EQ(visitBytes(problem), 64);
  EXPECT_EQ(visitBytes(problem, 32), 256);
  EXPECT_EQ(visitBytes(problem, 16), 256);
  // Rows of the output of 1164 bytes, and rows of the input at a power of two.
  Problem shortRows = dense(4, {315, 291, 169}, {0, 2, 1});
  EXPECT_EQ(visitBytes(shortRows, 32), 64);
  EXPECT_EQ(visitBytes(shortRows, 16), 256);
  EXPECT_EQ(visitBytes(dense(4, {1237, 4096}, {1, 0}), 32), 64);
  EXPECT_EQ(visitBytes(dense(8, {3011, 1773}, {1, 0}), 16), 128) << "two lines, as before";
}

} // namespace
