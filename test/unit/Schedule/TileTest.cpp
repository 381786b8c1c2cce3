// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TileSimulator.h"

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
  Status status = test::simulateTile(*program, tile, in.data(), got.data());
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

/// The most registers that are alive at once.
static unsigned liveRegisters(const TileProgram &program) {
  std::vector<size_t> lastUse(program.code.size(), 0);
  for (size_t i = 0; i < program.code.size(); ++i)
    for (int source : {program.code[i].a, program.code[i].b})
      if (source >= 0)
        lastUse[source] = i;
  unsigned live = 0, most = 0;
  for (size_t i = 0; i < program.code.size(); ++i) {
    const TileProgram::Instruction &code = program.code[i];
    for (int source : {code.a, code.b})
      if (source >= 0 && lastUse[source] == i && !(source == code.b && code.a == code.b))
        --live;
    if (code.op != TileProgram::Op::Store)
      most = std::max(most, ++live);
  }
  return most;
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
    // One register more than the tile fills, for the pair that is being exchanged.
    EXPECT_LE(liveRegisters(*program), std::max(k.loads, k.stores) + 1);
  }
}

/// Four rows of 16 bytes fill a vector. Where they are put side by side as they are loaded, fewer
/// shuffles do than if each had a vector of its own.
TEST(Tile, PutsShortRowsSideBySide) {
  for (VectorISA isa : {VectorISA::AVX512, VectorISA::AVX512VBMI})
    for (int64_t width : {1, 2, 4})
      for (int64_t rows : {11, 17, 23, 37}) {
        if (width == 1 && isa == VectorISA::AVX512)
          continue; // no shuffles of bytes
        SCOPED_TRACE(std::to_string(width) + " bytes, rows " + std::to_string(rows));
        Tile tile = transposed(width, rows, 16 / width, 1000, rows);
        checkTile(tile, target(isa));
        Result<TileProgram> program = synthesizeTile(tile, target(isa));
        ASSERT_TRUE(program);
        EXPECT_EQ(program->loads(), rows);
        int64_t joins = (rows + 3) / 4; // of halves of vectors
        EXPECT_LT(program->shuffles(), program->shuffleLowerBound + joins);
      }
}

TEST(Tile, KeepsRunsOfAnyLength) {
  std::mt19937 random(2);
  for (int64_t width : {1, 2, 4, 8, 16})
    for (int64_t run = 1; run * width <= 80; ++run) {
      std::vector<Tile> tiles;
      for (size_t digits : {1, 2, 3})
        for (unsigned gap : {0, 1}) {
          std::vector<int64_t> extents{run, 3, 2};
          extents.resize(digits);
          std::vector<size_t> order(digits);
          std::iota(order.begin(), order.end(), 0);
          std::reverse(order.begin() + 1, order.end());
          tiles.push_back(permutedTile(width, extents, order, random, gap));
        }
      for (const Tile &tile : tiles)
        for (VectorISA isa : kAllISAs)
          checkTile(tile, target(isa));
    }
}

TEST(Tile, ReversesManyTinyDigits) {
  std::mt19937 random(3);
  for (int64_t width : {1, 2, 4, 8, 16})
    for (size_t digits = 1; digits <= 9; ++digits) {
      std::vector<size_t> order(digits);
      std::iota(order.rbegin(), order.rend(), 0);
      Tile tile = permutedTile(width, std::vector<int64_t>(digits, 2), order, random, 0);
      for (VectorISA isa : kAllISAs)
        checkTile(tile, target(isa));
    }
}

TEST(Tile, MovesTilesOfDegenerateShape) {
  const Tile tiles[] = {
      {4, {}},                      // one element
      {2, {{1, 7, 9}, {1, 0, 0}}},  // digits of extent 1
      {4, {{6, 0, 1}}},             // one element read again and again
      {1, {{5, 0, 3}, {4, 1, 20}}}, // the same in rows, with gaps
      {4, {{4, 1, 1}, {3, 2, 4}}},  // reads that overlap
      {2, {{8, 1, 1}, {2, 7, 8}}},  // reads that overlap within wide units
      {8, {{3, 1LL << 40, 1}}},     // far apart
  };
  for (const Tile &tile : tiles)
    for (VectorISA isa : kAllISAs) {
      if (tile.width == 8)
        EXPECT_TRUE(synthesizeTile(tile, target(isa)));
      else
        checkTile(tile, target(isa));
    }
}

TEST(Tile, HonoursTheWidthOfVectors) {
  Tile tile = transposed(4, 16, 16);
  for (int64_t bytes : {16, 32, 64}) {
    checkTile(tile, target(VectorISA::AVX512), {bytes});
    Result<TileProgram> program = synthesizeTile(tile, target(VectorISA::AVX512), {bytes});
    ASSERT_TRUE(program);
    EXPECT_EQ(program->lanes * program->laneBytes, bytes);
    EXPECT_EQ(program->stores(), 1024 / bytes);
  }
}

TEST(Tile, StoresWholeVectorsFirst) {
  // Runs of 37 floats: two whole vectors from the run's start on, then the rest.
  Tile tile{4, {{37, 1, 1}, {3, 41, 53}}};
  Result<TileProgram> program = synthesizeTile(tile, target(VectorISA::AVX512), {64});
  ASSERT_TRUE(program);
  std::vector<std::pair<int64_t, unsigned>> stores;
  for (const TileProgram::Instruction &code : program->code)
    if (code.op == TileProgram::Op::Store)
      stores.push_back({code.offset, code.laneCount});
  const std::vector<std::pair<int64_t, unsigned>> expected{
      {0, 16}, {16, 16}, {32, 5}, {53, 16}, {69, 16}, {85, 5}, {106, 16}, {122, 16}, {138, 5}};
  EXPECT_EQ(stores, expected);
}

static std::string failure(const Tile &tile, const TileOptions &options = {}) {
  Result<TileProgram> program = synthesizeTile(tile, target(VectorISA::AVX2), options);
  return program ? "none" : program.error().message;
}

TEST(Tile, RefusesWhatItCannotMove) {
  EXPECT_EQ(failure({3, {{4, 1, 1}}}), "expects elements of 1, 2, 4, 8 or 16 bytes, but got 3");
  EXPECT_EQ(failure({4, {{0, 1, 1}}}), "expects the extents of a tile to be positive, but got 0");
  EXPECT_EQ(failure({4, {{64, 1, 65}, {65, 64, 1}}}),
            "expects a tile of at most 4096 elements, but got 4160");
  EXPECT_EQ(failure({4, {{2, 1, 1}, {1LL << 62, 1, 1}, {2, 1, 1}}}),
            "expects a tile of at most 4096 elements, but got more than 64 bits count");
  EXPECT_EQ(failure({4, {{4, 1, 0}}}),
            "expects each element of a tile to have a place of its own in the output, but two "
            "share one");
  EXPECT_EQ(failure({4, {{3, 1LL << 62, 1}}}), "expects the offsets of a tile to fit 64 bits");
  EXPECT_EQ(failure({4, {{4, 1, 1}}}, {64}),
            "expects vectors of a power of two of at most 32 bytes, but got 64");
  EXPECT_EQ(failure({4, {{4, 1, 1}}}, {24}),
            "expects vectors of a power of two of at most 32 bytes, but got 24");
}

/// A program that copies a tile of 8 floats, to be broken.
static TileProgram copyOfEight() {
  TileProgram program;
  program.lanes = 8;
  program.laneBytes = 4;
  TileProgram::Instruction load, shuffle, store;
  load.op = TileProgram::Op::Load;
  shuffle.op = TileProgram::Op::Shuffle;
  store.op = TileProgram::Op::Store;
  load.laneCount = store.laneCount = 8;
  shuffle.a = 0;
  shuffle.mask = {0, 1, 2, 3, 4, 5, 6, 7};
  store.a = 1;
  program.code = {load, shuffle, store};
  return program;
}

static std::string complaint(const TileProgram &program) {
  const Tile tile{4, {{8, 1, 1}}};
  std::vector<float> in(8, 1.0f), out(8);
  Status status = test::simulateTile(program, tile, in.data(), out.data());
  return status ? "none" : status.error().message;
}

TEST(Tile, SimulatorSeesWhatIsWrong) {
  EXPECT_EQ(complaint(copyOfEight()), "none");
  TileProgram program = copyOfEight();
  program.code[0].offset = 1;
  EXPECT_EQ(complaint(program), "reads byte 32, which is not the tile's");
  program = copyOfEight();
  program.code[2].offset = -1;
  EXPECT_EQ(complaint(program), "writes byte -4, which is not the tile's");
  program = copyOfEight();
  program.code[0].laneCount = 4;
  EXPECT_EQ(complaint(program), "shuffles lane 4, which is undefined");
  program.code[1].mask = {0, 1, 2, 3, -1, -1, -1, -1};
  EXPECT_EQ(complaint(program), "stores lane 4, which is undefined");
  program = copyOfEight();
  program.code[1].mask[3] = 8;
  EXPECT_EQ(complaint(program), "shuffles lane 8, which is none");
  program = copyOfEight();
  program.code[2].a = 2;
  EXPECT_EQ(complaint(program), "instruction 2 expects a register defined before it, but got 2");
  program = copyOfEight();
  program.code[0].firstLane = 1;
  EXPECT_EQ(complaint(program), "instruction 0 expects lanes within the vector");
  program = copyOfEight();
  program.code[0].laneCount = 7;
  EXPECT_EQ(complaint(program),
            "instruction 0 expects a narrower vector of a power of two of lanes, but got 7");
  program = copyOfEight();
  program.code[1].mask.pop_back();
  EXPECT_EQ(complaint(program), "instruction 1 expects a mask of 8 lanes");
}
