// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CompileService.h"

#include "relayout/Spec/Module.h"

using namespace relayout;
using namespace relayout::capi;

/// Compilers that wait for work.
static constexpr size_t kMaxIdle = 8;
/// Machines that are remembered; another set of options costs a compiler to ask.
static constexpr size_t kMaxTargets = 64;

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

Result<TargetInfo> CompileService::target(const CompilerOptions &options) {
  CompilerOptions machine;
  machine.cpu = options.cpu;
  machine.features = options.features;
  std::string key = keyOf(machine);
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (auto it = targets.find(key); it != targets.end())
      return it->second;
  }
  Result<Warm> warm = acquire(options);
  if (!warm)
    return warm.error();
  Result<TargetInfo> target = warm->compiler->target();
  release(warm.take());
  if (!target)
    return target;
  std::lock_guard<std::mutex> lock(mutex);
  if (targets.size() >= kMaxTargets)
    targets.clear();
  targets.emplace(key, *target);
  return target;
}

Result<CompiledKernel> CompileService::compile(const Spec &spec, const CompilerOptions &options) {
  Result<Warm> warm = acquire(options);
  if (!warm)
    return warm.error();
  Result<Kernel> kernel = warm->compiler->compile(
      [&](mlir::MLIRContext &context) { return buildModule(spec, context); });
  std::string schedule = warm->compiler->schedule();
  release(warm.take());
  if (!kernel)
    return kernel.error();
  std::lock_guard<std::mutex> lock(mutex);
  ++compiled;
  return CompiledKernel{kernel.take(), std::move(schedule)};
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

Result<std::string> CompileService::image(const Spec &spec, const std::string &json,
                                          const CompilerOptions &options) {
  Result<Warm> warm = acquire(options);
  if (!warm)
    return warm.error();
  Image image = warm->compiler->emptyImage();
  image.spec = json;
  Result<ImageVariant> variant = warm->compiler->compileVariant(
      [&](mlir::MLIRContext &context) { return buildModule(spec, context); });
  release(warm.take());
  if (!variant)
    return variant.error();
  image.variants.push_back(variant.take());
  return encodeImage(image);
}

int64_t CompileService::compiles() const {
  std::lock_guard<std::mutex> lock(mutex);
  return compiled;
}
