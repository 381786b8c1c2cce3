// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The form of a kernel function, and the facts that it carries for its callers.

#ifndef RELAYOUT_CONVERSION_KERNELABI_H
#define RELAYOUT_CONVERSION_KERNELABI_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace relayout {

/// The attribute of a function that is a kernel: a dictionary of facts.
constexpr llvm::StringLiteral kKernelAttrName = "relayout.kernel";

/// The facts by name. All count bytes but `units`.
namespace fact {
constexpr llvm::StringLiteral kAlignment = "alignment";
constexpr llvm::StringLiteral kInputBytes = "input_bytes";
constexpr llvm::StringLiteral kOutputBytes = "output_bytes";
constexpr llvm::StringLiteral kScratchBytes = "scratch_bytes";
constexpr llvm::StringLiteral kUnits = "units";
/// Only on a kernel that is a plain copy: from which byte of the input to which
/// byte of the output, and how many.
constexpr llvm::StringLiteral kCopyFrom = "copy_from";
constexpr llvm::StringLiteral kCopyTo = "copy_to";
constexpr llvm::StringLiteral kCopyBytes = "copy_bytes";
} // namespace fact

/// Positions of the parameters of a kernel.
enum KernelParameter : unsigned { kIn, kOut, kScratch, kBegin, kEnd, kNumKernelParameters };

inline bool isKernel(mlir::Operation *function) {
  return function->hasAttrOfType<mlir::DictionaryAttr>(kKernelAttrName);
}

/// The fact called `name` of a kernel; empty if it has none of that name.
std::optional<int64_t> getKernelFact(mlir::Operation *function, llvm::StringRef name);

/// The alignment that a kernel states; empty if it states none, a failure with a diagnostic if
/// it is no power of two, or more than 4096.
llvm::FailureOr<std::optional<int64_t>> getKernelAlignment(mlir::Operation *function);

/// Adds or replaces a fact; makes `function` a kernel.
void setKernelFact(mlir::Operation *function, llvm::StringRef name, int64_t value);

} // namespace relayout

#endif // RELAYOUT_CONVERSION_KERNELABI_H
