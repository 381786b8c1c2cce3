// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CacheFolder.h"

#include <algorithm>
#include <dirent.h>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <time.h>
#include <tuple>
#include <unistd.h>
#include <vector>

namespace relayout {
namespace {

struct Entry {
  std::string name;
  int64_t bytes;
  timespec readAt;
};

bool isOlder(const timespec &a, const timespec &b) {
  return std::tie(a.tv_sec, a.tv_nsec) < std::tie(b.tv_sec, b.tv_nsec);
}

bool isEntry(std::string_view name) {
  constexpr size_t kDigits = 32;
  return name.size() > kDigits && name.substr(kDigits) == kEntrySuffix &&
         name.find_first_not_of("0123456789abcdef") == kDigits;
}

bool isTemporary(std::string_view name) {
  std::string_view prefix = kTemporaryPrefix;
  return name.substr(0, prefix.size()) == prefix;
}

/// The entries; stale temporary files are removed on the way.
std::vector<Entry> listEntries(const FileHandle &folder, int64_t staleSeconds) {
  std::vector<Entry> entries;
  // A position of its own: several threads and calls share the folder's.
  int number = openat(folder.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *list = number < 0 ? nullptr : fdopendir(number);
  if (!list) {
    FileHandle unused(number);
    return entries;
  }
  const time_t now = time(nullptr);
  while (const dirent *item = readdir(list)) {
    std::string name = item->d_name;
    struct stat facts;
    bool temporary = isTemporary(name);
    if ((!temporary && !isEntry(name)) ||
        fstatat(folder.get(), name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) != 0)
      continue;
    if (!temporary)
      entries.push_back({std::move(name), facts.st_size, facts.st_atim});
    else if (now - facts.st_mtim.tv_sec > staleSeconds)
      unlinkat(folder.get(), name.c_str(), 0);
  }
  closedir(list);
  return entries;
}

} // namespace

int64_t trimFolder(const FileHandle &folder, int64_t most, int64_t staleSeconds) {
  std::vector<Entry> entries = listEntries(folder, staleSeconds);
  int64_t total = 0;
  for (const Entry &entry : entries)
    total += entry.bytes;
  if (total <= most)
    return total;
  std::sort(entries.begin(), entries.end(),
            [](const Entry &a, const Entry &b) { return isOlder(a.readAt, b.readAt); });
  for (const Entry &entry : entries) {
    if (total <= most - most / 10)
      break;
    if (unlinkat(folder.get(), entry.name.c_str(), 0) == 0)
      total -= entry.bytes;
  }
  return total;
}

} // namespace relayout
