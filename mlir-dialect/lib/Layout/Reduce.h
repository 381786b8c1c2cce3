// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//
/// \file
/// Reduction of problems and a bound of their pieces, for the sources of this library.

#ifndef RELAYOUT_LIB_LAYOUT_REDUCE_H
#define RELAYOUT_LIB_LAYOUT_REDUCE_H

#include "relayout/Layout/Problem.h"

namespace relayout {

/// Brings `problem` to its canonical form without changing what is written where:
/// drops ranges that always hold, shortens the others to the digits that matter,
/// drops digits of extent 1, orders the digits, merges those adjacent on both sides.
void reduceProblem(Problem &problem);

/// True if `splitIntoPieces` could make at most `kMaxPieces`: estimated, as if no digit
/// stood in two ranges and runs that follow one another were taken apart.
bool hasFewPieces(const Problem &problem);

} // namespace relayout

#endif // RELAYOUT_LIB_LAYOUT_REDUCE_H
