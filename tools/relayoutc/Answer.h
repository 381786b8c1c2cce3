// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// From a spec to its result, and the result as text.

#ifndef RELAYOUT_TOOLS_RELAYOUTC_ANSWER_H
#define RELAYOUT_TOOLS_RELAYOUTC_ANSWER_H

#include "Subject.h"

#include "relayout/Spec/HostTensor.h"

namespace relayout::driver {

/// A spec with what follows from it.
struct Meaning {
  Spec spec;
  Rearrangement rearrangement;
  SpecSide operand, result; ///< row-major unless the spec has strides
};

/// An error if the spec has strides.
Status requireDense(const Meaning &meaning);

/// All checks of sizes, before any memory is taken.
Result<Meaning> checkMeaning(const Spec &spec);

/// The same of `subject`, which for a module is what it is after fusion.
Result<Meaning> resolveMeaning(const Subject &subject, Compiler &compiler);

/// An error if operand and result do not fit the memory that is left.
Status checkMemoryFor(const Meaning &meaning);

/// Compiles `subject` with `compiler` and runs it on `operand`.
Result<HostTensor> execute(Compiler &compiler, const Subject &subject, const Meaning &meaning,
                           const HostTensor &operand);

/// The lower case hexadecimal SHA-256 of the elements, little endian.
std::string digest(const HostTensor &tensor);

/// `[1,2,3]`, row-major.
void writeFlat(llvm::raw_ostream &out, const HostTensor &tensor);
/// Nested lists, a line for each innermost one.
void writeNested(llvm::raw_ostream &out, const HostTensor &tensor);
/// `"shape":[...],"dtype":"..."`.
void writeShape(llvm::raw_ostream &out, const std::vector<int64_t> &shape,
                const ElementType &dtype);

} // namespace relayout::driver

#endif // RELAYOUT_TOOLS_RELAYOUTC_ANSWER_H
