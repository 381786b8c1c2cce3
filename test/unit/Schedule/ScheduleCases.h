// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What the tests of schedules share: a target, dense movements and their picked schedules.

#ifndef RELAYOUT_TEST_UNIT_SCHEDULE_SCHEDULECASES_H
#define RELAYOUT_TEST_UNIT_SCHEDULE_SCHEDULECASES_H

#include "relayout/Schedule/Schedule.h"

#include <gtest/gtest.h>

namespace relayout::test {

inline TargetInfo avx512() {
  TargetInfo target;
  target.isa = VectorISA::AVX512VBMI;
  target.vectorBytes = 64;
  target.maskedAccess = target.nonTemporal = target.prefetchWrite = true;
  return target;
}

/// One whose memory is that of the family of `cpu`.
inline TargetInfo like(const char *cpu) {
  TargetInfo target = avx512();
  target.memory = memoryTraits(cpu);
  return target;
}

/// One on which blocks of the input are fetched, and one stream at a time is fastest.
inline TargetInfo fetching() {
  TargetInfo target = avx512();
  target.memory.streamCost = 1;
  target.memory.loneStream = 0;
  target.memory.fetches = true;
  return target;
}

/// One that gains by reading lines in their order, and is slow to find streams that begin
/// elsewhere.
inline TargetInfo touching() {
  TargetInfo target = fetching();
  target.memory.besideCost = 0.1;
  target.memory.visitCost = 35;
  target.memory.freshBytes = 3000;
  target.memory.touches = true;
  return target;
}

/// One that gains by moving blocks of some transposes from scratch memory, too.
inline TargetInfo packing() { return like("znver4"); }

/// One that follows the rows of a tile by itself, so that few blocks are worth fetching.
inline TargetInfo following() { return like("znver5"); }

/// A dense movement: the digits of the operand, major first, in the order `perm` of the result.
inline Problem dense(int64_t width, std::vector<int64_t> extents, std::vector<unsigned> perm) {
  std::vector<int64_t> in(extents.size());
  int64_t stride = 1;
  for (size_t i = extents.size(); i-- > 0; stride *= extents[i])
    in[i] = stride;
  Problem problem;
  problem.width = width;
  stride = 1;
  for (size_t i = perm.size(); i-- > 0; stride *= extents[perm[i]])
    problem.digits.insert(problem.digits.begin(), {extents[perm[i]], in[perm[i]], stride});
  return problem;
}

/// `rows` rows of `blocks` * `size` places of `channels` floats, of which the first `low` and the
/// last `high` are filled; what has the same place in its block comes together.
inline Problem paddedRows(int64_t rows, int64_t blocks, int64_t size, int64_t channels, int64_t low,
                          int64_t high) {
  int64_t read = blocks * size - low - high;
  Problem problem;
  problem.width = 4;
  problem.digits = {{size, channels, rows * blocks * channels},
                    {rows, read * channels, blocks * channels},
                    {blocks, size * channels, channels},
                    {channels, 1, 1}};
  problem.inOffset = -low * channels;
  problem.read = {{{{2, size}, {0, 1}}, low, low + read}};
  return problem;
}

/// `rows` rows, each of `size` rows of `blocks` floats, put together place by place, of which the
/// first `low` and the last `high` are left out.
inline Problem croppedRows(int64_t rows, int64_t blocks, int64_t size, int64_t low, int64_t high) {
  int64_t row = blocks * size - low - high;
  Problem problem;
  problem.width = 4;
  problem.digits = {{rows, blocks, row}, {blocks, 1, size}, {size, rows * blocks, 1}};
  problem.outOffset = -low;
  problem.written = {{{{1, size}, {2, 1}}, low, low + row}};
  return problem;
}

inline Schedule pick(const Problem &problem, const ScheduleOptions &options = {}) {
  Result<Schedule> schedule = pickSchedule(problem, avx512(), options);
  EXPECT_TRUE(schedule);
  return schedule ? *schedule : Schedule();
}

} // namespace relayout::test

#endif // RELAYOUT_TEST_UNIT_SCHEDULE_SCHEDULECASES_H
