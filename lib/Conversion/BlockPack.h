// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Copies a block of the input into scratch memory, from where tiles move it.

#ifndef RELAYOUT_LIB_CONVERSION_BLOCKPACK_H
#define RELAYOUT_LIB_CONVERSION_BLOCKPACK_H

#include "NestEmitter.h"

namespace relayout {

/// Emits, at the depth of `schedule.pack` in `nest`, the copy of the block's rows from the flat
/// input to the flat `scratch`, and lets the nest's boxes start where the block has them: its
/// places in the input are those in the block then.
void emitBlockPack(mlir::OpBuilder &builder, mlir::Location loc, NestEmitter &nest,
                   const Problem &piece, const PieceSchedule &schedule, mlir::Value in,
                   mlir::Value scratch);

} // namespace relayout

#endif // RELAYOUT_LIB_CONVERSION_BLOCKPACK_H
