// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Where the runs of a staged piece begin and end that go on from block to block.

#ifndef RELAYOUT_LIB_CONVERSION_RUNENDS_H
#define RELAYOUT_LIB_CONVERSION_RUNENDS_H

#include "PieceNests.h"

#include "relayout/IR/Relayout.h"

namespace relayout {

/// A run of the loops that continue it.
struct Ends {
  mlir::Value first, last; ///< whether no run goes before or behind it
  mlir::Value repeated;    ///< elements at its beginning that the block before has written

  bool isNone() const;
};

class RunEnds {
public:
  /// `blocks` is the nest over the blocks of `schedule`, which carries parts of lines.
  RunEnds(mlir::OpBuilder &b, mlir::Location loc, const PieceNests &nests,
          const PieceSchedule &schedule, const StagedBlock &block, NestEmitter &blocks)
      : b(b), loc(loc), nests(nests), schedule(schedule), block(block), blocks(blocks),
        crops(windowsOf(nests.piece, schedule).crops) {}

  /// Those of the runs of the block at hand.
  Ends ofBlock();

  /// The kept line of the block's first run.
  Subscript firstKept();

  /// Lets `run`, whose kept line is `line`, meet the runs beside it: the one at the next value of
  /// the joined digit, of which the block has `inBlock`, begins where it ends.
  void addHeads(RunOp run, Subscript line, mlir::Value inBlock);

private:
  mlir::Value isCut(unsigned d);
  mlir::Value isLast(unsigned d, unsigned i, mlir::Value low);
  mlir::Value segmentOf(unsigned d);
  mlir::Value repeatedElements();

  /// Which of the crops that leave out whole blocks has digit `d`; none if none does.
  std::optional<size_t> cropOf(unsigned d) const;
  /// Whether the block is the first one that `crop` leaves, or the last one.
  mlir::Value isFirst(const DigitRange &crop);
  mlir::Value isLast(const DigitRange &crop);

  mlir::Value constant(int64_t value);
  mlir::Value sum(mlir::Value x, mlir::Value y);
  mlir::Value isNot(mlir::Value x);
  mlir::Value isAtLeast(mlir::Value x, mlir::Value y);
  mlir::Value both(mlir::Value x, mlir::Value y, mlir::Value unless);

  mlir::OpBuilder &b;
  mlir::Location loc;
  const PieceNests &nests;
  const PieceSchedule &schedule;
  const StagedBlock &block;
  NestEmitter &blocks;
  std::vector<const DigitRange *> crops; ///< that leave out whole blocks
};

} // namespace relayout

#endif // RELAYOUT_LIB_CONVERSION_RUNENDS_H
