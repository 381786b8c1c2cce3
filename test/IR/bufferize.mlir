// RUN: relayout-opt %s --split-input-file \
// RUN:   --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" \
// RUN:   --cse --canonicalize | FileCheck %s

// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A result without a dest is a new buffer.

// CHECK-LABEL: func @allocates
// CHECK-SAME: (%[[X:.*]]: memref<2x3x5x12xf32>) -> memref<2x6x10x3xf32>
func.func @allocates(%x: tensor<2x3x5x12xf32>) -> tensor<2x6x10x3xf32> {
  // CHECK-NEXT: %[[OUT:.*]] = memref.alloc() {{.*}} : memref<2x6x10x3xf32>
  // CHECK-NEXT: relayout.depth_to_space %[[X]] into %[[OUT]] block_size [2] mode blocks_first layout NHWC : memref<2x3x5x12xf32>, memref<2x6x10x3xf32>
  // CHECK-NEXT: return %[[OUT]]
  %0 = relayout.depth_to_space %x block_size [2] mode blocks_first layout NHWC
      : tensor<2x3x5x12xf32> -> tensor<2x6x10x3xf32>
  return %0 : tensor<2x6x10x3xf32>
}

// -----

// Every operation keeps all of its attributes.

// CHECK-LABEL: func @attributes
func.func @attributes(%x: tensor<3x33x35x7xui8>) -> tensor<3x90x13x7xui8> {
  // CHECK: relayout.space_to_batch %{{.*}} into %{{.*}} block_shape [2, 4] paddings [1:0, 2:3] value 9 : ui8 {test.note} : memref<3x33x35x7xui8>, memref<24x17x10x7xui8>
  %0 = relayout.space_to_batch %x block_shape [2, 4] paddings [1:0, 2:3] value 9 : ui8 {test.note}
      : tensor<3x33x35x7xui8> -> tensor<24x17x10x7xui8>
  // CHECK: relayout.batch_to_space %{{.*}} into %{{.*}} block_shape [2, 4] crops [0:0, 0:1] :
  %1 = relayout.batch_to_space %0 block_shape [2, 4] crops [0:0, 0:1]
      : tensor<24x17x10x7xui8> -> tensor<3x34x39x7xui8>
  // CHECK: relayout.rearrange %{{.*}} into %{{.*}} "a b c d -> d (c b) a" pad [0:0, 0:1, 0:0, 0:0] crop [1:0, 0:0, 0:0] value 3 : ui8 : memref<3x34x39x7xui8>, memref<6x1365x3xui8>
  %2 = relayout.rearrange %1 "a b c d -> d (c b) a" pad [0:0, 0:1, 0:0, 0:0]
      crop [1:0, 0:0, 0:0] value 3 : ui8 : tensor<3x34x39x7xui8> -> tensor<6x1365x3xui8>
  // CHECK: relayout.rearrange %{{.*}} into %{{.*}} "a (b c) d -> d b c a" sizes {b = 39} :
  %3 = relayout.rearrange %2 "a (b c) d -> d b c a" sizes {b = 39}
      : tensor<6x1365x3xui8> -> tensor<3x39x35x6xui8>
  // CHECK: relayout.space_to_depth %{{.*}} into %{{.*}} block_size [3, 5] mode depth_first layout NHWC result_layout NCHW :
  %4 = relayout.space_to_depth %3 block_size [3, 5] mode depth_first layout NHWC result_layout NCHW
      : tensor<3x39x35x6xui8> -> tensor<3x90x13x7xui8>
  return %4 : tensor<3x90x13x7xui8>
}

// -----

// A dest is written in place; the source may be a view with strides.

// CHECK-LABEL: func @dest
// CHECK-SAME: (%[[X:.*]]: memref<4x9xi16>, %[[D:.*]]: memref<7x4xi16>) -> memref<7x4xi16>
func.func @dest(%x: tensor<4x9xi16>, %d: tensor<7x4xi16> {bufferization.writable = true})
    -> tensor<7x4xi16> {
  // CHECK-NEXT: %[[VIEW:.*]] = memref.subview %[[X]][0, 2] [4, 7] [1, 1] : memref<4x9xi16> to memref<4x7xi16, strided<[9, 1], offset: 2>>
  // CHECK-NEXT: relayout.rearrange %[[VIEW]] into %[[D]] "a b -> b a" : memref<4x7xi16, strided<[9, 1], offset: 2>>, memref<7x4xi16>
  // CHECK-NEXT: return %[[D]]
  %s = tensor.extract_slice %x[0, 2] [4, 7] [1, 1] : tensor<4x9xi16> to tensor<4x7xi16>
  %0 = relayout.rearrange %s into %d "a b -> b a"
      : tensor<4x7xi16>, tensor<7x4xi16> -> tensor<7x4xi16>
  return %0 : tensor<7x4xi16>
}

// -----

// A slice as the dest: the result is written where it belongs.

// CHECK-LABEL: func @insert_slice
// CHECK-SAME: (%[[X:.*]]: memref<4x7xi16>, %[[D:.*]]: memref<9x4xi16>)
func.func @insert_slice(%x: tensor<4x7xi16>, %d: tensor<9x4xi16> {bufferization.writable = true})
    -> tensor<9x4xi16> {
  // CHECK-NEXT: %[[VIEW:.*]] = memref.subview %[[D]][1, 0] [7, 4] [1, 1]
  // CHECK-NEXT: relayout.rearrange %[[X]] into %[[VIEW]] "a b -> b a" : memref<4x7xi16>, memref<7x4xi16, strided<[4, 1], offset: 4>>
  // CHECK-NEXT: return %[[D]]
  %s = tensor.extract_slice %d[1, 0] [7, 4] [1, 1] : tensor<9x4xi16> to tensor<7x4xi16>
  %0 = relayout.rearrange %x into %s "a b -> b a"
      : tensor<4x7xi16>, tensor<7x4xi16> -> tensor<7x4xi16>
  %1 = tensor.insert_slice %0 into %d[1, 0] [7, 4] [1, 1] : tensor<7x4xi16> into tensor<9x4xi16>
  return %1 : tensor<9x4xi16>
}

// -----

// Source and dest must not be one buffer: a copy is made of one of them.

// CHECK-LABEL: func @out_of_place
// CHECK-SAME: (%[[X:.*]]: memref<5x5xf32>)
func.func @out_of_place(%x: tensor<5x5xf32> {bufferization.writable = true}) -> tensor<5x5xf32> {
  // CHECK-NEXT: %[[OUT:.*]] = memref.alloc()
  // CHECK: relayout.rearrange %[[X]] into %[[OUT]]
  // CHECK-NEXT: return %[[OUT]]
  %0 = relayout.rearrange %x into %x "a b -> b a"
      : tensor<5x5xf32>, tensor<5x5xf32> -> tensor<5x5xf32>
  return %0 : tensor<5x5xf32>
}

// -----

// A later read of the dest's old value keeps it.

// CHECK-LABEL: func @dest_read_later
// CHECK-SAME: (%[[X:.*]]: memref<4x7xi16>, %[[D:.*]]: memref<7x4xi16>)
func.func @dest_read_later(%x: tensor<4x7xi16>, %d: tensor<7x4xi16> {bufferization.writable = true})
    -> (tensor<7x4xi16>, tensor<4x7xi16>) {
  // CHECK: %[[NEW:.*]] = memref.alloc() {{.*}} : memref<7x4xi16>
  // CHECK: relayout.rearrange %[[X]] into %[[NEW]]
  // CHECK: %[[BACK:.*]] = memref.alloc() {{.*}} : memref<4x7xi16>
  // CHECK: relayout.rearrange %[[D]] into %[[BACK]]
  // CHECK: return %[[NEW]], %[[BACK]]
  %0 = relayout.rearrange %x into %d "a b -> b a"
      : tensor<4x7xi16>, tensor<7x4xi16> -> tensor<7x4xi16>
  %1 = relayout.rearrange %d "a b -> b a" : tensor<7x4xi16> -> tensor<4x7xi16>
  return %0, %1 : tensor<7x4xi16>, tensor<4x7xi16>
}

// -----

// A new buffer lies in the memory space of the source.

// CHECK-LABEL: func @memory_space
func.func @memory_space(%m: memref<4x7xi16, 3>) -> memref<7x4xi16, 3> {
  // CHECK: %[[OUT:.*]] = memref.alloc() {{.*}} : memref<7x4xi16, 3>
  // CHECK: relayout.rearrange %{{.*}} into %[[OUT]] "a b -> b a" : memref<4x7xi16, 3>, memref<7x4xi16, 3>
  %x = bufferization.to_tensor %m restrict : memref<4x7xi16, 3> to tensor<4x7xi16>
  %0 = relayout.rearrange %x "a b -> b a" : tensor<4x7xi16> -> tensor<7x4xi16>
  %1 = bufferization.to_buffer %0 : tensor<7x4xi16> to memref<7x4xi16, 3>
  return %1 : memref<7x4xi16, 3>
}
