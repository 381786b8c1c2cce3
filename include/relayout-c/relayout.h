/* Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/**
 * \file
 * Compiling kernels: spec -> plan -> kernel. A spec is one operation on one shape; a
 * plan adds the machine and the schedule; a kernel is code. The rules on errors,
 * text and threads are those of relayout-c/runtime.h, which this header includes.
 */

#ifndef RELAYOUT_C_RELAYOUT_H
#define RELAYOUT_C_RELAYOUT_H

#include "relayout-c/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Specs ------------------------------------------------------------------ */

typedef struct relayout_spec relayout_spec;

/** A pad or crop of one dimension; a negative number does the opposite. */
typedef struct relayout_window {
  int64_t low;
  int64_t high;
} relayout_window;

/** The size of the digit `name` of a pattern. */
typedef struct relayout_size {
  const char *name;
  int64_t size;
} relayout_size;

/** A tensor: its element type and its shape. `dtype` is one of `bool`, `i8` to `i64`, `u8`
 *  to `u64`, `f16`, `bf16`, `f32`, `f64`, `f8E5M2`, `f8E4M3`, `f8E4M3FN`, `f8E5M2FNUZ`,
 *  `f8E4M3FNUZ`, `f8E4M3B11FNUZ`, `f8E3M4`, `f8E8M0FNU`, `c64` and `c128` (complex), and
 *  `b8` to `b128` (bits), or MLIR's word for one of them (`i1`, `si8`, `ui8`,
 *  `complex<f32>` ...). Where it is null, elements are opaque and have `width` bytes: 1, 2,
 *  4, 8 or 16, which is `b8` to `b128`. `width` counts for nothing beside a `dtype`. */
typedef struct relayout_tensor {
  const char *dtype;
  int64_t width;
  int64_t rank;
  const int64_t *shape;
} relayout_tensor;

/** The rearrangement that `pattern` describes, as in `n (by bx c) h w -> n c (h by)
 *  (w bx)`. `pad` has one window for each dimension of the operand or is null; `crop`
 *  the same for the result. `pad_value` is the text of an element; null is zero. */
RELAYOUT_API relayout_error *
relayout_spec_create_pattern(const char *pattern, const relayout_tensor *operand,
                             const relayout_size *sizes, size_t size_count,
                             const relayout_window *pad, const relayout_window *crop,
                             const char *pad_value, relayout_spec **spec);

/** `layout` names the operand's dimensions: `NHWC`, `NCHW`, `NCHW_VECT_C`, `NWC`, `NCW`,
 *  `NDHWC`, `NCDHW`, `channels_first` or `channels_last`. `mode` is `DCR` or
 *  `blocks_first`, which mean the same, or `CRD` or `depth_first`, which do so too.
 *  `block_size` has one number, or one for each spatial dimension. */
RELAYOUT_API relayout_error *
relayout_spec_create_depth_to_space(const relayout_tensor *operand, const char *layout,
                                    const char *mode, const int64_t *block_size, size_t block_count,
                                    relayout_spec **spec);
RELAYOUT_API relayout_error *
relayout_spec_create_space_to_depth(const relayout_tensor *operand, const char *layout,
                                    const char *mode, const int64_t *block_size, size_t block_count,
                                    relayout_spec **spec);

/** `block_shape` and `paddings` have `block_count` entries each, for the dimensions
 *  after the first. `pad_value` as for patterns. */
RELAYOUT_API relayout_error *
relayout_spec_create_space_to_batch(const relayout_tensor *operand, const int64_t *block_shape,
                                    const relayout_window *paddings, size_t block_count,
                                    const char *pad_value, relayout_spec **spec);
RELAYOUT_API relayout_error *relayout_spec_create_batch_to_space(const relayout_tensor *operand,
                                                                 const int64_t *block_shape,
                                                                 const relayout_window *crops,
                                                                 size_t block_count,
                                                                 relayout_spec **spec);

/** On the last three dimensions, channels first, as PyTorch defines it. */
RELAYOUT_API relayout_error *relayout_spec_create_pixel_shuffle(const relayout_tensor *operand,
                                                                int64_t factor,
                                                                relayout_spec **spec);
RELAYOUT_API relayout_error *relayout_spec_create_pixel_unshuffle(const relayout_tensor *operand,
                                                                  int64_t factor,
                                                                  relayout_spec **spec);
RELAYOUT_API relayout_error *relayout_spec_create_channel_shuffle(const relayout_tensor *operand,
                                                                  int64_t groups, int64_t axis,
                                                                  relayout_spec **spec);

/** Dimension i of the result is dimension `perm[i]` of the operand. */
RELAYOUT_API relayout_error *relayout_spec_create_transpose(const relayout_tensor *operand,
                                                            const int64_t *perm,
                                                            relayout_spec **spec);

/** From JSON text of `length` bytes; docs/spec.md is its schema. */
RELAYOUT_API relayout_error *relayout_spec_create_json(const char *text, size_t length,
                                                       relayout_spec **spec);

/** Where the elements lie: strides in elements, one for each dimension; null is
 *  row-major without gaps. `input` is the operand's, `output` the result's. None may be
 *  negative; 0 repeats an element of the operand. Those of the result must each be larger
 *  than the span of those below it, so that no two elements share a byte; bytes between
 *  them are not written. Strides and JSON that were asked for before are no longer valid. Not to
 *  be called while another thread uses `spec`. */
RELAYOUT_API relayout_error *relayout_spec_set_strides(relayout_spec *spec, const int64_t *input,
                                                       const int64_t *output);

/** The spec of the inverse operation, on the result's shape; an error where there is
 *  none because of windows. Strides change places. */
RELAYOUT_API relayout_error *relayout_spec_invert(const relayout_spec *spec,
                                                  relayout_spec **inverse);

/** Of the operand (`output` is 0) or the result (1). */
RELAYOUT_API int64_t relayout_spec_rank(const relayout_spec *spec, int output);
RELAYOUT_API const int64_t *relayout_spec_shape(const relayout_spec *spec, int output);
RELAYOUT_API const int64_t *relayout_spec_strides(const relayout_spec *spec, int output);
/** The bytes from the first element to the end of the last. */
RELAYOUT_API int64_t relayout_spec_size(const relayout_spec *spec, int output);
RELAYOUT_API const char *relayout_spec_dtype(const relayout_spec *spec);
/** The bytes of an element. */
RELAYOUT_API int64_t relayout_spec_width(const relayout_spec *spec);
/** The spec as JSON text. */
RELAYOUT_API const char *relayout_spec_json(const relayout_spec *spec);
RELAYOUT_API void relayout_spec_free(relayout_spec *spec);

/* ---- Compilers: what caches kernels ------------------------------------------ */

/** Compiles, and keeps what it compiled in memory and on disk. */
typedef struct relayout_compiler relayout_compiler;

typedef enum relayout_cache_mode {
  RELAYOUT_CACHE_ENVIRONMENT = 0, /**< as RELAYOUT_CACHE says; read and write if unset */
  RELAYOUT_CACHE_OFF = 1,
  RELAYOUT_CACHE_READ = 2,
  RELAYOUT_CACHE_READ_WRITE = 3
} relayout_cache_mode;

/** Zeros take the default. Set `struct_size` to the size of the struct. */
typedef struct relayout_compiler_options {
  size_t struct_size;
  int64_t memory_kernels;         /**< kept in memory; 0: 1024; -1: none */
  relayout_cache_mode cache_mode; /**< of the cache on disk */
  const char *cache_directory;    /**< an absolute path; null: RELAYOUT_CACHE_DIR, or else
                                       $XDG_CACHE_HOME/relayout, or else ~/.cache/relayout */
  int64_t cache_size;             /**< most bytes on disk; 0: 256 MiB */
} relayout_compiler_options;

/** `options` may be null. A directory that cannot be used, as one whose path is not
 *  absolute, is no error: kernels are then kept in memory alone, and
 *  `relayout_compiler_cache_problem` says why. */
RELAYOUT_API relayout_error *relayout_compiler_create(const relayout_compiler_options *options,
                                                      relayout_compiler **compiler);
/** Kernels and plans outlive their compiler. */
RELAYOUT_API void relayout_compiler_free(relayout_compiler *compiler);

/** Counts since the compiler was made. Set `struct_size` before asking. */
typedef struct relayout_compiler_statistics {
  size_t struct_size;
  int64_t memory_hits;
  int64_t disk_hits;
  int64_t compiles;
  int64_t evictions;     /**< from memory */
  int64_t disk_refusals; /**< entries that were damaged, foreign or of another build */
  int64_t disk_failures; /**< entries that could not be written */
} relayout_compiler_statistics;

RELAYOUT_API relayout_error *
relayout_compiler_get_statistics(const relayout_compiler *compiler,
                                 relayout_compiler_statistics *statistics);
/** Why the cache on disk is not used, or null if it is, or is off. */
RELAYOUT_API const char *relayout_compiler_cache_problem(const relayout_compiler *compiler);

/* ---- Plans -------------------------------------------------------------------- */

/** A spec with a machine and a schedule. Immutable. */
typedef struct relayout_plan relayout_plan;

/** Zeros and nulls take the default. Set `struct_size` to the size of the struct. */
typedef struct relayout_plan_options {
  size_t struct_size;
  const char *cpu;      /**< as -mcpu takes it; null or "native": the host's */
  const char *features; /**< as -mattr takes them, added to those of `cpu`; refused are modes of a
                             processor and what a program cannot look for */
  const char *result;   /**< what its consumer does: `hot`, `cold`, `auto` */
  const char *schedule; /**< pinned parts of the schedule, in its own words */
  int64_t threads;      /**< that share the work, 1 to 1024; 0: 1. The schedule is made for
                             so many: the kernel is as right on an executor of any other
                             `width`, and uses no more tasks than it has units */
} relayout_plan_options;

/** `options` may be null. */
RELAYOUT_API relayout_error *relayout_plan_create(relayout_compiler *compiler,
                                                  const relayout_spec *spec,
                                                  const relayout_plan_options *options,
                                                  relayout_plan **plan);
RELAYOUT_API void relayout_plan_free(relayout_plan *plan);

/** What the plan does and what it is predicted to cost, for people. */
RELAYOUT_API const char *relayout_plan_explain(const relayout_plan *plan);
/** The schedule as text; empty for a plain copy. */
RELAYOUT_API const char *relayout_plan_schedule(const relayout_plan *plan);

/** Bytes that the library made for the caller. */
typedef struct relayout_data relayout_data;
RELAYOUT_API const void *relayout_data_bytes(const relayout_data *data);
RELAYOUT_API size_t relayout_data_size(const relayout_data *data);
RELAYOUT_API void relayout_data_free(relayout_data *data);

/** The plan at a stage of compilation: `named`, `chain`, `fused`, `buffers`,
 *  `scheduled`, `loops`, `vectors`, `llvm`, `llvm-ir`, `asm`, `object`, or as an
 *  `image` for `relayout_kernel_load`. */
RELAYOUT_API relayout_error *relayout_plan_emit(const relayout_plan *plan, const char *stage,
                                                relayout_data **data);

/* ---- Kernels ------------------------------------------------------------------ */

/** Compiles `plan`, or takes the kernel from a cache of its compiler. If several
 *  threads ask for one kernel at once, one compiles and all get the result. */
RELAYOUT_API relayout_error *relayout_kernel_create(const relayout_plan *plan,
                                                    relayout_kernel **kernel);

/** Runs the kernel on distinct element ids in guarded memory and compares every byte
 *  with the reference evaluator. Null where all is right. A kernel that touches what is
 *  outside of its buffers ends the process there: verify in one of its own what you do
 *  not trust. */
RELAYOUT_API relayout_error *relayout_kernel_verify(const relayout_kernel *kernel);

/** Set `struct_size` before asking. Rates are 10^9 bytes read and written a second. The
 *  copies move as many bytes as the larger of input and output has. */
typedef struct relayout_measurement {
  size_t struct_size;
  double gbps;        /**< of the kernel, over all of input and output, of which it reads
                           less where it crops */
  double bound_gbps;  /**< of the best copy, measured alternately */
  double memcpy_gbps; /**< of memcpy */
  double ratio;       /**< time of the best copy / time of the kernel */
  double spread;      /**< of the ratio between rounds: (third - first quartile) / median */
} relayout_measurement;

/** Measures the kernel on the caller's thread against the best copy. `warm` keeps the
 *  buffers in cache between calls. Takes about a second. */
RELAYOUT_API relayout_error *relayout_kernel_bench(const relayout_kernel *kernel, int warm,
                                                   relayout_measurement *measurement);

#ifdef __cplusplus
}
#endif

#endif /* RELAYOUT_C_RELAYOUT_H */
