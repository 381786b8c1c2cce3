// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Pieces that put a few rows of the output together at a time, in the first cache, of blocks that
/// are fetched into the second: of short runs, as patches have them, and of short rows that a
/// transpose writes.

#include "Candidates.h"

#include "relayout/Layout/CheckedMath.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

using namespace relayout;
using namespace relayout::movement;

namespace {

/// What short runs of the input are put together to: `box` values of each digit, and the digit
/// that the output's rows go on along.
struct Gathered {
  std::vector<int64_t> box;
  unsigned along;
};

/// About `bytes` of a row of the output; none if it has no more.
std::optional<Gathered> gatherRuns(const PieceView &view, int64_t bytes) {
  Gathered gathered{std::vector<int64_t>(view.problem.digits.size(), 1), 0};
  int64_t run = 1;
  for (unsigned d : contiguousChain(view.problem, Side::Out)) {
    int64_t extent = view.problem.digits[d].extent, values = extent;
    int64_t has = saturatingMul(run, view.problem.width);
    gathered.along = d;
    if (has >= bytes - bytes / 4)
      return gathered;
    if (run > 1)
      values = std::min(extent, ceilDiv(bytes, has));
    // The rest of a digit in equal parts.
    values = values * 4 >= extent * 3 ? extent : ceilDiv(extent, ceilDiv(extent, values));
    gathered.box[d] = values;
    run = saturatingMul(run, values);
    if (values < extent)
      return gathered;
  }
  return std::nullopt;
}

/// As little as hides what a visit takes, or more where the ends of what it is part of would count.
std::optional<Gathered> gatherPatches(const PieceView &view) {
  constexpr int64_t kBytes = 2048, kMostBytes = 8192, kLongRow = 16 << 10;
  std::optional<Gathered> gathered = gatherRuns(view, kBytes);
  if (!gathered)
    return std::nullopt;
  std::vector<int64_t> row = gathered->box;
  row[gathered->along] = view.problem.digits[gathered->along].extent;
  if (runBytes(view.problem, row, Side::Out) >= kLongRow)
    return gathered;
  std::optional<Gathered> more = gatherRuns(view, kMostBytes);
  return more ? more : gathered;
}

/// Rows of the output that wait while the loops inside of that which they go on along go round.
int64_t keptRows(const PieceView &view, const PieceSchedule &piece) {
  int64_t rows = 1;
  for (size_t i = *piece.carry + 1; i < piece.loops.size(); ++i)
    rows = saturatingMul(rows, view.problem.digits[piece.loops[i].digit].extent);
  return rows;
}

/// Takes all values of the innermost of `loops` into `tile`, if that is small.
void unrollInside(const PieceView &view, std::vector<Loop> &loops, std::vector<int64_t> &tile) {
  constexpr int64_t kMostBytes = 1024;
  unsigned inner = loops.back().digit;
  int64_t extent = view.problem.digits[inner].extent;
  if (saturatingMul(saturatingMul(extent, view.problem.width), elementsOf(tile)) > kMostBytes)
    return;
  tile[inner] = extent;
  loops.pop_back();
}

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
                target.lineBytes % columns.rows != 0;
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
  int64_t bytes = columns.count * width, best = 0, leastCost = 0;
  for (int64_t blocks = ceilDiv(bytes, wanted * 3 / 2); blocks <= ceilDiv(bytes, wanted * 3 / 4);
       ++blocks) {
    int64_t fetched = ceilDiv(ceilDiv(columns.count, blocks), values) * values;
    int64_t cost =
        blocks * fetched * 8 + columns.count * std::abs(fetched * width - wanted) / wanted;
    if (best != 0 && cost >= leastCost)
      continue;
    best = fetched;
    leastCost = cost;
  }
  return {best, values};
}

} // namespace

bool relayout::hasPatches(const PieceView &view, const TargetInfo &target) {
  constexpr int64_t kLeastRun = 16; // shorter ones are better moved by shuffles
  if (!target.memory.fetches || !target.nonTemporal || !isFromMemory(view) || !keepsRuns(view))
    return false;
  unsigned kept = contiguousChain(view.problem, Side::Out)[0];
  int64_t run = saturatingMul(view.problem.digits[kept].extent, view.problem.width);
  return run >= kLeastRun && run < target.lineBytes;
}

std::optional<PieceSchedule> relayout::patchPiece(const PieceView &view, const TargetInfo &target) {
  constexpr int64_t kLongBytes = 4096; // of the input side by side
  constexpr int64_t kMostRows = 64;    // whose lines stay until the next box takes the rest of them
  constexpr int64_t kShare = 8;        // of the second cache, for the lines that wait
  if (!hasPatches(view, target))
    return std::nullopt;
  const Problem &problem = view.problem;
  unsigned kept = contiguousChain(problem, Side::Out)[0];
  std::optional<Gathered> gathered = gatherPatches(view);
  if (!gathered || gathered->along == kept ||
      rowsOf(view.problem, gathered->box, Side::In) > kMostRows)
    return std::nullopt;
  const auto &[box, along] = *gathered;
  PieceSchedule piece;
  piece.tile.assign(box.size(), 1);
  piece.tile[kept] = box[kept];
  piece.tile[along] = box[along];
  std::vector<Loop> inside;
  std::vector<unsigned> order = orderByStride(problem, Side::In);
  for (auto d = order.rbegin(); d != order.rend(); ++d) {
    if (*d == along)
      piece.carry = piece.loops.size();
    if (*d == along || box[*d] == 1)
      piece.loops.push_back({*d, piece.tile[*d]});
    else if (*d != kept)
      inside.push_back({*d, 1});
  }
  if (inside.empty() || keptRows(view, piece) > target.l2Bytes / kShare / target.lineBytes)
    return std::nullopt;
  unrollInside(view, inside, piece.tile);
  piece.stage = piece.loops.size();
  piece.loops.insert(piece.loops.end(), inside.begin(), inside.end());
  piece.store = StoreMode::NonTemporal;
  piece.vectorBytes = target.vectorBytes;
  piece.fetch = fetchDepth(view, piece, target);
  if (!piece.fetch)
    return std::nullopt;
  std::vector<int64_t> block = valuesWithin(problem, piece.loops, *piece.fetch);
  return runBytes(problem, block, Side::In) < kLongBytes ? std::nullopt : std::optional(piece);
}

std::optional<PieceSchedule> relayout::columnPiece(const PieceView &view,
                                                   const TargetInfo &target) {
  constexpr int64_t kManyTimes = 4;
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
  bool isOnLines = pitchOf(problem, row, Side::In) % target.lineBytes == 0;
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
  return piece;
}
