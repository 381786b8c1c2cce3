// RUN: relayout-opt %s --relayout-generalize | FileCheck %s

// CHECK-LABEL: @depth_to_space(
// CHECK-SAME: %[[X:.*]]: tensor<2x12x3x5xui8>
// CHECK-NEXT: %[[R:.*]] = relayout.rearrange %[[X]] "n (c by bx) h w -> n c (h by) (w bx)" sizes {bx = 2, by = 2, c = 3} : tensor<2x12x3x5xui8> -> tensor<2x3x6x10xui8>
// CHECK-NEXT: return %[[R]]
func.func @depth_to_space(%x: tensor<2x12x3x5xui8>) -> tensor<2x3x6x10xui8> {
  %r = relayout.depth_to_space %x block_size [2] mode depth_first layout NCHW
      : tensor<2x12x3x5xui8> -> tensor<2x3x6x10xui8>
  return %r : tensor<2x3x6x10xui8>
}

// CHECK-LABEL: @space_to_depth(
// CHECK: relayout.rearrange %{{.*}} "n (h by) (w bx) c -> n h w (by bx c)" sizes {bx = 2, by = 3, h = 5, w = 4}
func.func @space_to_depth(%x: tensor<2x15x8x7xf32>) -> tensor<2x5x4x42xf32> {
  %r = relayout.space_to_depth %x block_size [3, 2] mode blocks_first layout NHWC
      : tensor<2x15x8x7xf32> -> tensor<2x5x4x42xf32>
  return %r : tensor<2x5x4x42xf32>
}

// CHECK-LABEL: @space_to_batch(
// CHECK: relayout.rearrange
// CHECK-SAME: sizes {{{.*}}17{{.*}}}
// CHECK-SAME: pad [0:0, 1:0, 2:3, 0:0] value -1.500000e+00 : f32 : tensor<3x33x35x7xf32> -> tensor<24x17x10x7xf32>
func.func @space_to_batch(%x: tensor<3x33x35x7xf32>) -> tensor<24x17x10x7xf32> {
  %r = relayout.space_to_batch %x block_shape [2, 4] paddings [1:0, 2:3] value -1.5 : f32
      : tensor<3x33x35x7xf32> -> tensor<24x17x10x7xf32>
  return %r : tensor<24x17x10x7xf32>
}

// CHECK-LABEL: @batch_to_space(
// CHECK: relayout.rearrange
// CHECK-SAME: crop [0:0, 1:0, 2:3, 0:0] : tensor<24x17x10x7xf32> -> tensor<3x33x35x7xf32>
func.func @batch_to_space(%x: tensor<24x17x10x7xf32>) -> tensor<3x33x35x7xf32> {
  %r = relayout.batch_to_space %x block_shape [2, 4] crops [1:0, 2:3]
      : tensor<24x17x10x7xf32> -> tensor<3x33x35x7xf32>
  return %r : tensor<3x33x35x7xf32>
}

// CHECK-LABEL: @dest(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2x3x5x12xf32>, %[[D:[^:]*]]: tensor<2x6x10x3xf32>
// CHECK: relayout.rearrange %[[X]] into %[[D]] "n h w (by bx c) -> n (h by) (w bx) c"
func.func @dest(%x: tensor<2x3x5x12xf32>, %d: tensor<2x6x10x3xf32>) -> tensor<2x6x10x3xf32> {
  %r = relayout.depth_to_space %x into %d block_size [2] mode blocks_first layout NHWC
      : tensor<2x3x5x12xf32>, tensor<2x6x10x3xf32> -> tensor<2x6x10x3xf32>
  return %r : tensor<2x6x10x3xf32>
}

// CHECK-LABEL: @memref(
// CHECK-SAME: %[[X:[^:]*]]: memref<2x3x5x12xf32, strided<[400, 100, 15, 1]>>, %[[D:[^:]*]]: memref<2x6x10x3xf32>
// CHECK-NEXT: relayout.rearrange %[[X]] into %[[D]] "n h w (by bx c) -> n (h by) (w bx) c" sizes {bx = 2, by = 2, c = 3} : memref<2x3x5x12xf32, strided<[400, 100, 15, 1]>>, memref<2x6x10x3xf32>
// CHECK-NEXT: return
func.func @memref(%x: memref<2x3x5x12xf32, strided<[400, 100, 15, 1]>>, %d: memref<2x6x10x3xf32>) {
  relayout.depth_to_space %x into %d block_size [2] mode blocks_first layout NHWC
      : memref<2x3x5x12xf32, strided<[400, 100, 15, 1]>>, memref<2x6x10x3xf32>
  return
}

// The general form stays as it is written.
// CHECK-LABEL: @rearrange(
// CHECK-NEXT: relayout.rearrange %{{.*}} "h w -> w h" pad [0:0, 2:-1] value 7 : i32
func.func @rearrange(%x: tensor<3x5xi32>) -> tensor<6x3xi32> {
  %r = relayout.rearrange %x "h w -> w h" pad [0:0, 2:-1] value 7 : i32 : tensor<3x5xi32> -> tensor<6x3xi32>
  return %r : tensor<6x3xi32>
}

// What others have written on an operation stays there.
// CHECK-LABEL: @noted(
// CHECK: relayout.rearrange {{.*}} {relayout.schedule = "unit=d0:1", test.note = 1 : i64}
func.func @noted(%x: memref<2x12x3x5xi8>, %d: memref<2x3x6x10xi8>) {
  relayout.depth_to_space %x into %d block_size [2] mode depth_first layout NCHW
      {relayout.schedule = "unit=d0:1", test.note = 1} : memref<2x12x3x5xi8>, memref<2x3x6x10xi8>
  return
}
