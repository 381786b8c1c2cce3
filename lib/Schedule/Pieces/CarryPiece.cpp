// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Pieces whose runs go on from block to block: for output rows that start anywhere in a line.
/// A visit writes a few whole lines of each row, and the part of a line with which it ends waits
/// in scratch memory for the next one. So the order is that of a piece whose rows start on lines:
/// few long reads, whole lines scattered.

#include "BuildPiece.h"
#include "Cost/Reading.h"
#include "LoopBuilder.h"
#include "Pieces.h"

#include "relayout/Layout/CheckedMath.h"
#include "relayout/Support/CacheLine.h"

#include <algorithm>
#include <set>

using namespace relayout;
using namespace relayout::movement;

namespace {

/// True if the last block of `values` of a digit of a few has much less of them, as two of three.
bool isUneven(int64_t extent, int64_t values) {
  return extent <= kFewValues && ceilDiv(extent, values) * values * 4 > extent * 5;
}

class CarryBuilder {
public:
  /// Digits of which a visit would write a part are written whole if that is `mostBytes` or less.
  CarryBuilder(const PieceView &view, const TargetInfo &target, const Knobs &knobs,
               const std::vector<int64_t> &tile, int64_t mostBytes = 0)
      : problem(view.problem), target(target), pages(static_cast<double>(knobs.pages)),
        streams(knobs.streams), mostBytes(mostBytes), chain(contiguousChain(problem, Side::Out)),
        along(problem.digits.size(), false) {
    piece.tile = tile;
    piece.vectorBytes = target.vectorBytes;
    piece.store = StoreMode::NonTemporal;
    box = piece.tile;
    for (unsigned d : view.whole)
      box[d] = problem.digits[d].extent;
  }

  /// Blocks that write `bytes` of a row at a visit, in loops that go along `depth` digits of the
  /// output, if `straightOn` in the order of the input; none if there are no such blocks.
  std::optional<PieceSchedule> build(int64_t bytes, unsigned depth, bool straightOn) {
    growRun(bytes);
    std::optional<std::vector<unsigned>> digits = digitsAlong(problem, box, depth);
    if (!digits || runBytes(problem, box, Side::Out) < kLineBytes)
      return std::nullopt;
    for (unsigned d : *digits)
      along[d] = true;
    LoopBuilder nest(problem, box);
    std::optional<Loop> rows = rowsBeside(problem, box, streams);
    if (rows && !along[rows->digit])
      nest.place(rows->digit, rows->step);
    placeReads(nest, straightOn);
    for (unsigned d : chain)
      if (along[d])
        nest.place(d, problem.digits[d].extent);
    size_t kept = nest.size();
    nest.placeRest();
    piece.loops = nest.loops();
    piece.stage = nest.size();
    piece.carry = nest.outside(kept);
    std::vector<unsigned> inOrder = orderByStride(problem, Side::In);
    for (auto d = inOrder.rbegin(); d != inOrder.rend(); ++d)
      if (piece.tile[*d] < box[*d])
        piece.loops.push_back({*d, piece.tile[*d]});
    return piece;
  }

private:
  /// Grows the box along the output until its run has `bytes`, in multiples of the tile.
  void growRun(int64_t bytes) {
    for (unsigned d : chain) {
      int64_t run = runBytes(problem, box, Side::Out);
      int64_t extent = problem.digits[d].extent;
      if (run >= bytes)
        return;
      if (box[d] == extent)
        continue;
      int64_t values = ceilDiv(bytes, run) * box[d];
      // The last block is shifted back, so that a multiple near the extent is the extent.
      bool isWhole = saturatingMul(run / box[d], extent) <= mostBytes;
      box[d] = values * 4 >= extent * 3 || isUneven(extent, values) || isWhole ? extent : values;
      if (box[d] < extent)
        return;
    }
  }

  /// The other digits in the order of the input, as many values as keep the output's pages
  /// within the reach of the TLB and the kept lines within a share of the second cache; if
  /// `straightOn`, those that runs go along have their place in that order, while it is the
  /// output's too.
  void placeReads(LoopBuilder &nest, bool straightOn) {
    int64_t lines = target.l2Bytes / 8 / kLineBytes;
    auto isOpen = [&](unsigned d) { return along[d] && !nest.isDone(d); };
    for (unsigned d : orderByStride(problem, Side::In)) {
      int64_t extent = problem.digits[d].extent, step = nest.box()[d];
      if (step == extent)
        continue;
      if (along[d]) {
        // Runs that go on along a digit further outside would each wait for all of its values.
        if (!straightOn || d != *std::find_if(chain.begin(), chain.end(), isOpen))
          return;
        nest.place(d, extent);
        if (std::none_of(chain.begin(), chain.end(), isOpen))
          return;
        continue;
      }
      auto fits = [&](int64_t values) {
        std::vector<int64_t> wider = nest.box();
        wider[d] = values;
        return footprint(problem, wider, Side::Out, target.pageBytes) <= pages &&
               rowsIn(wider) <= lines;
      };
      int64_t low = 1, high = ceilDiv(extent, step) + 1; // in steps: the most that fit
      while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        (fits(std::min(middle * step, extent)) ? low : high) = middle;
      }
      int64_t blocks = ceilDiv(ceilDiv(extent, step), low); // of equal size, about
      int64_t values = std::min(extent, ceilDiv(ceilDiv(extent, step), blocks) * step);
      if (values == step || isUneven(extent, values))
        return;
      nest.place(d, values);
      if (values < extent)
        return;
    }
  }

  /// Rows of the output of which a box has some.
  int64_t rowsIn(const std::vector<int64_t> &values) const {
    int64_t rows = 1, run = contiguousRun(problem, box, Side::Out);
    for (unsigned d = 0; d < values.size(); ++d)
      if (!along[d] && problem.digits[d].outStride >= run)
        rows = saturatingMul(rows, values[d]);
    return rows;
  }

  const Problem &problem;
  const TargetInfo &target;
  double pages;
  int64_t streams;
  int64_t mostBytes;
  std::vector<unsigned> chain;
  std::vector<bool> along; ///< digits over whose loops the runs go on
  PieceSchedule piece;
  std::vector<int64_t> box; ///< values of each digit in a block
};

/// Bytes to prefetch ahead: a few streams are followed further than many, and what a tile turns
/// reads straight on for long by the hardware alone
/// (docs/schedules.md, "Parts of lines that wait").
int64_t bytesAhead(const PieceView &view, const PieceSchedule &piece, const Knobs &knobs,
                   const TargetInfo &target) {
  constexpr int64_t kFurther = 4, kLongBytes = 1024;
  int64_t read = contiguousRun(view.problem, piece.tile, Side::In);
  if (saturatingMul(read, view.problem.width) >= kLongBytes &&
      !stagedBlock(view.problem, piece).fromInput)
    return 0;
  double few = static_cast<double>(target.memory.readStreams) / 4;
  bool isFew = readingOf(view.problem, piece).streams <= few;
  int64_t bytes = std::max(knobs.prefetchBytes, target.memory.linesAhead * kLineBytes);
  return bytes * (isFew ? kFurther : 1);
}

/// The tile of `knobs`; of runs that the input has as well, and that have a line, one. Borders
/// keep their digits whole.
std::vector<int64_t> tileToCarry(const PieceView &view, const TargetInfo &target,
                                 const Knobs &knobs) {
  std::vector<int64_t> tile = chooseTile(view, target, knobs);
  if (!keepsRuns(view) || !view.problem.read.empty())
    return tile;
  unsigned kept = contiguousChain(view.problem, Side::In)[0];
  std::vector<int64_t> one(tile.size(), 1);
  one[kept] = tile[kept];
  return saturatingMul(one[kept], view.problem.width) < kLineBytes ? tile : one;
}

/// Adds visits of one line and more to each row, along one digit of the output and more; where one
/// stream is read at a time, first in the order of the input.
void addVisits(const PieceView &view, const TargetInfo &target, const Knobs &knobs,
               const std::vector<int64_t> &tile, std::vector<PieceSchedule> &pieces) {
  constexpr unsigned kMaxAlong = 3;
  auto add = [&](int64_t lines, unsigned depth, bool straightOn) {
    CarryBuilder builder(view, target, knobs, tile);
    std::optional<PieceSchedule> piece = builder.build(lines * kLineBytes, depth, straightOn);
    if (!piece)
      return false;
    int64_t ahead = bytesAhead(view, *piece, knobs, target);
    piece->prefetch = prefetchDistance(view, *piece, ahead, target);
    if (std::find(pieces.begin(), pieces.end(), *piece) == pieces.end())
      pieces.push_back(std::move(*piece));
    return true;
  };
  for (int64_t lines : {1, 2, 4, 8})
    for (unsigned depth = 1; depth <= kMaxAlong; ++depth) {
      if (target.memory.fetches)
        add(lines, depth, true);
      if (!add(lines, depth, false))
        break;
    }
}

} // namespace

std::vector<PieceSchedule> relayout::carryPieces(const PieceView &view, const TargetInfo &target,
                                                 const std::vector<Knobs> &all, int64_t streams) {
  std::vector<PieceSchedule> pieces;
  if (view.fill || view.problem.width > kMaxStagedWidth || target.isa == VectorISA::Scalar ||
      !target.nonTemporal || contiguousChain(view.problem, Side::Out).empty())
    return pieces;
  std::set<std::vector<int64_t>> tiles; // many knobs give the same one
  for (Knobs knobs : all) {
    auto [tile, isNew] = tiles.insert(tileToCarry(view, target, knobs));
    if (!isNew)
      continue;
    knobs.streams = streams;
    for (int64_t pages : {knobs.pages, 4 * target.tlbPages}) {
      knobs.pages = pages;
      addVisits(view, target, knobs, *tile, pieces);
    }
  }
  return pieces;
}

std::optional<PieceSchedule> relayout::carryTile(const PieceView &view, const TargetInfo &target,
                                                 const Knobs &knobs,
                                                 const std::vector<int64_t> &tile, int64_t bytes,
                                                 int64_t mostBytes, unsigned depth) {
  if (!target.nonTemporal)
    return std::nullopt;
  CarryBuilder builder(view, target, knobs, tile, mostBytes);
  return builder.build(bytes, depth, /*straightOn=*/false);
}
