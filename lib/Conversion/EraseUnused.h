// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What a rewrite by hand leaves behind.

#ifndef RELAYOUT_LIB_CONVERSION_ERASEUNUSED_H
#define RELAYOUT_LIB_CONVERSION_ERASEUNUSED_H

#include "mlir/IR/Region.h"

namespace relayout {

/// Erases the operations of `region`, but for those in regions of its own operations, whose results
/// nothing uses and that do nothing else, last ones first. Regions that branch to blocks further up
/// may keep some.
void eraseUnused(mlir::Region &region);

} // namespace relayout

#endif // RELAYOUT_LIB_CONVERSION_ERASEUNUSED_H
