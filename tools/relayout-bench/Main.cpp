// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Report.h"
#include "Suite.h"

#include "relayout/JIT/KernelBenchmark.h"
#include "relayout/Runtime/ThreadPool.h"
#include "relayout/Spec/Module.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

namespace cl = llvm::cl;
using llvm::errs;
using llvm::outs;
using namespace relayout;
using namespace relayout::bench;

/// The flags. They are made after the parser has been emptied: LLVM's libraries have
/// registered options of the same names, which mean nothing here.
struct Flags {
  cl::OptionCategory category{"Options"};
  cl::opt<std::string> suite{cl::Positional, cl::cat(category), cl::desc("SUITE.jsonl"),
                             cl::init("-")};
  cl::list<std::string> ids{"ids", cl::CommaSeparated, cl::cat(category),
                            cl::desc("the cases to run; all by default")};
  cl::opt<int64_t> threads{"threads", cl::init(1), cl::cat(category),
                           cl::desc("threads of the kernel and of the bound")};
  cl::opt<std::string> state{"state", cl::init("cold"), cl::cat(category),
                             cl::desc("cold (beyond the caches) or warm")};
  cl::opt<std::string> cpu{"mcpu", cl::cat(category),
                           cl::desc("the CPU to generate for; the host by default")};
  cl::opt<std::string> schedule{"schedule", cl::cat(category),
                                cl::desc("parts of the schedule to pin")};
  cl::opt<std::string> result{"result", cl::init("auto"), cl::cat(category),
                              cl::desc("what the consumer does: hot, cold or auto")};
  cl::opt<int> rounds{"rounds", cl::init(15), cl::cat(category), cl::desc("timings of each case")};
  cl::opt<std::string> format{"format", cl::init("table"), cl::cat(category),
                              cl::desc("table or jsonl")};

  Status check() const;
};

static int fail(const Error &error) {
  errs() << "relayout-bench: error: " << error.message << '\n';
  if (error.code == ErrorCode::Usage)
    return 2;
  return error.code == ErrorCode::Environment ? 3 : 1;
}

Status Flags::check() const {
  if (state != "cold" && state != "warm")
    return Error{ErrorCode::Usage, "--state expects cold or warm, but got '" + state + "'"};
  if (format != "table" && format != "jsonl")
    return Error{ErrorCode::Usage, "--format expects table or jsonl, but got '" + format + "'"};
  if (threads < 1 || threads > 1024)
    return Error{ErrorCode::Usage,
                 "--threads expects 1 to 1024, but got " + std::to_string(threads)};
  if (rounds < 1)
    return Error{ErrorCode::Usage,
                 "--rounds expects at least 1, but got " + std::to_string(rounds)};
  return Status::success();
}

static Result<KernelBenchmark> runCase(KernelBenchmarker &benchmarker, const Spec &spec,
                                       const BenchmarkOptions &options) {
  Result<Rearrangement> rearrangement = toRearrangement(spec);
  if (!rearrangement)
    return rearrangement.error();
  auto build = [&](mlir::MLIRContext &context) { return buildModule(spec, context); };
  const void *fill = spec.padValue ? spec.padValue->data() : nullptr;
  return benchmarker.run({build, rearrangement.take(), spec.dtype->width, fill}, options);
}

/// The first compile of a process pays for what all later ones share.
static Status warmUp(KernelBenchmarker &benchmarker) {
  Result<Spec> spec = parseSpecFlags("transpose", {{"shape", "35x33xf32"}, {"perm", "1,0"}});
  if (!spec)
    return spec.error();
  BenchmarkOptions options;
  options.cold = false;
  options.rounds = 1;
  Result<KernelBenchmark> done = runCase(benchmarker, *spec, options);
  return done ? Status::success() : Status(done.error());
}

static Result<bool> runSuite(const Flags &flags, const std::vector<Case> &cases) {
  CompilerOptions compile;
  compile.cpu = flags.cpu;
  compile.schedule = flags.schedule;
  compile.result = flags.result;
  compile.threads = flags.threads;
  Result<KernelBenchmarker> benchmarker = KernelBenchmarker::create(compile);
  if (!benchmarker)
    return benchmarker.error();
  if (compile.schedule.empty())
    if (Status status = warmUp(*benchmarker); !status)
      return status.error();
  ThreadPool pool(flags.threads);
  BenchmarkOptions options;
  options.cold = flags.state == "cold";
  options.rounds = flags.rounds;
  options.executor = flags.threads > 1 ? &pool.executor() : nullptr;
  Report report(outs(), flags.format == "jsonl");
  report.printHead();
  for (const Case &one : cases) {
    Result<KernelBenchmark> done = runCase(*benchmarker, one.spec, options);
    if (done)
      report.add(one.id, *done);
    else
      report.addError(one.id, done.error());
  }
  report.printSummary();
  return !report.hasErrors();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ResetCommandLineParser();
  Flags flags;
  cl::HideUnrelatedOptions(flags.category);
  cl::ParseCommandLineOptions(
      argc, argv, "times the kernels of a suite against the fastest copy of the same bytes\n");
  if (Status status = flags.check(); !status)
    return fail(status.error());
  Result<std::vector<Case>> cases = readSuite(flags.suite, {flags.ids.begin(), flags.ids.end()});
  if (!cases)
    return fail(cases.error());
  Result<bool> good = runSuite(flags, *cases);
  if (!good)
    return fail(good.error());
  return *good ? 0 : 1;
}
