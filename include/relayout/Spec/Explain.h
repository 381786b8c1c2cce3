// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What a spec means, in words.

#ifndef RELAYOUT_SPEC_EXPLAIN_H
#define RELAYOUT_SPEC_EXPLAIN_H

#include "relayout/Layout/Problem.h"
#include "relayout/Spec/Spec.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace relayout {

/// A spec with what follows from it; `words` state it again.
struct SpecReport {
  std::string words;
  const Spec &spec;
  const Rearrangement &meaning;
  const SpecSide &operand, &result;
  const Problem &problem;

  /// A line each: operand, result, pattern, digits, pads, crops, the canonical problem.
  void writeText(llvm::raw_ostream &out) const;
  llvm::json::Object toJson() const;
};

} // namespace relayout

#endif // RELAYOUT_SPEC_EXPLAIN_H
