// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The size of a cache line.

#ifndef RELAYOUT_SUPPORT_CACHELINE_H
#define RELAYOUT_SUPPORT_CACHELINE_H

#include <cstdint>

namespace relayout {

/// Bytes of a cache line: those that a store past the caches has to write together on x86-64.
/// Kernels are generated for lines of this size; where a machine's are longer, they are right and
/// may be slower.
constexpr int64_t kLineBytes = 64;

} // namespace relayout

#endif // RELAYOUT_SUPPORT_CACHELINE_H
