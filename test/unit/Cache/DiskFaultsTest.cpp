// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Damage, other users, links, full and read-only disks: the kernel is compiled as if
// there were no entry, and the entry is replaced where that is possible.

#include "Images.h"

#include "relayout/Cache/KernelCache.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/sysmacros.h>

using namespace relayout;
using namespace relayout::test;

namespace {

const CacheKey kKey("key");
constexpr uid_t kOtherUser = 54321;

class DiskFaults : public testing::Test {
protected:
  std::string entry() const { return folder / DiskCache::fileName(kKey); }

  /// The kernel of `kKey` from a fresh process, as it were: from disk, or compiled.
  std::string find(bool &compiled) {
    KernelCache cache(4, in(folder.path));
    compiled = false;
    Result<MemoryCache::Value> value = cache.get(kKey, [&]() -> Result<Image> {
      compiled = true;
      return copyImage("right");
    });
    statistics = cache.statistics();
    problem = cache.diskProblem() ? cache.diskProblem() : "";
    return value ? (*value)->schedule : value.error().message;
  }

  /// What is at the place of the entry is not taken, and is replaced.
  void expectReplaced(const std::string &what) {
    bool compiled;
    EXPECT_EQ(find(compiled), "right") << what;
    EXPECT_TRUE(compiled) << what;
    EXPECT_EQ(statistics.diskRefusals, 1) << what;
    EXPECT_EQ(find(compiled), "right") << what;
    EXPECT_FALSE(compiled) << what;
    EXPECT_EQ(statistics.diskHits, 1) << what;
  }

  /// Nothing is read from the folder and nothing is written to it.
  void expectUnused(const std::string &part) {
    bool compiled;
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(find(compiled), "right");
      EXPECT_TRUE(compiled);
    }
    EXPECT_NE(problem.find(part), std::string::npos) << problem;
  }

  Folder folder;
  CacheStatistics statistics;
  std::string problem;
};

TEST_F(DiskFaults, C01TruncatedAtEachByte) {
  bool compiled;
  find(compiled);
  const std::string bytes = readAll(entry());
  ASSERT_GT(bytes.size(), 100u);
  for (size_t size = 0; size < bytes.size(); ++size) {
    writeAll(entry(), bytes.substr(0, size));
    expectReplaced(std::to_string(size));
  }
}

TEST_F(DiskFaults, C02OneBitFlippedAtEachPlace) {
  bool compiled;
  find(compiled);
  const std::string bytes = readAll(entry());
  DiskCache cache(in(folder.path));
  for (size_t i = 0; i < 8 * bytes.size(); ++i) {
    std::string changed = bytes;
    changed[i / 8] ^= 1 << (i % 8);
    writeAll(entry(), changed);
    EXPECT_FALSE(cache.load(kKey)) << i;
  }
  EXPECT_EQ(cache.refusals(), static_cast<int64_t>(8 * bytes.size()));
  expectReplaced("the last one");
}

TEST_F(DiskFaults, C03FolderOfAnotherUser) {
  if (geteuid() != 0)
    GTEST_SKIP() << "needs root to give a folder away";
  ASSERT_EQ(chown(folder.path.c_str(), kOtherUser, kOtherUser), 0);
  expectUnused("expects it to belong to user 0, but it belongs to 54321");
}

TEST_F(DiskFaults, C03FolderThatOthersMayWrite) {
  for (mode_t mode : {0720, 0702, 0777}) {
    ASSERT_EQ(chmod(folder.path.c_str(), mode), 0);
    expectUnused("expects that no other user may write it");
  }
}

TEST_F(DiskFaults, C03FolderBehindALink) {
  Folder other;
  ASSERT_EQ(rmdir(folder.path.c_str()), 0);
  ASSERT_EQ(symlink(other.path.c_str(), folder.path.c_str()), 0);
  expectUnused("open: ");
}

TEST_F(DiskFaults, C03EntryOfAnotherUserOrThatOthersMayWrite) {
  bool compiled;
  find(compiled);
  ASSERT_EQ(chmod(entry().c_str(), 0622), 0);
  expectReplaced("mode");
  if (geteuid() != 0)
    GTEST_SKIP() << "needs root to give a file away";
  ASSERT_EQ(chown(entry().c_str(), kOtherUser, kOtherUser), 0);
  expectReplaced("owner");
}

TEST_F(DiskFaults, C04EntryIsALink) {
  bool compiled;
  find(compiled);
  ASSERT_EQ(rename(entry().c_str(), (folder / "real").c_str()), 0);
  ASSERT_EQ(symlink((folder / "real").c_str(), entry().c_str()), 0);
  expectReplaced("link");
}

TEST_F(DiskFaults, C04EntryIsNoFile) {
  ASSERT_EQ(mkfifo(entry().c_str(), 0600), 0);
  expectReplaced("FIFO");
  ASSERT_EQ(unlink(entry().c_str()), 0);
  if (mknod(entry().c_str(), S_IFCHR | 0600, makedev(1, 5)) == 0)
    expectReplaced("the device of zeros");
  unlink(entry().c_str());
  ASSERT_EQ(mkdir(entry().c_str(), 0700), 0);
  bool compiled;
  EXPECT_EQ(find(compiled), "right");
  EXPECT_TRUE(compiled);
  EXPECT_EQ(statistics.diskFailures, 1) << "a folder cannot be replaced";
}

/// Mounts a small file system over the folder.
bool mountOver(const std::string &path, const char *options) {
  return mount("tmpfs", path.c_str(), "tmpfs", 0, options) == 0;
}

TEST_F(DiskFaults, C05FullDisk) {
  if (!mountOver(folder.path, "size=64k,mode=0700"))
    GTEST_SKIP() << "needs root to mount a file system";
  writeAll(folder / "fill", std::string(64 << 10, 'f'));
  expectUnused("No space left on device");
  EXPECT_EQ(statistics.diskFailures, 1);
  EXPECT_NE(std::system(("ls -A '" + folder.path + "' | grep -q writing").c_str()), 0)
      << "a part was left";
  umount2(folder.path.c_str(), MNT_DETACH);
}

TEST_F(DiskFaults, C05LimitOfFileSize) {
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small = {64, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  expectUnused("write: File too large");
  EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(statistics.diskFailures, 1);
  EXPECT_EQ(rmdir(folder.path.c_str()), 0) << "a part was left";
}

TEST_F(DiskFaults, C05ReadOnlyDisk) {
  if (!mountOver(folder.path, "size=64k,mode=0700"))
    GTEST_SKIP() << "needs root to mount a file system";
  bool compiled;
  find(compiled);
  ASSERT_EQ(mount("tmpfs", folder.path.c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, nullptr), 0);
  EXPECT_EQ(find(compiled), "right");
  EXPECT_FALSE(compiled) << "what is there is read";
  KernelCache cache(4, in(folder.path));
  ASSERT_TRUE(cache.get(CacheKey("other"), [] { return Result<Image>(copyImage("other")); }));
  EXPECT_EQ(cache.statistics().diskFailures, 1);
  EXPECT_EQ(cache.diskProblem(), "'" + folder.path + "': create: Read-only file system");
  umount2(folder.path.c_str(), MNT_DETACH);
}

TEST_F(DiskFaults, C05FolderThatCannotBeMade) {
  writeAll(folder / "file", "");
  for (std::string path : {folder / "file/relayout", std::string("/proc/none/relayout")}) {
    DiskCache cache(in(path));
    cache.store(kKey, copyImage("right"));
    EXPECT_FALSE(cache.load(kKey));
    ASSERT_NE(cache.problem(), nullptr);
    EXPECT_EQ(std::string(cache.problem()).find("'" + path + "': open: "), 0u) << cache.problem();
  }
  DiskCache relative(in("relayout"));
  EXPECT_STREQ(relative.problem(), "'relayout': expects an absolute path");
}

TEST_F(DiskFaults, C06EntryOfAnotherProcessor) {
  Image foreign = copyImage("foreign");
  foreign.variants[0].cpu = "bird";
  foreign.variants[0].features = {"wings"};
  DiskCache(in(folder.path)).store(CacheKey("a key with another processor"), foreign);
  bool compiled;
  EXPECT_EQ(find(compiled), "right");
  EXPECT_TRUE(compiled) << "another key";
  // Even under the right key: a home folder on machines that call themselves the same.
  DiskCache(in(folder.path)).store(kKey, foreign);
  EXPECT_EQ(find(compiled), "right");
  EXPECT_TRUE(compiled);
}

} // namespace
