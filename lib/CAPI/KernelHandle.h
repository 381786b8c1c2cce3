// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The handle of a kernel, which both libraries of the C interface share.

#ifndef RELAYOUT_LIB_CAPI_KERNELHANDLE_H
#define RELAYOUT_LIB_CAPI_KERNELHANDLE_H

#include "relayout-c/runtime.h"

#include "relayout/Runtime/Kernel.h"

#include <string>

struct relayout_kernel {
  relayout::Kernel kernel;
  std::string spec;     ///< JSON
  std::string schedule; ///< empty for a plain copy
};

#endif // RELAYOUT_LIB_CAPI_KERNELHANDLE_H
