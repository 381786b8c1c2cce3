// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Pieces of short runs that go to several rows of the output at each place along these, as patches
/// of many channels do on their way back to images: the cell that the input has for a place is one
/// stretch, and some cells are fetched at a time (docs/schedules.md, "Cells").

#include "Blocks.h"
#include "Pieces.h"

#include "relayout/Layout/CheckedMath.h"
#include "relayout/Support/CacheLine.h"

#include <algorithm>

using namespace relayout;
using namespace relayout::movement;

namespace {

/// Of the second cache, for the lines that wait, and for cells.
constexpr int64_t kShare = 8;

/// The input has a cell for each value of `along`, in which the runs of `kept` belong to different
/// rows of the output: those of the digits `rows`, the innermost first.
struct Cells {
  unsigned kept, along;
  std::vector<unsigned> rows;
  int64_t run, bytes; ///< of a run and of a cell
};

/// None if the runs beside each other in the input go to no such rows.
std::optional<Cells> cellsOf(const Problem &problem) {
  std::vector<unsigned> in = contiguousChain(problem, Side::In);
  std::vector<unsigned> out = contiguousChain(problem, Side::Out);
  if (in.empty() || out.size() < 2 || in[0] != out[0])
    return std::nullopt;
  auto along = std::find(in.begin(), in.end(), out[1]);
  if (along == in.end() || along - in.begin() < 3)
    return std::nullopt;
  return Cells{in[0],
               out[1],
               {in.begin() + 1, along},
               rowBytes(problem, Side::In),
               pitchOf(problem, out[1], Side::In)};
}

/// True if cells are so long, and of so many rows, that what goes to these all at once is slow, and
/// rows so long that some cells of each are worth it (docs/schedules.md, "Cells").
bool gainsByCells(const Cells &cells, int64_t extent, const TargetInfo &target) {
  constexpr int64_t kLeastCell = 192, kManyRows = 32;
  constexpr int64_t kLeastRow = 256, kLongRow = 1 << 10, kManyCells = 48;
  int64_t rows = cells.bytes / cells.run, row = saturatingMul(extent, cells.run);
  bool isLong = row >= kLongRow || (row >= kLeastRow && extent >= kManyCells);
  return cells.run < kLineBytes && cells.bytes >= kLeastCell && rows >= kManyRows && isLong &&
         rows <= target.l2Bytes / kShare / kLineBytes;
}

/// A divisor of `extent`: the largest that is at most `most`, or where that is little, one that is
/// up to twice as much.
int64_t partOf(int64_t extent, int64_t most) {
  int64_t part = std::min(extent, std::max<int64_t>(most, 1));
  while (extent % part != 0)
    --part;
  for (int64_t more = most + 1; part * 2 <= most && more <= std::min(extent, 2 * most); ++more)
    if (extent % more == 0)
      part = more;
  return part;
}

/// Takes about `most` rows of a cell into `tile`: how many.
int64_t takeRows(const Problem &problem, const Cells &cells, int64_t most,
                 std::vector<int64_t> &tile) {
  int64_t rows = 1;
  for (unsigned d : cells.rows) {
    if (rows * 2 > most)
      break;
    tile[d] = partOf(problem.digits[d].extent, most / rows);
    rows *= tile[d];
    if (tile[d] < problem.digits[d].extent)
      break;
  }
  return rows;
}

/// Values of `along` that a group of cells has, and a tile, which divides it: equal parts of all.
struct Grouped {
  int64_t group, tile;
};

/// Groups of which the first cache holds the cells, beside as much again, or that have some lines
/// of each row; none if a few of `extent` cells have too many bytes. Tiles have about `bytes` of a
/// row.
std::optional<Grouped> groupCells(const Cells &cells, int64_t extent, int64_t bytes,
                                  const TargetInfo &target) {
  constexpr int64_t kVisitBytes = 256;
  int64_t lines = std::min(ceilDiv(kVisitBytes, cells.run), target.l2Bytes / kShare / cells.bytes);
  int64_t most = std::min(std::max(target.l1Bytes / 2 / cells.bytes, lines), extent / 2);
  int64_t group = most < 1 ? 0 : evenPart(extent, most);
  if (saturatingMul(group, cells.run) < kLineBytes)
    return std::nullopt;
  int64_t tiles = std::max<int64_t>(1, (group * cells.run + bytes / 2) / bytes);
  int64_t tile = ceilDiv(group, tiles);
  return Grouped{tile * ceilDiv(group, tile), tile};
}

} // namespace

std::optional<PieceSchedule> relayout::cellPiece(const PieceView &view, const TargetInfo &target) {
  constexpr int64_t kTileRows = 8, kTileBytes = 768;
  if (!target.memory.losesRows() || !target.nonTemporal || !isFromMemory(view) || !keepsRuns(view))
    return std::nullopt;
  const Problem &problem = view.problem;
  std::optional<Cells> cells = cellsOf(problem);
  if (!cells || !gainsByCells(*cells, problem.digits[cells->along].extent, target))
    return std::nullopt;
  auto [kept, along] = std::pair(cells->kept, cells->along);
  PieceSchedule piece;
  piece.tile.assign(problem.digits.size(), 1);
  piece.tile[kept] = problem.digits[kept].extent;
  int64_t rows = takeRows(problem, *cells, kTileRows, piece.tile);
  int64_t bytes = std::max(kLineBytes, std::min(2 * kLineBytes, kTileBytes / rows));
  std::optional<Grouped> grouped = groupCells(*cells, problem.digits[along].extent, bytes, target);
  if (!grouped)
    return std::nullopt;
  piece.tile[along] = grouped->tile;
  std::vector<unsigned> order = orderByStride(problem, Side::In);
  for (auto d = order.rbegin(); d != order.rend(); ++d) {
    int64_t step = *d == along ? grouped->group : piece.tile[*d];
    if (*d == along) {
      piece.carry = piece.loops.size();
      piece.fetch = piece.loops.size() + 1;
    }
    if (step < problem.digits[*d].extent)
      piece.loops.push_back({*d, step});
  }
  piece.stage = piece.loops.size();
  if (grouped->tile < grouped->group)
    piece.loops.push_back({along, piece.tile[along]});
  piece.store = StoreMode::NonTemporal;
  piece.vectorBytes = target.vectorBytes;
  return piece;
}
