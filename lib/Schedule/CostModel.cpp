// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What a schedule costs, predicted from its accesses.

#include "Candidates.h"
#include "Segments.h"

#include "relayout/Layout/CheckedMath.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace relayout;
using namespace relayout::movement;

namespace {

/// The boxes that the innermost 0, 1, 2 ... loops cover.
std::vector<std::vector<int64_t>> boxesOf(const Problem &problem, const PieceSchedule &schedule) {
  std::vector<std::vector<int64_t>> boxes{schedule.tile};
  const std::vector<Loop> &loops = schedule.loops;
  for (size_t i = loops.size(); i-- > 0;) {
    std::vector<int64_t> box = boxes.back();
    box[loops[i].digit] = valuesInside(problem, loops, i);
    boxes.push_back(std::move(box));
  }
  return boxes;
}

/// Output pages that must stay reachable: those written inside the outermost loop
/// that still returns to a page.
double livePages(const Problem &problem, const PieceSchedule &schedule,
                 const std::vector<std::vector<int64_t>> &boxes, int64_t pageBytes) {
  double pages = footprint(problem, schedule.tile, Side::Out, pageBytes);
  for (size_t i = 0; i < schedule.loops.size(); ++i) {
    Loop loop = schedule.loops[schedule.loops.size() - 1 - i];
    int64_t advance = saturatingMul(saturatingMul(problem.digits[loop.digit].outStride, loop.step),
                                    problem.width);
    if (advance < pageBytes)
      pages = footprint(problem, boxes[i], Side::Out, pageBytes);
  }
  return pages;
}

struct Writing {
  double chunkBytes; ///< written side by side at a visit
  int64_t pitch = 0; ///< bytes: what divides the distances of some chunks in a row
  double inARow = 1; ///< how many
};

/// Bytes side by side of what ordinary stores write while it stays in a share of the second
/// cache: there parts of lines become whole ones, whatever the order. Rows with gaps between them
/// are better in a row, too, but no whole lines.
double cachedChunk(const Problem &problem, const std::vector<std::vector<int64_t>> &boxes,
                   const TargetInfo &target) {
  constexpr int64_t kShare = 8, kGain = 2;
  double lines = static_cast<double>(target.l2Bytes / kShare / target.lineBytes);
  int64_t run = 1, near = 1;
  for (const std::vector<int64_t> &box : boxes)
    if (footprint(problem, box, Side::Out, target.lineBytes) <= lines) {
      run = std::max(run, contiguousRun(problem, box, Side::Out));
      near = std::max(near, nearRun(problem, box, Side::Out));
    }
  return static_cast<double>(std::min(near, kGain * run)) * problem.width;
}

/// Digits outside of the chunk count from the innermost on, as far as some dozens of
/// chunks: what lies further apart in time does not meet in the memory's queues.
Writing writingOf(const Problem &problem, const PieceSchedule &schedule,
                  const std::vector<std::vector<int64_t>> &boxes) {
  constexpr double kQueued = 64;
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

/// Elements moved, with those that shifted tiles and staged blocks repeat, for each element.
double repetition(const Problem &problem, const PieceSchedule &schedule) {
  double moved = 1;
  size_t staged = schedule.carry ? 0 : schedule.stage.value_or(0);
  auto cover = [&](int64_t values, int64_t part) {
    moved *= static_cast<double>(ceilDiv(values, part)) * part / values;
  };
  for (unsigned d = 0; d < schedule.tile.size(); ++d) {
    int64_t extent = problem.digits[d].extent, block = extent;
    for (size_t i = 0; i < staged; ++i)
      if (schedule.loops[i].digit == d)
        block = schedule.loops[i].step;
    cover(extent, block);
    cover(block, schedule.tile[d]);
  }
  return moved;
}

double tileVectors(const Problem &problem, const PieceSchedule &schedule) {
  int64_t bytes = saturatingMul(elementsOf(schedule.tile), problem.width);
  return static_cast<double>(bytes) /
         static_cast<double>(std::max(schedule.vectorBytes, problem.width));
}

/// What loops and addresses take beside a tile's own work, which the memory's time hides where it
/// is what counts; and, small, what its code costs the compiler and the processor's queues.
double tileFactor(const PieceView &view, const PieceSchedule &schedule, double shuffles) {
  const double kEnoughVectors = view.outOfCache ? 2 : 12;
  const double kOverhead = view.outOfCache ? 0.05 : 0.5;
  const double kCode = view.outOfCache ? 2e-4 : 1e-4;
  double vectors = tileVectors(view.problem, schedule);
  double code = vectors * (2 + shuffles);
  // Where each output vector draws on most of the input's, all of them are live.
  constexpr double kRegisters = 32, kMixing = 5, kSpilled = 0.8;
  double spilled = vectors > kRegisters && shuffles > kMixing ? kSpilled : 1;
  if (view.outOfCache && vectors >= kRegisters && shuffles >= kMixing - 1)
    spilled = std::min(spilled, 0.95);
  vectors = std::min(vectors, kEnoughVectors);
  return spilled * vectors / (vectors + kOverhead) * (1 - kCode * std::min(code, 1000.0));
}

/// What is left where a tile takes less than a line of each stream and the streams'
/// lines evict each other from the first cache before the next tile takes the rest.
double lineReuse(const Problem &problem, const PieceSchedule &schedule, const Reading &reading,
                 const TargetInfo &target) {
  // A prefetch far ahead is of what the loops read after a jump: one line more.
  constexpr double kFarLines = 8;
  double ahead = static_cast<double>(saturatingMul(schedule.prefetch, problem.width)) /
                 static_cast<double>(target.lineBytes);
  double lines =
      linesPerWay(problem, schedule, reading, target) * (1 + (ahead > kFarLines ? 1 : ahead));
  // Half of the ways: another hardware thread may use the others.
  if (2 * lines <= static_cast<double>(target.l1Ways))
    return 1;
  double share = static_cast<double>(runBytes(problem, schedule.tile, Side::In)) /
                 static_cast<double>(target.lineBytes);
  return std::pow(std::min(1.0, share), target.memory.partLines);
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

/// What it costs a transpose to write the lines of a visit one after the other to all rows, rather
/// than at once to each of them, and to read parts of lines. Where rows are short, their lines do
/// not stay for the next tile (docs/schedules.md, "Two lines at once"). What is staged is
/// written to the caches, so that it only loses by parts of vectors that it reads; with ordinary
/// stores, lines wait long for their other parts.
double lineFactor(const PieceView &view, const PieceSchedule &schedule, const Reading &reading,
                  double shuffles, const TargetInfo &target) {
  constexpr int64_t kLongRowBytes = 1024, kPartsApart = 512;
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
  if (read < target.lineBytes)
    factor *= isLong ? 0.99 : 0.92;
  return factor;
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

/// How many loops are outside of the blocks that are read before they are moved, if any are.
std::optional<unsigned> blockDepth(const PieceSchedule &schedule) {
  if (schedule.pack)
    return schedule.pack;
  return schedule.touch ? schedule.touch : schedule.fetch;
}

/// What is read of such a block, and the least that is written side by side.
void takeBlock(const Problem &problem, const std::vector<int64_t> &block, Prediction &p,
               Writing &writing) {
  p.readStreams = static_cast<double>(rowsOf(problem, block, Side::In));
  p.runBytes = static_cast<double>(runBytes(problem, block, Side::In));
  writing.chunkBytes =
      std::max(writing.chunkBytes, static_cast<double>(runBytes(problem, block, Side::Out)));
}

/// The share of the bound that the order of accesses leaves, out of cache. Measured
/// (docs/schedules.md, "Order of accesses"): streams restart at a cost, the
/// hardware follows some of them, pages beyond the TLB's reach cost a walk, and lone
/// lines at a pitch of a multiple of 512 bytes are slow to write.
double orderFactor(const Prediction &p, const Writing &writing, double pagesAside,
                   const PieceSchedule &schedule, const TargetInfo &target) {
  constexpr double kRestartBytes = 700, kPrefetchedRestartBytes = 250;
  const bool lineStores =
      schedule.store == StoreMode::NonTemporal && (!schedule.stage || schedule.carry);
  const double followed = static_cast<double>(target.memory.readStreams);
  double factor = 0.93;
  if (schedule.pack)
    return factor * packFactor(p);
  if (schedule.touch) {
    factor *= touchFactor(p.runBytes);
  } else if (p.readStreams > 0 && schedule.fetch) {
    factor *= fetchFactor(p, schedule.stage.has_value());
  } else if (p.readStreams > 0) {
    double restart = schedule.prefetch > 0 ? kPrefetchedRestartBytes : kRestartBytes;
    factor *= p.runBytes * p.readStreams / (p.runBytes * p.readStreams + restart);
    factor *= p.runBytes / (p.runBytes + static_cast<double>(target.memory.restartBytes));
    if (p.readStreams > followed)
      factor *= std::pow(followed / p.readStreams, target.memory.streamCost);
    // Measured: 128 rows of bytes, two lines a visit, half as fast as 64.
    if (p.readStreams > 2 * followed)
      factor *= 2 * followed / p.readStreams;
    if (p.readStreams >= followed / 2 && schedule.prefetch == 0)
      factor *= 0.8;
    // Measured (docs/schedules.md); rows within a page are one stream.
    double apart = std::min(p.readStreams, pagesAside);
    if (schedule.carry && apart < 4)
      factor *= 1 - target.memory.loneCarried * (apart < 2 ? 1 : 0.4);
    else if (lineStores)
      factor *= 1 - target.memory.loneStream / (apart * apart);
    else if (apart < 4)
      factor *= 0.95;
    if (schedule.prefetch == 0)
      factor *= 0.985;
  }
  double reach = 0.6 * static_cast<double>(target.tlbPages);
  if (p.pages > reach)
    factor *= std::pow(reach / p.pages, target.memory.pageCost);
  if (lineStores && writing.chunkBytes < static_cast<double>(target.memory.visitBytes))
    factor *= 0.8;
  bool isMany = writing.inARow >= 64;
  if (lineStores && isMany && (!schedule.touch || schedule.carry))
    factor *=
        writing.chunkBytes / (writing.chunkBytes + static_cast<double>(target.memory.visitCost));
  bool aliased = isMany && writing.pitch % 512 == 0;
  if (aliased && writing.chunkBytes < 2 * static_cast<double>(target.lineBytes))
    factor *= target.memory.aliasedLines;
  return factor;
}

} // namespace

Prediction relayout::predictPiece(const PieceView &wholeView, const PieceSchedule &wholeSchedule,
                                  const TargetInfo &target) {
  PieceView view = wholeView;
  PieceSchedule schedule = wholeSchedule;
  Reading reading = splitSegments(view, schedule);
  const Problem &problem = view.problem;
  std::vector<std::vector<int64_t>> boxes = boxesOf(problem, schedule);
  Prediction p;
  double repeated = repetition(problem, schedule);
  p.bytes = static_cast<double>(view.bytes) * repeated;
  p.pages = livePages(problem, schedule, boxes, target.pageBytes);
  Writing writing = writingOf(problem, schedule, boxes);
  if (schedule.store != StoreMode::NonTemporal)
    writing.chunkBytes = cachedChunk(problem, boxes, target);
  if (schedule.stage)
    writing.chunkBytes = static_cast<double>(stagedBlock(problem, schedule).run) * problem.width;
  p.readStreams = view.fill ? 0 : reading.streams;
  p.runBytes = view.fill ? 0 : static_cast<double>(reading.run) * problem.width;
  if (std::optional<unsigned> depth = blockDepth(schedule); depth && !view.fill)
    takeBlock(problem, boxes[schedule.loops.size() - *depth], p, writing);
  p.chunkBytes = writing.chunkBytes;
  if (schedule.vectorBytes > 0)
    p.shuffles = estimateShuffles(view, schedule.tile, schedule.vectorBytes);
  bool cached = !view.outOfCache;
  // Early enough, if not by a prefetch then by the processor's own.
  bool isFetched = schedule.store == StoreMode::Prefetch || !target.memory.fetchesWritten;
  double pagesAside = footprint(problem, reading.aside, Side::In, target.pageBytes);
  if (cached)
    p.ratio = 1 / (1 + 0.15 * p.shuffles);
  else
    p.ratio = orderFactor(p, writing, pagesAside, schedule, target);
  if (!cached && !schedule.pack)
    p.ratio *= lineFactor(view, schedule, reading, p.shuffles, target);
  p.ratio /= repeated * repeated;
  if (!view.fill && !schedule.touch && !schedule.pack)
    p.ratio *= lineReuse(problem, schedule, reading, target);
  p.ratio *= tileFactor(view, schedule, p.shuffles);
  if (!cached && !schedule.fetch && !schedule.touch && !schedule.pack)
    p.ratio *= nearRowFactor(problem, reading) * besideFactor(reading, target) *
               freshFactor(problem, schedule.tile, reading, target);
  if (schedule.carry)
    p.ratio *= carryFactor(problem, schedule, p.readStreams);
  else if (schedule.stage)
    p.ratio *= 0.75 * p.chunkBytes / (p.chunkBytes + 128);
  else if (!cached && schedule.store != StoreMode::NonTemporal)
    p.ratio *= (isFetched ? 0.62 : 0.58) * p.chunkBytes / (p.chunkBytes + 256);
  if (cached && schedule.store == StoreMode::NonTemporal)
    p.ratio *= 0.5;
  if (schedule.vectorBytes == 0)
    p.ratio *= 0.3;
  return p;
}

Prediction relayout::predict(const Schedule &schedule, const Problem &problem,
                             const TargetInfo &target) {
  std::vector<Piece> pieces = splitWithBorders(problem);
  Prediction all;
  double time = 0;
  std::vector<PieceView> views = viewPieces(problem, pieces, target);
  for (size_t i = 0; i < std::min(views.size(), schedule.pieces.size()); ++i) {
    Prediction p = predictPiece(views[i], schedule.pieces[i], target);
    all.bytes += p.bytes;
    time += p.bytes / std::max(p.ratio, 1e-6);
    all.pages = std::max(all.pages, p.pages);
    all.readStreams = std::max(all.readStreams, p.readStreams);
    all.shuffles = std::max(all.shuffles, p.shuffles);
    all.runBytes = std::max(all.runBytes, p.runBytes);
    all.chunkBytes = std::max(all.chunkBytes, p.chunkBytes);
  }
  all.ratio = time > 0 ? all.bytes / time : 1;
  return all;
}
