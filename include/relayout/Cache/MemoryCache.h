// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Kernels in memory, by key. The ones used least recently are dropped.

#ifndef RELAYOUT_CACHE_MEMORYCACHE_H
#define RELAYOUT_CACHE_MEMORYCACHE_H

#include "relayout/Cache/CacheKey.h"
#include "relayout/Runtime/Kernel.h"

#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace relayout {

struct CachedKernel {
  Kernel kernel;
  std::string schedule; ///< as text; empty for a plain copy
};

/// Thread-safe. A process that forks while another of its threads is in here must not
/// use the cache in the child.
class MemoryCache {
public:
  using Value = std::shared_ptr<const CachedKernel>;
  using Make = std::function<Result<Value>()>;

  /// Keeps `capacity` kernels; with 0 it only sees to it that one thread makes what
  /// several want at once.
  explicit MemoryCache(size_t capacity) : capacity(capacity) {}

  /// The kernel of `key`. If it is not here, one thread makes it, and those that want
  /// it meanwhile wait and get the same. An error goes to all of them and is not kept.
  Result<Value> get(const CacheKey &key, const Make &make);

  int64_t hits() const;      ///< calls that made nothing
  int64_t evictions() const; ///< kernels dropped for others

private:
  struct Entry {
    CacheKey key;
    Value value;
  };
  struct Flight;
  struct Same {
    bool operator()(const CacheKey *a, const CacheKey *b) const { return *a == *b; }
  };
  struct Hash {
    size_t operator()(const CacheKey *key) const { return CacheKey::Hash()(*key); }
  };

  void keep(const CacheKey &key, const Value &value, std::list<Entry> &dropped);

  const size_t capacity;
  mutable std::mutex mutex;
  std::list<Entry> entries; ///< the one used last comes first
  std::unordered_map<const CacheKey *, std::list<Entry>::iterator, Hash, Same> places;
  std::unordered_map<const CacheKey *, std::shared_ptr<Flight>, Hash, Same> flights;
  int64_t hitCount = 0;
  int64_t evictionCount = 0;
};

} // namespace relayout

#endif // RELAYOUT_CACHE_MEMORYCACHE_H
