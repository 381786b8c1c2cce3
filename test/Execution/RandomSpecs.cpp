// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles, runs and verifies random specs against the reference evaluator, each for
// one of the CPUs that the host can stand in for, with ordinary or whole-line stores.
//
//   relayout-random-specs [--seed=N] [--first=N] [--count=N] [--seconds=N]
//
// Spec i of a seed depends on nothing but the two, so a failure is repeated by
// --seed=S --first=i --count=1. Fails if a spec does, or if the time runs out before
// all have run.

#include "SpecGenerator.h"

#include "relayout/JIT/Compiler.h"
#include "relayout/JIT/Verify.h"
#include "relayout/Schedule/Schedule.h"
#include "relayout/Spec/Module.h"

#include <chrono>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace relayout;
using namespace relayout::test;

namespace {

struct Options {
  uint64_t seed = 0;
  int64_t first = 0;
  int64_t count = 1000;
  int64_t seconds = 600;
};

bool parseOption(const char *argument, const char *name, int64_t &value) {
  size_t length = std::strlen(name);
  if (std::strncmp(argument, name, length) != 0 || argument[length] != '=')
    return false;
  char *end = nullptr;
  value = int64_t(std::strtoull(argument + length + 1, &end, 10));
  return end != argument + length + 1 && *end == 0;
}

bool parseOptions(int argc, char **argv, Options &options) {
  int64_t seed = int64_t((uint64_t(std::random_device{}()) << 20) ^ std::random_device{}());
  for (int i = 1; i < argc; ++i)
    if (!parseOption(argv[i], "--seed", seed) && !parseOption(argv[i], "--first", options.first) &&
        !parseOption(argv[i], "--count", options.count) &&
        !parseOption(argv[i], "--seconds", options.seconds)) {
      std::fprintf(stderr, "expects --seed, --first, --count or --seconds=N, but got %s\n",
                   argv[i]);
      return false;
    }
  options.seed = uint64_t(seed);
  return true;
}

/// How to repeat the spec that is running: what is left to say when the process crashes.
char repeatText[128];

void writeRepeatText(int signal) {
  ssize_t written = write(STDOUT_FILENO, repeatText, std::strlen(repeatText));
  _exit(written < 0 ? 1 : 128 + signal);
}

/// An executor that runs the tasks backwards on the caller's thread: the units of a
/// kernel may be done in any order.
void runBackwards(void *, int64_t count, Executor::Task task, void *argument) {
  for (int64_t i = count; i-- > 0;)
    task(argument, i);
}

/// What is wrong with the kernel of `spec`, or nothing.
std::string checkSpec(Compiler &compiler, const Spec &spec, int64_t tasks) {
  Result<Rearrangement> r = toRearrangement(spec);
  if (!r)
    return "refused: " + r.error().message;
  Result<Kernel> kernel =
      compiler.compile([&](mlir::MLIRContext &context) { return buildModule(spec, context); });
  if (!kernel)
    return "does not compile: " + kernel.error().message;
  Executor executor{runBackwards, tasks, nullptr};
  Result<VerifyReport> report =
      verifyKernel(*kernel, *r, spec.dtype->width, spec.padValue ? spec.padValue->data() : nullptr,
                   tasks > 1 ? &executor : nullptr, {spec.inputStrides, spec.outputStrides});
  if (!report)
    return "does not run: " + report.error().message;
  if (report->ok())
    return "";
  const VerifyMismatch &found = *report->mismatch;
  return "element " + std::to_string(found.element) + " of the result: expected " + found.expected +
         " (element " + std::to_string(found.expectedSource) + " of the operand), but found " +
         found.found;
}

/// A compiler, and how to ask relayoutc for the same.
struct Variant {
  std::unique_ptr<Compiler> compiler;
  CompilerOptions options;
  std::string flags;
};

/// Compilers for the host's CPU and for the older ones that it can stand in for. Small
/// kernels store past the caches only where the result is said to be cold.
std::vector<Variant> makeVariants() {
  Result<Spec> probe = parseSpecFlags("transpose", {{"shape", "32x48xu8"}, {"perm", "1,0"}});
  std::vector<Variant> variants;
  for (const char *cpu : {"", "x86-64-v4", "x86-64-v3", "x86-64-v2", "x86-64"})
    for (const char *result : {"auto", "cold"}) {
      CompilerOptions options;
      options.cpu = cpu;
      options.result = result;
      Result<std::unique_ptr<Compiler>> compiler = Compiler::create(options);
      std::string fault = compiler ? checkSpec(**compiler, *probe, 1) : compiler.error().message;
      std::printf("cpu '%s', result %s: %s\n", cpu, result, fault.empty() ? "used" : fault.c_str());
      if (fault.empty())
        variants.push_back({compiler.take(), options,
                            std::string(*cpu ? " --mcpu=" : "") + cpu + " --result=" + result});
    }
  return variants;
}

/// Adds a loop over a digit that has one, where that may be possible: over blocks, outside of it,
/// or over segments, inside of it.
void addLoop(std::vector<Loop> &loops, bool overSegments, SpecGenerator &generator) {
  if (loops.empty())
    return;
  int64_t count = loops.size(), found = generator.pick(0, count - 1);
  Loop added = loops[found];
  added.step *= generator.pick(2, 4);
  int64_t place = overSegments ? generator.pick(found + 1, count) : generator.pick(0, found);
  loops.insert(loops.begin() + place, added);
}

/// Packs the blocks inside of some of the first `most` loops of `piece`.
void addPack(PieceSchedule &piece, int64_t most, SpecGenerator &generator) {
  piece.pack = static_cast<unsigned>(generator.pick(1, most));
  piece.prefetch = 0;
  piece.touch.reset();
}

/// `text`, a schedule, with a sweep of a few units, with segments, and with a stage at a random
/// loop of each piece that may have one, whose runs may go on from block to block and which may be
/// fetched or packed. Kernels as small as these have none of it unless pinned.
std::string withStages(const std::string &text, SpecGenerator &generator) {
  Result<Schedule> schedule = parseSchedule(text);
  if (!schedule)
    return "";
  schedule->sweep = generator.pick(0, 2);
  bool stages = generator.pick(0, 2) > 0, segments = generator.pick(0, 2) > 0;
  for (PieceSchedule &piece : schedule->pieces) {
    piece.fetch.reset();
    piece.touch.reset();
    piece.pack.reset();
    if (segments)
      addLoop(piece.loops, /*overSegments=*/true, generator);
    if (!segments && piece.loops.size() > 1 && generator.pick(0, 1))
      piece.fetch = static_cast<unsigned>(generator.pick(1, int64_t(piece.loops.size()) - 1));
    if (!segments && piece.loops.size() > 1 && generator.pick(0, 2) == 0)
      piece.touch = static_cast<unsigned>(generator.pick(1, int64_t(piece.loops.size()) - 1));
    if (!segments && piece.loops.size() > 1 && generator.pick(0, 2) == 0)
      addPack(piece, int64_t(piece.loops.size()) - 1, generator);
    piece.near = piece.fetch && generator.pick(0, 1) ? generator.pick(1, 99) : 0;
    if (!stages)
      continue;
    piece.fetch.reset();
    piece.touch.reset();
    piece.pack.reset();
    for (int64_t blocks = generator.pick(0, 2); blocks > 0; --blocks)
      addLoop(piece.loops, /*overSegments=*/false, generator);
    piece.stage = static_cast<unsigned>(generator.pick(0, int64_t(piece.loops.size())));
    piece.store = generator.pick(0, 3) ? StoreMode::NonTemporal : StoreMode::Ordinary;
    if (piece.store == StoreMode::NonTemporal && generator.pick(0, 1))
      piece.carry = static_cast<unsigned>(generator.pick(0, *piece.stage));
    if (!segments && *piece.stage > 0 && generator.pick(0, 1))
      piece.fetch = static_cast<unsigned>(generator.pick(1, *piece.stage));
    if (!segments && *piece.stage > 0 && generator.pick(0, 2) == 0)
      piece.touch = static_cast<unsigned>(generator.pick(1, *piece.stage));
    if (!segments && *piece.stage > 0 && generator.pick(0, 1))
      addPack(piece, *piece.stage, generator);
    piece.near = piece.fetch && generator.pick(0, 1) ? generator.pick(1, 99) : 0;
  }
  return schedule->str();
}

/// The same as `checkSpec`, with stages; `staged` counts those that are possible.
std::string checkStages(const Variant &variant, const Spec &spec, SpecGenerator &generator,
                        int64_t &staged) {
  CompilerOptions options = variant.options;
  options.schedule = withStages(variant.compiler->schedule(), generator);
  Result<std::unique_ptr<Compiler>> compiler = Compiler::create(options);
  if (!compiler)
    return compiler.error().message;
  std::string fault = checkSpec(**compiler, spec, generator.pick(1, 4));
  if (fault.find("schedule: expects") != std::string::npos)
    return "";
  ++staged;
  return fault.empty() ? "" : fault + " (--schedule='" + options.schedule + "')";
}

void printFailure(const std::string &fault, const Variant &variant, const Spec &spec) {
  std::printf("FAILED: %s\n  relayoutc verify %s%s\n%s", fault.c_str(),
              printSpecFlags(spec).c_str(), variant.flags.c_str(), repeatText);
  std::fflush(stdout);
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  if (!parseOptions(argc, argv, options))
    return 2;
  std::printf("seed %" PRIu64 "\n", options.seed);
  std::vector<Variant> variants = makeVariants();
  if (variants.empty())
    return 1;
  std::fflush(stdout);
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    std::signal(signal, writeRepeatText);

  auto end = std::chrono::steady_clock::now() + std::chrono::seconds(options.seconds);
  int64_t done = 0, failed = 0, staged = 0;
  for (; done < options.count && std::chrono::steady_clock::now() < end; ++done) {
    int64_t index = options.first + done;
    SpecGenerator generator(options.seed + uint64_t(index) * 0x9e3779b97f4a7c15u);
    Spec spec = generator.make(generator.pick(1, 20) == 1 ? 200000 : 6000);
    generator.addStrides(spec);
    const Variant &variant = variants[generator.pick(0, variants.size() - 1)];
    std::snprintf(repeatText, sizeof repeatText,
                  "  repeat by --seed=%" PRIu64 " --first=%" PRId64 " --count=1\n", options.seed,
                  index);
    std::string fault = checkSpec(*variant.compiler, spec, generator.pick(1, 4));
    if (fault.empty() && !variant.compiler->schedule().empty() && generator.pick(1, 4) == 1)
      fault = checkStages(variant, spec, generator, staged);
    if (fault.empty())
      continue;
    ++failed;
    printFailure(fault, variant, spec);
  }
  std::printf("%" PRId64 " of %" PRId64 " specs done, %" PRId64 " staged too, %" PRId64 " failed\n",
              done, options.count, staged, failed);
  if (options.count >= 1000 && staged == 0)
    return 1;
  return failed || done < options.count;
}
