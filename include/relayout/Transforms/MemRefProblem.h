// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The canonical problem of an operation on memrefs, whose strides are known.

#ifndef RELAYOUT_TRANSFORMS_MEMREFPROBLEM_H
#define RELAYOUT_TRANSFORMS_MEMREFPROBLEM_H

#include "relayout/IR/Relayout.h"
#include "relayout/Layout/Problem.h"

namespace relayout {

/// The attribute of an operation on memrefs that holds its schedule, as text.
constexpr llvm::StringLiteral kScheduleAttrName = "relayout.schedule";

/// The problem of `op`, which has the form on memrefs; an error of `op` where an extent
/// or a stride is dynamic, or where the problem breaks a rule. Offsets of the memrefs
/// are not part of it.
mlir::FailureOr<Problem> getMemRefProblem(RearrangementOpInterface op);

} // namespace relayout

#endif // RELAYOUT_TRANSFORMS_MEMREFPROBLEM_H
