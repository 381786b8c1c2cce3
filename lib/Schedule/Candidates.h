// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// How candidates are built: a piece, a set of knobs, and the steps from them to a
/// piece's schedule.

#ifndef RELAYOUT_LIB_SCHEDULE_CANDIDATES_H
#define RELAYOUT_LIB_SCHEDULE_CANDIDATES_H

#include "Movement.h"
#include "relayout/Schedule/Schedule.h"

namespace relayout {

/// Digits of up to so many values are mostly moved twice where a tile takes a part of them.
constexpr int64_t kFewValues = 8;

/// Shuffles a vector from which on a tile transposes.
constexpr double kTransposes = 3;

/// Rows that a tile reads, from which on they are worth fetching all.
constexpr double kFetchedRows = 8;

/// A piece and what its schedule is made from.
struct PieceView {
  Problem problem; ///< reduced, window-free
  bool fill = false;
  int64_t bytes = 0;       ///< read and written by the piece
  bool outOfCache = false; ///< what the whole problem moves does not stay in the caches
  bool outOfL1 = false;    ///< nor in a share of the first of them
};

/// True if all of `view` comes from memory, and goes there, in runs that nothing is cut from.
bool isFromMemory(const PieceView &view);

std::vector<PieceView> viewPieces(const Problem &problem, const std::vector<Piece> &pieces,
                                  const TargetInfo &target);

/// What distinguishes the candidates for a piece.
struct Knobs {
  int64_t outBytes = 0; ///< contiguous bytes that a tile writes, about
  int64_t inLeast = 48; ///< contiguous bytes that a tile reads, at least and at most
  int64_t inMost = 64;
  int64_t visitBytes = 0; ///< written side by side before the reads move on, if more
  int64_t streams = 1;    ///< read side by side at least, where a digit allows it
  int64_t pages = 0;      ///< output pages live at most; 0: output order
  int64_t vectors = 12;   ///< vectors a tile moves at least, where it can be unrolled
  StoreMode store = StoreMode::Ordinary;
  int64_t prefetchBytes = 0; ///< read ahead in each stream; 0: none
  double instructions = 200; ///< of a tile's code, at most
  bool wholeLines = true;    ///< tiles that write whole lines come first
  bool wholeDigits = false;  ///< other tiles take no part of a digit of a few values
  int64_t fetchBytes = 0;    ///< of each row of a block that is fetched before it is moved; 0: none
  movement::Side along = movement::Side::Out; ///< whose rows such a block is moved along
  bool packs = false;     ///< such a block is copied into scratch memory before it is moved
  int64_t groupBytes = 0; ///< written side by side by such blocks before they go on along the input
};

/// True if the innermost digit is the same on both sides: runs are kept.
bool keepsRuns(const PieceView &view);

/// The knobs' defaults.
Knobs defaultKnobs(const PieceView &view, const TargetInfo &target, ResultHint hint);

/// Settings of the knobs among which the cost model chooses; the first is `base`.
std::vector<Knobs> rankedKnobs(const PieceView &view, const Knobs &base, const TargetInfo &target);

/// `base` with other orders of the loops: more streams side by side, longer runs.
std::vector<Knobs> orderKnobs(const PieceView &view, const Knobs &base, const TargetInfo &target);

/// `base` with orders that fetch blocks, where `piece`, which it gave, loses what it reads ahead
/// and the target gains by it.
std::vector<Knobs> fetchKnobs(const PieceView &view, const TargetInfo &target,
                              const PieceSchedule &piece, const Knobs &base);

/// `piece` with the largest blocks fetched that a share of the second cache holds, where the target
/// gains by it: if it is staged and loses what it reads ahead, or if its tiles shuffle for so long
/// that the loads of the next one come late.
PieceSchedule fetchBlocks(const PieceView &view, const TargetInfo &target, PieceSchedule piece);

/// Schedules of `piece` that read the lines of a block in their order before it is moved, if it
/// reads several streams within one stretch; none if the target does not gain by it.
std::vector<PieceSchedule> touchBlocks(const PieceView &view, const TargetInfo &target,
                                       const PieceSchedule &piece);

/// Puts a loop around `loops[i]` over groups of its visits, of which each reads `bytes`, so that a
/// group is a block of about `wanted` bytes. A loop outside over the same digit takes whole groups.
/// False if nothing is changed.
bool visitInGroups(const Problem &problem, size_t i, int64_t bytes, int64_t wanted,
                   PieceSchedule &piece);

/// Bytes of a block that is fetched. Visits of fewer than `least` are put together to `wanted`.
struct BlockSizes {
  int64_t least, wanted, most;
};

/// `piece`, which is staged, with the largest blocks fetched that have at most `sizes.most`; none
/// if there are none.
std::optional<PieceSchedule> fetchStaged(const Problem &problem, PieceSchedule piece,
                                         const BlockSizes &sizes);

/// Rows of the input of which the blocks that `piece` fetches have a part.
int64_t rowsFetched(const Problem &problem, const PieceSchedule &piece);

/// `piece` with blocks fetched that the first cache about holds, if it carries parts of lines and
/// reads short rows; none where the target does not gain by it.
std::optional<PieceSchedule> fetchCarried(const PieceView &view, const TargetInfo &target,
                                          const PieceSchedule &piece);

/// `piece` with what it prefetches going to the second cache, where the target gains by it.
PieceSchedule prefetchToSecond(const PieceView &view, const TargetInfo &target,
                               PieceSchedule piece);

/// `piece` with blocks fetched of which the first cache holds all lines, if it carries parts of
/// lines and transposes bytes of long rows; none if not, or if the target does not gain by it.
std::optional<PieceSchedule> fetchByteRows(const PieceView &view, const TargetInfo &target,
                                           const PieceSchedule &piece);

/// Bytes of the input inside of the first `depth` loops.
int64_t blockBytes(const Problem &problem, const PieceSchedule &piece, size_t depth);

/// The least depth of loops whose block a share of the second cache holds; none if only a tile's is
/// as small, or what is staged.
std::optional<unsigned> fetchDepth(const PieceView &view, const PieceSchedule &piece,
                                   const TargetInfo &target);

/// True if `view` moves runs of less than a line, as patches have them, from memory, and the target
/// gains by fetching them.
bool hasPatches(const PieceView &view, const TargetInfo &target);

/// A schedule for such runs that are put together from several rows: some of the output's rows at
/// a time, in the first cache, of blocks that are fetched. None where they do not gain by it.
std::optional<PieceSchedule> patchPiece(const PieceView &view, const TargetInfo &target);

/// A schedule for a transpose to short rows that start anywhere in a line: some of them at a time,
/// in the same way. None where it does not gain by it.
std::optional<PieceSchedule> columnPiece(const PieceView &view, const TargetInfo &target);

/// Extents of the register tile: whole vectors on both sides, whole lines on the
/// output's where the digits allow it within the size of a tile.
std::vector<int64_t> chooseTile(const PieceView &view, const TargetInfo &target,
                                const Knobs &knobs);

struct LoopNest {
  std::vector<Loop> loops;       ///< outermost first
  std::optional<unsigned> fetch; ///< how many of them are outside of a block that is fetched
};

/// The loops around `tile`.
LoopNest orderLoops(const PieceView &view, const TargetInfo &target, const Knobs &knobs,
                    const std::vector<int64_t> &tile);

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

/// `base` with blocks that are packed, where `piece`, which it gave, is a transpose that writes
/// lines far apart, or reads parts of lines that evict each other. None where it is not known to
/// gain by it.
std::optional<Knobs> packKnobs(const PieceView &view, const TargetInfo &target,
                               const PieceSchedule &piece, const Knobs &base);

Reading readingOf(const Problem &problem, const PieceSchedule &piece);

/// Lines of the streams that meet in one set of the first cache.
double linesPerWay(const Problem &problem, const PieceSchedule &schedule, const Reading &reading,
                   const TargetInfo &target);

/// Elements to prefetch ahead: `bytes` in each stream, or where the streams end soon,
/// what the loop that moves them will read next.
int64_t prefetchDistance(const PieceView &view, const PieceSchedule &piece, int64_t bytes,
                         const TargetInfo &target);

/// All steps: tile, unrolling, loops, and the stores that the tile admits.
PieceSchedule buildPiece(const PieceView &view, const TargetInfo &target, const Knobs &knobs);

/// A schedule through scratch memory; none if the piece writes no long runs.
std::optional<PieceSchedule> stagePiece(const PieceView &view, const TargetInfo &target,
                                        const Knobs &knobs);

/// Schedules whose runs go on from block to block, of the tiles that `knobs` give, with `streams`
/// rows read side by side; none if the target has no stores for them.
std::vector<PieceSchedule> carryPieces(const PieceView &view, const TargetInfo &target,
                                       const std::vector<Knobs> &knobs, int64_t streams);

/// A schedule that carries parts of lines, in visits of about `bytes` to a row, or of whole digits
/// that have up to `mostBytes`; none if there is no such schedule.
std::optional<PieceSchedule> carryTile(const PieceView &view, const TargetInfo &target,
                                       const Knobs &knobs, const std::vector<int64_t> &tile,
                                       int64_t bytes, int64_t mostBytes);

/// A transpose of bytes in blocks of some hundred bytes of each row on both sides, in place of
/// `piece`, which carries parts of lines and moves little of each row at a time; none if it does
/// not, or if the target does not gain by it.
std::optional<PieceSchedule> wideByteBlocks(const PieceView &view, const TargetInfo &target,
                                            const PieceSchedule &piece);

/// `piece` in blocks of a few runs along both sides, if it transposes runs of two lines to 1 KiB to
/// many rows, and the target gains by it.
PieceSchedule groupRuns(const PieceView &view, const TargetInfo &target, PieceSchedule piece);

/// True if the rows of both sides are too short for the order of one side to suit the other.
bool hasShortRowsOfBoth(const Problem &problem);

/// Schedules of transposes of short rows, in blocks that go along several digits of both sides;
/// none where the target does not gain by them.
std::vector<PieceSchedule> blockPieces(const PieceView &view, const TargetInfo &target);

/// Shuffles for a vector of the output, estimated from what a vector draws from.
double estimateShuffles(const PieceView &view, const std::vector<int64_t> &tile,
                        int64_t vectorBytes);

/// The schedule of one piece, made from `base`, for one of `threads`.
PieceSchedule bestPiece(const PieceView &view, const Knobs &base, const TargetInfo &target,
                        int64_t threads);

/// What the cost model expects of one piece.
Prediction predictPiece(const PieceView &view, const PieceSchedule &schedule,
                        const TargetInfo &target);

/// The schedule of a whole problem from those of its pieces: chooses the units.
Schedule scheduleOf(const Problem &problem, const std::vector<Piece> &pieces,
                    std::vector<PieceSchedule> schedules, const TargetInfo &target,
                    int64_t threads);

/// Sets the digit and step of the units.
void chooseUnits(Schedule &schedule, const Problem &problem, const std::vector<Piece> &pieces,
                 const TargetInfo &target, int64_t threads);

} // namespace relayout

#endif // RELAYOUT_LIB_SCHEDULE_CANDIDATES_H
