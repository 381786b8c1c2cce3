// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// How a nest reads: its streams, how far each goes straight on, and where their lines meet.

#include "Reading.h"

#include "relayout/Layout/CheckedMath.h"
#include "relayout/Support/CacheLine.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <set>

using namespace relayout;
using namespace relayout::movement;

std::optional<Loop> relayout::rowsBeside(const Problem &problem, const std::vector<int64_t> &box,
                                         int64_t streams) {
  int64_t has = rowsOf(problem, box, Side::In);
  if (has >= streams)
    return std::nullopt;
  for (unsigned d : orderByStride(problem, Side::In)) {
    int64_t apart = pitchOf(problem, d, Side::In);
    if (box[d] < problem.digits[d].extent && apart >= kApartBytes)
      return Loop{d,
                  std::min(saturatingMul(box[d], ceilDiv(streams, has)), problem.digits[d].extent)};
  }
  return std::nullopt;
}

int64_t relayout::valuesInside(const Problem &problem, const std::vector<Loop> &loops, size_t i) {
  for (size_t outer = i; outer-- > 0;)
    if (loops[outer].digit == loops[i].digit)
      return loops[outer].step;
  return problem.digits[loops[i].digit].extent;
}

/// True if what lies `jump` elements on follows `run` of them. Rows of a line and more are one
/// stretch although less than a line of each is cropped, or padded: what a digit covers beyond its
/// row is not read.
static bool goesOn(const Problem &problem, int64_t jump, int64_t run) {
  const int64_t line = kLineBytes / problem.width;
  return jump == run || (run >= line && std::abs(jump - run) < line);
}

/// Elements that streams read in all which jump at the loop `loops[i]` after `run` of them: outer
/// loops may return to where each of a few was left.
static int64_t resumedRun(const Problem &problem, const std::vector<Loop> &loops, size_t i,
                          int64_t run) {
  constexpr int64_t kFew = 16;
  int64_t rows = ceilDiv(valuesInside(problem, loops, i), loops[i].step);
  while (i-- > 0 && rows <= kFew) {
    int64_t stride = problem.digits[loops[i].digit].inStride;
    int64_t values = valuesInside(problem, loops, i);
    if (goesOn(problem, saturatingMul(stride, loops[i].step), run))
      run = saturatingMul(stride, values);
    else
      rows = saturatingMul(rows, ceilDiv(values, loops[i].step));
  }
  return run;
}

Reading relayout::readingOf(const Problem &problem, const PieceSchedule &piece) {
  Reading reading;
  std::vector<int64_t> box = piece.tile;
  reading.aside = box;
  reading.run = contiguousRun(problem, box, Side::In);
  reading.streams = static_cast<double>(rowsOf(problem, box, Side::In));
  reading.ofTile = reading.streams;
  bool advanced = false;
  int64_t adjacent = 1; ///< streams that are parts of one stretch
  for (size_t i = piece.loops.size(); i-- > 0;) {
    Loop loop = piece.loops[i];
    int64_t values = valuesInside(problem, piece.loops, i);
    int64_t stride = problem.digits[loop.digit].inStride;
    int64_t jump = saturatingMul(stride, loop.step);
    // Rows read side by side to their ends may be one stretch: the loops go on behind it.
    if (advanced)
      adjacent = std::max(adjacent, contiguousRun(problem, box, Side::In) / reading.run);
    if (!advanced)
      reading.aside = box;
    box[loop.digit] = values;
    bool isStraightOn = goesOn(problem, jump, reading.run);
    if (advanced && !isStraightOn && reading.jump == 0) {
      reading.row = reading.run;
      reading.jump = jump;
      reading.resumed = resumedRun(problem, piece.loops, i, reading.run);
    }
    if (goesOn(problem, jump, saturatingMul(reading.run, adjacent))) {
      // Values of a padded digit that are not read may lie on those of others.
      reading.run = std::max<int64_t>(1, saturatingMul(stride, values) / adjacent);
      advanced = true;
    } else if (advanced) {
      return reading;
    } else if (i == 0) {
      reading.row = reading.run;
      reading.jump = jump;
    } else {
      double rows = static_cast<double>(ceilDiv(values, loop.step));
      reading.streams *= rows;
      reading.beside *= rows;
    }
  }
  // Rows that tiles read whole are not read in turn: nothing goes on behind any of them.
  if (!advanced) {
    reading.streams = reading.ofTile;
    reading.beside = 1;
  }
  return reading;
}

double relayout::linesPerSet(const Problem &problem, const PieceSchedule &schedule,
                             const Reading &reading, int64_t wayBytes) {
  int64_t run = contiguousRun(problem, schedule.tile, Side::In);
  int64_t distance = 0;
  for (size_t d = 0; d < schedule.tile.size(); ++d)
    if (schedule.tile[d] > 1 && problem.digits[d].inStride >= run)
      distance = std::gcd(distance, pitchOf(problem, d, Side::In));
  if (distance == 0)
    return 0;
  double sets = static_cast<double>(wayBytes) /
                static_cast<double>(std::max(std::gcd(wayBytes, distance), kLineBytes));
  return reading.streams / sets;
}

double relayout::linesPerSet(const Problem &problem, const PieceSchedule &schedule,
                             const Reading &reading, const TargetInfo &target) {
  return linesPerSet(problem, schedule, reading, target.firstWayBytes());
}

bool relayout::readsPartLines(const Problem &problem, const std::vector<int64_t> &tile,
                              TileStarts starts) {
  constexpr int64_t kWord = 4;
  bool ofAny = starts == TileStarts::OfAny || problem.width == kWord;
  int64_t run = contiguousRun(problem, tile, Side::In);
  for (unsigned d = 0; d < tile.size(); ++d)
    if ((tile[d] > 1 || ofAny) && problem.digits[d].inStride >= run &&
        pitchOf(problem, d, Side::In) % kLineBytes != 0)
      return true;
  return false;
}

double relayout::boxLinesPerSet(const Problem &problem, Side side, const std::vector<int64_t> &box,
                                int64_t wayBytes) {
  int64_t run = runBytes(problem, box, side);
  std::vector<int64_t> starts{0};
  for (unsigned d = 0; d < box.size(); ++d) {
    int64_t pitch = pitchOf(problem, d, side);
    if (pitch < run)
      continue;
    for (size_t i = 0, count = starts.size(); i < count; ++i)
      for (int64_t value = 1; value < box[d]; ++value)
        starts.push_back(starts[i] + value * pitch);
  }
  std::set<int64_t> lines, sets;
  for (int64_t start : starts)
    for (int64_t line = start / kLineBytes; line * kLineBytes < start + run; ++line) {
      lines.insert(line);
      sets.insert(line % (wayBytes / kLineBytes));
    }
  return static_cast<double>(lines.size()) / static_cast<double>(sets.size());
}

bool relayout::evictsPartLines(const Problem &problem, const std::vector<int64_t> &tile,
                               const TargetInfo &target, TileStarts starts) {
  int64_t run = runBytes(problem, tile, Side::In);
  bool startsWithin = readsPartLines(problem, tile, starts);
  if (!startsWithin && run % kLineBytes == 0)
    return false;
  // The other half of a line is fetched once more, which as many again have to be worth.
  int64_t most = target.l1Ways * (startsWithin || 2 * run < kLineBytes ? 1 : 2);
  return boxLinesPerSet(problem, Side::In, tile, target.firstWayBytes()) >
         static_cast<double>(most);
}
