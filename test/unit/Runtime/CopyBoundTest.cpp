// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Runtime/CopyBound.h"
#include "relayout/Runtime/Benchmark.h"
#include "relayout/Runtime/GuardedBuffer.h"
#include "relayout/Runtime/ThreadPool.h"

#include <chrono>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <utility>
#include <vector>

using namespace relayout;

namespace {
TEST(CopyBound, EveryMethodCopiesEveryByteAndNoMore) {
  ThreadPool pool(3);
  for (int64_t bytes : {0, 1, 63, 64, 65, 1000, 4096, 100003})
    for (const CopyMethod &method : kCopyMethods)
      for (const Executor *executor : {(const Executor *)nullptr, &pool.executor()}) {
        auto in = GuardedBuffer::allocate(bytes, GuardedBuffer::Flush::End);
        std::vector<unsigned char> room(bytes + 192, 0xA5);
        ASSERT_TRUE(in);
        for (int64_t i = 0; i < bytes; ++i)
          in->data()[i] = (unsigned char)(i * 31 + i / 251);
        auto *out = room.data() + (64 - reinterpret_cast<uintptr_t>(room.data()) % 64) % 64;
        copyByMethod(method, in->data(), out, bytes, executor);
        EXPECT_EQ(std::memcmp(out, in->data(), bytes), 0) << method.name << " " << bytes;
        for (unsigned char *p = out + bytes; p < room.data() + room.size(); ++p)
          EXPECT_EQ(*p, 0xA5) << method.name << " wrote past " << bytes;
      }
}

TEST(Benchmark, FindsACopyAsFastAsACopy) {
  KernelInfo info;
  info.inputBytes = info.outputBytes = 1 << 20;
  Kernel kernel = Kernel::copy(info, 0, 0, 1 << 20);
  for (bool cold : {false, true}) {
    BenchmarkOptions options;
    options.cold = cold;
    options.rounds = 3;
    options.pattern = &kernel;
    auto figures = benchmarkKernel(kernel, options);
    ASSERT_TRUE(figures);
    EXPECT_EQ(figures->bytes, 2 << 20);
    // No timing is held to a figure here: only what must be there is.
    EXPECT_GT(figures->ratio, 0);
    EXPECT_GT(figures->memcpyRatio, 0);
    EXPECT_GT(figures->patternRatio, 0);
    EXPECT_GT(figures->kernelSeconds, 0);
    EXPECT_GT(figures->boundSeconds, 0);
  }
}

/// Copies move twice the larger of input and output, whatever the kernel leaves out of it.
TEST(Benchmark, CountsTheBytesOfTheCopies) {
  for (const auto &[in, out] : {std::pair<int64_t, int64_t>(96, 32), {32, 96}}) {
    KernelInfo info;
    info.inputBytes = in;
    info.outputBytes = out;
    BenchmarkOptions options;
    options.cold = false;
    options.rounds = 1;
    auto figures = benchmarkKernel(Kernel::copy(info, 0, 0, 32), options);
    ASSERT_TRUE(figures);
    EXPECT_EQ(figures->bytes, 128);
    EXPECT_EQ(figures->boundBytes, 192);
  }
}

TEST(Benchmark, GivesEachRateOverItsOwnBytes) {
  BenchmarkFigures figures;
  figures.bytes = 6000;
  figures.boundBytes = 8000;
  figures.kernelSeconds = 2e-6;
  figures.boundSeconds = 4e-6;
  figures.memcpyRatio = 4; // 8 microseconds
  EXPECT_DOUBLE_EQ(figures.gbps(), 3);
  EXPECT_DOUBLE_EQ(figures.boundGbps(), 2);
  EXPECT_DOUBLE_EQ(figures.memcpyGbps(), 1);
}

/// Threads that take long to wake must not make a small kernel look fast, nor must those that
/// copy faster than one be left out.
TEST(Benchmark, TakesTheFasterOfOneThreadAndAllForTheBound) {
  Executor slow{[](void *, int64_t count, Executor::Task task, void *argument) {
                  std::this_thread::sleep_for(std::chrono::milliseconds(2));
                  for (int64_t i = 0; i < count; ++i)
                    task(argument, i);
                },
                2, nullptr};
  Executor fast{[](void *, int64_t, Executor::Task, void *) {}, 2, nullptr};
  KernelInfo info;
  info.inputBytes = info.outputBytes = Kernel::kTaskBytes; // two tasks
  for (const auto &[executor, threads] : {std::pair(&slow, 1), std::pair(&fast, 2)}) {
    BenchmarkOptions options;
    options.cold = false;
    options.rounds = 1;
    options.executor = executor;
    auto figures = benchmarkKernel(Kernel::copy(info, 0, 0, Kernel::kTaskBytes), options);
    ASSERT_TRUE(figures);
    EXPECT_EQ(figures->boundThreads, threads);
  }
}

/// Lets the process take so many bytes of memory more, as long as it lives.
class MemoryLimit {
public:
  explicit MemoryLimit(int64_t more) {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
      if (int64_t kilobytes = 0; word == "VmData:" && status >> kilobytes) {
        getrlimit(RLIMIT_DATA, &before);
        rlimit limit = before;
        limit.rlim_cur = rlim_t(kilobytes * 1024 + more);
        isSet = setrlimit(RLIMIT_DATA, &limit) == 0;
      }
  }
  ~MemoryLimit() {
    if (isSet)
      setrlimit(RLIMIT_DATA, &before);
  }
  bool isSet = false;

private:
  rlimit before;
};

/// Every buffer takes a page at least, however small it is.
TEST(Benchmark, RotatesSmallBuffersInBoundedMemory) {
  // The buffers take a GiB at most.
  MemoryLimit limit(int64_t(5) << 28);
  ASSERT_TRUE(limit.isSet);
  KernelInfo info;
  info.inputBytes = info.outputBytes = 24;
  BenchmarkOptions options;
  options.rounds = 1;
  auto figures = benchmarkKernel(Kernel::copy(info, 0, 0, 24), options);
  ASSERT_TRUE(figures) << figures.error().message;
  EXPECT_EQ(figures->bytes, 48);
}

TEST(Benchmark, RefusesAKernelThatMovesNothing) {
  KernelInfo info;
  info.inputBytes = 12;
  for (const KernelInfo &none : {KernelInfo(), info}) {
    Kernel kernel = Kernel::copy(none, 0, 0, 0);
    auto figures = benchmarkKernel(kernel, {});
    ASSERT_FALSE(figures);
    EXPECT_EQ(figures.error().code, ErrorCode::Unsupported);
    EXPECT_EQ(figures.error().message, "expects a kernel that moves at least one byte, but from " +
                                           std::to_string(none.inputBytes) +
                                           " bytes to 0 this one moves none");
    EXPECT_FALSE(compareKernels({kernel}, {}));
  }
}

/// Sizes that 63 bits do not hold in whole pages.
TEST(Benchmark, RefusesWhatNoMemoryHolds) {
  KernelInfo info;
  info.inputBytes = info.outputBytes = INT64_MAX;
  Kernel kernel = Kernel::copy(info, 0, 0, INT64_MAX);
  for (bool cold : {false, true}) {
    BenchmarkOptions options;
    options.cold = cold;
    auto figures = benchmarkKernel(kernel, options);
    ASSERT_FALSE(figures);
    EXPECT_EQ(figures.error().code, ErrorCode::Environment);
    std::string begin = "expects 9223372036854775807 bytes of memory, but only ";
    EXPECT_EQ(figures.error().message.substr(0, begin.size()), begin);
    EXPECT_FALSE(compareKernels({kernel}, options));
  }
}

TEST(Benchmark, ComparesKernels) {
  KernelInfo info;
  info.inputBytes = info.outputBytes = 3 << 10;
  std::vector<Kernel> kernels{Kernel::copy(info, 0, 0, 3 << 10), Kernel::copy(info, 0, 0, 1 << 10)};
  BenchmarkOptions options;
  options.cold = false;
  options.rounds = 2;
  auto ratios = compareKernels(kernels, options);
  ASSERT_TRUE(ratios);
  ASSERT_EQ(ratios->size(), 2u);
  EXPECT_GT(ratios->front(), 0);
  EXPECT_GT(ratios->back(), 0);
  EXPECT_TRUE(compareKernels({}, options)->empty());
}
} // namespace
