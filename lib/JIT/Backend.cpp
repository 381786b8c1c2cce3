// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Backend.h"

#include "relayout/Runtime/HostFeatures.h"

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/PassManager.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"

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

static bool initializeTarget() {
  static const bool failed = InitializeNativeTarget() || InitializeNativeTargetAsmPrinter();
  return !failed;
}

/// Asks the processor, which is slow on a virtual machine: once.
static const StringMap<bool> &hostFeatures() {
  static const StringMap<bool> features = sys::getHostCPUFeatures();
  return features;
}

static std::string hostFeatureText() {
  SubtargetFeatures features;
  for (const auto &feature : hostFeatures())
    features.AddFeature(feature.first(), feature.second);
  return features.getString();
}

/// Turns off what Runtime cannot look for on the machine that runs a kernel.
static std::string withoutUnknown(const std::string &features) {
  SubtargetFeatures list(features);
  for (const auto &feature : hostFeatures())
    if (!isKnownFeature(feature.first()))
      list.AddFeature(feature.first(), false);
  return list.getString();
}

/// LLVM only warns, and on its own, about names that it does not know.
static Status checkNames(const MCSubtargetInfo &info, StringRef cpu, StringRef features) {
  if (!info.isCPUStringValid(cpu))
    return Error{ErrorCode::Usage, "expects a CPU that LLVM knows, but got '" + cpu.str() +
                                       "'; the host is '" + sys::getHostCPUName().str() + "'"};
  SubtargetFeatures list(features);
  for (const std::string &feature : list.getFeatures()) {
    StringRef name = SubtargetFeatures::StripFlag(feature);
    if (llvm::none_of(info.getAllProcessorFeatures(),
                      [&](const SubtargetFeatureKV &known) { return name == known.Key; }))
      return Error{ErrorCode::Usage,
                   "expects features that LLVM knows, but got '" + name.str() + "'"};
  }
  return Status::success();
}

static std::vector<std::string> neededFeatures(const MCSubtargetInfo &info) {
  std::vector<std::string> needed;
  for (std::string_view name : optionalFeatures())
    if (info.checkFeatures("+" + std::string(name)))
      needed.emplace_back(name);
  return needed;
}

static Status checkHost(const std::string &cpu, const std::vector<std::string> &needed) {
  std::string missing = missingFeatures(needed);
  if (missing.empty())
    return Status::success();
  return Error{ErrorCode::Environment, "expects a CPU that the host can stand in for, but '" + cpu +
                                           "' has " + missing + " and the host has not"};
}

Result<std::unique_ptr<Backend>> Backend::create(const std::string &cpu,
                                                 const std::string &features) {
  Triple triple(sys::getProcessTriple());
  std::string message;
  const Target *target =
      initializeTarget() ? TargetRegistry::lookupTarget(triple, message) : nullptr;
  if (!target)
    return Error{ErrorCode::Environment, "no back end for " + triple.str() + ": " + message};

  std::unique_ptr<Backend> backend(new Backend());
  backend->cpuName = cpu.empty() ? sys::getHostCPUName().str() : cpu;
  backend->featureText = cpu.empty() ? hostFeatureText() : "";
  if (!features.empty())
    backend->featureText += (backend->featureText.empty() ? "" : ",") + features;
  std::unique_ptr<MCSubtargetInfo> generic(target->createMCSubtargetInfo(triple, "", ""));
  if (Status status = checkNames(*generic, backend->cpuName, features); !status)
    return status.error();

  backend->machine.reset(target->createTargetMachine(
      triple, backend->cpuName, withoutUnknown(backend->featureText), TargetOptions(), Reloc::PIC_,
      CodeModel::Small, CodeGenOptLevel::Default, /*JIT=*/false));
  if (!backend->machine)
    return Error{ErrorCode::Environment, "no target machine for " + triple.str()};
  backend->needed = neededFeatures(*backend->machine->getMCSubtargetInfo());
  backend->hostStatus = checkHost(backend->cpuName, backend->needed);
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

Result<SmallString<0>> Backend::generate(Module &module, CodeGenFileType type) {
  SmallString<0> bytes;
  raw_svector_ostream os(bytes);
  legacy::PassManager manager;
  if (machine->addPassesToEmitFile(manager, os, nullptr, type, /*DisableVerify=*/true))
    return Error{ErrorCode::Internal, "the back end cannot emit this kind of file"};
  manager.run(module);
  return bytes;
}

} // namespace relayout
