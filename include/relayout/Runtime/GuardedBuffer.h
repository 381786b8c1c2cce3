// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Memory between two pages that may not be touched, to catch a kernel that reads
/// or writes outside of its buffers.

#ifndef RELAYOUT_RUNTIME_GUARDEDBUFFER_H
#define RELAYOUT_RUNTIME_GUARDEDBUFFER_H

#include "relayout/Support/Result.h"

#include <cstdint>

namespace relayout {

/// `size()` bytes, zero at first, that lie flush against an inaccessible page at
/// one end; at the other end up to a page less one byte lies between.
class GuardedBuffer {
public:
  enum class Flush { Begin, End };

  /// An error if `bytes` is negative or the system has no such memory.
  static Result<GuardedBuffer> allocate(int64_t bytes, Flush flush);

  GuardedBuffer(GuardedBuffer &&other) noexcept;
  GuardedBuffer &operator=(GuardedBuffer &&other) noexcept;
  GuardedBuffer(const GuardedBuffer &) = delete;
  GuardedBuffer &operator=(const GuardedBuffer &) = delete;
  ~GuardedBuffer();

  unsigned char *data() const { return begin; }
  int64_t size() const { return bytes; }

private:
  GuardedBuffer() = default;
  void *mapping = nullptr;
  int64_t mappingBytes = 0;
  unsigned char *begin = nullptr;
  int64_t bytes = 0;
};

} // namespace relayout

#endif // RELAYOUT_RUNTIME_GUARDEDBUFFER_H
