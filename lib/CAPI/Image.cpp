// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelHandle.h"
#include "Support.h"

#include "relayout/Runtime/File.h"
#include "relayout/Runtime/Image.h"

using namespace relayout;
using namespace relayout::capi;

static Result<relayout_kernel> loadKernel(std::string_view bytes) {
  Result<Image> image = decodeImage(bytes);
  if (!image)
    return image.error();
  Result<const ImageVariant *> variant = chooseVariant(*image);
  if (!variant)
    return variant.error();
  Result<Kernel> kernel = mapKernel((*variant)->kernel);
  if (!kernel)
    return kernel.error();
  return relayout_kernel{kernel.take(), image->spec, (*variant)->kernel.schedule};
}

static relayout_error *handOver(Result<relayout_kernel> loaded, relayout_kernel **kernel) {
  if (!loaded)
    return fail(loaded.error());
  *kernel = new relayout_kernel(loaded.take());
  return nullptr;
}

relayout_error *relayout_kernel_load(const void *data, size_t size, relayout_kernel **kernel) {
  if (relayout_error *error = require(kernel, "kernel"))
    return error;
  if (relayout_error *error = require(data, "data"))
    return error;
  return handOver(loadKernel({static_cast<const char *>(data), size}), kernel);
}

relayout_error *relayout_kernel_load_file(const char *path, relayout_kernel **kernel) {
  if (relayout_error *error = require(kernel, "kernel"))
    return error;
  if (relayout_error *error = require(path, "path"))
    return error;
  Result<std::string> bytes = readFile(path);
  if (!bytes)
    return fail(bytes.error());
  Result<relayout_kernel> loaded = loadKernel(*bytes);
  if (!loaded)
    return fail(loaded.error().code, "'" + std::string(path) + "': " + loaded.error().message);
  return handOver(std::move(loaded), kernel);
}
