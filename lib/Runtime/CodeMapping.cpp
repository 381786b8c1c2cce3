// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Runtime/CodeMapping.h"

#include "relayout/Runtime/File.h"

#include <cerrno>
#include <cstring>
#include <sys/mman.h>

namespace relayout {

/// Writable first, executable then. Null, and why, if that is not possible.
static char *mapAnonymous(std::string_view code, std::string &problem) {
  void *memory =
      mmap(nullptr, code.size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    problem = systemError("mmap");
    return nullptr;
  }
  std::memcpy(memory, code.data(), code.size());
  if (mprotect(memory, code.size(), PROT_READ | PROT_EXEC) == 0)
    return static_cast<char *>(memory);
  problem = systemError("mprotect");
  munmap(memory, code.size());
  return nullptr;
}

/// Kernels from 6.3 on want to be told that the file will be executed; older ones
/// do not know the flag.
static FileHandle createAnonymousFile() {
#ifdef MFD_EXEC
  constexpr unsigned kExecutable = MFD_EXEC;
#else
  constexpr unsigned kExecutable = 0x10;
#endif
  int file = memfd_create("relayout-kernel", MFD_CLOEXEC | kExecutable);
  if (file < 0 && errno == EINVAL)
    file = memfd_create("relayout-kernel", MFD_CLOEXEC);
  return FileHandle(file);
}

/// Never writable in memory: the code is written to the file, not to a mapping.
static char *mapFile(std::string_view code, std::string &problem) {
  FileHandle file = createAnonymousFile();
  if (!file) {
    problem += "; " + systemError("memfd_create");
    return nullptr;
  }
  void *memory = MAP_FAILED;
  if (!writeAll(file, code))
    problem += "; " + systemError("write");
  else if ((memory = mmap(nullptr, code.size(), PROT_READ | PROT_EXEC, MAP_PRIVATE, file.get(),
                          0)) == MAP_FAILED)
    problem += "; " + systemError("mmap of a file");
  return memory == MAP_FAILED ? nullptr : static_cast<char *>(memory);
}

Result<std::shared_ptr<CodeMapping>> CodeMapping::create(std::string_view code) {
  if (code.empty())
    return Error{ErrorCode::Internal, "expects code to map, but got none"};
  std::string problem;
  char *memory = mapAnonymous(code, problem);
  if (!memory)
    memory = mapFile(code, problem);
  if (!memory)
    return Error{ErrorCode::Environment, "the system gives no executable memory for " +
                                             std::to_string(code.size()) + " bytes: " + problem};
  __builtin___clear_cache(memory, memory + code.size());
  return std::shared_ptr<CodeMapping>(new CodeMapping(memory, code.size()));
}

CodeMapping::~CodeMapping() { munmap(address, bytes); }

} // namespace relayout
