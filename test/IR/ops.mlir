// RUN: relayout-opt %s --verify-roundtrip | FileCheck %s
// RUN: relayout-opt %s --mlir-print-op-generic | relayout-opt | FileCheck %s

// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The example of each operation's description.

// CHECK-LABEL: func @examples_depth_space
func.func @examples_depth_space(%x: tensor<2x3x5x12xf32>, %m: memref<2x12x3x5xf32>,
                                %out: memref<2x3x6x10xf32>, %y: tensor<2x5x9x8xi8>)
    -> (tensor<2x6x10x3xf32>, tensor<2x3x4x30xi8>) {
  // CHECK: relayout.depth_to_space %{{.*}} block_size [2, 2] mode blocks_first layout NHWC : tensor<2x3x5x12xf32> -> tensor<2x6x10x3xf32>
  %r = relayout.depth_to_space %x block_size [2, 2] mode blocks_first layout NHWC
      : tensor<2x3x5x12xf32> -> tensor<2x6x10x3xf32>
  // CHECK: relayout.depth_to_space %{{.*}} into %{{.*}} block_size [2] mode depth_first layout NCHW : memref<2x12x3x5xf32>, memref<2x3x6x10xf32>
  relayout.depth_to_space %m into %out block_size [2] mode depth_first layout NCHW
      : memref<2x12x3x5xf32>, memref<2x3x6x10xf32>
  // CHECK: relayout.space_to_depth %{{.*}} block_size [3, 2] mode depth_first layout NCHW result_layout NHWC : tensor<2x5x9x8xi8> -> tensor<2x3x4x30xi8>
  %s = relayout.space_to_depth %y block_size [3, 2] mode depth_first layout NCHW result_layout NHWC
      : tensor<2x5x9x8xi8> -> tensor<2x3x4x30xi8>
  return %r, %s : tensor<2x6x10x3xf32>, tensor<2x3x4x30xi8>
}

// CHECK-LABEL: func @examples_batch_space
func.func @examples_batch_space(%x: tensor<3x33x35x7xf32>)
    -> (tensor<24x17x10x7xf32>, tensor<3x33x35x7xf32>) {
  // CHECK: relayout.space_to_batch %{{.*}} block_shape [2, 4] paddings [1:0, 2:3] value -1.500000e+00 : f32 : tensor<3x33x35x7xf32> -> tensor<24x17x10x7xf32>
  %r = relayout.space_to_batch %x block_shape [2, 4] paddings [1:0, 2:3] value -1.5 : f32
      : tensor<3x33x35x7xf32> -> tensor<24x17x10x7xf32>
  // CHECK: relayout.batch_to_space %{{.*}} block_shape [2, 4] crops [1:0, 2:3] : tensor<24x17x10x7xf32> -> tensor<3x33x35x7xf32>
  %s = relayout.batch_to_space %r block_shape [2, 4] crops [1:0, 2:3]
      : tensor<24x17x10x7xf32> -> tensor<3x33x35x7xf32>
  return %r, %s : tensor<24x17x10x7xf32>, tensor<3x33x35x7xf32>
}

// CHECK-LABEL: func @examples_rearrange
func.func @examples_rearrange(%x: tensor<2x12x3x5xui8>, %y: tensor<3x5xi32>)
    -> (tensor<2x3x5x9xui8>, tensor<6x3xi32>) {
  // CHECK: relayout.rearrange %{{.*}} "n (by bx c) h w -> n c (h by) (w bx)" sizes {bx = 2, by = 2} crop [0:0, 0:0, 1:0, 0:1] : tensor<2x12x3x5xui8> -> tensor<2x3x5x9xui8>
  %r = relayout.rearrange %x "n (by bx c) h w -> n c (h by) (w bx)" sizes {by = 2, bx = 2}
      crop [0:0, 0:0, 1:0, 0:1] : tensor<2x12x3x5xui8> -> tensor<2x3x5x9xui8>
  // CHECK: relayout.rearrange %{{.*}} "h w -> w h" pad [0:0, 2:-1] value 7 : i32 : tensor<3x5xi32> -> tensor<6x3xi32>
  %p = relayout.rearrange %y "h w -> w h" pad [0:0, 2:-1] value 7 : i32
      : tensor<3x5xi32> -> tensor<6x3xi32>
  return %r, %p : tensor<2x3x5x9xui8>, tensor<6x3xi32>
}

// Every operation on tensors with a dest, and on strided memrefs.

// CHECK-LABEL: func @dest_tensors
func.func @dest_tensors(%s: tensor<2x6x10x3xf32>, %d: tensor<2x3x5x12xf32>)
    -> tensor<2x3x5x12xf32> {
  // CHECK: relayout.space_to_depth %{{.*}} into %{{.*}} block_size [2] mode blocks_first layout NHWC : tensor<2x6x10x3xf32>, tensor<2x3x5x12xf32> -> tensor<2x3x5x12xf32>
  %r = relayout.space_to_depth %s into %d block_size [2] mode blocks_first layout NHWC
      : tensor<2x6x10x3xf32>, tensor<2x3x5x12xf32> -> tensor<2x3x5x12xf32>
  return %r : tensor<2x3x5x12xf32>
}

// CHECK-LABEL: func @memrefs
func.func @memrefs(%a: memref<3x10x6xi16>, %b: memref<18x5x2xi16, strided<[100, 11, 3], offset: 7>>,
                   %c: memref<3x10x6xi16, strided<[1, 180, 3]>>, %d: memref<6x3x10xi16>) {
  // CHECK: relayout.space_to_batch %{{.*}} into %{{.*}} block_shape [2, 3] : memref<3x10x6xi16>, memref<18x5x2xi16, strided<[100, 11, 3], offset: 7>>
  relayout.space_to_batch %a into %b block_shape [2, 3]
      : memref<3x10x6xi16>, memref<18x5x2xi16, strided<[100, 11, 3], offset: 7>>
  // CHECK: relayout.batch_to_space %{{.*}} into %{{.*}} block_shape [2, 3] : memref<18x5x2xi16, strided<[100, 11, 3], offset: 7>>, memref<3x10x6xi16, strided<[1, 180, 3]>>
  relayout.batch_to_space %b into %c block_shape [2, 3]
      : memref<18x5x2xi16, strided<[100, 11, 3], offset: 7>>, memref<3x10x6xi16, strided<[1, 180, 3]>>
  // CHECK: relayout.rearrange %{{.*}} into %{{.*}} "a b c -> c a b" : memref<3x10x6xi16, strided<[1, 180, 3]>>, memref<6x3x10xi16>
  relayout.rearrange %c into %d "a b c -> c a b"
      : memref<3x10x6xi16, strided<[1, 180, 3]>>, memref<6x3x10xi16>
  return
}

// CHECK-LABEL: func @layouts
func.func @layouts(%nwc: tensor<2x5x12xf16>, %ncw: tensor<2x12x5xf16>,
                   %ndhwc: tensor<2x3x4x5x24xf16>, %ncdhw: tensor<2x24x3x4x5xf16>,
                   %vect: tensor<2x8x3x5x4xi8>, %first: tensor<2x32x3x4x5x6xf16>,
                   %last: tensor<2x3x4x5x6x32xf16>, %nchw: tensor<2x12x3x5xf16>) {
  // CHECK: mode depth_first layout NWC : tensor<2x5x12xf16> -> tensor<2x15x4xf16>
  %0 = relayout.depth_to_space %nwc block_size [3] mode depth_first layout NWC
      : tensor<2x5x12xf16> -> tensor<2x15x4xf16>
  // CHECK: mode blocks_first layout NCW : tensor<2x12x5xf16> -> tensor<2x4x15xf16>
  %1 = relayout.depth_to_space %ncw block_size [3] mode blocks_first layout NCW
      : tensor<2x12x5xf16> -> tensor<2x4x15xf16>
  // CHECK: block_size [2, 3, 1] mode depth_first layout NDHWC : tensor<2x3x4x5x24xf16> -> tensor<2x6x12x5x4xf16>
  %2 = relayout.depth_to_space %ndhwc block_size [2, 3, 1] mode depth_first layout NDHWC
      : tensor<2x3x4x5x24xf16> -> tensor<2x6x12x5x4xf16>
  // CHECK: layout NCDHW : tensor<2x24x3x4x5xf16> -> tensor<2x4x6x12x5xf16>
  %3 = relayout.depth_to_space %ncdhw block_size [2, 3, 1] mode depth_first layout NCDHW
      : tensor<2x24x3x4x5xf16> -> tensor<2x4x6x12x5xf16>
  // CHECK: layout NCHW_VECT_C : tensor<2x8x3x5x4xi8> -> tensor<2x2x6x10x4xi8>
  %4 = relayout.depth_to_space %vect block_size [2] mode blocks_first layout NCHW_VECT_C
      : tensor<2x8x3x5x4xi8> -> tensor<2x2x6x10x4xi8>
  // CHECK: layout channels_first : tensor<2x32x3x4x5x6xf16> -> tensor<2x2x6x8x10x12xf16>
  %5 = relayout.depth_to_space %first block_size [2] mode blocks_first layout channels_first
      : tensor<2x32x3x4x5x6xf16> -> tensor<2x2x6x8x10x12xf16>
  // CHECK: layout channels_last result_layout channels_first : tensor<2x3x4x5x6x32xf16> -> tensor<2x2x6x8x10x12xf16>
  %6 = relayout.depth_to_space %last block_size [2] mode blocks_first layout channels_last
      result_layout channels_first : tensor<2x3x4x5x6x32xf16> -> tensor<2x2x6x8x10x12xf16>
  // CHECK: layout NCHW result_layout NHWC : tensor<2x12x3x5xf16> -> tensor<2x6x10x3xf16>
  %7 = relayout.depth_to_space %nchw block_size [2] mode depth_first layout NCHW
      result_layout NHWC : tensor<2x12x3x5xf16> -> tensor<2x6x10x3xf16>
  return
}

// Fill values of every kind of element.

// CHECK-LABEL: func @values
func.func @values(%bool: tensor<3x5xi1>, %u8: tensor<3x5xui8>, %i64: tensor<3x5xi64>,
                  %bf16: tensor<3x5xbf16>, %f8: tensor<3x5xf8E4M3FN>,
                  %c64: tensor<3x5xcomplex<f32>>, %b128: tensor<3x5xi128>) {
  // CHECK: value true : tensor<3x5xi1> -> tensor<6x3xi1>
  %0 = relayout.rearrange %bool "h w -> w h" pad [0:0, 0:1] value true
      : tensor<3x5xi1> -> tensor<6x3xi1>
  // CHECK: value 200 : ui8 : tensor<3x5xui8> -> tensor<6x3xui8>
  %1 = relayout.rearrange %u8 "h w -> w h" pad [0:0, 0:1] value 200 : ui8
      : tensor<3x5xui8> -> tensor<6x3xui8>
  // CHECK: value -9223372036854775808 : i64 : tensor<3x5xi64> -> tensor<6x3xi64>
  %2 = relayout.rearrange %i64 "h w -> w h" pad [0:0, 0:1] value -9223372036854775808 : i64
      : tensor<3x5xi64> -> tensor<6x3xi64>
  // CHECK: value 0x7FC1 : bf16 : tensor<3x5xbf16> -> tensor<6x3xbf16>
  %3 = relayout.rearrange %bf16 "h w -> w h" pad [0:0, 0:1] value 0x7FC1 : bf16
      : tensor<3x5xbf16> -> tensor<6x3xbf16>
  // CHECK: value 1.500000e+00 : f8E4M3FN : tensor<3x5xf8E4M3FN> -> tensor<6x3xf8E4M3FN>
  %4 = relayout.rearrange %f8 "h w -> w h" pad [0:0, 0:1] value 1.5 : f8E4M3FN
      : tensor<3x5xf8E4M3FN> -> tensor<6x3xf8E4M3FN>
  // CHECK: value #complex.number<:f32 1.000000e+00, -2.000000e+00> : complex<f32> : tensor<3x5xcomplex<f32>> -> tensor<6x3xcomplex<f32>>
  %5 = relayout.rearrange %c64 "h w -> w h" pad [0:0, 0:1]
      value #complex.number<:f32 1.0, -2.0> : complex<f32>
      : tensor<3x5xcomplex<f32>> -> tensor<6x3xcomplex<f32>>
  // CHECK: value -1 : i128 : tensor<3x5xi128> -> tensor<6x3xi128>
  %6 = relayout.rearrange %b128 "h w -> w h" pad [0:0, 0:1] value -1 : i128
      : tensor<3x5xi128> -> tensor<6x3xi128>
  return
}

// CHECK-LABEL: func @element_types
func.func @element_types(
    %0: tensor<2x3xsi16>, %1: tensor<2x3xui64>, %2: tensor<2x3xf64>,
    %3: tensor<2x3xf8E5M2>, %4: tensor<2x3xf8E8M0FNU>, %5: tensor<2x3xcomplex<f64>>) {
  // CHECK: tensor<2x3xsi16> -> tensor<3x2xsi16>
  relayout.rearrange %0 "a b -> b a" : tensor<2x3xsi16> -> tensor<3x2xsi16>
  // CHECK: tensor<2x3xui64> -> tensor<3x2xui64>
  relayout.rearrange %1 "a b -> b a" : tensor<2x3xui64> -> tensor<3x2xui64>
  // CHECK: tensor<2x3xf64> -> tensor<3x2xf64>
  relayout.rearrange %2 "a b -> b a" : tensor<2x3xf64> -> tensor<3x2xf64>
  // CHECK: tensor<2x3xf8E5M2> -> tensor<3x2xf8E5M2>
  relayout.rearrange %3 "a b -> b a" : tensor<2x3xf8E5M2> -> tensor<3x2xf8E5M2>
  // CHECK: tensor<2x3xf8E8M0FNU> -> tensor<3x2xf8E8M0FNU>
  relayout.rearrange %4 "a b -> b a" : tensor<2x3xf8E8M0FNU> -> tensor<3x2xf8E8M0FNU>
  // CHECK: tensor<2x3xcomplex<f64>> -> tensor<3x2xcomplex<f64>>
  relayout.rearrange %5 "a b -> b a" : tensor<2x3xcomplex<f64>> -> tensor<3x2xcomplex<f64>>
  return
}

// CHECK-LABEL: func @patterns
func.func @patterns(%x: tensor<2x3x5x7xi8>, %scalar: tensor<i8>) {
  // CHECK: "... a b -> ... b a" : tensor<2x3x5x7xi8> -> tensor<2x3x7x5xi8>
  relayout.rearrange %x "... a b -> ... b a" : tensor<2x3x5x7xi8> -> tensor<2x3x7x5xi8>
  // CHECK: "a ... -> a (...)" : tensor<2x3x5x7xi8> -> tensor<2x105xi8>
  relayout.rearrange %x "a ... -> a (...)" : tensor<2x3x5x7xi8> -> tensor<2x105xi8>
  // The text is stored in one spelling.
  // CHECK: "a b c d -> 1 (d c) 1 (a b)" : tensor<2x3x5x7xi8> -> tensor<1x35x1x6xi8>
  relayout.rearrange %x "a  b c d->1 ( d c ) () (a b)" : tensor<2x3x5x7xi8> -> tensor<1x35x1x6xi8>
  // CHECK: "-> 1" : tensor<i8> -> tensor<1xi8>
  relayout.rearrange %scalar "-> 1" : tensor<i8> -> tensor<1xi8>
  return
}

// CHECK-LABEL: func @zero_extents
func.func @zero_extents(%x: tensor<0x3x5x12xf32>, %y: tensor<3x0x5xf32>) {
  // CHECK: tensor<0x3x5x12xf32> -> tensor<0x6x10x3xf32>
  %0 = relayout.depth_to_space %x block_size [2] mode blocks_first layout NHWC
      : tensor<0x3x5x12xf32> -> tensor<0x6x10x3xf32>
  // CHECK: tensor<3x0x5xf32> -> tensor<6x2x5xf32>
  %1 = relayout.space_to_batch %y block_shape [2] paddings [3:1]
      : tensor<3x0x5xf32> -> tensor<6x2x5xf32>
  return
}

// CHECK-LABEL: func @zero_extents_in_memory
func.func @zero_extents_in_memory(%x: memref<0x3x5xf32>, %y: memref<5x3x0xf32>,
                                  %z: memref<3x0x5xf32, strided<[40, 8, 1]>>,
                                  %w: memref<6x2x5xf32, strided<[40, 8, 1]>>) {
  // CHECK: memref<0x3x5xf32>, memref<5x3x0xf32>
  relayout.rearrange %x into %y "a b c -> c b a" : memref<0x3x5xf32>, memref<5x3x0xf32>
  // CHECK: memref<3x0x5xf32, strided<[40, 8, 1]>>, memref<6x2x5xf32, strided<[40, 8, 1]>>
  relayout.space_to_batch %z into %w block_shape [2] paddings [3:1]
      : memref<3x0x5xf32, strided<[40, 8, 1]>>, memref<6x2x5xf32, strided<[40, 8, 1]>>
  return
}

// The attributes by themselves, outside the operations.
// CHECK-LABEL: func private @attributes
// CHECK-SAME: layout = #relayout<layout NHWC>
// CHECK-SAME: mode = #relayout<mode depth_first>
// CHECK-SAME: pattern = #relayout<pattern "a b -> b a">
// CHECK-SAME: sizes = #relayout<sizes {a = 2, b = 3}>
// CHECK-SAME: windows = #relayout<windows [1:0, -2:3]>
func.func private @attributes() attributes {
  mode = #relayout<mode depth_first>, layout = #relayout<layout NHWC>,
  pattern = #relayout<pattern "a b->b a">, sizes = #relayout<sizes {b = 3, a = 2}>,
  windows = #relayout<windows [1:0, -2:3]>}
