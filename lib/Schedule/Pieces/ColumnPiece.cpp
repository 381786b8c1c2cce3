// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Transposes to short rows, of which a few are put together at a time as patches are: in the first
/// cache, of blocks that are fetched into the second.

#include "Cost/Reading.h"
#include "Pieces.h"

#include "relayout/Layout/CheckedMath.h"
#include "relayout/Support/CacheLine.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

using namespace relayout;
using namespace relayout::movement;

namespace {

/// Rows of the input from which on the size of a block of them counts.
constexpr int64_t kManyRows = 64;

/// A transpose to short rows of the output: the digit of the elements of such a row, each from
/// another row of the input, and the digit of those rows, along the rows of the input.
struct Columns {
  unsigned row, along;
  int64_t rows, count; ///< their values
};

/// Of narrow elements, whose lines make the tiles of other orders large, more rows.
int64_t mostRows(int64_t width) { return width == 1 ? 800 : width == 2 ? 200 : kManyRows; }

/// True if the rows of `columns` are so few that they can be followed one by one: of bytes, which
/// are shuffled for long, that is fewer, unless rows of the output divide lines or those of the
/// input are short.
bool areFew(const Columns &columns, int64_t width, const TargetInfo &target) {
  constexpr int64_t kFew = 28, kFewOfBytes = 8, kShortRow = 256;
  bool isLate = width == 1 && !target.memory.followsRows && columns.count >= kShortRow &&
                kLineBytes % columns.rows != 0;
  return columns.rows <= (isLate ? kFewOfBytes : kFew);
}

/// Bytes of the longest rows of the input: longer ones are followed one by one, but for those of
/// narrow elements, whose transposes are held up by what they shuffle.
int64_t longestRow(int64_t width, const TargetInfo &target) {
  constexpr int64_t kLong = 16 << 10;
  if (target.memory.followsRows || width > 4)
    return kLong;
  return width == 4 ? 2 * kLong : std::numeric_limits<int64_t>::max();
}

/// None where the rows of the input can be followed one by one, since they are few or long, and
/// where there are too many (docs/schedules.md, "Short rows of a transpose").
std::optional<Columns> columnsOf(const PieceView &view, const TargetInfo &target) {
  const Problem &problem = view.problem;
  std::vector<unsigned> chain = contiguousChain(problem, Side::Out);
  if (view.fill || !problem.read.empty() || chain.size() < 2)
    return std::nullopt;
  Columns columns{chain[0], chain[1], problem.digits[chain[0]].extent,
                  problem.digits[chain[1]].extent};
  if (problem.digits[columns.along].inStride != 1 || areFew(columns, problem.width, target) ||
      columns.rows > mostRows(problem.width) ||
      saturatingMul(columns.count, problem.width) > longestRow(problem.width, target))
    return std::nullopt;
  return columns;
}

/// Of a row of the input, what is fetched at once and what a visit moves: about 512 bytes, less of
/// many rows, and so much that about 2 KiB are written, in multiples of `step`. The last block is
/// shifted back, so what blocks move twice counts, too.
std::pair<int64_t, int64_t> cutColumns(const Columns &columns, int64_t step, int64_t width) {
  constexpr int64_t kWritten = 1792;
  const int64_t wanted = columns.rows > kManyRows ? 384 : 512;
  int64_t values = ceilDiv(ceilDiv(kWritten, columns.rows * width), step) * step;
  int64_t bytes = columns.count * width, best = 0;
  double leastCost = 0;
  const int64_t mostBlocks = ceilDiv(bytes, wanted * 3 / 4);
  for (int64_t blocks = ceilDiv(bytes, wanted * 3 / 2); blocks <= mostBlocks;) {
    int64_t fetched = ceilDiv(ceilDiv(columns.count, blocks), values) * values;
    double moved = static_cast<double>(blocks) * static_cast<double>(fetched);
    double unlike = static_cast<double>(std::abs(fetched * width - wanted));
    double cost =
        moved / static_cast<double>(columns.count) + unlike / static_cast<double>(8 * wanted);
    if (best == 0 || cost < leastCost) {
      best = fetched;
      leastCost = cost;
    }
    if (fetched == values)
      break;
    // More blocks that fetch as much only move more twice, and long rows have no end of them.
    blocks = ceilDiv(columns.count, fetched - values);
  }
  return {best, values};
}

} // namespace

std::optional<PieceSchedule> relayout::columnPiece(const PieceView &view,
                                                   const TargetInfo &target) {
  constexpr int64_t kManyTimes = 4, kMostPacked = 4;
  constexpr int64_t kMostLanes = 32, kMostAlong = 16; // a vector of a larger tile takes more steps
  const Problem &problem = view.problem;
  std::optional<Columns> columns = columnsOf(view, target);
  int64_t lanes = target.vectorBytes / problem.width;
  if (!target.memory.fetches || !target.nonTemporal || !columns || lanes < 1 ||
      (target.memory.followsRows && problem.width > 1))
    return std::nullopt;
  // The first blocks are not fetched ahead.
  if (view.bytes / kManyTimes < target.l2Bytes)
    return std::nullopt;
  auto [row, along, rows, count] = *columns;
  int64_t step = std::min(lanes, kMostAlong);
  auto [fetched, values] = cutColumns(*columns, step, problem.width);
  // Lines that two blocks share are fetched twice, which many rows do not make up for.
  bool isOnLines = pitchOf(problem, row, Side::In) % kLineBytes == 0;
  if (count < 2 * values || (rows > kManyRows && fetched < count && !isOnLines))
    return std::nullopt;
  PieceSchedule piece;
  piece.tile.assign(problem.digits.size(), 1);
  piece.tile[row] = std::min({rows, lanes, kMostLanes});
  piece.tile[along] = step;
  std::vector<unsigned> order = orderByStride(problem, Side::In);
  for (auto d = order.rbegin(); d != order.rend(); ++d)
    if (*d != row && *d != along)
      piece.loops.push_back({*d, 1});
  piece.carry = piece.loops.size();
  if (fetched < count)
    piece.loops.push_back({along, fetched});
  if (!piece.loops.empty())
    piece.fetch = piece.loops.size();
  if (values < std::min(fetched, count))
    piece.loops.push_back({along, values});
  piece.stage = piece.loops.size();
  if (piece.tile[row] < rows)
    piece.loops.push_back({row, piece.tile[row]});
  if (step < values)
    piece.loops.push_back({along, step});
  piece.store = StoreMode::NonTemporal;
  piece.vectorBytes = target.vectorBytes;
  if (target.memory.packs && problem.width <= kMostPacked &&
      evictsPartLines(problem, piece.tile, target))
    piece.pack = piece.fetch;
  return piece;
}
