// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The machine that a schedule is made for, as text to find kernels by.

#ifndef RELAYOUT_LIB_JIT_TARGETKEY_H
#define RELAYOUT_LIB_JIT_TARGETKEY_H

#include "relayout/Schedule/TargetInfo.h"

#include <string>

namespace relayout {

/// A blank and a number for each member of `target` that a schedule depends on: all but the
/// number of threads, which is the caller's to say. Equal for equal targets alone.
std::string targetKey(const TargetInfo &target);

} // namespace relayout

#endif // RELAYOUT_LIB_JIT_TARGETKEY_H
