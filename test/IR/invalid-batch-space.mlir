// RUN: relayout-opt %s --split-input-file --verify-diagnostics

// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every diagnostic of space_to_batch and batch_to_space, by the labels of Spec.md.

// B1.
func.func @f(%x: tensor<f32>) {
  // expected-error@+1 {{expects a rank of 1 or more, but the rank is 0}}
  %0 = relayout.space_to_batch %x block_shape []
      : tensor<f32> -> tensor<1xf32>
  return
}

// -----

// B1: too many.
func.func @f(%x: tensor<3x6x10xf32>) {
  // expected-error@+1 {{expects at most 2 entries of block_shape for a tensor of rank 3, or 3 with a leading 1, but got 4}}
  %0 = relayout.space_to_batch %x block_shape [1, 2, 2, 1]
      : tensor<3x6x10xf32> -> tensor<1xf32>
  return
}

// -----

// B1: the batch's.
func.func @f(%x: tensor<12x6x10xf32>) {
  // expected-error@+1 {{expects a leading 1 where block_shape has an entry for each of the 3 dimensions, but got 2}}
  %0 = relayout.batch_to_space %x block_shape [2, 2, 3]
      : tensor<12x6x10xf32> -> tensor<1xf32>
  return
}

// -----

// B2.
func.func @f(%x: tensor<3x6x10xf32>) {
  // expected-error@+1 {{expects block_shape to be 1 or more, but got 0}}
  %0 = relayout.space_to_batch %x block_shape [2, 0]
      : tensor<3x6x10xf32> -> tensor<1xf32>
  return
}

// -----

// B2: product.
func.func @f(%x: tensor<3x6x10xf32>) {
  // expected-error@+1 {{expects the product of block_shape over the axes to fit 63 bits, but got 4294967296 * 4294967296}}
  %0 = relayout.batch_to_space %x block_shape [4294967296, 4294967296]
      : tensor<3x6x10xf32> -> tensor<1xf32>
  return
}

// -----

// B3.
func.func @f(%x: tensor<3x6x10xf32>) {
  // expected-error@+1 {{expects as many paddings as block_shape has entries, 2, but got 1}}
  %0 = relayout.space_to_batch %x block_shape [2, 2] paddings [0:0]
      : tensor<3x6x10xf32> -> tensor<1xf32>
  return
}

// -----

// B3: crops.
func.func @f(%x: tensor<12x6x10xf32>) {
  // expected-error@+1 {{expects as many crops as block_shape has entries, 2, but got 3}}
  %0 = relayout.batch_to_space %x block_shape [2, 2] crops [0:0, 0:0, 0:0]
      : tensor<12x6x10xf32> -> tensor<1xf32>
  return
}

// -----

// B3: the batch's.
func.func @f(%x: tensor<3x6x10xf32>) {
  // expected-error@+1 {{expects 0:0 as the entry of paddings for the batch, but got 1:0}}
  %0 = relayout.space_to_batch %x block_shape [1, 2, 2] paddings [1:0, 0:0, 0:0]
      : tensor<3x6x10xf32> -> tensor<1xf32>
  return
}

// -----

// B4.
func.func @f(%x: tensor<3x6x10xf32>) {
  // expected-error@+1 {{expects paddings of 0 or more, but entry 1 is -2:0}}
  %0 = relayout.space_to_batch %x block_shape [2, 2] paddings [0:0, -2:0]
      : tensor<3x6x10xf32> -> tensor<1xf32>
  return
}

// -----

// B4: crops.
func.func @f(%x: tensor<12x6x10xf32>) {
  // expected-error@+1 {{expects crops of 0 or more, but entry 0 is 0:-1}}
  %0 = relayout.batch_to_space %x block_shape [2, 2] crops [0:-1, 0:0]
      : tensor<12x6x10xf32> -> tensor<1xf32>
  return
}

// -----

// B5.
func.func @f(%x: tensor<3x6x9xf32>) {
  // expected-error@+1 {{expects padded dimension 2 to be divisible by block_shape, but 1 + 9 + 0 = 10 is not divisible by 4; paddings 1:2 are possible}}
  %0 = relayout.space_to_batch %x block_shape [2, 4] paddings [0:0, 1:0]
      : tensor<3x6x9xf32> -> tensor<1xf32>
  return
}

// -----

// B5, S3: the padded extent.
func.func @f(%x: tensor<3x6x9xf32>) {
  // expected-error@+1 {{expects the padded extent of dimension 1 to fit 63 bits, but it is 9223372036854775807 + 6 + 0}}
  %0 = relayout.space_to_batch %x block_shape [2, 4] paddings [9223372036854775807:0, 0:0]
      : tensor<3x6x9xf32> -> tensor<1xf32>
  return
}

// -----

// B6.
func.func @f(%x: tensor<10x6x9xf32>) {
  // expected-error@+1 {{expects dimension 0 to be divisible by the product of block_shape, but 10 is not divisible by 4; multiples of 4 are possible}}
  %0 = relayout.batch_to_space %x block_shape [2, 2]
      : tensor<10x6x9xf32> -> tensor<1xf32>
  return
}

// -----

// B7.
func.func @f(%x: tensor<12x2x2xf32>) {
  // expected-error@+1 {{expects the crops of dimension 1 to sum to at most 4, its extent 2 times its block 2, but got 3:3}}
  %0 = relayout.batch_to_space %x block_shape [2, 2] crops [3:3, 0:0]
      : tensor<12x2x2xf32> -> tensor<1xf32>
  return
}

// -----

// B7: an overflow is too large as well.
func.func @f(%x: tensor<12x2x2xf32>) {
  // expected-error@+1 {{expects the crops of dimension 1 to sum to at most 4, its extent 2 times its block 2, but got 9223372036854775807:9223372036854775807}}
  %0 = relayout.batch_to_space %x block_shape [2, 2] crops [9223372036854775807:9223372036854775807, 0:0]
      : tensor<12x2x2xf32> -> tensor<1xf32>
  return
}
