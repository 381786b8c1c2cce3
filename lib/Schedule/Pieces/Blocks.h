// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Orders in which the input comes to the caches before pieces move it: blocks that are fetched or
/// read in order, and what is prefetched into the second cache.

#ifndef RELAYOUT_LIB_SCHEDULE_BLOCKS_H
#define RELAYOUT_LIB_SCHEDULE_BLOCKS_H

#include "PieceView.h"

namespace relayout {

/// `piece` with the largest blocks fetched that a share of the second cache holds, where the target
/// gains by it: if it is staged and loses what it reads ahead, or if its tiles shuffle for so long
/// that the loads of the next one come late.
PieceSchedule fetchBlocks(const PieceView &view, const TargetInfo &target, PieceSchedule piece);

/// Schedules of `piece` that read the lines of a block in their order before it is moved, if it
/// reads several streams within one stretch; none if the target does not gain by it.
std::vector<PieceSchedule> touchBlocks(const PieceView &view, const TargetInfo &target,
                                       const PieceSchedule &piece);

/// `piece` with what a visit reads of several stretches fetched before, if it carries parts of
/// lines and would read the lines of each stretch in their order by itself.
PieceSchedule fetchApart(const PieceView &view, const TargetInfo &target, PieceSchedule piece);

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

/// True if the lines of the block that `piece` fetches meet in too few sets of the second cache: as
/// many are fetched beside those that are read.
bool blockCrowdsSecondCache(const Problem &problem, const PieceSchedule &piece,
                            const TargetInfo &target);

/// Rows of the input of which the blocks that `piece` fetches have a part.
int64_t rowsFetched(const Problem &problem, const PieceSchedule &piece);

/// `piece` with blocks fetched that the first cache about holds, if it carries parts of lines and
/// reads short rows; none where the target does not gain by it.
std::optional<PieceSchedule> fetchCarried(const PieceView &view, const TargetInfo &target,
                                          const PieceSchedule &piece);

/// `piece` with blocks fetched that are one stretch of the input each, if its tiles read several
/// short rows of it side by side, and the target gains by it.
PieceSchedule fetchStretch(const PieceView &view, const TargetInfo &target, PieceSchedule piece);

/// `piece` with what it prefetches going to the second cache, where the target gains by it.
PieceSchedule prefetchToSecond(const PieceView &view, const TargetInfo &target,
                               PieceSchedule piece);

/// `piece` with blocks fetched of which the first cache holds all lines, if it carries parts of
/// lines and transposes bytes of long rows; none if not, or if the target does not gain by it.
std::optional<PieceSchedule> fetchByteRows(const PieceView &view, const TargetInfo &target,
                                           const PieceSchedule &piece);

/// `piece` with the lines of its fetched blocks going to the first cache before tiles read them, if
/// those read parts of many rows, and the target gains by it.
PieceSchedule bringNear(const PieceView &view, const TargetInfo &target, PieceSchedule piece);

/// True if `piece` does so with bytes, of which its tiles read a quarter of a line at a time, and
/// the first cache holds all lines of a tile: then it gains more than by other kinds of blocks.
bool bringsBytesNear(const PieceView &view, const TargetInfo &target, const PieceSchedule &piece);

/// Bytes of the input inside of the first `depth` loops.
int64_t blockBytes(const Problem &problem, const PieceSchedule &piece, size_t depth);

/// True if the second cache holds such a block, the next one, and what else it needs.
bool holdsBlock(const Problem &problem, const PieceSchedule &piece, size_t depth,
                const TargetInfo &target);

/// The least depth of loops whose block a share of the second cache holds; none if only a tile's is
/// as small, or what is staged.
std::optional<unsigned> fetchDepth(const PieceView &view, const PieceSchedule &piece,
                                   const TargetInfo &target);

} // namespace relayout

#endif // RELAYOUT_LIB_SCHEDULE_BLOCKS_H
