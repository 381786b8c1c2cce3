// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelHandle.h"
#include "Support.h"

#include <algorithm>

using namespace relayout;
using namespace relayout::capi;

static int64_t bytesOf(size_t size) {
  return static_cast<int64_t>(std::min<size_t>(size, INT64_MAX));
}

/// An error if an executor cannot be called.
static relayout_error *checkExecutor(const relayout_executor &executor) {
  if (!executor.run)
    return fail(ErrorCode::Usage, "expects run of the executor not to be null");
  if (executor.width < 1)
    return fail(ErrorCode::Usage, "expects the width of the executor to be at least 1, but it is " +
                                      std::to_string(executor.width));
  return nullptr;
}

relayout_error *relayout_kernel_get_info(const relayout_kernel *kernel,
                                         relayout_kernel_info *info) {
  if (relayout_error *error = require(kernel, "kernel"))
    return error;
  const KernelInfo &known = kernel->kernel.info();
  relayout_kernel_info result = {};
  result.input_size = known.inputBytes;
  result.output_size = known.outputBytes;
  result.alignment = known.alignment;
  result.scratch_size = known.scratchBytes;
  result.units = known.units;
  return fillStruct(info, result, "info");
}

relayout_error *relayout_kernel_run(const relayout_kernel *kernel, relayout_const_buffer in,
                                    relayout_buffer out, const relayout_executor *executor) {
  if (!kernel)
    return require(kernel, "kernel");
  ConstBuffer from{in.data, bytesOf(in.size)};
  Buffer to{out.data, bytesOf(out.size)};
  if (!executor)
    return fail(kernel->kernel.run(from, to));
  if (relayout_error *error = checkExecutor(*executor))
    return error;
  Executor host{executor->run, executor->width, executor->context};
  return fail(kernel->kernel.run(from, to, &host));
}

/// The checks of `relayout_kernel_run_units` that are not those of buffers.
static relayout_error *checkUnits(const KernelInfo &info, const void *scratch, int64_t begin,
                                  int64_t end) {
  if (begin < 0 || begin > end || end > info.units)
    return fail(ErrorCode::Usage, "expects units within 0 to " + std::to_string(info.units) +
                                      ", but got " + std::to_string(begin) + " to " +
                                      std::to_string(end));
  if (info.scratchBytes > 0 && !scratch)
    return fail(ErrorCode::Buffer, "expects the scratch not to be null, since " +
                                       std::to_string(info.scratchBytes) + " bytes are needed");
  if (reinterpret_cast<uintptr_t>(scratch) % 64 != 0)
    return fail(ErrorCode::Buffer, "expects the scratch to be aligned to 64 bytes");
  return nullptr;
}

relayout_error *relayout_kernel_run_units(const relayout_kernel *kernel, relayout_const_buffer in,
                                          relayout_buffer out, void *scratch, int64_t begin,
                                          int64_t end) {
  if (!kernel)
    return require(kernel, "kernel");
  if (relayout_error *error = checkUnits(kernel->kernel.info(), scratch, begin, end))
    return error;
  if (Status status =
          kernel->kernel.checkBuffers({in.data, bytesOf(in.size)}, {out.data, bytesOf(out.size)});
      !status)
    return fail(status);
  if (begin < end)
    kernel->kernel.runUnits(in.data, out.data, scratch, begin, end);
  return nullptr;
}

const char *relayout_kernel_spec(const relayout_kernel *kernel) {
  return kernel ? kernel->spec.c_str() : nullptr;
}

const char *relayout_kernel_schedule(const relayout_kernel *kernel) {
  return kernel ? kernel->schedule.c_str() : nullptr;
}

void relayout_kernel_free(relayout_kernel *kernel) { delete kernel; }
