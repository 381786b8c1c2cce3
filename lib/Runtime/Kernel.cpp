// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Runtime/Kernel.h"

#include "relayout/Runtime/CopyBound.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <utility>

namespace relayout {

/// A plain copy is cut at every page's worth of bytes.
static constexpr int64_t kCopyUnit = 4096;
/// Scratch memory starts with a page: on some processors a store across the end of one waits for
/// all stores before it, those past the caches too (docs/schedules.md, "Scratch memory").
static constexpr int64_t kScratchAlignment = 4096;

Kernel::Kernel(KernelFunction function, const KernelInfo &info, std::shared_ptr<void> owner)
    : function(function), properties(info), owner(std::move(owner)) {}

Kernel Kernel::copy(KernelInfo info, int64_t inputOffset, int64_t outputOffset, int64_t bytes) {
  info.units = bytes / kCopyUnit + (bytes % kCopyUnit != 0);
  info.scratchBytes = 0;
  Kernel kernel(nullptr, info);
  kernel.copyFrom = inputOffset;
  kernel.copyTo = outputOffset;
  kernel.copyBytes = bytes;
  return kernel;
}

static Error bufferError(const char *which, const std::string &rule) {
  return {ErrorCode::Buffer, std::string("expects the ") + which + " " + rule};
}

static Status checkBuffer(const char *which, const void *data, int64_t bytes, int64_t needed,
                          int64_t alignment) {
  if (bytes < needed)
    return bufferError(which, "to have at least " + std::to_string(needed) + " bytes, but it has " +
                                  std::to_string(bytes));
  if (needed == 0)
    return Status::success();
  if (!data)
    return bufferError(which,
                       "not to be null, since " + std::to_string(needed) + " bytes are needed");
  uintptr_t address = reinterpret_cast<uintptr_t>(data);
  if (address % static_cast<uintptr_t>(alignment) != 0)
    return bufferError(which, "to be aligned to " + std::to_string(alignment) +
                                  " bytes, but its address is " +
                                  std::to_string(address % alignment) + " past a multiple of it");
  if (address + static_cast<uintptr_t>(needed) < address)
    return bufferError(which, "to end within the address space, but it does not");
  return Status::success();
}

Status Kernel::checkBuffers(ConstBuffer in, Buffer out) const {
  const KernelInfo &info = properties;
  if (Status s = checkBuffer("input", in.data, in.bytes, info.inputBytes, info.alignment); !s)
    return s;
  if (Status s = checkBuffer("output", out.data, out.bytes, info.outputBytes, info.alignment); !s)
    return s;
  if (info.inputBytes == 0 || info.outputBytes == 0)
    return Status::success();
  uintptr_t inBegin = reinterpret_cast<uintptr_t>(in.data);
  uintptr_t outBegin = reinterpret_cast<uintptr_t>(out.data);
  if (inBegin < outBegin + info.outputBytes && outBegin < inBegin + info.inputBytes)
    return bufferError("output", "not to overlap the input, but they share " +
                                     std::to_string(std::min(inBegin + info.inputBytes,
                                                             outBegin + info.outputBytes) -
                                                    std::max(inBegin, outBegin)) +
                                     " bytes");
  return Status::success();
}

/// memcpy, but for sizes that leave the caches: there, several streams read side by
/// side and stored past the caches are faster (docs/schedules.md, "Plain copies").
static void copyPlain(const char *in, char *out, int64_t bytes) {
  constexpr int64_t kStreamBytes = 8 << 20;
  constexpr CopyMethod kStreams = {"nt4", CopyMethod::Kind::NonTemporal, 4};
  if (bytes < kStreamBytes) {
    std::memcpy(out, in, bytes);
    return;
  }
  int64_t head = -reinterpret_cast<uintptr_t>(out) % 64;
  std::memcpy(out, in, head);
  copyByMethod(kStreams, in + head, out + head, bytes - head);
}

void Kernel::runUnits(const void *in, void *out, void *scratch, int64_t begin, int64_t end) const {
  if (function)
    return function(in, out, scratch, begin, end);
  begin = std::max<int64_t>(begin, 0);
  end = std::min(end, properties.units);
  if (begin >= end)
    return;
  int64_t first = begin * kCopyUnit;
  int64_t last = end == properties.units ? copyBytes : end * kCopyUnit;
  copyPlain(static_cast<const char *>(in) + copyFrom + first,
            static_cast<char *>(out) + copyTo + first, last - first);
}

namespace {
struct FreeMemory {
  void operator()(char *memory) const { std::free(memory); }
};

/// Memory that its owner alone uses, aligned to a page.
struct ScratchBlock {
  std::unique_ptr<char, FreeMemory> memory;
  int64_t bytes = 0;
};

/// Scratch memory of one call. A thread keeps the block of a call for its next one, so that a
/// call allocates only when it needs more than any before. While a call runs the block is its
/// own: an executor may have another kernel run on the thread that waits.
class CallScratch {
public:
  CallScratch() {
    if (ScratchBlock *last = kept())
      std::swap(*last, block);
  }
  /// The larger one stays, where a call within this one has left another.
  ~CallScratch() {
    if (ScratchBlock *last = kept(); last && last->bytes < block.bytes)
      std::swap(*last, block);
  }
  CallScratch(const CallScratch &) = delete;
  CallScratch &operator=(const CallScratch &) = delete;

  /// Null if the system has no more memory. `bytes` is a multiple of the alignment.
  char *reserve(int64_t bytes) {
    if (bytes <= block.bytes)
      return block.memory.get();
    block = ScratchBlock(); // not both at once
    block.memory.reset(static_cast<char *>(std::aligned_alloc(kScratchAlignment, bytes)));
    block.bytes = block.memory ? bytes : 0;
    return block.memory.get();
  }

private:
  /// Null once the thread has destroyed its block: calls come later still, from other
  /// destructors and from `atexit`.
  static ScratchBlock *kept() {
    static thread_local bool isOver = false;
    struct Kept : ScratchBlock {
      ~Kept() { isOver = true; }
    };
    static thread_local Kept block;
    return isOver ? nullptr : &block;
  }

  ScratchBlock block;
};

/// One call of `run`, as its tasks see it.
struct Call {
  const Kernel &kernel;
  const void *in;
  void *out;
  char *scratch;
  int64_t scratchStride;
  int64_t tasks;

  void runTask(int64_t index) const {
    UnitRange share = unitShare(kernel.info().units, tasks, index);
    kernel.runUnits(in, out, scratch ? scratch + index * scratchStride : nullptr, share.begin,
                    share.end);
  }
};
} // namespace

int64_t Kernel::taskCount(int64_t width) const {
  // To wake a thread takes some 10 microseconds, in which one moves about as much within
  // the caches (docs/performance.md, "What a thread costs").
  int64_t worth =
      properties.inputBytes / kTaskBytes + properties.outputBytes / kTaskBytes +
      (properties.inputBytes % kTaskBytes + properties.outputBytes % kTaskBytes) / kTaskBytes;
  return std::max<int64_t>(1, std::min({width, worth, properties.units}));
}

Status Kernel::run(ConstBuffer in, Buffer out, const Executor *executor) const {
  return share(in, out, executor, executor ? taskCount(executor->width) : 1);
}

Status Kernel::runTasks(ConstBuffer in, Buffer out, const Executor &executor, int64_t tasks) const {
  return share(in, out, &executor, std::max<int64_t>(1, std::min(tasks, properties.units)));
}

/// Bytes of scratch memory from one task's to the next one's, in whole pages, and of all
/// tasks; empty where 63 bits do not hold them.
static std::optional<std::pair<int64_t, int64_t>> scratchSizes(int64_t bytes, int64_t tasks) {
  int64_t padded, all;
  if (__builtin_add_overflow(bytes, kScratchAlignment - 1, &padded))
    return std::nullopt;
  int64_t stride = padded & -kScratchAlignment;
  if (__builtin_mul_overflow(stride, tasks, &all))
    return std::nullopt;
  return std::pair(stride, all);
}

Status Kernel::share(ConstBuffer in, Buffer out, const Executor *executor, int64_t tasks) const {
  if (Status status = checkBuffers(in, out); !status)
    return status;
  if (properties.units == 0)
    return Status::success();

  std::optional<CallScratch> owned;
  char *scratch = nullptr;
  int64_t stride = 0;
  if (properties.scratchBytes != 0) {
    auto sizes = scratchSizes(properties.scratchBytes, tasks);
    if (!sizes || !(scratch = owned.emplace().reserve(sizes->second)))
      return Error{ErrorCode::Environment,
                   "expects memory for " + std::to_string(properties.scratchBytes) +
                       " bytes of scratch for each of " + std::to_string(tasks) +
                       " tasks, but the system has not so much" +
                       (tasks > 1 ? "; fewer tasks need less" : "")};
    stride = sizes->first;
  }

  Call call{*this, in.data, out.data, scratch, stride, tasks};
  if (tasks == 1) {
    call.runTask(0);
    return Status::success();
  }
  executor->run(
      executor->context, tasks,
      [](void *argument, int64_t index) { static_cast<const Call *>(argument)->runTask(index); },
      &call);
  return Status::success();
}

} // namespace relayout
