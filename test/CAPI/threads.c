/* Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* 16 threads share one compiler, one plan and one kernel, which is large enough for two
 * tasks of the pool. */

#include "check.h"

#include <pthread.h>

enum { THREADS = 16, ROUNDS = 12, ROWS = 277, COLUMNS = 293 };

struct shared {
  relayout_compiler *compiler;
  const relayout_plan *plan;
  const relayout_kernel *kernel;
  const relayout_executor *pool;
  uint32_t in[ROWS * COLUMNS];
};

static void expect_transposed(const relayout_kernel *kernel, const struct shared *shared,
                              const relayout_executor *executor) {
  uint32_t out[ROWS * COLUMNS];
  memset(out, 0, sizeof out);
  relayout_const_buffer from = {shared->in, sizeof shared->in};
  relayout_buffer to = {out, sizeof out};
  OK(relayout_kernel_run(kernel, from, to, executor));
  for (int row = 0; row < ROWS; ++row)
    for (int column = 0; column < COLUMNS; ++column)
      CHECK(out[column * ROWS + row] == shared->in[row * COLUMNS + column]);
}

/* A kernel that no other thread asks for. */
static void compile_own(const struct shared *shared, int64_t extent) {
  const int64_t shape[] = {extent, 3};
  relayout_tensor operand = {"u8", 0, 2, shape};
  relayout_spec *spec;
  OK(relayout_spec_create_transpose(&operand, (const int64_t[]){1, 0}, &spec));
  relayout_kernel *kernel = compile_spec(shared->compiler, spec);
  OK(relayout_kernel_verify(kernel));
  relayout_kernel_free(kernel);
}

struct worker {
  struct shared *shared;
  int64_t index;
  pthread_t thread;
};

static void *work(void *argument) {
  struct worker *worker = argument;
  const struct shared *shared = worker->shared;
  relayout_kernel *same;
  OK(relayout_kernel_create(shared->plan, &same));
  compile_own(shared, 5 + worker->index);
  CHECK(strstr(relayout_plan_explain(shared->plan), relayout_plan_schedule(shared->plan)));
  for (int round = 0; round < ROUNDS; ++round) {
    expect_transposed(shared->kernel, shared, round % 2 ? shared->pool : NULL);
    expect_transposed(same, shared, NULL);
  }
  relayout_kernel_free(same);
  relayout_compiler_statistics counts;
  counts.struct_size = sizeof counts;
  OK(relayout_compiler_get_statistics(shared->compiler, &counts));
  return NULL;
}

int main(void) {
  static struct shared shared;
  scramble(shared.in, sizeof shared.in);
  OK(relayout_compiler_create(NULL, &shared.compiler));
  const int64_t shape[] = {ROWS, COLUMNS};
  relayout_tensor operand = {NULL, 4, 2, shape};
  relayout_spec *spec;
  relayout_plan *plan;
  relayout_kernel *kernel;
  relayout_pool *pool;
  OK(relayout_spec_create_transpose(&operand, (const int64_t[]){1, 0}, &spec));
  OK(relayout_plan_create(shared.compiler, spec, NULL, &plan));
  OK(relayout_kernel_create(plan, &kernel));
  OK(relayout_pool_create(4, &pool));
  shared.plan = plan;
  shared.kernel = kernel;
  shared.pool = relayout_pool_executor(pool);
  static struct worker workers[THREADS];
  for (int i = 0; i < THREADS; ++i) {
    workers[i].shared = &shared;
    workers[i].index = i;
    CHECK(pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0);
  }
  for (int i = 0; i < THREADS; ++i)
    CHECK(pthread_join(workers[i].thread, NULL) == 0);
  relayout_pool_free(pool);
  relayout_kernel_free(kernel);
  relayout_plan_free(plan);
  relayout_spec_free(spec);
  relayout_compiler_free(shared.compiler);
  return 0;
}
