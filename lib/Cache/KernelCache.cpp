// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Cache/KernelCache.h"

namespace relayout {

static Result<MemoryCache::Value> mapImage(const Image &image) {
  Result<const ImageVariant *> variant = chooseVariant(image);
  if (!variant)
    return variant.error();
  Result<Kernel> kernel = mapKernel((*variant)->kernel);
  if (!kernel)
    return kernel.error();
  return std::make_shared<const CachedKernel>(
      CachedKernel{kernel.take(), (*variant)->kernel.schedule});
}

Result<MemoryCache::Value> KernelCache::get(const CacheKey &key, const Compile &compile) {
  return memory.get(key, [&] { return make(key, compile); });
}

Result<MemoryCache::Value> KernelCache::make(const CacheKey &key, const Compile &compile) {
  if (std::optional<Image> stored = disk.load(key)) {
    // What this processor cannot run was stored by another that bears its name.
    if (Result<MemoryCache::Value> value = mapImage(*stored)) {
      ++diskHits;
      return value;
    }
  }
  Result<Image> image = compile();
  if (!image)
    return image.error();
  Result<MemoryCache::Value> value = mapImage(*image);
  if (!value)
    return value;
  ++compiles;
  disk.store(key, image.take());
  return value;
}

CacheStatistics KernelCache::statistics() const {
  CacheStatistics result;
  result.memoryHits = memory.hits();
  result.diskHits = diskHits;
  result.compiles = compiles;
  result.evictions = memory.evictions();
  result.diskRefusals = disk.refusals();
  result.diskFailures = disk.failures();
  return result;
}

} // namespace relayout
