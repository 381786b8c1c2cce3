/* Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/** \file
 * What the programs of this folder run: depth_to_space of 2x12x3x5xf32, NCHW, depth
 * first, blocks of 2, by its definition. */

#ifndef DEPTH_TO_SPACE_H
#define DEPTH_TO_SPACE_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { N = 2, C = 3, H = 3, W = 5, B = 2, COUNT = N * C * B * B * H * W };

static uint32_t in[COUNT], out[COUNT];

static void fill(void) {
  for (uint32_t i = 0; i < COUNT; ++i)
    in[i] = 0x01000193u * (i + 1);
  memset(out, 0xa5, sizeof(out));
}

/** 0 if `out` is what it should be. */
static int compare(void) {
  for (int n = 0; n < N; ++n)
    for (int c = 0; c < C; ++c)
      for (int h = 0; h < H * B; ++h)
        for (int w = 0; w < W * B; ++w) {
          int channel = (c * B + h % B) * B + w % B;
          uint32_t want = in[((n * C * B * B + channel) * H + h / B) * W + w / B];
          uint32_t got = out[((n * C + c) * H * B + h) * W * B + w];
          if (got != want) {
            printf("element %d %d %d %d is %08x and not %08x\n", n, c, h, w, got, want);
            return 1;
          }
        }
  printf("%d elements are right\n", COUNT);
  return 0;
}

#endif
