// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Pieces of blocks that are long on both sides: for transposes of rows of a few values, where the
/// order of one side reads or writes crumbs of the other. Such a block goes along several digits of
/// each side, is fetched in such parts as a share of the second cache holds, and is moved through
/// scratch memory in parts of which the runs go on (docs/schedules.md, "Blocks of several digits").

#include "Blocks.h"
#include "LoopBuilder.h"
#include "Pieces.h"

#include "relayout/Layout/CheckedMath.h"
#include "relayout/Support/CacheLine.h"

#include <algorithm>

using namespace relayout;
using namespace relayout::movement;

namespace {

class BlockBuilder {
public:
  BlockBuilder(const PieceView &view, const TargetInfo &target)
      : view(view), problem(view.problem), target(target), in(contiguousChain(problem, Side::In)),
        out(contiguousChain(problem, Side::Out)) {}

  /// True if the rows of both sides are short, and of digits of their own.
  bool isApt() const {
    return !in.empty() && !out.empty() && in[0] != out[0] && hasShortRowsOfBoth(problem);
  }

  /// Blocks that read `inBytes` of each row and write `outBytes` of each, along `depth` digits of
  /// the output from visit to visit; none if there are no such blocks.
  std::optional<PieceSchedule> build(int64_t inBytes, int64_t outBytes, unsigned depth) {
    setTile();
    std::vector<int64_t> staged = grow(Side::Out, outBytes, piece.tile, in[0]);
    std::vector<int64_t> block = grow(Side::In, inBytes, staged, out[0]);
    for (unsigned d : in) {
      if (d == out[0] || piece.tile[d] == 1)
        break;
      staged[d] = block[d];
    }
    if (runBytes(problem, staged, Side::Out) < kLineBytes ||
        saturatingMul(elementsOf(staged), problem.width) > target.l1Bytes / 4 * 3 ||
        saturatingMul(elementsOf(block), problem.width) > target.l2Bytes / 2)
      return std::nullopt;
    for (unsigned d = 0; d < block.size(); ++d)
      if (block[d] != staged[d] && staged[d] != 1)
        return std::nullopt;
    placeLoops(staged, block, depth);
    if (!piece.carry || keptRows() * kLineBytes > target.l2Bytes / 4)
      return std::nullopt;
    return piece;
  }

private:
  /// Vectors of the input by about as many rows as make a lane group of the output, or twice as
  /// many of bytes.
  void setTile() {
    const int64_t kRows = problem.width == 1 ? 32 : 16;
    int64_t vector = kLineBytes / problem.width;
    piece.tile.assign(problem.digits.size(), 1);
    coverRow(problem, Side::Out, std::min(kRows, vector), piece.tile);
    coverRow(problem, Side::In, vector, piece.tile);
  }

  /// `box` grown along `side` to about `bytes`, as far as the digit `other`.
  std::vector<int64_t> grow(Side side, int64_t bytes, std::vector<int64_t> box,
                            unsigned other) const {
    for (unsigned d : side == Side::In ? in : out) {
      int64_t run = runBytes(problem, box, side), extent = problem.digits[d].extent;
      if (run >= bytes || d == other)
        break;
      if (box[d] == extent)
        continue;
      int64_t wanted = ceilDiv(bytes, run) * box[d];
      box[d] = wanted * 4 >= extent * 3 ? extent : evenPart(extent, wanted, box[d]);
      if (box[d] < extent)
        break;
    }
    return box;
  }

  /// The loops inside of the part that is staged, those over the other parts of the block, and
  /// those along which runs go on, if there are `depth`.
  void placeLoops(const std::vector<int64_t> &staged, const std::vector<int64_t> &block,
                  unsigned depth) {
    LoopBuilder nest(problem, piece.tile);
    nest.place(in[0], staged[in[0]]);
    for (unsigned d : out)
      nest.place(d, staged[d]);
    size_t inTiles = nest.size();
    for (unsigned d : in)
      nest.place(d, block[d]);
    size_t inBlock = nest.size();
    std::optional<std::vector<unsigned>> along = digitsAlong(problem, nest.box(), depth);
    if (!along)
      return;
    for (unsigned d : *along)
      nest.place(d, problem.digits[d].extent);
    size_t carried = nest.size();
    nest.placeRest();
    piece.loops = nest.loops();
    piece.stage = nest.outside(inTiles);
    piece.fetch = std::max<unsigned>(nest.outside(inBlock),
                                     fetchDepth(view, piece, target).value_or(*piece.stage));
    piece.carry = nest.outside(carried);
    piece.vectorBytes = target.vectorBytes;
    piece.store = StoreMode::NonTemporal;
  }

  /// Rows whose lines wait.
  int64_t keptRows() const {
    int64_t rows = 1;
    for (int64_t stride : stagedBlock(problem, piece).keptStrides)
      rows = std::max(rows, stride * problem.width / kLineBytes);
    return rows;
  }

  const PieceView &view;
  const Problem &problem;
  const TargetInfo &target;
  std::vector<unsigned> in, out;
  PieceSchedule piece;
};

} // namespace

bool relayout::hasShortRowsOfBoth(const Problem &problem) {
  constexpr int64_t kShortRead = 160, kShortWritten = 256;
  return rowBytes(problem, Side::In) < kShortRead && rowBytes(problem, Side::Out) < kShortWritten;
}

std::vector<PieceSchedule> relayout::blockPieces(const PieceView &view, const TargetInfo &target) {
  constexpr int64_t kMaxWidth = 4;
  std::vector<PieceSchedule> pieces;
  if (!target.memory.losesRows() || !isFromMemory(view) || view.problem.width > kMaxWidth ||
      !target.nonTemporal || !BlockBuilder(view, target).isApt())
    return pieces;
  for (int64_t inBytes : {512, 1024, 2048})
    for (int64_t outBytes : {128, 256, 512})
      for (unsigned depth : {1, 2})
        if (auto piece = BlockBuilder(view, target).build(inBytes, outBytes, depth))
          if (std::find(pieces.begin(), pieces.end(), *piece) == pieces.end())
            pieces.push_back(std::move(*piece));
  return pieces;
}
