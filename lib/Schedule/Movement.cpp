// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Movement.h"

#include "relayout/Layout/CheckedMath.h"
#include "relayout/Support/CacheLine.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

using namespace relayout;
using namespace relayout::movement;

int64_t movement::saturatingMul(int64_t a, int64_t b) {
  return checkedMul(a, b).value_or(std::numeric_limits<int64_t>::max());
}

/// The least output stride among the digits of the crop that has digit `d`; that of `d` if none
/// has. Where a crop leaves so little that the digits outside of it stride no further than its
/// major one, it tells which is the inner one.
static int64_t innermostOfCrop(const Problem &problem, unsigned d) {
  int64_t least = problem.digits[d].outStride;
  for (const DigitRange &crop : problem.written)
    if (std::any_of(crop.terms.begin(), crop.terms.end(),
                    [&](auto term) { return term.first == d; }))
      for (auto [digit, coefficient] : crop.terms)
        least = std::min(least, problem.digits[digit].outStride);
  return least;
}

std::vector<unsigned> movement::orderByStride(const Problem &problem, Side side) {
  std::vector<unsigned> order(problem.digits.size());
  std::iota(order.begin(), order.end(), 0);
  auto key = [&](unsigned d) {
    int64_t inner = side == Side::Out ? innermostOfCrop(problem, d) : 0;
    return std::tuple(stride(problem.digits[d], side), inner, d);
  };
  std::sort(order.begin(), order.end(), [&](unsigned a, unsigned b) { return key(a) < key(b); });
  return order;
}

int64_t movement::evenPart(int64_t extent, int64_t most, int64_t unit) {
  int64_t part = ceilDiv(extent, ceilDiv(extent, std::max(most, unit)));
  return std::min(extent, ceilDiv(part, unit) * unit);
}

/// Elements of the stretch of all values of digit `d` and those below it, `values` in all. Of rows
/// that are cropped, what is written.
static int64_t stretchOf(const Problem &problem, unsigned d, Side side, int64_t values) {
  for (const DigitRange &crop : problem.written)
    if (side == Side::Out && !crop.terms.empty() && crop.terms.front().first == d)
      return saturatingMul(crop.high - crop.low,
                           problem.digits[d].outStride / crop.terms.front().second);
  return values;
}

std::vector<unsigned> movement::contiguousChain(const Problem &problem, Side side) {
  std::vector<unsigned> chain;
  int64_t next = 1;
  for (unsigned d : orderByStride(problem, side)) {
    if (stride(problem.digits[d], side) != next)
      break;
    chain.push_back(d);
    next = stretchOf(problem, d, side, saturatingMul(next, problem.digits[d].extent));
  }
  return chain;
}

int64_t movement::contiguousRun(const Problem &problem, const std::vector<int64_t> &extents,
                                Side side) {
  int64_t run = 1;
  for (unsigned d : contiguousChain(problem, side)) {
    run = saturatingMul(run, extents[d]);
    if (extents[d] != problem.digits[d].extent)
      break;
    run = stretchOf(problem, d, side, run);
  }
  return run;
}

int64_t movement::runBytes(const Problem &problem, const std::vector<int64_t> &extents, Side side) {
  return saturatingMul(contiguousRun(problem, extents, side), problem.width);
}

int64_t movement::elementsOf(const std::vector<int64_t> &extents) {
  return std::accumulate(extents.begin(), extents.end(), int64_t(1), saturatingMul);
}

int64_t movement::rowsOf(const Problem &problem, const std::vector<int64_t> &extents, Side side) {
  return elementsOf(extents) / contiguousRun(problem, extents, side);
}

int64_t movement::pitchOf(const Problem &problem, unsigned d, Side side) {
  return saturatingMul(stride(problem.digits[d], side), problem.width);
}

int64_t movement::nearRun(const Problem &problem, const std::vector<int64_t> &extents, Side side) {
  int64_t run = 1, whole = 1; // of the extents, and of all values
  for (unsigned d : orderByStride(problem, side)) {
    int64_t step = stride(problem.digits[d], side), extent = problem.digits[d].extent;
    if (step < whole || saturatingMul(step - whole, problem.width) >= kLineBytes)
      break;
    run = saturatingMul(extents[d] - 1, step) + run;
    if (extents[d] != extent)
      break;
    whole = saturatingMul(extent, step);
  }
  return run;
}

int64_t movement::rowBytes(const Problem &problem, Side side) {
  std::vector<unsigned> chain = contiguousChain(problem, side);
  int64_t values = chain.empty() ? 1 : problem.digits[chain[0]].extent;
  return saturatingMul(values, problem.width);
}

void movement::coverRow(const Problem &problem, Side side, int64_t most,
                        std::vector<int64_t> &box) {
  constexpr int64_t kFew = 8;
  int64_t run = 1;
  for (unsigned d : contiguousChain(problem, side)) {
    int64_t extent = problem.digits[d].extent;
    if (box[d] == 1)
      box[d] = evenPart(extent, std::max<int64_t>(1, most / run));
    run = saturatingMul(run, box[d]);
    if (run > kFew || box[d] < extent)
      return;
  }
}

double movement::footprint(const Problem &problem, const std::vector<int64_t> &extents, Side side,
                           int64_t blockBytes) {
  double span = 1; // elements from the first to the last of what lies within blocks
  double blocks = 1;
  double block = static_cast<double>(blockBytes) / problem.width;
  for (unsigned d : orderByStride(problem, side)) {
    double step = stride(problem.digits[d], side);
    if (extents[d] == 1)
      continue;
    if (step < std::max(block, span)) {
      span += (extents[d] - 1) * step;
      continue;
    }
    blocks *= extents[d];
  }
  return blocks * std::max(1.0, std::ceil(span / block));
}

bool movement::writesWholeLines(const Problem &problem, const std::vector<int64_t> &tile) {
  auto onLine = [&](int64_t elements) {
    return saturatingMul(elements % kLineBytes, problem.width) % kLineBytes == 0;
  };
  int64_t run = contiguousRun(problem, tile, Side::Out);
  if (!onLine(run) || !onLine(problem.outOffset))
    return false;
  for (size_t d = 0; d < tile.size(); ++d) {
    const Digit &digit = problem.digits[d];
    auto steps = [&](int64_t values) {
      return onLine((values % kLineBytes) * (digit.outStride % kLineBytes));
    };
    bool inRun = digit.outStride < run;
    if (tile[d] > 1 && !inRun && !steps(1))
      return false;
    if (tile[d] < digit.extent && !(steps(tile[d]) && steps(digit.extent - tile[d])))
      return false;
  }
  return true;
}
