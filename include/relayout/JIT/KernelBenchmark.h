// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Compiles a rearrangement, checks it against the reference and times it.

#ifndef RELAYOUT_JIT_KERNELBENCHMARK_H
#define RELAYOUT_JIT_KERNELBENCHMARK_H

#include "relayout/JIT/Compiler.h"
#include "relayout/Layout/Rearrangement.h"
#include "relayout/Runtime/Benchmark.h"
#include "relayout/Schedule/Schedule.h"

namespace relayout {

/// What is timed: a module to compile and what it means, on tensors without gaps.
struct BenchmarkSubject {
  Compiler::ModuleBuilder build;
  Rearrangement rearrangement;
  int64_t width;    ///< bytes of an element
  const void *fill; ///< `width` bytes, or null for zero
};

struct KernelBenchmark {
  BenchmarkFigures figures;
  double compileMilliseconds = 0; ///< of the kernel, not of the pattern; median of three
  std::string schedule;           ///< empty for a plain copy
  Prediction prediction;          ///< of the schedule; zero for a plain copy
};

/// Benchmarks kernels for one target; holds the compilers, which are warm.
class KernelBenchmarker {
public:
  /// `options` are those of the kernels; those of the pattern follow from them.
  static Result<KernelBenchmarker> create(const CompilerOptions &options);

  /// Compiles `subject`, runs it once and compares the result with the reference, then
  /// times it. A wrong result is an error of code Mismatch, as is a kernel of other sizes.
  Result<KernelBenchmark> run(const BenchmarkSubject &subject, BenchmarkOptions options);

private:
  KernelBenchmarker() = default;
  std::unique_ptr<Compiler> compiler;
  std::unique_ptr<Compiler> patternCompiler;
};

} // namespace relayout

#endif // RELAYOUT_JIT_KERNELBENCHMARK_H
