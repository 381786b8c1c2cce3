// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The flags that say what a kernel is made for.

#ifndef RELAYOUT_TOOLS_RELAYOUTC_TARGET_H
#define RELAYOUT_TOOLS_RELAYOUTC_TARGET_H

#include "relayout/JIT/Compiler.h"

#include "llvm/Support/CommandLine.h"

namespace relayout::driver {

class TargetOptions {
public:
  TargetOptions(llvm::cl::SubCommand &sub, llvm::cl::OptionCategory &category);

  /// An error if a flag has no meaning.
  Result<std::unique_ptr<Compiler>> createCompiler() const;
  /// As the flags say.
  Result<CompilerOptions> read() const;

private:
  llvm::cl::opt<std::string> triple, cpu, features, schedule, result, threads;
};

} // namespace relayout::driver

#endif // RELAYOUT_TOOLS_RELAYOUTC_TARGET_H
