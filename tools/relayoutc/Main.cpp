// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The driver: finds the subcommand, runs it, turns its status into an exit code.

#include "Command.h"
#include "Report.h"
#include "Streams.h"
#include "Subject.h"

#include "relayout/Spec/Fields.h"
#include "relayout/Spec/Spec.h"
#include "relayout/Support/Text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/StringSaver.h"
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
using Words = llvm::ArrayRef<const char *>;

/// The words before the flags: with the subcommand, where the first argument is one.
static std::string commandWords(const Command *command) {
  return command ? "relayoutc " + command->subCommand().getName().str() : "relayoutc";
}

/// The error for a flag that does not exist, with the one of `options` that is like it.
static Error unknownFlag(StringRef argument, const Command *command,
                         const cl::SubCommand &options) {
  std::string message = "expects a flag that " + commandWords(command) +
                        " --help lists, but got '" + beginning(argument) + "'";
  llvm::SmallVector<StringRef> names;
  for (const auto &[name, option] : options.OptionsMap)
    if (name.size() > 1 && option->getOptionHiddenFlag() == cl::NotHidden)
      names.push_back(name);
  llvm::sort(names);
  if (StringRef nearest = nearestWord(argument.ltrim('-').split('=').first, names);
      !nearest.empty())
    message += "; did you mean --" + nearest.str() + "?";
  return Error{ErrorCode::Usage, message};
}

/// Refuses flags that do not exist or lack their value. LLVM would print complaints of its own
/// before the error, be that JSON: to it, an unknown flag may be a group of flags of one letter.
static Status checkFlags(Words words, const Command *command) {
  const cl::SubCommand &options = command ? command->subCommand() : cl::SubCommand::getTopLevel();
  for (size_t i = command ? 2 : 1; i < words.size(); ++i) {
    StringRef word = words[i], flag = word;
    if (word == "--")
      break;
    if (word == "-" || !flag.consume_front("-"))
      continue;
    flag.consume_front("-");
    // LLVM adds this one as it parses.
    if (flag == "h")
      continue;
    auto found = options.OptionsMap.find(flag.split('=').first);
    if (found == options.OptionsMap.end())
      return unknownFlag(word, command, options);
    // The value may be the next word, whatever that begins with.
    bool takesNext =
        !flag.contains('=') && found->second->getValueExpectedFlag() == cl::ValueRequired;
    if (takesNext && ++i == words.size())
      return Error{ErrorCode::Usage, "expects a value after " + word.str() + ", but got none"};
  }
  return Status::success();
}

/// Parses the command line; what is wrong with it becomes an error.
static Status parseCommandLine(Words words, Commands commands) {
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
  if (Status status = checkFlags(words, command); !status)
    return status;
  std::string complaints;
  llvm::raw_string_ostream stream(complaints);
  if (cl::ParseCommandLineOptions(words.size(), words.data(), overview(command), &stream))
    return Status::success();
  StringRef text = StringRef(complaints).trim();
  text.consume_front((llvm::sys::path::filename(words[0]) + ": ").str());
  // Some complaints go to standard error whatever the stream is.
  if (text.empty())
    return Error{ErrorCode::Usage, "expects a valid command line; " + commandWords(command) +
                                       " --help says what it may hold"};
  return Error{ErrorCode::Usage, text.str()};
}

static bool mentionsJson(Words words) {
  return llvm::any_of(
      words, [](StringRef word) { return word == "--format=json" || word == "-format=json"; });
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
      if (Status status = command->checkCommon(); !status)
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

  // LLVM would put in the words of response files only after they are checked.
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::SmallVector<const char *> words(argv, argv + argc);
  cl::ExpandResponseFiles(saver, cl::TokenizeGNUCommandLine, words);

  Status status = parseCommandLine(words, commands);
  if (status)
    status = readVerbosity();
  reportInfo(words);
  if (status)
    status = runChosen(commands);
  if (status)
    return 0;
  reportError(status.error(), mentionsJson(words));
  return exitCode(status.error().code);
}
