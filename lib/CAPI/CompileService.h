// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The one way from a problem to code: warm compilers, shared by threads.

#ifndef RELAYOUT_LIB_CAPI_COMPILESERVICE_H
#define RELAYOUT_LIB_CAPI_COMPILESERVICE_H

#include "relayout/JIT/Compiler.h"
#include "relayout/Spec/Spec.h"

#include <list>
#include <map>
#include <mutex>
#include <string>

namespace relayout::capi {

/// A kernel with what is known of it.
struct CompiledKernel {
  Kernel kernel;
  std::string schedule; ///< empty for a plain copy
};

/// Thread-safe. A compiler is used by one thread at a time; as many are made as
/// threads compile at once, and a few are kept warm.
class CompileService {
public:
  /// The machine that `options` describe; an error where LLVM knows no such one.
  Result<TargetInfo> target(const CompilerOptions &options);

  Result<CompiledKernel> compile(const Spec &spec, const CompilerOptions &options);

  /// An image for `relayout_kernel_load`; `json` is the text of `spec`.
  Result<std::string> image(const Spec &spec, const std::string &json,
                            const CompilerOptions &options);

  /// The module at `stage`: text, or the bytes of an object file.
  Result<std::string> emit(const Spec &spec, const CompilerOptions &options, Stage stage);

  /// How many kernels were compiled.
  int64_t compiles() const;

private:
  struct Warm {
    std::string key;
    std::unique_ptr<Compiler> compiler;
  };
  Result<Warm> acquire(const CompilerOptions &options);
  void release(Warm warm);

  mutable std::mutex mutex;
  std::list<Warm> idle; ///< the one used last comes first
  std::map<std::string, TargetInfo> targets;
  int64_t compiled = 0;
};

} // namespace relayout::capi

#endif // RELAYOUT_LIB_CAPI_COMPILESERVICE_H
