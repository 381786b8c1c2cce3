// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Chooses a schedule by measurement, where the cost model's choice is not good enough.

#ifndef RELAYOUT_JIT_TUNE_H
#define RELAYOUT_JIT_TUNE_H

#include "relayout/JIT/KernelBenchmark.h"

#include <string>
#include <vector>

namespace relayout {

/// A schedule that was measured.
struct TimedSchedule {
  std::string schedule;
  double ratio = 0; ///< its share of the bound
};

/// What came of measuring.
struct Tuning {
  TimedSchedule best;     ///< to pin; its text is empty for a plain copy
  double pickedRatio = 0; ///< that of the cost model's choice, timed by turns with the best
  /// Every candidate with what a few timings gave; the cost model's choice is the first.
  std::vector<TimedSchedule> candidates;
};

/// Schedules that can be asked for.
constexpr int64_t kMaxTuneCount = 10000;

/// Compiles and times up to `count` schedules of `subject`, the cost model's choice among them,
/// and times the best of them again, `benchmark.rounds` times, since the fastest of many
/// timings is a lucky one. What `options.schedule` pins is pinned in all of them. An error where
/// the subject does not compile, or memory is short.
Result<Tuning> tuneSchedule(const BenchmarkSubject &subject, const CompilerOptions &options,
                            int64_t count, const BenchmarkOptions &benchmark);

} // namespace relayout

#endif // RELAYOUT_JIT_TUNE_H
