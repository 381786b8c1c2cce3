/* Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/** \file
 * What the C programs of this folder share: checks that end the program with a
 * message, and calls that must succeed or fail with a given code. */

#ifndef RELAYOUT_TEST_CAPI_CHECK_H
#define RELAYOUT_TEST_CAPI_CHECK_H

#include "relayout-c/relayout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                           \
  ((condition)                                                                                     \
       ? (void)0                                                                                   \
       : (fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition), exit(1)))

/** The call must succeed. */
#define OK(call) check_ok((call), #call, __LINE__)
/** The call must fail with `code`, and its message must hold `part`. */
#define FAILS(code, part, call) check_fails((call), (code), (part), #call, __LINE__)

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static inline void check_ok(relayout_error *error, const char *call, int line) {
  if (!error)
    return;
  fprintf(stderr, "line %d: %s failed with code %d: %s\n", line, call,
          (int)relayout_error_get_code(error), relayout_error_message(error));
  exit(1);
}

static inline void check_fails(relayout_error *error, relayout_error_code code, const char *part,
                               const char *call, int line) {
  if (!error) {
    fprintf(stderr, "line %d: %s succeeded, but code %d was expected\n", line, call, (int)code);
    exit(1);
  }
  if (relayout_error_get_code(error) != code || !strstr(relayout_error_message(error), part)) {
    fprintf(stderr, "line %d: %s failed with code %d in place of %d (%s): %s\n", line, call,
            (int)relayout_error_get_code(error), (int)code, part, relayout_error_message(error));
    exit(1);
  }
  relayout_error_free(error);
}

/** The kernel of a spec, which is freed, on the host with default options. */
static inline relayout_kernel *compile_spec(relayout_compiler *compiler, relayout_spec *spec) {
  relayout_plan *plan;
  relayout_kernel *kernel;
  OK(relayout_plan_create(compiler, spec, NULL, &plan));
  OK(relayout_kernel_create(plan, &kernel));
  relayout_plan_free(plan);
  relayout_spec_free(spec);
  return kernel;
}

/** Fills memory with bytes that do not repeat soon. */
static inline void scramble(void *data, size_t size) {
  unsigned state = 12345;
  for (size_t i = 0; i < size; ++i) {
    state = state * 1103515245u + 12345u;
    ((unsigned char *)data)[i] = (unsigned char)(state >> 16);
  }
}

/** True if all bytes are `value`. */
static inline int holds_only(const void *data, size_t size, unsigned char value) {
  for (size_t i = 0; i < size; ++i)
    if (((const unsigned char *)data)[i] != value)
      return 0;
  return 1;
}

#endif /* RELAYOUT_TEST_CAPI_CHECK_H */
