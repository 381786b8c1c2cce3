// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What a schedule costs, predicted from its accesses and its shuffles.

#include "CostModel.h"
#include "Pieces/BuildPiece.h"
#include "Pieces/Segments.h"

#include "relayout/Layout/CheckedMath.h"

#include <algorithm>

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

/// What loops and addresses take beside a tile's own work, which the memory's time hides mostly;
/// and, small, what its code costs the compiler and the processor's queues.
double tileFactor(const PieceView &view, const PieceSchedule &schedule, double shuffles) {
  constexpr double kEnoughVectors = 2, kOverhead = 0.05, kCode = 2e-4;
  double vectors = tileVectors(view.problem, schedule);
  double code = vectors * (2 + shuffles);
  // Where each output vector draws on most of the input's, all of them are live.
  constexpr double kRegisters = 32, kMixing = 5, kSpilled = 0.8;
  double spilled = vectors > kRegisters && shuffles > kMixing ? kSpilled : 1;
  if (vectors >= kRegisters && shuffles >= kMixing - 1)
    spilled = std::min(spilled, 0.95);
  vectors = std::min(vectors, kEnoughVectors);
  return spilled * vectors / (vectors + kOverhead) * (1 - kCode * std::min(code, 1000.0));
}

/// What is read of the blocks inside of the first `depth` loops, and the least that is written side
/// by side.
void takeBlock(const CostedPiece &piece, unsigned depth, Prediction &p, Writing &writing) {
  const Problem &problem = piece.problem();
  const std::vector<int64_t> &block = piece.boxes[piece.schedule.loops.size() - depth];
  p.readStreams = static_cast<double>(rowsOf(problem, block, Side::In));
  p.runBytes = static_cast<double>(runBytes(problem, block, Side::In));
  writing.chunkBytes =
      std::max(writing.chunkBytes, static_cast<double>(runBytes(problem, block, Side::Out)));
}

/// What `piece` accesses; what it writes at a visit becomes that of its blocks, if it has any.
Prediction accessesOf(const CostedPiece &piece, Writing &writing) {
  const PieceSchedule &schedule = piece.schedule;
  Prediction p;
  p.pages = livePages(piece);
  if (!piece.view.fill) {
    p.readStreams = piece.reading.streams;
    p.runBytes = static_cast<double>(piece.reading.run) * piece.problem().width;
    for (std::optional<unsigned> depth : {schedule.pack, schedule.touch, schedule.fetch})
      if (depth) {
        takeBlock(piece, *depth, p, writing);
        break;
      }
  }
  p.chunkBytes = writing.chunkBytes;
  if (schedule.vectorBytes > 0)
    p.shuffles = estimateShuffles(piece.view, schedule.tile, schedule.vectorBytes);
  return p;
}

/// The share of the bound that is left of a piece from memory.
double memoryFactor(const CostedPiece &piece, const Prediction &p, const Writing &writing) {
  constexpr double kBest = 0.93;
  double factor = kBest * readFactor(piece, p) * writeFactor(piece, p, writing);
  ReadBy by = readBy(piece.schedule);
  if (!piece.view.fill && (by == ReadBy::Tiles || by == ReadBy::TilesOfFetched))
    factor *= lineReuse(piece);
  return factor * tileFactor(piece.view, piece.schedule, p.shuffles) * storeFactor(piece, p);
}

/// The same of one that stays in the caches, unless it is stored past them.
double cacheFactor(const CostedPiece &piece, const Prediction &p) {
  constexpr double kPastCaches = 0.5;
  double past = piece.schedule.store == StoreMode::NonTemporal ? kPastCaches : 1;
  return past * cachedFactor(piece, p.shuffles) * storeFactor(piece, p);
}

} // namespace

double relayout::tileVectors(const Problem &problem, const PieceSchedule &schedule) {
  int64_t bytes = saturatingMul(elementsOf(schedule.tile), problem.width);
  return static_cast<double>(bytes) /
         static_cast<double>(std::max(schedule.vectorBytes, problem.width));
}

Prediction relayout::predictPiece(const PieceView &wholeView, const PieceSchedule &wholeSchedule,
                                  const TargetInfo &target) {
  constexpr double kScalar = 0.3;
  PieceView view = wholeView;
  PieceSchedule schedule = wholeSchedule;
  Reading reading = splitSegments(view, schedule);
  CostedPiece piece{view, schedule, target, reading, boxesOf(view.problem, schedule)};
  Writing writing = writingOf(piece);
  Prediction p = accessesOf(piece, writing);
  double repeated = repetition(view.problem, schedule);
  p.bytes = static_cast<double>(view.bytes) * repeated;
  p.ratio = view.outOfCache ? memoryFactor(piece, p, writing) / (repeated * repeated)
                            : cacheFactor(piece, p) / repeated;
  if (schedule.vectorBytes == 0)
    p.ratio *= kScalar;
  return p;
}

Prediction relayout::predict(const Schedule &schedule, const Problem &problem,
                             const TargetInfo &target) {
  std::vector<Piece> pieces = piecesOf(problem, schedule);
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
