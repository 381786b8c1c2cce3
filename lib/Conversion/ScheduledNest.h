// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Affine loops around one register tile, for one piece of a scheduled problem.

#ifndef RELAYOUT_LIB_CONVERSION_SCHEDULEDNEST_H
#define RELAYOUT_LIB_CONVERSION_SCHEDULEDNEST_H

#include "AffineNest.h"

#include "relayout/Schedule/Schedule.h"

#include "mlir/IR/BuiltinAttributes.h"

namespace relayout {

/// Emits the nests of all pieces at the builder's insertion point, which must be at the
/// top level of a function. `fill` is the value of the pieces that fill. Where the
/// schedule asks for non-temporal stores, tiles choose them for an output base on a line,
/// and ordinary stores for any other.
Status emitScheduledNests(mlir::OpBuilder &builder, mlir::Location loc,
                          const NestMovement &movement, mlir::TypedAttr fill,
                          const std::vector<Piece> &pieces, const Schedule &schedule);

} // namespace relayout

#endif // RELAYOUT_LIB_CONVERSION_SCHEDULEDNEST_H
