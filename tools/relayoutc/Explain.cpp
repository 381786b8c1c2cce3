// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// `relayoutc explain`: what a spec means and what each stage makes of it.

#include "Answer.h"
#include "Command.h"
#include "Files.h"
#include "ScheduleText.h"
#include "Target.h"

#include "relayout/Layout/KernelForm.h"

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

static std::string shapeText(const std::vector<int64_t> &shape, const ElementType &dtype) {
  std::string text;
  for (int64_t extent : shape)
    text += llvm::itostr(extent) + "x";
  return text + dtype.name;
}

static std::string windowText(const std::vector<Window> &windows) {
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::interleave(windows, out, [&](const Window &w) { out << w.low << ':' << w.high; }, ",");
  return text;
}

static std::string pieceText(const Problem &problem, const Piece &piece) {
  Problem own = pieceProblem(problem, piece);
  return std::string(piece.kind == Piece::Kind::Copy ? "copy" : "fill") + " " +
         llvm::itostr(piece.elements()) + " elements, " + own.str();
}

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

namespace {
/// All that is explained, for both forms of the report.
struct Explanation {
  std::string words;
  Meaning meaning;
  Problem problem;
  std::vector<Piece> pieces;
  std::optional<ScheduleReport> schedule; ///< none: nothing is generated
  std::vector<StageReport> stages;

  void writeText(llvm::raw_ostream &out) const;
  json::Object toJson() const;
};
} // namespace

void Explanation::writeText(llvm::raw_ostream &out) const {
  const Rearrangement &r = meaning.rearrangement;
  const ElementType &dtype = *meaning.spec.dtype;
  auto row = [&](StringRef name) -> llvm::raw_ostream & {
    return out << llvm::formatv("{0,-10}", name);
  };
  row("spec") << words << '\n';
  row("operand") << shapeText(r.operandShape, dtype) << ", " << meaning.operandBytes << " bytes\n";
  row("result") << shapeText(meaning.resultShape, dtype) << ", " << meaning.resultBytes
                << " bytes\n";
  row("pattern") << printPattern(r.pattern()) << '\n';
  row("digits");
  llvm::interleave(
      r.digits, out, [&](const auto &digit) { out << digit.name << '=' << digit.extent; }, " ");
  out << '\n';
  if (r.hasWindows()) {
    row("pad") << windowText(r.pad) << '\n';
    row("crop") << windowText(r.crop) << '\n';
  }
  row("problem") << problem.str() << (isPlainCopy(problem) ? " (a plain copy)" : "") << '\n';
  row("pieces") << pieces.size() << '\n';
  for (const Piece &piece : pieces)
    out << "  " << pieceText(problem, piece) << '\n';
  if (schedule)
    schedule->writeText(out);
  out << "stages\n";
  for (const StageReport &report : stages) {
    out << "  " << llvm::formatv("{0,-10}", report.stage->word) << report.stage->help << '\n';
    if (!report.passes.empty())
      out << "            by " << passNames(report.passes) << '\n';
    out << "            holds " << report.holds << '\n';
  }
}

json::Object Explanation::toJson() const {
  const Rearrangement &r = meaning.rearrangement;
  auto windows = [](const std::vector<Window> &list) {
    json::Array array;
    for (const Window &window : list)
      array.push_back(json::Array{window.low, window.high});
    return array;
  };
  json::Array digits, pieceList, stageList;
  for (const auto &digit : r.digits)
    digits.push_back(json::Object{{"name", digit.name}, {"extent", digit.extent}});
  for (const Piece &piece : pieces)
    pieceList.push_back(json::Object{{"kind", piece.kind == Piece::Kind::Copy ? "copy" : "fill"},
                                     {"elements", piece.elements()},
                                     {"problem", pieceProblem(problem, piece).str()}});
  for (const StageReport &report : stages)
    stageList.push_back(json::Object{{"stage", report.stage->word},
                                     {"help", report.stage->help},
                                     {"passes", report.passes},
                                     {"holds", report.holds}});
  return json::Object{{"spec", words},
                      {"shape", json::Array(r.operandShape)},
                      {"dtype", meaning.spec.dtype->name},
                      {"result_shape", json::Array(meaning.resultShape)},
                      {"pattern", printPattern(r.pattern())},
                      {"digits", std::move(digits)},
                      {"pad", windows(r.pad)},
                      {"crop", windows(r.crop)},
                      {"problem", problem.str()},
                      {"plain_copy", isPlainCopy(problem)},
                      {"pieces", std::move(pieceList)},
                      {"schedule", schedule ? json::Value(schedule->toJson()) : nullptr},
                      {"stages", std::move(stageList)}};
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
  const void *fill = moved.padValue ? moved.padValue->data() : nullptr;
  Result<Problem> problem = buildKernelProblem(meaning->rearrangement, moved.dtype->width, fill,
                                               meaning->operandStrides, meaning->resultStrides);
  if (!problem)
    return problem.error();
  Result<std::vector<StageReport>> stages = explainStages(**compiler, *subject);
  if (!stages)
    return stages.error();
  std::vector<Piece> pieces = splitWithBorders(*problem);
  std::optional<ScheduleReport> schedule;
  if (!pieces.empty() && !isPlainCopy(*problem)) {
    Result<ScheduleReport> chosen = explainSchedule(target, *problem);
    if (!chosen)
      return chosen.error();
    pieces = piecesOf(*problem, chosen->schedule);
    schedule = chosen.take();
  }
  Explanation explanation{subject->words(),  meaning.take(),      problem.take(),
                          std::move(pieces), std::move(schedule), stages.take()};
  return writeFile("-", [&](llvm::raw_ostream &out) {
    if (wantsJson())
      out << json::Value(explanation.toJson()) << '\n';
    else
      explanation.writeText(out);
  });
}
