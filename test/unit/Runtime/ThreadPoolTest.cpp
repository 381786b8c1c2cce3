// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Runtime/ThreadPool.h"

#include <atomic>
#include <chrono>
#include <ctime>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace relayout;

namespace {
struct Counts {
  explicit Counts(size_t n) : hits(n) {}
  std::vector<std::atomic<int>> hits;
  static void task(void *self, int64_t index) { ++static_cast<Counts *>(self)->hits[index]; }
  bool eachOnce() const {
    for (const std::atomic<int> &hit : hits)
      if (hit != 1)
        return false;
    return true;
  }
};

bool runsEachOnce(ThreadPool &pool, size_t count) {
  Counts counts(count);
  const Executor &executor = pool.executor();
  executor.run(executor.context, count, &Counts::task, &counts);
  return counts.eachOnce();
}

TEST(ThreadPool, RunsEveryTaskOnce) {
  for (int64_t width : {-1, 1, 2, 3, 16}) {
    ThreadPool pool(width);
    EXPECT_GE(pool.executor().width, 1);
    for (size_t count : {0, 1, 2, 7, 1000})
      EXPECT_TRUE(runsEachOnce(pool, count)) << "width " << width << " count " << count;
  }
}

TEST(ThreadPool, SurvivesManyCalls) {
  ThreadPool pool(4);
  for (int i = 0; i < 5000; ++i)
    ASSERT_TRUE(runsEachOnce(pool, 5));
}

/// Two tasks, each of which ends when both have begun.
bool twoThreadsMeet(ThreadPool &pool) {
  std::atomic<int> begun{0};
  const Executor &executor = pool.executor();
  executor.run(
      executor.context, 2,
      [](void *argument, int64_t) {
        auto &begun = *static_cast<std::atomic<int> *>(argument);
        ++begun;
        while (begun < 2)
          std::this_thread::yield();
      },
      &begun);
  return begun == 2;
}

/// A call does not wait for threads that are still to wake: they must not take part in it once it
/// has ended, and must in the next. Pauses of about the time for which threads stay awake.
TEST(ThreadPool, SurvivesThreadsThatWakeTooLate) {
  for (int64_t width : {2, 3, 16}) {
    ThreadPool pool(width);
    for (int i = 0; i < 400; ++i) {
      ASSERT_TRUE(runsEachOnce(pool, 5)) << width;
      auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(i % 100);
      while (std::chrono::steady_clock::now() < end)
        continue;
      if (i % 3 == 0)
        ASSERT_TRUE(twoThreadsMeet(pool)) << width;
    }
  }
}

TEST(ThreadPool, ServesManyCallersAtOnce) {
  ThreadPool pool(3);
  std::atomic<int> failures{0};
  std::vector<std::thread> callers;
  for (int i = 0; i < 8; ++i)
    callers.emplace_back([&] {
      for (int k = 0; k < 200; ++k)
        failures += !runsEachOnce(pool, 9);
    });
  for (std::thread &caller : callers)
    caller.join();
  EXPECT_EQ(failures, 0);
}

TEST(ThreadPool, WorksInAForkedChild) {
  ThreadPool pool(4);
  ASSERT_TRUE(runsEachOnce(pool, 100)); // the parent's threads exist now
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(20); // a hang must fail the test, not stop the suite
    _exit(runsEachOnce(pool, 100) && runsEachOnce(pool, 100) ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_TRUE(runsEachOnce(pool, 100)); // and the parent goes on
}

/// Of all threads of the process, in seconds.
double processorTime() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

TEST(ThreadPool, SleepsBetweenCalls) {
  for (int64_t width : {2, 4}) { // that have a processor each, and that may not
    ThreadPool pool(width);
    ASSERT_TRUE(runsEachOnce(pool, 100));
    std::this_thread::sleep_for(std::chrono::milliseconds(20)); // for the last to lie down
    double before = processorTime();
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    // One thread that spins on a processor of its own would take 0.3 s.
    EXPECT_LT(processorTime() - before, 0.03);
    EXPECT_TRUE(runsEachOnce(pool, 100));
  }
}

TEST(ThreadPool, WorksInAChildThatIsForkedWhileItIsBusy) {
  ThreadPool pool(3);
  static std::atomic<int> inside;
  static std::atomic<bool> mayLeave;
  inside = 0, mayLeave = false;
  std::thread caller([&] {
    const Executor &executor = pool.executor();
    executor.run(
        executor.context, 3,
        [](void *, int64_t) {
          ++inside;
          while (!mayLeave)
            std::this_thread::yield();
        },
        nullptr);
  });
  while (inside < 3)
    std::this_thread::yield();
  pid_t child = fork();
  if (child == 0) {
    alarm(20); // a hang must fail the test, not stop the suite
    _exit(runsEachOnce(pool, 100) && runsEachOnce(pool, 100) ? 0 : 1);
  }
  int status = -1;
  if (child > 0)
    waitpid(child, &status, 0);
  mayLeave = true;
  caller.join();
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_TRUE(runsEachOnce(pool, 100));
}
} // namespace
