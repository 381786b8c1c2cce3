// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// How a nest reads: its streams, how far each goes straight on, and where their lines meet.

#ifndef RELAYOUT_LIB_SCHEDULE_READING_H
#define RELAYOUT_LIB_SCHEDULE_READING_H

#include "PieceView.h"

namespace relayout {

/// Rows this far apart are streams of their own.
constexpr int64_t kApartBytes = 768;

/// The digit of which `box` must cover `step` values for `streams` rows to be read side by side:
/// one stream alone waits for the memory, since the prefetcher stops at the end of a page. None
/// if it has as many, or where no digit's rows lie far apart.
std::optional<Loop> rowsBeside(const Problem &problem, const std::vector<int64_t> &box,
                               int64_t streams);

/// How many values of its digit the loop `loops[i]` runs through.
int64_t valuesInside(const Problem &problem, const std::vector<Loop> &loops, size_t i);

/// How a nest reads: streams that advance side by side, each contiguous for a while.
struct Reading {
  double streams = 1;
  double ofTile = 1; ///< of them, those that a tile reads,
  double beside = 1; ///< and how many rows loops read in turn, segments left out
  int64_t run = 1;   ///< elements that a stream reads before a jump to what no stream is near
  int64_t row = 0;   ///< elements that it reads before its first jump
  int64_t jump = 0;  ///< elements of the input of that jump; 0: never
  /// Elements that a stream reads in all, if it is left for a few others and gone on with.
  int64_t resumed = 1;
  std::vector<int64_t> aside; ///< values of each digit that are read before a stream advances
};

Reading readingOf(const Problem &problem, const PieceSchedule &piece);

/// Lines of the streams that meet in one set of a cache of ways of `wayBytes`.
double linesPerSet(const Problem &problem, const PieceSchedule &schedule, const Reading &reading,
                   int64_t wayBytes);

/// The same of the first cache.
double linesPerSet(const Problem &problem, const PieceSchedule &schedule, const Reading &reading,
                   const TargetInfo &target);

/// Which rows count as those that start within lines: those of one tile that begin at several
/// places of a line, or of any tile that begins elsewhere than on one.
enum class TileStarts { OfOne, OfAny };

/// True if the rows that `tile` reads start within lines, so that each line is read by two tiles;
/// of four bytes always those of any (docs/schedules.md, "Rows nearly a way apart").
bool readsPartLines(const Problem &problem, const std::vector<int64_t> &tile,
                    TileStarts starts = TileStarts::OfOne);

/// Lines of `side` of which `box` has a part, in each set where it has any, of a cache of ways
/// of `wayBytes`; of the second cache, if pages side by side are so in memory.
double boxLinesPerSet(const Problem &problem, movement::Side side, const std::vector<int64_t> &box,
                      int64_t wayBytes);

/// True if the rows that `tile` reads evict each other's lines from the first cache before the next
/// tile, which needs the rest of these.
bool evictsPartLines(const Problem &problem, const std::vector<int64_t> &tile,
                     const TargetInfo &target, TileStarts starts = TileStarts::OfOne);

} // namespace relayout

#endif // RELAYOUT_LIB_SCHEDULE_READING_H
