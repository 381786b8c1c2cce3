// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Backend.h"

#include "relayout/Runtime/HostFeatures.h"

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/PassManager.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Pass.h"
#include "llvm/PassInfo.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/AArch64TargetParser.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/TargetParser/X86TargetParser.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"

#include <utility>

using namespace llvm;

namespace relayout {

/// The pass manager and its analyses, kept from one module to the next.
struct Backend::Passes {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  FunctionPassManager pipeline;

  explicit Passes(TargetMachine &machine) {
    PassBuilder builder(&machine);
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
    // No loop idioms, no unrolling, no vectorising, no combining: what a kernel should
    // look like was decided before. Rotation, hoisting and InstCombine were measured to
    // gain nothing, and to cost more than this.
    pipeline.addPass(EarlyCSEPass());
  }

  void run(Function &function) {
    pipeline.run(function, functions);
    loops.clear();
    functions.clear();
    components.clear();
    modules.clear();
  }
};

/// Leaves out passes that tiles gain nothing from or lose by. Their loads, shuffles and stores
/// come in an order that keeps few registers alive: scheduled again, or sunk to the blocks
/// that store them, they cost spills; and each value is computed once.
class TilePassManager : public legacy::PassManager {
public:
  void add(Pass *pass) override {
    const PassInfo *info = Pass::lookupPassInfo(pass->getPassID());
    if (info &&
        is_contained({"machine-scheduler", "machine-cse", "machine-sink"}, info->getPassArgument()))
      delete pass;
    else
      legacy::PassManager::add(pass);
  }
};

/// The code generator's passes for one kind of file, kept from one module to the next: to
/// make them takes a tenth of the compile of a small kernel.
struct Backend::Generator {
  SmallString<0> bytes;
  raw_svector_ostream os{bytes};
  TilePassManager manager;
};

/// Registers the host's back end; a program registers others if it wants them.
static bool initializeTarget() {
  static const bool failed = InitializeNativeTarget() || InitializeNativeTargetAsmPrinter();
  return !failed;
}

/// Asks the processor, which is slow on a virtual machine: once.
static const std::string &hostFeatureText() {
  static const auto &text = *new std::string([] {
    SubtargetFeatures features;
    for (const auto &feature : sys::getHostCPUFeatures())
      features.AddFeature(feature.first(), feature.second);
    return features.getString();
  }());
  return text;
}

/// True if `triple` is of the architecture that this process runs on.
static bool isOfHost(const Triple &triple) {
  return triple.getArch() == Triple(sys::getProcessTriple()).getArch();
}

/// The extensions of the instruction set of x86, on whichever host.
static StringMap<bool> listX86Extensions() {
  // Processors have all but these, says LLVM.
  StringMap<bool> extensions = {
      {"avx10.1-512", true}, {"avx10.2-512", true}, {"cf", true}, {"raoint", true}, {"rtm", true}};
  SmallVector<StringRef> cpus, features;
  X86::fillValidCPUArchList(cpus, /*Only64Bit=*/true);
  for (StringRef cpu : cpus)
    X86::getFeaturesForCPU(cpu, features);
  for (StringRef feature : features)
    if (extensions.try_emplace(feature, true).second)
      X86::updateImpliedFeatures(feature, true, extensions);
  return extensions;
}

static StringMap<bool> listAArch64Extensions() {
  StringMap<bool> extensions;
  for (const AArch64::ExtensionInfo &extension : AArch64::Extensions)
    if (!extension.PosTargetFeature.empty())
      extensions[extension.PosTargetFeature.drop_front()] = true;
  return extensions;
}

/// The extensions of the instruction set that code for `triple` might use.
static const StringMap<bool> &extensionsOf(const Triple &triple) {
  static const auto &x86 = *new auto(listX86Extensions()),
                    &arm = *new auto(listAArch64Extensions());
  return triple.isAArch64() ? arm : x86;
}

/// True for an extension that Runtime cannot look for on the machine that runs a kernel.
static bool isUnknownExtension(const Triple &triple, StringRef name) {
  return extensionsOf(triple).contains(name) &&
         !isKnownFeature(Triple::getArchTypeName(triple.getArch()), name);
}

/// Turns off what Runtime cannot look for.
static std::string withoutUnknown(const Triple &triple, const std::string &features) {
  SubtargetFeatures list(features);
  for (StringRef extension : extensionsOf(triple).keys())
    if (isUnknownExtension(triple, extension))
      list.AddFeature(extension, false);
  return list.getString();
}

/// The kernel's form and what may be asked of a processor are known for these only.
static Result<Triple> parseTriple(const std::string &text) {
  if (text.empty())
    return Triple(sys::getProcessTriple());
  Triple triple(Triple::normalize(text));
  bool isKnown = triple.getArch() == Triple::x86_64 || triple.getArch() == Triple::aarch64;
  bool has32BitPointers = triple.isX32() || triple.getEnvironment() == Triple::GNUILP32;
  if (isKnown && !has32BitPointers && triple.isOSBinFormatELF())
    return triple;
  return Error{ErrorCode::Usage,
               "expects a target of x86_64 or aarch64 with files in ELF, but got '" + text +
                   "'; x86_64-linux-gnu and aarch64-linux-gnu are possible"};
}

static Result<const Target *> findTarget(const Triple &triple) {
  std::string message;
  const Target *target =
      initializeTarget() ? TargetRegistry::lookupTarget(triple, message) : nullptr;
  if (target)
    return target;
  return Error{ErrorCode::Environment,
               "expects a target that LLVM has a back end for here, but got '" + triple.str() +
                   "'; " + sys::getProcessTriple() + " is possible"};
}

/// The processor whose code every processor of the architecture can run.
static const char *baselineOf(const Triple &triple) {
  return triple.isAArch64() ? "generic" : "x86-64";
}

/// Features that are no instructions: how a processor of `triple` is used. Code for another use
/// cannot be called, or faults, or LLVM ends the process while it makes it.
static ArrayRef<StringLiteral> modesOf(const Triple &triple) {
  static constexpr StringLiteral kX86[] = {"64bit", "64bit-mode", "32bit-mode",       "16bit-mode",
                                           "x32",   "soft-float", "sse-unaligned-mem"};
  return triple.isX86() ? ArrayRef(kX86) : ArrayRef<StringLiteral>();
}

/// LLVM only warns, and on its own, about names that it does not know.
static Status checkNames(const MCSubtargetInfo &info, StringRef cpu, StringRef features) {
  const Triple &triple = info.getTargetTriple();
  if (!info.isCPUStringValid(cpu))
    return Error{ErrorCode::Usage,
                 "expects a CPU that LLVM knows, but got '" + cpu.str() + "'; " +
                     (isOfHost(triple) ? "the host is '" + sys::getHostCPUName().str() + "'"
                                       : "'" + std::string(baselineOf(triple)) + "' is possible")};
  SubtargetFeatures list(features);
  for (const std::string &feature : list.getFeatures()) {
    StringRef name = SubtargetFeatures::StripFlag(feature);
    if (llvm::none_of(info.getAllProcessorFeatures(),
                      [&](const SubtargetFeatureKV &known) { return name == known.Key; }))
      return Error{ErrorCode::Usage,
                   "expects features that LLVM knows, but got '" + name.str() + "'"};
    if (llvm::is_contained(modesOf(triple), name))
      return Error{ErrorCode::Usage, "expects features that are instructions, but got '" +
                                         name.str() + "', which is a mode of " +
                                         triple.getArchName().str()};
    // Left out of the code, as those that a processor has are.
    if (SubtargetFeatures::isEnabled(feature) && isUnknownExtension(triple, name))
      return Error{ErrorCode::Usage, "expects features that can be looked for where a kernel runs, "
                                     "but got '" +
                                         name.str() + "'; leave it out"};
  }
  return Status::success();
}

static std::vector<std::string> neededFeatures(const std::string &arch,
                                               const MCSubtargetInfo &info) {
  std::vector<std::string> needed;
  for (std::string_view name : optionalFeatures(arch))
    if (info.checkFeatures("+" + std::string(name)))
      needed.emplace_back(name);
  return needed;
}

static Status checkHost(const std::string &arch, const std::string &cpu,
                        const std::vector<std::string> &needed) {
  if (arch != hostArch())
    return Error{ErrorCode::Environment, std::string("expects a target of this machine, ") +
                                             hostArch() + ", to run a kernel, but got " + arch +
                                             "; to compile and not run it is possible"};
  std::string missing = missingFeatures(needed);
  if (missing.empty())
    return Status::success();
  return Error{ErrorCode::Environment, "expects a CPU that the host can stand in for, but '" + cpu +
                                           "' has " + missing + " and the host has not"};
}

Result<std::unique_ptr<Backend>> Backend::create(const std::string &tripleText,
                                                 const std::string &cpu,
                                                 const std::string &features) {
  Result<Triple> parsed = parseTriple(tripleText);
  if (!parsed)
    return parsed.error();
  const Triple &triple = *parsed;
  Result<const Target *> found = findTarget(triple);
  if (!found)
    return found.error();
  const Target *target = *found;

  std::unique_ptr<Backend> backend(new Backend());
  bool isHost = cpu == "native";
  if (isHost && !isOfHost(triple))
    return Error{ErrorCode::Usage, "expects the architecture of this machine for the CPU native, "
                                   "but got " +
                                       triple.getArchName().str()};
  backend->native = isHost || (tripleText.empty() && cpu.empty());
  backend->cpuName = backend->native ? sys::getHostCPUName().str()
                     : cpu.empty()   ? baselineOf(triple)
                                     : cpu;
  backend->featureText = backend->native ? hostFeatureText() : "";
  if (!features.empty())
    backend->featureText += (backend->featureText.empty() ? "" : ",") + features;
  std::unique_ptr<MCSubtargetInfo> generic(target->createMCSubtargetInfo(triple, "", ""));
  if (Status status = checkNames(*generic, backend->cpuName, features); !status)
    return status.error();

  backend->machine.reset(target->createTargetMachine(
      triple, backend->cpuName, withoutUnknown(triple, backend->featureText), TargetOptions(),
      Reloc::PIC_, CodeModel::Small, CodeGenOptLevel::Default, /*JIT=*/false));
  if (!backend->machine)
    return Error{ErrorCode::Environment, "no target machine for " + triple.str()};
  backend->needed = neededFeatures(backend->arch(), *backend->machine->getMCSubtargetInfo());
  backend->hostStatus = checkHost(backend->arch(), backend->cpuName, backend->needed);
  backend->passes = std::make_unique<Passes>(*backend->machine);
  return backend;
}

Backend::~Backend() = default;

void Backend::prepare(Module &module) const {
  module.setTargetTriple(machine->getTargetTriple());
  module.setDataLayout(machine->createDataLayout());
}

void Backend::optimize(Module &module) {
  for (Function &function : module)
    if (!function.isDeclaration())
      passes->run(function);
}

Result<Backend::Generator *> Backend::getGenerator(CodeGenFileType type) {
  std::unique_ptr<Generator> &generator = generators[type];
  if (!generator) {
    auto made = std::make_unique<Generator>();
    if (machine->addPassesToEmitFile(made->manager, made->os, nullptr, type,
                                     /*DisableVerify=*/true))
      return Error{ErrorCode::Internal, "the back end cannot emit this kind of file"};
    generator = std::move(made);
  }
  return generator.get();
}

/// Puts the first error into the string at `text`.
static void takeError(const DiagnosticInfo *info, void *text) {
  auto &first = *static_cast<std::string *>(text);
  if (info->getSeverity() != DS_Error || !first.empty())
    return;
  raw_string_ostream stream(first);
  DiagnosticPrinterRawOStream printer(stream);
  info->print(printer);
}

Result<SmallString<0>> Backend::generate(Module &module, CodeGenFileType type) {
  Result<Generator *> generator = getGenerator(type);
  if (!generator)
    return generator.error();
  // LLVM's own handler prints errors and ends the process.
  std::string error;
  module.getContext().setDiagnosticHandlerCallBack(takeError, &error);
  (*generator)->manager.run(module);
  module.getContext().setDiagnosticHandlerCallBack(nullptr);
  SmallString<0> bytes = std::exchange((*generator)->bytes, {});
  if (!error.empty())
    return Error{ErrorCode::Internal, "the back end cannot emit the kernel: " + error};
  return bytes;
}

} // namespace relayout
