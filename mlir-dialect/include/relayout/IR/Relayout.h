// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The relayout dialect: attributes, interface and operations.

#ifndef RELAYOUT_IR_RELAYOUT_H
#define RELAYOUT_IR_RELAYOUT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "relayout/IR/ElementTypes.h"
#include "relayout/Layout/NamedOperations.h"
#include "relayout/Layout/Problem.h"
#include "relayout/Layout/Rearrangement.h"

namespace relayout {

/// For the storage of WindowsAttr.
inline llvm::hash_code hash_value(const Window &window) {
  return llvm::hash_combine(window.low, window.high);
}

/// For the storage of DigitsAttr.
inline llvm::hash_code hash_value(const Digit &digit) {
  return llvm::hash_combine(digit.extent, digit.inStride, digit.outStride);
}

} // namespace relayout

#include "relayout/IR/RelayoutDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "relayout/IR/RelayoutAttrs.h.inc"

#include "relayout/IR/RelayoutInterfaces.h.inc"

#define GET_OP_CLASSES
#include "relayout/IR/RelayoutOps.h.inc"

namespace relayout {

/// The problem of `op`, which has the form on memrefs with static strides, or the rule that it
/// breaks. Offsets of the memrefs are not part of it.
Result<Problem> getMemRefProblem(RearrangementOpInterface op);

} // namespace relayout

#endif // RELAYOUT_IR_RELAYOUT_H
