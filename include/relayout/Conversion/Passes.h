// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The passes that lead from relayout to other dialects.

#ifndef RELAYOUT_CONVERSION_PASSES_H
#define RELAYOUT_CONVERSION_PASSES_H

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

#include <memory>

namespace relayout {

#define GEN_PASS_DECL
#include "relayout/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "relayout/Conversion/Passes.h.inc"

} // namespace relayout

#endif // RELAYOUT_CONVERSION_PASSES_H
