// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What it costs to read a piece from the memory.

#include "CostModel.h"

#include "relayout/Support/CacheLine.h"

#include <algorithm>
#include <cmath>

using namespace relayout;
using namespace relayout::movement;

namespace {

/// What it costs to read short rows in turn, which the prefetcher loses at their ends, where a
/// tile itself reads a few.
double nearRowFactor(const Problem &problem, const Reading &reading) {
  constexpr int64_t kShortBytes = 16 << 10, kFew = 8;
  constexpr double kLost = 0.92;
  bool isShort = reading.jump != 0 && saturatingMul(reading.row, problem.width) < kShortBytes;
  return reading.beside > 1 && reading.ofTile < kFew && isShort ? kLost : 1;
}

/// Elements from one to the next of the rows of the input between which `tile` goes back and forth
/// as it writes; 0: none.
int64_t rowsOfTile(const Problem &problem, const std::vector<int64_t> &tile) {
  int64_t apart = 0;
  for (unsigned d : orderByStride(problem, Side::Out))
    for (unsigned inner = 0; tile[d] > 1 && inner < tile.size(); ++inner)
      if (tile[inner] > 1 && problem.digits[inner].outStride < problem.digits[d].outStride &&
          problem.digits[inner].inStride > problem.digits[d].inStride)
        apart = std::max(apart, problem.digits[inner].inStride);
  return apart;
}

/// What it costs to begin streams elsewhere, which the processor has to find again, and to leave
/// one for a few others and return to it; and where a tile reads some short rows, of which it finds
/// the next ones late.
double freshFactor(const Problem &problem, const std::vector<int64_t> &tile, const Reading &reading,
                   const TargetInfo &target) {
  constexpr double kReturnBytes = 100, kFewLines = 384, kShortBytes = 4608, kLate = 0.65;
  constexpr double kMany = 8; // rows of a tile: the next ones are found while one begins
  if (target.memory.freshBytes == 0 || reading.ofTile >= kMany)
    return 1;
  auto bytes = [&](int64_t run) { return static_cast<double>(saturatingMul(run, problem.width)); };
  double all = bytes(std::max(reading.resumed, reading.run)), run = bytes(reading.run);
  double row = reading.ofTile >= 2 ? bytes(std::max(reading.resumed, reading.row))
                                   : bytes(rowsOfTile(problem, tile));
  double late = row >= kFewLines && row < kShortBytes ? kLate : 1;
  if (reading.jump == 0)
    return late;
  return late * all / (all + static_cast<double>(target.memory.freshBytes)) * run /
         (run + kReturnBytes);
}

/// What it costs to move rows in turn, where one after the other is better.
double besideFactor(const Reading &reading, const TargetInfo &target) {
  return std::pow(std::max(1.0, reading.beside), -target.memory.besideCost);
}

/// What is left by reading rows of blocks that are fetched before: their ends, and that many rows
/// take many entries of the first TLB. One stretch is read nearly as well without, if nothing else
/// is between its lines.
double fetchFactor(const Prediction &p, bool isStaged) {
  constexpr double kShare = 0.95, kEndBytes = 80, kFewRows = 16, kRowCost = 0.15;
  constexpr double kStretchShare = 0.84;
  double factor = (isStaged || p.readStreams > 1 ? kShare : kStretchShare) * p.runBytes /
                  (p.runBytes + kEndBytes);
  return factor * std::pow(kFewRows / std::max(kFewRows, p.readStreams), kRowCost);
}

/// What is left by reading a block's lines in their order before it is moved: nothing is read
/// while a large one is written.
double touchFactor(double bytes) {
  constexpr double kEndBytes = 100, kEnough = 4096, kWaiting = 0.4;
  return bytes / (bytes + kEndBytes) * std::pow(kEnough / std::max(kEnough, bytes), kWaiting);
}

/// What is left by blocks that are copied before they are moved: the ends of their rows, and of
/// what is written side by side.
double packFactor(const Prediction &p) {
  constexpr double kRowBytes = 30, kChunkBytes = 45;
  return p.runBytes / (p.runBytes + kRowBytes) * p.chunkBytes / (p.chunkBytes + kChunkBytes);
}

/// What is left by streams that tiles read from the memory (docs/schedules.md, "Order of
/// accesses"): they restart at a cost, and the hardware follows some of them.
double streamFactor(const CostedPiece &piece, const Prediction &p) {
  constexpr double kRestartBytes = 700, kPrefetchedRestartBytes = 250, kBase = 0.985;
  constexpr double kUnfollowed = 0.8; // without a prefetch, of half as many as can be followed
  const PieceSchedule &schedule = piece.schedule;
  const MemoryTraits &memory = piece.target.memory;
  const double followed = static_cast<double>(memory.readStreams), streams = p.readStreams;
  double restart = schedule.prefetch > 0 ? kPrefetchedRestartBytes : kRestartBytes;
  double factor = p.runBytes * streams / (p.runBytes * streams + restart);
  factor *= p.runBytes / (p.runBytes + static_cast<double>(memory.restartBytes));
  // Prefetches into the second cache take the place of those of the processor's own.
  bool isFollowed = streams <= followed || (schedule.prefetch > 0 && schedule.cache == 2);
  if (!isFollowed)
    factor *= std::pow(followed / streams, memory.streamCost);
  // Measured: 128 rows of bytes, two lines a visit, half as fast as 64.
  if (!isFollowed && streams > 2 * followed)
    factor *= 2 * followed / streams;
  if (schedule.prefetch == 0)
    factor *= streams >= followed / 2 ? kBase * kUnfollowed : kBase;
  return factor;
}

/// What it costs to read one stream alone, or two or three. Rows within a page are one.
double loneFactor(const CostedPiece &piece, const Prediction &p) {
  constexpr double kFew = 4, kTwoOrThree = 0.4, kOrdinary = 0.95;
  const MemoryTraits &memory = piece.target.memory;
  double pages = footprint(piece.problem(), piece.reading.aside, Side::In, piece.target.pageBytes);
  double apart = std::min(p.readStreams, pages);
  if (piece.schedule.carry && apart < kFew)
    return 1 - memory.loneCarried * (apart < 2 ? 1 : kTwoOrThree);
  if (writesPastCaches(piece.schedule))
    return 1 - memory.loneStream / (apart * apart);
  return apart < kFew ? kOrdinary : 1;
}

/// True if parts of lines are put together of elements of two bytes, from rows that are not far
/// apart: smaller tiles are better there, whatever they read of a line (docs/schedules.md, "Blocks
/// of carried pieces").
bool carriesPairs(const PieceView &view, const PieceSchedule &piece) {
  constexpr int64_t kPair = 2, kFarBytes = 32 << 10;
  const Problem &problem = view.problem;
  std::vector<unsigned> chain = contiguousChain(problem, Side::Out);
  return piece.carry && problem.width == kPair && !keepsRuns(view) && !chain.empty() &&
         pitchOf(problem, chain[0], Side::In) < kFarBytes;
}

} // namespace

ReadBy relayout::readBy(const PieceSchedule &schedule) {
  if (schedule.pack)
    return ReadBy::Packs;
  if (schedule.touch)
    return ReadBy::Touches;
  return schedule.fetch ? ReadBy::TilesOfFetched : ReadBy::Tiles;
}

double relayout::readFactor(const CostedPiece &piece, const Prediction &p) {
  if (piece.view.fill)
    return 1;
  switch (readBy(piece.schedule)) {
  case ReadBy::Packs:
    return packFactor(p);
  case ReadBy::Touches:
    return touchFactor(p.runBytes);
  case ReadBy::TilesOfFetched:
    return fetchFactor(p, piece.schedule.stage.has_value());
  case ReadBy::Tiles:
    break;
  }
  return streamFactor(piece, p) * loneFactor(piece, p) *
         nearRowFactor(piece.problem(), piece.reading) * besideFactor(piece.reading, piece.target) *
         freshFactor(piece.problem(), piece.schedule.tile, piece.reading, piece.target);
}

double relayout::lineReuse(const CostedPiece &piece) {
  // A prefetch far ahead is of what the loops read after a jump: one line more.
  constexpr double kFarLines = 8;
  const auto &[view, schedule, target, reading, boxes] = piece;
  if (target.memory.losesRows() && carriesPairs(view, schedule))
    return 1;
  double line = static_cast<double>(kLineBytes);
  double ahead = static_cast<double>(saturatingMul(schedule.prefetch, view.problem.width)) / line;
  if (schedule.cache == 2)
    ahead = 0;
  double lines =
      linesPerSet(view.problem, schedule, reading, target) * (1 + (ahead > kFarLines ? 1 : ahead));
  // Half of the ways: another hardware thread may use the others.
  if (2 * lines <= static_cast<double>(target.l1Ways))
    return 1;
  double share = static_cast<double>(runBytes(view.problem, schedule.tile, Side::In)) / line;
  return std::pow(std::min(1.0, share), target.memory.partLines);
}
