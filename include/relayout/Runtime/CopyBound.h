// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The bound: the fastest copy that the machine can make of the same bytes, which a
/// kernel is held against.

#ifndef RELAYOUT_RUNTIME_COPYBOUND_H
#define RELAYOUT_RUNTIME_COPYBOUND_H

#include "relayout/Runtime/Executor.h"

#include <cstdint>

namespace relayout {

/// A way to copy. Which one is fastest depends on the machine and the size: one read
/// stream is bound by latency, and non-temporal stores lose while data fits a cache.
struct CopyMethod {
  enum class Kind { Memcpy, Vector, NonTemporal };
  const char *name; ///< "memcpy", "vector", "nt1", "nt4", "nt8", "nt16"
  Kind kind;
  int64_t streams; ///< read side by side, by each thread
};

/// All methods, memcpy first.
constexpr CopyMethod kCopyMethods[] = {
    {"memcpy", CopyMethod::Kind::Memcpy, 1},   {"vector", CopyMethod::Kind::Vector, 1},
    {"nt1", CopyMethod::Kind::NonTemporal, 1}, {"nt4", CopyMethod::Kind::NonTemporal, 4},
    {"nt8", CopyMethod::Kind::NonTemporal, 8}, {"nt16", CopyMethod::Kind::NonTemporal, 16},
};

/// Copies `bytes` bytes by `method` with the best instructions of this machine.
/// `out` must be aligned to 64. With an executor, each of its tasks copies one
/// contiguous share; null is the caller's thread.
void copyByMethod(const CopyMethod &method, const void *in, void *out, int64_t bytes,
                  const Executor *executor = nullptr);

} // namespace relayout

#endif // RELAYOUT_RUNTIME_COPYBOUND_H
