// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Runtime/GuardedBuffer.h"

#include <cerrno>
#include <cstring>
#include <limits>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace relayout {

Result<GuardedBuffer> GuardedBuffer::allocate(int64_t bytes, Flush flush) {
  int64_t page = sysconf(_SC_PAGESIZE);
  if (bytes < 0 || bytes > std::numeric_limits<int64_t>::max() - 3 * page)
    return Error{ErrorCode::Environment, "no memory for " + std::to_string(bytes) + " bytes"};
  int64_t inner = (bytes + page - 1) / page * page;

  GuardedBuffer buffer;
  int64_t total = inner + 2 * page;
  void *mapping = mmap(nullptr, total, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED)
    return Error{ErrorCode::Environment, "no memory for " + std::to_string(bytes) +
                                             " bytes between guard pages: " + strerror(errno)};
  buffer.mapping = mapping;
  buffer.mappingBytes = total;
  unsigned char *first = static_cast<unsigned char *>(mapping) + page;
  if (inner != 0 && mprotect(first, inner, PROT_READ | PROT_WRITE) != 0)
    return Error{ErrorCode::Environment,
                 std::string("guard pages cannot be set up: ") + strerror(errno)};
  buffer.begin = flush == Flush::Begin ? first : first + (inner - bytes);
  buffer.bytes = bytes;
  return buffer;
}

GuardedBuffer::GuardedBuffer(GuardedBuffer &&other) noexcept { *this = std::move(other); }

GuardedBuffer &GuardedBuffer::operator=(GuardedBuffer &&other) noexcept {
  std::swap(mapping, other.mapping);
  std::swap(mappingBytes, other.mappingBytes);
  std::swap(begin, other.begin);
  std::swap(bytes, other.bytes);
  return *this;
}

GuardedBuffer::~GuardedBuffer() {
  if (mapping)
    munmap(mapping, mappingBytes);
}

} // namespace relayout
