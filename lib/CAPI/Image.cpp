// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelHandle.h"
#include "Support.h"

using namespace relayout;
using namespace relayout::capi;

relayout_error *relayout_kernel_load(const void *data, size_t size, relayout_kernel **kernel) {
  if (relayout_error *error = require(kernel, "kernel"))
    return error;
  if (relayout_error *error = require(data, "data"))
    return error;
  return fail(ErrorCode::Unsupported, "this version does not load images");
}

relayout_error *relayout_kernel_load_file(const char *path, relayout_kernel **kernel) {
  if (relayout_error *error = require(kernel, "kernel"))
    return error;
  if (relayout_error *error = require(path, "path"))
    return error;
  return fail(ErrorCode::Unsupported, "this version does not load images");
}
