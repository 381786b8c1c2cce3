// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Cache/MemoryCache.h"

#include <atomic>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

using namespace relayout;

namespace {

using Value = MemoryCache::Value;

Result<Value> makeKernel(const std::string &mark) {
  return std::make_shared<const CachedKernel>(CachedKernel{Kernel::copy({}, 0, 0, 0), mark});
}

/// The mark of what the cache gives for `mark`; counts what is made.
std::string find(MemoryCache &cache, const std::string &mark, int &made) {
  Result<Value> value = cache.get(CacheKey(mark), [&] {
    ++made;
    return makeKernel(mark);
  });
  return value ? (*value)->schedule : value.error().message;
}

TEST(MemoryCache, KeepsTheOnesUsedLast) {
  MemoryCache cache(3);
  int made = 0;
  for (const char *mark : {"a", "b", "c", "a", "d", "a", "c"})
    EXPECT_EQ(find(cache, mark, made), mark);
  EXPECT_EQ(made, 4);
  EXPECT_EQ(cache.hits(), 3);
  EXPECT_EQ(cache.evictions(), 1);
  find(cache, "b", made);
  EXPECT_EQ(made, 5) << "b was dropped for d";
  find(cache, "d", made);
  EXPECT_EQ(made, 6) << "d was dropped for b";
}

TEST(MemoryCache, DroppedKernelsLiveAsLongAsTheirUsers) {
  MemoryCache cache(1);
  std::weak_ptr<const CachedKernel> watched;
  {
    Value kept = cache.get(CacheKey("a"), [] { return makeKernel("a"); }).take();
    watched = kept;
    int made = 0;
    find(cache, "b", made);
    EXPECT_EQ(kept->schedule, "a");
  }
  EXPECT_TRUE(watched.expired());
}

TEST(MemoryCache, KeepsNothingIfItMayNot) {
  MemoryCache cache(0);
  int made = 0;
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(find(cache, "a", made), "a");
  EXPECT_EQ(made, 3);
  EXPECT_EQ(cache.hits() + cache.evictions(), 0);
}

TEST(MemoryCache, DoesNotKeepErrors) {
  MemoryCache cache(3);
  Result<Value> failed = cache.get(
      CacheKey("a"), [] { return Result<Value>(Error{ErrorCode::Schedule, "impossible"}); });
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "impossible");
  int made = 0;
  EXPECT_EQ(find(cache, "a", made), "a");
  EXPECT_EQ(made, 1);
}

/// 16 threads ask for one key at once, while one makes it.
void askAtOnce(bool succeeds) {
  constexpr int kThreads = 16;
  MemoryCache cache(3);
  std::atomic<int> made{0}, arrived{0}, right{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&] {
      ++arrived;
      Result<Value> value = cache.get(CacheKey("a"), [&]() -> Result<Value> {
        ++made;
        while (arrived < kThreads)
          std::this_thread::yield();
        // Time for the others to get as far as waiting.
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        if (!succeeds)
          return Error{ErrorCode::Schedule, "impossible"};
        return makeKernel("a");
      });
      right += succeeds ? value && (*value)->schedule == "a"
                        : !value && value.error().message == "impossible";
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(right, kThreads);
  if (succeeds)
    EXPECT_EQ(made, 1);
  else
    EXPECT_LT(made, kThreads);
}

TEST(MemoryCache, OneThreadMakesWhatSeveralWant) { askAtOnce(true); }
TEST(MemoryCache, AnErrorGoesToAllThatWait) { askAtOnce(false); }

TEST(MemoryCache, OtherKeysDoNotWait) {
  MemoryCache cache(3);
  int inner = 0;
  Result<Value> value = cache.get(CacheKey("slow"), [&] {
    std::thread([&] { find(cache, "fast", inner); }).join();
    return makeKernel("slow");
  });
  ASSERT_TRUE(value);
  EXPECT_EQ(inner, 1);
}

} // namespace
