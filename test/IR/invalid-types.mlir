// RUN: relayout-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every diagnostic of types and sizes, by the labels of Spec.md.

// T1.
func.func @f(%x: tensor<2x3xi4>) {
  // expected-error@+1 {{expects an element type among bool, i8, i16, i32, i64, u8, u16, u32, u64, f8E5M2, f8E4M3, f8E4M3FN, f8E5M2FNUZ, f8E4M3FNUZ, f8E4M3B11FNUZ, f8E3M4, f8E8M0FNU, f16, bf16, f32, f64, c64, c128, b8, b16, b32, b64, b128, but got 'i4'}}
  %0 = relayout.rearrange %x "a b -> b a"
      : tensor<2x3xi4> -> tensor<3x2xi4>
  return
}

// -----

// T1: an element of 16 bytes is i128, not a vector.
func.func @f(%x: tensor<2x3xvector<4xf32>>) {
  // expected-error@+1 {{b128, but got 'vector<4xf32>'}}
  %0 = relayout.rearrange %x "a b -> b a"
      : tensor<2x3xvector<4xf32>> -> tensor<3x2xvector<4xf32>>
  return
}

// -----

// S2 and T2.
func.func @f(%x: tensor<2x?xf32>) {
  // expected-error@+1 {{expects source to have a static shape, but its type is 'tensor<2x?xf32>'; dynamic dimensions are not accepted}}
  %0 = relayout.rearrange %x "a b -> b a"
      : tensor<2x?xf32> -> tensor<?x2xf32>
  return
}

// -----

// T2: the dest.
func.func @f(%x: tensor<2x3xf32>, %d: tensor<?x2xf32>) {
  // expected-error@+1 {{expects dest to have a static shape, but its type is 'tensor<?x2xf32>'; dynamic dimensions are not accepted}}
  %0 = relayout.rearrange %x into %d "a b -> b a"
      : tensor<2x3xf32>, tensor<?x2xf32> -> tensor<3x2xf32>
  return
}

// -----

// T2: unranked.
func.func @f(%x: tensor<*xf32>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of any type values or strided memref of any type values, but got 'tensor<*xf32>'}}
  %0 = relayout.rearrange %x "a b -> b a"
      : tensor<*xf32> -> tensor<3x2xf32>
  return
}

// -----

// T2: encoding.
func.func @f(%x: tensor<2x3xf32, "sparse">) {
  // expected-error@+1 {{expects source to have no encoding, but its type is 'tensor<2x3xf32, "sparse">'}}
  %0 = relayout.rearrange %x "a b -> b a"
      : tensor<2x3xf32, "sparse"> -> tensor<3x2xf32>
  return
}

// -----

// T3.
func.func @f(%x: memref<2x3xf32, affine_map<(a, b) -> (b mod 2, a)>>, %d: memref<3x2xf32>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of any type values or strided memref of any type values}}
  relayout.rearrange %x into %d "a b -> b a"
      : memref<2x3xf32, affine_map<(a, b) -> (b mod 2, a)>>, memref<3x2xf32>
  return
}

// -----

// T3: strides.
func.func @f(%x: memref<2x3xf32, strided<[?, 1]>>, %d: memref<3x2xf32>) {
  // expected-error@+1 {{expects source to have static strides and a static offset, but its type is 'memref<2x3xf32, strided<[?, 1]>>'}}
  relayout.rearrange %x into %d "a b -> b a"
      : memref<2x3xf32, strided<[?, 1]>>, memref<3x2xf32>
  return
}

// -----

// T3: an offset before the buffer.
func.func @f(%x: memref<2x3xf32, strided<[3, 1], offset: -1>>, %d: memref<3x2xf32>) {
  // expected-error@+1 {{expects source to begin at an offset of 0 or more, but its type is 'memref<2x3xf32, strided<[3, 1], offset: -1>>'}}
  relayout.rearrange %x into %d "a b -> b a"
      : memref<2x3xf32, strided<[3, 1], offset: -1>>, memref<3x2xf32>
  return
}

// -----

func.func @f(%x: memref<2x3xf32>, %d: memref<3x2xf32, strided<[2, 1], offset: -6>>) {
  // expected-error@+1 {{expects dest to begin at an offset of 0 or more, but its type is 'memref<3x2xf32, strided<[2, 1], offset: -6>>'}}
  relayout.rearrange %x into %d "a b -> b a"
      : memref<2x3xf32>, memref<3x2xf32, strided<[2, 1], offset: -6>>
  return
}

// -----

// T3: offset.
func.func @f(%x: memref<2x3xf32>, %d: memref<3x2xf32, strided<[2, 1], offset: ?>>) {
  // expected-error@+1 {{expects dest to have static strides and a static offset, but its type is 'memref<3x2xf32, strided<[2, 1], offset: ?>>'}}
  relayout.rearrange %x into %d "a b -> b a"
      : memref<2x3xf32>, memref<3x2xf32, strided<[2, 1], offset: ?>>
  return
}

// -----

// T4.
func.func @f(%x: memref<2x3xf32>) {
  // expected-error@+1 {{expects a dest, since source is a memref}}
  relayout.rearrange %x "a b -> b a" : memref<2x3xf32>
  return
}

// -----

// T4: both memrefs.
func.func @f(%x: tensor<2x3xf32>, %d: memref<3x2xf32>) {
  // expected-error@+1 {{expects source and dest to be two tensors or two memrefs, but they are 'tensor<2x3xf32>' and 'memref<3x2xf32>'}}
  relayout.rearrange %x into %d "a b -> b a" : tensor<2x3xf32>, memref<3x2xf32>
  return
}

// -----

// T4: no result in memory.
func.func @f(%x: memref<2x3xf32>, %d: memref<3x2xf32>) {
  // expected-error@+1 {{expects no result, since source is a memref}}
  %0 = relayout.rearrange %x into %d "a b -> b a"
      : memref<2x3xf32>, memref<3x2xf32> -> tensor<3x2xf32>
  return
}

// -----

// T4: a result on tensors.
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{expects a result of type 'tensor<3x2xf32>', but there is none}}
  relayout.rearrange %x "a b -> b a" : tensor<2x3xf32>
  return
}

// -----

// T5.
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{expects the type of the result to be 'tensor<3x2xf32>', but it is 'tensor<2x3xf32>'}}
  %0 = relayout.rearrange %x "a b -> b a"
      : tensor<2x3xf32> -> tensor<2x3xf32>
  return
}

// -----

// T5: element type.
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{expects the type of the result to be 'tensor<3x2xf32>', but it is 'tensor<3x2xi32>'}}
  %0 = relayout.rearrange %x "a b -> b a"
      : tensor<2x3xf32> -> tensor<3x2xi32>
  return
}

// -----

// T5: dest.
func.func @f(%x: tensor<2x3xf32>, %d: tensor<6xf32>) {
  // expected-error@+1 {{expects the type of dest to be 'tensor<3x2xf32>', but it is 'tensor<6xf32>'}}
  %0 = relayout.rearrange %x into %d "a b -> b a"
      : tensor<2x3xf32>, tensor<6xf32> -> tensor<3x2xf32>
  return
}

// -----

// T6.
func.func @f(%x: memref<2x3xf32>, %d: memref<2x3xf32>) {
  // expected-error@+1 {{expects dest to have the shape and the element type of 'tensor<3x2xf32>', but its type is 'memref<2x3xf32>'}}
  relayout.rearrange %x into %d "a b -> b a" : memref<2x3xf32>, memref<2x3xf32>
  return
}

// -----

// T6: element type.
func.func @f(%x: memref<2x3xf32>, %d: memref<3x2xi32>) {
  // expected-error@+1 {{expects dest to have the shape and the element type of 'tensor<3x2xf32>', but its type is 'memref<3x2xi32>'}}
  relayout.rearrange %x into %d "a b -> b a" : memref<2x3xf32>, memref<3x2xi32>
  return
}

// -----

// T7.
func.func @f(%x: memref<3x3xf32>) {
  // expected-error@+1 {{expects source and dest to be different buffers}}
  relayout.rearrange %x into %x "a b -> b a" : memref<3x3xf32>, memref<3x3xf32>
  return
}

// -----

// T7: negative.
func.func @f(%x: memref<2x3xf32, strided<[3, -1], offset: 2>>, %d: memref<3x2xf32>) {
  // expected-error@+1 {{expects strides of 0 or more, but that of dimension 1 of the operand is -1}}
  relayout.rearrange %x into %d "a b -> b a"
      : memref<2x3xf32, strided<[3, -1], offset: 2>>, memref<3x2xf32>
  return
}

// -----

// T7: shared places.
func.func @f(%x: memref<2x3xf32>, %d: memref<3x2xf32, strided<[1, 1]>>) {
  // expected-error@+1 {{expects strides of the result that keep its elements apart, each larger than the span of those below it, but they are [1,1] for shape [3,2]}}
  relayout.rearrange %x into %d "a b -> b a"
      : memref<2x3xf32>, memref<3x2xf32, strided<[1, 1]>>
  return
}

// -----

// T7: reach.
func.func @f(%x: memref<2x3xf32, strided<[4611686018427387904, 1]>>, %d: memref<3x2xf32>) {
  // expected-error@+1 {{expects the elements of the operand to lie within 2^60 places, but the strides are [4611686018427387904,1]}}
  relayout.rearrange %x into %d "a b -> b a"
      : memref<2x3xf32, strided<[4611686018427387904, 1]>>, memref<3x2xf32>
  return
}

// -----

// T7: reach of the windows.
func.func @f(%x: memref<2x3xi8, strided<[288230376151711744, 1]>>, %d: memref<1125899906842626x3xi8>) {
  // expected-error@+1 {{expects the windows times the strides and the digits to fit 63 bits}}
  relayout.rearrange %x into %d "a b -> a b" pad [1125899906842624:0, 0:0]
      : memref<2x3xi8, strided<[288230376151711744, 1]>>, memref<1125899906842626x3xi8>
  return
}

// -----

// T8.
func.func @f(%x: tensor<3x5xf32>) {
  // expected-error@+1 {{expects value to have the element type 'f32', but its type is 'i32'}}
  %0 = relayout.space_to_batch %x block_shape [1] paddings [0:1] value 1 : i32
      : tensor<3x5xf32> -> tensor<3x6xf32>
  return
}

// -----

// T8: kinds of attributes.
func.func @f(%x: tensor<3x5xf32>) {
  // expected-error@+1 {{expects value to be an integer, a float or a complex number, but got #other<"value"> : f32}}
  %0 = relayout.space_to_batch %x block_shape [1] paddings [0:1] value #other<"value"> : f32
      : tensor<3x5xf32> -> tensor<3x6xf32>
  return
}

// -----

// T8: rearrange.
func.func @f(%x: tensor<3x5xui8>) {
  // expected-error@+1 {{expects value to have the element type 'ui8', but its type is 'i8'}}
  %0 = relayout.rearrange %x "a b -> a b" pad [0:0, 0:1] value 1 : i8
      : tensor<3x5xui8> -> tensor<3x6xui8>
  return
}

// -----

// S1.
func.func @f(%x: tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>) {
  // expected-error@+1 {{expects a rank of 32 at most, but the rank is 33}}
  %0 = relayout.rearrange %x "... -> (...)"
      : tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32> -> tensor<1xf32>
  return
}

// -----

// S3.
func.func @f(%x: tensor<4294967296x4294967296xi8>) {
  // expected-error@+1 {{expects the product of the nonzero extents times 1 bytes to fit 63 bits, but the shape is [4294967296,4294967296]}}
  %0 = relayout.rearrange %x "a b -> b a"
      : tensor<4294967296x4294967296xi8> -> tensor<4294967296x4294967296xi8>
  return
}

// -----

// S3: beyond what elements of any type allow, though not beyond what its own do.
func.func @f(%x: tensor<4611686018427387904x1xi8>) {
  // expected-error@+1 {{expects the product of the nonzero extents times 16 bytes, as elements of any type count, to fit 63 bits, but the shape is [4611686018427387904,1]}}
  %0 = relayout.rearrange %x "a b -> b a"
      : tensor<4611686018427387904x1xi8> -> tensor<1x4611686018427387904xi8>
  return
}

// -----

// S3: an extent of 0 hides nothing.
func.func @f(%x: tensor<4294967296x4294967296x0xi8>) {
  // expected-error@+1 {{expects the product of the nonzero extents times 1 bytes to fit 63 bits, but the shape is [4294967296,4294967296,0]}}
  %0 = relayout.rearrange %x "a b c -> c b a"
      : tensor<4294967296x4294967296x0xi8> -> tensor<0x4294967296x4294967296xi8>
  return
}

// -----

// S3: the result.
func.func @f(%x: tensor<3x5x7xi8>) {
  // expected-error@+1 {{expects the product of the digits' nonzero sizes (3 * 1 * 4294967301 * 1 * 4294967303) times 16 bytes, as elements of any type count, to fit 63 bits}}
  %0 = relayout.space_to_batch %x block_shape [1, 1] paddings [0:4294967296, 0:4294967296]
      : tensor<3x5x7xi8> -> tensor<3x5x7xi8>
  return
}

// -----

// S3: a result that a crop enlarges.
func.func @f(%x: tensor<2x3xi8>) {
  // expected-error@+1 {{expects the product of the nonzero extents times 16 bytes, as elements of any type count, to fit 63 bits, but the shape is [288230376151711746,3]}}
  %0 = relayout.rearrange %x "a b -> a b" crop [-288230376151711744:0, 0:0]
      : tensor<2x3xi8> -> tensor<2x3xi8>
  return
}

// -----

// S4.
func.func @f(%x: tensor<3x5xi8>) {
  // expected-error@+1 {{expects the pad of dimension 1 to lie within 2^60, but got 1152921504606846977}}
  %0 = relayout.rearrange %x "a b -> b a" pad [0:0, 0:1152921504606846977]
      : tensor<3x5xi8> -> tensor<3x5xi8>
  return
}

// -----

// S4: crop.
func.func @f(%x: tensor<3x5xi8>) {
  // expected-error@+1 {{expects the crop of dimension 1 to lie within 2^60, but got -1152921504606846977}}
  %0 = relayout.rearrange %x "a b -> b a" crop [0:0, -1152921504606846977:0]
      : tensor<3x5xi8> -> tensor<3x5xi8>
  return
}
