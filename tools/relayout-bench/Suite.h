// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// A suite of cases: JSON lines, each a spec or the dimensions of a transpose.

#ifndef RELAYOUT_TOOLS_RELAYOUT_BENCH_SUITE_H
#define RELAYOUT_TOOLS_RELAYOUT_BENCH_SUITE_H

#include "relayout/Spec/Spec.h"

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace relayout::bench {

struct Case {
  std::string id;
  Spec spec;
};

/// The cases of the file at `path` (`-` is standard input), those of `ids` alone if it
/// is not empty: each is an id, or several between commas. A line is
/// `{"id":...,"dims":[...],"perm":[...],"dtype":...}` or a spec as `relayoutc batch` takes it; `id`
/// is the line's number where it is missing, and what says where a case comes from (`origin`,
/// `input`, `answer`) is passed over. Specs with strides are errors.
Result<std::vector<Case>> readSuite(llvm::StringRef path, const std::vector<std::string> &ids);

} // namespace relayout::bench

#endif // RELAYOUT_TOOLS_RELAYOUT_BENCH_SUITE_H
