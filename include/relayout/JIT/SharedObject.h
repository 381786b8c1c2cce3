// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// A shared library of one function. Flat code needs no linker: what is left is to
/// name it.

#ifndef RELAYOUT_JIT_SHAREDOBJECT_H
#define RELAYOUT_JIT_SHAREDOBJECT_H

#include "relayout/Runtime/FlatKernel.h"

#include <string>
#include <string_view>

namespace relayout {

/// The bytes of an ELF shared library for `arch` (`x86_64` or `aarch64`) that exports
/// `symbol`, the function of `kernel`, which must have code. It needs no other library.
std::string makeSharedObject(const FlatKernel &kernel, std::string_view arch,
                             const std::string &symbol);

} // namespace relayout

#endif // RELAYOUT_JIT_SHAREDOBJECT_H
