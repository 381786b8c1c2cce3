/* Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/**
 * \file
 * Running kernels: errors, buffers, executors, kernels, and images compiled ahead
 * of time. librelayout-runtime has these functions and no compiler; librelayout
 * has them too. Link one of the two.
 *
 * A function that can fail returns null on success and otherwise an error, which
 * the caller frees; it then leaves its results untouched. Nothing prints, throws
 * or ends the process, but where no memory is left for objects of the library or of LLVM
 * (for buffers, scratch memory and code that is an error), and code that leaves its
 * buffers: that of a wrong kernel, which `relayout_kernel_verify` looks for, or of an
 * image that is not to be trusted. A pointer to text that a query returns is valid as long as
 * the handle it was asked of. Freeing null does nothing.
 *
 * Threads: a handle may be used by several threads at once unless a function says
 * otherwise; freeing it while another thread uses it is an error of the program.
 */

#ifndef RELAYOUT_C_RUNTIME_H
#define RELAYOUT_C_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define RELAYOUT_API
#else
#define RELAYOUT_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** The interface that this header describes. It grows by functions, and by members at
 *  the end of structs that begin with `struct_size`; all other structs stay as they
 *  are. Whatever else changes it raises this number and the library's soname. */
#define RELAYOUT_ABI_VERSION 0

/** The RELAYOUT_ABI_VERSION of the library that is loaded. */
RELAYOUT_API uint32_t relayout_abi_version(void);
/** The version of the library, as `0.1.0`. */
RELAYOUT_API const char *relayout_version(void);

/* ---- Errors ---------------------------------------------------------------- */

/** Which kind of rule was broken. Numbers never change their meaning. */
typedef enum relayout_error_code {
  RELAYOUT_ERROR_USAGE = 1,        /**< a null or unknown argument */
  RELAYOUT_ERROR_SYNTAX = 2,       /**< text that does not parse */
  RELAYOUT_ERROR_LIMIT = 3,        /**< text too long, rank or size beyond a guard */
  RELAYOUT_ERROR_SHAPE = 4,        /**< a shape or rank that is not taken */
  RELAYOUT_ERROR_TYPE = 5,         /**< an element type that is not taken */
  RELAYOUT_ERROR_LAYOUT = 6,       /**< a layout, or strides that are not taken */
  RELAYOUT_ERROR_MODE = 7,         /**< a mode that is missing or unknown */
  RELAYOUT_ERROR_BLOCK = 8,        /**< a block size below 1, or too many */
  RELAYOUT_ERROR_DIVISIBLE = 9,    /**< an extent that is not divisible */
  RELAYOUT_ERROR_PATTERN = 10,     /**< a pattern that breaks a rule */
  RELAYOUT_ERROR_PERMUTATION = 11, /**< a perm that is no permutation */
  RELAYOUT_ERROR_PAD = 12,         /**< pads that are not taken */
  RELAYOUT_ERROR_CROP = 13,        /**< crops that are not taken */
  RELAYOUT_ERROR_OVERFLOW = 14,    /**< a product or sum that leaves 64 bits */
  RELAYOUT_ERROR_INPUT = 15,       /**< data that does not fit the spec */
  RELAYOUT_ERROR_BUFFER = 16,      /**< a null, small, overlapping or misaligned buffer */
  RELAYOUT_ERROR_SCHEDULE = 17,    /**< a pinned schedule that is impossible */
  RELAYOUT_ERROR_UNSUPPORTED = 18, /**< valid, but not done by this version or host */
  RELAYOUT_ERROR_ENVIRONMENT = 19, /**< files, memory, devices */
  RELAYOUT_ERROR_MISMATCH = 20,    /**< a result that differs from the reference */
  RELAYOUT_ERROR_INTERNAL = 21     /**< a fault of the library */
} relayout_error_code;

typedef struct relayout_error relayout_error;

/** Of an error that is not null. */
RELAYOUT_API relayout_error_code relayout_error_get_code(const relayout_error *error);
/** What rule was broken, by which values, and what would be accepted. */
RELAYOUT_API const char *relayout_error_message(const relayout_error *error);
RELAYOUT_API void relayout_error_free(relayout_error *error);

/* ---- Buffers and executors -------------------------------------------------- */

/** Memory to read from; `size` counts bytes. */
typedef struct relayout_const_buffer {
  const void *data;
  size_t size;
} relayout_const_buffer;

/** Memory to write to; `size` counts bytes. */
typedef struct relayout_buffer {
  void *data;
  size_t size;
} relayout_buffer;

/** The threads of the host. */
typedef struct relayout_executor {
  /** Calls `task(argument, i)` for each i in 0 .. count - 1, once each, in any order
   *  and on any threads, and returns when all have returned. */
  void (*run)(void *context, int64_t count, void (*task)(void *argument, int64_t index),
              void *argument);
  int64_t width; /**< how many tasks may run at once; at least 1, and whatever `threads`
                      the kernel's plan is for */
  void *context; /**< handed to `run` */
} relayout_executor;

/** Threads for hosts that have none to lend. */
typedef struct relayout_pool relayout_pool;

/** A pool of `width` threads, the caller's among them: `width` - 1 are started by the
 *  first call that needs them, and sleep between calls. Where the process may use a
 *  processor for each, they first spin for 50 microseconds after a call. `width` is 1 to
 *  4096. Of what `threads` a plan is for (relayout.h, 1024 at most) it need not be. */
RELAYOUT_API relayout_error *relayout_pool_create(int64_t width, relayout_pool **pool);
/** Its executor, valid as long as the pool. May be used by several threads at once: a
 *  call that finds the pool busy runs on its caller's thread. A forked child starts
 *  threads of its own. */
RELAYOUT_API const relayout_executor *relayout_pool_executor(const relayout_pool *pool);
/** Ends the threads. */
RELAYOUT_API void relayout_pool_free(relayout_pool *pool);

/* ---- Kernels ---------------------------------------------------------------- */

/** Code for one rearrangement, ready to run. Immutable. */
typedef struct relayout_kernel relayout_kernel;

/** What a caller must know of a kernel. Sizes count bytes. Set `struct_size` to the
 *  size of the struct before asking. */
typedef struct relayout_kernel_info {
  size_t struct_size;
  int64_t input_size;   /**< the kernel reads nothing beyond */
  int64_t output_size;  /**< the kernel writes nothing beyond */
  int64_t alignment;    /**< that both addresses need: of an element, or of a part of a
                             complex number; 8 at most */
  int64_t scratch_size; /**< of `relayout_kernel_run_units`, for each thread */
  int64_t units;        /**< the work is cut into units 0 .. units - 1 */
} relayout_kernel_info;

RELAYOUT_API relayout_error *relayout_kernel_get_info(const relayout_kernel *kernel,
                                                      relayout_kernel_info *info);

/** Runs the whole kernel on `executor`, or on the caller's thread if it is null. A
 *  kernel whose buffers have less than 512 KiB together uses the caller's thread alone,
 *  and a larger one no more tasks than 256 KiB of them for each. A
 *  buffer that is null (unless no byte of it is needed), too small, misaligned or
 *  overlaps the other is an error, and then nothing is written. Takes no lock, and
 *  allocates nothing but scratch memory: a thread keeps the block of a call, and its
 *  next call that needs no more uses it. May be called by several threads at once,
 *  and `executor` may run other kernels on a thread that waits for its tasks. */
RELAYOUT_API relayout_error *relayout_kernel_run(const relayout_kernel *kernel,
                                                 relayout_const_buffer in, relayout_buffer out,
                                                 const relayout_executor *executor);

/** Runs units `begin` to `end - 1` on the caller's thread, with the checks of
 *  `relayout_kernel_run`. Any partition of the units, in any order and on any
 *  threads, writes every byte once. `scratch` has `scratch_size` bytes, aligned to
 *  64 (to a page is faster), of the calling thread alone; it may be null if that is 0. */
RELAYOUT_API relayout_error *relayout_kernel_run_units(const relayout_kernel *kernel,
                                                       relayout_const_buffer in,
                                                       relayout_buffer out, void *scratch,
                                                       int64_t begin, int64_t end);

/** The spec as JSON text, as `relayout_spec_create_json` takes it. */
RELAYOUT_API const char *relayout_kernel_spec(const relayout_kernel *kernel);
/** The schedule as text; empty for a plain copy. */
RELAYOUT_API const char *relayout_kernel_schedule(const relayout_kernel *kernel);

/** Unmaps the code once no other handle shares it. */
RELAYOUT_API void relayout_kernel_free(relayout_kernel *kernel);

/* ---- Images: kernels compiled ahead of time ---------------------------------- */

/** Makes a kernel of an image, which `relayoutc compile --emit=image` or
 *  `relayout_plan_emit` wrote. The image may hold code for several CPUs: the best
 *  that the host can run is taken. An error, with the reason, where it is damaged,
 *  of another format, or for other hardware. `data` may be freed afterwards. */
RELAYOUT_API relayout_error *relayout_kernel_load(const void *data, size_t size,
                                                  relayout_kernel **kernel);
/** The same from a file, which must be a regular file. */
RELAYOUT_API relayout_error *relayout_kernel_load_file(const char *path, relayout_kernel **kernel);

#ifdef __cplusplus
}
#endif

#endif /* RELAYOUT_C_RUNTIME_H */
