/* Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* The library that holds its own LLVM, in one process with another LLVM whose symbols
 * are global: both must work. With `first`, the other LLVM is loaded before it. */

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "check.h"

#include <dlfcn.h>
#include <unistd.h>

static void compile_and_verify(relayout_compiler *compiler, int64_t extent) {
  const int64_t shape[] = {extent, 5, 7};
  relayout_tensor operand = {"f32", 0, 3, shape};
  relayout_spec *spec;
  OK(relayout_spec_create_transpose(&operand, (const int64_t[]){2, 1, 0}, &spec));
  relayout_kernel *kernel = compile_spec(compiler, spec);
  OK(relayout_kernel_verify(kernel));
  relayout_kernel_free(kernel);
}

/* Makes and prints a module with the other LLVM, by its C interface. */
static void use_other_llvm(void) {
  void *(*make_context)(void), *(*make_module)(const char *, void *);
  char *(*print)(void *);
  *(void **)&make_context = dlsym(RTLD_DEFAULT, "LLVMContextCreate");
  *(void **)&make_module = dlsym(RTLD_DEFAULT, "LLVMModuleCreateWithNameInContext");
  *(void **)&print = dlsym(RTLD_DEFAULT, "LLVMPrintModuleToString");
  CHECK(make_context && make_module && print);
  CHECK(strstr(print(make_module("other", make_context())), "ModuleID = 'other'"));
}

int main(int argc, char **argv) {
  if (argc > 1 && !getenv("LD_PRELOAD")) {
    setenv("LD_PRELOAD", OTHER_LLVM ":" OTHER_MLIR, 1);
    execv(argv[0], argv);
    return 1;
  }
  relayout_compiler *compiler;
  OK(relayout_compiler_create(NULL, &compiler));
  if (argc == 1) {
    CHECK(!dlsym(RTLD_DEFAULT, "LLVMContextCreate"));
    compile_and_verify(compiler, 3);
    CHECK(dlopen(OTHER_LLVM, RTLD_NOW | RTLD_GLOBAL) && dlopen(OTHER_MLIR, RTLD_NOW | RTLD_GLOBAL));
  }
  use_other_llvm();
  compile_and_verify(compiler, 11);
  use_other_llvm();
  relayout_compiler_free(compiler);
  return 0;
}
