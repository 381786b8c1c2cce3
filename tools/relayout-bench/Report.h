// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What the benchmark prints: a line a case, and a summary.

#ifndef RELAYOUT_TOOLS_RELAYOUT_BENCH_REPORT_H
#define RELAYOUT_TOOLS_RELAYOUT_BENCH_REPORT_H

#include "relayout/JIT/Tune.h"
#include "relayout/JIT/Verify.h"

#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace relayout::bench {

/// Prints as it goes and collects what the last line needs.
class Report {
public:
  Report(llvm::raw_ostream &out, bool asJson) : out(out), asJson(asJson) {}

  void printHead();
  /// `tuning` tells what else was tried, or is null.
  void add(const std::string &id, const KernelBenchmark &result, const Tuning *tuning = nullptr);
  /// A case whose kernel was proved instead of timed.
  void addVerified(const std::string &id, const VerifyReport &result);
  void addError(const std::string &id, const Error &error);
  void printSummary();
  void printVerified();

  bool hasErrors() const { return errors > 0; }

private:
  llvm::raw_ostream &out;
  bool asJson;
  int errors = 0;
  int64_t verified = 0;
  std::vector<std::string> ids;
  std::vector<double> ratios, memcpyRatios, compiles;
};

} // namespace relayout::bench

#endif // RELAYOUT_TOOLS_RELAYOUT_BENCH_REPORT_H
