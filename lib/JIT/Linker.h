// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// From an object file in memory to flat code: one run of bytes with nothing left to
/// resolve or relocate.

#ifndef RELAYOUT_LIB_JIT_LINKER_H
#define RELAYOUT_LIB_JIT_LINKER_H

#include "relayout/Support/Result.h"

#include "llvm/ADT/StringRef.h"

#include <string>

namespace relayout {

/// Instructions first, then constants at a multiple of 64.
struct FlatCode {
  std::string bytes;
  int64_t entry = 0; ///< of the function that was asked for
};

/// Links `object` to the function called `symbol` and what it refers to; the rest is
/// left out. An error if that needs a symbol from elsewhere, an address that is known
/// only when the code is loaded, or data that can be written.
Result<FlatCode> linkFlat(llvm::StringRef object, llvm::StringRef symbol);

} // namespace relayout

#endif // RELAYOUT_LIB_JIT_LINKER_H
