// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/JIT/KernelBenchmark.h"

#include "relayout/JIT/Verify.h"
#include "relayout/Layout/KernelForm.h"
#include "relayout/Layout/Reference.h"
#include "relayout/Runtime/Memory.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>

using namespace relayout;

namespace {

/// Bytes that are not freed until the end of the scope; null where memory is short.
std::unique_ptr<unsigned char[]> allocate(int64_t bytes) {
  return std::unique_ptr<unsigned char[]>(new (std::nothrow) unsigned char[bytes + 64]);
}

unsigned char *onLine(unsigned char *p) {
  return p + (64 - reinterpret_cast<uintptr_t>(p) % 64) % 64;
}

/// Bytes without a pattern: a misplaced element shows with near certainty.
void scramble(unsigned char *data, int64_t bytes) {
  uint64_t state = 0x9e3779b97f4a7c15;
  for (int64_t i = 0; i < bytes; i += 8) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    std::memcpy(data + i, &state, std::min<int64_t>(8, bytes - i));
  }
}

Status checkAgainstReference(const Kernel &kernel, const BenchmarkSubject &subject,
                             const Executor *executor) {
  // The reference knows no gaps and no elements of another width.
  if (Status s = checkKernelSizes(kernel, subject.rearrangement, subject.width); !s)
    return s;
  int64_t inBytes = kernel.info().inputBytes, outBytes = kernel.info().outputBytes;
  if (Status s = checkMemory({inBytes, outBytes, outBytes}); !s)
    return s;
  auto inStore = allocate(inBytes), outStore = allocate(outBytes), wantStore = allocate(outBytes);
  if (!inStore || !outStore || !wantStore)
    return Error{ErrorCode::Environment, "no memory to check the result with"};
  unsigned char *in = onLine(inStore.get()), *out = onLine(outStore.get());
  scramble(in, inBytes);
  std::memset(out, 0xA5, outBytes);
  if (Status status = kernel.run({in, inBytes}, {out, outBytes}, executor); !status)
    return status;
  const unsigned char zero[16] = {};
  unsigned char *want = wantStore.get();
  evaluateReference(subject.rearrangement, subject.width, in, want,
                    subject.fill ? subject.fill : zero);
  if (std::memcmp(out, want, outBytes) == 0)
    return Status::success();
  int64_t at = 0;
  while (out[at] == want[at])
    ++at;
  return Error{ErrorCode::Mismatch, "expects result element " + std::to_string(at / subject.width) +
                                        " to be the reference's, but it differs"};
}

} // namespace

Result<KernelBenchmarker> KernelBenchmarker::create(const CompilerOptions &options) {
  KernelBenchmarker made;
  Result<std::unique_ptr<Compiler>> compiler = Compiler::create(options);
  if (!compiler)
    return compiler.error();
  CompilerOptions pattern = options;
  pattern.patternOnly = true;
  Result<std::unique_ptr<Compiler>> patternCompiler = Compiler::create(pattern);
  if (!patternCompiler)
    return patternCompiler.error();
  made.compiler = compiler.take();
  made.patternCompiler = patternCompiler.take();
  return made;
}

Result<KernelBenchmark> KernelBenchmarker::run(const BenchmarkSubject &subject,
                                               BenchmarkOptions benchmark) {
  KernelBenchmark report;
  std::array<double, 3> times;
  std::optional<Kernel> kernel;
  for (double &time : times) {
    Result<Kernel> compiled = compiler->compile(subject.build);
    if (!compiled)
      return compiled.error();
    kernel = compiled.take();
    time = compiler->times().total();
  }
  std::sort(times.begin(), times.end());
  report.compileMilliseconds = times[1];
  report.schedule = compiler->schedule();
  if (Status status = checkAgainstReference(*kernel, subject, benchmark.executor); !status)
    return status.error();
  std::optional<Kernel> pattern;
  if (!kernel->isCopy()) {
    Result<Kernel> compiled = patternCompiler->compile(subject.build);
    if (!compiled)
      return compiled.error();
    pattern = compiled.take();
    benchmark.pattern = &*pattern;
  }
  Result<BenchmarkFigures> figures = benchmarkKernel(*kernel, benchmark);
  if (!figures)
    return figures.error();
  report.figures = *figures;
  if (report.schedule.empty())
    return report;
  Result<Problem> problem = buildKernelProblem(subject.rearrangement, subject.width, subject.fill);
  Result<Schedule> schedule = parseSchedule(report.schedule);
  if (problem && schedule)
    report.prediction = predict(*schedule, *problem, compiler->target());
  return report;
}
