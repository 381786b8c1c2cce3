// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Errors, exit codes and the events of RELAYOUT_VERBOSE.

#ifndef RELAYOUT_TOOLS_RELAYOUTC_REPORT_H
#define RELAYOUT_TOOLS_RELAYOUTC_REPORT_H

#include "relayout/JIT/Compiler.h"
#include "relayout/Support/Result.h"

#include "llvm/ADT/StringRef.h"

namespace relayout::driver {

/// 1: the spec is refused, or a result differs; 2: usage; 3: environment.
int exitCode(ErrorCode code);

/// `{"code": ..., "message": ...}` below the key `error`.
void writeErrorJson(llvm::raw_ostream &out, const Error &error);

/// Writes `error` to standard error.
void reportError(const Error &error, bool asJson);

/// What RELAYOUT_VERBOSE may ask for. Errors are always shown.
enum class Event { Info = 1, Compile = 2, Exec = 4 };

/// Reads RELAYOUT_VERBOSE: words between commas. An error names the words.
Status readVerbosity();
bool isVerbose(Event event);

/// One line of comma separated values on standard error: `relayout,1,EVENT`, the
/// fields, and the command that repeats it.
void reportEvent(Event event, llvm::ArrayRef<std::string> fields, llvm::StringRef command);
void reportCompile(const CompileTimes &times, llvm::StringRef words);

/// Milliseconds of `work`.
double timeOf(llvm::function_ref<void()> work);

/// A number with three decimals.
std::string decimal(double value);

} // namespace relayout::driver

#endif // RELAYOUT_TOOLS_RELAYOUTC_REPORT_H
