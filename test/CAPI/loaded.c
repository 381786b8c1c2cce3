/* Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* 16 threads share a kernel and a pool, and load and free kernels of their own, without a
 * compiler. Takes the image of a transpose of 277x293 elements of 4 bytes, which are enough
 * for two tasks. */

#include "relayout-c/runtime.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 16, ROUNDS = 12, ROWS = 277, COLUMNS = 293, ELEMENTS = ROWS * COLUMNS };

static const char *image;
static const relayout_kernel *shared_kernel;
static const relayout_executor *shared_pool;
static uint32_t in[ELEMENTS];

static void check(relayout_error *error) {
  if (!error)
    return;
  fprintf(stderr, "%s\n", relayout_error_message(error));
  exit(1);
}

static void expect(int condition, const char *what) {
  if (condition)
    return;
  fprintf(stderr, "not so: %s\n", what);
  exit(1);
}

static void run(const relayout_kernel *kernel, const relayout_executor *executor) {
  uint32_t out[ELEMENTS];
  memset(out, 0, sizeof out);
  relayout_const_buffer from = {in, sizeof in};
  relayout_buffer to = {out, sizeof out};
  check(relayout_kernel_run(kernel, from, to, executor));
  for (int i = 0; i < ELEMENTS; ++i)
    expect(out[i % COLUMNS * ROWS + i / COLUMNS] == in[i], "the result is the transpose");
}

/* Errors are made and freed by many threads at once, too. */
static void run_badly(const relayout_kernel *kernel) {
  relayout_const_buffer from = {in, sizeof in - 1};
  relayout_buffer to = {NULL, sizeof in};
  relayout_error *error = relayout_kernel_run(kernel, from, to, NULL);
  expect(error && relayout_error_get_code(error) == RELAYOUT_ERROR_BUFFER, "a small input fails");
  relayout_error_free(error);
}

static void *work(void *argument) {
  (void)argument;
  relayout_kernel *own;
  check(relayout_kernel_load_file(image, &own));
  expect(strcmp(relayout_kernel_schedule(own), relayout_kernel_schedule(shared_kernel)) == 0,
         "one image has one schedule");
  for (int round = 0; round < ROUNDS; ++round) {
    run(shared_kernel, round % 2 ? shared_pool : NULL);
    run(own, round % 3 ? NULL : shared_pool);
    run_badly(shared_kernel);
  }
  relayout_kernel_free(own);
  return NULL;
}

int main(int argc, char **argv) {
  expect(argc == 2, "one argument names the image");
  image = argv[1];
  for (uint32_t i = 0; i < ELEMENTS; ++i)
    in[i] = i * 2654435761u;
  relayout_kernel *kernel;
  relayout_pool *pool;
  check(relayout_kernel_load_file(image, &kernel));
  check(relayout_pool_create(4, &pool));
  shared_kernel = kernel;
  shared_pool = relayout_pool_executor(pool);
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; ++i)
    expect(pthread_create(&threads[i], NULL, work, NULL) == 0, "a thread starts");
  for (int i = 0; i < THREADS; ++i)
    expect(pthread_join(threads[i], NULL) == 0, "a thread ends");
  relayout_pool_free(pool);
  relayout_kernel_free(kernel);
  puts("done");
  return 0;
}
