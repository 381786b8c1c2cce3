// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What distinguishes candidates: the knobs, where they start and how they vary.

#include "Knobs.h"

#include "relayout/Support/CacheLine.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace relayout;
using namespace relayout::movement;

namespace {

/// Instructions of a tile of much code, at most.
constexpr double kLongCode = 520;

/// Lines that compete for a set of the first cache while a loop goes along `digit`,
/// each of its values a stretch of `bytes` on `side`; 0 where they spread well.
double setPressure(const PieceView &view, const TargetInfo &target, unsigned digit, Side side,
                   int64_t bytes) {
  int64_t period = target.firstWayBytes();
  const Digit &d = view.problem.digits[digit];
  double lines = std::ceil(static_cast<double>(bytes) / kLineBytes);
  int64_t distance = pitchOf(view.problem, digit, side);
  double places = static_cast<double>(period / std::gcd(period, distance));
  double sets = static_cast<double>(period / kLineBytes);
  return 2 * places * lines > sets ? 0 : d.extent / places;
}

/// In cache: true if the order of the input would write lines that evict each other,
/// and the order of the output does not read such lines instead.
bool prefersOutputOrder(const PieceView &view, const TargetInfo &target) {
  constexpr double kCrowdedLines = 48, kCrowdedRuns = 8;
  std::vector<unsigned> in = orderByStride(view.problem, Side::In);
  std::vector<unsigned> out = orderByStride(view.problem, Side::Out);
  if (view.fill || in.size() < 2)
    return false;
  int64_t width = view.problem.width;
  if (keepsRuns(view))
    return setPressure(view, target, in[1], Side::Out, rowBytes(view.problem, Side::In)) >
           kCrowdedRuns;
  double written = setPressure(view, target, in[0], Side::Out, width);
  double read = setPressure(view, target, out[0], Side::In, width);
  // A tile reads 16 elements of a row. Of narrow ones that is a part of a line, which the
  // order of the output fetches again for each part.
  double parts = std::max<double>(1, 4.0 / width);
  return written > kCrowdedLines && 2 * written > parts * read;
}

/// Output pages that may be live.
int64_t outputPages(const TargetInfo &target) {
  return std::min<int64_t>(2048, target.tlbPages * 7 / 10);
}

/// What a tile reads of a row where units of `width` bytes are transposed.
void readAsTranspose(Knobs &knobs, int64_t width, const TargetInfo &target) {
  // Bytes and pairs of them take less, which keeps the code of a tile short.
  knobs.inMost = std::min(target.vectorBytes, width >= 4 ? kLineBytes : 16 * width);
  knobs.inLeast = knobs.inMost - knobs.inMost / 4;
}

/// Adds what varies where units of `width` bytes are transposed.
void addTransposes(const Knobs &base, int64_t width, const TargetInfo &target,
                   std::vector<Knobs> &all) {
  for (int64_t bytes : {64, 128, 256, 512})
    for (int64_t visit : {0, 128, 256, 512, 1024}) {
      all.push_back(base);
      all.back().outBytes = bytes;
      all.back().visitBytes = visit;
      if (target.nonTemporal && width >= 4 && bytes == 128 && visit == 0) {
        all.push_back(all.back());
        all.back().inLeast = all.back().inMost = kLineBytes / 2;
      }
      if (width < 4 && bytes == 64) {
        all.push_back(all.back());
        all.back().inLeast = all.back().inMost = kLineBytes;
        all.back().instructions = kLongCode;
        all.push_back(all.back());
        all.back().inLeast = all.back().inMost = kLineBytes / 2;
      }
    }
}

} // namespace

Knobs relayout::defaultKnobs(const PieceView &view, const TargetInfo &target, ResultHint hint) {
  Knobs knobs;
  int64_t width = view.problem.width;
  bool outOfCache = view.outOfCache;
  knobs.outBytes = kLineBytes;
  if (view.fill) {
    knobs.outBytes = 8 * kLineBytes;
  } else if (keepsRuns(view)) {
    knobs.inLeast = 768;
    knobs.inMost = 2048;
  } else {
    readAsTranspose(knobs, width, target);
    knobs.prefetchBytes = outOfCache ? target.memory.linesAhead * kLineBytes : 0;
  }
  knobs.pages = outputPages(target);
  if (!outOfCache && prefersOutputOrder(view, target))
    knobs.pages = 0;
  if (hint == ResultHint::Cold || (outOfCache && hint == ResultHint::Auto))
    knobs.store = StoreMode::NonTemporal;
  else if (view.outOfL1)
    knobs.store = StoreMode::Prefetch;
  return knobs;
}

std::vector<Knobs> relayout::rankedKnobs(const PieceView &view, const Knobs &base,
                                         const TargetInfo &target) {
  std::vector<Knobs> all{base};
  if (view.fill || !view.outOfCache)
    return all;
  if (!keepsRuns(view)) {
    addTransposes(base, view.problem.width, target, all);
    return all;
  }
  for (int64_t lines : {2, 4}) {
    all.push_back(base);
    all.back().outBytes = lines * base.outBytes;
    all.back().inLeast = std::max(base.outBytes, base.inLeast / lines);
    all.back().inMost = std::max(base.outBytes, base.inMost / lines);
    all.back().prefetchBytes = target.memory.linesAhead * kLineBytes;
    all.push_back(all.back());
    all.back().outBytes = base.outBytes;
    all.back().inLeast /= 2;
    all.back().inMost /= 2;
  }
  // Runs shorter than a line meet in lines, as single elements do.
  int64_t run = rowBytes(view.problem, Side::In);
  for (int64_t visit : {128, 512})
    if (run < kLineBytes)
      for (int64_t lines : {1, 2}) {
        all.push_back(base);
        all.back().visitBytes = visit;
        all.back().outBytes = lines * base.outBytes;
        all.back().prefetchBytes = target.memory.linesAhead * kLineBytes;
      }
  return all;
}

std::vector<Knobs> relayout::cachedKnobs(const Knobs &base, const TargetInfo &target,
                                         TileCode code) {
  std::vector<Knobs> all;
  bool isLong = code == TileCode::Long;
  for (int64_t written : {isLong ? 64 : 32, 256})
    for (int64_t read : {isLong ? 64 : 16, 256})
      for (int64_t pages : {int64_t(0), outputPages(target)}) {
        all.push_back(base);
        all.back().outBytes = written;
        all.back().inMost = read;
        all.back().inLeast = read - read / 4;
        all.back().wholeLines = false;
        all.back().pages = pages;
        if (isLong)
          all.back().instructions = kLongCode;
      }
  return all;
}

std::vector<Knobs> relayout::shortRunKnobs(const PieceView &view, const Knobs &base,
                                           const TargetInfo &target) {
  constexpr int64_t kShortRun = 2;
  std::vector<Knobs> all;
  if (view.fill || !view.outOfCache || !keepsRuns(view))
    return all;
  int64_t run = rowBytes(view.problem, Side::In);
  if (run > kShortRun)
    return all;
  Knobs unit = base;
  readAsTranspose(unit, run, target);
  addTransposes(unit, run, target, all);
  return all;
}

std::vector<Knobs> relayout::orderKnobs(const PieceView &view, const Knobs &base,
                                        const TargetInfo &target) {
  std::vector<Knobs> all;
  if (view.fill || !view.outOfCache)
    return all;
  for (int64_t streams : {1, 4, 8})
    for (int64_t pages : {base.pages, target.tlbPages, 4 * target.tlbPages, 16 * target.tlbPages}) {
      all.push_back(base);
      all.back().streams = streams;
      all.back().pages = pages;
    }
  return all;
}
