// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Runtime/Benchmark.h"

#include "relayout/Runtime/Memory.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

using namespace relayout;

namespace {
/// A timing below this is mostly the clock's and the call's.
constexpr double kShortestSample = 100e-6;
/// In one above this the time to wake a thread is nothing.
constexpr double kLongSample = 5e-3;
/// A round in which the bound drifts further than this says little.
constexpr double kDrift = 0.05;

struct Mapping {
  void *data = MAP_FAILED;
  int64_t bytes = 0;
  ~Mapping() {
    if (data != MAP_FAILED)
      munmap(data, bytes);
  }
};

/// Asks for huge pages. A mapping that is smaller than one of them has none.
Status adviseHugePages(const Mapping &map) {
  if (madvise(map.data, map.bytes, MADV_HUGEPAGE) == 0)
    return Status::success();
  return Error{ErrorCode::Environment, "the system has no huge pages to benchmark with: " +
                                           std::string(std::strerror(errno))};
}

/// `bytes` in whole pages, of which each buffer has its own: the memory that it takes.
int64_t inPages(int64_t bytes) {
  int64_t page = std::max(sysconf(_SC_PAGESIZE), 1L);
  return (bytes / page + (bytes % page != 0)) * page;
}

/// Input and output buffers of one size, page aligned and written, in rotation.
class BufferRing {
public:
  static Result<BufferRing> make(int64_t bytesEach, int64_t pairs, bool hugePages) {
    if (Status status = checkMemory({pairs * inPages(bytesEach), pairs * inPages(bytesEach)});
        !status)
      return status.error();
    BufferRing ring;
    ring.bytesEach = bytesEach;
    for (int64_t i = 0; i < 2 * pairs; ++i) {
      auto map = std::make_unique<Mapping>();
      map->bytes = bytesEach;
      map->data =
          mmap(nullptr, map->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (map->data == MAP_FAILED)
        return Error{ErrorCode::Environment, "no memory for two buffers of " +
                                                 std::to_string(bytesEach) +
                                                 " bytes to benchmark with"};
      if (hugePages)
        if (Status advised = adviseHugePages(*map); !advised)
          return advised.error();
      std::memset(map->data, int(i + 1), map->bytes);
      ring.maps.push_back(std::move(map));
    }
    return ring;
  }

  void advance() { at = (at + 2) % maps.size(); }
  ConstBuffer in() const { return {maps[at]->data, bytesEach}; }
  Buffer out() const { return {maps[at + 1]->data, bytesEach}; }

private:
  std::vector<std::unique_ptr<Mapping>> maps;
  int64_t bytesEach = 0;
  size_t at = 0;
};

int64_t lastLevelCacheBytes() {
  long size = sysconf(_SC_LEVEL3_CACHE_SIZE);
  return size > 0 ? size : 32 << 20;
}

/// Pairs of buffers so that whatever is touched next has left the caches. Whole pages count:
/// small buffers, which all begin at one place of a page, share the few sets of a cache that are
/// for this place.
int64_t pairsFor(int64_t bytesEach, bool cold) {
  if (!cold)
    return 1;
  constexpr int64_t kMost = int64_t(1) << 30;
  int64_t footprint = std::min(5 * lastLevelCacheBytes() / 2, kMost);
  return footprint / (2 * inPages(bytesEach)) + 1;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Runs things on the ring and times them.
class Stopwatch {
public:
  Stopwatch(BufferRing &ring, const Executor *executor) : ring(ring), executor(executor) {}

  /// Sets how many calls make one sample, from the time of one of `call`.
  void calibrate(const std::function<void()> &call) {
    double once = std::max(seconds(call, 1), 1e-9);
    calls = std::max<int64_t>(1, int64_t(std::ceil(kShortestSample / once)));
    repeats = executor && executor->width > 1 && once < kLongSample;
  }

  /// Seconds a call, averaged over one sample. Threads are awake in it or not as one call after
  /// the other leaves them, whatever was timed before.
  double sample(const std::function<void()> &call) {
    if (repeats)
      seconds(call, 1);
    return seconds(call, calls);
  }

private:
  double seconds(const std::function<void()> &call, int64_t times) {
    auto start = std::chrono::steady_clock::now();
    for (int64_t i = 0; i < times; ++i) {
      call();
      ring.advance();
    }
    std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    return spent.count() / times;
  }

  BufferRing &ring;
  const Executor *executor;
  int64_t calls = 1;
  bool repeats = false; ///< each sample follows an untimed call of the same
};

/// A way to copy, and who does it.
struct Copy {
  const CopyMethod *method;
  const Executor *executor; ///< null: the caller's thread
};

/// `method` by the caller's thread and, where there are others, by all: to wake a thread takes
/// longer than a small copy.
std::vector<Copy> copiesBy(const CopyMethod &method, const Executor *executor) {
  std::vector<Copy> copies = {{&method, nullptr}};
  if (executor && executor->width > 1)
    copies.push_back({&method, executor});
  return copies;
}

std::vector<Copy> allCopies(const Executor *executor) {
  std::vector<Copy> all;
  for (const CopyMethod &method : kCopyMethods)
    for (const Copy &copy : copiesBy(method, executor))
      all.push_back(copy);
  return all;
}

/// Copies of a kernel's bytes between its own buffers, timed.
class CopyTimer {
public:
  CopyTimer(Stopwatch &watch, BufferRing &ring, int64_t bytes)
      : watch(watch), ring(ring), bytes(bytes) {}

  double seconds(const Copy &copy) {
    return watch.sample(
        [&] { copyByMethod(*copy.method, ring.in().data, ring.out().data, bytes, copy.executor); });
  }

  /// The fastest of at least one.
  Copy fastest(const std::vector<Copy> &copies) {
    if (copies.size() == 1)
      return copies[0];
    std::vector<double> times;
    for (const Copy &copy : copies)
      times.push_back(typicalSeconds(copy));
    return copies[std::min_element(times.begin(), times.end()) - times.begin()];
  }

private:
  double typicalSeconds(const Copy &copy) {
    std::vector<double> times;
    for (int i = 0; i < 5; ++i)
      times.push_back(seconds(copy));
    return median(times);
  }

  Stopwatch &watch;
  BufferRing &ring;
  int64_t bytes;
};

/// The larger of what a kernel reads and writes.
int64_t copyBytes(const Kernel &kernel) {
  return std::max(kernel.info().inputBytes, kernel.info().outputBytes);
}

class Bench {
public:
  Bench(const Kernel &kernel, const BenchmarkOptions &options, BufferRing &ring)
      : kernel(kernel), options(options), ring(ring), watch(ring, options.executor),
        copies(watch, ring, copyBytes(kernel)) {}

  BenchmarkFigures run() {
    watch.calibrate([&] { runKernel(kernel); });
    const Copy best = copies.fastest(allCopies(options.executor));
    const Copy memcpy = copies.fastest(copiesBy(kCopyMethods[0], options.executor));
    BenchmarkFigures figures;
    figures.bytes = kernel.info().inputBytes + kernel.info().outputBytes;
    figures.boundBytes = 2 * copyBytes(kernel);
    figures.boundMethod = best.method->name;
    figures.boundThreads = best.executor ? best.executor->width : 1;
    for (int round = 0; round < std::max(options.rounds, 1); ++round)
      addRound(best, memcpy);
    summarize(figures);
    return figures;
  }

private:
  void runKernel(const Kernel &which) { (void)which.run(ring.in(), ring.out(), options.executor); }

  /// Bound, kernel, bound, and beside them memcpy and the pattern.
  void addRound(const Copy &best, const Copy &memcpy) {
    double before = copies.seconds(best);
    double time = watch.sample([&] { runKernel(kernel); });
    double after = copies.seconds(best);
    double bound = (before + after) / 2;
    kernelTimes.push_back(time);
    boundTimes.push_back(bound);
    steady.push_back(std::abs(before - after) <= kDrift * bound);
    memcpyRatios.push_back(copies.seconds(memcpy) / time);
    if (options.pattern)
      patternRatios.push_back(after / watch.sample([&] { runKernel(*options.pattern); }));
  }

  void summarize(BenchmarkFigures &figures) const {
    std::vector<double> all, kept;
    for (size_t i = 0; i < kernelTimes.size(); ++i) {
      all.push_back(boundTimes[i] / kernelTimes[i]);
      if (steady[i])
        kept.push_back(all.back());
    }
    // A median of fewer than three would be whatever disturbed one of them.
    bool areEnough = kept.size() >= std::max<size_t>(3, (all.size() + 2) / 3);
    std::vector<double> &ratios = areEnough ? kept : all;
    std::sort(ratios.begin(), ratios.end());
    figures.ratio = ratios[ratios.size() / 2];
    double quartiles = ratios[ratios.size() * 3 / 4] - ratios[ratios.size() / 4];
    figures.spread = quartiles / 2 / figures.ratio;
    figures.kernelSeconds = median(kernelTimes);
    figures.boundSeconds = median(boundTimes);
    figures.memcpyRatio = median(memcpyRatios);
    if (!patternRatios.empty())
      figures.patternRatio = median(patternRatios);
  }

  const Kernel &kernel;
  const BenchmarkOptions &options;
  BufferRing &ring;
  Stopwatch watch;
  CopyTimer copies;
  std::vector<double> kernelTimes, boundTimes, memcpyRatios, patternRatios;
  std::vector<bool> steady;
};
} // namespace

static Result<BufferRing> ringFor(const Kernel &kernel, const BenchmarkOptions &options) {
  const KernelInfo &info = kernel.info();
  if (info.units == 0 || copyBytes(kernel) == 0)
    return Error{ErrorCode::Unsupported,
                 "expects a kernel that moves at least one byte, but from " +
                     std::to_string(info.inputBytes) + " bytes to " +
                     std::to_string(info.outputBytes) + " this one moves none"};
  int64_t bytes = copyBytes(kernel);
  // What memory holds can be rounded to pages and doubled.
  if (Status status = checkMemory({bytes, bytes}); !status)
    return status.error();
  return BufferRing::make(bytes, pairsFor(bytes, options.cold), options.hugePages);
}

Result<BenchmarkFigures> relayout::benchmarkKernel(const Kernel &kernel,
                                                   const BenchmarkOptions &options) {
  Result<BufferRing> ring = ringFor(kernel, options);
  if (!ring)
    return ring.error();
  Status fits = kernel.run(ring->in(), ring->out(), options.executor);
  if (!fits)
    return fits.error();
  return Bench(kernel, options, *ring).run();
}

Result<std::vector<double>> relayout::compareKernels(const std::vector<Kernel> &kernels,
                                                     const BenchmarkOptions &options) {
  if (kernels.empty())
    return std::vector<double>();
  Result<BufferRing> ring = ringFor(kernels[0], options);
  if (!ring)
    return ring.error();
  for (const Kernel &kernel : kernels)
    if (Status fits = kernel.run(ring->in(), ring->out(), options.executor); !fits)
      return fits.error();
  auto call = [&](const Kernel &kernel) {
    return [&] { (void)kernel.run(ring->in(), ring->out(), options.executor); };
  };
  Stopwatch watch(*ring, options.executor);
  watch.calibrate(call(kernels[0]));
  CopyTimer copies(watch, *ring, copyBytes(kernels[0]));
  const Copy best = copies.fastest(allCopies(options.executor));
  std::vector<std::vector<double>> samples(kernels.size());
  for (int round = 0; round < std::max(options.rounds, 1); ++round)
    for (size_t i = 0; i < kernels.size(); ++i) {
      double bound = copies.seconds(best);
      samples[i].push_back(bound / watch.sample(call(kernels[i])));
    }
  std::vector<double> ratios;
  for (std::vector<double> &ofKernel : samples)
    ratios.push_back(median(std::move(ofKernel)));
  return ratios;
}
