// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What a schedule costs, predicted from its accesses.

#include "Candidates.h"

#include "relayout/Layout/CheckedMath.h"

#include <algorithm>
#include <cmath>

using namespace relayout;
using namespace relayout::movement;

namespace {

double boxElements(const std::vector<int64_t> &box) {
  double elements = 1;
  for (int64_t extent : box)
    elements *= extent;
  return elements;
}

/// The boxes that the innermost 0, 1, 2 ... loops cover.
std::vector<std::vector<int64_t>> boxesOf(const Problem &problem, const PieceSchedule &schedule) {
  std::vector<std::vector<int64_t>> boxes{schedule.tile};
  const std::vector<Loop> &loops = schedule.loops;
  for (size_t i = loops.size(); i-- > 0;) {
    std::vector<int64_t> box = boxes.back();
    box[loops[i].digit] = problem.digits[loops[i].digit].extent;
    for (size_t outer = i; outer-- > 0;)
      if (loops[outer].digit == loops[i].digit) {
        box[loops[i].digit] = loops[outer].step;
        break;
      }
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

struct Reading {
  double streams;
  double runBytes;
};

/// Streams that advance side by side, and how far each goes before it jumps.
Reading readingOf(const Problem &problem, const std::vector<std::vector<int64_t>> &boxes) {
  constexpr double kMostStreams = 64;
  Reading reading{1, static_cast<double>(problem.width)};
  for (const std::vector<int64_t> &box : boxes) {
    double run = contiguousRun(problem, box, Side::In);
    double streams = boxElements(box) / run;
    if (&box != &boxes.front() && streams > kMostStreams)
      break;
    if (&box == &boxes.front() || run * problem.width > reading.runBytes)
      reading = {streams, run * problem.width};
  }
  return reading;
}

double runFactor(double runBytes) { return runBytes / (runBytes + 64); }

} // namespace

Prediction relayout::predictPiece(const PieceView &view, const PieceSchedule &schedule,
                                  const TargetInfo &target) {
  const Problem &problem = view.problem;
  std::vector<std::vector<int64_t>> boxes = boxesOf(problem, schedule);
  Prediction p;
  p.bytes = static_cast<double>(view.bytes);
  p.pages = livePages(problem, schedule, boxes, target.pageBytes);
  Reading reading = readingOf(problem, boxes);
  p.readStreams = view.fill ? 0 : reading.streams;
  p.runBytes = view.fill ? 0 : reading.runBytes;
  p.chunkBytes =
      static_cast<double>(contiguousRun(problem, schedule.tile, Side::Out)) * problem.width;
  if (schedule.vectorBytes > 0)
    p.shuffles = estimateShuffles(view, schedule.tile, schedule.vectorBytes);
  bool cached = view.bytes <= 2 * target.l2Bytes;
  p.ratio = cached ? 1 / (1 + 0.15 * p.shuffles) : 1;
  if (!view.fill)
    p.ratio *= runFactor(p.runBytes);
  p.ratio *= std::min(1.0, std::sqrt(target.tlbPages * 0.9 / std::max(1.0, p.pages)));
  if (p.readStreams > target.readStreams)
    p.ratio *= std::sqrt(target.readStreams / p.readStreams);
  if (!cached && schedule.store != StoreMode::NonTemporal)
    p.ratio *= schedule.store == StoreMode::Prefetch ? 0.6 : 0.5;
  if (cached && schedule.store == StoreMode::NonTemporal)
    p.ratio *= 0.5;
  if (schedule.vectorBytes == 0)
    p.ratio *= 0.3;
  return p;
}

Prediction relayout::predict(const Schedule &schedule, const Problem &problem,
                             const TargetInfo &target) {
  std::vector<Piece> pieces = splitIntoPieces(problem);
  Prediction all;
  double time = 0;
  for (size_t i = 0; i < std::min(pieces.size(), schedule.pieces.size()); ++i) {
    Prediction p = predictPiece(viewPiece(problem, pieces[i]), schedule.pieces[i], target);
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
