// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Movement.h"
#include "relayout/Layout/CheckedMath.h"
#include "relayout/Schedule/Schedule.h"
#include "relayout/Support/CacheLine.h"

#include <algorithm>

using namespace relayout;
using namespace relayout::movement;

namespace {

/// Rows at a multiple of this meet in few sets of the first cache.
constexpr int64_t kAliasBytes = 512;

/// Elements from one run in scratch memory to the next: whole lines.
int64_t scratchPitch(int64_t run, int64_t width) {
  int64_t bytes = ceilDiv(saturatingMul(run, width), kLineBytes) * kLineBytes;
  return (bytes + (bytes % kAliasBytes == 0 ? kLineBytes : 0)) / width;
}

/// The digits over whose loops from `carry` on the runs of `block` go on: loops that advance in
/// the order of the output, those over digits that stride further outside of the others.
std::vector<bool> continuedDigits(const Problem &piece, const PieceSchedule &schedule,
                                  const StagedBlock &block, const std::vector<int64_t> &within) {
  std::vector<bool> along(piece.digits.size(), false);
  std::optional<size_t> outermost; // loop over the digits so far
  for (unsigned d : contiguousChain(piece, Side::Out)) {
    int64_t extent = piece.digits[d].extent;
    if (!outermost && block.extents[d] == extent)
      continue;
    if (outermost && block.extents[d] > 1)
      break; // its values are runs of their own
    std::optional<size_t> first;
    size_t last = 0;
    for (size_t i = *schedule.carry; i < *schedule.stage; ++i)
      if (schedule.loops[i].digit == d && !isOverSegments(schedule.loops, i)) {
        first = first ? first : i;
        last = i;
      }
    if (!first || (outermost && last > *outermost))
      break;
    along[d] = true;
    outermost = first;
    // A segment ends where another one has begun.
    if (within[d] < extent || segmentLoop(schedule.loops, d))
      break;
  }
  return along;
}

/// True if every block of digit `d` is visited before any run ends: if the loops over it stand
/// inside of one along the runs, of more than one visit.
bool isBegunFirst(const Problem &piece, unsigned d, const PieceSchedule &schedule,
                  const StagedBlock &block) {
  for (size_t i = *schedule.carry; i < *schedule.stage; ++i) {
    const Loop &loop = schedule.loops[i];
    if (block.along[loop.digit] && valuesWithin(piece, schedule.loops, i)[loop.digit] > loop.step)
      return true;
    if (schedule.loops[i].digit == d)
      return false;
  }
  return true;
}

/// The digit that comes next in the output's order where runs go on to its next value.
std::optional<unsigned> digitBehind(const Problem &piece, const PieceSchedule &schedule,
                                    const StagedBlock &block, const std::vector<int64_t> &within) {
  bool goOn = false;
  for (unsigned d : contiguousChain(piece, Side::Out)) {
    bool inRun = !goOn && block.extents[d] == piece.digits[d].extent;
    if (segmentLoop(schedule.loops, d))
      return std::nullopt;
    if (!block.along[d] && !inRun) {
      bool isJoined = goOn && within[d] > 1 && isBegunFirst(piece, d, schedule, block);
      return isJoined ? std::optional(d) : std::nullopt;
    }
    goOn |= block.along[d];
    if (within[d] < piece.digits[d].extent)
      return std::nullopt;
  }
  return std::nullopt;
}

/// True if the runs of `block` are runs of the input, of which no part is fill.
bool hasRunsOfInput(const Problem &piece, const PieceSchedule &schedule, const StagedBlock &block) {
  for (size_t d = 0; d < block.extents.size(); ++d) {
    const Digit &digit = piece.digits[d];
    if (block.extents[d] > 1 && digit.outStride < block.run && digit.inStride != digit.outStride)
      return false;
  }
  PieceWindows windows = windowsOf(piece, schedule);
  return !windows.border && !windows.crop &&
         std::all_of(windows.reads.begin(), windows.reads.end(),
                     [&](const DigitRange *range) { return hasOneOfEach(*range, block.extents); });
}

/// Puts the kept lines behind the block, one for each run that is not over when others go on.
void addKeptLines(const Problem &piece, const PieceSchedule &schedule, StagedBlock &block) {
  std::vector<int64_t> within = valuesWithin(piece, schedule.loops, *schedule.carry);
  block.along = continuedDigits(piece, schedule, block, within);
  for (unsigned d : orderByStride(piece, Side::Out))
    if (block.along[d])
      block.order.push_back(d);
  block.joined = digitBehind(piece, schedule, block, within);
  block.keptStrides.assign(piece.digits.size(), 0);
  int64_t line = kLineBytes / piece.width;
  block.fromInput = hasRunsOfInput(piece, schedule, block);
  if (block.fromInput) // what is before a filled run, and behind it
    block.elements = piece.read.empty() ? line : 2 * line + scratchPitch(block.run, piece.width);
  block.keptFirst = saturatingMul(ceilDiv(block.elements, line), line);
  // What is not read as a whole line may be written beside a kept one.
  int64_t next = block.fromInput ? 3 * line : line;
  for (unsigned d : orderByStride(piece, Side::In)) {
    bool inRun = piece.digits[d].outStride < block.run;
    std::optional<size_t> segments = segmentLoop(schedule.loops, d);
    bool hasOne = block.along[d] && !segments;
    if (within[d] == 1 || hasOne || (inRun && !block.along[d]))
      continue;
    int64_t kept = block.along[d] ? ceilDiv(within[d], schedule.loops[*segments].step) : within[d];
    block.keptStrides[d] = next;
    next = saturatingMul(next, kept);
  }
  block.headsFirst = checkedAdd(block.keptFirst, next).value_or(next);
  block.elements =
      block.joined ? checkedAdd(block.headsFirst, next).value_or(next) : block.headsFirst;
}

} // namespace

StagedBlock relayout::stagedBlock(const Problem &piece, const PieceSchedule &schedule) {
  StagedBlock block;
  block.extents = valuesWithin(piece, schedule.loops, *schedule.stage);
  block.run = contiguousRun(piece, block.extents, Side::Out);
  block.strides.assign(piece.digits.size(), 0);
  int64_t line = kLineBytes / piece.width;
  // What lies before a run in its line may be read too.
  block.first = schedule.carry ? line : 0;
  if (const DigitRange *crop = windowsOf(piece, schedule).crop)
    block.cropped = saturatingMul(crop->low, piece.digits[crop->terms.front().first].outStride /
                                                 crop->terms.front().second);
  int64_t next = scratchPitch(block.run, piece.width);
  for (unsigned d : orderByStride(piece, Side::Out)) {
    if (block.extents[d] == 1)
      continue;
    if (piece.digits[d].outStride < block.run) {
      block.strides[d] = piece.digits[d].outStride;
      continue;
    }
    block.strides[d] = next;
    next = saturatingMul(next, block.extents[d]);
  }
  // A vector may be read at the last element.
  block.elements = checkedAdd(block.first + line, next).value_or(next);
  if (schedule.carry)
    addKeptLines(piece, schedule, block);
  return block;
}
