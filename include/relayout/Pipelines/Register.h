// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Registration for tools and for the compiler.

#ifndef RELAYOUT_PIPELINES_REGISTER_H
#define RELAYOUT_PIPELINES_REGISTER_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace relayout {

/// Adds the dialect, every upstream dialect that the pipelines touch, and the
/// external models that they need (bufferization, translation to LLVM IR).
void registerAllDialects(mlir::DialectRegistry &registry);

/// Registers the passes and pipelines of the project by name.
void registerAllPasses();

} // namespace relayout

#endif // RELAYOUT_PIPELINES_REGISTER_H
