/* Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Specs: every function that makes one, what it says of itself, and its refusals. */

#include "check.h"

static relayout_tensor tensor(const char *dtype, int64_t rank, const int64_t *shape) {
  relayout_tensor made = {dtype, 0, rank, shape};
  return made;
}

static void expect_list(const int64_t *found, const int64_t *expected, int64_t rank) {
  for (int64_t i = 0; i < rank; ++i)
    CHECK(found[i] == expected[i]);
}

static void expect_result(relayout_spec *spec, int64_t rank, const int64_t *shape) {
  CHECK(relayout_spec_rank(spec, 1) == rank);
  expect_list(relayout_spec_shape(spec, 1), shape, rank);
  /* Its JSON makes the same spec. */
  relayout_spec *again;
  const char *json = relayout_spec_json(spec);
  OK(relayout_spec_create_json(json, strlen(json), &again));
  CHECK(strcmp(relayout_spec_json(again), json) == 0);
  relayout_spec_free(again);
  relayout_spec_free(spec);
}

static void test_named(void) {
  relayout_spec *spec;
  const int64_t nchw[] = {2, 12, 3, 5}, nhwc[] = {2, 6, 10, 3}, block[] = {3, 2}, two[] = {2};
  relayout_tensor images = tensor("f32", 4, nchw), rows = tensor("bf16", 4, nhwc);

  OK(relayout_spec_create_depth_to_space(&images, "NCHW", "CRD", two, 1, &spec));
  CHECK(strstr(relayout_spec_json(spec), "depth_first"));
  expect_result(spec, 4, (const int64_t[]){2, 3, 6, 10});
  OK(relayout_spec_create_depth_to_space(&images, "NCHW", "DCR", block, 2, &spec));
  CHECK(strstr(relayout_spec_json(spec), "blocks_first"));
  expect_result(spec, 4, (const int64_t[]){2, 2, 9, 10});
  OK(relayout_spec_create_space_to_depth(&rows, "NHWC", "blocks_first", block, 2, &spec));
  expect_result(spec, 4, (const int64_t[]){2, 2, 5, 18});

  const relayout_window paddings[] = {{1, 2}, {0, 2}}, crops[] = {{1, 0}, {0, 2}};
  OK(relayout_spec_create_space_to_batch(&rows, block, paddings, 2, "1.5", &spec));
  expect_result(spec, 4, (const int64_t[]){12, 3, 6, 3});
  OK(relayout_spec_create_space_to_batch(&rows, block, NULL, 2, NULL, &spec));
  expect_result(spec, 4, (const int64_t[]){12, 2, 5, 3});
  const int64_t batches[] = {12, 3, 6, 3};
  relayout_tensor blocks = tensor("bf16", 4, batches);
  OK(relayout_spec_create_batch_to_space(&blocks, block, crops, 2, &spec));
  expect_result(spec, 4, (const int64_t[]){2, 8, 10, 3});
  OK(relayout_spec_create_batch_to_space(&blocks, block, NULL, 2, &spec));
  expect_result(spec, 4, (const int64_t[]){2, 9, 12, 3});

  OK(relayout_spec_create_pixel_shuffle(&images, 2, &spec));
  expect_result(spec, 4, (const int64_t[]){2, 3, 6, 10});
  const int64_t fine[] = {2, 3, 6, 10};
  relayout_tensor large = tensor("f32", 4, fine);
  OK(relayout_spec_create_pixel_unshuffle(&large, 2, &spec));
  expect_result(spec, 4, (const int64_t[]){2, 12, 3, 5});
  OK(relayout_spec_create_channel_shuffle(&images, 4, 1, &spec));
  expect_result(spec, 4, (const int64_t[]){2, 12, 3, 5});
  OK(relayout_spec_create_transpose(&images, (const int64_t[]){2, 0, 3, 1}, &spec));
  expect_result(spec, 4, (const int64_t[]){3, 2, 5, 12});
  relayout_tensor scalar = tensor("i1", 0, NULL);
  OK(relayout_spec_create_transpose(&scalar, NULL, &spec));
  CHECK(relayout_spec_size(spec, 0) == 1 && strcmp(relayout_spec_dtype(spec), "bool") == 0);
  expect_result(spec, 0, NULL);
}

static void test_pattern(void) {
  relayout_spec *spec;
  const int64_t shape[] = {2, 12, 3, 5};
  relayout_tensor images = tensor("ui8", 4, shape);
  const relayout_size sizes[] = {{"by", 2}, {"bx", 3}};
  const char *text = "n (by bx c) h w -> n c (h by) (w bx)";
  OK(relayout_spec_create_pattern(text, &images, sizes, 2, NULL, NULL, NULL, &spec));
  CHECK(relayout_spec_width(spec) == 1 && strcmp(relayout_spec_dtype(spec), "u8") == 0);
  CHECK(relayout_spec_size(spec, 0) == 360 && relayout_spec_size(spec, 1) == 360);
  expect_list(relayout_spec_strides(spec, 0), (const int64_t[]){180, 15, 5, 1}, 4);
  expect_list(relayout_spec_strides(spec, 1), (const int64_t[]){180, 90, 15, 1}, 4);
  expect_result(spec, 4, (const int64_t[]){2, 2, 6, 15});

  const relayout_window pad[] = {{0, 0}, {0, 0}, {1, 2}, {-1, 0}};
  const relayout_window crop[] = {{0, 1}, {3, 4}, {0, 0}};
  OK(relayout_spec_create_pattern("n ... -> n (...) 1", &images, NULL, 0, pad, crop, "7", &spec));
  expect_result(spec, 3, (const int64_t[]){1, 12 * 6 * 4 - 7, 1});

  relayout_tensor opaque = tensor(NULL, 4, shape);
  for (opaque.width = 1; opaque.width <= 16; opaque.width *= 2) {
    OK(relayout_spec_create_pattern("... w -> w ...", &opaque, NULL, 0, NULL, NULL, NULL, &spec));
    CHECK(relayout_spec_width(spec) == opaque.width);
    CHECK(relayout_spec_size(spec, 1) == 360 * opaque.width);
    expect_result(spec, 4, (const int64_t[]){5, 2, 12, 3});
  }
}

static void test_strides(void) {
  relayout_spec *spec, *back, *none;
  const int64_t shape[] = {3, 5};
  relayout_tensor matrix = tensor("f64", 2, shape);
  OK(relayout_spec_create_transpose(&matrix, (const int64_t[]){1, 0}, &spec));
  const int64_t *extents = relayout_spec_shape(spec, 0), *moved = relayout_spec_shape(spec, 1);
  OK(relayout_spec_set_strides(spec, (const int64_t[]){1, 4}, (const int64_t[]){7, 2}));
  expect_list(extents, shape, 2); /* as long as the spec */
  expect_list(moved, (const int64_t[]){5, 3}, 2);
  CHECK(relayout_spec_size(spec, 0) == (2 * 1 + 4 * 4 + 1) * 8);
  CHECK(relayout_spec_size(spec, 1) == (4 * 7 + 2 * 2 + 1) * 8);
  OK(relayout_spec_invert(spec, &back));
  expect_list(relayout_spec_strides(back, 0), (const int64_t[]){7, 2}, 2);
  expect_list(relayout_spec_strides(back, 1), (const int64_t[]){1, 4}, 2);
  expect_result(back, 2, shape);

  FAILS(RELAYOUT_ERROR_LAYOUT, "[2,1] for shape [5,3]",
        relayout_spec_set_strides(spec, NULL, (const int64_t[]){2, 1}));
  FAILS(RELAYOUT_ERROR_LAYOUT, "[-1,5]",
        relayout_spec_set_strides(spec, (const int64_t[]){-1, 5}, NULL));
  FAILS(RELAYOUT_ERROR_LAYOUT, "[0,1]",
        relayout_spec_set_strides(spec, NULL, (const int64_t[]){0, 1}));
  FAILS(RELAYOUT_ERROR_OVERFLOW, "2^63",
        relayout_spec_set_strides(spec, (const int64_t[]){INT64_MAX, 1}, NULL));
  /* What was refused changed nothing. */
  expect_list(relayout_spec_strides(spec, 1), (const int64_t[]){7, 2}, 2);
  OK(relayout_spec_set_strides(spec, NULL, NULL));
  expect_list(relayout_spec_strides(spec, 1), (const int64_t[]){3, 1}, 2);
  FAILS(RELAYOUT_ERROR_USAGE, "spec", relayout_spec_set_strides(NULL, NULL, NULL));
  FAILS(RELAYOUT_ERROR_USAGE, "spec", relayout_spec_invert(NULL, &none));
  FAILS(RELAYOUT_ERROR_USAGE, "inverse", relayout_spec_invert(spec, NULL));
  relayout_spec_free(spec);

  const relayout_window pad[] = {{1, 0}, {0, 0}};
  OK(relayout_spec_create_pattern("a b -> b a", &matrix, NULL, 0, pad, NULL, NULL, &spec));
  relayout_error *error = relayout_spec_invert(spec, &none);
  CHECK(error && relayout_error_message(error)[0]);
  relayout_error_free(error);
  relayout_spec_free(spec);
}

static void test_refusals(void) {
  relayout_spec *spec = NULL;
  const int64_t shape[] = {2, 3}, perm[] = {1, 0}, block[] = {2};
  relayout_tensor good = tensor("f32", 2, shape), bad = good;
#define PATTERN(text, operand)                                                                     \
  relayout_spec_create_pattern(text, operand, NULL, 0, NULL, NULL, NULL, &spec)
  FAILS(RELAYOUT_ERROR_USAGE, "pattern", PATTERN(NULL, &good));
  FAILS(RELAYOUT_ERROR_USAGE, "operand", PATTERN("a b -> b a", NULL));
  bad.shape = NULL;
  FAILS(RELAYOUT_ERROR_USAGE, "shape", PATTERN("a b -> b a", &bad));
  bad = tensor("f32", 33, shape);
  FAILS(RELAYOUT_ERROR_LIMIT, "33", PATTERN("a b -> b a", &bad));
  bad = tensor("f32", -1, shape);
  FAILS(RELAYOUT_ERROR_LIMIT, "-1", PATTERN("a b -> b a", &bad));
  bad = tensor("f31", 2, shape);
  FAILS(RELAYOUT_ERROR_TYPE, "f31", PATTERN("a b -> b a", &bad));
  bad = tensor(NULL, 2, shape);
  bad.width = 3;
  FAILS(RELAYOUT_ERROR_TYPE, "3", PATTERN("a b -> b a", &bad));
  FAILS(RELAYOUT_ERROR_USAGE, "spec", relayout_spec_create_transpose(&good, perm, NULL));
  FAILS(RELAYOUT_ERROR_USAGE, "perm", relayout_spec_create_transpose(&good, NULL, &spec));
  const relayout_size twice[] = {{"a", 2}, {"a", 2}}, unnamed[] = {{NULL, 2}};
  FAILS(RELAYOUT_ERROR_PATTERN, "twice",
        relayout_spec_create_pattern("a b -> b a", &good, twice, 2, NULL, NULL, NULL, &spec));
  FAILS(RELAYOUT_ERROR_USAGE, "names",
        relayout_spec_create_pattern("a b -> b a", &good, unnamed, 1, NULL, NULL, NULL, &spec));
  FAILS(RELAYOUT_ERROR_USAGE, "sizes",
        relayout_spec_create_pattern("a b -> b a", &good, NULL, 1, NULL, NULL, NULL, &spec));
  FAILS(RELAYOUT_ERROR_LIMIT, "sizes",
        relayout_spec_create_pattern("a b -> b a", &good, twice, 1000, NULL, NULL, NULL, &spec));
  FAILS(RELAYOUT_ERROR_USAGE, "mode",
        relayout_spec_create_depth_to_space(&good, "NCHW", NULL, block, 1, &spec));
  FAILS(RELAYOUT_ERROR_USAGE, "layout",
        relayout_spec_create_depth_to_space(&good, NULL, "DCR", block, 1, &spec));
  FAILS(RELAYOUT_ERROR_USAGE, "block_size",
        relayout_spec_create_depth_to_space(&good, "NCHW", "DCR", NULL, 1, &spec));
  FAILS(RELAYOUT_ERROR_USAGE, "text", relayout_spec_create_json(NULL, 0, &spec));
  FAILS(RELAYOUT_ERROR_SYNTAX, "object", relayout_spec_create_json("[]", 2, &spec));
  /* No character ends a message too early. */
  const char *null = "{\"op\":\"pad\\u0000ded\"}";
  FAILS(RELAYOUT_ERROR_USAGE, "but got 'pad\\x00ded'",
        relayout_spec_create_json(null, strlen(null), &spec));
  FAILS(RELAYOUT_ERROR_USAGE, "spec", relayout_spec_create_json("{}", 2, NULL));
  CHECK(!spec);
#undef PATTERN
}

static void test_null(void) {
  relayout_spec_free(NULL);
  CHECK(relayout_spec_rank(NULL, 0) == 0 && relayout_spec_size(NULL, 1) == 0);
  CHECK(!relayout_spec_shape(NULL, 0) && !relayout_spec_strides(NULL, 0));
  CHECK(!relayout_spec_dtype(NULL) && !relayout_spec_json(NULL) && !relayout_spec_width(NULL));
}

int main(void) {
  test_named();
  test_pattern();
  test_strides();
  test_refusals();
  test_null();
  return 0;
}
