// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The order of accesses. Out of cache it decides the speed: few long contiguous read
/// streams, whole lines scattered over as many output pages as the TLB holds.

#include "BuildPiece.h"
#include "Cost/Reading.h"
#include "LoopBuilder.h"

#include "relayout/Layout/CheckedMath.h"
#include "relayout/Support/CacheLine.h"

#include <algorithm>
#include <cmath>

using namespace relayout;
using namespace relayout::movement;

namespace {

struct Nest : LoopBuilder {
  Nest(const PieceView &view, const TargetInfo &target, const std::vector<int64_t> &tile)
      : LoopBuilder(view.problem, tile), problem(view.problem), target(target) {}

  const Problem &problem;
  const TargetInfo &target;
};

/// The values of `d`, a multiple of what is covered, that keep the live output pages
/// under `pages`; as many as there are, or a divisor of them where one is near.
int64_t blockWithin(const Nest &nest, unsigned d, double pages) {
  int64_t step = nest.box()[d];
  int64_t extent = nest.problem.digits[d].extent;
  auto fits = [&](int64_t values) {
    std::vector<int64_t> box = nest.box();
    box[d] = values;
    return footprint(nest.problem, box, Side::Out, nest.target.pageBytes) <= pages;
  };
  if (fits(extent))
    return extent;
  int64_t low = 1, high = ceilDiv(extent, step); // in steps: low fits, high does not
  while (high - low > 1) {
    int64_t middle = low + (high - low) / 2;
    (fits(middle * step) ? low : high) = middle;
  }
  for (int64_t steps = low; steps > low - low / 3 && extent % step == 0; --steps)
    if (extent / step % steps == 0)
      return steps * step;
  return low * step;
}

/// The digits in the order of the input, as far as the output's pages allow.
void placeRunSet(Nest &nest, double pages) {
  for (unsigned d : orderByStride(nest.problem, Side::In)) {
    if (nest.isDone(d))
      continue;
    int64_t values = blockWithin(nest, d, pages);
    if (values == nest.box()[d])
      return;
    nest.place(d, values);
    if (!nest.isDone(d))
      return;
  }
}

/// Tiles side by side along the output, until each visit writes `bytes`.
void placeVisit(Nest &nest, int64_t bytes) {
  const Problem &problem = nest.problem;
  for (unsigned d : contiguousChain(problem, Side::Out)) {
    int64_t run = runBytes(problem, nest.box(), Side::Out);
    if (nest.isDone(d) || run >= bytes)
      continue;
    int64_t values = saturatingMul(nest.box()[d], bytes / run);
    if (values > nest.box()[d])
      nest.place(d, values);
    if (!nest.isDone(d))
      return;
  }
}

/// Rows far apart side by side, until `streams` are read at once.
void placeStreams(Nest &nest, int64_t streams) {
  if (std::optional<Loop> rows = rowsBeside(nest.problem, nest.box(), streams))
    nest.place(rows->digit, rows->step);
}

/// About `bytes` side by side on `side`, in steps of about the same size, of a multiple of `unit`
/// bytes if they are more.
void placeEvenly(Nest &nest, Side side, int64_t bytes, int64_t unit = 1) {
  const Problem &problem = nest.problem;
  for (unsigned d : contiguousChain(problem, side)) {
    int64_t run = runBytes(problem, nest.box(), side);
    if (run >= bytes)
      return;
    if (nest.isDone(d))
      continue;
    double wanted = static_cast<double>(nest.box()[d]) * bytes / run;
    int64_t extent = problem.digits[d].extent;
    int64_t blocks = std::max<int64_t>(1, std::llround(extent / wanted));
    int64_t step = std::max<int64_t>(1, unit / run) * nest.box()[d];
    int64_t values = ceilDiv(ceilDiv(extent, blocks), step) * step;
    if (values > nest.box()[d])
      nest.place(d, values);
    if (!nest.isDone(d))
      return;
  }
}

} // namespace

LoopNest relayout::orderLoops(const PieceView &view, const TargetInfo &target, const Knobs &knobs,
                              const std::vector<int64_t> &tile) {
  Nest nest(view, target, tile);
  size_t inside = 0;
  if (knobs.fetchBytes > 0 && !view.fill) {
    for (Side side : {knobs.along, knobs.along == Side::Out ? Side::In : Side::Out})
      placeEvenly(nest, side, side == Side::Out ? knobs.visitBytes : knobs.fetchBytes,
                  knobs.packs ? kLineBytes : 1);
    inside = nest.size();
    placeEvenly(nest, Side::Out, knobs.groupBytes);
    if (knobs.pages > 0)
      placeRunSet(nest, static_cast<double>(knobs.pages));
  } else if (knobs.pages > 0 && !view.fill) {
    placeVisit(nest, knobs.visitBytes);
    placeStreams(nest, knobs.streams);
    placeRunSet(nest, static_cast<double>(knobs.pages));
  }
  nest.placeRest();
  LoopNest loops{nest.loops(), std::nullopt};
  if (inside > 0 && nest.outside(inside) > 0)
    loops.fetch = nest.outside(inside);
  return loops;
}
