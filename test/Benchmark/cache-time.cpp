// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Measures what a kernel costs that is compiled, read from disk, or found in memory,
/// through the C interface. Prints p50 and p95 of each.

#include "relayout-c/relayout.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int kSpecs = 100, kHitRounds = 1000, kThreads = 16;
using Clock = std::chrono::steady_clock;

void check(relayout_error *error) {
  if (!error)
    return;
  std::fprintf(stderr, "error: %s\n", relayout_error_message(error));
  std::exit(1);
}

double microsecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

/// Without a cache the times would be those of compiles, whatever they are called.
void checkCache(const relayout_compiler *compiler) {
  const char *problem = relayout_compiler_cache_problem(compiler);
  if (!problem)
    return;
  std::fprintf(stderr, "error: %s\n", problem);
  std::exit(1);
}

relayout_compiler *makeCompiler(const char *folder) {
  relayout_compiler_options options = {};
  options.struct_size = sizeof(options);
  options.cache_mode = RELAYOUT_CACHE_READ_WRITE;
  options.cache_directory = folder;
  relayout_compiler *compiler = nullptr;
  check(relayout_compiler_create(&options, &compiler));
  checkCache(compiler);
  return compiler;
}

/// Depth to space of another shape for each `i`.
relayout_plan *makePlan(relayout_compiler *compiler, int i) {
  const int64_t shape[] = {2, 12, 6 + i, 5 + i % 7}, block = 2;
  relayout_tensor tensor = {i % 2 ? "f32" : "u8", 0, 4, shape};
  relayout_spec *spec = nullptr;
  relayout_plan *plan = nullptr;
  check(relayout_spec_create_depth_to_space(&tensor, "NCHW", "CRD", &block, 1, &spec));
  check(relayout_plan_create(compiler, spec, nullptr, &plan));
  relayout_spec_free(spec);
  return plan;
}

double timeKernel(const relayout_plan *plan) {
  relayout_kernel *kernel = nullptr;
  Clock::time_point start = Clock::now();
  check(relayout_kernel_create(plan, &kernel));
  double time = microsecondsSince(start);
  relayout_kernel_free(kernel);
  return time;
}

/// Every plan once: the first time of a compiler, so from disk or compiled.
std::vector<double> timeAll(const char *folder) {
  relayout_compiler *compiler = makeCompiler(folder);
  std::vector<double> times;
  for (int i = 0; i < kSpecs; ++i) {
    relayout_plan *plan = makePlan(compiler, i);
    times.push_back(timeKernel(plan));
    relayout_plan_free(plan);
  }
  checkCache(compiler);
  relayout_compiler_free(compiler);
  return times;
}

/// Mean of one thread's hits, creation and release together.
double hitTime(const std::vector<relayout_plan *> &plans) {
  Clock::time_point start = Clock::now();
  for (int round = 0; round < kHitRounds; ++round) {
    relayout_kernel *kernel = nullptr;
    check(relayout_kernel_create(plans[round % plans.size()], &kernel));
    relayout_kernel_free(kernel);
  }
  return microsecondsSince(start) / kHitRounds;
}

void printRow(const char *name, std::vector<double> times) {
  std::sort(times.begin(), times.end());
  std::printf("%-24s %10.3f %10.3f\n", name, times[times.size() / 2],
              times[times.size() * 95 / 100]);
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: cache-time FOLDER\n");
    return 2;
  }
  std::printf("%d kernels, microseconds\n%-24s %10s %10s\n", kSpecs, "", "p50", "p95");
  printRow("compiled and stored", timeAll(argv[1]));
  printRow("read from disk", timeAll(argv[1]));

  relayout_compiler *compiler = makeCompiler(argv[1]);
  std::vector<relayout_plan *> plans;
  for (int i = 0; i < kSpecs; ++i) {
    plans.push_back(makePlan(compiler, i));
    timeKernel(plans.back());
  }
  std::vector<double> alone, together(kThreads * 20);
  for (int i = 0; i < 200; ++i)
    alone.push_back(hitTime(plans));
  printRow("found in memory", alone);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&, i] {
      for (int round = 0; round < 20; ++round)
        together[20 * i + round] = hitTime(plans);
    });
  for (std::thread &thread : threads)
    thread.join();
  printRow("the same, 16 threads", together);
  for (relayout_plan *plan : plans)
    relayout_plan_free(plan);
  relayout_compiler_free(compiler);
  return 0;
}
