/* Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Links the library that has no compiler, and asks it for what it cannot do. */

#include <relayout-c/runtime.h>
#include <stdio.h>

int main(void) {
  relayout_kernel *kernel;
  relayout_error *error = relayout_kernel_load("no image", 8, &kernel);
  printf("%s: %s\n", relayout_version(), error ? relayout_error_message(error) : "loaded");
  relayout_error_free(error);
  return !error;
}
