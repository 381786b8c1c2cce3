// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What it costs to write a piece: past the caches, through scratch memory, or into the caches.

#include "CostModel.h"

#include "relayout/Support/CacheLine.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace relayout;
using namespace relayout::movement;

namespace {

/// Bytes side by side of what ordinary stores write while it stays in a share of the second
/// cache: there parts of lines become whole ones, whatever the order. Rows with gaps between them
/// are better in a row, too, but no whole lines.
double cachedChunk(const Problem &problem, const std::vector<std::vector<int64_t>> &boxes,
                   const TargetInfo &target) {
  constexpr int64_t kShare = 8, kGain = 2;
  double lines = static_cast<double>(target.l2Bytes / kShare / kLineBytes);
  int64_t run = 1, near = 1;
  for (const std::vector<int64_t> &box : boxes)
    if (footprint(problem, box, Side::Out, kLineBytes) <= lines) {
      run = std::max(run, contiguousRun(problem, box, Side::Out));
      near = std::max(near, nearRun(problem, box, Side::Out));
    }
  return static_cast<double>(std::min(near, kGain * run)) * problem.width;
}

/// Digits outside of the chunk count from the innermost on, as far as some dozens of
/// chunks: what lies further apart in time does not meet in the memory's queues.
Writing chunksOf(const CostedPiece &piece) {
  constexpr double kQueued = 64;
  const auto &boxes = piece.boxes;
  const Problem &problem = piece.problem();
  const PieceSchedule &schedule = piece.schedule;
  auto run = [&](size_t i) { return contiguousRun(problem, boxes[i], Side::Out); };
  size_t visit = 0;
  while (visit + 1 < boxes.size() && run(visit + 1) > run(visit))
    ++visit;
  size_t outer = visit;
  while (outer + 1 < boxes.size() && run(outer + 1) == run(visit))
    ++outer;
  Writing writing;
  writing.chunkBytes = static_cast<double>(run(visit)) * problem.width;
  auto add = [&](unsigned d, int64_t values, int64_t step) {
    int64_t distance = saturatingMul(problem.digits[d].outStride, step);
    if (values <= 1 || distance < run(visit) || writing.inARow >= kQueued)
      return;
    writing.pitch = std::gcd(writing.pitch, saturatingMul(distance, problem.width));
    writing.inARow *= values;
  };
  for (unsigned d = 0; d < problem.digits.size(); ++d)
    add(d, schedule.tile[d], 1);
  for (size_t i = visit; i < outer; ++i) {
    Loop loop = schedule.loops[schedule.loops.size() - 1 - i];
    add(loop.digit, boxes[i + 1][loop.digit] / loop.step, loop.step);
  }
  return writing;
}

/// Bytes of a run of `block` with all of its parts: only its ends are parts of lines.
double carriedBytes(const Problem &problem, const PieceSchedule &schedule,
                    const StagedBlock &block) {
  double elements = static_cast<double>(block.run);
  for (unsigned d = 0; d < block.along.size(); ++d) {
    if (!block.along[d])
      continue;
    int64_t values = problem.digits[d].extent;
    for (size_t i = 0; i < *schedule.carry; ++i)
      if (schedule.loops[i].digit == d)
        values = schedule.loops[i].step;
    elements *= static_cast<double>(values) / static_cast<double>(block.extents[d]);
  }
  return elements * problem.width;
}

/// What is left by runs that are kept from visit to visit: their ends, what a visit takes beside
/// them, and for those that go through a block what its tiles take. Long visits hold up the reads
/// behind them.
double carryFactor(const Problem &problem, const PieceSchedule &schedule, double streams) {
  constexpr double kEndBytes = 256, kVisitBytes = 12, kLongBytes = 256, kLong = 0.06;
  constexpr double kTile = 0.1, kEnoughVectors = 8, kAgain = 0.85, kBlocks = 0.95;
  StagedBlock block = stagedBlock(problem, schedule);
  double all = carriedBytes(problem, schedule, block);
  double visit = static_cast<double>(block.run) * problem.width;
  double factor = 0.93 * visit / (visit + kVisitBytes) * all / (all + kEndBytes);
  if (visit > kLongBytes)
    factor *= std::pow(kLongBytes / visit, kLong);
  double vectors = std::min(tileVectors(problem, schedule), kEnoughVectors);
  // Several tiles a visit, each of which reads all rows of a block again.
  if (schedule.fetch && streams > 1 && block.run > contiguousRun(problem, schedule.tile, Side::Out))
    factor *= kAgain;
  // Runs that are read straight on need no blocks.
  if (schedule.fetch && block.fromInput)
    factor *= kBlocks;
  return block.fromInput ? factor : factor * vectors / (vectors + kTile);
}

/// What it costs a transpose to write the lines of a visit one after the other to all rows, rather
/// than at once to each of them, and to read parts of lines. Where rows are short, their lines do
/// not stay for the next tile (docs/schedules.md, "Two lines at once"). What is staged is
/// written to the caches, so that it only loses by parts of vectors that it reads; with ordinary
/// stores, lines wait long for their other parts.
double lineFactor(const CostedPiece &piece, double shuffles) {
  constexpr int64_t kLongRowBytes = 1024, kPartsApart = 512;
  const auto &[view, schedule, target, reading, boxes] = piece;
  if (shuffles < kTransposes)
    return 1;
  int64_t width = view.problem.width;
  int64_t read = runBytes(view.problem, schedule.tile, Side::In);
  int64_t written = runBytes(view.problem, schedule.tile, Side::Out);
  if (schedule.carry)
    written = stagedBlock(view.problem, schedule).run * width;
  else if (schedule.stage)
    return read < schedule.vectorBytes ? 0.85 : 1;
  if (schedule.store != StoreMode::NonTemporal)
    return written < kPartsApart ? 0.6 : 1;
  bool isLong = reading.jump == 0 || saturatingMul(reading.row, width) >= kLongRowBytes;
  double factor = 1;
  if (isLong && written < target.memory.visitBytes)
    factor *= 0.96;
  if (read < kLineBytes)
    factor *= isLong ? 0.99 : 0.92;
  return factor;
}

} // namespace

Writing relayout::writingOf(const CostedPiece &piece) {
  const Problem &problem = piece.problem();
  const PieceSchedule &schedule = piece.schedule;
  Writing writing = chunksOf(piece);
  if (schedule.store != StoreMode::NonTemporal)
    writing.chunkBytes = cachedChunk(problem, piece.boxes, piece.target);
  if (schedule.stage)
    writing.chunkBytes = static_cast<double>(stagedBlock(problem, schedule).run) * problem.width;
  return writing;
}

double relayout::livePages(const CostedPiece &piece) {
  const Problem &problem = piece.problem();
  const PieceSchedule &schedule = piece.schedule;
  const int64_t pageBytes = piece.target.pageBytes;
  double pages = footprint(problem, schedule.tile, Side::Out, pageBytes);
  for (size_t i = 0; i < schedule.loops.size(); ++i) {
    Loop loop = schedule.loops[schedule.loops.size() - 1 - i];
    int64_t advance = saturatingMul(saturatingMul(problem.digits[loop.digit].outStride, loop.step),
                                    problem.width);
    if (advance < pageBytes)
      pages = footprint(problem, piece.boxes[i], Side::Out, pageBytes);
  }
  return pages;
}

bool relayout::writesPastCaches(const PieceSchedule &schedule) {
  return schedule.store == StoreMode::NonTemporal && (!schedule.stage || schedule.carry);
}

double relayout::writeFactor(const CostedPiece &piece, const Prediction &p,
                             const Writing &writing) {
  constexpr double kReach = 0.6, kManyInARow = 64, kShortVisit = 0.8;
  constexpr int64_t kAliasBytes = 512;
  const PieceSchedule &schedule = piece.schedule;
  const TargetInfo &target = piece.target;
  const MemoryTraits &memory = target.memory;
  if (schedule.pack)
    return 1; // what it reads counts with it
  double factor = lineFactor(piece, p.shuffles);
  double reach = kReach * static_cast<double>(target.tlbPages), chunk = writing.chunkBytes;
  if (p.pages > reach)
    factor *= std::pow(reach / p.pages, memory.pageCost);
  bool pastCaches = writesPastCaches(schedule), isMany = writing.inARow >= kManyInARow;
  if (pastCaches && chunk < static_cast<double>(memory.visitBytes))
    factor *= kShortVisit;
  if (pastCaches && isMany && (!schedule.touch || schedule.carry))
    factor *= chunk / (chunk + static_cast<double>(memory.visitCost));
  if (isMany && writing.pitch % kAliasBytes == 0 && chunk < 2 * static_cast<double>(kLineBytes))
    factor *= memory.aliasedLines;
  return factor;
}

double relayout::storeFactor(const CostedPiece &piece, const Prediction &p) {
  constexpr double kStaged = 0.75, kStagedFar = 0.5, kStagedEnds = 128;
  constexpr double kFetched = 0.62, kUnfetched = 0.58, kEnds = 256;
  const PieceSchedule &schedule = piece.schedule;
  if (schedule.carry)
    return carryFactor(piece.problem(), schedule, p.readStreams);
  if (schedule.stage) {
    // Large blocks go through the second cache, and nothing is read while they are written.
    int64_t elements = stagedBlock(piece.problem(), schedule).elements;
    bool isFar = piece.target.memory.losesRows() &&
                 saturatingMul(elements, piece.problem().width) > piece.target.l1Bytes;
    return (isFar ? kStagedFar : kStaged) * p.chunkBytes / (p.chunkBytes + kStagedEnds);
  }
  if (!piece.view.outOfCache || schedule.store == StoreMode::NonTemporal)
    return 1;
  // Lines come early enough, if not by a prefetch then by the processor's own.
  bool isFetched = schedule.store == StoreMode::Prefetch || !piece.target.memory.fetchesWritten;
  return (isFetched ? kFetched : kUnfetched) * p.chunkBytes / (p.chunkBytes + kEnds);
}
