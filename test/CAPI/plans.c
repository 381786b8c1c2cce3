/* Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Compilers, plans and what they say: options, stages, texts, reports. */

#include "check.h"

static relayout_spec *make_spec(void) {
  const int64_t shape[] = {2, 3, 35};
  relayout_tensor operand = {"f32", 0, 3, shape};
  relayout_spec *spec;
  OK(relayout_spec_create_transpose(&operand, (const int64_t[]){2, 0, 1}, &spec));
  return spec;
}

static void test_compilers(void) {
  relayout_compiler *compiler = NULL;
  relayout_compiler_options options;
  memset(&options, 0, sizeof options);
  FAILS(RELAYOUT_ERROR_USAGE, "struct_size", relayout_compiler_create(&options, &compiler));
  options.struct_size = sizeof options;
  FAILS(RELAYOUT_ERROR_USAGE, "compiler", relayout_compiler_create(&options, NULL));
  options.memory_kernels = -2;
  FAILS(RELAYOUT_ERROR_USAGE, "memory_kernels", relayout_compiler_create(&options, &compiler));
  options.memory_kernels = 0;
  options.cache_mode = (relayout_cache_mode)7;
  FAILS(RELAYOUT_ERROR_USAGE, "cache_mode", relayout_compiler_create(&options, &compiler));
  options.cache_mode = RELAYOUT_CACHE_OFF;
  options.cache_size = -1;
  FAILS(RELAYOUT_ERROR_USAGE, "cache_size", relayout_compiler_create(&options, &compiler));
  CHECK(!compiler);
  options.cache_size = 0;
  OK(relayout_compiler_create(&options, &compiler));
  CHECK(!relayout_compiler_cache_problem(compiler));
  relayout_compiler_free(compiler);

  /* Structs of a newer program: zeros beyond are taken, anything else is not. */
  struct {
    relayout_compiler_options known;
    int64_t later;
  } newer;
  memset(&newer, 0, sizeof newer);
  newer.known.struct_size = sizeof newer;
  newer.known.cache_mode = RELAYOUT_CACHE_OFF;
  OK(relayout_compiler_create(&newer.known, &compiler));
  relayout_compiler_free(compiler);
  newer.later = 1;
  FAILS(RELAYOUT_ERROR_UNSUPPORTED, "does not know",
        relayout_compiler_create(&newer.known, &compiler));
  relayout_compiler_free(NULL);
  CHECK(!relayout_compiler_cache_problem(NULL));
}

static void test_options(relayout_compiler *compiler, const relayout_spec *spec) {
  relayout_plan *plan = NULL;
  relayout_plan_options options;
  memset(&options, 0, sizeof options);
  FAILS(RELAYOUT_ERROR_USAGE, "struct_size", relayout_plan_create(compiler, spec, &options, &plan));
  options.struct_size = sizeof options;
  options.cpu = "pentium-of-1999";
  FAILS(RELAYOUT_ERROR_USAGE, "pentium-of-1999",
        relayout_plan_create(compiler, spec, &options, &plan));
  options.cpu = NULL;
  options.features = "+no-such-feature";
  FAILS(RELAYOUT_ERROR_USAGE, "no-such-feature",
        relayout_plan_create(compiler, spec, &options, &plan));
  options.features = NULL;
  options.result = "tepid";
  FAILS(RELAYOUT_ERROR_USAGE, "tepid", relayout_plan_create(compiler, spec, &options, &plan));
  options.result = NULL;
  options.threads = -1;
  FAILS(RELAYOUT_ERROR_USAGE, "-1", relayout_plan_create(compiler, spec, &options, &plan));
  options.threads = 1025;
  FAILS(RELAYOUT_ERROR_USAGE, "from 0 to 1024",
        relayout_plan_create(compiler, spec, &options, &plan));
  options.threads = 0;
  options.schedule = "nonsense";
  FAILS(RELAYOUT_ERROR_SCHEDULE, "nonsense", relayout_plan_create(compiler, spec, &options, &plan));
  options.schedule = "{tile=1000x1000}";
  FAILS(RELAYOUT_ERROR_SCHEDULE, "", relayout_plan_create(compiler, spec, &options, &plan));
  FAILS(RELAYOUT_ERROR_USAGE, "compiler", relayout_plan_create(NULL, spec, NULL, &plan));
  FAILS(RELAYOUT_ERROR_USAGE, "spec", relayout_plan_create(compiler, NULL, NULL, &plan));
  FAILS(RELAYOUT_ERROR_USAGE, "plan", relayout_plan_create(compiler, spec, NULL, NULL));
  CHECK(!plan);
  relayout_plan_free(NULL);

  /* What is pinned shows in the schedule of plan and kernel. */
  options.schedule = "{store=prefetch}";
  options.result = "cold";
  options.threads = 2;
  relayout_kernel *kernel;
  OK(relayout_plan_create(compiler, spec, &options, &plan));
  CHECK(strstr(relayout_plan_schedule(plan), "store=prefetch"));
  OK(relayout_kernel_create(plan, &kernel));
  CHECK(strcmp(relayout_kernel_schedule(kernel), relayout_plan_schedule(plan)) == 0);
  OK(relayout_kernel_verify(kernel));
  relayout_kernel_free(kernel);
  relayout_plan_free(plan);
}

static void expect_stage(const relayout_plan *plan, const char *stage, const char *part) {
  relayout_data *data;
  OK(relayout_plan_emit(plan, stage, &data));
  const char *bytes = relayout_data_bytes(data);
  size_t size = relayout_data_size(data), length = strlen(part), at = 0;
  while (at + length <= size && memcmp(bytes + at, part, length) != 0)
    ++at;
  if (at + length > size) {
    fprintf(stderr, "stage %s does not hold %s\n", stage, part);
    exit(1);
  }
  relayout_data_free(data);
}

static void test_stages(const relayout_plan *plan) {
  const char *stages[][2] = {{"named", "relayout.rearrange"},
                             {"chain", "linalg.transpose"},
                             {"fused", "relayout.rearrange"},
                             {"buffers", "memref<"},
                             {"scheduled", "relayout.schedule"},
                             {"loops", "affine"},
                             {"vectors", "vector."},
                             {"llvm", "llvm.func"},
                             {"llvm-ir", "define void @kernel"},
                             {"asm", "kernel:"},
                             {"object", "\177ELF"}};
  for (size_t i = 0; i < COUNT(stages); ++i)
    expect_stage(plan, stages[i][0], stages[i][1]);
  relayout_data *data = NULL;
  FAILS(RELAYOUT_ERROR_USAGE, "cheese", relayout_plan_emit(plan, "cheese", &data));
  FAILS(RELAYOUT_ERROR_USAGE, "'shared'; possible are named, chain,",
        relayout_plan_emit(plan, "shared", &data));
  FAILS(RELAYOUT_ERROR_USAGE, ", asm, object, image", relayout_plan_emit(plan, "shared", &data));
  FAILS(RELAYOUT_ERROR_USAGE, "plan", relayout_plan_emit(NULL, "asm", &data));
  FAILS(RELAYOUT_ERROR_USAGE, "stage", relayout_plan_emit(plan, NULL, &data));
  FAILS(RELAYOUT_ERROR_USAGE, "data", relayout_plan_emit(plan, "asm", NULL));
  CHECK(!data && !relayout_data_bytes(NULL) && relayout_data_size(NULL) == 0);
  relayout_data_free(NULL);
}

static void test_texts(const relayout_plan *plan) {
  const char *text = relayout_plan_explain(plan);
  CHECK(strstr(text, "2x3x35xf32") && strstr(text, "35x2x3xf32") && strstr(text, "840 bytes"));
  CHECK(strstr(text, relayout_plan_schedule(plan)) && strstr(text, "of the bound"));
  CHECK(strstr(text, "digits ") && strstr(text, "registers ") && strstr(text, "stores "));
  CHECK(!relayout_plan_explain(NULL) && !relayout_plan_schedule(NULL));
}

static void test_reports(const relayout_plan *plan) {
  relayout_kernel *kernel = NULL;
  FAILS(RELAYOUT_ERROR_USAGE, "plan", relayout_kernel_create(NULL, &kernel));
  FAILS(RELAYOUT_ERROR_USAGE, "kernel", relayout_kernel_create(plan, NULL));
  CHECK(!kernel);
  OK(relayout_kernel_create(plan, &kernel));
  OK(relayout_kernel_verify(kernel));
  FAILS(RELAYOUT_ERROR_USAGE, "kernel", relayout_kernel_verify(NULL));
  relayout_measurement found;
  memset(&found, 0, sizeof found);
  FAILS(RELAYOUT_ERROR_USAGE, "struct_size", relayout_kernel_bench(kernel, 1, &found));
  found.struct_size = sizeof found;
  FAILS(RELAYOUT_ERROR_USAGE, "kernel", relayout_kernel_bench(NULL, 1, &found));
  FAILS(RELAYOUT_ERROR_USAGE, "measurement", relayout_kernel_bench(kernel, 1, NULL));
  OK(relayout_kernel_bench(kernel, 1, &found));
  CHECK(found.gbps > 0 && found.bound_gbps > 0 && found.memcpy_gbps > 0);
  CHECK(found.ratio > 0 && found.spread >= 0);
  relayout_kernel_free(kernel);
}

/* A copy that moves the larger side is the bound, so the quotient of the rates is not the
 * ratio: it lacks the bytes that a crop leaves out. */
static void test_rates(relayout_compiler *compiler) {
  const int64_t shape[] = {2048, 64};
  const relayout_window crop[] = {{0, 60}, {0, 0}};
  relayout_tensor operand = {"f32", 0, 2, shape};
  relayout_spec *spec;
  OK(relayout_spec_create_pattern("h w -> w h", &operand, NULL, 0, NULL, crop, NULL, &spec));
  relayout_kernel *kernel = compile_spec(compiler, spec);
  const double in = 2048 * 64 * 4, out = 4 * 2048 * 4;
  /* The ratio is a median of its own: what disturbs one measurement is not in the next. */
  double off = 1;
  for (int i = 0; i < 5 && off > 0.2; ++i) {
    relayout_measurement found;
    memset(&found, 0, sizeof found);
    found.struct_size = sizeof found;
    OK(relayout_kernel_bench(kernel, 1, &found));
    off = found.gbps / found.bound_gbps / found.ratio * (2 * in) / (in + out) - 1;
    off = off < 0 ? -off : off;
  }
  CHECK(off <= 0.2);
  relayout_kernel_free(kernel);
}

/* Input and output have 2^43 bytes each; a proof holds both twice. */
static void test_memory(relayout_compiler *compiler) {
  const int64_t shape[] = {1 << 20, 1 << 21};
  relayout_tensor operand = {"f32", 0, 2, shape};
  relayout_spec *spec;
  OK(relayout_spec_create_transpose(&operand, (const int64_t[]){1, 0}, &spec));
  relayout_kernel *kernel = compile_spec(compiler, spec);
  FAILS(RELAYOUT_ERROR_ENVIRONMENT, "expects 35184372088832 bytes of memory",
        relayout_kernel_verify(kernel));
  relayout_measurement found;
  memset(&found, 0, sizeof found);
  found.struct_size = sizeof found;
  FAILS(RELAYOUT_ERROR_ENVIRONMENT, "expects 17592186044416 bytes of memory",
        relayout_kernel_bench(kernel, 1, &found));
  relayout_kernel_free(kernel);
}

static void test_copy(relayout_compiler *compiler) {
  const int64_t shape[] = {3, 5};
  relayout_tensor operand = {"u8", 0, 2, shape};
  relayout_spec *spec;
  OK(relayout_spec_create_transpose(&operand, (const int64_t[]){0, 1}, &spec));
  relayout_plan *plan;
  OK(relayout_plan_create(compiler, spec, NULL, &plan));
  CHECK(strcmp(relayout_plan_schedule(plan), "") == 0);
  CHECK(strstr(relayout_plan_explain(plan), "a plain copy"));
  /* What is pinned must be possible where nothing is left to choose, too. */
  relayout_plan_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.schedule = "{vector=3}";
  FAILS(RELAYOUT_ERROR_SCHEDULE, "power of 2",
        relayout_plan_create(compiler, spec, &options, &plan));
  relayout_kernel *kernel = compile_spec(compiler, spec);
  CHECK(strcmp(relayout_kernel_schedule(kernel), "") == 0);
  OK(relayout_kernel_verify(kernel));
  relayout_kernel_free(kernel);
  relayout_plan_free(plan);
}

int main(void) {
  CHECK(relayout_abi_version() == RELAYOUT_ABI_VERSION);
  CHECK(strcmp(relayout_version(), RELAYOUT_TEST_VERSION) == 0);
  CHECK(!relayout_error_message(NULL) && relayout_error_get_code(NULL) == 0);
  relayout_error_free(NULL);
  test_compilers();
  relayout_compiler *compiler;
  OK(relayout_compiler_create(NULL, &compiler));
  relayout_spec *spec = make_spec();
  test_options(compiler, spec);
  test_copy(compiler);
  test_rates(compiler);
  test_memory(compiler);
  relayout_plan *plan;
  OK(relayout_plan_create(compiler, spec, NULL, &plan));
  relayout_spec_free(spec);
  relayout_compiler_statistics counts;
  memset(&counts, 0, sizeof counts);
  FAILS(RELAYOUT_ERROR_USAGE, "struct_size", relayout_compiler_get_statistics(compiler, &counts));
  counts.struct_size = sizeof counts;
  OK(relayout_compiler_get_statistics(compiler, &counts));
  CHECK(counts.compiles + counts.disk_hits + counts.memory_hits == 4);
  FAILS(RELAYOUT_ERROR_USAGE, "compiler", relayout_compiler_get_statistics(NULL, &counts));
  FAILS(RELAYOUT_ERROR_USAGE, "statistics", relayout_compiler_get_statistics(compiler, NULL));
  /* A plan outlives its compiler. */
  relayout_compiler_free(compiler);
  test_stages(plan);
  test_texts(plan);
  test_reports(plan);
  relayout_plan_free(plan);
  return 0;
}
