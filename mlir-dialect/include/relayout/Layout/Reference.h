// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The slow, obvious reference evaluator that every test trusts. It follows the
/// definition step by step and shares no code with the problem or its pieces.

#ifndef RELAYOUT_LAYOUT_REFERENCE_H
#define RELAYOUT_LAYOUT_REFERENCE_H

#include "relayout/Layout/Rearrangement.h"

#include <vector>

namespace relayout {

/// For each element of the result, in row-major order, the row-major index of the
/// operand's element that it holds, or -1 for the fill value. `r` must verify.
std::vector<int64_t> referenceMap(const Rearrangement &r);

/// The same for one result index (row-major), in constant space: for results too
/// large to hold a map of.
int64_t referenceSource(const Rearrangement &r, int64_t resultIndex);

/// Moves bytes: `operand` and `result` are dense row-major, `fill` points to
/// `width` bytes (or is null where no fill is needed).
void evaluateReference(const Rearrangement &r, int64_t width, const void *operand, void *result,
                       const void *fill);

} // namespace relayout

#endif // RELAYOUT_LAYOUT_REFERENCE_H
