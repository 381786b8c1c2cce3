// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Movement.h"
#include "relayout/Layout/CheckedMath.h"
#include "relayout/Schedule/Schedule.h"
#include "relayout/Support/CacheLine.h"

#include <algorithm>

using namespace relayout;
using namespace relayout::movement;

PackedBlock relayout::packedBlock(const Problem &piece, const PieceSchedule &schedule) {
  const int64_t line = std::max<int64_t>(1, kLineBytes / piece.width);
  PackedBlock block;
  block.extents = valuesWithin(piece, schedule.loops, *schedule.pack);
  block.run = contiguousRun(piece, block.extents, Side::In);
  block.strides.assign(piece.digits.size(), 0);
  if (schedule.stage)
    block.first = saturatingMul(ceilDiv(stagedBlock(piece, schedule).elements, line), line);
  // Rows of a line and more each begin on one.
  int64_t next = block.run < line ? block.run : saturatingMul(ceilDiv(block.run, line), line);
  for (unsigned d : contiguousChain(piece, Side::In))
    if (piece.digits[d].inStride < block.run)
      block.strides[d] = piece.digits[d].inStride;
  for (unsigned d : orderByStride(piece, Side::In))
    if (block.extents[d] > 1 && block.strides[d] == 0) {
      block.strides[d] = next;
      next = saturatingMul(next, block.extents[d]);
    }
  // A vector may be read at the last element.
  block.elements = checkedAdd(block.first, next + line).value_or(next);
  return block;
}

int64_t relayout::scratchElements(const Problem &piece, const PieceSchedule &schedule) {
  if (schedule.pack)
    return packedBlock(piece, schedule).elements;
  return schedule.stage ? stagedBlock(piece, schedule).elements : 0;
}
