// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Times a kernel against the copy bound, alternately in one process, since the speed
/// of a shared machine drifts.

#ifndef RELAYOUT_RUNTIME_BENCHMARK_H
#define RELAYOUT_RUNTIME_BENCHMARK_H

#include "relayout/Runtime/CopyBound.h"
#include "relayout/Runtime/Kernel.h"

#include <vector>

namespace relayout {

struct BenchmarkOptions {
  /// Cold: buffers are rotated until their pages are beyond the last-level cache. Warm: one
  /// pair is reused.
  bool cold = true;
  /// Buffers on pages of 2 MiB, where the system has them to give; else on its usual ones.
  bool hugePages = false;
  int rounds = 15; ///< kernel timings that are kept; at least 1
  const Executor *executor = nullptr;
  /// The same loads and stores without the shuffles, or null.
  const Kernel *pattern = nullptr;
};

/// Times are medians, in seconds a call. A ratio is a median of ratios of neighbours:
/// 1.0 is copy speed.
struct BenchmarkFigures {
  int64_t bytes = 0;      ///< input plus output of the kernel, which reads less of one it crops
  int64_t boundBytes = 0; ///< read plus written by each of the copies: twice the larger of the two
  double kernelSeconds = 0;
  double boundSeconds = 0;
  const char *boundMethod = ""; ///< the name of the copy that is the bound
  int64_t boundThreads = 1;     ///< the threads of that copy: one, or the executor's
  double ratio = 0;             ///< bound time / kernel time
  double memcpyRatio = 0;       ///< memcpy time / kernel time
  double patternRatio = 0;      ///< bound time / pattern time; 0 without a pattern
  double spread = 0;            ///< half the distance of the ratio's quartiles, as a share of it

  /// 10^9 bytes a second, each over the bytes of its own.
  double gbps() const { return rate(bytes, kernelSeconds); }
  double boundGbps() const { return rate(boundBytes, boundSeconds); }
  double memcpyGbps() const { return rate(boundBytes, kernelSeconds * memcpyRatio); }

private:
  static double rate(int64_t bytes, double seconds) { return bytes / seconds * 1e-9; }
};

/// Times `kernel`. The bound copies as many bytes as the larger of input and output has, between
/// the kernel's own buffers, with one thread or all of the executor's, whichever is faster; memcpy
/// likewise. An error where memory is short, or where the kernel moves nothing.
Result<BenchmarkFigures> benchmarkKernel(const Kernel &kernel, const BenchmarkOptions &options);

/// The ratio of each of `kernels`, which move the same bytes, timed by turns on the same buffers.
/// `options.pattern` is not used. Errors as above.
Result<std::vector<double>> compareKernels(const std::vector<Kernel> &kernels,
                                           const BenchmarkOptions &options);

} // namespace relayout

#endif // RELAYOUT_RUNTIME_BENCHMARK_H
