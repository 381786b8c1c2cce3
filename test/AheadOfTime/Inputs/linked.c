/* Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/** \file
 * Calls a kernel that is linked to it, one unit after the other, the last one first. */

#include "d2s.h"
#include "depth_to_space.h"

int main(void) {
  static const int64_t shape[D2S_OUTPUT_RANK] = D2S_OUTPUT_SHAPE;
  static const int64_t strides[D2S_INPUT_RANK] = D2S_INPUT_STRIDES;
  static _Alignas(64) char scratch[D2S_SCRATCH_SIZE + 64];
  if (shape[1] != C || shape[3] != W * B || strides[0] != C * B * B * H * W || strides[3] != 1 ||
      D2S_INPUT_SIZE != sizeof(in) || D2S_OUTPUT_SIZE != sizeof(out) || D2S_ALIGNMENT != 4 ||
      D2S_ELEMENT_SIZE != 4 || D2S_INPUT_RANK != 4) {
    printf("the constants are wrong\n");
    return 1;
  }
  fill();
  for (int64_t unit = D2S_UNITS; unit-- > 0;)
    d2s(in, out, scratch, unit, unit + 1);
  return compare();
}
