// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Measures what a call of `relayout_kernel_run` costs above the kernel itself, on a
/// transpose of 64 bytes, and counts the allocations and locks of a thousand calls.
/// Prints nanoseconds a call, medians of rounds that alternate. Fails if there is an
/// allocation or a lock.

#include "relayout-c/relayout.hpp"

#include "relayout/JIT/Compiler.h"
#include "relayout/Spec/Module.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <dlfcn.h>
#include <pthread.h>
#include <vector>

static std::atomic<long> allocations{0}, locks{0};

// The dynamic linker prefers these to the C library's, in every library of the process.
extern "C" void *__libc_malloc(size_t size);
extern "C" void *malloc(size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(size);
}
extern "C" int pthread_mutex_lock(pthread_mutex_t *mutex) noexcept {
  using Lock = int (*)(pthread_mutex_t *);
  static const Lock next = reinterpret_cast<Lock>(dlsym(RTLD_NEXT, "pthread_mutex_lock"));
  locks.fetch_add(1, std::memory_order_relaxed);
  return next(mutex);
}

namespace {

constexpr int kCalls = 20000;
constexpr int kRounds = 101;

/// Nanoseconds of one of `kCalls` calls.
template <typename Call> double timeOf(Call call) {
  auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < kCalls; ++i)
    call();
  std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
  return time.count() / kCalls;
}

double median(std::vector<double> &values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

const char kSpec[] = R"({"op":"transpose","shape":[4,4],"dtype":"f32","perm":[1,0]})";

/// The kernel without the C interface.
relayout::Result<relayout::Kernel> compileDirectly() {
  relayout::Result<relayout::Spec> spec =
      relayout::parseSpecFlags("transpose", {{"shape", "4x4xf32"}, {"perm", "1,0"}});
  auto compiler = relayout::Compiler::create();
  if (!spec || !compiler)
    return relayout::Error{relayout::ErrorCode::Internal, "no spec or no compiler"};
  return (*compiler)->compile(
      [&](mlir::MLIRContext &context) { return relayout::buildModule(*spec, context); });
}

relayout::api::Expected<relayout::api::Kernel> compileByInterface() {
  auto spec = relayout::api::Spec::json(kSpec);
  auto compiler = relayout::api::Compiler::create();
  if (!spec || !compiler)
    return spec ? compiler.error() : spec.error();
  return compiler->compile(*spec);
}

} // namespace

int main() {
  auto direct = compileDirectly();
  auto kernel = compileByInterface();
  if (!direct || !kernel) {
    std::printf("%s\n", direct ? kernel.error().message().c_str() : direct.error().message.c_str());
    return 1;
  }
  alignas(64) float in[16] = {1, 2, 3}, out[16];
  auto runDirectly = [&] { direct->runUnits(in, out, nullptr, 0, direct->info().units); };
  auto run = [&] {
    relayout_error_free(relayout_kernel_run(kernel->get(), {in, 64}, {out, 64}, nullptr));
  };
  run();
  long allocationsBefore = allocations, locksBefore = locks;
  for (int i = 0; i < 1000; ++i)
    run();
  long allocated = allocations - allocationsBefore, locked = locks - locksBefore;

  std::vector<double> directTimes, times, above;
  for (int round = 0; round < kRounds; ++round) {
    directTimes.push_back(timeOf(runDirectly));
    times.push_back(timeOf(run));
    above.push_back(times.back() - directTimes.back());
  }
  std::printf("kernel %.1f ns, relayout_kernel_run %.1f ns, above the kernel %.1f ns\n",
              median(directTimes), median(times), median(above));
  std::printf("1000 calls: %ld allocations, %ld locks\n", allocated, locked);
  return allocated != 0 || locked != 0 || allocationsBefore == 0 || locksBefore == 0;
}
