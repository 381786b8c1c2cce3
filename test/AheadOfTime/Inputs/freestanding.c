/* Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/** \file
 * A program for AArch64 Linux without a library, so that no libc for it must be there.
 * For each line of kernels.h it reads operands from standard input and writes two results
 * of each to standard output: all units at once in buffers that end where no memory is, and
 * one unit after the other, from the last to the first, in buffers that begin there. */

#include <stddef.h>
#include <stdint.h>

typedef void function(const void *in, void *out, void *scratch, int64_t begin, int64_t end);

struct kernel {
  function *run;
  int64_t operands, input, output, scratch, units;
};

/* #include of all headers, and `static const struct kernel kernels[]`. */
#include "kernels.h"

enum { PAGE = 65536, READ = 63, WRITE = 64, EXIT = 93, MUNMAP = 215, MMAP = 222, MPROTECT = 226 };

static long call(long number, long a, long b, long c, long d) {
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = -1; /* no file */
  register long x5 __asm__("x5") = 0;
  __asm__ volatile("svc 0"
                   : "+r"(x0)
                   : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                   : "memory");
  return x0;
}

static void leave(int code) {
  for (;;)
    call(EXIT, code, 0, 0, 0);
}

/** All of `bytes`, by READ from standard input or by WRITE to standard output. */
static void transfer(long number, char *data, int64_t bytes) {
  while (bytes > 0) {
    long done = call(number, number == WRITE, (long)data, bytes, 0);
    if (done <= 0)
      leave(3);
    data += done;
    bytes -= done;
  }
}

/** Memory with a page on both sides that may not be touched. */
struct guarded {
  char *page;
  int64_t pages, bytes;
};

static struct guarded make_guarded(int64_t bytes) {
  struct guarded memory = {0, (bytes + PAGE - 1) / PAGE, bytes};
  long at = call(MMAP, 0, (memory.pages + 2) * PAGE, /*none*/ 0, /*private, anonymous*/ 0x22);
  if (at < 0 && at > -4096)
    leave(4);
  memory.page = (char *)at + PAGE;
  if (memory.pages > 0 && call(MPROTECT, at + PAGE, memory.pages * PAGE, /*read, write*/ 3, 0) != 0)
    leave(5);
  return memory;
}

static void drop(struct guarded memory) {
  call(MUNMAP, (long)memory.page - PAGE, (memory.pages + 2) * PAGE, 0, 0);
}

static char *place(struct guarded memory, int at_end) {
  return memory.page + (at_end ? memory.pages * PAGE - memory.bytes : 0);
}

/** Other bytes before each of the two runs: what is not written shows. */
static void run(const struct kernel *kernel, struct guarded in, struct guarded out, char *scratch,
                int at_end) {
  char *from = place(in, at_end), *to = place(out, at_end);
  for (int64_t i = 0; i < out.bytes; ++i)
    to[i] = at_end ? 0x5a : 0xa5;
  if (at_end)
    kernel->run(from, to, scratch, 0, kernel->units);
  for (int64_t unit = kernel->units; !at_end && unit-- > 0;)
    kernel->run(from, to, scratch, unit, unit + 1);
  transfer(WRITE, to, out.bytes);
}

void begin(void) {
  for (size_t i = 0; i < sizeof(kernels) / sizeof(*kernels); ++i) {
    const struct kernel *kernel = &kernels[i];
    /* Ends where no memory is too, and begins at a multiple of 64. */
    struct guarded scratch = make_guarded((kernel->scratch + 63) / 64 * 64);
    struct guarded in = make_guarded(kernel->input), out = make_guarded(kernel->output);
    for (int64_t k = 0; k < kernel->operands; ++k) {
      transfer(READ, place(in, 1), in.bytes);
      run(kernel, in, out, place(scratch, 1), 1);
      char *from = place(in, 1), *to = place(in, 0);
      for (int64_t b = 0; b < in.bytes; ++b)
        to[b] = from[b];
      run(kernel, in, out, place(scratch, 1), 0);
    }
    drop(in), drop(out), drop(scratch);
  }
  leave(0);
}

/* The stack is aligned when the system starts a program. */
__asm__(".globl _start\n_start:\n  bl begin\n");
