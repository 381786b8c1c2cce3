// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Schedule/Tile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>

using namespace relayout;

namespace {

TargetInfo target(VectorISA isa) {
  TargetInfo info;
  info.isa = isa;
  info.vectorBytes = isa == VectorISA::Scalar                           ? 8
                     : isa == VectorISA::SSE2 || isa == VectorISA::NEON ? 16
                     : isa == VectorISA::AVX2                           ? 32
                                                                        : 64;
  info.maskedAccess = isa == VectorISA::AVX512 || isa == VectorISA::AVX512VBMI;
  return info;
}

constexpr VectorISA kAllISAs[] = {VectorISA::Scalar, VectorISA::SSE2,       VectorISA::AVX2,
                                  VectorISA::AVX512, VectorISA::AVX512VBMI, VectorISA::NEON};

std::string describe(const Tile &tile) {
  std::string text = "w" + std::to_string(tile.width);
  for (const Digit &digit : tile.digits)
    text += " " + std::to_string(digit.extent) + ":" + std::to_string(digit.inStride) + ":" +
            std::to_string(digit.outStride);
  return text;
}

/// The extents of the input and the output from the bases on, in elements.
std::pair<int64_t, int64_t> spans(const Tile &tile) {
  std::pair<int64_t, int64_t> span{1, 1};
  for (const Digit &digit : tile.digits) {
    span.first += (digit.extent - 1) * digit.inStride;
    span.second += (digit.extent - 1) * digit.outStride;
  }
  return span;
}

/// Moves the elements of `tile` one by one.
void referenceMove(const Tile &tile, const unsigned char *in, unsigned char *out) {
  for (int64_t flat = 0, count = tile.elements(); flat < count; ++flat) {
    int64_t rest = flat, inOffset = 0, outOffset = 0;
    for (const Digit &digit : tile.digits) {
      inOffset += rest % digit.extent * digit.inStride;
      outOffset += rest % digit.extent * digit.outStride;
      rest /= digit.extent;
    }
    std::memcpy(out + outOffset * tile.width, in + inOffset * tile.width, tile.width);
  }
}

/// Checks the program for `tile` against the reference, bytes outside of the
/// output's footprint included.
void checkTile(const Tile &tile, const TargetInfo &info, const TileOptions &options = {}) {
  SCOPED_TRACE(describe(tile) + " isa " + std::to_string(static_cast<int>(info.isa)));
  Result<TileProgram> program = synthesizeTile(tile, info, options);
  ASSERT_TRUE(program) << program.error().message;
  auto [inSpan, outSpan] = spans(tile);
  std::vector<unsigned char> in(inSpan * tile.width), got(outSpan * tile.width, 0xEE);
  std::mt19937 bytes(7);
  std::generate(in.begin(), in.end(), [&] { return static_cast<unsigned char>(bytes()); });
  std::vector<unsigned char> expected = got;
  referenceMove(tile, in.data(), expected.data());
  Status status = simulateTile(*program, tile, in.data(), got.data());
  ASSERT_TRUE(status) << status.error().message;
  ASSERT_EQ(got, expected);
  bool mergesLoads = std::any_of(program->code.begin(), program->code.end(), [](auto &code) {
    return code.op == TileProgram::Op::Load && code.a >= 0;
  });
  if (!mergesLoads)
    EXPECT_LE(program->shuffleLowerBound, program->shuffles());
  EXPECT_LE(program->lanes * program->laneBytes, std::max<int64_t>(info.vectorBytes, tile.width));
  for (const TileProgram::Instruction &code : program->code)
    EXPECT_TRUE(!code.masked || info.maskedAccess);
}

/// Digits of the given extents, minor first on the input; the output's order is
/// `order`. Gaps are left after a digit with a chance of one in `gapChance`.
Tile permutedTile(int64_t width, const std::vector<int64_t> &extents,
                  const std::vector<size_t> &order, std::mt19937 &random, unsigned gapChance) {
  Tile tile;
  tile.width = width;
  auto gap = [&] { return gapChance && random() % gapChance == 0 ? 1 + random() % 40 : 0; };
  int64_t stride = 1;
  for (int64_t extent : extents) {
    tile.digits.push_back({extent, stride, 0});
    stride = stride * extent + gap();
  }
  stride = 1;
  for (size_t digit : order) {
    tile.digits[digit].outStride = stride;
    stride = stride * extents[digit] + gap();
  }
  return tile;
}

Tile randomTile(std::mt19937 &random) {
  constexpr int64_t widths[] = {1, 2, 4, 8, 16};
  constexpr int64_t radices[] = {2, 2, 2, 3, 4, 5, 6, 7, 8, 12, 16, 32};
  int64_t limit = random() % 4 == 0 ? 2048 : 300, count = 1;
  std::vector<int64_t> extents;
  if (random() % 2)
    extents.push_back(count = 1 + random() % 64);
  for (unsigned tries = 1 + random() % 7; tries; --tries) {
    int64_t radix = radices[random() % std::size(radices)];
    if (count * radix > limit)
      break;
    extents.push_back(radix);
    count *= radix;
  }
  std::vector<size_t> order(extents.size());
  std::iota(order.begin(), order.end(), 0);
  // Every other tile keeps its innermost run.
  std::shuffle(order.begin() + (random() % 2 && !order.empty()), order.end(), random);
  return permutedTile(widths[random() % std::size(widths)], extents, order, random,
                      random() % 2 ? 3 : 0);
}

} // namespace

TEST(Tile, MovesRandomTilesOnEveryISA) {
  std::mt19937 random(1);
  for (int i = 0; i < 1500; ++i) {
    Tile tile = randomTile(random);
    for (VectorISA isa : kAllISAs)
      checkTile(tile, target(isa));
    if (HasFatalFailure())
      return;
  }
}

struct KnownTile {
  const char *name;
  VectorISA isa;
  Tile tile;
  unsigned loads, shuffles, stores;
};

/// A tile of `rows` runs of `columns` elements, transposed. Rows are `inPitch` and
/// columns `outPitch` elements apart.
static Tile transposed(int64_t width, int64_t rows, int64_t columns, int64_t inPitch = 1000,
                       int64_t outPitch = 1000) {
  return {width, {{columns, 1, outPitch}, {rows, inPitch, 1}}};
}

TEST(Tile, TakesTheKnownNumberOfInstructions) {
  const KnownTile known[] = {
      {"16x16 f32", VectorISA::AVX512, transposed(4, 16, 16), 16, 64, 16},
      {"8x8 f64", VectorISA::AVX512, transposed(8, 8, 8), 8, 24, 8},
      {"32x32 u16", VectorISA::AVX512, transposed(2, 32, 32), 32, 160, 32},
      {"64x64 u8", VectorISA::AVX512VBMI, transposed(1, 64, 64), 64, 384, 64},
      {"8x8 f32", VectorISA::AVX2, transposed(4, 8, 8), 8, 24, 8},
      {"4x4 f64", VectorISA::AVX2, transposed(8, 4, 4), 4, 8, 4},
      {"16x16 u16", VectorISA::AVX2, transposed(2, 16, 16), 16, 64, 16},
      {"32x32 u8", VectorISA::AVX2, transposed(1, 32, 32), 32, 160, 32},
      {"4x4 f32", VectorISA::SSE2, transposed(4, 4, 4), 4, 8, 4},
      {"8x8 u16", VectorISA::SSE2, transposed(2, 8, 8), 8, 24, 8},
      {"16x16 u8", VectorISA::SSE2, transposed(1, 16, 16), 16, 64, 16},
      {"16x16 u8", VectorISA::NEON, transposed(1, 16, 16), 16, 64, 16},
      {"4x4 complex<f64>", VectorISA::AVX512, transposed(16, 4, 4), 4, 8, 4},
      {"depth_to_space f32 r=2", VectorISA::AVX512, transposed(4, 2, 16, 1000, 2), 2, 2, 2},
      {"depth_to_space f32 r=3", VectorISA::AVX512, transposed(4, 3, 16, 1000, 3), 3, 6, 3},
      {"depth_to_space f32 r=2", VectorISA::NEON, transposed(4, 2, 4, 1000, 2), 2, 2, 2},
      {"space_to_depth f32 r=2", VectorISA::AVX512, transposed(4, 16, 2, 2), 2, 2, 2},
      {"u8 HWC to CHW", VectorISA::AVX512VBMI, transposed(1, 64, 3, 3), 3, 6, 3},
      {"u8 CHW to HWC", VectorISA::AVX512VBMI, transposed(1, 3, 64, 1000, 3), 3, 6, 3},
  };
  for (const KnownTile &k : known) {
    SCOPED_TRACE(k.name);
    checkTile(k.tile, target(k.isa));
    Result<TileProgram> program = synthesizeTile(k.tile, target(k.isa));
    ASSERT_TRUE(program);
    EXPECT_EQ(program->loads(), k.loads);
    EXPECT_EQ(program->shuffles(), k.shuffles);
    EXPECT_EQ(program->stores(), k.stores);
  }
}
