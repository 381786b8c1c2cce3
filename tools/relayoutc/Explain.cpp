// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// `relayoutc explain`: what a spec means and what each stage makes of it.

#include "Answer.h"
#include "Command.h"
#include "Files.h"
#include "Target.h"

#include "relayout/Layout/KernelForm.h"
#include "relayout/Schedule/Explain.h"
#include "relayout/Spec/Explain.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace relayout;
using namespace relayout::driver;
using llvm::StringRef;
namespace json = llvm::json;

namespace {
/// One stage: how it is reached and what is there then.
struct StageReport {
  const StageInfo *stage;
  std::string passes;
  std::string holds;
};

class ExplainCommand : public Command {
public:
  ExplainCommand()
      : Command("explain", "say what a spec means and what each stage does"), spec(sub, category),
        target(sub, category) {}
  Status run() override;

private:
  SpecOptions spec;
  TargetOptions target;
};
} // namespace

std::unique_ptr<Command> driver::makeExplainCommand() { return std::make_unique<ExplainCommand>(); }

/// How often each operation stands in a printed module.
static std::string countOperations(StringRef text) {
  llvm::MapVector<StringRef, int> counts;
  for (StringRef line : llvm::split(text, '\n')) {
    line = line.trim();
    if (line.starts_with("%"))
      line = line.split(" = ").second;
    StringRef name =
        line.take_while([](char c) { return llvm::isAlnum(c) || c == '.' || c == '_'; });
    if (name.contains('.') && !name.ends_with(".func") && !name.ends_with(".return"))
      ++counts[name];
  }
  std::string result;
  for (const auto &[name, count] : counts)
    result += (result.empty() ? "" : ", ") + llvm::itostr(count) + " " + name.str();
  return result.empty() ? "nothing" : result;
}

/// The names of the passes, without their options.
static std::string passNames(StringRef passes) {
  std::string names;
  int depth = 0;
  for (char c : passes) {
    depth += c == '{';
    if (depth == 0)
      names += c == ',' ? std::string(", ") : std::string(1, c);
    depth -= c == '}';
  }
  return names;
}

static std::string describe(const StageInfo &stage, StringRef bytes) {
  if (StringRef(stage.extension) == "mlir")
    return countOperations(bytes);
  if (stage.isBinary)
    return llvm::utostr(bytes.size()) + " bytes";
  return llvm::utostr(bytes.count('\n')) + " lines";
}

static Result<std::vector<StageReport>> explainStages(Compiler &compiler, const Subject &subject) {
  std::vector<StageReport> reports;
  Status status = compiler.emitAll(
      [&](mlir::MLIRContext &context) { return subject.build(context); },
      [&](const StageInfo &stage, const std::string &bytes) {
        reports.push_back(
            {&stage, passesText(stage.stage, compiler.pipelineOptions()), describe(stage, bytes)});
        return Status::success();
      });
  return status ? Result<std::vector<StageReport>>(std::move(reports)) : status.error();
}

static void writeStages(llvm::raw_ostream &out, llvm::ArrayRef<StageReport> stages) {
  out << "stages\n";
  for (const StageReport &report : stages) {
    out << "  " << llvm::formatv("{0,-10}", report.stage->word) << report.stage->help << '\n';
    if (!report.passes.empty())
      out << "            by " << passNames(report.passes) << '\n';
    out << "            holds " << report.holds << '\n';
  }
}

static json::Array stagesJson(llvm::ArrayRef<StageReport> stages) {
  json::Array list;
  for (const StageReport &report : stages)
    list.push_back(json::Object{{"stage", report.stage->word},
                                {"help", report.stage->help},
                                {"passes", report.passes},
                                {"holds", report.holds}});
  return list;
}

Status ExplainCommand::run() {
  Result<Subject> subject = spec.read();
  if (!subject)
    return subject.error();
  Result<std::unique_ptr<Compiler>> compiler = target.createCompiler();
  if (!compiler)
    return compiler.error();
  Result<Meaning> meaning = resolveMeaning(*subject, **compiler);
  if (!meaning)
    return meaning.error();
  const Spec &moved = meaning->spec;
  Result<Problem> problem =
      buildKernelProblem(meaning->rearrangement, moved.dtype->width, moved.fill(),
                         meaning->operand.strides, meaning->result.strides);
  if (!problem)
    return problem.error();
  Result<std::vector<StageReport>> stages = explainStages(**compiler, *subject);
  if (!stages)
    return stages.error();
  PipelineOptions options = (*compiler)->pipelineOptions();
  Result<MovementReport> movement = explainMovement(*problem, (*compiler)->target(), options.result,
                                                    options.threads, options.schedule);
  if (!movement)
    return movement.error();
  SpecReport report{subject->words(), moved,           meaning->rearrangement,
                    meaning->operand, meaning->result, *problem};
  return writeFile("-", [&](llvm::raw_ostream &out) {
    if (wantsJson()) {
      json::Object all = report.toJson(), rest = movement->toJson();
      for (auto &[key, value] : rest)
        all.try_emplace(key, std::move(value));
      all["stages"] = stagesJson(*stages);
      out << json::Value(std::move(all)) << '\n';
      return;
    }
    report.writeText(out);
    movement->writeText(out);
    writeStages(out, *stages);
  });
}
