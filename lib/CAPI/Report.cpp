// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Handles.h"
#include "KernelHandle.h"

#include "relayout/JIT/Verify.h"
#include "relayout/Runtime/Benchmark.h"

using namespace relayout;
using namespace relayout::capi;

/// The spec that a kernel carries.
static Result<relayout_spec> specOf(const relayout_kernel &kernel) {
  Result<Spec> spec = parseSpecText(kernel.spec);
  if (!spec)
    return spec.error();
  return makeSpecHandle(spec.take());
}

relayout_error *relayout_kernel_verify(const relayout_kernel *kernel) {
  if (relayout_error *error = require(kernel, "kernel"))
    return error;
  Result<relayout_spec> found = specOf(*kernel);
  if (!found)
    return fail(found.error());
  const Spec &spec = found->spec;
  Result<VerifyReport> report =
      verifyKernel(kernel->kernel, found->meaning, spec.dtype->width, spec.fill(), nullptr,
                   spec.isStrided() ? VerifyStrides{found->input.strides, found->output.strides}
                                    : VerifyStrides{});
  if (!report)
    return fail(report.error());
  if (report->ok())
    return nullptr;
  return fail(ErrorCode::Mismatch, report->mismatch->message());
}

relayout_error *relayout_kernel_bench(const relayout_kernel *kernel, int warm,
                                      relayout_measurement *measurement) {
  if (relayout_error *error = require(kernel, "kernel"))
    return error;
  if (relayout_error *error = require(measurement, "measurement"))
    return error;
  if (relayout_error *error = checkStructSize(measurement->struct_size, "measurement"))
    return error;
  BenchmarkOptions options;
  options.cold = !warm;
  Result<BenchmarkFigures> figures = benchmarkKernel(kernel->kernel, options);
  if (!figures)
    return fail(figures.error());
  relayout_measurement result = {};
  result.gbps = figures->gbps();
  result.bound_gbps = figures->boundGbps();
  result.memcpy_gbps = figures->memcpyGbps();
  result.ratio = figures->ratio;
  result.spread = 2 * figures->spread;
  return fillStruct(measurement, result, "measurement");
}
