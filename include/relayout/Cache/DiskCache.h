// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Kernels on disk, one image a file. Whoever can write the folder can run code as its
/// user: docs/cache.md has the threat model.

#ifndef RELAYOUT_CACHE_DISKCACHE_H
#define RELAYOUT_CACHE_DISKCACHE_H

#include "relayout/Cache/CacheKey.h"
#include "relayout/Runtime/File.h"
#include "relayout/Runtime/Image.h"

#include <atomic>
#include <mutex>
#include <optional>
#include <string>

namespace relayout {

enum class CacheMode { Off, Read, ReadWrite };

struct DiskCacheOptions {
  CacheMode mode = CacheMode::ReadWrite;
  std::string directory;       ///< absolute; made, for its owner alone, if it is not there
  std::string problem;         ///< why there is no directory; then the cache is off
  int64_t size = 256 << 20;    ///< most bytes of all entries
  int64_t staleSeconds = 3600; ///< older temporary files are those of writers that died
};

/// What is given, and what is not as RELAYOUT_CACHE, RELAYOUT_CACHE_DIR and
/// XDG_CACHE_HOME say. A program that runs with more rights than its caller does not
/// look at them: it has no cache unless it names the folder.
DiskCacheOptions chooseDiskCache(std::optional<CacheMode> mode = std::nullopt,
                                 const std::string &directory = "");

/// Thread-safe, and safe for processes that share the folder. Never fails: what goes
/// wrong is counted, and the kernel is compiled.
class DiskCache {
public:
  explicit DiskCache(DiskCacheOptions options);

  /// The image that was stored under `key`, whole and unchanged.
  std::optional<Image> load(const CacheKey &key);
  /// Keeps `image` under `key`: readers see all of it or nothing. Drops what was read
  /// least recently where all is larger than the cache may be.
  void store(const CacheKey &key, Image image);

  /// The name of the file of `key` in the folder.
  static std::string fileName(const CacheKey &key);

  int64_t refusals() const { return refused; } ///< entries that were there but not right
  int64_t failures() const { return failed; }  ///< entries that could not be written
  /// Why the cache is not used, or the first reason why something could not be written;
  /// null if all is well. Valid as long as the cache.
  const char *problem() const;

private:
  Status openFolder();
  Result<Image> readEntry(const FileHandle &file, const CacheKey &key) const;
  Status write(const std::string &name, std::string_view bytes);
  void noteProblem(const std::string &text);
  void makeRoom(int64_t written);

  const DiskCacheOptions options;
  FileHandle folder; ///< not open: off
  std::atomic<int64_t> refused{0}, failed{0};
  std::atomic<uint64_t> count{0};
  mutable std::mutex mutex;
  std::optional<std::string> firstProblem; ///< never changed once it is set
  int64_t sizeAtScan = -1;                 ///< bytes in the folder; unknown before the first
  int64_t writtenSince = 0;
};

} // namespace relayout

#endif // RELAYOUT_CACHE_DISKCACHE_H
