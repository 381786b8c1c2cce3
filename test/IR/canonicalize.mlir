// RUN: relayout-opt %s --canonicalize --split-input-file | FileCheck %s

// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Identities.

// CHECK-LABEL: func @identity
// CHECK-SAME: (%[[X:.*]]: tensor<2x3x5x7xf32>, %{{.*}}: tensor<2x3x5x7xf32>)
func.func @identity(%x: tensor<2x3x5x7xf32>, %d: tensor<2x3x5x7xf32>)
    -> (tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>) {
  // CHECK-NEXT: return %[[X]], %[[X]], %[[X]], %[[X]]
  %0 = relayout.depth_to_space %x block_size [1] mode depth_first layout NCHW
      : tensor<2x3x5x7xf32> -> tensor<2x3x5x7xf32>
  %1 = relayout.space_to_batch %x block_shape []
      : tensor<2x3x5x7xf32> -> tensor<2x3x5x7xf32>
  %2 = relayout.batch_to_space %x into %d block_shape [1, 1]
      : tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32> -> tensor<2x3x5x7xf32>
  %3 = relayout.rearrange %x "a ... -> a ..." : tensor<2x3x5x7xf32> -> tensor<2x3x5x7xf32>
  return %0, %1, %2, %3
      : tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>
}

// -----

// Transposing an extent of 1 moves nothing but changes the shape.

// CHECK-LABEL: func @no_fold_of_another_shape
func.func @no_fold_of_another_shape(%x: tensor<1x3xf32>) -> tensor<3x1xf32> {
  // CHECK: relayout.rearrange
  %0 = relayout.rearrange %x "a b -> b a" : tensor<1x3xf32> -> tensor<3x1xf32>
  return %0 : tensor<3x1xf32>
}

// -----

// CHECK-LABEL: func @depth_to_space_of_space_to_depth
// CHECK-SAME: (%[[X:.*]]: tensor<2x6x10x3xf32>)
func.func @depth_to_space_of_space_to_depth(%x: tensor<2x6x10x3xf32>) -> tensor<2x6x10x3xf32> {
  // CHECK-NEXT: return %[[X]]
  %0 = relayout.space_to_depth %x block_size [3, 2] mode depth_first layout NHWC
      : tensor<2x6x10x3xf32> -> tensor<2x2x5x18xf32>
  %1 = relayout.depth_to_space %0 block_size [3, 2] mode depth_first layout NHWC
      : tensor<2x2x5x18xf32> -> tensor<2x6x10x3xf32>
  return %1 : tensor<2x6x10x3xf32>
}

// -----

// CHECK-LABEL: func @space_to_depth_of_depth_to_space
// CHECK-SAME: (%[[X:.*]]: tensor<2x12x3x5xf32>)
func.func @space_to_depth_of_depth_to_space(%x: tensor<2x12x3x5xf32>) -> tensor<2x12x3x5xf32> {
  // CHECK-NEXT: return %[[X]]
  %0 = relayout.depth_to_space %x block_size [2] mode blocks_first layout NCHW result_layout NHWC
      : tensor<2x12x3x5xf32> -> tensor<2x6x10x3xf32>
  %1 = relayout.space_to_depth %0 block_size [2, 2] mode blocks_first layout NHWC result_layout NCHW
      : tensor<2x6x10x3xf32> -> tensor<2x12x3x5xf32>
  return %1 : tensor<2x12x3x5xf32>
}

// -----

// The modes differ: the channels end in another order.

// CHECK-LABEL: func @no_fold_of_other_mode
func.func @no_fold_of_other_mode(%x: tensor<2x12x3x5xf32>) -> tensor<2x12x3x5xf32> {
  // CHECK: relayout.depth_to_space
  // CHECK: relayout.space_to_depth
  %0 = relayout.depth_to_space %x block_size [2] mode blocks_first layout NCHW
      : tensor<2x12x3x5xf32> -> tensor<2x3x6x10xf32>
  %1 = relayout.space_to_depth %0 block_size [2] mode depth_first layout NCHW
      : tensor<2x3x6x10xf32> -> tensor<2x12x3x5xf32>
  return %1 : tensor<2x12x3x5xf32>
}

// -----

// With one channel left the modes are the same function.

// CHECK-LABEL: func @modes_agree_on_one_channel
// CHECK-SAME: (%[[X:.*]]: tensor<2x4x3x5xf32>)
func.func @modes_agree_on_one_channel(%x: tensor<2x4x3x5xf32>) -> tensor<2x4x3x5xf32> {
  // CHECK-NEXT: return %[[X]]
  %0 = relayout.depth_to_space %x block_size [2] mode blocks_first layout NCHW
      : tensor<2x4x3x5xf32> -> tensor<2x1x6x10xf32>
  %1 = relayout.space_to_depth %0 block_size [2] mode depth_first layout NCHW
      : tensor<2x1x6x10xf32> -> tensor<2x4x3x5xf32>
  return %1 : tensor<2x4x3x5xf32>
}

// -----

// What was padded is cropped again.

// CHECK-LABEL: func @batch_to_space_of_space_to_batch
// CHECK-SAME: (%[[X:.*]]: tensor<3x33x35x7xf32>)
func.func @batch_to_space_of_space_to_batch(%x: tensor<3x33x35x7xf32>) -> tensor<3x33x35x7xf32> {
  // CHECK-NEXT: return %[[X]]
  %0 = relayout.space_to_batch %x block_shape [2, 4] paddings [1:0, 2:3] value -1.5 : f32
      : tensor<3x33x35x7xf32> -> tensor<24x17x10x7xf32>
  %1 = relayout.batch_to_space %0 block_shape [2, 4] crops [1:0, 2:3]
      : tensor<24x17x10x7xf32> -> tensor<3x33x35x7xf32>
  return %1 : tensor<3x33x35x7xf32>
}

// -----

// The crops take the same number of elements, but not those that were padded.

// CHECK-LABEL: func @no_fold_of_other_crops
func.func @no_fold_of_other_crops(%x: tensor<3x33x35x7xf32>) -> tensor<3x33x35x7xf32> {
  // CHECK: relayout.space_to_batch
  // CHECK: relayout.batch_to_space
  %0 = relayout.space_to_batch %x block_shape [2, 4] paddings [1:0, 2:3]
      : tensor<3x33x35x7xf32> -> tensor<24x17x10x7xf32>
  %1 = relayout.batch_to_space %0 block_shape [2, 4] crops [1:0, 3:2]
      : tensor<24x17x10x7xf32> -> tensor<3x33x35x7xf32>
  return %1 : tensor<3x33x35x7xf32>
}

// -----

// What was cropped is lost, so padding does not bring it back.

// CHECK-LABEL: func @no_fold_of_cropped
func.func @no_fold_of_cropped(%x: tensor<24x17x10x7xf32>) -> tensor<24x17x10x7xf32> {
  // CHECK: relayout.batch_to_space
  // CHECK: relayout.space_to_batch
  %0 = relayout.batch_to_space %x block_shape [2, 4] crops [1:0, 2:3]
      : tensor<24x17x10x7xf32> -> tensor<3x33x35x7xf32>
  %1 = relayout.space_to_batch %0 block_shape [2, 4] paddings [1:0, 2:3]
      : tensor<3x33x35x7xf32> -> tensor<24x17x10x7xf32>
  return %1 : tensor<24x17x10x7xf32>
}

// -----

// CHECK-LABEL: func @batch_space_without_windows
// CHECK-SAME: (%[[X:.*]]: tensor<24x17x10x7xf32>)
func.func @batch_space_without_windows(%x: tensor<24x17x10x7xf32>) -> tensor<24x17x10x7xf32> {
  // CHECK-NEXT: return %[[X]]
  %0 = relayout.batch_to_space %x block_shape [2, 4]
      : tensor<24x17x10x7xf32> -> tensor<3x34x40x7xf32>
  %1 = relayout.space_to_batch %0 block_shape [2, 4] paddings [0:0, 0:0]
      : tensor<3x34x40x7xf32> -> tensor<24x17x10x7xf32>
  return %1 : tensor<24x17x10x7xf32>
}

// -----

// CHECK-LABEL: func @rearrange_undoes_named
// CHECK-SAME: (%[[X:.*]]: tensor<2x12x3x5xui8>)
func.func @rearrange_undoes_named(%x: tensor<2x12x3x5xui8>) -> tensor<2x12x3x5xui8> {
  // CHECK-NEXT: return %[[X]]
  %0 = relayout.depth_to_space %x block_size [2] mode blocks_first layout NCHW
      : tensor<2x12x3x5xui8> -> tensor<2x3x6x10xui8>
  %1 = relayout.rearrange %0 "n c (h y) (w x) -> n (y x c) h w" sizes {x = 2, y = 2}
      : tensor<2x3x6x10xui8> -> tensor<2x12x3x5xui8>
  return %1 : tensor<2x12x3x5xui8>
}

// -----

// Two rearrangements that are none together stay two: fusing is a pass.

// CHECK-LABEL: func @no_composition
func.func @no_composition(%x: tensor<2x3x5xf32>) -> tensor<5x3x2xf32> {
  // CHECK-COUNT-2: relayout.rearrange
  %0 = relayout.rearrange %x "a b c -> a c b" : tensor<2x3x5xf32> -> tensor<2x5x3xf32>
  %1 = relayout.rearrange %0 "a c b -> c b a" : tensor<2x5x3xf32> -> tensor<5x3x2xf32>
  return %1 : tensor<5x3x2xf32>
}

// -----

// Nothing is undone in memory: other operations may look at %t.

// CHECK-LABEL: func @no_fold_of_memrefs
func.func @no_fold_of_memrefs(%x: memref<2x3xf32>, %t: memref<3x2xf32>, %y: memref<2x3xf32>) {
  // CHECK-COUNT-2: relayout.rearrange
  relayout.rearrange %x into %t "a b -> b a" : memref<2x3xf32>, memref<3x2xf32>
  relayout.rearrange %t into %y "a b -> b a" : memref<3x2xf32>, memref<2x3xf32>
  return
}

// -----

// Unused results go, written memory stays.

// CHECK-LABEL: func @dead
func.func @dead(%x: tensor<2x3xf32>, %m: memref<2x3xf32>, %n: memref<3x2xf32>) {
  // CHECK-NEXT: relayout.rearrange %{{.*}} into
  // CHECK-NEXT: return
  %0 = relayout.rearrange %x "a b -> b a" : tensor<2x3xf32> -> tensor<3x2xf32>
  relayout.rearrange %m into %n "a b -> b a" : memref<2x3xf32>, memref<3x2xf32>
  return
}

// -----

// Splats.

// CHECK-LABEL: func @splat
func.func @splat() -> (tensor<2x6x10x3xf32>, tensor<3x2xui8>, tensor<3x2xcomplex<f32>>, tensor<3x2xi1>) {
  // CHECK-DAG: %[[F:.*]] = arith.constant dense<2.500000e+00> : tensor<2x6x10x3xf32>
  // CHECK-DAG: %[[U:.*]] = arith.constant dense<7> : tensor<3x2xui8>
  // CHECK-DAG: %[[C:.*]] = arith.constant dense<(1.000000e+00,2.000000e+00)> : tensor<3x2xcomplex<f32>>
  // CHECK-DAG: %[[B:.*]] = arith.constant dense<true> : tensor<3x2xi1>
  // CHECK: return %[[F]], %[[U]], %[[C]], %[[B]]
  %f = arith.constant dense<2.5> : tensor<2x3x5x12xf32>
  %0 = relayout.depth_to_space %f block_size [2] mode blocks_first layout NHWC
      : tensor<2x3x5x12xf32> -> tensor<2x6x10x3xf32>
  %u = arith.constant dense<7> : tensor<2x3xui8>
  %1 = relayout.rearrange %u "a b -> b a" : tensor<2x3xui8> -> tensor<3x2xui8>
  %c = arith.constant dense<(1.0, 2.0)> : tensor<2x3xcomplex<f32>>
  %2 = relayout.rearrange %c "a b -> b a" : tensor<2x3xcomplex<f32>> -> tensor<3x2xcomplex<f32>>
  %b = arith.constant dense<true> : tensor<2x3xi1>
  %3 = relayout.rearrange %b "a b -> b a" : tensor<2x3xi1> -> tensor<3x2xi1>
  return %0, %1, %2, %3
      : tensor<2x6x10x3xf32>, tensor<3x2xui8>, tensor<3x2xcomplex<f32>>, tensor<3x2xi1>
}

// -----

// No constant has no elements.
// CHECK-LABEL: func @splat_of_nothing
// CHECK: relayout.rearrange
func.func @splat_of_nothing() -> tensor<0x2xf32> {
  %f = arith.constant dense<2.5> : tensor<2x3xf32>
  %0 = relayout.rearrange %f "a b -> b a" crop [0:3, 0:0] : tensor<2x3xf32> -> tensor<0x2xf32>
  return %0 : tensor<0x2xf32>
}

// CHECK-LABEL: func @splat_and_fill
func.func @splat_and_fill() -> (tensor<6x2x5xi32>, tensor<6x2x5xi32>, tensor<6x2x5xi32>) {
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0> : tensor<6x2x5xi32>
  // CHECK-DAG: %[[SEVEN:.*]] = arith.constant dense<7> : tensor<6x2x5xi32>
  // CHECK-DAG: %[[MIXED:.*]] = relayout.space_to_batch %{{.*}} block_shape [2] paddings [0:1]
  // CHECK: return %[[ZERO]], %[[SEVEN]], %[[MIXED]]
  %z = arith.constant dense<0> : tensor<3x3x5xi32>
  %s = arith.constant dense<7> : tensor<3x3x5xi32>
  %0 = relayout.space_to_batch %z block_shape [2] paddings [0:1]
      : tensor<3x3x5xi32> -> tensor<6x2x5xi32>
  %1 = relayout.space_to_batch %s block_shape [2] paddings [0:1] value 7 : i32
      : tensor<3x3x5xi32> -> tensor<6x2x5xi32>
  %2 = relayout.space_to_batch %s block_shape [2] paddings [0:1]
      : tensor<3x3x5xi32> -> tensor<6x2x5xi32>
  return %0, %1, %2 : tensor<6x2x5xi32>, tensor<6x2x5xi32>, tensor<6x2x5xi32>
}

// -----

// A negative zero is not the zero that padding has.

// CHECK-LABEL: func @no_fold_of_negative_zero
func.func @no_fold_of_negative_zero() -> tensor<6x2x5xf32> {
  // CHECK: relayout.space_to_batch
  %z = arith.constant dense<-0.0> : tensor<3x3x5xf32>
  %0 = relayout.space_to_batch %z block_shape [2] paddings [0:1]
      : tensor<3x3x5xf32> -> tensor<6x2x5xf32>
  return %0 : tensor<6x2x5xf32>
}

// -----

// Attributes that say nothing, in both forms; a note of another dialect stays.

// CHECK-LABEL: func @void_attributes
func.func @void_attributes(%x: tensor<6x9xf32>, %m: memref<6x9xf32>, %n: memref<9x6xf32>,
                           %s: tensor<2x12x3x5xf32>)
    -> (tensor<9x6xf32>, tensor<9x7xf32>, tensor<18x3xf32>, tensor<2x3x6x10xf32>) {
  // CHECK: relayout.rearrange %{{.*}} "a b -> b a" {test.note = 1 : i64} : tensor<6x9xf32>
  %0 = relayout.rearrange %x "a b -> b a" pad [0:0, 0:0] crop [0:0, 0:0] value 1.0 : f32
      {test.note = 1} : tensor<6x9xf32> -> tensor<9x6xf32>
  // CHECK: relayout.rearrange %{{.*}} "a b -> b a" pad [1:0, 0:0] : tensor<6x9xf32>
  %1 = relayout.rearrange %x "a b -> b a" pad [1:0, 0:0] value 0.0 : f32
      : tensor<6x9xf32> -> tensor<9x7xf32>
  // CHECK: relayout.rearrange %{{.*}} into %{{.*}} "a b -> b a" : memref<6x9xf32>
  relayout.rearrange %m into %n "a b -> b a" value 2.0 : f32 : memref<6x9xf32>, memref<9x6xf32>
  // CHECK: relayout.depth_to_space %{{.*}} block_size [2] mode blocks_first layout NCHW : tensor
  %3 = relayout.depth_to_space %s block_size [2] mode blocks_first layout NCHW result_layout NCHW
      : tensor<2x12x3x5xf32> -> tensor<2x3x6x10xf32>
  // CHECK: relayout.space_to_batch %{{.*}} block_shape [3] : tensor
  %2 = relayout.space_to_batch %x block_shape [3] paddings [0:0] value 1.0 : f32
      : tensor<6x9xf32> -> tensor<18x3xf32>
  return %0, %1, %2, %3
      : tensor<9x6xf32>, tensor<9x7xf32>, tensor<18x3xf32>, tensor<2x3x6x10xf32>
}
