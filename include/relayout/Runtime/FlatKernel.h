// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// A kernel as data: what a compiler hands over, caches keep and images hold.

#ifndef RELAYOUT_RUNTIME_FLATKERNEL_H
#define RELAYOUT_RUNTIME_FLATKERNEL_H

#include "relayout/Runtime/Kernel.h"

#include <string>

namespace relayout {

/// From which byte of the input to which of the output, and how many.
struct PlainCopy {
  int64_t from = 0;
  int64_t to = 0;
  int64_t bytes = 0;
};

/// Code is flat: instructions and constants in one run of bytes that can be executed
/// wherever it begins at a page, with nothing left to resolve or relocate.
struct FlatKernel {
  KernelInfo info;
  std::string code;  ///< empty for a plain copy
  int64_t entry = 0; ///< where in `code` the function begins
  PlainCopy copy;    ///< what a kernel without code does
  /// As text; empty for a plain copy.
  std::string schedule;

  bool isCopy() const { return code.empty(); }
};

/// Maps the code of `kernel`. An error where the system gives no executable memory.
Result<Kernel> mapKernel(const FlatKernel &kernel);

} // namespace relayout

#endif // RELAYOUT_RUNTIME_FLATKERNEL_H
