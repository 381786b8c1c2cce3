// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// `relayoutc verify`: proves the compiled kernel of one spec.

#include "relayout/JIT/Verify.h"
#include "relayout/Runtime/ThreadPool.h"

#include "Answer.h"
#include "Command.h"
#include "Files.h"
#include "Report.h"
#include "Target.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace relayout;
using namespace relayout::driver;

namespace {
class VerifyCommand : public Command {
public:
  VerifyCommand()
      : Command("verify", "prove that the kernel of a spec moves every element rightly"),
        spec(sub, category), target(sub, category) {}
  Status run() override;

private:
  Status print(const VerifyReport &report, const std::string &words) const;

  SpecOptions spec;
  TargetOptions target;
};
} // namespace

std::unique_ptr<Command> driver::makeVerifyCommand() { return std::make_unique<VerifyCommand>(); }

/// The flags that ask for `options`, where they are not the defaults, each behind a blank.
static std::string targetWords(const CompilerOptions &options) {
  const CompilerOptions defaults;
  std::string words;
  auto add = [&](const char *flag, const std::string &value, const std::string &usual) {
    if (value != usual)
      words += std::string(" --") + flag + "=" + shellQuoted(value);
  };
  add("target", options.triple, defaults.triple);
  add("mcpu", options.cpu, defaults.cpu);
  add("features", options.features, defaults.features);
  add("schedule", options.schedule, defaults.schedule);
  add("result", options.result, defaults.result);
  add("threads", std::to_string(options.threads), std::to_string(defaults.threads));
  return words;
}

Status VerifyCommand::print(const VerifyReport &report, const std::string &words) const {
  return writeFile("-", [&](llvm::raw_ostream &out) {
    if (wantsJson())
      out << llvm::json::Value(llvm::json::Object{{"verified", true},
                                                  {"elements", report.elements},
                                                  {"runs", report.runs},
                                                  {"tasks", report.tasks},
                                                  {"id_runs", report.idRuns},
                                                  {"command", "relayoutc verify " + words}})
          << '\n';
    else
      out << "verified: " << report.elements << " elements, " << report.runs << " runs "
          << (report.tasks > 1 ? "of " + std::to_string(report.tasks) + " tasks " : "") << "on "
          << report.idRuns << (report.idRuns == 1 ? " set" : " sets")
          << " of distinct ids; every element is the reference's, and nothing outside of the "
             "buffers is touched\n";
  });
}

Status VerifyCommand::run() {
  Result<Subject> subject = spec.read();
  if (!subject)
    return subject.error();
  Result<CompilerOptions> options = target.read();
  if (!options)
    return options.error();
  Result<std::unique_ptr<Compiler>> compiler = Compiler::create(*options);
  if (!compiler)
    return compiler.error();
  Result<Meaning> meaning = resolveMeaning(*subject, **compiler);
  if (!meaning)
    return meaning.error();
  Result<Kernel> kernel =
      (*compiler)->compile([&](mlir::MLIRContext &context) { return subject->build(context); });
  if (!kernel)
    return kernel.error();
  std::string words = subject->words() + targetWords(*options);
  reportCompile((*compiler)->times(), words);
  VerifyStrides strides;
  if (meaning->spec.isStrided())
    strides = {meaning->operand.strides, meaning->result.strides};
  ThreadPool pool(options->threads);
  Result<VerifyReport> report = verifyKernel(
      *kernel, meaning->rearrangement, meaning->spec.dtype->width, meaning->spec.fill(),
      options->threads > 1 ? &pool.executor() : nullptr, strides);
  if (!report)
    return report.error();
  if (report->mismatch)
    return Error{ErrorCode::Mismatch,
                 report->mismatch->message() + "; repeat it by: relayoutc verify " + words};
  return print(*report, words);
}
