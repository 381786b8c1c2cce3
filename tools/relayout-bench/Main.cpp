// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../relayoutc/CommandLine.h"
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

#include <climits>

namespace cl = llvm::cl;
using llvm::errs;
using llvm::outs;
using namespace relayout;
using namespace relayout::bench;

/// What the flags ask for.
struct Job {
  CompilerOptions compile;
  BenchmarkOptions timing;
  int64_t candidates = 0; ///< schedules to measure of each case; 0: the picked one alone
};

/// The flags. They are made after the parser has been emptied: LLVM's libraries have
/// registered options of the same names, which mean nothing here.
struct Flags {
  cl::OptionCategory category{"Options"};
  cl::list<std::string> suite{cl::Positional, cl::cat(category), cl::desc("SUITE.jsonl")};
  cl::list<std::string> ids{"ids", cl::value_desc("LIST"), cl::cat(category),
                            cl::desc("ids of the cases to run (default: all)")};
  cl::opt<std::string> threads{
      "threads", cl::init("1"), cl::value_desc("N"), cl::cat(category),
      cl::desc("threads of the kernel, to 1024; the bound has as many or one (default: 1)")};
  cl::opt<std::string> state{"state", cl::init("cold"), cl::value_desc("STATE"), cl::cat(category),
                             cl::desc("cold (beyond the caches) or warm (default: cold)")};
  cl::opt<std::string> pages{
      "pages", cl::init("small"), cl::value_desc("SIZE"), cl::cat(category),
      cl::desc("pages of the buffers: small (the system's) or huge (default: small)")};
  cl::opt<std::string> cpu{"mcpu", cl::value_desc("CPU"), cl::cat(category),
                           cl::desc("the CPU to generate for (default: the host's, native)")};
  cl::opt<std::string> schedule{"schedule", cl::value_desc("PARTS"), cl::cat(category),
                                cl::desc("parts of the schedule to pin")};
  cl::opt<std::string> result{
      "result", cl::init("auto"), cl::value_desc("HINT"), cl::cat(category),
      cl::desc("what the consumer does: hot, cold or auto (default: auto)")};
  cl::opt<std::string> tune{
      "tune", cl::init("0"), cl::value_desc("N"), cl::cat(category),
      cl::desc("measure so many schedules of each case and take the fastest (default: 0)")};
  cl::opt<bool> verify{"verify", cl::ValueDisallowed, cl::cat(category),
                       cl::desc("compare every element of each result, beside pages that fault, "
                                "instead of timing")};
  cl::opt<std::string> rounds{"rounds", cl::init("15"), cl::value_desc("N"), cl::cat(category),
                              cl::desc("timings of each case (default: 15)")};
  cl::opt<std::string> format{"format", cl::init("table"), cl::value_desc("table|jsonl"),
                              cl::cat(category), cl::desc("form of reports (default: table)")};

  /// An error if a flag has no meaning.
  Result<Job> read() const;

private:
  Status checkWords() const;
};

static int fail(const Error &error) {
  errs() << "relayout-bench: error: " << printable(error.message) << '\n';
  if (error.code == ErrorCode::Usage)
    return 2;
  return error.code == ErrorCode::Environment ? 3 : 1;
}

Status Flags::checkWords() const {
  if (suite.size() > 1)
    return Error{ErrorCode::Usage, "expects one suite, but got '" + suite[1] + "' too"};
  for (const Status &status :
       {driver::checkWord(state, {"cold", "warm"}), driver::checkWord(pages, {"small", "huge"}),
        driver::checkWord(result, {"hot", "cold", "auto"}),
        driver::checkWord(format, {"table", "jsonl"})})
    if (!status)
      return status;
  return checkScheduleText(schedule.getValue());
}

Result<Job> Flags::read() const {
  if (Status status = checkWords(); !status)
    return status.error();
  Result<int64_t> sharing = driver::integerOf(threads, 1, kMaxThreads);
  Result<int64_t> timings = driver::integerOf(rounds, 1, INT_MAX);
  Result<int64_t> candidates = driver::integerOf(tune, 0, kMaxTuneCount);
  for (const Result<int64_t> *number : {&sharing, &timings, &candidates})
    if (!*number)
      return number->error();
  if (verify && *candidates > 0)
    return Error{ErrorCode::Usage, "--verify times nothing, so it cannot go with --tune"};
  Job job;
  job.compile.cpu = cpu;
  job.compile.schedule = schedule;
  job.compile.result = result;
  job.compile.threads = *sharing;
  job.timing.cold = state == "cold";
  job.timing.hugePages = pages == "huge";
  job.timing.rounds = static_cast<int>(*timings);
  job.candidates = *candidates;
  return job;
}

/// Calls `use` with what a case compiles and means.
template <typename Use> static auto withSubject(const Spec &spec, Use use) {
  using Answer = decltype(use(std::declval<const BenchmarkSubject &>()));
  Result<Rearrangement> rearrangement = toRearrangement(spec);
  if (!rearrangement)
    return Answer(rearrangement.error());
  auto build = [&](mlir::MLIRContext &context) { return buildModule(spec, context); };
  return use(BenchmarkSubject{build, rearrangement.take(), spec.dtype->width, spec.fill()});
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
static Status runTuned(Report &report, const Case &one, const Job &job) {
  Result<Tuning> tuning = withSubject(one.spec, [&](const BenchmarkSubject &subject) {
    return tuneSchedule(subject, job.compile, job.candidates, job.timing);
  });
  if (!tuning)
    return tuning.error();
  CompilerOptions tuned = job.compile;
  tuned.schedule = tuning->best.schedule;
  Result<KernelBenchmarker> benchmarker = KernelBenchmarker::create(tuned);
  if (!benchmarker)
    return benchmarker.error();
  Result<KernelBenchmark> done = runCase(*benchmarker, one.spec, job.timing);
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

static Status timeSuite(Report &report, const std::vector<Case> &cases, const Job &job) {
  Result<KernelBenchmarker> benchmarker = KernelBenchmarker::create(job.compile);
  if (!benchmarker)
    return benchmarker.error();
  if (job.compile.schedule.empty())
    if (Status status = warmUp(*benchmarker); !status)
      return status;
  report.printHead();
  for (const Case &one : cases) {
    Status status = job.candidates > 0 ? runTuned(report, one, job)
                                       : runPicked(report, one, *benchmarker, job.timing);
    if (!status)
      report.addError(one.id, status.error());
  }
  report.printSummary();
  return Status::success();
}

static Result<bool> runSuite(const Flags &flags, Job job, const std::vector<Case> &cases) {
  ThreadPool pool(job.compile.threads);
  job.timing.executor = job.compile.threads > 1 ? &pool.executor() : nullptr;
  Report report(outs(), flags.format == "jsonl");
  Status status = flags.verify ? verifySuite(report, cases, job.compile, job.timing.executor)
                               : timeSuite(report, cases, job);
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
  llvm::BumpPtrAllocator memory;
  auto words = driver::wordsOf({argv, static_cast<size_t>(argc)}, memory);
  if (!words)
    return fail(words.error());
  Status parsed = driver::parseCommandLine(
      *words, 1, cl::SubCommand::getTopLevel(), "relayout-bench",
      "times the kernels of a suite against the fastest copy of the same bytes, or proves them; "
      "without SUITE.jsonl the suite is read from standard input\n");
  if (!parsed)
    return fail(parsed.error());
  Result<Job> job = flags.read();
  if (!job)
    return fail(job.error());
  Result<std::vector<Case>> cases =
      readSuite(flags.suite.empty() ? "-" : flags.suite[0], {flags.ids.begin(), flags.ids.end()});
  if (!cases)
    return fail(cases.error());
  Result<bool> good = runSuite(flags, *job, *cases);
  if (!good)
    return fail(good.error());
  return *good ? 0 : 1;
}
