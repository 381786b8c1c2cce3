// RUN: relayout-opt %s --split-input-file --verify-diagnostics

// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every diagnostic of depth_to_space and space_to_depth, by the labels of Spec.md.

// mode.
func.func @f(%x: tensor<2x12x3x5xf32>) {
  // expected-error@+1 {{expects a mode among blocks_first, depth_first, but got 'DCR'}}
  %0 = relayout.depth_to_space %x block_size [2] mode DCR layout NCHW
      : tensor<2x12x3x5xf32> -> tensor<1xf32>
  return
}

// -----

// mode has no default.
func.func @f(%x: tensor<2x12x3x5xf32>) {
  // expected-error@+1 {{expected 'mode'}}
  %0 = relayout.depth_to_space %x block_size [2] layout NCHW
      : tensor<2x12x3x5xf32> -> tensor<1xf32>
  return
}

// -----

// layout.
func.func @f(%x: tensor<2x12x3x5xf32>) {
  // expected-error@+1 {{expects a layout among NHWC, NCHW, NCHW_VECT_C, NWC, NCW, NDHWC, NCDHW, channels_first, channels_last, but got 'CHWN'}}
  %0 = relayout.depth_to_space %x block_size [2] mode depth_first layout CHWN
      : tensor<2x12x3x5xf32> -> tensor<1xf32>
  return
}

// -----

// layout has no default.
func.func @f(%x: tensor<2x3x6x10xf32>) {
  // expected-error@+2 {{expected 'layout'}}
  %0 = relayout.space_to_depth %x block_size [2] mode depth_first
      : tensor<2x3x6x10xf32> -> tensor<1xf32>
  return
}

// -----

// D1.
func.func @f(%x: tensor<2x3x12xf32>) {
  // expected-error@+1 {{expects a tensor of rank 4 in layout NHWC, but the rank is 3}}
  %0 = relayout.depth_to_space %x block_size [2] mode depth_first layout NHWC
      : tensor<2x3x12xf32> -> tensor<1xf32>
  return
}

// -----

// D1: vectors.
func.func @f(%x: tensor<2x4x6x10xf32>) {
  // expected-error@+1 {{expects a tensor of rank 5 in layout NCHW_VECT_C, but the rank is 4}}
  %0 = relayout.space_to_depth %x block_size [2] mode depth_first layout NCHW_VECT_C
      : tensor<2x4x6x10xf32> -> tensor<1xf32>
  return
}

// -----

// D1: any rank.
func.func @f(%x: tensor<2x12xf32>) {
  // expected-error@+1 {{expects a tensor of rank 3 or more in layout channels_first, but the rank is 2}}
  %0 = relayout.depth_to_space %x block_size [2] mode depth_first layout channels_first
      : tensor<2x12xf32> -> tensor<1xf32>
  return
}

// -----

// D2.
func.func @f(%x: tensor<2x12x3x5x8xf32>) {
  // expected-error@+1 {{expects the last dimension to be 4 in layout NCHW_VECT_C, but it is 8}}
  %0 = relayout.depth_to_space %x block_size [2] mode blocks_first layout NCHW_VECT_C
      : tensor<2x12x3x5x8xf32> -> tensor<1xf32>
  return
}

// -----

// D3.
func.func @f(%x: tensor<2x3x5x12xf32>) {
  // expected-error@+1 {{expects a result layout of 2 spatial axes, as the operand in layout NHWC has, but got NCW}}
  %0 = relayout.depth_to_space %x block_size [2] mode blocks_first layout NHWC result_layout NCW
      : tensor<2x3x5x12xf32> -> tensor<1xf32>
  return
}

// -----

// D4.
func.func @f(%x: tensor<2x3x5x12xf32>) {
  // expected-error@+1 {{expects one block_size, or one for each of the 2 spatial axes, but got 3}}
  %0 = relayout.depth_to_space %x block_size [2, 2, 2] mode blocks_first layout NHWC
      : tensor<2x3x5x12xf32> -> tensor<1xf32>
  return
}

// -----

// D4: none.
func.func @f(%x: tensor<2x6x10x3xf32>) {
  // expected-error@+1 {{expects one block_size, or one for each of the 2 spatial axes, but got 0}}
  %0 = relayout.space_to_depth %x block_size [] mode blocks_first layout NHWC
      : tensor<2x6x10x3xf32> -> tensor<1xf32>
  return
}

// -----

// D5.
func.func @f(%x: tensor<2x3x5x12xf32>) {
  // expected-error@+1 {{expects block_size to be 1 or more, but got 0}}
  %0 = relayout.depth_to_space %x block_size [0] mode blocks_first layout NHWC
      : tensor<2x3x5x12xf32> -> tensor<1xf32>
  return
}

// -----

// D5: negative.
func.func @f(%x: tensor<2x6x10x3xf32>) {
  // expected-error@+1 {{expects block_size to be 1 or more, but got -2}}
  %0 = relayout.space_to_depth %x block_size [2, -2] mode blocks_first layout NHWC
      : tensor<2x6x10x3xf32> -> tensor<1xf32>
  return
}

// -----

// D5: 2^64 is not 0.
func.func @f(%x: tensor<2x3x5x12xf32>) {
  // expected-error@+1 {{expects the product of block_size over the axes to fit 63 bits, but got 4294967296 * 4294967296}}
  %0 = relayout.depth_to_space %x block_size [4294967296] mode blocks_first layout NHWC
      : tensor<2x3x5x12xf32> -> tensor<1xf32>
  return
}

// -----

// D6.
func.func @f(%x: tensor<2x10x3x5xf32>) {
  // expected-error@+1 {{expects dimension 1 to be divisible by block_size^2, but 10 is not divisible by 16; block_size 1 is possible}}
  %0 = relayout.depth_to_space %x block_size [4] mode blocks_first layout NCHW
      : tensor<2x10x3x5xf32> -> tensor<1xf32>
  return
}

// -----

// D6: one axis.
func.func @f(%x: tensor<2x3x10xf32>) {
  // expected-error@+1 {{expects dimension 2 to be divisible by block_size, but 10 is not divisible by 4; block_size 2 is possible}}
  %0 = relayout.depth_to_space %x block_size [4] mode blocks_first layout NWC
      : tensor<2x3x10xf32> -> tensor<1xf32>
  return
}

// -----

// D6: unequal blocks.
func.func @f(%x: tensor<2x3x5x10xf32>) {
  // expected-error@+1 {{expects dimension 3 to be divisible by the product of block_size, but 10 is not divisible by 6; multiples of 6 are possible}}
  %0 = relayout.depth_to_space %x block_size [2, 3] mode depth_first layout NHWC
      : tensor<2x3x5x10xf32> -> tensor<1xf32>
  return
}

// -----

// D7.
func.func @f(%x: tensor<2x6x9x3xf32>) {
  // expected-error@+1 {{expects dimension 2 to be divisible by block_size, but 9 is not divisible by 2; block_size 1 is possible}}
  %0 = relayout.space_to_depth %x block_size [2] mode blocks_first layout NHWC
      : tensor<2x6x9x3xf32> -> tensor<1xf32>
  return
}

// -----

// D7: unequal blocks.
func.func @f(%x: tensor<2x6x9x3xf32>) {
  // expected-error@+1 {{expects dimension 1 to be divisible by block_size[0], but 6 is not divisible by 4; block_size[0] 3 is possible}}
  %0 = relayout.space_to_depth %x block_size [4, 3] mode blocks_first layout NHWC
      : tensor<2x6x9x3xf32> -> tensor<1xf32>
  return
}

// -----

// D8.
func.func @f(%x: tensor<2x3x5x12xf32>) {
  // expected-error@+1 {{expects the low digits of the result's channels to make vectors of 4 for layout NCHW_VECT_C, but the sizes of the digits are 3}}
  %0 = relayout.depth_to_space %x block_size [2] mode blocks_first layout NHWC result_layout NCHW_VECT_C
      : tensor<2x3x5x12xf32> -> tensor<1xf32>
  return
}

// -----

// S3.
func.func @f(%x: tensor<576460752303423488x2x6x10xf32>) {
  // expected-error@+1 {{expects the product of the nonzero extents times 4 bytes to fit 63 bits, but the shape is [576460752303423488,2,6,10]}}
  %0 = relayout.space_to_depth %x block_size [2] mode blocks_first layout NCHW
      : tensor<576460752303423488x2x6x10xf32> -> tensor<1xf32>
  return
}
