// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Command.h"

#include "CommandLine.h"

using namespace relayout;
using namespace relayout::driver;
namespace cl = llvm::cl;

Command::Command(const char *name, const char *help)
    : sub(name, help), title(std::string("Options of ") + name), category(title),
      format("format", cl::sub(sub), cl::cat(category), cl::value_desc("text|json"),
             cl::init("text"), cl::desc("form of reports and errors (default: text)")) {}

void Command::hideUnrelated() { cl::HideUnrelatedOptions(category, sub); }

Status Command::checkFormat() const { return checkWord(format, {"text", "json"}); }
