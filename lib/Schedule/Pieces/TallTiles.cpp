// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Tiles of many whole lines, of which each writes one stretch. What the next one reads is
/// fetched all at once before such a tile; beside runs from scratch memory it is fetched line by
/// line (docs/schedules.md, "Tiles of many lines").

#include "Blocks.h"
#include "Pieces.h"

#include "relayout/Layout/CheckedMath.h"
#include "relayout/Support/CacheLine.h"

using namespace relayout;
using namespace relayout::movement;

/// True if a tile of `piece` reads many lines, each whole, and writes one stretch of them.
static bool hasTallTile(const Problem &problem, const PieceSchedule &piece) {
  constexpr int64_t kManyLines = 44;
  int64_t bytes = saturatingMul(elementsOf(piece.tile), problem.width);
  return bytes >= kManyLines * kLineBytes &&
         runBytes(problem, piece.tile, Side::In) >= kLineBytes &&
         runBytes(problem, piece.tile, Side::Out) == bytes;
}

std::optional<PieceSchedule> relayout::stageTallTiles(const PieceView &view,
                                                      const TargetInfo &target,
                                                      const PieceSchedule &piece) {
  const Problem &problem = view.problem;
  if (!target.memory.losesRows() || !isFromMemory(view) || piece.stage || piece.touch ||
      piece.pack || piece.store != StoreMode::NonTemporal || !hasTallTile(problem, piece))
    return std::nullopt;
  PieceSchedule staged;
  staged.tile = piece.tile;
  staged.store = piece.store;
  staged.vectorBytes = piece.vectorBytes;
  std::vector<unsigned> order = orderByStride(problem, Side::Out);
  for (auto d = order.rbegin(); d != order.rend(); ++d)
    if (piece.tile[*d] < problem.digits[*d].extent)
      staged.loops.push_back({*d, piece.tile[*d]});
  if (staged.loops.empty())
    return std::nullopt;
  staged.stage = staged.loops.size();
  const Loop &inner = staged.loops.back();
  int64_t run = elementsOf(piece.tile);
  if (saturatingMul(problem.digits[inner.digit].outStride, inner.step) == run)
    staged.carry = staged.loops.size() - 1; // the runs of blocks side by side go on
  staged.fetch = fetchDepth(view, staged, target);
  // Of rows that are no stretch, a tile's lines alone are fetched as well as before.
  if (!staged.fetch || rowsFetched(problem, staged) > 1)
    return std::nullopt;
  return staged;
}
