// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Segments.h"

#include "relayout/Layout/CheckedMath.h"

#include <algorithm>

using namespace relayout;
using namespace relayout::movement;

bool relayout::isOverSegments(const std::vector<Loop> &loops, size_t i) {
  return std::any_of(loops.begin(), loops.begin() + i, [&](const Loop &outer) {
    return outer.digit == loops[i].digit && outer.step < loops[i].step;
  });
}

std::optional<size_t> relayout::segmentLoop(const std::vector<Loop> &loops, unsigned digit) {
  for (size_t i = 0; i < loops.size(); ++i)
    if (loops[i].digit == digit && isOverSegments(loops, i))
      return i;
  return std::nullopt;
}

Reading relayout::splitSegments(PieceView &view, PieceSchedule &schedule) {
  PieceSchedule inSegment = schedule;
  std::vector<unsigned> added;
  for (unsigned d = 0, digits = schedule.tile.size(); d < digits; ++d) {
    std::optional<size_t> segments = segmentLoop(schedule.loops, d);
    if (!segments)
      continue;
    Loop &loop = schedule.loops[*segments];
    Digit &digit = view.problem.digits[d];
    Digit outer{ceilDiv(digit.extent, loop.step), saturatingMul(digit.inStride, loop.step),
                saturatingMul(digit.outStride, loop.step)};
    digit.extent = loop.step;
    added.push_back(view.problem.digits.size());
    loop = {added.back(), 1};
    inSegment.loops.erase(inSegment.loops.begin() + *segmentLoop(inSegment.loops, d));
    schedule.tile.push_back(1);
    view.problem.digits.push_back(outer);
  }
  inSegment.tile = schedule.tile;
  Reading reading = readingOf(view.problem, inSegment);
  for (unsigned d : added) {
    reading.aside[d] = view.problem.digits[d].extent;
    reading.streams *= static_cast<double>(reading.aside[d]);
  }
  return reading;
}

std::optional<PieceSchedule> relayout::addSegments(const PieceView &view,
                                                   const PieceSchedule &schedule, int64_t count) {
  // Shorter ones are over before the prefetcher follows them.
  constexpr int64_t kLeastBytes = 16384;
  size_t depth = schedule.stage.value_or(schedule.loops.size());
  if (depth == 0)
    return std::nullopt;
  unsigned d = schedule.loops[depth - 1].digit;
  const Digit &digit = view.problem.digits[d];
  int64_t step = schedule.loops[depth - 1].step;
  int64_t segment = ceilDiv(ceilDiv(digit.extent, count), step) * step;
  if (segment >= digit.extent ||
      saturatingMul(saturatingMul(digit.inStride, segment), view.problem.width) < kLeastBytes)
    return std::nullopt;
  PieceSchedule result = schedule;
  result.loops.clear();
  size_t removed = 0; // blocks of the digit: a segment is shorter
  for (size_t i = 0; i < schedule.loops.size(); ++i) {
    if (i + 1 < depth && schedule.loops[i].digit == d) {
      if (schedule.carry && i < *schedule.carry)
        return std::nullopt;
      ++removed;
      continue;
    }
    result.loops.push_back(schedule.loops[i]);
    if (i + 1 == depth)
      result.loops.push_back({d, segment});
  }
  if (schedule.stage)
    result.stage = *schedule.stage - removed + 1;
  return result;
}
