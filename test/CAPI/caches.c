/* Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/** \file
 * Caches through the C interface: what hits, what misses, and that all kernels are
 * right. The folder of the cache on disk is the argument, which must not exist. */

#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <dirent.h>
#include <unistd.h>

static const char *folder;

static relayout_compiler *make_compiler(int64_t memory, relayout_cache_mode mode) {
  relayout_compiler *compiler;
  relayout_compiler_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.memory_kernels = memory;
  options.cache_mode = mode;
  options.cache_directory = folder;
  OK(relayout_compiler_create(&options, &compiler));
  return compiler;
}

static relayout_spec *make_spec(const char *dtype, int64_t width, const char *pattern,
                                const char *pad_value) {
  static const int64_t shape[] = {2, 12, 3, 5};
  static const relayout_size sizes[] = {{"by", 2}, {"bx", 2}};
  static const relayout_window pads[] = {{0, 0}, {0, 0}, {1, 0}, {0, 2}};
  relayout_tensor tensor = {dtype, width, 4, shape};
  relayout_spec *spec;
  OK(relayout_spec_create_pattern(pattern, &tensor, sizes, strstr(pattern, "by") ? 2 : 0,
                                  pad_value ? pads : NULL, NULL, pad_value, &spec));
  return spec;
}

static const char *const kShuffle = "n (c by bx) h w -> n c (h by) (w bx)";

/** Makes the kernel, proves it right and frees it. */
static void use(relayout_compiler *compiler, const char *dtype, const char *pattern,
                const char *pad_value) {
  relayout_kernel *kernel =
      compile_spec(compiler, make_spec(dtype, dtype ? 0 : 4, pattern, pad_value));
  OK(relayout_kernel_verify(kernel));
  relayout_kernel_free(kernel);
}

static void expect(relayout_compiler *compiler, int64_t memory_hits, int64_t disk_hits,
                   int64_t compiles, int64_t evictions) {
  relayout_compiler_statistics counts = {sizeof counts, 0, 0, 0, 0, 0, 0};
  OK(relayout_compiler_get_statistics(compiler, &counts));
  if (counts.memory_hits != memory_hits || counts.disk_hits != disk_hits ||
      counts.compiles != compiles || counts.evictions != evictions || counts.disk_refusals != 0 ||
      counts.disk_failures != 0) {
    fprintf(stderr, "hits %lld and %lld, compiles %lld, evictions %lld, faults %lld and %lld\n",
            (long long)counts.memory_hits, (long long)counts.disk_hits, (long long)counts.compiles,
            (long long)counts.evictions, (long long)counts.disk_refusals,
            (long long)counts.disk_failures);
    exit(1);
  }
}

/** What means the same is one kernel; whatever differs is another. */
static void test_keys(void) {
  relayout_compiler *compiler = make_compiler(0, RELAYOUT_CACHE_OFF);
  use(compiler, "f32", kShuffle, NULL);
  use(compiler, "f32", kShuffle, NULL);
  expect(compiler, 1, 0, 1, 0);
  use(compiler, "i32", "a (b by bx) y x -> a b (y by) (x bx)", NULL);
  use(compiler, NULL, kShuffle, NULL);
  expect(compiler, 3, 0, 1, 0);
  use(compiler, "f64", kShuffle, NULL);
  expect(compiler, 3, 0, 2, 0);
  use(compiler, "c64", kShuffle, NULL);
  expect(compiler, 3, 0, 3, 0);
  use(compiler, "f32", kShuffle, "0");
  use(compiler, "f32", kShuffle, "1");
  use(compiler, "f32", "n (c bx by) h w -> n c (h by) (w bx)", NULL);
  expect(compiler, 3, 0, 6, 0);
  /* The bits of 1.0 as an integer. */
  use(compiler, "i32", kShuffle, "1065353216");
  expect(compiler, 4, 0, 6, 0);

  relayout_plan_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  /* Each differs from the first in one option. */
  static const struct {
    const char *schedule, *result;
    int64_t threads;
  } kOptions[] = {{"{store=prefetch}", "hot", 1},
                  {"{store=ordinary}", "hot", 1},
                  {"{store=prefetch}", "cold", 1},
                  {"{store=prefetch}", "hot", 2}};
  for (int i = 0; i < 4; ++i) {
    relayout_spec *spec = make_spec("f32", 0, kShuffle, NULL);
    relayout_plan *plan;
    relayout_kernel *kernel;
    options.schedule = kOptions[i].schedule;
    options.result = kOptions[i].result;
    options.threads = kOptions[i].threads;
    OK(relayout_plan_create(compiler, spec, &options, &plan));
    OK(relayout_kernel_create(plan, &kernel));
    OK(relayout_kernel_verify(kernel));
    relayout_kernel_free(kernel);
    relayout_plan_free(plan);
    relayout_spec_free(spec);
  }
  expect(compiler, 4, 0, 10, 0);
  relayout_compiler_free(compiler);
}

/** What is left out at the end of an operand makes no other movement, but another operand. */
static void test_operands(void) {
  relayout_compiler *compiler = make_compiler(0, RELAYOUT_CACHE_OFF);
  for (int64_t rows = 5; rows < 7; ++rows) {
    int64_t shape[] = {rows, 7};
    relayout_tensor tensor = {"f32", 0, 2, shape};
    relayout_window pad[] = {{0, 3 - rows}, {0, 0}};
    relayout_spec *spec;
    OK(relayout_spec_create_pattern("a b -> b a", &tensor, NULL, 0, pad, NULL, NULL, &spec));
    relayout_kernel *kernel = compile_spec(compiler, spec);
    OK(relayout_kernel_verify(kernel));
    relayout_kernel_free(kernel);
  }
  expect(compiler, 0, 0, 2, 0);
  relayout_compiler_free(compiler);
}

static void test_disk(void) {
  relayout_compiler *compiler = make_compiler(0, RELAYOUT_CACHE_READ_WRITE);
  use(compiler, "f32", kShuffle, NULL);
  use(compiler, "f32", "n c h w -> n c h w", NULL);
  use(compiler, "f32", kShuffle, NULL);
  expect(compiler, 1, 0, 2, 0);
  CHECK(!relayout_compiler_cache_problem(compiler));
  relayout_compiler_free(compiler);

  compiler = make_compiler(1, RELAYOUT_CACHE_READ);
  use(compiler, "f32", kShuffle, NULL);
  use(compiler, "f32", "n c h w -> n c h w", NULL);
  use(compiler, "f32", kShuffle, NULL);
  use(compiler, "f64", kShuffle, NULL);
  expect(compiler, 0, 3, 1, 3);
  relayout_compiler_free(compiler);

  compiler = make_compiler(-1, RELAYOUT_CACHE_READ_WRITE);
  use(compiler, "f64", kShuffle, NULL);
  use(compiler, "f32", kShuffle, NULL);
  use(compiler, "f32", kShuffle, NULL);
  expect(compiler, 0, 2, 1, 0);
  relayout_compiler_free(compiler);

  /* A kernel that is larger than the cache may be is not stored. */
  relayout_compiler_options small;
  memset(&small, 0, sizeof small);
  small.struct_size = sizeof small;
  small.cache_mode = RELAYOUT_CACHE_READ_WRITE;
  small.cache_directory = folder;
  small.cache_size = 1;
  for (int i = 0; i < 2; ++i) {
    OK(relayout_compiler_create(&small, &compiler));
    use(compiler, "i16", kShuffle, NULL);
    expect(compiler, 0, 0, 1, 0);
    relayout_compiler_free(compiler);
  }
}

/** What the cache holds is no other than what the compiler makes. */
static void test_damage(void) {
  char path[4096];
  DIR *list = opendir(folder);
  CHECK(list);
  for (struct dirent *entry; (entry = readdir(list));) {
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (entry->d_name[0] != '.')
      CHECK(truncate(path, 333) == 0);
  }
  closedir(list);
  relayout_compiler *compiler = make_compiler(0, RELAYOUT_CACHE_READ_WRITE);
  use(compiler, "f32", kShuffle, NULL);
  relayout_compiler_statistics counts = {sizeof counts, 0, 0, 0, 0, 0, 0};
  OK(relayout_compiler_get_statistics(compiler, &counts));
  CHECK(counts.disk_refusals == 1 && counts.compiles == 1);
  relayout_compiler_free(compiler);
  compiler = make_compiler(0, RELAYOUT_CACHE_READ_WRITE);
  use(compiler, "f32", kShuffle, NULL);
  expect(compiler, 0, 1, 0, 0);
  relayout_compiler_free(compiler);
}

static void test_problem(void) {
  char missing[4096];
  snprintf(missing, sizeof missing, "%s/none", folder);
  folder = missing;
  relayout_compiler *compiler = make_compiler(0, RELAYOUT_CACHE_READ);
  const char *problem = relayout_compiler_cache_problem(compiler);
  CHECK(problem && strstr(problem, "No such file or directory"));
  use(compiler, "f32", kShuffle, NULL);
  expect(compiler, 0, 0, 1, 0);
  relayout_compiler_free(compiler);
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  folder = argv[1];
  test_keys();
  test_operands();
  CHECK(access(folder, F_OK) != 0);
  test_disk();
  test_damage();
  test_problem();
  return 0;
}
