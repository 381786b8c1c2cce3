// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// `relayoutc compile`: one stage of a kernel, or all of them.

#include "Artifact.h"
#include "Command.h"
#include "Files.h"
#include "Report.h"
#include "Subject.h"
#include "Target.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace relayout;
using namespace relayout::driver;
namespace cl = llvm::cl;
using llvm::StringRef;

/// All stages in order.
static std::string stageWords(const char *separator) {
  return llvm::join(
      llvm::map_range(stages(), [](const StageInfo &stage) { return StringRef(stage.word); }),
      separator);
}

namespace {
class CompileCommand : public Command {
public:
  CompileCommand()
      : Command("compile", "compile a spec or a file of MLIR"), spec(sub, category),
        target(sub, category) {}
  Status run() override;

private:
  Status emitStage(Compiler &compiler, const Subject &subject, Stage stage) const;
  Status dumpStages(Compiler &compiler, const Subject &subject) const;

  SpecOptions spec;
  Status emitArtifact(const Subject &subject) const;

  const std::string emitHelp =
      "stage to write: " + stageWords(" ") + "\nor an artifact: " + llvm::join(artifacts(), " ");
  cl::opt<std::string> emit{"emit", cl::sub(sub), cl::cat(category), cl::value_desc("STAGE"),
                            cl::desc(emitHelp)};
  cl::opt<std::string> output{
      "output",          cl::sub(sub),
      cl::cat(category), cl::value_desc("FILE"),
      cl::init("-"),     cl::desc("where to, -o for short (default: standard output)")};
  cl::alias outputAlias{"o", cl::aliasopt(output), cl::desc("the same as --output")};
  cl::opt<std::string> symbol{"symbol",
                              cl::sub(sub),
                              cl::cat(category),
                              cl::value_desc("NAME"),
                              cl::init(kKernelSymbol),
                              cl::desc("name of the function (default: kernel)")};
  cl::opt<std::string> dumpTo{"dump-to", cl::sub(sub), cl::cat(category), cl::value_desc("DIR"),
                              cl::desc("write each stage to a numbered file in DIR")};
  TargetOptions target;
};
} // namespace

std::unique_ptr<Command> driver::makeCompileCommand() { return std::make_unique<CompileCommand>(); }

Status CompileCommand::emitStage(Compiler &compiler, const Subject &subject, Stage stage) const {
  Result<std::string> bytes =
      compiler.emit([&](mlir::MLIRContext &context) { return subject.build(context); }, stage);
  if (!bytes)
    return bytes.error();
  return writeFile(output.getValue(), [&](llvm::raw_ostream &out) { out << *bytes; });
}

Status CompileCommand::dumpStages(Compiler &compiler, const Subject &subject) const {
  if (std::error_code code = llvm::sys::fs::create_directories(dumpTo.getValue()))
    return Error{ErrorCode::Environment, "'" + dumpTo + "': " + code.message()};
  int number = 0;
  return compiler.emitAll([&](mlir::MLIRContext &context) { return subject.build(context); },
                          [&](const StageInfo &stage, const std::string &bytes) {
                            std::string name;
                            llvm::raw_string_ostream(name) << llvm::format(
                                "%02d-%s.%s", number++, stage.word, stage.extension);
                            llvm::SmallString<128> path(dumpTo.getValue());
                            llvm::sys::path::append(path, name);
                            return writeFile(path, [&](llvm::raw_ostream &out) { out << bytes; });
                          });
}

Status CompileCommand::emitArtifact(const Subject &subject) const {
  Result<CompilerOptions> options = target.read();
  if (!options)
    return options.error();
  options->symbol = symbol;
  Result<std::string> bytes = makeArtifact(emit.getValue(), subject, *options);
  if (!bytes)
    return bytes.error();
  return writeFile(output.getValue(), [&](llvm::raw_ostream &out) { out << *bytes; });
}

Status CompileCommand::run() {
  bool wantsStage = emit.getNumOccurrences() > 0, wantsDump = dumpTo.getNumOccurrences() > 0;
  if (!wantsStage && !wantsDump)
    return Error{ErrorCode::Usage, "expects --dump-to=DIR or --emit=STAGE, one of " +
                                       stageWords(", ") + ", " + llvm::join(artifacts(), ", ")};
  if (!wantsStage && output.getNumOccurrences() > 0)
    return Error{ErrorCode::Usage, "expects --emit=STAGE beside --output=FILE, but got none"};
  if (Status status = checkSymbol(symbol.getValue()); !status)
    return status;
  bool wantsArtifact = wantsStage && llvm::is_contained(artifacts(), StringRef(emit));
  Stage stage = Stage::Object;
  if (wantsStage && !wantsArtifact) {
    Result<Stage> parsed = parseStage(emit.getValue(), artifacts());
    if (!parsed)
      return parsed.error();
    stage = *parsed;
  }
  bool isBinary = wantsStage && (wantsArtifact ? emit != "header" : stageInfo(stage).isBinary);
  if (isBinary && output == "-" && llvm::sys::Process::StandardOutIsDisplayed())
    return Error{ErrorCode::Usage, "expects -o FILE for what is no text"};
  Result<Subject> subject = spec.read();
  if (!subject)
    return subject.error();
  if (wantsArtifact && !wantsDump)
    return emitArtifact(*subject);
  Result<CompilerOptions> options = target.read();
  if (!options)
    return options.error();
  options->symbol = symbol;
  Result<std::unique_ptr<Compiler>> compiler = Compiler::create(*options);
  if (!compiler)
    return compiler.error();
  if (wantsDump)
    if (Status status = dumpStages(**compiler, *subject); !status)
      return status;
  if (wantsArtifact)
    return emitArtifact(*subject);
  return wantsStage ? emitStage(**compiler, *subject, stage) : Status::success();
}
