// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Files as values: reading and writing whole ones, with every failure told.

#ifndef RELAYOUT_RUNTIME_FILE_H
#define RELAYOUT_RUNTIME_FILE_H

#include "relayout/Support/Result.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace relayout {

/// No image is larger.
constexpr size_t kMaxImageBytes = 64 << 20;

/// Closes a file when it is destroyed.
class FileHandle {
public:
  explicit FileHandle(int number = -1) : number(number) {}
  FileHandle(FileHandle &&other) noexcept : number(other.number) { other.number = -1; }
  FileHandle &operator=(FileHandle &&other) noexcept;
  ~FileHandle();
  explicit operator bool() const { return number >= 0; }
  int get() const { return number; }

private:
  int number;
};

/// `what: why`, where `why` is the system's text of `errno`.
std::string systemError(const std::string &what);

/// The bytes of the regular file that `file` is open on, from its beginning. An error
/// if it is no regular file or has more than `kMaxImageBytes`.
Result<std::string> readFile(const FileHandle &file);
/// The same of the file called `path`.
Result<std::string> readFile(const std::string &path);

/// Writes all of `bytes` to an empty file; false, with `errno` set, if that is not possible.
/// More than the process may write to a file (RLIMIT_FSIZE) is not tried, as a signal would
/// end the process.
bool writeAll(const FileHandle &file, std::string_view bytes);

} // namespace relayout

#endif // RELAYOUT_RUNTIME_FILE_H
