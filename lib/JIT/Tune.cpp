// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/JIT/Tune.h"

#include "relayout/Layout/KernelForm.h"

#include <algorithm>
#include <numeric>
#include <set>

using namespace relayout;

namespace {

/// Timings of each candidate in the first heat, and how many reach the second.
constexpr int kFirstRounds = 3;
constexpr size_t kFinalists = 8;

/// A schedule and its kernel.
struct Runner {
  std::string schedule;
  Kernel kernel;
};

Result<Runner> compileWith(const BenchmarkSubject &subject, CompilerOptions options,
                           const std::string &schedule) {
  options.schedule = schedule;
  Result<std::unique_ptr<Compiler>> compiler = Compiler::create(options);
  if (!compiler)
    return compiler.error();
  Result<Kernel> kernel = (*compiler)->compile(subject.build);
  if (!kernel)
    return kernel.error();
  return Runner{(*compiler)->schedule(), kernel.take()};
}

Result<std::vector<Schedule>> candidatesFor(const BenchmarkSubject &subject,
                                            const CompilerOptions &options, int64_t count) {
  Result<std::unique_ptr<Compiler>> compiler = Compiler::create(options);
  if (!compiler)
    return compiler.error();
  Result<Problem> problem = buildKernelProblem(subject.rearrangement, subject.width, subject.fill);
  Result<ResultHint> hint = parseResultHint(options.result);
  if (!problem)
    return problem.error();
  if (!hint)
    return hint.error();
  ScheduleOptions wanted{*hint, options.threads, pinnedRows(options.schedule)};
  return candidateSchedules(*problem, (*compiler)->target(), wanted, count);
}

/// The kernel of the cost model's choice, and those of the other candidates.
Result<std::vector<Runner>> compileAll(const BenchmarkSubject &subject,
                                       const CompilerOptions &options, int64_t count) {
  Result<Runner> picked = compileWith(subject, options, options.schedule);
  if (!picked)
    return picked.error();
  std::vector<Runner> runners{picked.take()};
  if (runners[0].schedule.empty()) // a plain copy
    return runners;
  Result<std::vector<Schedule>> candidates = candidatesFor(subject, options, count);
  if (!candidates)
    return candidates.error();
  std::set<std::string> seen{runners[0].schedule};
  for (const Schedule &candidate : *candidates) {
    Result<Schedule> pinned = options.schedule.empty()
                                  ? Result<Schedule>(candidate)
                                  : overrideSchedule(candidate, options.schedule);
    if (!pinned || !seen.insert(pinned->str()).second)
      continue;
    // What is pinned may not go with this candidate, which then is none.
    if (Result<Runner> runner = compileWith(subject, options, pinned->str()))
      runners.push_back(runner.take());
  }
  return runners;
}

Result<std::vector<double>> timeAll(const std::vector<Runner> &runners,
                                    const BenchmarkOptions &benchmark) {
  std::vector<Kernel> kernels;
  for (const Runner &runner : runners)
    kernels.push_back(runner.kernel);
  return compareKernels(kernels, benchmark);
}

/// The first runner, which the cost model picked, and the fastest of the others.
std::vector<Runner> finalists(std::vector<Runner> runners, const std::vector<double> &ratios) {
  std::vector<size_t> order(runners.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin() + 1, order.end(),
            [&](size_t a, size_t b) { return ratios[a] > ratios[b]; });
  order.resize(std::min(order.size(), 1 + kFinalists));
  std::vector<Runner> best;
  for (size_t i : order)
    best.push_back(std::move(runners[i]));
  return best;
}

} // namespace

Result<Tuning> relayout::tuneSchedule(const BenchmarkSubject &subject,
                                      const CompilerOptions &options, int64_t count,
                                      const BenchmarkOptions &benchmark) {
  Result<std::vector<Runner>> compiled = compileAll(subject, options, count);
  if (!compiled)
    return compiled.error();
  std::vector<Runner> runners = compiled.take();
  if (runners[0].schedule.empty())
    return Tuning();
  Tuning tuning;
  BenchmarkOptions heat = benchmark;
  heat.rounds = std::min(kFirstRounds, benchmark.rounds);
  Result<std::vector<double>> first = timeAll(runners, heat);
  if (!first)
    return first.error();
  for (size_t i = 0; i < runners.size(); ++i)
    tuning.candidates.push_back({runners[i].schedule, (*first)[i]});
  std::vector<Runner> best = finalists(std::move(runners), *first);
  Result<std::vector<double>> ratios = timeAll(best, benchmark);
  if (!ratios)
    return ratios.error();
  size_t winner = std::max_element(ratios->begin(), ratios->end()) - ratios->begin();
  tuning.best = {best[winner].schedule, (*ratios)[winner]};
  tuning.pickedRatio = ratios->front();
  return tuning;
}
