// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Runtime/Kernel.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <gtest/gtest.h>
#include <numeric>
#include <thread>
#include <vector>

using namespace relayout;

namespace {

constexpr int64_t kUnits = 11;
constexpr int64_t kUnitBytes = 12;

/// Adds each unit reversed, and uses its scratch on the way; `meanwhile` happens when the unit is
/// there alone.
template <typename Meanwhile>
void reverseBy(const void *in, void *out, void *scratch, int64_t begin, int64_t end,
               Meanwhile meanwhile) {
  const unsigned char *from = static_cast<const unsigned char *>(in);
  unsigned char *to = static_cast<unsigned char *>(out);
  unsigned char *own = static_cast<unsigned char *>(scratch);
  for (int64_t unit = begin; unit < end; ++unit) {
    std::memcpy(own, from + unit * kUnitBytes, kUnitBytes);
    meanwhile();
    for (int64_t i = 0; i < kUnitBytes; ++i)
      to[unit * kUnitBytes + i] += own[kUnitBytes - 1 - i];
  }
}

void reverseUnits(const void *in, void *out, void *scratch, int64_t begin, int64_t end) {
  reverseBy(in, out, scratch, begin, end, [] {});
}

KernelInfo reverseInfo() {
  KernelInfo info;
  info.inputBytes = info.outputBytes = kUnits * kUnitBytes;
  info.alignment = 4;
  info.scratchBytes = kUnitBytes;
  info.units = kUnits;
  return info;
}

/// An executor with a thread a task, which runs the tasks from the last to the first
/// where `threaded` is false.
struct TestExecutor {
  bool threaded;
  std::atomic<int64_t> calls{0};

  Executor get(int64_t width) {
    return {[](void *context, int64_t count, Executor::Task task, void *argument) {
              auto &self = *static_cast<TestExecutor *>(context);
              self.calls += count;
              std::vector<std::thread> threads;
              for (int64_t i = count - 1; i >= 0; --i) {
                if (self.threaded)
                  threads.emplace_back(task, argument, i);
                else
                  task(argument, i);
              }
              for (std::thread &thread : threads)
                thread.join();
            },
            width, this};
  }
};

struct Buffers {
  alignas(64) unsigned char in[kUnits * kUnitBytes];
  alignas(64) unsigned char out[kUnits * kUnitBytes + 8] = {};
  Buffers() { std::iota(std::begin(in), std::end(in), 1); }
  ConstBuffer input() const { return {in, sizeof(in)}; }
  Buffer output() { return {out, sizeof(in)}; }
};

void expectReversedOnce(const Buffers &b) {
  for (int64_t i = 0; i < kUnits * kUnitBytes; ++i) {
    int64_t unit = i / kUnitBytes, mirrored = kUnitBytes - 1 - i % kUnitBytes;
    ASSERT_EQ(b.out[i], b.in[unit * kUnitBytes + mirrored]) << "at byte " << i;
  }
}

TEST(Kernel, RunsEveryUnitOnceOnAnyExecutor) {
  Kernel kernel(reverseUnits, reverseInfo());
  {
    Buffers b;
    ASSERT_TRUE(kernel.run(b.input(), b.output()));
    expectReversedOnce(b);
  }
  for (bool threaded : {false, true})
    for (int64_t width = 0; width <= 2 * kUnits; ++width) {
      Buffers b;
      TestExecutor host{threaded};
      Executor executor = host.get(width);
      ASSERT_TRUE(kernel.runTasks(b.input(), b.output(), executor, width));
      expectReversedOnce(b);
      EXPECT_EQ(host.calls, width <= 1 ? 0 : std::min(width, kUnits));
    }
}

/// A kernel with as much scratch memory as `pages` pages, all of which it writes.
template <int64_t pages> Kernel dirtyKernel() {
  KernelInfo info = reverseInfo();
  info.scratchBytes = pages * 4096;
  return Kernel(
      [](const void *in, void *out, void *scratch, int64_t begin, int64_t end) {
        std::memset(scratch, 0xEE, pages * 4096);
        reverseUnits(in, out, scratch, begin, end);
      },
      info);
}

/// What `runNested` runs where it stands.
const Kernel *nestedKernel = nullptr;

/// The same as `reverseUnits`, with another kernel run meanwhile.
void runNested(const void *in, void *out, void *scratch, int64_t begin, int64_t end) {
  reverseBy(in, out, scratch, begin, end, [] {
    Buffers b;
    EXPECT_TRUE(nestedKernel->run(b.input(), b.output()));
    expectReversedOnce(b);
  });
}

/// A host that steals work may run another kernel on a thread that waits: neither may touch the
/// other's scratch memory, whichever needs more.
TEST(Kernel, KeepsItsScratchWhileAnotherKernelRunsOnItsThread) {
  Kernel outer(runNested, reverseInfo());
  for (const Kernel &inner : {dirtyKernel<1>(), dirtyKernel<64>()})
    for (int64_t tasks : {1, 3}) {
      nestedKernel = &inner;
      Buffers b;
      TestExecutor host{false};
      ASSERT_TRUE(outer.runTasks(b.input(), b.output(), host.get(tasks), tasks));
      expectReversedOnce(b);
    }
}

/// Runs a kernel at the end of its thread.
struct RunsLast {
  Status *status = nullptr;
  ~RunsLast() {
    Buffers b;
    *status = dirtyKernel<4>().run(b.input(), b.output());
  }
};

/// Objects of a thread are destroyed in reverse order, so one that was made before the thread's
/// first call runs kernels when there is no kept scratch memory any more.
TEST(Kernel, RunsWhileItsThreadEnds) {
  Status first = Error{}, last = Error{};
  std::thread([&] {
    thread_local RunsLast atEnd;
    atEnd.status = &last;
    Buffers b;
    first = dirtyKernel<4>().run(b.input(), b.output());
  }).join();
  EXPECT_TRUE(first);
  EXPECT_TRUE(last) << last.error().message;
}

TEST(Kernel, RefusesMoreScratchThanThereIs) {
  for (auto [bytes, tasks] : std::initializer_list<std::pair<int64_t, int64_t>>{
           {INT64_MAX, 1}, {INT64_MAX - 4094, 1}, {INT64_MAX / 2, 3}}) {
    KernelInfo info = reverseInfo();
    info.scratchBytes = bytes;
    Buffers b;
    TestExecutor host{false};
    Status status =
        Kernel(reverseUnits, info).runTasks(b.input(), b.output(), host.get(tasks), tasks);
    ASSERT_FALSE(status) << bytes;
    EXPECT_EQ(status.error().code, ErrorCode::Environment);
    EXPECT_EQ(status.error().message, "expects memory for " + std::to_string(bytes) +
                                          " bytes of scratch for each of " + std::to_string(tasks) +
                                          " tasks, but the system has not so much" +
                                          (tasks > 1 ? "; fewer tasks need less" : ""));
    EXPECT_EQ(host.calls, 0);
    EXPECT_EQ(b.out[0], 0);
  }
}

TEST(Kernel, WakesThreadsOnlyForEnoughBytes) {
  constexpr int64_t kHalf = Kernel::kTaskBytes / 2;
  struct Expected {
    int64_t input, output, units, width, tasks;
  };
  for (const Expected &e : std::initializer_list<Expected>{
           {kUnits * kUnitBytes, kUnits * kUnitBytes, kUnits, 16, 1},
           {kHalf, kHalf, 100, 16, 1},
           {3 * kHalf, kHalf - 1, 100, 16, 1},
           {3 * kHalf, kHalf, 100, 16, 2}, // both buffers count
           {0, 4 * kHalf, 100, 16, 2},     // what fills reads nothing
           {9 * kHalf, 9 * kHalf, 100, 16, 9},
           {9 * kHalf, 9 * kHalf, 100, 4, 4},
           {9 * kHalf, 9 * kHalf, 3, 16, 3},
           {9 * kHalf, 9 * kHalf, 100, 0, 1},
           {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, 2 * (INT64_MAX / Kernel::kTaskBytes) + 1},
           {0, 0, 0, 16, 1}}) {
    KernelInfo info;
    info.inputBytes = e.input;
    info.outputBytes = e.output;
    info.units = e.units;
    EXPECT_EQ(Kernel(reverseUnits, info).taskCount(e.width), e.tasks)
        << e.input << " " << e.output << " " << e.units << " " << e.width;
  }
  // A small kernel does not reach the host's threads at all.
  Buffers b;
  TestExecutor host{true};
  Executor executor = host.get(8);
  ASSERT_TRUE(Kernel(reverseUnits, reverseInfo()).run(b.input(), b.output(), &executor));
  expectReversedOnce(b);
  EXPECT_EQ(host.calls, 0);
}

/// Units move kUnitBytes each; how many depends on the buffers.
TEST(Kernel, WritesTheSameOnAnyNumberOfThreads) {
  KernelInfo info = reverseInfo();
  info.units = 5 * Kernel::kTaskBytes / kUnitBytes + 7;
  info.inputBytes = info.outputBytes = info.units * kUnitBytes;
  Kernel kernel(reverseUnits, info);
  std::vector<uint32_t> in(info.inputBytes / 4);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = static_cast<uint32_t>(i * 2654435761u);
  std::vector<uint32_t> one(in.size()), many(in.size());
  ConstBuffer from{in.data(), info.inputBytes};
  ASSERT_TRUE(kernel.run(from, {one.data(), info.outputBytes}));
  for (int64_t width = 1; width <= 16; ++width) {
    many.assign(many.size(), 0); // units add to what is there: each runs once
    TestExecutor host{true};
    Executor executor = host.get(width);
    ASSERT_TRUE(kernel.run(from, {many.data(), info.outputBytes}, &executor));
    EXPECT_EQ(host.calls, width == 1 ? 0 : std::min<int64_t>(width, 10));
    ASSERT_EQ(many, one) << width;
  }
}

TEST(Kernel, CopyMovesItsRangeOnly) {
  for (int64_t bytes : {0, 1, 4095, 4096, 4097, 3 * 4096 + 5}) {
    constexpr int64_t kFrom = 3, kTo = 7;
    KernelInfo info;
    info.inputBytes = kFrom + bytes + 2;
    info.outputBytes = kTo + bytes;
    Kernel kernel = Kernel::copy(info, kFrom, kTo, bytes);
    EXPECT_TRUE(kernel.isCopy());
    EXPECT_EQ(kernel.info().units, (bytes + 4095) / 4096);
    for (int64_t width = 1; width < 6; ++width) {
      std::vector<unsigned char> in(info.inputBytes), out(info.outputBytes + 1, 0xee);
      for (size_t i = 0; i < in.size(); ++i)
        in[i] = static_cast<unsigned char>(i * 7 % 251);
      TestExecutor host{false};
      Executor executor = host.get(width);
      ASSERT_TRUE(kernel.runTasks({in.data(), info.inputBytes}, {out.data(), info.outputBytes},
                                  executor, width));
      EXPECT_TRUE(std::equal(out.begin() + kTo, out.begin() + kTo + bytes, in.begin() + kFrom));
      EXPECT_TRUE(std::all_of(out.begin(), out.begin() + kTo, [](auto c) { return c == 0xee; }));
      EXPECT_EQ(out.back(), 0xee);
    }
  }
}

TEST(Kernel, OwnerLivesAsLongAsOneCopy) {
  auto owner = std::make_shared<int>(1);
  std::weak_ptr<int> watch = owner;
  auto first = std::make_unique<Kernel>(reverseUnits, reverseInfo(), std::move(owner));
  Kernel second = *first;
  first.reset();
  EXPECT_FALSE(watch.expired());
  second = Kernel(reverseUnits, reverseInfo());
  EXPECT_TRUE(watch.expired());
}

void expectRefused(ConstBuffer in, Buffer out, const std::string &text) {
  Kernel kernel(reverseUnits, reverseInfo());
  std::vector<unsigned char> before;
  if (out.data)
    before.assign(static_cast<unsigned char *>(out.data),
                  static_cast<unsigned char *>(out.data) + std::max<int64_t>(out.bytes, 0));
  Status status = kernel.run(in, out);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::Buffer);
  EXPECT_EQ(status.error().message, text);
  EXPECT_TRUE(std::equal(before.begin(), before.end(), static_cast<unsigned char *>(out.data)));
}

TEST(Kernel, RefusesBadBuffersAndWritesNothing) {
  Buffers b;
  int64_t full = kUnits * kUnitBytes;
  expectRefused({nullptr, full}, b.output(),
                "expects the input not to be null, since 132 bytes are needed");
  expectRefused(b.input(), {nullptr, full},
                "expects the output not to be null, since 132 bytes are needed");
  expectRefused({b.in, full - 1}, b.output(),
                "expects the input to have at least 132 bytes, but it has 131");
  expectRefused({b.in, -1}, b.output(),
                "expects the input to have at least 132 bytes, but it has -1");
  expectRefused(b.input(), {b.out, 0},
                "expects the output to have at least 132 bytes, but it has 0");
  expectRefused(b.input(), {b.out + 2, full},
                "expects the output to be aligned to 4 bytes, but its address is 2 past a "
                "multiple of it");
  expectRefused({b.in, full}, {b.in, full},
                "expects the output not to overlap the input, but they share 132 bytes");
  std::vector<uint32_t> both(2 * full / 4);
  unsigned char *base = reinterpret_cast<unsigned char *>(both.data());
  expectRefused({base, full}, {base + full - 4, full},
                "expects the output not to overlap the input, but they share 4 bytes");
  expectRefused({base + full - 4, full}, {base, full},
                "expects the output not to overlap the input, but they share 4 bytes");
  EXPECT_TRUE(Kernel(reverseUnits, reverseInfo()).run({base, full}, {base + full, full}));
  ConstBuffer top{reinterpret_cast<const void *>(UINTPTR_MAX - 63), full};
  expectRefused(top, b.output(),
                "expects the input to end within the address space, but it does "
                "not");
}

TEST(Kernel, NullIsAllowedWhereNoByteIsNeeded) {
  KernelInfo info;
  Kernel kernel(reverseUnits, info);
  EXPECT_TRUE(kernel.run({nullptr, 0}, {nullptr, 0}));
  EXPECT_TRUE(Kernel::copy(info, 0, 0, 0).run({nullptr, 0}, {nullptr, 0}));
}

TEST(Executor, SharesPartitionTheUnits) {
  for (int64_t units = 0; units < 40; ++units)
    for (int64_t count = 1; count < 45; ++count) {
      int64_t next = 0;
      for (int64_t i = 0; i < count; ++i) {
        UnitRange share = unitShare(units, count, i);
        ASSERT_EQ(share.begin, next);
        ASSERT_GE(share.end - share.begin, units / count);
        ASSERT_LE(share.end - share.begin, units / count + 1);
        next = share.end;
      }
      ASSERT_EQ(next, units);
    }
}

TEST(Kernel, CopiesSizesBeyondTheCachesToAnyPhaseOfALine) {
  const int64_t bytes = (9 << 20) + 37;
  std::vector<unsigned char> in(bytes + 3), room(bytes + 256, 0xA5);
  for (int64_t i = 0; i < bytes + 3; ++i)
    in[i] = static_cast<unsigned char>(i * 29 + i / 4093);
  for (int64_t phase : {0, 1, 63}) {
    KernelInfo info;
    info.inputBytes = info.outputBytes = bytes + 3;
    Kernel kernel = Kernel::copy(info, 2, 1, bytes);
    unsigned char *line = room.data() + (64 - reinterpret_cast<uintptr_t>(room.data()) % 64) % 64;
    std::fill(room.begin(), room.end(), 0xA5);
    unsigned char *out = line + phase;
    ASSERT_TRUE(kernel.run({in.data(), bytes + 3}, {out, bytes + 3}));
    EXPECT_EQ(std::memcmp(out + 1, in.data() + 2, bytes), 0) << phase;
    EXPECT_EQ(out[0], 0xA5);
    EXPECT_EQ(out[bytes + 1], 0xA5);
  }
}
} // namespace
