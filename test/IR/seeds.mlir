// RUN: relayout-opt %s --verify-roundtrip | FileCheck %s

// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The examples of the pages that define these operations for TensorFlow and
// OpenVINO, as shapes. Tests of execution hold their values.

// CHECK-LABEL: func @tensorflow_depth_to_space
func.func @tensorflow_depth_to_space(%a: tensor<1x1x1x4xi32>, %b: tensor<1x1x1x12xi32>,
                                     %c: tensor<1x2x2x4xi32>) {
  // CHECK: -> tensor<1x2x2x1xi32>
  relayout.depth_to_space %a block_size [2] mode blocks_first layout NHWC
      : tensor<1x1x1x4xi32> -> tensor<1x2x2x1xi32>
  // CHECK: -> tensor<1x2x2x3xi32>
  relayout.depth_to_space %b block_size [2] mode blocks_first layout NHWC
      : tensor<1x1x1x12xi32> -> tensor<1x2x2x3xi32>
  // CHECK: -> tensor<1x4x4x1xi32>
  relayout.depth_to_space %c block_size [2] mode blocks_first layout NHWC
      : tensor<1x2x2x4xi32> -> tensor<1x4x4x1xi32>
  return
}

// CHECK-LABEL: func @openvino_depth_to_space
func.func @openvino_depth_to_space(%a: tensor<5x28x2x3xf32>) {
  // CHECK: -> tensor<5x7x4x6xf32>
  relayout.depth_to_space %a block_size [2] mode blocks_first layout channels_first
      : tensor<5x28x2x3xf32> -> tensor<5x7x4x6xf32>
  return
}

// CHECK-LABEL: func @tensorflow_space_to_batch
func.func @tensorflow_space_to_batch(%a: tensor<1x2x2x1xi32>, %b: tensor<1x2x2x3xi32>,
                                     %c: tensor<1x4x4x1xi32>, %d: tensor<2x2x4x1xi32>) {
  // CHECK: -> tensor<4x1x1x1xi32>
  relayout.space_to_batch %a block_shape [2, 2] paddings [0:0, 0:0]
      : tensor<1x2x2x1xi32> -> tensor<4x1x1x1xi32>
  // CHECK: -> tensor<4x1x1x3xi32>
  relayout.space_to_batch %b block_shape [2, 2] paddings [0:0, 0:0]
      : tensor<1x2x2x3xi32> -> tensor<4x1x1x3xi32>
  // CHECK: -> tensor<4x2x2x1xi32>
  relayout.space_to_batch %c block_shape [2, 2] paddings [0:0, 0:0]
      : tensor<1x4x4x1xi32> -> tensor<4x2x2x1xi32>
  // CHECK: -> tensor<8x1x3x1xi32>
  relayout.space_to_batch %d block_shape [2, 2] paddings [0:0, 2:0]
      : tensor<2x2x4x1xi32> -> tensor<8x1x3x1xi32>
  return
}

// CHECK-LABEL: func @openvino_batch_to_space
func.func @openvino_batch_to_space(%a: tensor<10x2xf32>, %b: tensor<48x3x3x1x3xf32>) {
  // CHECK: -> tensor<2x8xf32>
  relayout.batch_to_space %a block_shape [1, 5] crops [0:0, 2:0]
      : tensor<10x2xf32> -> tensor<2x8xf32>
  // CHECK: -> tensor<2x6x10x3x3xf32>
  relayout.batch_to_space %b block_shape [1, 2, 4, 3, 1] crops [0:0, 0:0, 1:1, 0:0, 0:0]
      : tensor<48x3x3x1x3xf32> -> tensor<2x6x10x3x3xf32>
  return
}
