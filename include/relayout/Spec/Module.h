// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Specs and MLIR: the module of a spec, and modules from files.

#ifndef RELAYOUT_SPEC_MODULE_H
#define RELAYOUT_SPEC_MODULE_H

#include "relayout/Spec/Spec.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace relayout {

/// Guards in front of the MLIR parser.
constexpr size_t kMaxModuleBytes = size_t(1) << 20;
constexpr size_t kMaxModuleDepth = 256; ///< of brackets, and of operators in one expression

/// The module of `spec`: `func.func @kernel(%arg0: tensor<...>) -> tensor<...>` with
/// the operation of that name where the dialect has one, else with
/// `relayout.rearrange`; from memref to memref where the spec has strides. `context` must have the
/// dialects loaded or in its registry.
Result<mlir::OwningOpRef<mlir::ModuleOp>> buildModule(const Spec &spec, mlir::MLIRContext &context);

/// Parses and verifies `text`. An error carries the first diagnostic, with
/// `fileName:line:column`.
Result<mlir::OwningOpRef<mlir::ModuleOp>>
parseModule(llvm::StringRef text, llvm::StringRef fileName, mlir::MLIRContext &context);

/// The spec, of operation `rearrange`, that a module at the stages `named` or `fused`
/// is: one function that returns one rearrangement of its argument, or the argument itself.
/// Chains must have been fused before; an error says what else the function holds.
Result<Spec> specFromModule(mlir::ModuleOp module);

/// The guard alone: size and nesting of `text`.
Status checkModuleText(llvm::StringRef text);

} // namespace relayout

#endif // RELAYOUT_SPEC_MODULE_H
