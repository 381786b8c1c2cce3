// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Compiles and releases kernels of ever new shapes, and fails if the memory of the
/// process grows by 1 MiB after the warm-up or a mapping is left.

#include "relayout/JIT/Compiler.h"
#include "relayout/Spec/Module.h"
#include "relayout/Spec/Spec.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <unistd.h>

using namespace relayout;

namespace {

constexpr long kWarmUpPeriods = 1;
constexpr long kMaxGrowth = 1 << 20;

/// Resident bytes.
long residentBytes() {
  std::ifstream file("/proc/self/statm");
  long total = 0, resident = 0;
  file >> total >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

long executableMappings() {
  std::ifstream maps("/proc/self/maps");
  long count = 0;
  for (std::string line; std::getline(maps, line);)
    count += line.find(" r-xp ") != std::string::npos;
  return count;
}

/// The `i`-th of 256 shapes: every period of the compiler sees the same ones.
Status cycle(Compiler &compiler, long i) {
  std::string h = std::to_string(2 * (1 + i % 16)), w = std::to_string(2 * (2 + i / 16 % 16));
  Result<Spec> spec = parseSpecFlags(
      "space_to_batch", {{"shape", "3x" + h + "x" + w + "x16xf32"}, {"block-shape", "2,2"}});
  if (!spec)
    return spec.error();
  Result<Kernel> kernel =
      compiler.compile([&](mlir::MLIRContext &context) { return buildModule(*spec, context); });
  return kernel ? Status::success() : Status(kernel.error());
}

} // namespace

int main(int argc, char **argv) {
  long cycles = argc == 2 ? std::strtol(argv[1], nullptr, 10) : 0;
  if (cycles < 1) {
    std::fprintf(stderr, "usage: soak CYCLES\n");
    return 2;
  }
  CompilerOptions options;
  Result<std::unique_ptr<Compiler>> compiler = Compiler::create(options);
  if (!compiler) {
    std::fprintf(stderr, "error: %s\n", compiler.error().message.c_str());
    return 3;
  }
  // Memory is compared at the ends of whole periods, when the context is as old.
  long period = options.recycleAfter, periods = (cycles + period - 1) / period;
  long resident = 0, mappings = 0;
  for (long i = 0; i < (kWarmUpPeriods + periods) * period; ++i) {
    if (i == kWarmUpPeriods * period) {
      resident = residentBytes();
      mappings = executableMappings();
    }
    if (Status status = cycle(**compiler, i); !status) {
      std::fprintf(stderr, "error: cycle %ld: %s\n", i, status.error().message.c_str());
      return 1;
    }
  }
  long growth = residentBytes() - resident;
  std::printf(
      "%ld cycles: %ld KiB resident, %+ld KiB since the warm-up, %+ld executable mappings\n",
      periods * period, residentBytes() >> 10, growth / 1024, executableMappings() - mappings);
  return growth < kMaxGrowth && executableMappings() == mappings ? 0 : 1;
}
