// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Report.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

#include <algorithm>
#include <cmath>

using namespace llvm;

namespace relayout::bench {

static double gbps(int64_t bytes, double seconds) { return bytes / seconds * 1e-9; }

/// Three digits behind the point say more than any timing is good for.
static double rounded(double value) { return std::round(value * 1000) / 1000; }

static double geomean(const std::vector<double> &values) {
  double sum = 0;
  for (double value : values)
    sum += std::log(value);
  return values.empty() ? 0 : std::exp(sum / values.size());
}

static double quantile(std::vector<double> values, double share) {
  if (values.empty())
    return 0;
  std::sort(values.begin(), values.end());
  return values[std::min<size_t>(values.size() - 1, size_t(share * values.size()))];
}

static json::Object toJson(const Tuning &tuning) {
  json::Array candidates;
  for (const TimedSchedule &timed : tuning.candidates)
    candidates.push_back(
        json::Object{{"schedule", timed.schedule}, {"ratio", rounded(timed.ratio)}});
  return json::Object{{"ratio", rounded(tuning.best.ratio)},
                      {"picked_ratio", rounded(tuning.pickedRatio)},
                      {"candidates", std::move(candidates)}};
}

static json::Object toJson(const std::string &id, const KernelBenchmark &result,
                           const Tuning *tuning) {
  const BenchmarkFigures &f = result.figures;
  // The bound copies the larger of input and output, the kernel moves both.
  int64_t boundBytes = 2 * std::max(result.info.inputBytes, result.info.outputBytes);
  json::Object object{{"id", id},
                      {"bytes", f.bytes},
                      {"gbps", rounded(gbps(f.bytes, f.kernelSeconds))},
                      {"bound_gbps", rounded(gbps(boundBytes, f.boundSeconds))},
                      {"bound_method", f.boundMethod},
                      {"ratio", rounded(f.ratio)},
                      {"memcpy_ratio", rounded(f.memcpyRatio)},
                      {"pattern_ratio", nullptr},
                      {"spread", rounded(f.spread)},
                      {"compile_ms", rounded(result.compileMilliseconds)},
                      {"predicted_ratio", nullptr},
                      {"schedule", result.schedule.empty() ? "copy" : result.schedule}};
  if (f.patternRatio > 0)
    object["pattern_ratio"] = rounded(f.patternRatio);
  if (result.prediction.ratio > 0)
    object["predicted_ratio"] = rounded(result.prediction.ratio);
  if (tuning)
    object["tuning"] = toJson(*tuning);
  return object;
}

void Report::printHead() {
  if (!asJson)
    out << "id          MiB   GB/s  bound  ratio memcpy pattern predict spread compile  schedule\n";
}

void Report::add(const std::string &id, const KernelBenchmark &result, const Tuning *tuning) {
  const BenchmarkFigures &f = result.figures;
  ids.push_back(id);
  ratios.push_back(f.ratio);
  memcpyRatios.push_back(f.memcpyRatio);
  compiles.push_back(result.compileMilliseconds);
  if (asJson) {
    out << json::Value(toJson(id, result, tuning)) << '\n';
  } else {
    int64_t boundBytes = 2 * std::max(result.info.inputBytes, result.info.outputBytes);
    out << format("%-8s %6.1f %6.1f %6.1f  %5.3f  %5.3f   %5.3f   %5.3f  %5.3f %7.1f  ", id.c_str(),
                  f.bytes / 1048576.0, gbps(f.bytes, f.kernelSeconds),
                  gbps(boundBytes, f.boundSeconds), f.ratio, f.memcpyRatio, f.patternRatio,
                  result.prediction.ratio, f.spread, result.compileMilliseconds)
        << (result.schedule.empty() ? "copy" : result.schedule) << '\n';
    if (tuning)
      out << format("         tuned: %.3f, picked: %.3f, of %zu schedules\n", tuning->best.ratio,
                    tuning->pickedRatio, tuning->candidates.size());
  }
  out.flush();
}

void Report::addError(const std::string &id, const Error &error) {
  ++errors;
  if (asJson)
    out << json::Value(json::Object{
               {"id", id},
               {"error", json::Object{{"code", codeWord(error.code)}, {"message", error.message}}}})
        << '\n';
  else
    out << format("%-8s ", id.c_str()) << "error: " << error.message << '\n';
  out.flush();
}

void Report::printSummary() {
  size_t worst = std::min_element(ratios.begin(), ratios.end()) - ratios.begin();
  bool any = !ratios.empty();
  json::Object summary{{"cases", int64_t(ratios.size())},
                       {"errors", errors},
                       {"geomean", rounded(geomean(ratios))},
                       {"worst", any ? rounded(ratios[worst]) : 0},
                       {"worst_id", any ? ids[worst] : ""},
                       {"memcpy_geomean", rounded(geomean(memcpyRatios))},
                       {"compile_ms_p50", rounded(quantile(compiles, 0.5))},
                       {"compile_ms_p95", rounded(quantile(compiles, 0.95))}};
  if (asJson)
    out << json::Value(std::move(summary)) << '\n';
  else
    out << format("%zu cases, %d errors: geomean %.3f of the bound, worst %.3f", ratios.size(),
                  errors, geomean(ratios), any ? ratios[worst] : 0)
        << (any ? " (" + ids[worst] + ")" : "")
        << format("; %.3f of memcpy; compile p50 %.1f ms, p95 %.1f ms\n", geomean(memcpyRatios),
                  quantile(compiles, 0.5), quantile(compiles, 0.95));
}

} // namespace relayout::bench
