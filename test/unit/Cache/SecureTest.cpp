// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that runs with more rights than its caller.

#include "Images.h"

#include <cstring>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/auxv.h>
#include <sys/wait.h>

using namespace relayout;
using namespace relayout::test;

namespace {

constexpr uid_t kCaller = 54321;
constexpr int kRight = 42, kNotSecure = 77;

/// Run by a copy of this program that belongs to root and may act as it.
TEST(CacheEnvironment, DISABLED_InASetUserIdProgram) {
  if (getauxval(AT_SECURE) == 0)
    _exit(kNotSecure);
  DiskCacheOptions options = chooseDiskCache();
  bool ignored = std::getenv("RELAYOUT_CACHE_DIR") && options.directory.empty() &&
                 options.mode == CacheMode::Off &&
                 options.problem.find("more rights than its caller") != std::string::npos;
  bool named = chooseDiskCache(CacheMode::Read, "/named").directory == "/named";
  _exit(ignored && named ? kRight : 1);
}

TEST(CacheEnvironment, IsNotLookedAtWithMoreRightsThanTheCaller) {
  if (geteuid() != 0)
    GTEST_SKIP() << "needs root to make a set-user-ID program";
  Folder folder;
  const std::string program = folder / "program";
  test::writeAll(program, readAll("/proc/self/exe"));
  ASSERT_EQ(chmod(folder.path.c_str(), 0755), 0);
  ASSERT_EQ(chmod(program.c_str(), 04755), 0);
  pid_t child = fork();
  if (child == 0) {
    clearenv();
    setenv("RELAYOUT_CACHE_DIR", "/callers", 1);
    setenv("HOME", "/callers", 1);
    int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    if (setresuid(kCaller, kCaller, kCaller) == 0)
      execl(program.c_str(), program.c_str(), "--gtest_also_run_disabled_tests",
            "--gtest_filter=*InASetUserIdProgram", nullptr);
    _exit(kNotSecure);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == kNotSecure)
    GTEST_SKIP() << "the folder for temporary files takes no set-user-ID programs";
  EXPECT_EQ(WEXITSTATUS(status), kRight);
}

} // namespace
