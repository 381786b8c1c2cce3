// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Report.h"

#include "relayout/Spec/Spec.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <cstdlib>

using namespace relayout;
using namespace relayout::driver;
using llvm::StringRef;

int driver::exitCode(ErrorCode code) {
  switch (code) {
  case ErrorCode::Usage:
    return 2;
  case ErrorCode::Environment:
    return 3;
  default:
    return 1;
  }
}

void driver::writeErrorJson(llvm::raw_ostream &out, const Error &error) {
  out << llvm::json::Value(llvm::json::Object{
             {"error", llvm::json::Object{{"code", codeWord(error.code)},
                                          {"message", llvm::json::fixUTF8(error.message)}}}})
      << '\n';
}

void driver::reportError(const Error &error, bool asJson) {
  if (asJson)
    writeErrorJson(llvm::errs(), error);
  else
    llvm::errs() << "relayoutc: error: " << printable(error.message) << '\n';
}

static int verbosity = 0;

static const char *eventWord(Event event) {
  switch (event) {
  case Event::Info:
    return "info";
  case Event::Compile:
    return "compile";
  case Event::Exec:
    return "exec";
  }
  return "";
}

Status driver::readVerbosity() {
  const char *variable = std::getenv("RELAYOUT_VERBOSE");
  llvm::SmallVector<StringRef> words;
  StringRef(variable ? variable : "").split(words, ',', -1, /*KeepEmpty=*/false);
  for (StringRef word : words) {
    bool known = word == "error" || word == "all";
    for (Event event : {Event::Info, Event::Compile, Event::Exec})
      if (word == eventWord(event) || word == "all") {
        verbosity |= static_cast<int>(event);
        known = true;
      }
    if (!known)
      return Error{ErrorCode::Usage,
                   "expects RELAYOUT_VERBOSE to be words of error, info, compile, exec, all "
                   "between commas, but got '" +
                       word.str() + "'"};
  }
  return Status::success();
}

bool driver::isVerbose(Event event) { return verbosity & static_cast<int>(event); }

/// A field of comma separated values, quoted where that is needed.
static std::string field(StringRef text) {
  if (text.find_first_of(",\"") == StringRef::npos)
    return text.str();
  std::string quoted = "\"";
  for (char c : text)
    quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

void driver::reportEvent(Event event, llvm::ArrayRef<std::string> fields, StringRef command) {
  if (!isVerbose(event))
    return;
  std::string line = std::string("relayout,1,") + eventWord(event);
  for (const std::string &text : fields)
    line += "," + field(text);
  llvm::errs() << line << ',' << field(command) << '\n';
}

std::string driver::decimal(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.3f", value);
  return text;
}

void driver::reportCompile(const CompileTimes &times, StringRef words) {
  reportEvent(Event::Compile,
              {"ms", "total=" + decimal(times.total()), "build=" + decimal(times.build),
               "passes=" + decimal(times.passes), "translate=" + decimal(times.translate),
               "optimize=" + decimal(times.optimize), "codegen=" + decimal(times.codegen),
               "link=" + decimal(times.link)},
              ("relayoutc verify " + words).str());
}

double driver::timeOf(llvm::function_ref<void()> work) {
  auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}
