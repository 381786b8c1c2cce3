// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// `relayoutc bench`: one spec against the fastest copy of the same bytes.

#include "relayout/JIT/Tune.h"
#include "relayout/Runtime/ThreadPool.h"

#include "Answer.h"
#include "Command.h"
#include "CommandLine.h"
#include "Files.h"
#include "Target.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <climits>

using namespace relayout;
using namespace relayout::driver;
namespace cl = llvm::cl;

namespace {
class BenchCommand : public Command {
public:
  BenchCommand()
      : Command("bench", "time the kernel of a spec against the fastest copy"), spec(sub, category),
        target(sub, category) {}
  Status run() override;

private:
  Result<BenchmarkOptions> readTiming() const;
  Result<KernelBenchmark> measure(const Subject &subject, const Meaning &meaning,
                                  CompilerOptions options, BenchmarkOptions timing,
                                  int64_t candidates) const;
  Status print(const KernelBenchmark &done) const;

  SpecOptions spec;
  TargetOptions target;
  cl::opt<std::string> state{
      "state",           cl::sub(sub),
      cl::cat(category), cl::value_desc("STATE"),
      cl::init("cold"),  cl::desc("cold (beyond the caches) or warm (default: cold)")};
  cl::opt<std::string> pages{
      "pages",
      cl::sub(sub),
      cl::cat(category),
      cl::value_desc("SIZE"),
      cl::init("small"),
      cl::desc("pages of the buffers: small (the system's) or huge (default: small)")};
  cl::opt<std::string> rounds{"rounds",          cl::sub(sub),
                              cl::cat(category), cl::value_desc("N"),
                              cl::init("15"),    cl::desc("timings to take (default: 15)")};
  cl::opt<std::string> tune{"tune",
                            cl::sub(sub),
                            cl::cat(category),
                            cl::value_desc("N"),
                            cl::init("0"),
                            cl::desc("measure N schedules and take the fastest (default: 0)")};
};
} // namespace

std::unique_ptr<Command> driver::makeBenchCommand() { return std::make_unique<BenchCommand>(); }

Status BenchCommand::print(const KernelBenchmark &done) const {
  const BenchmarkFigures &f = done.figures;
  std::string bound = f.boundMethod;
  if (f.boundThreads > 1)
    bound += " by " + std::to_string(f.boundThreads) + " threads";
  return writeFile("-", [&](llvm::raw_ostream &out) {
    if (wantsJson()) {
      llvm::json::Object object{{"bytes", f.bytes},
                                {"gbps", f.gbps()},
                                {"bound_gbps", f.boundGbps()},
                                {"bound_method", f.boundMethod},
                                {"bound_threads", f.boundThreads},
                                {"ratio", f.ratio},
                                {"memcpy_ratio", f.memcpyRatio},
                                {"spread", f.spread},
                                {"compile_ms", done.compileMilliseconds},
                                {"pattern_ratio", nullptr},
                                {"predicted_ratio", nullptr},
                                {"schedule", done.schedule.empty() ? "copy" : done.schedule}};
      // A plain copy has neither.
      if (f.patternRatio > 0)
        object["pattern_ratio"] = f.patternRatio;
      if (done.prediction.ratio > 0)
        object["predicted_ratio"] = done.prediction.ratio;
      out << llvm::json::Value(std::move(object)) << '\n';
      return;
    }
    out << llvm::format("%.1f GB/s: %.2f of the bound (%s), %.2f of memcpy; ", f.gbps(), f.ratio,
                        bound.c_str(), f.memcpyRatio);
    if (f.patternRatio > 0)
      out << llvm::format("pattern %.2f of the bound; ", f.patternRatio);
    out << llvm::format("spread %.2f; compiled in %.1f ms\n", f.spread, done.compileMilliseconds)
        << "schedule " << (done.schedule.empty() ? "a plain copy" : done.schedule) << '\n';
  });
}

Result<BenchmarkOptions> BenchCommand::readTiming() const {
  if (Status status = checkWord(state, {"cold", "warm"}); !status)
    return status.error();
  if (Status status = checkWord(pages, {"small", "huge"}); !status)
    return status.error();
  Result<int64_t> count = integerOf(rounds, 1, INT_MAX);
  if (!count)
    return count.error();
  BenchmarkOptions timing;
  timing.cold = state == "cold";
  timing.hugePages = pages == "huge";
  timing.rounds = static_cast<int>(*count);
  return timing;
}

Result<KernelBenchmark> BenchCommand::measure(const Subject &subject, const Meaning &meaning,
                                              CompilerOptions options, BenchmarkOptions timing,
                                              int64_t candidates) const {
  ThreadPool pool(options.threads);
  timing.executor = options.threads > 1 ? &pool.executor() : nullptr;
  auto build = [&](mlir::MLIRContext &context) { return subject.build(context); };
  const Spec &means = meaning.spec;
  BenchmarkSubject timed{build, meaning.rearrangement, means.dtype->width, means.fill()};
  if (candidates > 0) {
    Result<Tuning> tuning = tuneSchedule(timed, options, candidates, timing);
    if (!tuning)
      return tuning.error();
    options.schedule = tuning->best.schedule;
  }
  Result<KernelBenchmarker> benchmarker = KernelBenchmarker::create(options);
  if (!benchmarker)
    return benchmarker.error();
  return benchmarker->run(timed, timing);
}

Status BenchCommand::run() {
  Result<BenchmarkOptions> timing = readTiming();
  if (!timing)
    return timing.error();
  Result<int64_t> candidates = integerOf(tune, 0, kMaxTuneCount);
  if (!candidates)
    return candidates.error();
  Result<Subject> subject = spec.read();
  if (!subject)
    return subject.error();
  Result<CompilerOptions> options = target.read();
  if (!options)
    return options.error();
  Result<std::unique_ptr<Compiler>> compiler = Compiler::create();
  if (!compiler)
    return compiler.error();
  Result<Meaning> meaning = resolveMeaning(*subject, **compiler);
  if (!meaning)
    return meaning.error();
  if (Status status = requireDense(*meaning); !status)
    return status;
  Result<KernelBenchmark> done = measure(*subject, *meaning, *options, *timing, *candidates);
  return done ? print(*done) : Status(done.error());
}
