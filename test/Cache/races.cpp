// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// 16 threads share a cache that is too small for their kernels, and a pool that runs
/// them. Built with ThreadSanitizer, which ends the program where it sees a race.

#include "relayout/Cache/KernelCache.h"
#include "relayout/Runtime/HostFeatures.h"
#include "relayout/Runtime/ThreadPool.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

using namespace relayout;

namespace {

constexpr int kThreads = 16, kKeys = 24, kMemory = 16;
constexpr int64_t kBytes = 3 * 4096 + 77;

struct Shared {
  explicit Shared(DiskCacheOptions disk) : cache(kMemory, std::move(disk)), pool(4) {}
  KernelCache cache;
  ThreadPool pool;
  std::atomic<int> compiling[kKeys] = {};
  std::atomic<int64_t> compiles{0}, faults{0};
};

/// Kernel `i` copies all but the first `i` bytes.
Image imageOf(int i) {
  Image image;
  image.arch = hostArch();
  ImageVariant variant;
  variant.kernel.info.inputBytes = variant.kernel.info.outputBytes = kBytes;
  variant.kernel.copy = {i, i, kBytes - i};
  variant.kernel.schedule = std::to_string(i);
  image.variants.push_back(std::move(variant));
  return image;
}

bool runs(const Kernel &kernel, int i, const Executor &executor) {
  std::vector<char> in(kBytes), out(kBytes, '-');
  for (int64_t at = 0; at < kBytes; ++at)
    in[at] = static_cast<char>(at * 7 + i);
  if (!kernel.runTasks({in.data(), kBytes}, {out.data(), kBytes}, executor, executor.width))
    return false;
  return std::memcmp(out.data() + i, in.data() + i, kBytes - i) == 0 &&
         (i == 0 || (out[0] == '-' && out[i - 1] == '-'));
}

void work(Shared &shared, unsigned seed, int rounds) {
  std::minstd_rand random(seed);
  for (int round = 0; round < rounds; ++round) {
    int i = static_cast<int>(random() % kKeys);
    CacheKey key("key " + std::to_string(i));
    Result<MemoryCache::Value> value = shared.cache.get(key, [&]() -> Result<Image> {
      // Nobody else compiles this one now.
      shared.faults += shared.compiling[i].fetch_add(1) != 0;
      ++shared.compiles;
      std::this_thread::yield();
      --shared.compiling[i];
      if (round % 13 == 0)
        return Error{ErrorCode::Schedule, "impossible"};
      return imageOf(i);
    });
    if (!value)
      continue;
    shared.faults += (*value)->schedule != std::to_string(i) ||
                     !runs((*value)->kernel, i, shared.pool.executor());
    if (round % 64 == 0)
      shared.faults += shared.cache.statistics().compiles > shared.compiles ||
                       shared.cache.diskProblem() != nullptr;
  }
}

} // namespace

int main(int argc, char **argv) {
  int rounds = argc == 3 ? std::atoi(argv[2]) : 0;
  if (rounds < 1) {
    std::fprintf(stderr, "usage: cache-races FOLDER ROUNDS\n");
    return 2;
  }
  DiskCacheOptions disk;
  disk.directory = argv[1];
  disk.size = 4000; // some ten of the entries
  Shared shared(disk);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&, i] { work(shared, i + 1, rounds); });
  for (std::thread &thread : threads)
    thread.join();
  CacheStatistics counts = shared.cache.statistics();
  bool used =
      counts.memoryHits > 0 && counts.diskHits > 0 && counts.compiles > 0 && counts.evictions > 0;
  std::printf("%d calls: %ld faults, %s\n", kThreads * rounds,
              static_cast<long>(shared.faults.load()), used ? "all ways used" : "not all used");
  return shared.faults == 0 && used ? 0 : 1;
}
