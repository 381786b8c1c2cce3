// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The one way from a problem to code: warm compilers, shared by threads.

#ifndef RELAYOUT_LIB_CAPI_COMPILESERVICE_H
#define RELAYOUT_LIB_CAPI_COMPILESERVICE_H

#include "relayout/Cache/KernelCache.h"
#include "relayout/JIT/Compiler.h"
#include "relayout/Spec/Spec.h"

#include <list>
#include <map>
#include <mutex>
#include <string>

namespace relayout::capi {

/// What a plan is made for.
struct Machine {
  TargetInfo target;
  std::string key; ///< what the code for it depends on, as text
};

/// Thread-safe. A compiler is used by one thread at a time; as many are made as
/// threads compile at once, and a few are kept warm.
class CompileService {
public:
  CompileService(size_t memoryKernels, DiskCacheOptions disk)
      : cache(memoryKernels, std::move(disk)) {}

  /// The machine that `options` describe; an error where LLVM knows no such one.
  Result<Machine> machine(const CompilerOptions &options);

  /// The kernel of `key`, which says all of `spec` and `options` that it depends on,
  /// from a cache or compiled.
  Result<MemoryCache::Value> kernel(const CacheKey &key, const Spec &spec,
                                    const CompilerOptions &options);

  /// The kernel as data, for the host or for any other CPU.
  Result<Image> image(const Spec &spec, const CompilerOptions &options);

  /// The module at `stage`: text, or the bytes of an object file.
  Result<std::string> emit(const Spec &spec, const CompilerOptions &options, Stage stage);

  CacheStatistics statistics() const { return cache.statistics(); }
  /// Why the cache on disk is not used, or null.
  const char *cacheProblem() const { return cache.diskProblem(); }

private:
  struct Warm {
    std::string key;
    std::unique_ptr<Compiler> compiler;
  };
  Result<Warm> acquire(const CompilerOptions &options);
  void release(Warm warm);

  mutable std::mutex mutex;
  std::list<Warm> idle; ///< the one used last comes first
  std::map<std::string, Machine> machines;
  KernelCache cache;
};

} // namespace relayout::capi

#endif // RELAYOUT_LIB_CAPI_COMPILESERVICE_H
