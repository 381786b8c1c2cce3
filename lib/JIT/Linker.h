// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// From an object file in memory to code that can be called: a small wrapper
/// around ORC in which every failure is a value.

#ifndef RELAYOUT_LIB_JIT_LINKER_H
#define RELAYOUT_LIB_JIT_LINKER_H

#include "relayout/Runtime/Kernel.h"
#include "relayout/Support/Result.h"

#include "llvm/ADT/SmallString.h"

#include <memory>
#include <string>

namespace relayout {

/// The name of the function of every kernel.
constexpr const char *kKernelSymbol = "kernel";

/// Code that is mapped as long as `owner` lives.
struct LinkedCode {
  KernelFunction function;
  std::shared_ptr<void> owner;
};

/// May be used from several threads at once.
class Linker {
public:
  static Result<std::shared_ptr<Linker>> create();
  virtual ~Linker() = default;

  /// Maps the code of `object`, which must define `kernel` and need no symbol.
  virtual Result<LinkedCode> link(llvm::SmallString<0> object) = 0;
};

} // namespace relayout

#endif // RELAYOUT_LIB_JIT_LINKER_H
