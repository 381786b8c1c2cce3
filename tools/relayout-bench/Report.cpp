// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Report.h"

#include "relayout/Spec/Spec.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

#include <algorithm>
#include <cmath>

using namespace llvm;

namespace relayout::bench {

/// `value` with so many digits as a timing is good for.
static double rounded(double value, int digits) {
  if (value == 0 || !std::isfinite(value))
    return value;
  double scale = std::pow(10, digits - 1 - std::floor(std::log10(std::fabs(value))));
  return std::round(value * scale) / scale;
}
static double roundShare(double ratio) { return rounded(ratio, 4); }
static double roundSpeed(double gbps) { return rounded(gbps, 3); }
static double roundTime(double milliseconds) { return rounded(milliseconds, 3); }

/// LLVM prints a number with all 17 digits that tell it from others.
static void writeValue(json::OStream &out, const json::Value &value) {
  std::optional<double> number = value.getAsNumber();
  if (const json::Object *object = value.getAsObject())
    out.object([&] {
      for (const json::Object::value_type *member : json::sortedElements(*object)) {
        out.attributeBegin(member->first);
        writeValue(out, member->second);
        out.attributeEnd();
      }
    });
  else if (const json::Array *array = value.getAsArray())
    out.array([&] {
      for (const json::Value &element : *array)
        writeValue(out, element);
    });
  else if (number && !value.getAsInteger())
    out.rawValue([&](raw_ostream &os) { os << format("%.12g", *number); });
  else
    out.value(value);
}

static void writeLine(raw_ostream &out, json::Object object) {
  json::OStream line(out);
  writeValue(line, json::Value(std::move(object)));
  out << '\n';
}

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
        json::Object{{"schedule", timed.schedule}, {"ratio", roundShare(timed.ratio)}});
  return json::Object{{"ratio", roundShare(tuning.best.ratio)},
                      {"picked_ratio", roundShare(tuning.pickedRatio)},
                      {"candidates", std::move(candidates)}};
}

static json::Object toJson(const std::string &id, const KernelBenchmark &result,
                           const Tuning *tuning) {
  const BenchmarkFigures &f = result.figures;
  json::Object object{{"id", id},
                      {"bytes", f.bytes},
                      {"gbps", roundSpeed(f.gbps())},
                      {"bound_gbps", roundSpeed(f.boundGbps())},
                      {"bound_method", f.boundMethod},
                      {"bound_threads", f.boundThreads},
                      {"ratio", roundShare(f.ratio)},
                      {"memcpy_ratio", roundShare(f.memcpyRatio)},
                      {"pattern_ratio", nullptr},
                      {"spread", roundShare(f.spread)},
                      {"compile_ms", roundTime(result.compileMilliseconds)},
                      {"predicted_ratio", nullptr},
                      {"schedule", result.schedule.empty() ? "copy" : result.schedule}};
  if (f.patternRatio > 0)
    object["pattern_ratio"] = roundShare(f.patternRatio);
  if (result.prediction.ratio > 0)
    object["predicted_ratio"] = roundShare(result.prediction.ratio);
  if (tuning)
    object["tuning"] = toJson(*tuning);
  return object;
}

/// A share in the table; a plain copy has no pattern and no prediction.
static std::string shareText(double ratio) {
  std::string text;
  raw_string_ostream(text) << format("%5.3f", ratio);
  return ratio > 0 ? text : "-";
}

/// The first column of the table, as a terminal shows it.
static std::string columnOf(const std::string &id) {
  std::string text = printable(id);
  text.resize(std::max<size_t>(text.size(), 8), ' ');
  return text + ' ';
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
    writeLine(out, toJson(id, result, tuning));
  } else {
    out << columnOf(id)
        << format("%6.1f %6.1f %6.1f  %5.3f  %5.3f   %5s   %5s  %5.3f %7.1f  ", f.bytes / 1048576.0,
                  f.gbps(), f.boundGbps(), f.ratio, f.memcpyRatio,
                  shareText(f.patternRatio).c_str(), shareText(result.prediction.ratio).c_str(),
                  f.spread, result.compileMilliseconds)
        << (result.schedule.empty() ? "copy" : result.schedule) << '\n';
    if (tuning)
      out << format("         tuned: %.3f, picked: %.3f, of %zu schedules\n", tuning->best.ratio,
                    tuning->pickedRatio, tuning->candidates.size());
  }
  out.flush();
}

void Report::addVerified(const std::string &id, const VerifyReport &result) {
  ++verified;
  if (asJson)
    out << json::Value(json::Object{{"id", id},
                                    {"verified", true},
                                    {"elements", result.elements},
                                    {"runs", result.runs}})
        << '\n';
  else
    out << columnOf(id) << "verified: " << result.elements << " elements, " << result.runs
        << " runs\n";
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
    out << columnOf(id) << "error: " << printable(error.message) << '\n';
  out.flush();
}

void Report::printVerified() {
  if (asJson)
    out << json::Value(json::Object{{"cases", verified}, {"errors", errors}}) << '\n';
  else
    out << verified << " cases verified, " << errors << " errors\n";
}

void Report::printSummary() {
  size_t worst = std::min_element(ratios.begin(), ratios.end()) - ratios.begin();
  bool any = !ratios.empty();
  json::Object summary{{"cases", int64_t(ratios.size())},
                       {"errors", errors},
                       {"geomean", roundShare(geomean(ratios))},
                       {"worst", any ? roundShare(ratios[worst]) : 0},
                       {"worst_id", any ? ids[worst] : ""},
                       {"memcpy_geomean", roundShare(geomean(memcpyRatios))},
                       {"compile_ms_p50", roundTime(quantile(compiles, 0.5))},
                       {"compile_ms_p95", roundTime(quantile(compiles, 0.95))}};
  if (asJson)
    writeLine(out, summary);
  else
    out << format("%zu cases, %d errors: geomean %.3f of the bound, worst %.3f", ratios.size(),
                  errors, geomean(ratios), any ? ratios[worst] : 0)
        << (any ? " (" + printable(ids[worst]) + ")" : "")
        << format("; %.3f of memcpy; compile p50 %.1f ms, p95 %.1f ms\n", geomean(memcpyRatios),
                  quantile(compiles, 0.5), quantile(compiles, 0.95));
}

} // namespace relayout::bench
