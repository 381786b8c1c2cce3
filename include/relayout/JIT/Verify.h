// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Proves one compiled kernel: every element of the result is compared with the
/// reference evaluator, on ids that tell all elements apart.

#ifndef RELAYOUT_JIT_VERIFY_H
#define RELAYOUT_JIT_VERIFY_H

#include "relayout/Layout/Rearrangement.h"
#include "relayout/Runtime/Kernel.h"

#include <optional>
#include <string>
#include <vector>

namespace relayout {

/// The first element that is not what the reference says.
struct VerifyMismatch {
  int64_t element;        ///< row-major index in the result
  int64_t expectedSource; ///< row-major index in the operand, -1 for the fill value
  std::string expected;   ///< bytes in hexadecimal, most significant first
  std::string found;

  /// What was expected and what was found, in a sentence without its end.
  std::string message() const;
};

/// What was proved.
struct VerifyReport {
  int64_t elements = 0; ///< of the result, each compared in every run
  int64_t runs = 0;     ///< of the kernel
  int64_t tasks = 1;    ///< that shared the units of each run
  int64_t idRuns = 0;   ///< how many of different ids it took to tell all elements apart
  std::optional<VerifyMismatch> mismatch;
  bool ok() const { return !mismatch; }
};

/// Strides of both sides, in elements, none of them negative; empty: row-major without
/// gaps.
struct VerifyStrides {
  std::vector<int64_t> in;
  std::vector<int64_t> out;
};

/// An error of code Mismatch unless `kernel` reads and writes as many bytes as `r` on elements of
/// `width` bytes, which lie as `strides` says. Other errors where there can be no such kernel.
Status checkKernelSizes(const Kernel &kernel, const Rearrangement &r, int64_t width,
                        const VerifyStrides &strides = {});

/// Runs `kernel`, which claims to perform `r` on tensors of elements of `width` bytes
/// that lie as `strides` says, and compares. `fill` points to the `width` bytes of the fill
/// value (little endian), or is null for zero.
///
/// The ids of the operand's elements are distinct, and none looks like the fill
/// value; run k uses bytes `width * k` and up of an id, so single bytes take as many
/// runs as an id has bytes. Each is done with both buffers flush against an
/// inaccessible page at the end, then at the beginning, and over an output that
/// differs from what is expected in every bit. Touching such a page ends the process.
/// Bytes of the output that belong to no element must keep their value: else an error
/// of code Mismatch.
///
/// With `executor` each run is shared among as many tasks as run there at once, however small
/// the kernel is. An error of code Environment if there is no memory for both buffers twice; an
/// error if the kernel's sizes are not those of `r`.
Result<VerifyReport> verifyKernel(const Kernel &kernel, const Rearrangement &r, int64_t width,
                                  const void *fill, const Executor *executor = nullptr,
                                  const VerifyStrides &strides = {});

} // namespace relayout

#endif // RELAYOUT_JIT_VERIFY_H
