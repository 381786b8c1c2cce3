// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The order of accesses. Out of cache it decides the speed: few long contiguous read
/// streams, whole lines scattered over as many output pages as the TLB holds.

#include "Candidates.h"

#include "relayout/Layout/CheckedMath.h"

#include <algorithm>
#include <cmath>

using namespace relayout;
using namespace relayout::movement;

namespace {

/// The loops that still run in full, and those already placed (innermost first).
struct Nest {
  const PieceView &view;
  const TargetInfo &target;
  std::vector<int64_t> covered; ///< values of each digit inside the placed loops
  std::vector<Loop> placed;

  bool done(unsigned d) const { return covered[d] >= view.problem.digits[d].extent; }

  /// Places a loop over `d` up to `values` values.
  void place(unsigned d, int64_t values) {
    placed.push_back({d, covered[d]});
    covered[d] = std::min(values, view.problem.digits[d].extent);
  }
};

/// The values of `d`, a multiple of what is covered, that keep the live output pages
/// under `pages`; as many as there are, or a divisor of them where one is near.
int64_t blockWithin(const Nest &nest, unsigned d, double pages) {
  int64_t step = nest.covered[d];
  int64_t extent = nest.view.problem.digits[d].extent;
  auto fits = [&](int64_t values) {
    std::vector<int64_t> box = nest.covered;
    box[d] = values;
    return footprint(nest.view.problem, box, Side::Out, nest.target.pageBytes) <= pages;
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
  for (unsigned d : orderByStride(nest.view.problem, Side::In)) {
    if (nest.done(d))
      continue;
    int64_t values = blockWithin(nest, d, pages);
    if (values == nest.covered[d])
      return;
    nest.place(d, values);
    if (!nest.done(d))
      return;
  }
}

/// What is left, in the order of the output.
void placeRest(Nest &nest) {
  const Problem &problem = nest.view.problem;
  for (unsigned d : digitsLeft(problem, nest.covered))
    nest.place(d, problem.digits[d].extent);
}

/// Tiles side by side along the output, until each visit writes `bytes`.
void placeVisit(Nest &nest, int64_t bytes) {
  const Problem &problem = nest.view.problem;
  for (unsigned d : contiguousChain(problem, Side::Out)) {
    int64_t run = runBytes(problem, nest.covered, Side::Out);
    if (nest.done(d) || run >= bytes)
      continue;
    int64_t values = saturatingMul(nest.covered[d], bytes / run);
    if (values > nest.covered[d])
      nest.place(d, values);
    if (!nest.done(d))
      return;
  }
}

/// Rows far apart side by side, until `streams` are read at once.
void placeStreams(Nest &nest, int64_t streams) {
  if (std::optional<Loop> rows = rowsBeside(nest.view.problem, nest.covered, streams))
    nest.place(rows->digit, rows->step);
}

/// About `bytes` side by side on `side`, in steps of about the same size, of a multiple of `unit`
/// bytes if they are more.
void placeEvenly(Nest &nest, Side side, int64_t bytes, int64_t unit = 1) {
  const Problem &problem = nest.view.problem;
  for (unsigned d : contiguousChain(problem, side)) {
    int64_t run = runBytes(problem, nest.covered, side);
    if (run >= bytes)
      return;
    if (nest.done(d))
      continue;
    double wanted = static_cast<double>(nest.covered[d]) * bytes / run;
    int64_t extent = problem.digits[d].extent;
    int64_t blocks = std::max<int64_t>(1, std::llround(extent / wanted));
    int64_t step = std::max<int64_t>(1, unit / run) * nest.covered[d];
    int64_t values = ceilDiv(ceilDiv(extent, blocks), step) * step;
    if (values > nest.covered[d])
      nest.place(d, values);
    if (!nest.done(d))
      return;
  }
}

} // namespace

std::vector<unsigned> relayout::digitsLeft(const Problem &problem,
                                           const std::vector<int64_t> &covered) {
  std::vector<std::pair<int64_t, unsigned>> left;
  for (unsigned d = 0; d < problem.digits.size(); ++d)
    if (covered[d] < problem.digits[d].extent)
      left.push_back({saturatingMul(problem.digits[d].outStride, covered[d]), d});
  std::sort(left.begin(), left.end());
  std::vector<unsigned> digits;
  for (auto [advance, d] : left)
    digits.push_back(d);
  return digits;
}

std::optional<Loop> relayout::rowsBeside(const Problem &problem, const std::vector<int64_t> &box,
                                         int64_t streams) {
  int64_t has = rowsOf(problem, box, Side::In);
  if (has >= streams)
    return std::nullopt;
  for (unsigned d : orderByStride(problem, Side::In)) {
    int64_t apart = pitchOf(problem, d, Side::In);
    if (box[d] < problem.digits[d].extent && apart >= kApartBytes)
      return Loop{d,
                  std::min(saturatingMul(box[d], ceilDiv(streams, has)), problem.digits[d].extent)};
  }
  return std::nullopt;
}

LoopNest relayout::orderLoops(const PieceView &view, const TargetInfo &target, const Knobs &knobs,
                              const std::vector<int64_t> &tile) {
  Nest nest{view, target, tile, {}};
  size_t inside = 0;
  if (knobs.fetchBytes > 0 && !view.fill) {
    for (Side side : {knobs.along, knobs.along == Side::Out ? Side::In : Side::Out})
      placeEvenly(nest, side, side == Side::Out ? knobs.visitBytes : knobs.fetchBytes,
                  knobs.packs ? target.lineBytes : 1);
    inside = nest.placed.size();
    placeEvenly(nest, Side::Out, knobs.groupBytes);
    if (knobs.pages > 0)
      placeRunSet(nest, static_cast<double>(knobs.pages));
  } else if (knobs.pages > 0 && !view.fill) {
    placeVisit(nest, knobs.visitBytes);
    placeStreams(nest, knobs.streams);
    placeRunSet(nest, static_cast<double>(knobs.pages));
  }
  placeRest(nest);
  std::reverse(nest.placed.begin(), nest.placed.end());
  LoopNest loops{std::move(nest.placed), std::nullopt};
  if (inside > 0 && inside < loops.loops.size())
    loops.fetch = static_cast<unsigned>(loops.loops.size() - inside);
  return loops;
}
