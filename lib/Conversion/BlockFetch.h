// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Fetches the next block of the input into the second cache while one is moved.

#ifndef RELAYOUT_LIB_CONVERSION_BLOCKFETCH_H
#define RELAYOUT_LIB_CONVERSION_BLOCKFETCH_H

#include "NestEmitter.h"

namespace relayout {

/// Which part of a visit fetches: the one whose number is `part` (null: 0), of `parts`.
struct FetchShare {
  int64_t parts = 1;
  mlir::Value part;
};

/// How often the loops from `loops[first]` on are gone through within those before.
int64_t visitsOf(const Problem &piece, llvm::ArrayRef<Loop> loops, size_t first);

/// How many of these visits there were before that of the body of `nest`; null: none.
mlir::Value visitNumber(mlir::OpBuilder &builder, mlir::Location loc, NestEmitter &nest,
                        const Problem &piece, llvm::ArrayRef<Loop> loops, size_t first);

/// Emits, in the body of `nest`, this visit's share of the lines of the next block: those that
/// the loops from `schedule.fetch` on go through at the next values of the loops outside. The
/// visits of a block fetch its lines in the order of the input, so that the memory is read in
/// long runs whatever the order in which tiles use them. `nest` has all loops of `schedule`, or
/// those outside of its stage; `in` is the flat input.
void emitBlockFetch(mlir::OpBuilder &builder, mlir::Location loc, NestEmitter &nest,
                    const Problem &piece, const PieceSchedule &schedule, mlir::Value in,
                    FetchShare share = {});

/// Emits, at the depth of `schedule.touch` in `nest`, the reads of the block's lines.
void emitBlockTouch(mlir::OpBuilder &builder, mlir::Location loc, const NestEmitter &nest,
                    const Problem &piece, const PieceSchedule &schedule, mlir::Value in);

/// Lines that each visit of the first `depth` loops of `schedule` fetches.
int64_t linesFetched(const Problem &piece, const PieceSchedule &schedule, size_t depth);

} // namespace relayout

#endif // RELAYOUT_LIB_CONVERSION_BLOCKFETCH_H
