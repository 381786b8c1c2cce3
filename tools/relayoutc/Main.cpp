// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The driver: finds the subcommand, runs it, turns its status into an exit code.

#include "Command.h"
#include "Report.h"

#include "relayout/Spec/Fields.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"

#include <csignal>

using namespace relayout;
using namespace relayout::driver;
namespace cl = llvm::cl;

static void printVersion(llvm::raw_ostream &out) {
  out << "relayoutc " RELAYOUT_VERSION "\n"
      << "LLVM " LLVM_VERSION_STRING "\n"
      << "host CPU " << llvm::sys::getHostCPUName() << " (" << llvm::sys::getProcessTriple()
      << ")\n";
}

/// The head of every help text: what a spec is.
static std::string overview() {
  std::string text = "compiles layout-permutation kernels\n\nA spec is an operation with its "
                     "flags, or a file of MLIR. Operations:\n";
  for (const OperationInfo &info : operations()) {
    std::string name = info.name;
    text += "  " + name + std::string(17 - name.size(), ' ') + info.help + "\n";
  }
  return text;
}

using Commands = llvm::ArrayRef<std::unique_ptr<Command>>;

/// The words before the flags: with the subcommand, where the first argument is one.
static std::string commandWords(const Command *command) {
  return command ? "relayoutc " + command->subCommand().getName().str() : "relayoutc";
}

/// The error for a flag that does not exist. LLVM would name the help of no subcommand, and
/// a flag that is like it however little.
static Error unknownFlag(llvm::StringRef argument, const Command *command) {
  std::string message = "expects a flag that " + commandWords(command) +
                        " --help lists, but got '" + argument.take_front(60).str() + "'";
  llvm::SmallVector<llvm::StringRef> names;
  if (command)
    names.append(command->subCommand().OptionsMap.keys().begin(),
                 command->subCommand().OptionsMap.keys().end());
  llvm::sort(names);
  llvm::StringRef nearest = nearestWord(argument.ltrim('-').split('=').first, names);
  if (!nearest.empty())
    message += "; did you mean --" + nearest.str() + "?";
  return Error{ErrorCode::Usage, message};
}

/// Parses the command line; what is wrong with it becomes an error.
static Status parseCommandLine(int argc, char **argv, Commands commands) {
  std::string complaints;
  llvm::raw_string_ostream stream(complaints);
  if (cl::ParseCommandLineOptions(argc, argv, overview(), &stream))
    return Status::success();
  llvm::StringRef text = llvm::StringRef(complaints).trim();
  text.consume_front((llvm::sys::path::filename(argv[0]) + ": ").str());
  const Command *command = nullptr;
  for (const std::unique_ptr<Command> &one : commands)
    if (argc > 1 && one->subCommand().getName() == argv[1])
      command = one.get();
  if (text.consume_front("Unknown command line argument '"))
    return unknownFlag(text.split("'.  Try: '").first, command);
  // Some complaints go to standard error whatever the stream is.
  if (text.empty())
    return Error{ErrorCode::Usage, "expects a valid command line; " + commandWords(command) +
                                       " --help says what it may hold"};
  return Error{ErrorCode::Usage, text.str()};
}

static bool mentionsJson(int argc, char **argv) {
  for (int i = 1; i < argc; ++i)
    if (llvm::StringRef(argv[i]) == "--format=json" || llvm::StringRef(argv[i]) == "-format=json")
      return true;
  return false;
}

static void reportInfo(int argc, char **argv) {
  std::string words = "relayoutc";
  for (int i = 1; i < argc; ++i)
    words += std::string(" ") + argv[i];
  reportEvent(Event::Info,
              {"relayoutc", RELAYOUT_VERSION, "LLVM", LLVM_VERSION_STRING, "cpu",
               llvm::sys::getHostCPUName().str()},
              words);
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
  // A reader that goes away is an error of the environment, not a signal.
  std::signal(SIGPIPE, SIG_IGN);
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

  Status status = parseCommandLine(argc, argv, commands);
  if (status)
    status = readVerbosity();
  reportInfo(argc, argv);
  if (status)
    status = runChosen(commands);
  if (status)
    return 0;
  reportError(status.error(), mentionsJson(argc, argv));
  return exitCode(status.error().code);
}
