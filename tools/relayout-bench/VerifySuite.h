// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Proves the kernels of a suite instead of timing them.

#ifndef RELAYOUT_TOOLS_RELAYOUT_BENCH_VERIFYSUITE_H
#define RELAYOUT_TOOLS_RELAYOUT_BENCH_VERIFYSUITE_H

#include "Report.h"
#include "Suite.h"

#include "relayout/JIT/Compiler.h"

namespace relayout::bench {

/// Compiles each case and compares every element of its result with the reference, in buffers
/// beside pages that end the process when they are touched (`verifyKernel`). `executor` shares
/// the work, or is null.
Status verifySuite(Report &report, const std::vector<Case> &cases, const CompilerOptions &options,
                   const Executor *executor);

} // namespace relayout::bench

#endif // RELAYOUT_TOOLS_RELAYOUT_BENCH_VERIFYSUITE_H
