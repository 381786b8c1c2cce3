// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Which digits form the register tile.

#include "BuildPiece.h"

#include "relayout/Layout/CheckedMath.h"
#include "relayout/Support/CacheLine.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

using namespace relayout;
using namespace relayout::movement;

namespace {

/// A contiguous stretch that a tile should cover, in bytes.
struct RunWish {
  int64_t least;
  int64_t most;
  int64_t multiple;      ///< the run, and where tiles start, are multiples of this
  bool wholeDigits;      ///< digits of a few values are taken whole or not at all
  int64_t mostWhole = 0; ///< bytes up to which the first digit is taken whole
};

/// True if `run` with all `extent` values of a digit is nearer to `wanted` than without them.
bool isNearerWhole(int64_t run, int64_t extent, int64_t wanted) {
  return saturatingMul(saturatingMul(run, run), extent) <= saturatingMul(wanted, wanted);
}

/// The multiple of `step` from `least` to `most` whose tiles repeat the fewest of
/// `extent` values when the last one is shifted back. A power of two is worth six
/// in a hundred (fewer shuffles: 640 x 330 bytes in cache 0.39 of memcpy in tiles of 16,
/// 0.31 in tiles of 15), half the code one.
int64_t choosePart(int64_t extent, int64_t least, int64_t most, int64_t step) {
  int64_t best = least;
  double bestScore = 0;
  for (int64_t part = least; part <= std::min(most, extent); part += step) {
    double moved = static_cast<double>(ceilDiv(extent, part)) * part / extent;
    double score = moved + (llvm::isPowerOf2_64(part) ? 0 : 0.06) + 0.02 * part / most;
    if (part == least || score < bestScore) {
      best = part;
      bestScore = score;
    }
  }
  return best;
}

/// Grows `tile` along the contiguous chain of a side, from stride 1 up. A digit is
/// taken in part only where all of its tiles then start at the wished multiples.
void growRun(const Problem &problem, Side side, RunWish wish, std::vector<int64_t> &tile) {
  int64_t run = problem.width;
  for (unsigned d : contiguousChain(problem, side)) {
    if (run >= wish.least && run % wish.multiple == 0)
      return;
    int64_t extent = problem.digits[d].extent;
    if (tile[d] == extent) {
      run = saturatingMul(run, extent);
      continue;
    }
    // What the other side has chosen is kept: its multiples stay multiples.
    int64_t step = std::max(tile[d], wish.multiple / std::gcd(run, wish.multiple));
    int64_t least = ceilDiv(ceilDiv(wish.least, run), step) * step;
    int64_t most = std::max(least, wish.most / run / step * step);
    bool partly = most < extent && saturatingMul(run, extent) % wish.multiple == 0;
    if (run == problem.width && saturatingMul(run, extent) <= wish.mostWhole)
      partly = false;
    if (partly && wish.wholeDigits && extent <= kFewValues) {
      if (run > problem.width && !isNearerWhole(run, extent, wish.most))
        return;
      partly = false;
    }
    tile[d] = partly ? choosePart(extent, least, most, step) : extent;
    if (partly)
      return;
    run = saturatingMul(run, extent);
    if (run / problem.width > kMaxTileElements)
      return;
  }
}

double vectorsOf(const std::vector<int64_t> &tile, int64_t width, int64_t vectorBytes) {
  return std::max(1.0, static_cast<double>(elementsOf(tile)) * width / vectorBytes);
}

bool fits(const PieceView &view, const std::vector<int64_t> &tile, int64_t vectorBytes,
          const Knobs &knobs) {
  if (elementsOf(tile) > kMaxTileElements || partsRead(view, tile, vectorBytes) > knobs.parts)
    return false;
  double vectors = vectorsOf(tile, view.problem.width, vectorBytes);
  return vectors * (2 + estimateShuffles(view, tile, vectorBytes)) <= knobs.instructions;
}

/// The least tile: all values of the digits of a border.
std::vector<int64_t> borderTile(const Problem &problem) {
  std::vector<int64_t> tile(problem.digits.size(), 1);
  for (const DigitRange &border : problem.read)
    for (auto [digit, coefficient] : border.terms)
      tile[digit] = problem.digits[digit].extent;
  return tile;
}

/// Bytes of a row of the output up to which a tile that wants `bytes` of it, a line at most, takes
/// all. Of narrow elements, little more than that is faster than two such parts
/// (docs/schedules.md, "Little more than a line").
int64_t mostWhole(const PieceView &view, const TargetInfo &target, int64_t bytes) {
  constexpr int64_t kNarrow = 2;
  bool gains = target.memory.losesRows() && view.problem.width <= kNarrow && !keepsRuns(view) &&
               bytes <= kLineBytes;
  return gains ? bytes * 7 / 5 : 0;
}

/// A tile without vectors: some elements along the output.
std::vector<int64_t> scalarTile(const Problem &problem) {
  std::vector<int64_t> tile = borderTile(problem);
  if (!problem.read.empty())
    return tile;
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

} // namespace

int64_t relayout::partsRead(const PieceView &view, const std::vector<int64_t> &tile,
                            int64_t vectorBytes) {
  if (view.fill)
    return 0;
  int64_t bytes = saturatingMul(elementsOf(tile), view.problem.width);
  return bytes / std::min(runBytes(view.problem, tile, Side::In), vectorBytes);
}

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
  bool inOrder = true;
  for (size_t i = 1; i < sources.size(); ++i)
    inOrder &= sources[i] == sources[i - 1] + 1;
  if (inOrder)
    return 0;
  bool swaps = std::all_of(tile.begin(), tile.end(), llvm::isPowerOf2_64);
  double stages = std::max(1.0, std::ceil(std::log2(vectors.size())));
  return swaps ? stages : 1.2 * stages;
}

std::vector<int64_t> relayout::chooseTile(const PieceView &view, const TargetInfo &target,
                                          const Knobs &knobs) {
  const Problem &problem = view.problem;
  bool strided = contiguousChain(problem, Side::Out).empty() && !problem.digits.empty();
  if (target.vectorBytes <= problem.width || target.isa == VectorISA::Scalar || strided)
    return scalarTile(problem);
  // Whole lines first; where they need too large a tile, whole vectors; then less.
  for (int64_t multiple : {kLineBytes, problem.width}) {
    if (multiple > problem.width && !knobs.wholeLines)
      continue;
    for (int64_t share = 1; share <= 16; share *= 2) {
      std::vector<int64_t> tile = borderTile(problem);
      bool whole = knobs.wholeDigits && multiple == problem.width;
      int64_t out = std::max(knobs.outBytes / share, problem.width);
      int64_t row = multiple == problem.width ? mostWhole(view, target, out) : 0;
      growRun(problem, Side::Out, {out, out, multiple, whole, row}, tile);
      RunWish read{knobs.inLeast / share, knobs.inMost / share, 1, whole};
      if (!view.fill)
        growRun(problem, Side::In, read, tile);
      if (fits(view, tile, target.vectorBytes, knobs) && isBorderApart(problem, tile))
        return tile;
    }
  }
  return scalarTile(problem);
}
