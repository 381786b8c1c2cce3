/* Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Running kernels: results, refusals that write nothing, units, executors. */

#include "check.h"

/* depth_to_space, blocks first, NCHW: 2x12x3x5 to 2x3x6x10, by 2. */
enum { N = 2, C = 3, H = 3, W = 5, B = 2, ELEMENTS = N * C * B * B * H * W };

static void expected_result(const float *in, float *out) {
  for (int n = 0; n < N; ++n)
    for (int by = 0; by < B; ++by)
      for (int bx = 0; bx < B; ++bx)
        for (int c = 0; c < C; ++c)
          for (int h = 0; h < H; ++h)
            for (int w = 0; w < W; ++w)
              out[((n * C + c) * H * B + h * B + by) * W * B + w * B + bx] =
                  in[((((n * B + by) * B + bx) * C + c) * H + h) * W + w];
}

static relayout_kernel *make_kernel(relayout_compiler *compiler) {
  relayout_spec *spec;
  const int64_t shape[] = {N, B * B * C, H, W}, block[] = {B};
  relayout_tensor operand = {"f32", 0, 4, shape};
  OK(relayout_spec_create_depth_to_space(&operand, "NCHW", "DCR", block, 1, &spec));
  return compile_spec(compiler, spec);
}

static void test_info(const relayout_kernel *kernel) {
  relayout_kernel_info info;
  info.struct_size = sizeof info;
  OK(relayout_kernel_get_info(kernel, &info));
  CHECK(info.input_size == ELEMENTS * 4 && info.output_size == ELEMENTS * 4);
  CHECK(info.alignment == 4 && info.units >= 1 && info.scratch_size >= 0);
  /* A caller with a shorter struct gets what it has room for. */
  info.struct_size = offsetof(relayout_kernel_info, output_size);
  info.input_size = info.output_size = -1;
  OK(relayout_kernel_get_info(kernel, &info));
  CHECK(info.input_size == ELEMENTS * 4 && info.output_size == -1);
  info.struct_size = 0;
  FAILS(RELAYOUT_ERROR_USAGE, "struct_size", relayout_kernel_get_info(kernel, &info));
  FAILS(RELAYOUT_ERROR_USAGE, "info", relayout_kernel_get_info(kernel, NULL));
  FAILS(RELAYOUT_ERROR_USAGE, "kernel", relayout_kernel_get_info(NULL, &info));
  CHECK(strstr(relayout_kernel_spec(kernel), "\"depth_to_space\""));
  CHECK(strstr(relayout_kernel_schedule(kernel), "tile="));
  CHECK(!relayout_kernel_spec(NULL) && !relayout_kernel_schedule(NULL));
  relayout_kernel_free(NULL);
}

static void test_buffers(const relayout_kernel *kernel, const relayout_executor *executor) {
  const size_t size = ELEMENTS * sizeof(float);
  unsigned char *memory = malloc(2 * size + 64);
  memset(memory, 0x77, 2 * size + 64);
  const struct {
    size_t in_at, in_size, out_at, out_size;
    const char *message;
  } cases[] = {
      {0, size - 4, size, size, "the input to have at least"},
      {0, size, size, size - 4, "the output to have at least"},
      {0, size, size, 0, "the output to have at least"},
      {1, size, size + 4, size, "the input to be aligned to 4"},
      {0, size, size + 2, size, "the output to be aligned to 4"},
      {0, size, size - 4, size, "share 4 bytes"},
      {size - 4, size, 0, size, "share 4 bytes"},
      {0, size, 0, size, "share"},
  };
  for (size_t i = 0; i < COUNT(cases); ++i) {
    relayout_const_buffer in = {memory + cases[i].in_at, cases[i].in_size};
    relayout_buffer out = {memory + cases[i].out_at, cases[i].out_size};
    FAILS(RELAYOUT_ERROR_BUFFER, cases[i].message, relayout_kernel_run(kernel, in, out, executor));
    FAILS(RELAYOUT_ERROR_BUFFER, cases[i].message,
          relayout_kernel_run_units(kernel, in, out, NULL, 0, 1));
  }
  relayout_const_buffer in = {memory, size}, no_in = {NULL, size};
  relayout_buffer out = {memory + size, size}, no_out = {NULL, size};
  FAILS(RELAYOUT_ERROR_BUFFER, "null", relayout_kernel_run(kernel, no_in, out, executor));
  FAILS(RELAYOUT_ERROR_BUFFER, "null", relayout_kernel_run(kernel, in, no_out, executor));
  FAILS(RELAYOUT_ERROR_USAGE, "kernel", relayout_kernel_run(NULL, in, out, executor));
  const void *last = (const void *)(UINTPTR_MAX - 3);
  relayout_const_buffer beyond = {last, SIZE_MAX};
  FAILS(RELAYOUT_ERROR_BUFFER, "address space", relayout_kernel_run(kernel, beyond, out, executor));
  CHECK(holds_only(memory, 2 * size + 64, 0x77));
  free(memory);
}

static void test_units(const relayout_kernel *kernel, const float *in, const float *expected) {
  const size_t size = ELEMENTS * sizeof(float);
  float *out = malloc(size);
  relayout_const_buffer from = {in, size};
  relayout_buffer to = {out, size};
  relayout_kernel_info info;
  info.struct_size = sizeof info;
  OK(relayout_kernel_get_info(kernel, &info));
  unsigned char *memory = malloc((size_t)info.scratch_size + 64);
  void *scratch = memory + (64 - (uintptr_t)memory % 64) % 64;
  memset(out, 0, size);
  for (int64_t unit = info.units; unit-- > 0;)
    OK(relayout_kernel_run_units(kernel, from, to, scratch, unit, unit + 1));
  CHECK(memcmp(out, expected, size) == 0);
  memset(out, 0x77, size);
  OK(relayout_kernel_run_units(kernel, from, to, scratch, info.units, info.units));
  FAILS(RELAYOUT_ERROR_USAGE, "units",
        relayout_kernel_run_units(kernel, from, to, scratch, 0, info.units + 1));
  FAILS(RELAYOUT_ERROR_USAGE, "units", relayout_kernel_run_units(kernel, from, to, scratch, -1, 1));
  FAILS(RELAYOUT_ERROR_USAGE, "units", relayout_kernel_run_units(kernel, from, to, scratch, 1, 0));
  FAILS(RELAYOUT_ERROR_BUFFER, "aligned to 64",
        relayout_kernel_run_units(kernel, from, to, (char *)scratch + 32, 0, 1));
  FAILS(RELAYOUT_ERROR_USAGE, "kernel", relayout_kernel_run_units(NULL, from, to, scratch, 0, 1));
  CHECK(holds_only(out, size, 0x77));
  free(memory);
  free(out);
}

/* An executor that runs tasks backwards and counts them. */
static void run_backwards(void *context, int64_t count, void (*task)(void *, int64_t),
                          void *argument) {
  *(int64_t *)context += count;
  for (int64_t i = count; i-- > 0;)
    task(argument, i);
}

static void test_executors(const relayout_kernel *kernel, const float *in, const float *expected) {
  const size_t size = ELEMENTS * sizeof(float);
  float *out = malloc(size);
  relayout_const_buffer from = {in, size};
  relayout_buffer to = {out, size};
  for (int64_t width = 1; width <= 16; ++width) {
    int64_t tasks = 0;
    relayout_executor host = {run_backwards, width, &tasks};
    relayout_pool *pool;
    OK(relayout_pool_create(width, &pool));
    CHECK(relayout_pool_executor(pool)->width == width);
    const relayout_executor *executors[] = {&host, relayout_pool_executor(pool)};
    for (size_t i = 0; i < COUNT(executors); ++i) {
      memset(out, 0, size);
      OK(relayout_kernel_run(kernel, from, to, executors[i]));
      CHECK(memcmp(out, expected, size) == 0);
    }
    CHECK(tasks == 0); /* too small to wake a thread for */
    relayout_pool_free(pool);
  }
  int64_t tasks = 0;
  relayout_executor no_run = {NULL, 2, NULL}, no_width = {run_backwards, 0, &tasks};
  FAILS(RELAYOUT_ERROR_USAGE, "run", relayout_kernel_run(kernel, from, to, &no_run));
  FAILS(RELAYOUT_ERROR_USAGE, "width", relayout_kernel_run(kernel, from, to, &no_width));
  relayout_pool *pool = NULL;
  FAILS(RELAYOUT_ERROR_USAGE, "width", relayout_pool_create(0, &pool));
  FAILS(RELAYOUT_ERROR_USAGE, "from 1 to 4096", relayout_pool_create(4097, &pool));
  FAILS(RELAYOUT_ERROR_USAGE, "width", relayout_pool_create(INT64_MAX, &pool));
  FAILS(RELAYOUT_ERROR_USAGE, "pool", relayout_pool_create(1, NULL));
  CHECK(!pool && !relayout_pool_executor(NULL));
  relayout_pool_free(NULL);
  free(out);
}

/* A transpose that is worth 16 tasks: the same bytes on any number of threads. */
static void test_threads(relayout_compiler *compiler) {
  enum { ROWS = 512, COLUMNS = 1031 };
  const int64_t shape[] = {ROWS, COLUMNS};
  const size_t size = sizeof(float) * ROWS * COLUMNS;
  relayout_tensor operand = {"f32", 0, 2, shape};
  relayout_spec *spec;
  relayout_plan *plan;
  relayout_kernel *kernel;
  relayout_plan_options options = {.struct_size = sizeof options, .threads = 16};
  OK(relayout_spec_create_transpose(&operand, (const int64_t[]){1, 0}, &spec));
  OK(relayout_plan_create(compiler, spec, &options, &plan));
  OK(relayout_kernel_create(plan, &kernel));
  float *in = malloc(size), *out = malloc(size), *expected = malloc(size);
  scramble(in, size);
  for (int row = 0; row < ROWS; ++row)
    for (int column = 0; column < COLUMNS; ++column)
      memcpy(&expected[column * ROWS + row], &in[row * COLUMNS + column], sizeof(float));
  for (int64_t width = 1; width <= 16; ++width) {
    int64_t tasks = 0;
    relayout_executor host = {run_backwards, width, &tasks};
    relayout_pool *pool;
    OK(relayout_pool_create(width, &pool));
    const relayout_executor *executors[] = {&host, relayout_pool_executor(pool)};
    for (size_t i = 0; i < COUNT(executors); ++i) {
      memset(out, 0x77, size);
      OK(relayout_kernel_run(kernel, (relayout_const_buffer){in, size},
                             (relayout_buffer){out, size}, executors[i]));
      CHECK(memcmp(out, expected, size) == 0);
    }
    CHECK(tasks == (width == 1 ? 0 : width));
    relayout_pool_free(pool);
  }
  free(in), free(out), free(expected);
  relayout_kernel_free(kernel);
  relayout_plan_free(plan);
  relayout_spec_free(spec);
}

/* A tensor without elements needs no memory. */
static void test_empty(relayout_compiler *compiler) {
  const int64_t shape[] = {0, 3};
  relayout_tensor operand = {"f32", 0, 2, shape};
  relayout_spec *spec;
  OK(relayout_spec_create_transpose(&operand, (const int64_t[]){1, 0}, &spec));
  relayout_kernel *kernel = compile_spec(compiler, spec);
  relayout_const_buffer in = {NULL, 0};
  relayout_buffer out = {NULL, 0};
  OK(relayout_kernel_run(kernel, in, out, NULL));
  OK(relayout_kernel_run_units(kernel, in, out, NULL, 0, 0));
  OK(relayout_kernel_verify(kernel));
  relayout_measurement measurement;
  measurement.struct_size = sizeof measurement;
  FAILS(RELAYOUT_ERROR_UNSUPPORTED, "one byte", relayout_kernel_bench(kernel, 1, &measurement));
  relayout_kernel_free(kernel);
}

/* channels_last to channels first and back, with a gap after each row: nothing but
 * the elements is written. */
static void test_strides(relayout_compiler *compiler) {
  enum { ROWS = 7, COLUMNS = 11, PITCH = 13 };
  const int64_t shape[] = {ROWS, COLUMNS};
  relayout_tensor operand = {NULL, 2, 2, shape};
  relayout_spec *spec;
  OK(relayout_spec_create_transpose(&operand, (const int64_t[]){1, 0}, &spec));
  OK(relayout_spec_set_strides(spec, (const int64_t[]){1, 9}, (const int64_t[]){PITCH, 1}));
  relayout_kernel *kernel = compile_spec(compiler, spec);
  OK(relayout_kernel_verify(kernel));
  uint16_t in[9 * COLUMNS], out[PITCH * COLUMNS];
  scramble(in, sizeof in);
  memset(out, 0x77, sizeof out);
  relayout_const_buffer from = {in, sizeof in};
  relayout_buffer to = {out, sizeof out};
  OK(relayout_kernel_run(kernel, from, to, NULL));
  for (int column = 0; column < COLUMNS; ++column)
    for (int row = 0; row < PITCH; ++row)
      CHECK(out[column * PITCH + row] == (row < ROWS ? in[column * 9 + row] : 0x7777));
  relayout_kernel_free(kernel);
}

/* A NaN keeps its sign and its payload, and so does the spec that its kernel tells. */
static void test_nans(relayout_compiler *compiler) {
  const int64_t shape[] = {2, 3};
  const relayout_window pad[] = {{1, 0}, {0, 2}};
  const struct {
    const char *dtype, *value, *json;
    uint32_t first, second; /* the words of an element: the second of complex numbers alone */
  } cases[] = {
      {"f32", "nan", "\"nan\"", 0x7fc00000, 0},
      {"f32", "-nan", "\"-nan\"", 0xffc00000, 0},
      {"f32", "0x7fc00001", "\"0x7FC00001\"", 0x7fc00001, 0},
      {"c64", "-nan,0x7FC00001", "[\"-nan\",\"0x7FC00001\"]", 0xffc00000, 0x7fc00001},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    size_t words = strcmp(cases[i].dtype, "c64") == 0 ? 2 : 1;
    relayout_tensor operand = {cases[i].dtype, 0, 2, shape};
    relayout_spec *spec;
    OK(relayout_spec_create_pattern("a b -> b a", &operand, NULL, 0, pad, NULL, cases[i].value,
                                    &spec));
    relayout_kernel *kernel = compile_spec(compiler, spec);
    CHECK(strstr(relayout_kernel_spec(kernel), cases[i].json));
    OK(relayout_kernel_verify(kernel));
    uint32_t in[2 * 2 * 3] = {0}, out[2 * 5 * 3];
    relayout_const_buffer from = {in, words * 4 * 2 * 3};
    relayout_buffer to = {out, words * 4 * 5 * 3};
    OK(relayout_kernel_run(kernel, from, to, NULL));
    CHECK(out[0] == cases[i].first && (words == 1 || out[1] == cases[i].second));
    relayout_kernel_free(kernel);
  }
}

int main(void) {
  relayout_compiler *compiler;
  OK(relayout_compiler_create(NULL, &compiler));
  relayout_kernel *kernel = make_kernel(compiler);
  float in[ELEMENTS], expected[ELEMENTS];
  scramble(in, sizeof in);
  expected_result(in, expected);
  int64_t tasks = 0;
  relayout_executor host = {run_backwards, 3, &tasks};
  test_info(kernel);
  test_buffers(kernel, NULL);
  test_buffers(kernel, &host);
  CHECK(tasks == 0);
  test_units(kernel, in, expected);
  test_executors(kernel, in, expected);
  test_threads(compiler);
  test_empty(compiler);
  test_strides(compiler);
  test_nans(compiler);
  /* A kernel outlives its compiler. */
  relayout_compiler_free(compiler);
  OK(relayout_kernel_verify(kernel));
  relayout_kernel_free(kernel);
  return 0;
}
