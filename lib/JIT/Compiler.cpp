// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/JIT/Compiler.h"

#include "Backend.h"
#include "BuildId.h"
#include "Linker.h"
#include "PassSession.h"
#include "TargetKey.h"

#include "relayout/Conversion/KernelAbi.h"
#include "relayout/IR/DiagnosticText.h"
#include "relayout/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/SaveAndRestore.h"

#include <chrono>

using namespace mlir;

namespace relayout {

/// Adds the time of its life to a phase.
class PhaseTimer {
public:
  explicit PhaseTimer(double &phase) : phase(phase) {}
  ~PhaseTimer() {
    phase += std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  }

private:
  using Clock = std::chrono::steady_clock;
  double &phase;
  Clock::time_point start = Clock::now();
};

/// A module of LLVM IR and what it lives in.
struct TranslatedModule {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
};

struct Compiler::Impl {
  CompilerOptions options;
  std::unique_ptr<Backend> backend;
  TargetInfo target;
  std::unique_ptr<PassSession> session;
  int64_t compilesInSession = 0;
  CompileTimes times;
  std::string schedule; ///< of the last kernel

  PipelineOptions pipelineOptions() const;
  PassSession &getSession();
  Result<OwningOpRef<ModuleOp>> build(ModuleBuilder builder);
  Result<FlatKernel> compile(ModuleBuilder builder);
  Result<FlatCode> generate(ModuleOp module);
  Result<TranslatedModule> translate(ModuleOp module);
  Result<std::string> render(ModuleOp module, Stage stage);
  Status emitAll(ModuleBuilder builder, StageSink sink, Stage first, Stage last);
};

PipelineOptions Compiler::Impl::pipelineOptions() const {
  PipelineOptions pipeline;
  pipeline.arch = backend->arch();
  if (!backend->isNative())
    pipeline.cpu = backend->cpu();
  pipeline.features = options.features;
  pipeline.result = options.result;
  pipeline.threads = options.threads;
  pipeline.schedule = options.schedule;
  pipeline.patternOnly = options.patternOnly;
  return pipeline;
}

PassSession &Compiler::Impl::getSession() {
  if (session && compilesInSession >= options.recycleAfter)
    session.reset();
  if (!session) {
    session = std::make_unique<PassSession>(pipelineOptions());
    compilesInSession = 0;
  }
  ++compilesInSession;
  return *session;
}

Result<OwningOpRef<ModuleOp>> Compiler::Impl::build(ModuleBuilder builder) {
  PhaseTimer timer(times.build);
  return getSession().build(builder);
}

Result<TranslatedModule> Compiler::Impl::translate(ModuleOp module) {
  TranslatedModule translated;
  translated.context = std::make_unique<llvm::LLVMContext>();
  {
    PhaseTimer timer(times.translate);
    DiagnosticText diagnostics(*module.getContext());
    translated.module = translateModuleToLLVMIR(module, *translated.context, "kernel",
                                                /*disableVerification=*/true);
    if (!translated.module)
      return diagnostics.error(ErrorCode::Unsupported, "the translation to LLVM IR failed");
    backend->prepare(*translated.module);
    if (llvm::Function *function = translated.module->getFunction(kKernelSymbol))
      function->setName(options.symbol);
  }
  PhaseTimer timer(times.optimize);
  backend->optimize(*translated.module);
  return translated;
}

/// What a caller must know of the kernel that `function` is.
static KernelInfo readInfo(Operation *function) {
  auto get = [&](StringRef name) { return getKernelFact(function, name).value_or(0); };
  KernelInfo info;
  info.inputBytes = get(fact::kInputBytes);
  info.outputBytes = get(fact::kOutputBytes);
  info.alignment = get(fact::kAlignment);
  info.scratchBytes = get(fact::kScratchBytes);
  info.units = get(fact::kUnits);
  return info;
}

Result<FlatCode> Compiler::Impl::generate(ModuleOp module) {
  Result<TranslatedModule> translated = translate(module);
  if (!translated)
    return translated.error();
  std::optional<Result<llvm::SmallString<0>>> object;
  {
    PhaseTimer timer(times.codegen);
    object = backend->generate(*translated->module, llvm::CodeGenFileType::ObjectFile);
    if (!*object)
      return object->error();
  }
  PhaseTimer timer(times.link);
  return linkFlat(**object, options.symbol);
}

/// The kernel of a module in which functions have been made kernels.
static Result<func::FuncOp> findKernel(ModuleOp module) {
  auto function = module.lookupSymbol<func::FuncOp>(kKernelSymbol);
  if (function && isKernel(function))
    return function;
  return Error{ErrorCode::Unsupported,
               std::string("expects a function called ") + kKernelSymbol + " with a body"};
}

Result<FlatKernel> Compiler::Impl::compile(ModuleBuilder builder) {
  times = {};
  schedule.clear();
  Result<OwningOpRef<ModuleOp>> built = build(builder);
  if (!built)
    return built.error();
  ModuleOp module = **built;
  FlatKernel kernel;
  {
    PhaseTimer timer(times.passes);
    if (Status status = session->runToLoops(module); !status)
      return status.error();
    Result<func::FuncOp> found = findKernel(module);
    if (!found)
      return found.error();
    func::FuncOp function = *found;
    kernel.info = readInfo(function);
    // Nothing to generate where memcpy does it, or where there is nothing to do.
    if (std::optional<int64_t> bytes = getKernelFact(function, fact::kCopyBytes))
      kernel.copy = {*getKernelFact(function, fact::kCopyFrom),
                     *getKernelFact(function, fact::kCopyTo), *bytes};
    if ((kernel.copy.bytes > 0 || kernel.info.units == 0) && !options.copiesAsCode)
      return kernel;
    if (auto text = function->getAttrOfType<StringAttr>(kScheduleAttrName))
      kernel.schedule = schedule = text.str();
    if (Status status = session->runToLLVM(module); !status)
      return status.error();
  }
  Result<FlatCode> code = generate(module);
  if (!code)
    return code.error();
  kernel.code = std::move(code->bytes);
  kernel.entry = code->entry;
  return kernel;
}

Result<std::string> Compiler::Impl::render(ModuleOp module, Stage stage) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (stage <= Stage::LLVM) {
    module.print(os);
    if (!StringRef(text).ends_with("\n"))
      os << "\n";
    return text;
  }
  Result<TranslatedModule> translated = translate(module);
  if (!translated)
    return translated.error();
  if (stage == Stage::LLVMIR) {
    translated->module->print(os, nullptr);
    return text;
  }
  Result<llvm::SmallString<0>> bytes = backend->generate(
      *translated->module, stage == Stage::Assembly ? llvm::CodeGenFileType::AssemblyFile
                                                    : llvm::CodeGenFileType::ObjectFile);
  if (!bytes)
    return bytes.error();
  return bytes->str().str();
}

Status Compiler::Impl::emitAll(ModuleBuilder builder, StageSink sink, Stage first, Stage last) {
  llvm::SaveAndRestore ofLastCompile(times);
  Result<OwningOpRef<ModuleOp>> module = build(builder);
  if (!module)
    return module.error();
  for (const StageInfo &info : stages()) {
    if (info.stage > last)
      break;
    if (Status status = session->runStage(**module, info.stage); !status)
      return status;
    if (info.stage == Stage::Buffers)
      if (Result<func::FuncOp> kernel = findKernel(**module); !kernel)
        return kernel.error();
    if (info.stage < first)
      continue;
    Result<std::string> bytes = render(**module, info.stage);
    if (!bytes)
      return bytes.error();
    if (Status status = sink(info, *bytes); !status)
      return status;
  }
  return Status::success();
}

Compiler::Compiler(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Compiler::~Compiler() = default;

Result<std::unique_ptr<Compiler>> Compiler::create(const CompilerOptions &options) {
  auto impl = std::make_unique<Impl>();
  impl->options = options;
  Result<std::unique_ptr<Backend>> backend =
      Backend::create(options.triple, options.cpu, options.features);
  if (!backend)
    return backend.error();
  impl->backend = backend.take();
  // Schedules know fewer processors than LLVM: said now, it is no fault of what is compiled.
  PipelineOptions pipeline = impl->pipelineOptions();
  Result<TargetInfo> target = targetFor(pipeline.arch, pipeline.cpu, pipeline.features);
  if (!target)
    return target.error();
  impl->target = target.take();
  return std::unique_ptr<Compiler>(new Compiler(std::move(impl)));
}

Result<FlatKernel> Compiler::compileFlat(ModuleBuilder build) { return impl->compile(build); }

Result<ImageVariant> Compiler::compileVariant(ModuleBuilder build) {
  Result<FlatKernel> kernel = impl->compile(build);
  if (!kernel)
    return kernel.error();
  // memcpy is for every processor.
  std::vector<std::string> needed = kernel->isCopy() ? std::vector<std::string>() : requirements();
  return ImageVariant{cpu(), std::move(needed), kernel.take()};
}

Image Compiler::emptyImage() const {
  Image image;
  image.arch = arch();
  image.build = codeGeneratorBuild();
  return image;
}

std::string Compiler::machineKey() const {
  return "abi " + std::to_string(kKernelAbi) + "\nbuild " + codeGeneratorBuild() + "\ntarget " +
         impl->backend->triple() + " " + cpu() + " " + features() + "\nmachine" +
         targetKey(target()) + "\n";
}

Result<Kernel> Compiler::compile(ModuleBuilder build) {
  if (const Status &status = runsOnHost(); !status)
    return status.error();
  Result<FlatKernel> kernel = impl->compile(build);
  if (!kernel)
    return kernel.error();
  PhaseTimer timer(impl->times.link);
  return mapKernel(*kernel);
}

const std::vector<std::string> &Compiler::requirements() const {
  return impl->backend->requirements();
}
const Status &Compiler::runsOnHost() const { return impl->backend->runsOnHost(); }

Result<std::string> Compiler::emit(ModuleBuilder build, Stage stage) {
  std::string result;
  Status status = impl->emitAll(
      build,
      [&](const StageInfo &, const std::string &bytes) {
        result = bytes;
        return Status::success();
      },
      stage, stage);
  if (!status)
    return status.error();
  return result;
}

Status Compiler::emitAll(ModuleBuilder build, StageSink sink, Stage last) {
  return impl->emitAll(build, sink, Stage::Named, last);
}

const CompileTimes &Compiler::times() const { return impl->times; }
const std::string &Compiler::schedule() const { return impl->schedule; }
PipelineOptions Compiler::pipelineOptions() const { return impl->pipelineOptions(); }
const TargetInfo &Compiler::target() const { return impl->target; }
std::string Compiler::arch() const { return impl->backend->arch(); }
const std::string &Compiler::cpu() const { return impl->backend->cpu(); }
const std::string &Compiler::features() const { return impl->backend->features(); }

} // namespace relayout
