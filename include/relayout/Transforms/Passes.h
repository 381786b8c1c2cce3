// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Passes from relayout to relayout, by way of chains of upstream operations.

#ifndef RELAYOUT_TRANSFORMS_PASSES_H
#define RELAYOUT_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

#include <memory>

namespace relayout {

/// The attribute of an operation on memrefs that holds its schedule, as text.
constexpr llvm::StringLiteral kScheduleAttrName = "relayout.schedule";

#define GEN_PASS_DECL
#include "relayout/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "relayout/Transforms/Passes.h.inc"

} // namespace relayout

#endif // RELAYOUT_TRANSFORMS_PASSES_H
