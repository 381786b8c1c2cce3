// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The driver: finds the subcommand, runs it, turns its status into an exit code.

#include "Command.h"
#include "CommandLine.h"
#include "Report.h"
#include "Streams.h"
#include "Subject.h"

#include "relayout/Spec/Fields.h"
#include "relayout/Spec/Spec.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"

#include <algorithm>

using namespace relayout;
using namespace relayout::driver;
namespace cl = llvm::cl;
using llvm::StringRef;

static void printVersion(llvm::raw_ostream &out) {
  out << "relayoutc " RELAYOUT_VERSION "\n"
      << "LLVM " LLVM_VERSION_STRING "\n"
      << "host CPU " << llvm::sys::getHostCPUName() << " (" << llvm::sys::getProcessTriple()
      << ")\n";
}

/// `name` and what it needs beside a shape, as one writes them.
static std::string usageOf(const OperationInfo &info) {
  std::string text = info.name;
  for (StringRef key : info.required)
    text += key == "pattern" ? " PATTERN" : " --" + flagName(key);
  return text;
}

/// The head of every help text: what a spec is. That of no command says how to begin, too.
static std::string overview(const Command *command) {
  std::string text = "compiles layout-permutation kernels\n\nA spec is an operation with its "
                     "flags, or a file of MLIR. Operations, with what each needs beside --shape:\n";
  size_t column = 0;
  for (const OperationInfo &info : operations())
    column = std::max(column, usageOf(info).size() + 2);
  for (const OperationInfo &info : operations()) {
    std::string usage = usageOf(info);
    text += "  " + usage + std::string(column - usage.size(), ' ') + info.help + "\n";
  }
  if (command)
    return text;
  return text + "\nExample: relayoutc run transpose --shape=2x3xf32 --perm=1,0 --iota\n"
                "Exit codes: 0 done, 1 refused or a result differs, 2 usage, 3 files, memory, "
                "processors\n";
}

using Commands = llvm::ArrayRef<std::unique_ptr<Command>>;

/// Finds the command that the words name, and parses its flags.
static Status parseWords(Words words, Commands commands) {
  const Command *command = nullptr;
  llvm::SmallVector<StringRef> names;
  for (const std::unique_ptr<Command> &one : commands) {
    names.push_back(one->subCommand().getName());
    if (words.size() > 1 && names.back() == words[1])
      command = one.get();
  }
  StringRef first = words.size() > 1 ? words[1] : "--help";
  bool isFlag = first.starts_with("-") && first != "-" && first != "--";
  if (!isFlag && !command)
    return unknownWord("a subcommand", first, names);
  if (!command)
    return parseCommandLine(words, 1, cl::SubCommand::getTopLevel(), "relayoutc",
                            overview(command));
  return parseCommandLine(words, 2, command->subCommand(), "relayoutc " + first.str(),
                          overview(command));
}

/// True if errors are to be JSON. What is wrong with the words may be told before they are parsed.
static bool mentionsJson(Words words) {
  for (size_t i = 0; i < words.size(); ++i) {
    StringRef word = words[i];
    if (!word.consume_front("-"))
      continue;
    word.consume_front("-");
    if (word == "format=json" ||
        (word == "format" && i + 1 < words.size() && StringRef(words[i + 1]) == "json"))
      return true;
  }
  return false;
}

static void reportInfo(Words words) {
  std::string command = "relayoutc";
  for (const char *word : words.drop_front())
    command += " " + shellQuoted(word);
  reportEvent(Event::Info,
              {"relayoutc", RELAYOUT_VERSION, "LLVM", LLVM_VERSION_STRING, "cpu",
               llvm::sys::getHostCPUName().str()},
              command);
}

/// Runs the chosen command.
static Status runChosen(Commands commands) {
  for (const std::unique_ptr<Command> &command : commands)
    if (command->isChosen()) {
      if (Status status = command->checkFormat(); !status)
        return status;
      return command->run();
    }
  return Error{
      ErrorCode::Usage,
      "expects a subcommand, one of run, compile, verify, explain, batch, bench; --help says more"};
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::setBugReportMsg("relayoutc has crashed, which is a fault of Relayout: please report the "
                        "command line and the text below\n");
  prepareStreams("relayoutc");
  // LLVM's libraries have registered flags, which any subcommand would take and not heed.
  cl::ResetCommandLineParser();
  std::unique_ptr<Command> commands[] = {makeRunCommand(),    makeCompileCommand(),
                                         makeVerifyCommand(), makeExplainCommand(),
                                         makeBatchCommand(),  makeBenchCommand()};
  static cl::OptionCategory none("general options");
  cl::HideUnrelatedOptions(none);
  for (std::unique_ptr<Command> &command : commands)
    command->hideUnrelated();
  cl::SetVersionPrinter(printVersion);

  llvm::BumpPtrAllocator memory;
  Words arguments(argv, argc);
  Result<llvm::SmallVector<const char *>> words = wordsOf(arguments, memory);
  if (words)
    arguments = *words;
  Status status = words ? parseWords(arguments, commands) : Status(words.error());
  if (status)
    status = readVerbosity();
  reportInfo(arguments);
  if (status)
    status = runChosen(commands);
  if (status)
    return 0;
  reportError(status.error(), mentionsJson(arguments));
  return exitCode(status.error().code);
}
