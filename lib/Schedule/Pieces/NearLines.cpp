// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Lines of fetched blocks that go from the second cache to the first before tiles read them. A
/// tile that is the first to read of many lines waits for all of them behind what is on its way
/// from memory (docs/schedules.md, "Lines come near").

#include "Blocks.h"
#include "Cost/Reading.h"

#include "relayout/Support/CacheLine.h"

using namespace relayout;
using namespace relayout::movement;

namespace {

/// True if what the next tile reads of each row lies behind what this one does.
bool goesAlongRows(const Problem &problem, const PieceSchedule &piece) {
  Loop next = piece.loops.back();
  return saturatingMul(problem.digits[next.digit].inStride, next.step) ==
         contiguousRun(problem, piece.tile, Side::In);
}

/// True if tiles read parts of lines of several rows, or the lines of rows one after the other, and
/// the first cache holds the next lines beside those that are read.
bool readsLines(const PieceView &view, const PieceSchedule &piece, const TargetInfo &target) {
  Reading reading = readingOf(view.problem, piece);
  double lines = linesPerSet(view.problem, piece, reading, target);
  int64_t bytes = runBytes(view.problem, piece.tile, Side::In);
  bool isNext = bytes < kLineBytes || (bytes == kLineBytes && goesAlongRows(view.problem, piece));
  return isNext && reading.ofTile > 1 && 2 * lines <= static_cast<double>(target.l1Ways);
}

} // namespace

PieceSchedule relayout::bringNear(const PieceView &view, const TargetInfo &target,
                                  PieceSchedule piece) {
  bool isFromInput = piece.carry && stagedBlock(view.problem, piece).fromInput;
  if (target.memory.losesRows() && piece.fetch && !piece.pack && piece.prefetch == 0 &&
      view.problem.read.empty() && !isFromInput && readsLines(view, piece, target))
    piece.near = kLineBytes / view.problem.width;
  return piece;
}

bool relayout::bringsBytesNear(const PieceView &view, const TargetInfo &target,
                               const PieceSchedule &piece) {
  if (view.problem.width != 1 || runBytes(view.problem, piece.tile, Side::In) != kLineBytes / 4 ||
      bringNear(view, target, piece).near == 0)
    return false;
  double lines = boxLinesPerSet(view.problem, Side::In, piece.tile, target.firstWayBytes());
  return 2 * lines <= static_cast<double>(target.l1Ways);
}
