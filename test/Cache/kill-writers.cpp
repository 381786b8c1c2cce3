// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Eight processes write the same few entries of a cache on disk and are killed in the
/// middle of it, again and again. Whatever is read meanwhile must be whole.

#include "relayout/Cache/DiskCache.h"
#include "relayout/Runtime/HostFeatures.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <sys/wait.h>
#include <unistd.h>

using namespace relayout;

namespace {

constexpr int kWriters = 8, kKeys = 16;

CacheKey keyOf(int i) { return CacheKey("key " + std::to_string(i)); }

/// Code of some 100 KB that tells its key.
std::string codeOf(int i) {
  std::string code(100000 + 10007 * i, '\0');
  for (size_t at = 0; at < code.size(); ++at)
    code[at] = static_cast<char>(at * (i + 3) + at / 251);
  return code;
}

Image imageOf(int i) {
  Image image;
  image.arch = hostArch();
  ImageVariant variant;
  variant.kernel.code = codeOf(i);
  image.variants.push_back(std::move(variant));
  return image;
}

DiskCacheOptions optionsOf(const char *folder) {
  DiskCacheOptions options;
  options.directory = folder;
  return options;
}

[[noreturn]] void write(const char *folder, unsigned seed) {
  DiskCache cache(optionsOf(folder));
  for (std::minstd_rand random(seed);;) {
    int i = static_cast<int>(random() % kKeys);
    cache.store(keyOf(i), imageOf(i));
  }
}

pid_t startWriter(const char *folder, unsigned seed) {
  pid_t child = fork();
  if (child == 0)
    write(folder, seed);
  return child;
}

struct Counts {
  long whole = 0, missing = 0, wrong = 0;
};

void readAll(DiskCache &cache, Counts &counts) {
  for (int i = 0; i < kKeys; ++i) {
    std::optional<Image> image = cache.load(keyOf(i));
    if (!image)
      ++counts.missing;
    else if (image->variants[0].kernel.code == codeOf(i))
      ++counts.whole;
    else
      ++counts.wrong;
  }
}

} // namespace

int main(int argc, char **argv) {
  long kills = argc == 3 ? std::strtol(argv[2], nullptr, 10) : 0;
  if (kills < 1) {
    std::fprintf(stderr, "usage: kill-writers FOLDER KILLS\n");
    return 2;
  }
  pid_t writers[kWriters];
  for (int i = 0; i < kWriters; ++i)
    writers[i] = startWriter(argv[1], i);
  DiskCache cache(optionsOf(argv[1]));
  std::mt19937 random(20261108);
  Counts counts;
  for (long kill = 0; kill < kills; ++kill) {
    timespec pause = {0, static_cast<long>(random() % 4000000)};
    nanosleep(&pause, nullptr);
    pid_t &victim = writers[random() % kWriters];
    ::kill(victim, SIGKILL);
    waitpid(victim, nullptr, 0);
    victim = startWriter(argv[1], random());
    if (kill % 10 == 0)
      readAll(cache, counts);
  }
  for (pid_t writer : writers) {
    ::kill(writer, SIGKILL);
    waitpid(writer, nullptr, 0);
  }
  // A new entry sees to what the dead have left.
  DiskCacheOptions options = optionsOf(argv[1]);
  options.staleSeconds = -1;
  DiskCache(options).store(CacheKey("last"), imageOf(0));
  readAll(cache, counts);
  std::printf("%ld kills: %ld whole, %ld wrong, %ld refused\n", kills, counts.whole, counts.wrong,
              static_cast<long>(cache.refusals()));
  return counts.wrong == 0 && cache.refusals() == 0 && counts.whole > 0 ? 0 : 1;
}
