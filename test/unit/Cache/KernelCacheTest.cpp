// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Images.h"

#include "relayout/Cache/KernelCache.h"

#include <gtest/gtest.h>

using namespace relayout;
using namespace relayout::test;

namespace {

TEST(KernelCache, AsksMemoryThenDiskThenTheCompiler) {
  Folder folder;
  int compiles = 0;
  auto compile = [&]() -> Result<Image> {
    ++compiles;
    return copyImage("mark", 5);
  };
  {
    KernelCache cache(4, in(folder.path));
    for (int i = 0; i < 3; ++i) {
      Result<MemoryCache::Value> value = cache.get(CacheKey("k"), compile);
      ASSERT_TRUE(value) << value.error().message;
      EXPECT_EQ((*value)->schedule, "mark");
      char out[6] = "-----";
      ASSERT_TRUE((*value)->kernel.run({"abcde", 5}, {out, 5}));
      EXPECT_STREQ(out, "abcde");
    }
    CacheStatistics counts = cache.statistics();
    EXPECT_EQ(counts.compiles, 1);
    EXPECT_EQ(counts.memoryHits, 2);
    EXPECT_EQ(counts.diskHits, 0);
  }
  KernelCache cache(1, in(folder.path));
  for (const char *key : {"k", "other", "k"})
    ASSERT_TRUE(cache.get(CacheKey(key), compile));
  CacheStatistics counts = cache.statistics();
  EXPECT_EQ(compiles, 2);
  EXPECT_EQ(counts.compiles, 1);
  EXPECT_EQ(counts.diskHits, 2);
  EXPECT_EQ(counts.evictions, 2);
  EXPECT_EQ(counts.diskRefusals + counts.diskFailures, 0);
}

TEST(KernelCache, KeepsNoErrors) {
  Folder folder;
  KernelCache cache(4, in(folder.path));
  auto fail = []() -> Result<Image> { return Error{ErrorCode::Schedule, "impossible"}; };
  for (int i = 0; i < 2; ++i) {
    Result<MemoryCache::Value> value = cache.get(CacheKey("k"), fail);
    ASSERT_FALSE(value);
    EXPECT_EQ(value.error().message, "impossible");
  }
  EXPECT_EQ(cache.statistics().compiles, 0);
  EXPECT_TRUE(cache.get(CacheKey("k"), [] { return Result<Image>(copyImage("mark")); }));
}

} // namespace
