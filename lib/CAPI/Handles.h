// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The handles of the compiler's half of the C interface.

#ifndef RELAYOUT_LIB_CAPI_HANDLES_H
#define RELAYOUT_LIB_CAPI_HANDLES_H

#include "CompileService.h"
#include "Support.h"

#include "relayout-c/relayout.h"

#include "relayout/Layout/Problem.h"
#include "relayout/Spec/Spec.h"

#include <memory>
#include <mutex>
#include <string>

struct relayout_spec {
  relayout::Spec spec;
  relayout::Rearrangement meaning;
  relayout::SpecSide input;
  relayout::SpecSide output;
  std::string json;
};

struct relayout_compiler {
  std::shared_ptr<relayout::capi::CompileService> service;
};

struct relayout_plan {
  std::shared_ptr<relayout::capi::CompileService> service;
  relayout_spec spec;
  relayout::CompilerOptions options;
  relayout::Problem problem;
  relayout::CacheKey key;
  // Made when they are asked for, since choosing a schedule takes as long as the rest
  // of a plan a hundred times.
  mutable std::once_flag describedOnce;
  mutable std::string schedule;
  mutable std::string explanation;
};

struct relayout_data {
  std::string bytes;
};

namespace relayout::capi {

/// The handle of `spec`, or what is wrong with it.
Result<relayout_spec> makeSpecHandle(Spec spec);

/// The spec that `text`, a JSON object, holds.
Result<Spec> parseSpecText(llvm::StringRef text);

/// Hands the spec to the caller, or the error.
relayout_error *finishSpec(Result<Spec> spec, relayout_spec **handle);

/// Fills in `schedule` and `explanation` of `plan`.
void describePlan(const relayout_plan &plan);

} // namespace relayout::capi

#endif // RELAYOUT_LIB_CAPI_HANDLES_H
