/* Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Compiles and runs a transpose, and prints the result. */

#include <relayout-c/relayout.h>
#include <stdio.h>

static int report(relayout_error *error) {
  fprintf(stderr, "%s\n", relayout_error_message(error));
  relayout_error_free(error);
  return 1;
}

int main(void) {
  const int64_t shape[] = {2, 3}, perm[] = {1, 0};
  relayout_tensor operand = {"i32", 0, 2, shape};
  relayout_spec *spec;
  relayout_compiler *compiler;
  relayout_plan *plan;
  relayout_kernel *kernel;
  relayout_error *error;
  if ((error = relayout_spec_create_transpose(&operand, perm, &spec)) ||
      (error = relayout_compiler_create(NULL, &compiler)) ||
      (error = relayout_plan_create(compiler, spec, NULL, &plan)) ||
      (error = relayout_kernel_create(plan, &kernel)))
    return report(error);
  int32_t in[] = {0, 1, 2, 3, 4, 5}, out[6];
  relayout_const_buffer from = {in, sizeof in};
  relayout_buffer to = {out, sizeof out};
  if ((error = relayout_kernel_run(kernel, from, to, NULL)))
    return report(error);
  for (int i = 0; i < 6; ++i)
    printf("%d ", (int)out[i]);
  printf("\n");
  relayout_kernel_free(kernel);
  relayout_plan_free(plan);
  relayout_compiler_free(compiler);
  relayout_spec_free(spec);
  return 0;
}
