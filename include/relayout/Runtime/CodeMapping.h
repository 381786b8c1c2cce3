// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Executable memory. No mapping made here is ever writable and executable at once.

#ifndef RELAYOUT_RUNTIME_CODEMAPPING_H
#define RELAYOUT_RUNTIME_CODEMAPPING_H

#include "relayout/Support/Result.h"

#include <cstddef>
#include <memory>
#include <string_view>

namespace relayout {

/// A copy of flat code that can be executed, at the beginning of a page. Unmapped
/// when it is destroyed.
class CodeMapping {
public:
  /// Maps a copy of `code`, which must not be empty. Where the system refuses to make
  /// memory executable that was once writable (PR_SET_MDWE), the code goes through an
  /// anonymous file. An error if it refuses that, too.
  static Result<std::shared_ptr<CodeMapping>> create(std::string_view code);

  CodeMapping(const CodeMapping &) = delete;
  CodeMapping &operator=(const CodeMapping &) = delete;
  ~CodeMapping();

  const char *begin() const { return address; }
  size_t size() const { return bytes; }

private:
  CodeMapping(char *address, size_t bytes) : address(address), bytes(bytes) {}
  char *address;
  size_t bytes;
};

} // namespace relayout

#endif // RELAYOUT_RUNTIME_CODEMAPPING_H
