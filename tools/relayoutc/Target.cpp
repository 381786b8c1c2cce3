// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Target.h"

#include "CommandLine.h"

#include "relayout/Schedule/Schedule.h"

#include "llvm/Support/TargetSelect.h"

using namespace relayout;
using namespace relayout::driver;
namespace cl = llvm::cl;

/// The library knows the host's back end only, which is all that a program needs to run
/// kernels.
static void registerBackends() {
  llvm::InitializeAllTargetInfos();
  llvm::InitializeAllTargets();
  llvm::InitializeAllTargetMCs();
  llvm::InitializeAllAsmPrinters();
}

TargetOptions::TargetOptions(cl::SubCommand &sub, cl::OptionCategory &category)
    : triple("target", cl::sub(sub), cl::cat(category), cl::value_desc("TRIPLE"),
             cl::desc("machine to compile for, as aarch64-linux-gnu (default: this one)")),
      cpu("mcpu", cl::sub(sub), cl::cat(category), cl::value_desc("CPU"),
          cl::desc("processor to compile for (default: the host's, native; of --target, any)")),
      features("features", cl::sub(sub), cl::cat(category), cl::value_desc("+A,-B"),
               cl::desc("features added to those of the processor")),
      schedule("schedule", cl::sub(sub), cl::cat(category), cl::value_desc("PARTS"),
               cl::desc("parts of the schedule to pin, in explain's words")),
      result("result", cl::sub(sub), cl::cat(category), cl::value_desc("HINT"), cl::init("auto"),
             cl::desc("the result is read at once (hot), later (cold) or auto (default: auto)")),
      threads("threads", cl::sub(sub), cl::cat(category), cl::value_desc("N"), cl::init("1"),
              cl::desc("threads that share the work, to 1024 (default: 1)")) {}

Result<CompilerOptions> TargetOptions::read() const {
  Result<int64_t> count = integerOf(threads, 1, kMaxThreads);
  if (!count)
    return count.error();
  if (Status status = checkWord(result, {"hot", "cold", "auto"}); !status)
    return status.error();
  // Stages without a schedule, and plain copies, would not look at it.
  if (Status status = checkScheduleText(schedule.getValue()); !status)
    return status.error();
  if (!triple.empty())
    registerBackends();
  CompilerOptions options;
  options.triple = triple;
  options.cpu = cpu;
  options.features = features;
  options.schedule = schedule;
  options.result = result;
  options.threads = *count;
  return options;
}

Result<std::unique_ptr<Compiler>> TargetOptions::createCompiler() const {
  Result<CompilerOptions> options = read();
  if (!options)
    return options.error();
  return Compiler::create(*options);
}
