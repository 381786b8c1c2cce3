// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Images.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/time.h>

using namespace relayout;
using namespace relayout::test;

namespace {

const CacheKey kKey("one problem on one machine");

TEST(DiskCache, GivesBackWhatWasStored) {
  Folder folder;
  DiskCache cache(in(folder / "a/b/relayout"));
  EXPECT_EQ(cache.problem(), nullptr);
  EXPECT_FALSE(cache.load(kKey));
  cache.store(kKey, copyImage("right"));
  for (DiskCache *reader : {&cache, new DiskCache(in(folder / "a/b/relayout"))}) {
    std::optional<Image> image = reader->load(kKey);
    ASSERT_TRUE(image);
    EXPECT_EQ(markOf(*image), "right");
    EXPECT_EQ(image->key, kKey.text());
    EXPECT_FALSE(reader->load(CacheKey("another")));
    EXPECT_EQ(reader->refusals() + reader->failures(), 0);
    if (reader != &cache)
      delete reader;
  }
  struct stat facts;
  ASSERT_EQ(stat((folder / "a/b/relayout").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0700u);
  ASSERT_EQ(stat((folder / "a/b/relayout/").append(DiskCache::fileName(kKey)).c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0600u);
}

TEST(DiskCache, ReadsOnlyWhereItMayNotWrite) {
  Folder folder;
  DiskCacheOptions options = in(folder.path);
  DiskCache(options).store(kKey, copyImage("right"));
  options.mode = CacheMode::Read;
  DiskCache cache(options);
  cache.store(CacheKey("new"), copyImage("new"));
  EXPECT_FALSE(cache.load(CacheKey("new")));
  EXPECT_TRUE(cache.load(kKey));
  options.directory = folder / "none";
  DiskCache none(options);
  EXPECT_EQ(none.problem(), "'" + options.directory + "': open: No such file or directory");
  EXPECT_NE(access(options.directory.c_str(), F_OK), 0);
  options.mode = CacheMode::Off;
  options.directory = folder.path;
  DiskCache off(options);
  EXPECT_FALSE(off.load(kKey));
  EXPECT_EQ(off.problem(), nullptr);
}

TEST(DiskCache, ComparesTheWholeKey) {
  Folder folder;
  DiskCache cache(in(folder.path));
  CacheKey other("a key of the same digest");
  cache.store(kKey, copyImage("wrong"));
  ASSERT_EQ(rename((folder / DiskCache::fileName(kKey)).c_str(),
                   (folder / DiskCache::fileName(other)).c_str()),
            0);
  EXPECT_FALSE(cache.load(other));
  EXPECT_EQ(cache.refusals(), 1);
  cache.store(other, copyImage("right"));
  EXPECT_EQ(markOf(*cache.load(other)), "right");
}

/// Sets the time at which `name` was read last.
void readAt(const std::string &path, time_t seconds, suseconds_t microseconds = 0) {
  const timeval times[2] = {{seconds, microseconds}, {seconds, microseconds}};
  ASSERT_EQ(utimes(path.c_str(), times), 0);
}

TEST(DiskCache, DropsWhatWasReadLeastRecently) {
  Folder folder;
  DiskCacheOptions options = in(folder.path);
  options.size = 10000;
  DiskCache cache(options);
  auto key = [](int i) { return CacheKey("key " + std::to_string(i)); };
  const std::string kilobyte(1000, 'k');
  const std::string almost = std::string(32, 'g') + ".relayout"; // no digits of a digest
  for (const std::string &other : {std::string("notes.txt"), almost})
    writeAll(folder / other, std::string(20000, 'n'));
  for (int i = 0; i < 8; ++i) {
    cache.store(key(i), copyImage(kilobyte));
    readAt(folder / DiskCache::fileName(key(i)), 1000, i);
  }
  EXPECT_TRUE(cache.load(key(0)));
  cache.store(key(8), copyImage(kilobyte));
  int left = 0;
  for (int i = 0; i <= 8; ++i)
    left += access((folder / DiskCache::fileName(key(i))).c_str(), F_OK) == 0;
  EXPECT_EQ(left, 7);
  EXPECT_TRUE(cache.load(key(0))) << "was read just now";
  EXPECT_FALSE(cache.load(key(1)));
  EXPECT_FALSE(cache.load(key(2)));
  EXPECT_TRUE(cache.load(key(3)));
  EXPECT_TRUE(cache.load(key(8)));
  for (const std::string &other : {std::string("notes.txt"), almost})
    EXPECT_EQ(access((folder / other).c_str(), F_OK), 0);
  readAt(folder / DiskCache::fileName(key(8)), time(nullptr) - 100);
  cache.store(key(9), copyImage(std::string(20000, 'l')));
  EXPECT_FALSE(cache.load(key(9))) << "larger than the cache may be";
  EXPECT_TRUE(cache.load(key(8)));
}

TEST(DiskCache, LooksForWhatOthersWrite) {
  Folder folder;
  DiskCacheOptions options = in(folder.path);
  options.size = 10000;
  DiskCache mine(options), others(options);
  auto key = [](int i) { return CacheKey("key " + std::to_string(i)); };
  for (int i = 0; i < 9; ++i)
    (i == 0 || i > 6 ? mine : others).store(key(i), copyImage(std::string(1000, 'k')));
  int left = 0;
  for (int i = 0; i < 9; ++i)
    left += access((folder / DiskCache::fileName(key(i))).c_str(), F_OK) == 0;
  EXPECT_LT(left, 9) << "together they have more bytes than the cache";
}

TEST(DiskCache, RemovesWhatDeadWritersLeft) {
  Folder folder;
  DiskCache cache(in(folder.path));
  std::string stale = folder / ".writing-0123.7.7.7", fresh = folder / ".writing-0123.8.8.8";
  writeAll(stale, "half an im");
  writeAll(fresh, "half an im");
  readAt(stale, time(nullptr) - 3700);
  cache.store(kKey, copyImage("right"));
  EXPECT_NE(access(stale.c_str(), F_OK), 0);
  EXPECT_EQ(access(fresh.c_str(), F_OK), 0);
}

} // namespace
