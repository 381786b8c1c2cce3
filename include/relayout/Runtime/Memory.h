// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// How much memory the system has left, which is asked before much of it is taken: where
/// it promises more than it has, taking it ends the process.

#ifndef RELAYOUT_RUNTIME_MEMORY_H
#define RELAYOUT_RUNTIME_MEMORY_H

#include "relayout/Support/Result.h"

#include <cstdint>
#include <initializer_list>

namespace relayout {

/// An error if the system has less memory left to give than all of `parts` together, which
/// count bytes.
Status checkMemory(std::initializer_list<int64_t> parts);

} // namespace relayout

#endif // RELAYOUT_RUNTIME_MEMORY_H
