// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// A dense row-major tensor in memory of the host.

#ifndef RELAYOUT_SPEC_HOSTTENSOR_H
#define RELAYOUT_SPEC_HOSTTENSOR_H

#include "relayout/Layout/ElementType.h"

#include <cstdlib>
#include <memory>
#include <vector>

namespace relayout {

/// Owns its elements, which are aligned to 64 bytes.
class HostTensor {
public:
  /// A tensor with undefined elements. An error if `shape` is not sane or needs more
  /// memory than the system has free.
  static Result<HostTensor> allocate(const ElementType &type, const std::vector<int64_t> &shape);

  const ElementType &type() const { return *elementType; }
  const std::vector<int64_t> &shape() const { return extents; }
  int64_t elements() const { return count; }
  int64_t bytes() const { return count * elementType->width; }
  unsigned char *data() { return memory.get(); }
  const unsigned char *data() const { return memory.get(); }

private:
  struct Free {
    void operator()(unsigned char *pointer) const { std::free(pointer); }
  };
  HostTensor() = default;
  const ElementType *elementType = nullptr;
  std::vector<int64_t> extents;
  int64_t count = 0;
  std::unique_ptr<unsigned char, Free> memory;
};

/// Bytes of a dense tensor, or an error as `checkShape` gives it.
Result<int64_t> denseBytes(const ElementType &type, const std::vector<int64_t> &shape);

} // namespace relayout

#endif // RELAYOUT_SPEC_HOSTTENSOR_H
