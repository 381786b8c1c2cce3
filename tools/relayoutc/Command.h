// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What the subcommands have in common.

#ifndef RELAYOUT_TOOLS_RELAYOUTC_COMMAND_H
#define RELAYOUT_TOOLS_RELAYOUTC_COMMAND_H

#include "relayout/Support/Result.h"

#include "llvm/Support/CommandLine.h"

#include <memory>
#include <string>
#include <vector>

namespace relayout::driver {

/// A subcommand with its flags. It must live as long as the command line is in use.
class Command {
public:
  Command(const char *name, const char *help);
  virtual ~Command() = default;

  /// Does the work. Called after the command line is parsed.
  virtual Status run() = 0;

  bool isChosen() const { return static_cast<bool>(sub); }
  llvm::cl::SubCommand &subCommand() const { return sub; }
  bool wantsJson() const { return format == "json"; }
  /// An error unless there is such a form of reports.
  Status checkFormat() const;
  /// Hides from the help what libraries register.
  void hideUnrelated();

protected:
  mutable llvm::cl::SubCommand sub;
  const std::string title; ///< outlives the category, which refers to it
  llvm::cl::OptionCategory category;
  llvm::cl::opt<std::string> format;
};

std::unique_ptr<Command> makeRunCommand();
std::unique_ptr<Command> makeCompileCommand();
std::unique_ptr<Command> makeVerifyCommand();
std::unique_ptr<Command> makeExplainCommand();
std::unique_ptr<Command> makeBatchCommand();
std::unique_ptr<Command> makeBenchCommand();

} // namespace relayout::driver

#endif // RELAYOUT_TOOLS_RELAYOUTC_COMMAND_H
