// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Measures cold compiles of 100 kernels: the compiler is warm, nothing of a kernel
/// is cached. Prints p50 and p95 of each phase.

#include "relayout/JIT/Compiler.h"
#include "relayout/Spec/Module.h"
#include "relayout/Spec/Spec.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

using namespace relayout;

namespace {

struct Case {
  std::string operation;
  FlagList flags;
};

/// Ten kinds of named operations on ten shapes each.
std::vector<Case> makeCases() {
  const char *const types[] = {"f32", "f16", "u8",  "f64",  "bf16",
                               "i32", "i8",  "c64", "bool", "i64"};
  std::vector<Case> cases;
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
  const Sample &slowest =
      *std::max_element(samples.begin(), samples.end(), [](const Sample &a, const Sample &b) {
        return a.times.total() < b.times.total();
      });
  std::printf("slowest: %.3f ms: %s", slowest.times.total(),
              cases[slowest.index].operation.c_str());
  for (const auto &[key, value] : cases[slowest.index].flags)
    std::printf(" --%s=%s", key.c_str(), value.c_str());
  std::printf("\n");
}

Status compileCase(Compiler &compiler, const Case &c) {
  Result<Spec> spec = parseSpecFlags(c.operation, c.flags);
  if (!spec)
    return spec.error();
  Result<Kernel> kernel =
      compiler.compile([&](mlir::MLIRContext &context) { return buildModule(*spec, context); });
  return kernel ? Status::success() : Status(kernel.error());
}

} // namespace

int main(int argc, char **argv) {
  long rounds = argc < 2 ? 5 : std::strtol(argv[1], nullptr, 10);
  if (argc > 2 || rounds < 1 || rounds > 1000) {
    std::fprintf(stderr, "usage: compile-time [ROUNDS]\n");
    return 2;
  }
  Result<std::unique_ptr<Compiler>> compiler = Compiler::create();
  if (!compiler) {
    std::fprintf(stderr, "error: %s\n", compiler.error().message.c_str());
    return 3;
  }
  std::vector<Case> cases = makeCases();
  std::vector<Sample> samples;
  // The first round warms the compiler up and is not counted.
  for (long round = -1; round < rounds; ++round)
    for (size_t i = 0; i < cases.size(); ++i) {
      if (Status status = compileCase(**compiler, cases[i]); !status) {
        std::fprintf(stderr, "error: %s: %s\n", cases[i].operation.c_str(),
                     status.error().message.c_str());
        return 1;
      }
      if (round >= 0)
        samples.push_back({(*compiler)->times(), i});
    }
  printTable(**compiler, cases, rounds, samples);
  return 0;
}
