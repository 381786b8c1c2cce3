// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Modules.h"

#include "relayout/JIT/KernelBenchmark.h"

#include <gtest/gtest.h>

using namespace relayout;
using namespace relayout::test;

namespace {

/// A module whose operand has gaps reads beyond what the reference knows.
TEST(KernelBenchmarker, RefusesASubjectOfOtherSizes) {
  TextModule module{
      "func.func @kernel(%x: memref<3x5xf32, strided<[0, 0]>>, %out: memref<5x3xf32>) {\n"
      "  relayout.rearrange %x into %out \"a b -> b a\""
      " : memref<3x5xf32, strided<[0, 0]>>, memref<5x3xf32>\n  return\n}\n"};
  Result<KernelBenchmarker> benchmarker = KernelBenchmarker::create({});
  ASSERT_TRUE(benchmarker) << benchmarker.error().message;
  auto build = std::ref(module);
  BenchmarkSubject subject{build, *permutation({3, 5}, {1, 0}), 4, nullptr};
  Result<KernelBenchmark> done = benchmarker->run(subject, {});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::Mismatch);
  EXPECT_EQ(done.error().message,
            "expects a kernel with 15 elements of 4 bytes in its input, but it has 4 bytes");
}

} // namespace
