// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../relayoutc/Streams.h"
#include "Report.h"
#include "Suite.h"
#include "VerifySuite.h"

#include "relayout/JIT/Tune.h"
#include "relayout/Runtime/ThreadPool.h"
#include "relayout/Schedule/Schedule.h"
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
                           cl::desc("threads of the kernel, to 1024; the bound has as many or one "
                                    "(default: 1)")};
  cl::opt<std::string> state{"state", cl::init("cold"), cl::cat(category),
                             cl::desc("cold (beyond the caches) or warm (default: cold)")};
  cl::opt<std::string> pages{
      "pages", cl::init("small"), cl::cat(category),
      cl::desc("pages of the buffers: small (the system's) or huge (default: small)")};
  cl::opt<std::string> cpu{"mcpu", cl::cat(category),
                           cl::desc("the CPU to generate for (default: the host's, native)")};
  cl::opt<std::string> schedule{"schedule", cl::cat(category),
                                cl::desc("parts of the schedule to pin")};
  cl::opt<std::string> result{
      "result", cl::init("auto"), cl::cat(category),
      cl::desc("what the consumer does: hot, cold or auto (default: auto)")};
  cl::opt<int64_t> tune{
      "tune", cl::init(0), cl::cat(category),
      cl::desc("measure so many schedules of each case and take the fastest (default: 0)")};
  cl::opt<bool> verify{"verify", cl::cat(category),
                       cl::desc("compare every element of each result, beside pages that fault, "
                                "instead of timing")};
  cl::opt<int> rounds{"rounds", cl::init(15), cl::cat(category),
                      cl::desc("timings of each case (default: 15)")};
  cl::opt<std::string> format{"format", cl::init("table"), cl::cat(category),
                              cl::desc("table or jsonl (default: table)")};

  Status check() const;
};

static int fail(const Error &error) {
  errs() << "relayout-bench: error: " << printable(error.message) << '\n';
  if (error.code == ErrorCode::Usage)
    return 2;
  return error.code == ErrorCode::Environment ? 3 : 1;
}

Status Flags::check() const {
  if (state != "cold" && state != "warm")
    return Error{ErrorCode::Usage, "--state expects cold or warm, but got '" + state + "'"};
  if (pages != "small" && pages != "huge")
    return Error{ErrorCode::Usage, "--pages expects small or huge, but got '" + pages + "'"};
  if (format != "table" && format != "jsonl")
    return Error{ErrorCode::Usage, "--format expects table or jsonl, but got '" + format + "'"};
  if (threads < 1 || threads > kMaxThreads)
    return Error{ErrorCode::Usage, "--threads expects 1 to " + std::to_string(kMaxThreads) +
                                       ", but got " + std::to_string(threads)};
  if (rounds < 1)
    return Error{ErrorCode::Usage,
                 "--rounds expects at least 1, but got " + std::to_string(rounds)};
  if (verify && tune > 0)
    return Error{ErrorCode::Usage, "--verify times nothing, so it cannot go with --tune"};
  if (Status status = checkScheduleText(schedule.getValue()); !status)
    return status;
  return checkTuneCount(tune);
}

/// Calls `use` with what a case compiles and means.
template <typename Use> static auto withSubject(const Spec &spec, Use use) {
  using Answer = decltype(use(std::declval<const BenchmarkSubject &>()));
  Result<Rearrangement> rearrangement = toRearrangement(spec);
  if (!rearrangement)
    return Answer(rearrangement.error());
  auto build = [&](mlir::MLIRContext &context) { return buildModule(spec, context); };
  const void *fill = spec.padValue ? spec.padValue->data() : nullptr;
  return use(BenchmarkSubject{build, rearrangement.take(), spec.dtype->width, fill});
}

static Result<KernelBenchmark> runCase(KernelBenchmarker &benchmarker, const Spec &spec,
                                       const BenchmarkOptions &options) {
  return withSubject(
      spec, [&](const BenchmarkSubject &subject) { return benchmarker.run(subject, options); });
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

/// Tunes a case, and times it as the tuned kernel.
static Status runTuned(Report &report, const Case &one, CompilerOptions compile, int64_t count,
                       const BenchmarkOptions &options) {
  Result<Tuning> tuning = withSubject(one.spec, [&](const BenchmarkSubject &subject) {
    return tuneSchedule(subject, compile, count, options);
  });
  if (!tuning)
    return tuning.error();
  compile.schedule = tuning->best.schedule;
  Result<KernelBenchmarker> benchmarker = KernelBenchmarker::create(compile);
  if (!benchmarker)
    return benchmarker.error();
  Result<KernelBenchmark> done = runCase(*benchmarker, one.spec, options);
  if (!done)
    return done.error();
  report.add(one.id, *done, &*tuning);
  return Status::success();
}

static Status runPicked(Report &report, const Case &one, KernelBenchmarker &benchmarker,
                        const BenchmarkOptions &options) {
  Result<KernelBenchmark> done = runCase(benchmarker, one.spec, options);
  if (!done)
    return done.error();
  report.add(one.id, *done);
  return Status::success();
}

static Status timeSuite(Report &report, const Flags &flags, const std::vector<Case> &cases,
                        const CompilerOptions &compile, const Executor *executor) {
  Result<KernelBenchmarker> benchmarker = KernelBenchmarker::create(compile);
  if (!benchmarker)
    return benchmarker.error();
  if (compile.schedule.empty())
    if (Status status = warmUp(*benchmarker); !status)
      return status;
  BenchmarkOptions options;
  options.cold = flags.state == "cold";
  options.hugePages = flags.pages == "huge";
  options.rounds = flags.rounds;
  options.executor = executor;
  report.printHead();
  for (const Case &one : cases) {
    Status status = flags.tune > 0 ? runTuned(report, one, compile, flags.tune, options)
                                   : runPicked(report, one, *benchmarker, options);
    if (!status)
      report.addError(one.id, status.error());
  }
  report.printSummary();
  return Status::success();
}

static Result<bool> runSuite(const Flags &flags, const std::vector<Case> &cases) {
  CompilerOptions compile;
  compile.cpu = flags.cpu;
  compile.schedule = flags.schedule;
  compile.result = flags.result;
  compile.threads = flags.threads;
  ThreadPool pool(flags.threads);
  const Executor *executor = flags.threads > 1 ? &pool.executor() : nullptr;
  Report report(outs(), flags.format == "jsonl");
  Status status = flags.verify ? verifySuite(report, cases, compile, executor)
                               : timeSuite(report, flags, cases, compile, executor);
  if (!status)
    return status.error();
  return !report.hasErrors();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  driver::prepareStreams("relayout-bench");
  cl::ResetCommandLineParser();
  Flags flags;
  cl::HideUnrelatedOptions(flags.category);
  cl::AddExtraVersionPrinter(
      [](llvm::raw_ostream &out) { out << "relayout-bench " RELAYOUT_VERSION "\n"; });
  cl::ParseCommandLineOptions(
      argc, argv,
      "times the kernels of a suite against the fastest copy of the same bytes, or proves them; "
      "without SUITE.jsonl the suite is read from standard input\n");
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
