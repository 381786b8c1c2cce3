// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Random movements, targets and changes to schedules.

#ifndef RELAYOUT_TEST_UNIT_SCHEDULE_RANDOMCASES_H
#define RELAYOUT_TEST_UNIT_SCHEDULE_RANDOMCASES_H

#include "../Layout/Random.h"
#include "relayout/Layout/NamedOperations.h"
#include "relayout/Layout/Reference.h"
#include "relayout/Schedule/Schedule.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>

namespace relayout::test {

/// What the loop `loops[depth]` runs through if it is the outermost one over its digit, and an
/// inner one is over segments; otherwise more than any digit has.
inline int64_t segmentAfter(const std::vector<Loop> &loops, size_t depth) {
  std::optional<size_t> segments = segmentLoop(loops, loops[depth].digit);
  bool isOutermost = std::none_of(loops.begin(), loops.begin() + depth, [&](const Loop &outer) {
    return outer.digit == loops[depth].digit;
  });
  return segments && isOutermost ? loops[*segments].step : int64_t(1) << 40;
}

/// Cuts a random digit of each piece that has a loop into segments.
inline void addSegments(Schedule &schedule, Random &random) {
  for (PieceSchedule &piece : schedule.pieces) {
    if (piece.loops.empty())
      continue;
    size_t outer = random.between(0, piece.loops.size() - 1);
    Loop segments = piece.loops[outer];
    segments.step *= random.between(2, 5);
    size_t place = random.between(outer + 1, piece.loops.size());
    piece.loops.insert(piece.loops.begin() + place, segments);
    if (piece.stage && *piece.stage >= place)
      ++*piece.stage;
    if (piece.carry && *piece.carry >= place)
      ++*piece.carry;
  }
}

/// A movement to schedule, with what every place of the output must hold.
struct Case {
  Problem problem;
  std::map<int64_t, int64_t> expected;
};

inline int64_t place(int64_t index, const std::vector<int64_t> &shape,
                     const std::vector<int64_t> &strides) {
  int64_t at = 0;
  for (size_t i = shape.size(); i-- > 0; index /= shape[i])
    at += index % shape[i] * strides[i];
  return at;
}

inline Case randomCase(Random &random) {
  Options options;
  options.maxElements = random.chance(30) ? 9000 : 1200;
  Rearrangement r = random.rearrangement(options);
  std::vector<int64_t> shape = r.resultShape();
  bool strided = random.chance(20);
  std::vector<int64_t> from =
      strided ? random.strides(r.operandShape) : rowMajorStrides(r.operandShape);
  std::vector<int64_t> to =
      strided && random.chance(50) ? random.strides(shape) : rowMajorStrides(shape);
  int64_t width = int64_t(1) << random.between(0, 4);
  Result<Problem> problem = buildProblem(r, width, from, to);
  EXPECT_TRUE(problem) << problem.error().message;
  Case result{*problem, {}};
  std::vector<int64_t> map = referenceMap(r);
  for (size_t i = 0; i < map.size(); ++i)
    result.expected[place(i, shape, to)] = map[i] < 0 ? -1 : place(map[i], r.operandShape, from);
  return result;
}

/// Rows and columns of places in blocks, with channels or in planes, of which some are padded or
/// cropped; sometimes all but a few.
inline Problem windowedProblem(Random &random) {
  int64_t p = random.between(2, 4), q = random.between(2, 4), channels = random.between(1, 70);
  auto window = [&](int64_t most) {
    return Window{random.between(0, most), random.between(1, most)};
  };
  Window rows = window(p), columns = window(q);
  bool isCropped = random.chance(50), isPlanar = random.chance(50);
  int64_t h = random.between(2, 5), w = random.between(2, 5);
  auto leaveFew = [&](Window &crop, int64_t places) {
    if (isCropped && random.chance(40))
      crop.high += random.between(0, std::max<int64_t>(0, places - crop.low - crop.high - 1));
    crop.high = isCropped ? std::min(crop.high, places - crop.low - 1) : crop.high;
  };
  leaveFew(rows, h * p);
  leaveFew(columns, w * q);
  // What is padded is a multiple of the blocks.
  auto read = [](int64_t places, Window pad) { return places - pad.low - pad.high; };
  Result<Rearrangement> r =
      isCropped  ? batchToSpace({2 * p * q, h, w, channels}, {p, q}, {rows, columns})
      : isPlanar ? spaceToBatch({2, 3, read((h + 2) * p, rows), read((w + 2) * q, columns)},
                                {1, 1, p, q}, {{0, 0}, {0, 0}, rows, columns})
                 : spaceToBatch({2, read((h + 2) * p, rows), read((w + 2) * q, columns), channels},
                                {p, q}, {rows, columns});
  EXPECT_TRUE(r) << r.error().message;
  Result<Problem> problem = buildProblem(*r, int64_t(1) << random.between(0, 3));
  EXPECT_TRUE(problem) << problem.error().message;
  return problem ? *problem : Problem();
}

/// What is picked for `problem`, or perhaps what is with its rows whole or together, if that is
/// possible.
inline Result<Schedule> pickRandomly(const Problem &problem, const TargetInfo &target,
                                     Random &random) {
  ScheduleOptions options;
  options.rows = random.chance(50) ? Rows::Whole : Rows::Together;
  if (random.chance(50))
    if (Result<Schedule> rows = pickSchedule(problem, target, options))
      return rows;
  return pickSchedule(problem, target);
}

/// Small caches and pages, so that small problems meet every decision.
inline TargetInfo randomTarget(Random &random) {
  static const std::vector<std::pair<VectorISA, int64_t>> isas = {
      {VectorISA::Scalar, 8},  {VectorISA::SSE2, 16},       {VectorISA::AVX2, 32},
      {VectorISA::AVX512, 64}, {VectorISA::AVX512VBMI, 64}, {VectorISA::NEON, 16}};
  TargetInfo target;
  std::tie(target.isa, target.vectorBytes) = isas[random.between(0, isas.size() - 1)];
  target.maskedAccess = target.vectorBytes == 64;
  target.nonTemporal = target.isa != VectorISA::Scalar && random.chance(80);
  target.prefetchWrite = random.chance(50);
  target.l2Bytes = random.chance(50) ? 1 << 20 : 64;
  target.pageBytes = random.chance(50) ? 4096 : 128;
  target.tlbPages = random.chance(50) ? 1536 : 7;
  target.memory.fetches = random.chance(50);
  target.memory.fetchesParts = random.chance(50);
  target.memory.followsRows = random.chance(30);
  target.memory.touches = random.chance(50);
  target.memory.packs = random.chance(50);
  return target;
}

} // namespace relayout::test

#endif // RELAYOUT_TEST_UNIT_SCHEDULE_RANDOMCASES_H
