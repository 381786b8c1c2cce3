// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Memory, then disk, then the compiler, which this library does not know.

#ifndef RELAYOUT_CACHE_KERNELCACHE_H
#define RELAYOUT_CACHE_KERNELCACHE_H

#include "relayout/Cache/DiskCache.h"
#include "relayout/Cache/MemoryCache.h"

namespace relayout {

struct CacheStatistics {
  int64_t memoryHits = 0;
  int64_t diskHits = 0;
  int64_t compiles = 0; ///< that succeeded
  int64_t evictions = 0;
  int64_t diskRefusals = 0;
  int64_t diskFailures = 0;
};

constexpr size_t kDefaultMemoryKernels = 1024;

/// Thread-safe.
class KernelCache {
public:
  /// An image with one variant, for the host.
  using Compile = std::function<Result<Image>()>;

  KernelCache(size_t memoryKernels, DiskCacheOptions disk)
      : memory(memoryKernels), disk(std::move(disk)) {}

  /// The kernel of `key`, compiled at most once at a time. The errors are those of
  /// `compile` and of mapping code.
  Result<MemoryCache::Value> get(const CacheKey &key, const Compile &compile);

  CacheStatistics statistics() const;
  /// Why the cache on disk is not used, or null.
  const char *diskProblem() const { return disk.problem(); }

private:
  Result<MemoryCache::Value> make(const CacheKey &key, const Compile &compile);

  MemoryCache memory;
  DiskCache disk;
  std::atomic<int64_t> diskHits{0}, compiles{0};
};

} // namespace relayout

#endif // RELAYOUT_CACHE_KERNELCACHE_H
