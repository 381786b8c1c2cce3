// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Runtime/File.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace relayout {

FileHandle &FileHandle::operator=(FileHandle &&other) noexcept {
  std::swap(number, other.number);
  return *this;
}

FileHandle::~FileHandle() {
  if (number >= 0)
    close(number);
}

std::string systemError(const std::string &what) { return what + ": " + std::strerror(errno); }

static Error fileError(const std::string &text) { return {ErrorCode::Environment, text}; }

Result<std::string> readFile(const FileHandle &file) {
  struct stat facts;
  if (fstat(file.get(), &facts) != 0)
    return fileError(systemError("fstat"));
  if (!S_ISREG(facts.st_mode))
    return fileError("expects a regular file");
  // Read to the end, and not as far as fstat said: a file that shrinks meanwhile is
  // short, one that grows is long, and its digest tells.
  std::string bytes;
  while (bytes.size() <= kMaxImageBytes) {
    constexpr size_t kChunk = 64 << 10;
    size_t size = bytes.size();
    bytes.resize(size + kChunk);
    ssize_t count = pread(file.get(), bytes.data() + size, kChunk, static_cast<off_t>(size));
    bytes.resize(size + (count > 0 ? count : 0));
    if (count == 0)
      return bytes;
    if (count < 0 && errno != EINTR)
      return fileError(systemError("read"));
  }
  return fileError("expects a file of at most " + std::to_string(kMaxImageBytes) + " bytes");
}

Result<std::string> readFile(const std::string &path) {
  // A FIFO is refused, not waited for.
  FileHandle file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  Result<std::string> bytes = file ? readFile(file) : fileError(systemError("open"));
  if (!bytes)
    return fileError("'" + path + "': " + bytes.error().message);
  return bytes;
}

bool writeAll(const FileHandle &file, std::string_view bytes) {
  rlimit most;
  if (getrlimit(RLIMIT_FSIZE, &most) == 0 && bytes.size() > most.rlim_cur) {
    errno = EFBIG;
    return false;
  }
  while (!bytes.empty()) {
    ssize_t count = write(file.get(), bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR)
      return false;
    if (count > 0)
      bytes.remove_prefix(count);
  }
  return true;
}

} // namespace relayout
