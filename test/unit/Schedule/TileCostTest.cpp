// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../../../lib/Schedule/Tile/TileCost.h"

#include <gtest/gtest.h>

using namespace relayout;

TEST(TileCost, KnowsWhatOneInstructionDoes) {
  const std::vector<int> unpackLow4{0, 4, 1, 5}, unpackHigh4{2, 6, 3, 7}, halves4{0, 2, 4, 6};
  for (VectorISA isa : {VectorISA::SSE2, VectorISA::AVX2, VectorISA::AVX512, VectorISA::NEON})
    for (const std::vector<int> &mask : {unpackLow4, unpackHigh4, halves4})
      EXPECT_EQ(shufflePrice(isa, 4, mask), 1);
  // vunpcklps, vshufps, vperm2f128, vunpcklpd of 32 bytes.
  EXPECT_EQ(shufflePrice(VectorISA::AVX2, 4, {0, 8, 1, 9, 4, 12, 5, 13}), 1);
  EXPECT_EQ(shufflePrice(VectorISA::AVX2, 4, {0, 2, 8, 10, 4, 6, 12, 14}), 1);
  EXPECT_EQ(shufflePrice(VectorISA::AVX2, 4, {0, 1, 2, 3, 8, 9, 10, 11}), 1);
  EXPECT_EQ(shufflePrice(VectorISA::AVX2, 8, {0, 4, 2, 6}), 1);
  // vshufi64x2, valignq of 64 bytes.
  EXPECT_EQ(shufflePrice(VectorISA::AVX512, 8, {0, 1, 4, 5, 8, 9, 12, 13}), 1);
  EXPECT_EQ(shufflePrice(VectorISA::AVX512, 8, {3, 4, 5, 6, 7, 8, 9, 10}), 1);
  // palignr, which SSE2 lacks; trn1, which only NEON has.
  EXPECT_EQ(shufflePrice(VectorISA::AVX2, 2, {3, 4, 5, 6, 7, 8, 9, 10}), 1);
  EXPECT_GT(shufflePrice(VectorISA::SSE2, 2, {3, 4, 5, 6, 7, 8, 9, 10}), 1);
  EXPECT_EQ(shufflePrice(VectorISA::NEON, 2, {0, 8, 2, 10, 4, 12, 6, 14}), 1);
  EXPECT_GT(shufflePrice(VectorISA::AVX2, 2, {0, 8, 2, 10, 4, 12, 6, 14}), 1);
}

TEST(TileCost, SeesThroughNarrowLanesAndFreeOnes) {
  // A copy of either source costs nothing; so does one of what is asked for.
  EXPECT_EQ(shufflePrice(VectorISA::AVX2, 4, {0, 1, 2, 3, 4, 5, 6, 7}), 0);
  EXPECT_EQ(shufflePrice(VectorISA::AVX2, 4, {8, -1, 10, 11, -1, 13, 14, 15}), 0);
  // vunpcklpd in lanes of 2 bytes, some of them free.
  EXPECT_EQ(shufflePrice(VectorISA::SSE2, 2, {0, 1, -1, 3, 8, 9, 10, -1}), 1);
}

TEST(TileCost, OrdersTheInstructionSetsByTheirBytes) {
  // Every third byte of two vectors of 16.
  const std::vector<int> third{0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, -1, -1, -1, -1, -1};
  double vbmi = shufflePrice(VectorISA::AVX512VBMI, 1, third);
  double avx2 = shufflePrice(VectorISA::AVX2, 1, third);
  EXPECT_LT(vbmi, avx2);
  EXPECT_LT(avx2, shufflePrice(VectorISA::SSE2, 1, third));
}
