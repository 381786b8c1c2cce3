// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The driver: finds the subcommand, runs it, turns its status into an exit code.

#include "Command.h"
#include "Report.h"

#include "relayout/Spec/Fields.h"

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

/// Parses the command line; what is wrong with it becomes an error.
static Status parseCommandLine(int argc, char **argv) {
  std::string complaints;
  llvm::raw_string_ostream stream(complaints);
  if (cl::ParseCommandLineOptions(argc, argv, overview(), &stream))
    return Status::success();
  llvm::StringRef text = llvm::StringRef(complaints).trim();
  text.consume_front((llvm::sys::path::filename(argv[0]) + ": ").str());
  // Some complaints go to standard error whatever the stream is.
  return Error{ErrorCode::Usage, text.empty()
                                     ? "expects a valid command line; --help says what it may hold"
                                     : text.str()};
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
static Status runChosen(llvm::ArrayRef<std::unique_ptr<Command>> commands) {
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
  // A reader that goes away is an error of the environment, not a signal.
  std::signal(SIGPIPE, SIG_IGN);
  std::unique_ptr<Command> commands[] = {makeRunCommand(),    makeCompileCommand(),
                                         makeVerifyCommand(), makeExplainCommand(),
                                         makeBatchCommand(),  makeBenchCommand()};
  static cl::OptionCategory none("general options");
  cl::HideUnrelatedOptions(none);
  for (std::unique_ptr<Command> &command : commands)
    command->hideUnrelated();
  cl::SetVersionPrinter(printVersion);

  Status status = parseCommandLine(argc, argv);
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
