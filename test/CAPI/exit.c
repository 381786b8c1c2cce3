/* Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Calls while the process ends: from a function that was given to atexit before the library
 * was first used, and so runs after what the library would destroy, and from a destructor
 * of the program, which runs later still. Only compiling is over then, as LLVM is. */

#include "check.h"

static const char *image;
static relayout_kernel *kernel;
static int ended; /* how many have come to their end */

static relayout_spec *make_spec(void) {
  const int64_t shape[] = {1, 12, 67, 131}, block[] = {2};
  const relayout_tensor operand = {"f32", 0, 4, shape};
  relayout_spec *spec;
  FAILS(RELAYOUT_ERROR_LAYOUT, "NHWC, NCHW, NCHW_VECT_C",
        relayout_spec_create_depth_to_space(&operand, "NHCW", "DCR", block, 1, &spec));
  OK(relayout_spec_create_depth_to_space(&operand, "NCHW", "DCR", block, 1, &spec));
  return spec;
}

static void use_all(void) {
  relayout_kernel *loaded;
  relayout_spec_free(make_spec());
  OK(relayout_kernel_verify(kernel));
  OK(relayout_kernel_load_file(image, &loaded));
  OK(relayout_kernel_verify(loaded));
  relayout_kernel_free(loaded);
}

static void at_exit(void) {
  use_all();
  ++ended;
}

static void __attribute__((destructor)) at_end(void) {
  if (!image)
    return;
  use_all();
  CHECK(ended == 1);
  puts("done");
}

int main(int argc, char **argv) {
  CHECK(argc == 2 && atexit(at_exit) == 0);
  image = argv[1];
  relayout_compiler *compiler;
  OK(relayout_compiler_create(NULL, &compiler));
  kernel = compile_spec(compiler, make_spec());
  relayout_compiler_free(compiler);
  use_all();
  return 0;
}
