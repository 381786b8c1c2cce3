// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Cache/MemoryCache.h"

#include <condition_variable>
#include <optional>

namespace relayout {

/// A kernel that one thread makes and others wait for.
struct MemoryCache::Flight {
  explicit Flight(const CacheKey &key) : key(key) {}

  void land(const Result<Value> &made) {
    {
      std::lock_guard<std::mutex> lock(mutex);
      result = made;
    }
    landed.notify_all();
  }
  Result<Value> wait() {
    std::unique_lock<std::mutex> lock(mutex);
    landed.wait(lock, [this] { return result.has_value(); });
    return *result;
  }

  const CacheKey key;
  std::mutex mutex;
  std::condition_variable landed;
  std::optional<Result<Value>> result;
};

void MemoryCache::keep(const CacheKey &key, const Value &value, std::list<Entry> &dropped) {
  if (capacity == 0)
    return;
  entries.push_front({key, value});
  places.emplace(&entries.front().key, entries.begin());
  if (entries.size() <= capacity)
    return;
  places.erase(&entries.back().key);
  dropped.splice(dropped.begin(), entries, std::prev(entries.end()));
  ++evictionCount;
}

Result<MemoryCache::Value> MemoryCache::get(const CacheKey &key, const Make &make) {
  std::list<Entry> dropped; // unmapped outside of the lock
  std::unique_lock<std::mutex> lock(mutex);
  if (auto place = places.find(&key); place != places.end()) {
    entries.splice(entries.begin(), entries, place->second);
    ++hitCount;
    return place->second->value;
  }
  if (auto found = flights.find(&key); found != flights.end()) {
    std::shared_ptr<Flight> flight = found->second;
    ++hitCount;
    lock.unlock();
    return flight->wait();
  }
  auto flight = std::make_shared<Flight>(key);
  flights.emplace(&flight->key, flight);
  lock.unlock();
  Result<Value> made = make();
  lock.lock();
  flights.erase(&flight->key);
  if (made)
    keep(key, *made, dropped);
  lock.unlock();
  flight->land(made);
  return made;
}

int64_t MemoryCache::hits() const {
  std::lock_guard<std::mutex> lock(mutex);
  return hitCount;
}

int64_t MemoryCache::evictions() const {
  std::lock_guard<std::mutex> lock(mutex);
  return evictionCount;
}

} // namespace relayout
