// RUN: relayout-opt %s --relayout-kernel-abi --split-input-file | FileCheck %s

// The example of the pass.
// CHECK-LABEL: func.func @kernel(
// CHECK-SAME:    %[[IN:.*]]: memref<2x3xi32>, %[[OUT:.*]]: memref<5x2xi32>, %{{.*}}: memref<0xi8>,
// CHECK-SAME:    %{{.*}}: index, %{{.*}}: index)
// CHECK-SAME:    relayout.kernel = {alignment = 4 : i64, input_bytes = 24 : i64,
// CHECK-SAME:                       output_bytes = 40 : i64, scratch_bytes = 0 : i64}
// CHECK-NEXT:    relayout.rearrange %[[IN]] into %[[OUT]] "h w -> w h" pad [0:0, 2:0]
// CHECK-SAME:      value -1077936128 : i32 : memref<2x3xi32>, memref<5x2xi32>
// CHECK-NEXT:    return
func.func @kernel(%in: memref<2x3xf32>, %out: memref<5x2xf32>) {
  relayout.rearrange %in into %out "h w -> w h" pad [0:0, 2:0] value -1.5 : f32
      : memref<2x3xf32>, memref<5x2xf32>
  return
}

// -----

// On tensors, and a named operation: the short way.
// CHECK-LABEL: func.func @direct(
// CHECK-SAME:    %[[IN:.*]]: memref<2x12x3x5xi8>, %[[OUT:.*]]: memref<2x3x6x10xi8>, %{{.*}}: memref<0xi8>,
// CHECK-SAME:    alignment = 1 : i64, input_bytes = 360 : i64, output_bytes = 360 : i64
// CHECK-NEXT:    relayout.rearrange %[[IN]] into %[[OUT]]
// CHECK-SAME:      : memref<2x12x3x5xi8>, memref<2x3x6x10xi8>
// CHECK-NEXT:    return
func.func @direct(%x: tensor<2x12x3x5xui8>) -> tensor<2x3x6x10xui8> {
  %r = relayout.depth_to_space %x block_size [2] mode depth_first layout NCHW
      : tensor<2x12x3x5xui8> -> tensor<2x3x6x10xui8>
  return %r : tensor<2x3x6x10xui8>
}

// -----

// With a destination on tensors.
// CHECK-LABEL: func.func @destination(
// CHECK-SAME:    %[[IN:.*]]: memref<3x5xi64>, %[[OUT:.*]]: memref<5x3xi64>, %{{.*}}: memref<0xi8>,
// CHECK-SAME:    alignment = 8 : i64, input_bytes = 120 : i64, output_bytes = 120 : i64
// CHECK-NEXT:    relayout.rearrange %[[IN]] into %[[OUT]] "a b -> b a" : memref<3x5xi64>, memref<5x3xi64>
func.func @destination(%x: tensor<3x5xf64>, %d: tensor<5x3xf64>) -> tensor<5x3xf64> {
  %r = relayout.rearrange %x into %d "a b -> b a"
      : tensor<3x5xf64>, tensor<5x3xf64> -> tensor<5x3xf64>
  return %r : tensor<5x3xf64>
}

// -----

// A copy is a rearrangement; a strided side spans its gaps; attributes of the
// parameters go with the parameters.
// CHECK-LABEL: func.func @copy(
// CHECK-SAME:    %[[IN:.*]]: memref<3x5xi16, strided<[7, 1], offset: 2>>,
// CHECK-SAME:    %[[OUT:.*]]: memref<3x5xi16>, %{{.*}}: memref<0xi8>, %{{.*}}: index, %{{.*}}: index)
// CHECK-SAME:    alignment = 2 : i64, input_bytes = 42 : i64, output_bytes = 30 : i64
// CHECK-NEXT:    relayout.rearrange %[[IN]] into %[[OUT]] "d0 d1 -> d0 d1"
// CHECK-SAME:      : memref<3x5xi16, strided<[7, 1], offset: 2>>, memref<3x5xi16>
func.func @copy(%in: memref<3x5xbf16, strided<[7, 1], offset: 2>> {test.mark}, %out: memref<3x5xbf16>) {
  memref.copy %in, %out : memref<3x5xbf16, strided<[7, 1], offset: 2>> to memref<3x5xbf16>
  return
}

// -----

// Fill values by their bits. Zero of any type needs none.
// CHECK-LABEL: func.func @bool
// CHECK:         value 1 : i8 : memref<3xi8>, memref<4xi8>
func.func @bool(%x: tensor<3xi1>) -> tensor<4xi1> {
  %r = relayout.rearrange %x "a -> a" pad [1:0] value true : tensor<3xi1> -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// -----

// CHECK-LABEL: func.func @unsigned
// CHECK:         value -56 : i8 : memref<3xi8>, memref<4xi8>
func.func @unsigned(%x: tensor<3xui8>) -> tensor<4xui8> {
  %r = relayout.rearrange %x "a -> a" pad [1:0] value 200 : ui8 : tensor<3xui8> -> tensor<4xui8>
  return %r : tensor<4xui8>
}

// -----

// CHECK-LABEL: func.func @signed
// CHECK:         value -2 : i16 : memref<3xi16>, memref<4xi16>
func.func @signed(%x: tensor<3xi16>) -> tensor<4xi16> {
  %r = relayout.rearrange %x "a -> a" pad [1:0] value -2 : i16 : tensor<3xi16> -> tensor<4xi16>
  return %r : tensor<4xi16>
}

// -----

// 1.0 in f16 is 0x3C00.
// CHECK-LABEL: func.func @half
// CHECK:         value 15360 : i16 : memref<3xi16>, memref<4xi16>
func.func @half(%x: tensor<3xf16>) -> tensor<4xf16> {
  %r = relayout.rearrange %x "a -> a" pad [1:0] value 1.0 : f16 : tensor<3xf16> -> tensor<4xf16>
  return %r : tensor<4xf16>
}

// -----

// 1.0 in f8E5M2 is 0x3C.
// CHECK-LABEL: func.func @quarter
// CHECK:         value 60 : i8 : memref<3xi8>, memref<4xi8>
func.func @quarter(%x: tensor<3xf8E5M2>) -> tensor<4xf8E5M2> {
  %r = relayout.rearrange %x "a -> a" pad [1:0] value 1.0 : f8E5M2 : tensor<3xf8E5M2> -> tensor<4xf8E5M2>
  return %r : tensor<4xf8E5M2>
}

// -----

// The real part, 1.0 or 0x3F800000, is the low half; the imaginary part, 2.0, is
// 0x40000000 in the high one: 0x400000003F800000. Aligned as f32 is.
// CHECK-LABEL: func.func @complex
// CHECK-SAME:    alignment = 4 : i64
// CHECK:         value 4611686019492741120 : i64 : memref<3xi64>, memref<4xi64>
func.func @complex(%x: tensor<3xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %r = relayout.rearrange %x "a -> a" pad [1:0] value #complex.number<:f32 1.0, 2.0> : complex<f32>
      : tensor<3xcomplex<f32>> -> tensor<4xcomplex<f32>>
  return %r : tensor<4xcomplex<f32>>
}

// -----

// Elements of 16 bytes are two parts.
// CHECK-LABEL: func.func @widest
// CHECK-SAME:    memref<3x2xi64>, %{{.*}}: memref<4x2xi64>
// CHECK-SAME:    alignment = 8 : i64, input_bytes = 48 : i64, output_bytes = 64 : i64
// CHECK:         relayout.rearrange %{{.*}} "a part -> a part" pad [1:0, 0:0] :
// CHECK-NOT:     value
// CHECK:         return
func.func @widest(%x: tensor<3xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
  %r = relayout.rearrange %x "a -> a" pad [1:0] value #complex.number<:f64 0.0, 0.0> : complex<f64>
      : tensor<3xcomplex<f64>> -> tensor<4xcomplex<f64>>
  return %r : tensor<4xcomplex<f64>>
}

// -----

// Parts with gaps between their elements.
// CHECK-LABEL: func.func @parts_with_gaps
// CHECK-SAME:    memref<2x3x2xi64, strided<[16, 4, 1], offset: 10>>, %{{.*}}: memref<3x2x2xi64, strided<[8, 2, 1]>>
// CHECK-SAME:    input_bytes = 288 : i64, output_bytes = 160 : i64
// CHECK:         relayout.rearrange %{{.*}} "h w part -> w h part" :
func.func @parts_with_gaps(%in: memref<2x3xi128, strided<[8, 2], offset: 5>>,
                           %out: memref<3x2xi128, strided<[4, 1]>>) {
  relayout.rearrange %in into %out "h w -> w h"
      : memref<2x3xi128, strided<[8, 2], offset: 5>>, memref<3x2xi128, strided<[4, 1]>>
  return
}

// -----

// 1 + i: 1.0 in f64 is 0x3FF0000000000000, in both parts.
// CHECK-LABEL: func.func @parts_alike
// CHECK:         value 4607182418800017408 : i64 : memref<3x2xi64>, memref<4x2xi64>
func.func @parts_alike(%x: tensor<3xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
  %r = relayout.rearrange %x "a -> a" pad [1:0] value #complex.number<:f64 1.0, 1.0> : complex<f64>
      : tensor<3xcomplex<f64>> -> tensor<4xcomplex<f64>>
  return %r : tensor<4xcomplex<f64>>
}

// -----

// A rearrangement has one fill value, and here the parts would need two.
// CHECK-LABEL: func.func @parts_differ
// CHECK:         value 4607182418800017408 : i128 : memref<3xi128>, memref<4xi128>
func.func @parts_differ(%x: tensor<3xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
  %r = relayout.rearrange %x "a -> a" pad [1:0] value #complex.number<:f64 1.0, 0.0> : complex<f64>
      : tensor<3xcomplex<f64>> -> tensor<4xcomplex<f64>>
  return %r : tensor<4xcomplex<f64>>
}

// -----

// Minus zero is not all bits zero.
// CHECK-LABEL: func.func @minus_zero
// CHECK:         value -32768 : i16
func.func @minus_zero(%x: tensor<3xbf16>) -> tensor<4xbf16> {
  %r = relayout.rearrange %x "a -> a" pad [1:0] value -0.0 : bf16 : tensor<3xbf16> -> tensor<4xbf16>
  return %r : tensor<4xbf16>
}

// -----

// No elements on either side.
// CHECK-LABEL: func.func @empty
// CHECK-SAME:    memref<0x9xi32, strided<[1, 1]>>, %{{.*}}: memref<9x0xi32, strided<[1, 1]>>
// CHECK-SAME:    input_bytes = 0 : i64, output_bytes = 0 : i64
func.func @empty(%x: tensor<0x9xf32>) -> tensor<9x0xf32> {
  %r = relayout.rearrange %x "a b -> b a" : tensor<0x9xf32> -> tensor<9x0xf32>
  return %r : tensor<9x0xf32>
}

// -----

// What is left of a copy of no elements.
// CHECK-LABEL: func.func @empty_copy
// CHECK-SAME:    input_bytes = 0 : i64, output_bytes = 0 : i64
// CHECK-NEXT:    relayout.rearrange %{{.*}} into %{{.*}} "d0 d1 -> d0 d1"
func.func @empty_copy(%x: memref<2x0xf32>, %y: memref<2x0xf32>) {
  return
}

// -----

// Declarations, and what is a kernel already, stay as they are.
// CHECK: func.func private @declared(memref<2xf32>)
func.func private @declared(memref<2xf32>)

// CHECK-LABEL: func.func @already(%{{.*}}: memref<2xf32>) attributes {relayout.kernel = {}}
// CHECK-NEXT:    return
func.func @already(%x: memref<2xf32>) attributes {relayout.kernel = {}} {
  return
}
