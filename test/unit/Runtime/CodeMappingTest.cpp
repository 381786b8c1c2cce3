// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Runtime/CodeMapping.h"

#include "relayout/Runtime/FlatKernel.h"

#include <cerrno>
#include <fstream>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sstream>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace relayout;

namespace {

#if defined(__x86_64__)
/// A function that returns 42, and one byte later one that returns 43.
constexpr std::string_view kCode("\xcc\xb8\x2a\x00\x00\x00\xc3\xb8\x2b\x00\x00\x00\xc3", 13);
constexpr int64_t kEntry = 1, kSecondEntry = 7;
#elif defined(__aarch64__)
constexpr std::string_view kCode("\x1f\x20\x03\xd5\x40\x05\x80\x52\xc0\x03\x5f\xd6"
                                 "\x60\x05\x80\x52\xc0\x03\x5f\xd6",
                                 20);
constexpr int64_t kEntry = 4, kSecondEntry = 12;
#endif

int call(const char *address) {
  return reinterpret_cast<int (*)()>(reinterpret_cast<uintptr_t>(address))();
}

/// The protection of the mapping that holds `address`, as `r-xp`; empty if there is
/// none. All mappings are searched for one that is writable and executable.
std::string protectionOf(const void *address, bool &anyWritableAndExecutable) {
  std::ifstream maps("/proc/self/maps");
  std::string found;
  for (std::string line; std::getline(maps, line);) {
    uintptr_t begin, end;
    std::string protection;
    char dash;
    std::istringstream(line) >> std::hex >> begin >> dash >> end >> protection;
    auto place = reinterpret_cast<uintptr_t>(address);
    if (begin <= place && place < end)
      found = protection;
    anyWritableAndExecutable |= protection.find("wx") != std::string::npos;
  }
  return found;
}

/// Maps the code, calls it and looks at its protection; 0 if all is right.
int useMapping() {
  Result<std::shared_ptr<CodeMapping>> mapping = CodeMapping::create(kCode);
  if (!mapping)
    return mapping.error().code == ErrorCode::Environment ? 100 : 101;
  bool bad = false;
  const char *begin = (*mapping)->begin();
  if (call(begin + kEntry) != 42 || call(begin + kSecondEntry) != 43)
    return 1;
  if (reinterpret_cast<uintptr_t>(begin) % 4096 != 0)
    return 2;
  if (protectionOf(begin, bad).substr(0, 3) != "r-x" || bad)
    return 3;
  mapping->reset();
  return protectionOf(begin, bad).empty() ? 0 : 4;
}

/// What `body` returns in a process of its own, -1 if that does not end by itself.
template <typename Body> int inChild(Body body) {
  pid_t child = fork();
  if (child == 0)
    _exit(body());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

constexpr int kSkip = 77;

/// As systemd's MemoryDenyWriteExecute does.
bool denyWriteExecute() {
#ifdef PR_SET_MDWE
  constexpr int kSetMdwe = PR_SET_MDWE;
#else
  constexpr int kSetMdwe = 65;
#endif
  return prctl(kSetMdwe, 1, 0, 0, 0) == 0;
}

/// Makes memfd_create fail with EPERM.
bool denyAnonymousFiles() {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_memfd_create, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  sock_fprog program = {4, filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

TEST(CodeMapping, IsExecutableNeverWritableAndUnmappedAtItsEnd) { EXPECT_EQ(useMapping(), 0); }

TEST(CodeMapping, WorksWhereMemoryOnceWritableStaysUnexecutable) {
  int result = inChild([] { return denyWriteExecute() ? useMapping() : kSkip; });
  if (result == kSkip)
    GTEST_SKIP() << "the kernel knows no PR_SET_MDWE";
  EXPECT_EQ(result, 0);
}

TEST(CodeMapping, SaysSoWhereNothingIsAllowed) {
  int result = inChild([] {
    if (!denyWriteExecute() || !denyAnonymousFiles())
      return kSkip;
    Result<std::shared_ptr<CodeMapping>> mapping = CodeMapping::create(kCode);
    if (mapping)
      return 1;
    return mapping.error().code == ErrorCode::Environment &&
                   mapping.error().message ==
                       "the system gives no executable memory for " + std::to_string(kCode.size()) +
                           " bytes: mprotect: Permission denied; memfd_create: Operation not "
                           "permitted"
               ? 0
               : 2;
  });
  if (result == kSkip)
    GTEST_SKIP() << "the system has no PR_SET_MDWE or no seccomp";
  EXPECT_EQ(result, 0);
}

TEST(CodeMapping, RefusesNoCode) {
  Result<std::shared_ptr<CodeMapping>> mapping = CodeMapping::create("");
  ASSERT_FALSE(mapping);
  EXPECT_EQ(mapping.error().message, "expects code to map, but got none");
}

TEST(FlatKernel, RefusesAnEntryOutsideOfItsCode) {
  FlatKernel kernel;
  kernel.code = kCode;
  for (int64_t entry : {int64_t(-1), int64_t(kCode.size())}) {
    kernel.entry = entry;
    Result<Kernel> mapped = mapKernel(kernel);
    ASSERT_FALSE(mapped);
    EXPECT_EQ(mapped.error().message, "expects the entry of a kernel within its " +
                                          std::to_string(kCode.size()) +
                                          " bytes of code, but it is " + std::to_string(entry));
  }
}

TEST(FlatKernel, CopiesWithoutCode) {
  FlatKernel flat;
  flat.info.inputBytes = 9;
  flat.info.outputBytes = 7;
  flat.copy = {2, 1, 5};
  Result<Kernel> kernel = mapKernel(flat);
  ASSERT_TRUE(kernel) << kernel.error().message;
  EXPECT_TRUE(kernel->isCopy());
  char out[8] = "-------";
  ASSERT_TRUE(kernel->run({"abcdefghi", 9}, {out, 7}));
  EXPECT_STREQ(out, "-cdefg-");
}

} // namespace
