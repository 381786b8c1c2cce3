// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Cache/DiskCache.h"

#include <cstdlib>
#include <gtest/gtest.h>

using namespace relayout;

namespace {

/// The options under these variables and no others.
DiskCacheOptions under(const char *mode, const char *folder, const char *caches, const char *home) {
  const std::pair<const char *, const char *> variables[] = {{"RELAYOUT_CACHE", mode},
                                                             {"RELAYOUT_CACHE_DIR", folder},
                                                             {"XDG_CACHE_HOME", caches},
                                                             {"HOME", home}};
  for (auto [name, value] : variables)
    value ? setenv(name, value, 1) : unsetenv(name);
  return chooseDiskCache();
}

TEST(CacheEnvironment, SaysWhichFolder) {
  EXPECT_EQ(under(nullptr, "/r", "/x", "/h").directory, "/r");
  EXPECT_EQ(under(nullptr, nullptr, "/x", "/h").directory, "/x/relayout");
  EXPECT_EQ(under(nullptr, "", "", "/h").directory, "/h/.cache/relayout");
  EXPECT_EQ(under(nullptr, nullptr, "x", "/h").directory, "/h/.cache/relayout");
  EXPECT_EQ(under(nullptr, nullptr, nullptr, "h").directory, "");
  EXPECT_EQ(under(nullptr, "r", "/x", "/h").directory, "r") << "is refused when it is opened";
}

TEST(CacheEnvironment, SaysWhichMode) {
  EXPECT_EQ(under(nullptr, nullptr, nullptr, "/h").mode, CacheMode::ReadWrite);
  EXPECT_EQ(under("", nullptr, nullptr, "/h").mode, CacheMode::ReadWrite);
  EXPECT_EQ(under("rw", nullptr, nullptr, "/h").mode, CacheMode::ReadWrite);
  EXPECT_EQ(under("ro", nullptr, nullptr, "/h").mode, CacheMode::Read);
  EXPECT_EQ(under("off", nullptr, nullptr, nullptr).mode, CacheMode::Off);
  EXPECT_EQ(under("off", nullptr, nullptr, nullptr).problem, "");
  EXPECT_EQ(under("rw", nullptr, nullptr, "/h").problem, "");
}

TEST(CacheEnvironment, GivesWayToTheProgram) {
  under("off", "/r", nullptr, nullptr);
  DiskCacheOptions options = chooseDiskCache(CacheMode::Read, "/mine");
  EXPECT_EQ(options.mode, CacheMode::Read);
  EXPECT_EQ(options.directory, "/mine");
  EXPECT_EQ(chooseDiskCache(CacheMode::Read).directory, "/r");
  EXPECT_EQ(chooseDiskCache(std::nullopt, "/mine").mode, CacheMode::Off);
  under("yes", nullptr, nullptr, nullptr);
  EXPECT_EQ(chooseDiskCache(CacheMode::ReadWrite, "/mine").problem, "");
}

TEST(CacheEnvironment, SaysWhatIsWrong) {
  DiskCacheOptions options = under("yes", "/r", nullptr, "/h");
  EXPECT_EQ(options.mode, CacheMode::Off);
  EXPECT_EQ(options.problem, "expects RELAYOUT_CACHE to be off, ro or rw, but got 'yes'");
  options = under(nullptr, nullptr, nullptr, nullptr);
  EXPECT_EQ(options.mode, CacheMode::Off);
  EXPECT_EQ(options.problem,
            "no folder: none of RELAYOUT_CACHE_DIR, XDG_CACHE_HOME and HOME names one");
  DiskCache cache(options);
  EXPECT_EQ(cache.problem(), options.problem);
  EXPECT_FALSE(cache.load(CacheKey("key")));
}

} // namespace
