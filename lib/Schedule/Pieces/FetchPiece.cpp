// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Orders that fetch blocks of the input into the second cache: for tiles that read short rows, or
/// rows that evict each other's lines. Those of carried pieces are in FetchCarried.cpp.

#include "Blocks.h"
#include "BuildPiece.h"
#include "Cost/CostModel.h"
#include "Pieces.h"

#include "relayout/Support/CacheLine.h"

#include <algorithm>
#include <numeric>

using namespace relayout;
using namespace relayout::movement;

namespace {

/// True if the rows that the tiles of `piece` read end within `bytes`, and others begin.
bool hasShortRows(const PieceView &view, const Reading &reading, int64_t bytes) {
  return reading.jump != 0 && saturatingMul(reading.row, view.problem.width) < bytes;
}

/// Lines of these rows that meet in a set of the first cache, as a share of what it holds.
double crowding(const PieceView &view, const PieceSchedule &piece, const Reading &reading,
                const TargetInfo &target) {
  return linesPerSet(view.problem, piece, reading, target) / static_cast<double>(target.l1Ways);
}

/// True if the rows, with what is prefetched of them, meet in few sets of the first cache.
bool isCrowded(const PieceView &view, const PieceSchedule &piece, const Reading &reading,
               const TargetInfo &target) {
  double ahead = 1 + static_cast<double>(target.memory.linesAhead);
  return crowding(view, piece, reading, target) * ahead > 1;
}

/// True if a tile reads many rows, but no more than can be followed, and the first cache holds
/// some lines of each.
bool readsManyRows(const PieceView &view, const PieceSchedule &piece, const Reading &reading,
                   const TargetInfo &target) {
  return reading.ofTile >= kFetchedRows &&
         reading.ofTile <= static_cast<double>(target.memory.readStreams) &&
         2 * crowding(view, piece, reading, target) <= 1;
}

/// True if the block inside of the first `depth` loops is worth fetching: if it is one stretch, if
/// its rows are short and not too many, or if a tile reads more of them than can be followed
/// (docs/schedules.md, "Blocks fetched of staged and carried pieces").
bool isWorthFetching(const PieceView &view, const PieceSchedule &piece, const Reading &reading,
                     const TargetInfo &target, size_t depth) {
  constexpr int64_t kFewRows = 256, kShortBytes = 1024;
  std::vector<int64_t> block = valuesWithin(view.problem, piece.loops, depth);
  int64_t bytes = runBytes(view.problem, block, Side::In);
  int64_t rows = rowsOf(view.problem, block, Side::In);
  return rows == 1 || (rows <= kFewRows && bytes < kShortBytes) ||
         reading.ofTile > 2 * static_cast<double>(target.memory.readStreams);
}

/// True if the lines that a tile writes lie at multiples of 512 bytes.
bool writesAliasedLines(const PieceView &view, const PieceSchedule &piece) {
  int64_t distance = 0;
  for (unsigned d = 0; d < piece.tile.size(); ++d) {
    int64_t pitch = pitchOf(view.problem, d, Side::Out);
    if (piece.tile[d] > 1 && pitch > view.problem.width)
      distance = std::gcd(distance, pitch);
  }
  return distance % 512 == 0;
}

/// True if the lines that tiles write to rows of the output lie in pages that are far apart.
bool writesApart(const PieceView &view, const TargetInfo &target) {
  constexpr int64_t kApartPages = 4; // nearer ones share lines of the page table
  unsigned first = orderByStride(view.problem, Side::In)[0];
  return pitchOf(view.problem, first, Side::Out) >= kApartPages * target.pageBytes;
}

/// True if the tiles go around many pages of the output with a line for each, between those that
/// lie side by side, though its rows are long enough for some.
bool writesLoneLines(const PieceView &view, const PieceSchedule &piece, const TargetInfo &target) {
  constexpr int64_t kLongBytes = 448;
  constexpr double kPages = 0.35;
  Prediction p = predictPiece(view, piece, target);
  return writesApart(view, target) && p.chunkBytes <= static_cast<double>(kLineBytes) &&
         rowBytes(view.problem, Side::Out) >= kLongBytes &&
         p.pages > kPages * static_cast<double>(target.tlbPages);
}

/// True if a block of `rows` such rows meets in too few sets of the second cache.
bool crowdsSecondCache(const PieceView &view, const PieceSchedule &piece, const Reading &reading,
                       const TargetInfo &target, double rows) {
  double lines = linesPerSet(view.problem, piece, reading, target.secondWayBytes());
  return rows * (lines / reading.streams) > static_cast<double>(target.l2Ways);
}

/// True if the tiles shuffle for so long that the loads of the next one come late, even of one
/// stream (docs/schedules.md, "Behind many shuffles").
bool shufflesLong(const PieceView &view, const PieceSchedule &piece) {
  constexpr double kMany = 5; // a vector
  return piece.store == StoreMode::NonTemporal &&
         estimateShuffles(view, piece.tile, piece.vectorBytes) >= kMany;
}

/// Bytes of each row that a tile of bytes reads. Less of it takes fewer registers, and the lines of
/// the rows stay in the first cache for the rest, unless they evict each other.
int64_t readOfBytes(double crowding) {
  return crowding <= 0.5 ? kLineBytes / 4 : crowding <= 1 ? kLineBytes / 2 : kLineBytes;
}

/// True if so many rows, each of which gives an element of a row of the output, are too many to be
/// read side by side: for the first TLB, or for the caches that hold their lines. Bytes gain by
/// them all the same (docs/schedules.md, "Tiles of bytes").
bool areTooMany(const PieceView &view, double rows, double crowding, const TargetInfo &target) {
  constexpr double kTimes = 4;
  double entries = static_cast<double>(target.firstTlbPages);
  if (rows <= entries || (view.problem.width == 1 && target.memory.losesRows()))
    return false;
  unsigned inner = contiguousChain(view.problem, Side::Out)[0];
  int64_t pitch = pitchOf(view.problem, inner, Side::In);
  double pages = static_cast<double>(pitch) / static_cast<double>(target.pageBytes);
  return rows * std::min(1.0, pages) > entries || crowding > kTimes;
}

/// Blocks of a few lines of output rows, or 16 KiB of the rows of a tile.
std::vector<Knobs> narrowBlocks(const PieceView &view, const PieceSchedule &piece,
                                const TargetInfo &target, const Reading &reading,
                                const Knobs &base) {
  constexpr double kTileBytes = 16 << 10, kSmallBytes = 1024, kFewRows = 16;
  // Rows of a tile that writes one line to each row of the output. Where a transpose has few, short
  // blocks are faster (docs/schedules.md, "Blocks fetched").
  double ofLine = static_cast<double>(kLineBytes) / static_cast<double>(view.problem.width);
  bool isTranspose = reading.ofTile >= kFetchedRows || shufflesLong(view, piece);
  double rows =
      isTranspose ? std::min(std::max(reading.ofTile, kFetchedRows), ofLine) : reading.ofTile;
  bool isSmall = isTranspose && rows < kFewRows;
  double crowded = crowding(view, piece, reading, target);
  std::vector<Knobs> all;
  for (int64_t lines : {1, 2, 4}) {
    double values = static_cast<double>(lines);
    if (lines > 1 && areTooMany(view, values * reading.ofTile, values * crowded, target))
      continue;
    if (lines > 2 && isTranspose &&
        (isSmall || crowdsSecondCache(view, piece, reading, target, values * rows)))
      continue;
    all.push_back(base);
    all.back().outBytes = kLineBytes;
    all.back().visitBytes = lines * kLineBytes;
    all.back().fetchBytes =
        static_cast<int64_t>(isSmall ? kSmallBytes / values : kTileBytes / rows);
    if (isTranspose && view.problem.width == 1)
      all.back().inLeast = all.back().inMost = readOfBytes(crowded);
  }
  return all;
}

/// Blocks in the order of the input, moved along its rows.
Knobs alongInput(const TargetInfo &target, const Knobs &base) {
  Knobs knobs = base;
  knobs.outBytes = kLineBytes;
  knobs.visitBytes = 256;
  knobs.fetchBytes = 2048;
  knobs.along = Side::In;
  knobs.pages = 16 * target.tlbPages;
  knobs.prefetchBytes = 2 * kLineBytes;
  return knobs;
}

/// Blocks of one row of the output, in its order, moved along them.
Knobs alongOutput(const PieceView &view, const Knobs &base) {
  Knobs knobs = base;
  knobs.outBytes = kLineBytes;
  knobs.visitBytes = std::min<int64_t>(rowBytes(view.problem, Side::Out), 1024);
  knobs.fetchBytes = 512;
  knobs.pages = 0;
  return knobs;
}

/// True if a staged piece gains by blocks of the input inside of its first `depth` loops.
bool gainsStaged(const PieceView &view, const PieceSchedule &piece, const TargetInfo &target,
                 size_t depth) {
  constexpr int64_t kShortBytes = 4 << 10;
  Reading reading = readingOf(view.problem, piece);
  bool isMany = reading.ofTile >= kFetchedRows;
  if ((isMany && isCrowded(view, piece, reading, target)) || (keepsRuns(view) && !piece.carry) ||
      hasPatches(view, target))
    return true;
  return isMany && hasShortRows(view, reading, kShortBytes) &&
         isWorthFetching(view, piece, reading, target, depth);
}

/// True if `piece` reads few rows of bytes, which take long to shuffle.
bool readsFewBytes(const PieceView &view, const Reading &reading) {
  return view.problem.width == 1 && reading.ofTile < kFetchedRows;
}

/// True if a processor that follows rows by itself gains by what `piece` fetches: bytes, or one
/// stretch for a few rows that are put together before they are written.
bool gainsThoughFollowed(const PieceView &view, const PieceSchedule &piece) {
  bool isFew = readingOf(view.problem, piece).ofTile < kFetchedRows;
  if (view.problem.width == 1)
    return piece.stage || isFew;
  return piece.stage && isFew && rowsFetched(view.problem, piece) == 1;
}

/// True if the rows that `piece` reads evict each other, and are long on both sides.
bool evictsLongRows(const PieceView &view, const PieceSchedule &piece, const Reading &reading,
                    const TargetInfo &target) {
  constexpr int64_t kLongIn = 4 << 10, kLongOut = 1 << 10;
  return view.problem.width > 1 && isCrowded(view, piece, reading, target) &&
         rowBytes(view.problem, Side::In) >= kLongIn &&
         rowBytes(view.problem, Side::Out) >= kLongOut;
}

} // namespace

int64_t relayout::blockBytes(const Problem &problem, const PieceSchedule &piece, size_t depth) {
  return saturatingMul(elementsOf(valuesWithin(problem, piece.loops, depth)), problem.width);
}

bool relayout::holdsBlock(const Problem &problem, const PieceSchedule &piece, size_t depth,
                          const TargetInfo &target) {
  constexpr int64_t kShare = 8; // two blocks are there at once, and scratch memory
  return blockBytes(problem, piece, depth) <= target.l2Bytes / kShare;
}

std::optional<unsigned> relayout::fetchDepth(const PieceView &view, const PieceSchedule &piece,
                                             const TargetInfo &target) {
  size_t last = piece.stage ? *piece.stage : piece.loops.size() - 1;
  for (unsigned depth = 1; depth <= last; ++depth)
    if (holdsBlock(view.problem, piece, depth, target))
      return depth;
  return std::nullopt;
}

PieceSchedule relayout::fetchBlocks(const PieceView &view, const TargetInfo &target,
                                    PieceSchedule piece) {
  if (!target.memory.fetches || piece.fetch || piece.loops.empty())
    return piece;
  if (std::optional<PieceSchedule> rows = fetchByteRows(view, target, piece))
    return *rows;
  std::optional<unsigned> depth = fetchDepth(view, piece, target);
  if (!depth ||
      !(piece.stage ? gainsStaged(view, piece, target, *depth) : shufflesLong(view, piece)))
    return piece;
  PieceSchedule fetched = piece;
  fetched.fetch = depth;
  fetched.prefetch = 0;
  return !target.memory.followsRows || gainsThoughFollowed(view, fetched) ? fetched : piece;
}

PieceSchedule relayout::prefetchToSecond(const PieceView &view, const TargetInfo &target,
                                         PieceSchedule piece) {
  if (!target.memory.losesRows() || piece.prefetch == 0)
    return piece;
  // No stream is followed as far: beyond are the rows that come next.
  constexpr int64_t kFurthestLines = 16;
  bool isNextRows = saturatingMul(piece.prefetch, view.problem.width) > kFurthestLines * kLineBytes;
  bool isLoneStream = piece.stage && !piece.fetch && !keepsRuns(view) &&
                      readingOf(view.problem, piece).streams <= 1;
  if (isNextRows || isLoneStream)
    piece.cache = 2;
  return piece;
}

std::vector<Knobs> relayout::fetchKnobs(const PieceView &view, const TargetInfo &target,
                                        const PieceSchedule &piece, const Knobs &base) {
  // What is read ahead is lost at the ends of short rows, and where lines evict each other. Where
  // the output's rows are short, too, an order with long runs is as good, unless the lines of one
  // tile already evict each other many times (docs/schedules.md, "Blocks fetched").
  constexpr int64_t kShortBytes = 4 << 10, kLongBytes = 512;
  constexpr double kManyTimes = 4;
  if (!target.memory.fetches || view.fill || !view.outOfCache ||
      piece.store != StoreMode::NonTemporal)
    return {};
  Reading reading = readingOf(view.problem, piece);
  bool isBehind = shufflesLong(view, piece) && !writesApart(view, target);
  if (reading.ofTile < 2 && !isBehind)
    return {};
  // Where a processor follows the rows of a tile by itself, few others gain (docs/schedules.md,
  // "Blocks fetched on Zen 5").
  if (target.memory.followsRows && !readsFewBytes(view, reading))
    return evictsLongRows(view, piece, reading, target)
               ? narrowBlocks(view, piece, target, reading, base)
               : std::vector<Knobs>();
  bool loses = isBehind || hasShortRows(view, reading, kShortBytes) ||
               (isCrowded(view, piece, reading, target) &&
                rowBytes(view.problem, Side::Out) >= kLongBytes) ||
               crowding(view, piece, reading, target) > kManyTimes;
  bool isPart = readsPartLines(view.problem, piece.tile);
  if (loses && (isPart || !writesAliasedLines(view, piece)) &&
      readsManyRows(view, piece, reading, target))
    return {alongInput(target, base)};
  bool isLone = !loses && writesLoneLines(view, piece, target);
  // Bytes are better off in tiles that read less of a line (docs/schedules.md, "Lines come near").
  bool isOfBytes = view.problem.width == 1 && target.memory.losesRows();
  if (loses || (isLone && isOfBytes))
    return narrowBlocks(view, piece, target, reading, base);
  // Plain transposes, and parts of lines, are better off without (docs/schedules.md, "Which
  // blocks").
  if (isLone && !isPart && view.problem.digits.size() > 2)
    return {alongOutput(view, base)};
  return {};
}
