// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What kernels take for an element: no more than a lane of a vector holds.

#ifndef RELAYOUT_LAYOUT_KERNELFORM_H
#define RELAYOUT_LAYOUT_KERNELFORM_H

#include "relayout/Layout/Problem.h"

namespace relayout {

/// A rearrangement as a kernel performs it.
struct KernelForm {
  Rearrangement rearrangement;
  int64_t width;     ///< bytes of one part
  int64_t parts = 1; ///< of an element: if 2, the last dimension of both sides
};

/// The form of `r` over elements of `width` bytes. A lane of a vector has 8 bytes at most, so an
/// element of 16 is seen as two parts that lie side by side. It remains whole if the halves of
/// `fill` differ (`width` bytes; null: zero), since a movement has one fill value, and if a
/// dimension more would go beyond what a rearrangement may have.
KernelForm kernelForm(const Rearrangement &r, int64_t width, const void *fill);

/// Strides in parts of a tensor whose strides in elements are `strides`.
std::vector<int64_t> stridesOfParts(const KernelForm &form, const std::vector<int64_t> &strides);

/// `buildProblem` of the form of `r`, with strides in elements.
Result<Problem> buildKernelProblem(const Rearrangement &r, int64_t width, const void *fill,
                                   const std::vector<int64_t> &operandStrides,
                                   const std::vector<int64_t> &resultStrides);
/// The same for dense row-major tensors.
Result<Problem> buildKernelProblem(const Rearrangement &r, int64_t width, const void *fill);

} // namespace relayout

#endif // RELAYOUT_LAYOUT_KERNELFORM_H
