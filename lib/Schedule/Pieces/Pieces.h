// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The kinds of pieces beside those that knobs give: through scratch memory, and in orders of their
/// own.

#ifndef RELAYOUT_LIB_SCHEDULE_PIECES_H
#define RELAYOUT_LIB_SCHEDULE_PIECES_H

#include "Knobs.h"

namespace relayout {

/// True if `view` moves runs of less than a line, as patches have them, from memory, and the target
/// gains by fetching them.
bool hasPatches(const PieceView &view, const TargetInfo &target);

/// A schedule for such runs that are put together from several rows: some of the output's rows at
/// a time, in the first cache, of blocks that are fetched. None where they do not gain by it.
std::optional<PieceSchedule> patchPiece(const PieceView &view, const TargetInfo &target);

/// A schedule for such runs that make whole lines of the output, from several rows of the input at
/// once; none if they do not, or if the target does not gain by it.
std::optional<PieceSchedule> patchLines(const PieceView &view, const TargetInfo &target);

/// A schedule for runs of less than a line, however short, of which those side by side in the input
/// go to many rows of the output: some of the rows at a time. None if they do not, or if the target
/// does not gain by it.
std::optional<PieceSchedule> cellPiece(const PieceView &view, const TargetInfo &target);

/// A schedule for a transpose of bytes, a line of each row of the output at a visit, whose rows of
/// the input are fetched; none if rows are short, long on both sides or on lines, if they evict
/// each other, or if the target does not gain by it.
std::optional<PieceSchedule> byteLines(const PieceView &view, const TargetInfo &target);

/// The same of long rows that go to shorter ones, with the next tile's lines fetched, of a piece
/// that wide blocks of bytes may move. Nothing that `byteLines` takes, which comes first.
std::optional<PieceSchedule> longByteLines(const PieceView &view, const TargetInfo &target);

/// A schedule for a transpose to short rows that start anywhere in a line: some of them at a time,
/// in the same way. None where it does not gain by it.
std::optional<PieceSchedule> columnPiece(const PieceView &view, const TargetInfo &target);

/// A schedule in place of `piece` for a transpose of images, each of which is fetched into the
/// second cache while the one before it is written straight on. None where it does not gain by it.
std::optional<PieceSchedule> imagePiece(const PieceView &view, const TargetInfo &target,
                                        const PieceSchedule &piece);

/// A schedule through scratch memory; none if the piece writes no runs of `leastRun` bytes.
constexpr int64_t kLeastStagedRun = 512;
std::optional<PieceSchedule> stagePiece(const PieceView &view, const TargetInfo &target,
                                        const Knobs &knobs, int64_t leastRun = kLeastStagedRun);

/// Schedules whose runs go on from block to block, of the tiles that `knobs` give, with `streams`
/// rows read side by side; none if the target has no stores for them.
std::vector<PieceSchedule> carryPieces(const PieceView &view, const TargetInfo &target,
                                       const std::vector<Knobs> &knobs, int64_t streams);

/// A schedule that carries parts of lines along `depth` digits of the output, in visits of about
/// `bytes` to a row, or of whole digits that have up to `mostBytes`; none if there is no such
/// schedule, or the target has no stores for it.
std::optional<PieceSchedule> carryTile(const PieceView &view, const TargetInfo &target,
                                       const Knobs &knobs, const std::vector<int64_t> &tile,
                                       int64_t bytes, int64_t mostBytes, unsigned depth = 1);

/// A transpose of bytes in blocks of some hundred bytes of each row on both sides, or of long rows
/// a line of each row of the output at a visit, in place of `piece`, which is staged and moves
/// little of each row at a time; none if it does not, or if the target does not gain by it.
std::optional<PieceSchedule> wideByteBlocks(const PieceView &view, const TargetInfo &target,
                                            const PieceSchedule &piece);

/// A transpose in blocks that are copied into scratch memory before they are moved, in place of
/// `piece`, which is staged and reads rows that evict each other; none if it does not, or if the
/// target does not gain by it.
std::optional<PieceSchedule> packCarried(const PieceView &view, const TargetInfo &target,
                                         const PieceSchedule &piece);

/// `piece` with the blocks that it fetches copied into scratch memory before they are moved, if it
/// is staged and reads rows of one or two bytes whose lines other tiles read as well, but evict
/// each other before, and the target gains by it.
PieceSchedule packFetched(const PieceView &view, const TargetInfo &target, PieceSchedule piece);

/// A transpose of four bytes in visits of several lines to each row, in place of `piece`, which
/// carries parts of lines, a line of each row at a time; none if it does not, or if the target does
/// not gain by it.
std::optional<PieceSchedule> visitLonger(const PieceView &view, const TargetInfo &target,
                                         const PieceSchedule &piece);

/// `piece`, if each of its tiles reads many whole lines of one stretch and writes them as one,
/// through scratch memory; none if not, or if the target does not gain by it.
std::optional<PieceSchedule> stageTallTiles(const PieceView &view, const TargetInfo &target,
                                            const PieceSchedule &piece);

/// `piece` in blocks of a few runs along both sides, if it transposes runs of two lines to 1 KiB to
/// many rows, and the target gains by it.
PieceSchedule groupRuns(const PieceView &view, const TargetInfo &target, PieceSchedule piece);

/// `piece` with tiles that read parts of lines of many rows, and write several lines of each, if it
/// transposes long rows, and the target gains by it.
PieceSchedule turnManyRows(const PieceView &view, const TargetInfo &target, PieceSchedule piece);

/// A schedule that writes long runs of fill in whole lines wherever they begin, through scratch
/// memory; none for other pieces, or if the target has no stores for it.
std::optional<PieceSchedule> fillRuns(const PieceView &view, const TargetInfo &target);

/// True if the rows of both sides are too short for the order of one side to suit the other.
bool hasShortRowsOfBoth(const Problem &problem);

/// True if a window cuts rows of runs that do not divide a line into `pieces`, none of which has
/// all of a row, and the target gains by whole rows though the cuts are on lines.
bool cutsOddRuns(const Problem &problem, const std::vector<Piece> &pieces,
                 const TargetInfo &target);

/// A schedule that carries parts of lines, of a piece that a window cuts: in blocks that have whole
/// rows, or what lies beside a border as well. None if such blocks are too large, if without a
/// window it would write whole lines without a stage, or if the target has no stores for it.
std::optional<PieceSchedule> wholeRowPiece(const PieceView &view, const Knobs &base,
                                           const TargetInfo &target, int64_t threads);

/// A schedule that carries parts of lines from run to run of the input, of which a window leaves
/// out or fills some; none if there are no such runs, or the target has no stores for it.
std::optional<PieceSchedule> windowedRuns(const PieceView &view, const TargetInfo &target);

/// All schedules in such blocks, also those that are not known to gain, the best first.
std::vector<PieceSchedule> wholeRowPieces(const PieceView &view, const Knobs &base,
                                          const TargetInfo &target);

/// Schedules of transposes of short rows, in blocks that go along several digits of both sides;
/// none where the target does not gain by them.
std::vector<PieceSchedule> blockPieces(const PieceView &view, const TargetInfo &target);

} // namespace relayout

#endif // RELAYOUT_LIB_SCHEDULE_PIECES_H
