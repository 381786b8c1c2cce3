// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The tiles that fill a block of scratch memory, and what becomes of what windows do not read.

#ifndef RELAYOUT_LIB_CONVERSION_BLOCKTILES_H
#define RELAYOUT_LIB_CONVERSION_BLOCKTILES_H

#include "BlockFetch.h"
#include "PieceNests.h"

namespace relayout {

/// Emits by `within` what lies within all of `windows`, and by `beyond` what does not: `sumOf`
/// makes the sum of a window's terms that tells.
void emitWithin(mlir::OpBuilder &b, mlir::Location loc, llvm::ArrayRef<const DigitRange *> windows,
                llvm::function_ref<mlir::Value(const DigitRange &)> sumOf,
                llvm::function_ref<void()> within, llvm::function_ref<void()> beyond);

class BlockTiles {
public:
  /// Emits an access of a share of the next block.
  using Fetch = llvm::function_ref<void(FetchShare)>;

  /// `blocks` is the nest over the blocks of `schedule`, which are like `block`.
  BlockTiles(mlir::OpBuilder &b, mlir::Location loc, const PieceNests &nests,
             const PieceSchedule &schedule, const StagedBlock &block, NestEmitter &blocks)
      : b(b), loc(loc), nests(nests), schedule(schedule), block(block), blocks(blocks),
        windows(windowsOf(nests.piece, schedule)) {}

  /// The tiles of the block at `in`, where it lies in `moved`: what they read. Those of its largest
  /// part `fetch` the next one between them, unless that is null.
  void emit(const Problem &moved, mlir::Value in, Fetch fetch);

private:
  std::optional<int64_t> blockWithin(llvm::ArrayRef<int64_t> starts) const;
  void emitParts(const Problem &moved, mlir::Value in, int64_t start, Fetch fetch);
  void emitTiles(const Problem &moved, const Piece &part, mlir::Value in, Fetch fetch);
  Problem innerOf(const Problem &moved, const Piece &part) const;
  mlir::Value sumOf(const DigitRange &range, const Piece &part, NestEmitter &nest);

  mlir::OpBuilder &b;
  mlir::Location loc;
  const PieceNests &nests;
  const PieceSchedule &schedule;
  const StagedBlock &block;
  NestEmitter &blocks;
  PieceWindows windows;
};

} // namespace relayout

#endif // RELAYOUT_LIB_CONVERSION_BLOCKTILES_H
