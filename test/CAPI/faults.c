/* Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Public faults of comparable products on these operations, as inputs: each is refused
 * with the kind of its fault, or accepted where that is right. The identifiers are those
 * of advisories and issue threads. */

#include "check.h"

#define ACCEPTED ((relayout_error_code)0)

static void expect_code(const char *name, relayout_error *error, relayout_spec *spec,
                        relayout_error_code code) {
  relayout_error_code found = error ? relayout_error_get_code(error) : ACCEPTED;
  if (found != code || (error && !relayout_error_message(error)[0])) {
    fprintf(stderr, "%s: code %d in place of %d: %s\n", name, (int)found, (int)code,
            error ? relayout_error_message(error) : "accepted");
    exit(1);
  }
  CHECK(error ? !spec : spec != NULL);
  relayout_error_free(error);
  relayout_spec_free(spec);
}

static const struct {
  const char *name;
  relayout_error_code code;
  const char *json;
} texts[] = {
    {"CVE-2021-29587", RELAYOUT_ERROR_BLOCK,
     "{\"op\":\"space_to_depth\",\"layout\":\"NHWC\",\"mode\":\"blocks_first\","
     "\"shape\":[1,4,4,3],\"dtype\":\"f32\",\"block_size\":[0,0]}"},
    {"CVE-2021-29593", RELAYOUT_ERROR_BLOCK,
     "{\"op\":\"batch_to_space\",\"shape\":[4,2,2,1],\"dtype\":\"f32\",\"block_shape\":[0,2],"
     "\"crops\":[[0,0],[0,0]]}"},
    {"CVE-2021-29595", RELAYOUT_ERROR_BLOCK,
     "{\"op\":\"depth_to_space\",\"layout\":\"NHWC\",\"mode\":\"blocks_first\","
     "\"shape\":[1,2,2,4],\"dtype\":\"f32\",\"block_size\":[0,0]}"},
    {"CVE-2021-29597", RELAYOUT_ERROR_BLOCK,
     "{\"op\":\"space_to_batch\",\"shape\":[1,4,4,1],\"dtype\":\"f32\",\"block_shape\":[2,0]}"},
    {"CVE-2022-29203", RELAYOUT_ERROR_BLOCK,
     "{\"op\":\"space_to_batch\",\"shape\":[10,19,22],\"dtype\":\"f32\","
     "\"block_shape\":[-1879048192,-1879048192]}"},
    {"CVE-2021-41216, range", RELAYOUT_ERROR_PERMUTATION,
     "{\"op\":\"transpose\",\"shape\":[4],\"dtype\":\"f32\",\"perm\":[-10]}"},
    {"CVE-2021-41216, twice", RELAYOUT_ERROR_PERMUTATION,
     "{\"op\":\"transpose\",\"shape\":[2,2],\"dtype\":\"f32\",\"perm\":[0,0]}"},
    {"CVE-2021-29618", ACCEPTED,
     "{\"op\":\"transpose\",\"shape\":[],\"dtype\":\"c64\",\"perm\":[]}"},
    {"CVE-2021-41197", RELAYOUT_ERROR_OVERFLOW,
     "{\"op\":\"space_to_batch\",\"shape\":[1,32,32,3],\"dtype\":\"f32\",\"block_shape\":[1,1],"
     "\"paddings\":[[747509374,2136925906],[413308538,904601717]]}"},
    {"CVE-2022-41895", RELAYOUT_ERROR_CROP,
     "{\"op\":\"batch_to_space\",\"shape\":[4,2,2,1],\"dtype\":\"f32\",\"block_shape\":[2,2],"
     "\"crops\":[[2012217344,167772160],[0,0]]}"},
    {"crops of all", RELAYOUT_ERROR_CROP,
     "{\"op\":\"batch_to_space\",\"shape\":[4,2,2,1],\"dtype\":\"f32\",\"block_shape\":[2,2],"
     "\"crops\":[[3,3],[0,0]]}"},
    {"tfjs, negative padding", RELAYOUT_ERROR_PAD,
     "{\"op\":\"space_to_batch\",\"shape\":[1,4,4,4],\"dtype\":\"f32\",\"block_shape\":[2,2],"
     "\"paddings\":[[-4,0],[0,0]]}"},
    {"pytorch#146795", RELAYOUT_ERROR_OVERFLOW,
     "{\"op\":\"depth_to_space\",\"layout\":\"NCHW\",\"mode\":\"depth_first\","
     "\"shape\":[1,1363,1,1],\"dtype\":\"f32\",\"block_size\":8070450532247928832}"},
    {"32 bits wrap to 0", RELAYOUT_ERROR_OVERFLOW,
     "{\"op\":\"depth_to_space\",\"layout\":\"NCHW\",\"mode\":\"depth_first\","
     "\"shape\":[1,1,2,2],\"dtype\":\"f32\",\"block_size\":4294967296}"},
    {"XNNPACK#11048", RELAYOUT_ERROR_DIVISIBLE,
     "{\"op\":\"depth_to_space\",\"layout\":\"NCHW\",\"mode\":\"depth_first\","
     "\"shape\":[1,4,2,2],\"dtype\":\"f32\",\"block_size\":65536}"},
    {"tensorflow#46939", RELAYOUT_ERROR_DIVISIBLE,
     "{\"op\":\"depth_to_space\",\"layout\":\"NHWC\",\"mode\":\"blocks_first\","
     "\"shape\":[4,1,1,1],\"dtype\":\"f32\",\"block_size\":2147483647}"},
    {"tensorflow#61541", RELAYOUT_ERROR_DIVISIBLE,
     "{\"op\":\"depth_to_space\",\"layout\":\"NHWC\",\"mode\":\"blocks_first\","
     "\"shape\":[0,2,3,12],\"dtype\":\"f32\",\"block_size\":536870912}"},
    {"a batch of none", ACCEPTED,
     "{\"op\":\"depth_to_space\",\"layout\":\"NCHW\",\"mode\":\"depth_first\","
     "\"shape\":[0,4,2,2],\"dtype\":\"f32\",\"block_size\":2}"},
    {"pytorch#92798", ACCEPTED,
     "{\"op\":\"depth_to_space\",\"layout\":\"NCHW\",\"mode\":\"depth_first\","
     "\"shape\":[1,1,1,0],\"dtype\":\"u8\",\"block_size\":1}"},
    {"tensorflow#42203", RELAYOUT_ERROR_LAYOUT,
     "{\"op\":\"space_to_depth\",\"layout\":\"NCHW_VECT_C\",\"mode\":\"blocks_first\","
     "\"shape\":[1,4,4,4],\"dtype\":\"f32\",\"block_size\":2}"},
    {"a mode that is none", RELAYOUT_ERROR_MODE,
     "{\"op\":\"depth_to_space\",\"layout\":\"NCHW\",\"mode\":\"XYZ\","
     "\"shape\":[1,4,2,2],\"dtype\":\"f32\",\"block_size\":2}"},
    {"a digit twice", RELAYOUT_ERROR_PATTERN,
     "{\"op\":\"rearrange\",\"pattern\":\"b (h h) -> b h\",\"shape\":[2,4],\"dtype\":\"f32\"}"},
    {"nested brackets", RELAYOUT_ERROR_PATTERN,
     "{\"op\":\"rearrange\",\"pattern\":\"b ((h w)) -> b h w\",\"shape\":[2,4],"
     "\"dtype\":\"f32\"}"},
    {"a digit on one side", RELAYOUT_ERROR_PATTERN,
     "{\"op\":\"rearrange\",\"pattern\":\"b h w -> b h\",\"shape\":[2,4,3],\"dtype\":\"f32\"}"},
    {"an operation that is none", RELAYOUT_ERROR_USAGE,
     "{\"op\":\"reshape\",\"shape\":[1,1],\"dtype\":\"f32\"}"},
    {"an integer beyond 64 bits", RELAYOUT_ERROR_SYNTAX,
     "{\"op\":\"pixel_shuffle\",\"shape\":[4,1,1],\"dtype\":\"f32\","
     "\"block_size\":99999999999999999999}"},
    {"a key twice", RELAYOUT_ERROR_SYNTAX,
     "{\"op\":\"pixel_shuffle\",\"shape\":[4,1,1],\"dtype\":\"f32\",\"block_size\":2,"
     "\"block_size\":0}"},
};

static void test_deep_text(void) {
  enum { DEPTH = 200000 };
  char *text = malloc(DEPTH);
  relayout_spec *spec = NULL;
  memset(text, '[', DEPTH);
  relayout_error *error = relayout_spec_create_json(text, DEPTH, &spec);
  expect_code("brackets 200,000 deep", error, spec, RELAYOUT_ERROR_LIMIT);
  free(text);
  const int64_t shape[] = {4};
  relayout_tensor operand = {"f32", 0, 1, shape};
  const size_t depths[] = {10000, 4000};
  const relayout_error_code codes[] = {RELAYOUT_ERROR_LIMIT, RELAYOUT_ERROR_PATTERN};
  for (int i = 0; i < 2; ++i) {
    char pattern[10001] = {0};
    memset(pattern, '(', depths[i]);
    spec = NULL;
    error = relayout_spec_create_pattern(pattern, &operand, NULL, 0, NULL, NULL, NULL, &spec);
    expect_code("a deep pattern", error, spec, codes[i]);
  }
}

/* A row calls a function and says what it must return. */
#define EXPECT(code, name, rank, shape_list, dtype, call)                                          \
  do {                                                                                             \
    const int64_t shape[] = shape_list;                                                            \
    relayout_tensor operand = {dtype, 0, rank, shape};                                             \
    relayout_spec *spec = NULL;                                                                    \
    relayout_error *error = call;                                                                  \
    expect_code(name, error, spec, code);                                                          \
  } while (0)
#define LIST(...) {__VA_ARGS__}

static void test_blocks(void) {
  const int64_t zero[] = {0, 0}, least[] = {INT64_MIN, 2}, huge[] = {INT64_MAX}, two[] = {2, 2},
                three[] = {3};
  EXPECT(RELAYOUT_ERROR_BLOCK, "CVE-2021-29587", 4, LIST(1, 4, 4, 3), "f32",
         relayout_spec_create_space_to_depth(&operand, "NHWC", "DCR", zero, 2, &spec));
  EXPECT(RELAYOUT_ERROR_BLOCK, "CVE-2021-29595", 4, LIST(1, 2, 2, 4), "f32",
         relayout_spec_create_depth_to_space(&operand, "NHWC", "DCR", zero, 2, &spec));
  EXPECT(RELAYOUT_ERROR_BLOCK, "the least block", 4, LIST(1, 4, 2, 2), "f32",
         relayout_spec_create_depth_to_space(&operand, "NCHW", "CRD", least, 2, &spec));
  EXPECT(RELAYOUT_ERROR_OVERFLOW, "pytorch#172011", 4, LIST(1, 1, 2, 2), "f32",
         relayout_spec_create_depth_to_space(&operand, "NCHW", "CRD", huge, 1, &spec));
  EXPECT(RELAYOUT_ERROR_DIVISIBLE, "not divisible", 4, LIST(1, 4, 3, 2), "f32",
         relayout_spec_create_space_to_depth(&operand, "NCHW", "CRD", two, 1, &spec));
  EXPECT(RELAYOUT_ERROR_DIVISIBLE, "not divisible, depth", 4, LIST(1, 4, 2, 2), "f32",
         relayout_spec_create_depth_to_space(&operand, "NCHW", "CRD", three, 1, &spec));
  EXPECT(RELAYOUT_ERROR_MODE, "a mode that is none", 4, LIST(1, 4, 2, 2), "f32",
         relayout_spec_create_depth_to_space(&operand, "NCHW", "XYZ", two, 1, &spec));
  EXPECT(RELAYOUT_ERROR_BLOCK, "CVE-2021-29597", 4, LIST(1, 4, 4, 1), "f32",
         relayout_spec_create_space_to_batch(&operand, zero, NULL, 2, NULL, &spec));
  EXPECT(RELAYOUT_ERROR_BLOCK, "CVE-2021-29593", 4, LIST(4, 2, 2, 1), "f32",
         relayout_spec_create_batch_to_space(&operand, zero, NULL, 2, &spec));
}

static void test_windows(void) {
  const int64_t one[] = {1, 1}, two[] = {2, 2};
  const relayout_window large[] = {{747509374, 2136925906}, {413308538, 904601717}};
  const relayout_window beyond[] = {{2012217344, 167772160}, {0, 0}}, minus[] = {{-1, 0}, {0, 0}};
  const relayout_window edge[] = {{INT64_MAX, INT64_MAX}, {0, 0}};
  EXPECT(RELAYOUT_ERROR_OVERFLOW, "CVE-2021-41197", 4, LIST(1, 32, 32, 3), "f32",
         relayout_spec_create_space_to_batch(&operand, one, large, 2, NULL, &spec));
  EXPECT(RELAYOUT_ERROR_CROP, "CVE-2022-41895", 4, LIST(4, 2, 2, 1), "f32",
         relayout_spec_create_batch_to_space(&operand, two, beyond, 2, &spec));
  EXPECT(RELAYOUT_ERROR_CROP, "a negative crop", 4, LIST(4, 2, 2, 1), "f32",
         relayout_spec_create_batch_to_space(&operand, two, minus, 2, &spec));
  EXPECT(RELAYOUT_ERROR_PAD, "a negative pad", 4, LIST(1, 4, 4, 4), "f32",
         relayout_spec_create_space_to_batch(&operand, two, minus, 2, NULL, &spec));
  EXPECT(RELAYOUT_ERROR_OVERFLOW, "pads beyond 64 bits", 2, LIST(3, 5), "f32",
         relayout_spec_create_pattern("a b -> b a", &operand, NULL, 0, edge, NULL, NULL, &spec));
  EXPECT(RELAYOUT_ERROR_TYPE, "a value beyond its type", 2, LIST(3, 5), "u8",
         relayout_spec_create_pattern("a b -> b a", &operand, NULL, 0, NULL, NULL, "256", &spec));
}

static void test_shuffles(void) {
  const int64_t away[] = {-10}, same[] = {0, 0};
  EXPECT(RELAYOUT_ERROR_OVERFLOW, "pytorch#153352", 3, LIST(0, 0, 9), "f16",
         relayout_spec_create_pixel_shuffle(&operand, 4323455642275676160, &spec));
  EXPECT(RELAYOUT_ERROR_DIVISIBLE, "pytorch#162251", 3, LIST(1, 2, 2), "f16",
         relayout_spec_create_pixel_shuffle(&operand, 1000003, &spec));
  EXPECT(RELAYOUT_ERROR_DIVISIBLE, "unshuffle", 3, LIST(1, 2, 3), "f16",
         relayout_spec_create_pixel_unshuffle(&operand, 2, &spec));
  EXPECT(RELAYOUT_ERROR_BLOCK, "a factor of 0", 3, LIST(1, 2, 2), "f16",
         relayout_spec_create_pixel_unshuffle(&operand, 0, &spec));
  EXPECT(RELAYOUT_ERROR_BLOCK, "pytorch#142453", 4, LIST(1, 4, 10, 10), "f32",
         relayout_spec_create_channel_shuffle(&operand, 0, 1, &spec));
  EXPECT(RELAYOUT_ERROR_SHAPE, "CVE-2020-15207", 4, LIST(1, 4, 10, 10), "f32",
         relayout_spec_create_channel_shuffle(&operand, 2, -5, &spec));
  EXPECT(RELAYOUT_ERROR_PERMUTATION, "CVE-2021-41216, range", 1, LIST(4), "f32",
         relayout_spec_create_transpose(&operand, away, &spec));
  EXPECT(RELAYOUT_ERROR_PERMUTATION, "CVE-2021-41216, twice", 2, LIST(2, 2), "f32",
         relayout_spec_create_transpose(&operand, same, &spec));
  EXPECT(RELAYOUT_ERROR_OVERFLOW, "CVE-2022-23567", 2, LIST(92233720368, 92233720368), "f32",
         relayout_spec_create_transpose(&operand, same, &spec));
  EXPECT(RELAYOUT_ERROR_SHAPE, "a negative extent", 2, LIST(2, -2), "f32",
         relayout_spec_create_transpose(&operand, same, &spec));
}

int main(void) {
  for (size_t i = 0; i < COUNT(texts); ++i) {
    relayout_spec *spec = NULL;
    relayout_error *error = relayout_spec_create_json(texts[i].json, strlen(texts[i].json), &spec);
    expect_code(texts[i].name, error, spec, texts[i].code);
  }
  test_deep_text();
  test_blocks();
  test_windows();
  test_shuffles();
  return 0;
}
