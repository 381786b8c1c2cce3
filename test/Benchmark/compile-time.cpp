// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Measures cold compiles of 100 kernels, or of a suite: the compiler is warm, nothing
/// of a kernel is cached. Prints p50 and p95 of each phase and the slowest kernels.

#include "../../tools/relayout-bench/Suite.h"

#include "relayout/JIT/Compiler.h"
#include "relayout/Spec/Module.h"
#include "relayout/Spec/Spec.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <string>
#include <vector>

using namespace relayout;
using relayout::bench::Case;
using relayout::bench::readSuite;

namespace {

struct Flagged {
  std::string operation;
  FlagList flags;
};

/// Ten kinds of named operations on ten shapes each.
std::vector<Flagged> namedOperations() {
  const char *const types[] = {"f32", "f16", "u8",  "f64",  "bf16",
                               "i32", "i8",  "c64", "bool", "i64"};
  std::vector<Flagged> cases;
  for (int i = 0; i < 10; ++i) {
    std::string n = std::to_string(1 + i % 3), c = std::to_string(12 * (1 + i)),
                h = std::to_string(12 * (3 + i)), w = std::to_string(24 * (2 + i)), type = types[i];
    std::string channelsLast = n + "x" + h + "x" + w + "x" + c + "x" + type;
    std::string channelsFirst = n + "x" + c + "x" + h + "x" + w + "x" + type;
    std::string batches = std::to_string(6 * (1 + i % 3)) + "x" + h + "x" + w + "x3x" + type;
    std::string block = i % 2 ? "2" : "1,2";
    for (const char *op : {"depth_to_space", "space_to_depth"}) {
      cases.push_back({op,
                       {{"shape", channelsLast},
                        {"layout", "NHWC"},
                        {"mode", "blocks_first"},
                        {"block-size", block}}});
      cases.push_back({op,
                       {{"shape", channelsFirst},
                        {"layout", "NCHW"},
                        {"mode", "depth_first"},
                        {"block-size", block}}});
    }
    cases.push_back({"space_to_batch", {{"shape", channelsLast}, {"block-shape", "2,3"}}});
    cases.push_back({"space_to_batch",
                     {{"shape", channelsLast}, {"block-shape", "2,3"}, {"paddings", "1:1,2:1"}}});
    cases.push_back({"batch_to_space", {{"shape", batches}, {"block-shape", "3,2"}}});
    cases.push_back(
        {"batch_to_space", {{"shape", batches}, {"block-shape", "3,2"}, {"crops", "1:0,0:2"}}});
    cases.push_back(
        {"pixel_shuffle",
         {{"shape", n + "x" + std::to_string(18 * (1 + i)) + "x" + h + "x" + w + "x" + type},
          {"block-size", "3"}}});
    cases.push_back({"transpose", {{"shape", channelsFirst}, {"perm", "0,2,3,1"}}});
  }
  return cases;
}

Result<std::vector<Case>> namedCases() {
  std::vector<Case> cases;
  for (const Flagged &flagged : namedOperations()) {
    Result<Spec> spec = parseSpecFlags(flagged.operation, flagged.flags);
    if (!spec)
      return spec.error();
    std::string id = flagged.operation;
    for (const auto &[key, value] : flagged.flags)
      id += " --" + key + "=" + value;
    cases.push_back({id, spec.take()});
  }
  return cases;
}

struct Sample {
  CompileTimes times;
  size_t index;
};

double percentile(std::vector<double> values, double share) {
  size_t rank = std::min(values.size() - 1, static_cast<size_t>(share * values.size()));
  std::nth_element(values.begin(), values.begin() + rank, values.end());
  return values[rank];
}

void printRow(const char *name, const std::vector<Sample> &samples,
              const std::function<double(const CompileTimes &)> &phase) {
  std::vector<double> values;
  for (const Sample &sample : samples)
    values.push_back(phase(sample.times));
  std::printf("%-10s %8.3f %8.3f\n", name, percentile(values, 0.5), percentile(values, 0.95));
}

/// The five cases whose fastest compile took longest.
void printSlowest(const std::vector<Case> &cases, const std::vector<Sample> &samples) {
  std::vector<std::pair<double, size_t>> best(cases.size());
  for (size_t i = 0; i < cases.size(); ++i)
    best[i] = {std::numeric_limits<double>::infinity(), i};
  for (const Sample &sample : samples)
    best[sample.index].first = std::min(best[sample.index].first, sample.times.total());
  std::sort(best.rbegin(), best.rend());
  for (size_t i = 0; i < std::min<size_t>(5, best.size()); ++i)
    std::printf("slowest: %.3f ms: %s\n", best[i].first, cases[best[i].second].id.c_str());
}

void printTable(const Compiler &compiler, const std::vector<Case> &cases, long rounds,
                const std::vector<Sample> &samples) {
  std::printf("%zu kernels on %s, %ld round%s, cold, milliseconds\n", cases.size(),
              compiler.cpu().c_str(), rounds, rounds == 1 ? "" : "s");
  std::printf("%-10s %8s %8s\n", "phase", "p50", "p95");
  printRow("build", samples, [](const CompileTimes &t) { return t.build; });
  printRow("passes", samples, [](const CompileTimes &t) { return t.passes; });
  printRow("translate", samples, [](const CompileTimes &t) { return t.translate; });
  printRow("optimize", samples, [](const CompileTimes &t) { return t.optimize; });
  printRow("codegen", samples, [](const CompileTimes &t) { return t.codegen; });
  printRow("link", samples, [](const CompileTimes &t) { return t.link; });
  printRow("total", samples, [](const CompileTimes &t) { return t.total(); });
  printSlowest(cases, samples);
}

Status compileCase(Compiler &compiler, const Spec &spec) {
  Result<Kernel> kernel =
      compiler.compile([&](mlir::MLIRContext &context) { return buildModule(spec, context); });
  return kernel ? Status::success() : Status(kernel.error());
}

int fail(const std::string &message, int code) {
  std::fprintf(stderr, "error: %s\n", message.c_str());
  return code;
}

} // namespace

int main(int argc, char **argv) {
  long rounds = argc < 2 ? 5 : std::strtol(argv[1], nullptr, 10);
  if (argc > 3 || rounds < 1 || rounds > 1000) {
    std::fprintf(stderr, "usage: compile-time [ROUNDS [SUITE.jsonl]]\n");
    return 2;
  }
  Result<std::unique_ptr<Compiler>> compiler = Compiler::create();
  if (!compiler)
    return fail(compiler.error().message, 3);
  Result<std::vector<Case>> cases = argc < 3 ? namedCases() : readSuite(argv[2], {});
  if (!cases)
    return fail(cases.error().message, 1);
  std::vector<Sample> samples;
  // The first round warms the compiler up and is not counted.
  for (long round = -1; round < rounds; ++round)
    for (size_t i = 0; i < cases->size(); ++i) {
      if (Status status = compileCase(**compiler, (*cases)[i].spec); !status)
        return fail((*cases)[i].id + ": " + status.error().message, 1);
      if (round >= 0)
        samples.push_back({(*compiler)->times(), i});
    }
  printTable(**compiler, *cases, rounds, samples);
  return 0;
}
