// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Runtime/Memory.h"

#include <fstream>
#include <string>
#include <unistd.h>

namespace relayout {

/// Bytes that the system can give without swapping.
static int64_t availableMemory() {
  std::ifstream info("/proc/meminfo");
  for (std::string word; info >> word;)
    if (int64_t kibibytes; word == "MemAvailable:" && info >> kibibytes)
      return kibibytes * 1024;
  return static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
}

Status checkMemory(std::initializer_list<int64_t> parts) {
  int64_t bytes = 0;
  for (int64_t part : parts)
    if (__builtin_add_overflow(bytes, part, &bytes)) {
      bytes = INT64_MAX;
      break;
    }
  // Small sizes are not worth the question.
  if (bytes <= int64_t(1) << 26)
    return Status::success();
  int64_t available = availableMemory();
  if (bytes <= available)
    return Status::success();
  return Error{ErrorCode::Environment, "expects " + std::to_string(bytes) +
                                           " bytes of memory, but only " +
                                           std::to_string(available) + " are available"};
}

} // namespace relayout
