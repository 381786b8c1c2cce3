// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Movement.h"
#include "relayout/Layout/CheckedMath.h"
#include "relayout/Schedule/Schedule.h"

#include <algorithm>

using namespace relayout;
using namespace relayout::movement;

namespace {

constexpr int64_t kLineBytes = 64;
/// Rows at a multiple of this meet in few sets of the first cache.
constexpr int64_t kAliasBytes = 512;

/// Elements from one run in scratch memory to the next: whole lines.
int64_t pitchOf(int64_t run, int64_t width) {
  int64_t bytes = ceilDiv(saturatingMul(run, width), kLineBytes) * kLineBytes;
  return (bytes + (bytes % kAliasBytes == 0 ? kLineBytes : 0)) / width;
}

} // namespace

StagedBlock relayout::stagedBlock(const Problem &piece, const PieceSchedule &schedule) {
  StagedBlock block;
  for (const Digit &digit : piece.digits)
    block.extents.push_back(digit.extent);
  for (size_t i = 0; i < *schedule.stage; ++i)
    block.extents[schedule.loops[i].digit] = schedule.loops[i].step;
  block.run = contiguousRun(piece, block.extents, Side::Out);
  block.strides.assign(piece.digits.size(), 0);
  int64_t next = pitchOf(block.run, piece.width);
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
  block.elements = next + kLineBytes / piece.width;
  return block;
}
