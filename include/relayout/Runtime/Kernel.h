// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Kernels as callable things: code or a plain copy, and what a caller must know
/// of it. Knows no LLVM and no MLIR.

#ifndef RELAYOUT_RUNTIME_KERNEL_H
#define RELAYOUT_RUNTIME_KERNEL_H

#include "relayout/Runtime/Executor.h"
#include "relayout/Support/Result.h"

#include <cstdint>
#include <memory>

namespace relayout {

/// The code of a kernel. It moves the elements of units `begin` to `end - 1`;
/// `scratch` is memory of the calling thread alone. It calls and allocates nothing.
using KernelFunction = void (*)(const void *in, void *out, void *scratch, int64_t begin,
                                int64_t end);

/// Memory to read from and to write to; sizes count bytes.
struct ConstBuffer {
  const void *data;
  int64_t bytes;
};
struct Buffer {
  void *data;
  int64_t bytes;
};

/// What a caller must know of a kernel. Sizes count bytes.
struct KernelInfo {
  int64_t inputBytes = 0;   ///< the kernel reads nothing beyond
  int64_t outputBytes = 0;  ///< the kernel writes nothing beyond
  int64_t alignment = 1;    ///< of both base addresses
  int64_t scratchBytes = 0; ///< for each thread that calls
  /// The work is cut into the units 0 .. units - 1. Any partition of them, in any
  /// order and on any threads, writes every byte of the output once.
  int64_t units = 0;
};

/// A kernel that can be called. Copies share the code, which lives as long as one
/// of them. All members may be called from several threads at once.
class Kernel {
public:
  /// `owner` keeps the code of `function` alive.
  Kernel(KernelFunction function, const KernelInfo &info, std::shared_ptr<void> owner = nullptr);

  /// A plain copy of `bytes` bytes between two offsets, which needs no code. `info`
  /// holds the sizes of the buffers; its units are chosen here.
  static Kernel copy(KernelInfo info, int64_t inputOffset, int64_t outputOffset, int64_t bytes);

  const KernelInfo &info() const { return properties; }
  bool isCopy() const { return !function; }

  /// Runs the whole kernel on `executor`, or on the caller's thread if it is null or
  /// `taskCount` says 1. Buffers that are null (unless 0 bytes are needed), too small,
  /// misaligned or overlapping are errors, and then nothing is written.
  Status run(ConstBuffer in, Buffer out, const Executor *executor = nullptr) const;

  /// The same in `tasks` tasks (at most as many as there are units), whether or not
  /// that pays: for tests of partitions.
  Status runTasks(ConstBuffer in, Buffer out, const Executor &executor, int64_t tasks) const;

  /// Among how many tasks `run` shares the units where `width` tasks run at once. Each
  /// has `kTaskBytes` of both buffers together at least, so that waking its thread pays.
  int64_t taskCount(int64_t width) const;
  static constexpr int64_t kTaskBytes = 256 << 10;

  /// The checks of `run`.
  Status checkBuffers(ConstBuffer in, Buffer out) const;

  /// Runs units `begin` to `end - 1` on the caller's thread, without checks.
  /// `scratch` has `info().scratchBytes` bytes, aligned to 64; a page is faster.
  void runUnits(const void *in, void *out, void *scratch, int64_t begin, int64_t end) const;

private:
  Status share(ConstBuffer in, Buffer out, const Executor *executor, int64_t tasks) const;

  KernelFunction function = nullptr;
  KernelInfo properties;
  std::shared_ptr<void> owner;
  int64_t copyFrom = 0;
  int64_t copyTo = 0;
  int64_t copyBytes = 0;
};

} // namespace relayout

#endif // RELAYOUT_RUNTIME_KERNEL_H
