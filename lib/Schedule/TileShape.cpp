// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Which digits form the register tile.

#include "Candidates.h"

#include "relayout/Layout/CheckedMath.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

using namespace relayout;
using namespace relayout::movement;

namespace {

/// Straight-line code beyond these costs more compile time than it saves.
constexpr int64_t kTileElements = 2048;
constexpr double kTileInstructions = 200;

int64_t elements(const std::vector<int64_t> &tile) {
  return std::accumulate(tile.begin(), tile.end(), int64_t(1), saturatingMul);
}

/// Grows `tile` along the contiguous chain of a side, from stride 1 up, until its run
/// has `wanted` bytes and is a multiple of `multiple` bytes. A digit is taken in part
/// only where all of its tiles, the last one shifted back, then start at such multiples.
void growRun(const Problem &problem, Side side, int64_t wanted, int64_t multiple,
             std::vector<int64_t> &tile) {
  int64_t run = problem.width;
  for (unsigned d : contiguousChain(problem, side)) {
    if (run >= wanted && run % multiple == 0)
      return;
    int64_t extent = problem.digits[d].extent;
    int64_t step = multiple / std::gcd(run, multiple);
    int64_t part = ceilDiv(ceilDiv(wanted, run), step) * step;
    bool partly = part < extent && saturatingMul(run, extent - part) % multiple == 0;
    part = partly ? part : extent;
    tile[d] = std::max(tile[d], part);
    if (tile[d] < extent)
      return;
    run = saturatingMul(run, extent);
    if (run / problem.width > kTileElements)
      return;
  }
}

double vectorsOf(const std::vector<int64_t> &tile, int64_t width, int64_t vectorBytes) {
  return std::max(1.0, static_cast<double>(elements(tile)) * width / vectorBytes);
}

bool fits(const PieceView &view, const std::vector<int64_t> &tile, int64_t vectorBytes) {
  if (elements(tile) > kTileElements)
    return false;
  double vectors = vectorsOf(tile, view.problem.width, vectorBytes);
  return vectors * (2 + estimateShuffles(view, tile, vectorBytes)) <= kTileInstructions;
}

/// A tile without vectors: some elements along the output.
std::vector<int64_t> scalarTile(const Problem &problem) {
  std::vector<int64_t> tile(problem.digits.size(), 1);
  int64_t left = 8;
  for (unsigned d : orderByStride(problem, Side::Out)) {
    tile[d] = std::min(problem.digits[d].extent, left);
    left /= tile[d];
    if (tile[d] < problem.digits[d].extent)
      break;
  }
  return tile;
}

/// Input addresses of the elements of one output vector of the tile, relative.
std::vector<int64_t> sourcesOfVector(const Problem &problem, const std::vector<int64_t> &tile,
                                     int64_t lanes) {
  std::vector<unsigned> order = orderByStride(problem, Side::Out);
  std::vector<int64_t> sources(1, 0);
  for (unsigned d : order) {
    int64_t taken = std::min<int64_t>(tile[d], ceilDiv(lanes, sources.size()));
    size_t before = sources.size();
    for (int64_t value = 1; value < taken; ++value)
      for (size_t i = 0; i < before; ++i)
        sources.push_back(sources[i] + value * problem.digits[d].inStride);
    if (static_cast<int64_t>(sources.size()) >= lanes)
      break;
  }
  return sources;
}

bool isPowerOfTwo(int64_t value) { return value > 0 && (value & (value - 1)) == 0; }

} // namespace

double relayout::estimateShuffles(const PieceView &view, const std::vector<int64_t> &tile,
                                  int64_t vectorBytes) {
  const Problem &problem = view.problem;
  int64_t lanes = vectorBytes / problem.width;
  if (view.fill || lanes <= 1)
    return 0;
  std::set<int64_t> vectors;
  std::vector<int64_t> sources = sourcesOfVector(problem, tile, lanes);
  for (int64_t source : sources)
    vectors.insert(floorDiv(source, lanes));
  double drawn = vectors.size();
  bool swaps = true;
  for (int64_t extent : tile)
    swaps &= isPowerOfTwo(extent);
  bool inOrder = true;
  for (size_t i = 1; i < sources.size(); ++i)
    inOrder &= sources[i] == sources[i - 1] + 1;
  if (inOrder)
    return 0;
  return swaps ? std::max(1.0, std::ceil(std::log2(drawn))) : std::max(1.0, drawn - 1);
}

std::vector<int64_t> relayout::chooseTile(const PieceView &view, const TargetInfo &target,
                                          const Knobs &knobs) {
  const Problem &problem = view.problem;
  bool strided = contiguousChain(problem, Side::Out).empty() && !problem.digits.empty();
  if (target.vectorBytes <= problem.width || target.isa == VectorISA::Scalar || strided)
    return scalarTile(problem);
  // Whole lines first; where they need too large a tile, whole vectors; then less.
  for (int64_t multiple : {target.lineBytes, problem.width}) {
    for (int64_t share = 1; share <= 16; share *= 2) {
      std::vector<int64_t> tile(problem.digits.size(), 1);
      growRun(problem, Side::Out, std::max(knobs.outBytes / share, problem.width), multiple, tile);
      if (!view.fill)
        growRun(problem, Side::In, std::max(knobs.inBytes / share, problem.width), problem.width,
                tile);
      if (fits(view, tile, target.vectorBytes))
        return tile;
      if (multiple != problem.width && knobs.outBytes / share <= multiple)
        break;
    }
  }
  return scalarTile(problem);
}
