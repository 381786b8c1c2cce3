// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CompileService.h"

#include "relayout/Spec/Module.h"

using namespace relayout;
using namespace relayout::capi;

/// Compilers that wait for work.
static constexpr size_t kMaxIdle = 8;
/// Machines that are remembered; another set of options costs a compiler to ask.
static constexpr size_t kMaxMachines = 64;

/// What tells one compiler from another. The words hold no zero bytes.
static std::string keyOf(const CompilerOptions &options) {
  std::string key;
  for (const std::string &word : {options.cpu, options.features, options.result, options.schedule})
    key += word + '\0';
  return key + std::to_string(options.threads);
}

Result<CompileService::Warm> CompileService::acquire(const CompilerOptions &options) {
  std::string key = keyOf(options);
  {
    std::lock_guard<std::mutex> lock(mutex);
    for (auto it = idle.begin(); it != idle.end(); ++it)
      if (it->key == key) {
        Warm warm = std::move(*it);
        idle.erase(it);
        return warm;
      }
  }
  Result<std::unique_ptr<Compiler>> compiler = Compiler::create(options);
  if (!compiler)
    return compiler.error();
  return Warm{std::move(key), compiler.take()};
}

void CompileService::release(Warm warm) {
  std::list<Warm> dropped; // destroyed outside of the lock
  std::lock_guard<std::mutex> lock(mutex);
  idle.push_front(std::move(warm));
  if (idle.size() > kMaxIdle)
    dropped.splice(dropped.begin(), idle, std::prev(idle.end()));
}

Result<Machine> CompileService::machine(const CompilerOptions &options) {
  CompilerOptions machineOnly;
  machineOnly.cpu = options.cpu;
  machineOnly.features = options.features;
  std::string key = keyOf(machineOnly);
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (auto it = machines.find(key); it != machines.end())
      return it->second;
  }
  Result<Warm> warm = acquire(options);
  if (!warm)
    return warm.error();
  Machine machine{warm->compiler->target(), warm->compiler->machineKey()};
  release(warm.take());
  std::lock_guard<std::mutex> lock(mutex);
  if (machines.size() >= kMaxMachines)
    machines.clear();
  machines.emplace(key, machine);
  return machine;
}

Result<Image> CompileService::image(const Spec &spec, const CompilerOptions &options) {
  Result<Warm> warm = acquire(options);
  if (!warm)
    return warm.error();
  Image image = warm->compiler->emptyImage();
  Result<ImageVariant> variant = warm->compiler->compileVariant(
      [&](mlir::MLIRContext &context) { return buildModule(spec, context); });
  release(warm.take());
  if (!variant)
    return variant.error();
  image.variants.push_back(variant.take());
  return image;
}

Result<MemoryCache::Value> CompileService::kernel(const CacheKey &key, const Spec &spec,
                                                  const CompilerOptions &options) {
  return cache.get(key, [&]() -> Result<Image> {
    Result<Warm> warm = acquire(options);
    if (!warm)
      return warm.error();
    Status host = warm->compiler->runsOnHost();
    release(warm.take());
    if (!host)
      return host.error();
    return image(spec, options);
  });
}

Result<std::string> CompileService::emit(const Spec &spec, const CompilerOptions &options,
                                         Stage stage) {
  Result<Warm> warm = acquire(options);
  if (!warm)
    return warm.error();
  Result<std::string> text = warm->compiler->emit(
      [&](mlir::MLIRContext &context) { return buildModule(spec, context); }, stage);
  release(warm.take());
  return text;
}
