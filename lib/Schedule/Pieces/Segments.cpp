// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Segments.h"

#include "relayout/Layout/CheckedMath.h"

using namespace relayout;
using namespace relayout::movement;

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
                                                   const PieceSchedule &schedule, unsigned d,
                                                   int64_t count, const TargetInfo &target) {
  // Shorter ones are over before the prefetcher follows them.
  constexpr int64_t kLeastPages = 4;
  if (schedule.fetch) // its blocks follow one another
    return std::nullopt;
  const std::vector<Loop> &loops = schedule.loops;
  size_t depth = schedule.stage.value_or(loops.size());
  size_t from = schedule.carry.value_or(0);
  std::optional<size_t> inner; // the loop over d inside of which the segments go
  for (size_t i = 0; i < depth; ++i)
    if (loops[i].digit == d)
      inner = i;
  if (!inner || *inner < from)
    return std::nullopt;
  const Digit &digit = view.problem.digits[d];
  int64_t step = loops[*inner].step;
  int64_t segment = ceilDiv(ceilDiv(digit.extent, count), step) * step;
  if (segment == step || segment >= digit.extent ||
      saturatingMul(saturatingMul(digit.inStride, segment), view.problem.width) <
          kLeastPages * target.pageBytes)
    return std::nullopt;
  PieceSchedule result = schedule;
  result.loops.clear();
  for (size_t i = 0; i < loops.size(); ++i) {
    if (i == depth)
      result.loops.push_back({d, segment});
    // Blocks of the digit go: a segment is one.
    if (i >= *inner || loops[i].digit != d)
      result.loops.push_back(loops[i]);
    else if (i < from)
      return std::nullopt;
  }
  if (depth == loops.size())
    result.loops.push_back({d, segment});
  if (schedule.stage)
    result.stage = *schedule.stage + result.loops.size() - loops.size();
  return result;
}
