/* Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* A host that has set a locale whose numbers have a comma in place of the point: `comma`. */

#include "check.h"

#include <locale.h>

static void expect_comma(void) { CHECK(strcmp(localeconv()->decimal_point, ",") == 0); }

static void test_numbers_of_specs(const char *dtype, const char *value) {
  char text[200];
  snprintf(text, sizeof(text),
           "{\"op\":\"rearrange\",\"shape\":[3,5],\"dtype\":\"%s\",\"pattern\":\"a b -> b a\","
           "\"pad\":[[1,0],[0,2]],\"pad_value\":%s}",
           dtype, value);
  relayout_spec *spec;
  OK(relayout_spec_create_json(text, strlen(text), &spec));
  CHECK(strcmp(relayout_spec_json(spec), text) == 0);
  relayout_spec_free(spec);
}

static void test_words_of_plans(void) {
  const int64_t shape[] = {90, 140}, perm[] = {1, 0};
  relayout_tensor operand = {"f32", 0, 2, shape};
  relayout_compiler *compiler;
  relayout_spec *spec;
  relayout_plan *plan;
  OK(relayout_compiler_create(NULL, &compiler));
  OK(relayout_spec_create_transpose(&operand, perm, &spec));
  OK(relayout_plan_create(compiler, spec, NULL, &plan));
  const char *share = strstr(relayout_plan_explain(plan), "  expected  ");
  CHECK(share && strcspn(share, ".") < strcspn(share, ",") && strstr(share, " of the bound: "));
  relayout_plan_free(plan);
  relayout_spec_free(spec);
  relayout_compiler_free(compiler);
}

int main(void) {
  CHECK(setlocale(LC_NUMERIC, "comma"));
  expect_comma();
  test_numbers_of_specs("f32", "1.5");
  test_numbers_of_specs("c64", "[-0.25,1e+30]");
  test_words_of_plans();
  expect_comma();
  return 0;
}
