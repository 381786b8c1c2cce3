// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Handles.h"

#include <cstring>

using namespace relayout;
using namespace relayout::capi;

static size_t memoryKernels(const relayout_compiler_options &given) {
  if (given.memory_kernels == 0)
    return kDefaultMemoryKernels;
  return given.memory_kernels < 0 ? 0 : static_cast<size_t>(given.memory_kernels);
}

static DiskCacheOptions diskCache(const relayout_compiler_options &given) {
  std::optional<CacheMode> mode;
  if (given.cache_mode != RELAYOUT_CACHE_ENVIRONMENT)
    mode = given.cache_mode == RELAYOUT_CACHE_OFF    ? CacheMode::Off
           : given.cache_mode == RELAYOUT_CACHE_READ ? CacheMode::Read
                                                     : CacheMode::ReadWrite;
  DiskCacheOptions options =
      chooseDiskCache(mode, given.cache_directory ? given.cache_directory : "");
  if (given.cache_size > 0)
    options.size = given.cache_size;
  return options;
}

relayout_error *relayout_compiler_create(const relayout_compiler_options *options,
                                         relayout_compiler **compiler) {
  if (relayout_error *error = require(compiler, "compiler"))
    return error;
  relayout_compiler_options given = {};
  if (relayout_error *error = readStruct(given, options, "options"))
    return error;
  if (given.memory_kernels < -1)
    return fail(ErrorCode::Usage, "expects memory_kernels of -1 or more, but got " +
                                      std::to_string(given.memory_kernels));
  // C callers may give any number, which no value of the type is to C++.
  unsigned mode;
  static_assert(sizeof(mode) == sizeof(given.cache_mode));
  std::memcpy(&mode, &given.cache_mode, sizeof(mode));
  if (mode > RELAYOUT_CACHE_READ_WRITE)
    return fail(ErrorCode::Usage,
                "expects a cache_mode from 0 to 3, but got " + std::to_string(mode));
  if (given.cache_size < 0)
    return fail(ErrorCode::Usage,
                "expects a cache_size of 0 or more, but got " + std::to_string(given.cache_size));
  *compiler = new relayout_compiler{
      std::make_shared<CompileService>(memoryKernels(given), diskCache(given))};
  return nullptr;
}

void relayout_compiler_free(relayout_compiler *compiler) { delete compiler; }

relayout_error *relayout_compiler_get_statistics(const relayout_compiler *compiler,
                                                 relayout_compiler_statistics *statistics) {
  if (relayout_error *error = require(compiler, "compiler"))
    return error;
  relayout_compiler_statistics result = {};
  CacheStatistics counts = compiler->service->statistics();
  result.memory_hits = counts.memoryHits;
  result.disk_hits = counts.diskHits;
  result.compiles = counts.compiles;
  result.evictions = counts.evictions;
  result.disk_refusals = counts.diskRefusals;
  result.disk_failures = counts.diskFailures;
  return fillStruct(statistics, result, "statistics");
}

const char *relayout_compiler_cache_problem(const relayout_compiler *compiler) {
  return compiler ? compiler->service->cacheProblem() : nullptr;
}
