/* Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/** \file
 * Loads an image with nothing but the runtime library, runs it and compares. Prints
 * why if the image is refused. */

#include "Inputs/depth_to_space.h"

#include "relayout-c/runtime.h"

#include <stdlib.h>

static int refuse(relayout_error *error) {
  printf("refused with code %d: %s\n", (int)relayout_error_get_code(error),
         relayout_error_message(error));
  relayout_error_free(error);
  return 1;
}

/** The same kernel from memory that is freed before it runs. */
static relayout_error *load_copy(const char *path, relayout_kernel **kernel) {
  FILE *file = fopen(path, "rb");
  char *bytes = malloc(1 << 20);
  size_t size = file ? fread(bytes, 1, 1 << 20, file) : 0;
  if (file)
    fclose(file);
  relayout_error *error = relayout_kernel_load(bytes, size, kernel);
  memset(bytes, 0, size);
  free(bytes);
  return error;
}

int main(int argc, char **argv) {
  relayout_kernel *kernel = NULL, *copy = NULL;
  relayout_kernel_info info = {.struct_size = sizeof(info)};
  relayout_error *error;
  if (argc != 2)
    return 2;
  if ((error = relayout_kernel_load_file(argv[1], &kernel)))
    return refuse(error);
  if ((error = load_copy(argv[1], &copy)))
    return refuse(error);
  if ((error = relayout_kernel_get_info(kernel, &info)))
    return refuse(error);
  printf("%s\n", relayout_kernel_spec(kernel));
  for (relayout_kernel *each = kernel; each; each = each == kernel ? copy : NULL) {
    fill();
    if ((error = relayout_kernel_run(each, (relayout_const_buffer){in, sizeof(in)},
                                     (relayout_buffer){out, sizeof(out)}, NULL)))
      return refuse(error);
    if (compare() != 0)
      return 1;
  }
  relayout_kernel_free(kernel);
  relayout_kernel_free(copy);
  return 0;
}
