// RUN: relayout-opt %s --pass-pipeline='builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor),relayout-fuse,canonicalize)' | FileCheck %s

// Chains that other front ends write.

// TOSA, with the passes that MLIR has for it. The one transpose that TensorFlow's
// depth_to_space comes down to:
// CHECK-LABEL: @tosa_depth_to_space(
// CHECK-NEXT: %[[R:.*]] = relayout.rearrange %{{.*}} "d0 d1 d2 (d3 d4 d5) -> d0 (d1 d3) (d2 d4) d5" sizes {d3 = 2, d4 = 2, d5 = 3} : tensor<2x6x10x12xf32> -> tensor<2x12x20x3xf32>
// CHECK-NEXT: return %[[R]]
func.func @tosa_depth_to_space(%x: tensor<2x6x10x12xf32>) -> tensor<2x12x20x3xf32> {
  %s = tosa.const_shape {values = dense<[2, 6, 10, 2, 2, 3]> : tensor<6xindex>} : () -> !tosa.shape<6>
  %e = tosa.reshape %x, %s : (tensor<2x6x10x12xf32>, !tosa.shape<6>) -> tensor<2x6x10x2x2x3xf32>
  %t = tosa.transpose %e {perms = array<i32: 0, 1, 3, 2, 4, 5>} : (tensor<2x6x10x2x2x3xf32>) -> tensor<2x6x2x10x2x3xf32>
  %u = tosa.const_shape {values = dense<[2, 12, 20, 3]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %r = tosa.reshape %t, %u : (tensor<2x6x2x10x2x3xf32>, !tosa.shape<4>) -> tensor<2x12x20x3xf32>
  return %r : tensor<2x12x20x3xf32>
}

// Pads that stand as values, and a slice behind.
// CHECK-LABEL: @tosa_pad_transpose_slice(
// CHECK-NEXT: %[[R:.*]] = relayout.rearrange %{{.*}} "d0 d1 d2 -> d1 d0 d2" pad [0:0, 0:-2, 2:-7] value 1.500000e+00 : f32 : tensor<2x6x10xf32> -> tensor<4x2x5xf32>
// CHECK-NEXT: return %[[R]]
func.func @tosa_pad_transpose_slice(%x: tensor<2x6x10xf32>) -> tensor<4x2x5xf32> {
  %p = tosa.const_shape {values = dense<[0, 0, 1, 0, 2, 0]> : tensor<6xindex>} : () -> !tosa.shape<6>
  %v = "tosa.const"() {values = dense<1.5> : tensor<1xf32>} : () -> tensor<1xf32>
  %a = tosa.pad %x, %p, %v : (tensor<2x6x10xf32>, !tosa.shape<6>, tensor<1xf32>) -> tensor<2x7x12xf32>
  %b = tosa.transpose %a {perms = array<i32: 1, 0, 2>} : (tensor<2x7x12xf32>) -> tensor<7x2x12xf32>
  %o = tosa.const_shape {values = dense<[1, 0, 0]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %z = tosa.const_shape {values = dense<[4, 2, 5]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %c = tosa.slice %b, %o, %z : (tensor<7x2x12xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<4x2x5xf32>
  return %c : tensor<4x2x5xf32>
}

// A reshape that keeps no dimension goes by way of the flat tensor.
// CHECK-LABEL: @tosa_reshape_through_flat(
// CHECK-NEXT: %[[R:.*]] = relayout.rearrange %{{.*}} "d0 (d1 d2) d3 -> d0 d2 (d1 d3)" sizes {d1 = 3, d2 = 5} : tensor<2x15x7xi8> -> tensor<2x5x21xi8>
// CHECK-NEXT: return %[[R]]
func.func @tosa_reshape_through_flat(%x: tensor<2x15x7xi8>) -> tensor<2x5x21xi8> {
  %s = tosa.const_shape {values = dense<[6, 5, 7]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %a = tosa.reshape %x, %s : (tensor<2x15x7xi8>, !tosa.shape<3>) -> tensor<6x5x7xi8>
  %s2 = tosa.const_shape {values = dense<[2, 3, 5, 7]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %b = tosa.reshape %a, %s2 : (tensor<6x5x7xi8>, !tosa.shape<4>) -> tensor<2x3x5x7xi8>
  %t = tosa.transpose %b {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x3x5x7xi8>) -> tensor<2x5x3x7xi8>
  %s3 = tosa.const_shape {values = dense<[2, 5, 21]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %r = tosa.reshape %t, %s3 : (tensor<2x5x3x7xi8>, !tosa.shape<3>) -> tensor<2x5x21xi8>
  return %r : tensor<2x5x21xi8>
}

// Shapes as values: the form of torch-mlir and of dynamic StableHLO.
// CHECK-LABEL: @reshape_op(
// CHECK-NEXT: %[[R:.*]] = relayout.rearrange %{{.*}} "(d0 d1) d2 -> d1 d0 d2" sizes {d0 = 3, d1 = 2} : tensor<6x5xf32> -> tensor<2x3x5xf32>
// CHECK-NEXT: return %[[R]]
func.func @reshape_op(%x: tensor<6x5xf32>) -> tensor<2x3x5xf32> {
  %s = arith.constant dense<[3, 2, 5]> : tensor<3xindex>
  %e = tensor.reshape %x(%s) : (tensor<6x5xf32>, tensor<3xindex>) -> tensor<3x2x5xf32>
  %i = tensor.empty() : tensor<2x3x5xf32>
  %t = linalg.transpose ins(%e : tensor<3x2x5xf32>) outs(%i : tensor<2x3x5xf32>) permutation = [1, 0, 2]
  return %t : tensor<2x3x5xf32>
}

// The permuting generics of StableHLO: the permutation on either side.
#id = affine_map<(a, b, c) -> (a, b, c)>
#rot = affine_map<(a, b, c) -> (c, a, b)>
// CHECK-LABEL: @generic(
// CHECK-NEXT: %[[A:.*]] = relayout.rearrange %{{.*}} "d0 d1 d2 -> d1 d2 d0" : tensor<7x3x5xf32> -> tensor<3x5x7xf32>
// CHECK-NEXT: %[[B:.*]] = relayout.rearrange %{{.*}} "d0 d1 d2 -> d2 d0 d1" : tensor<7x3x5xf32> -> tensor<5x7x3xf32>
// CHECK-NEXT: return %[[A]], %[[B]]
func.func @generic(%x: tensor<7x3x5xf32>) -> (tensor<3x5x7xf32>, tensor<5x7x3xf32>) {
  %i = tensor.empty() : tensor<3x5x7xf32>
  %a = linalg.generic {indexing_maps = [#rot, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<7x3x5xf32>) outs(%i : tensor<3x5x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x5x7xf32>
  %j = tensor.empty() : tensor<5x7x3xf32>
  %b = linalg.generic {indexing_maps = [#id, #rot], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<7x3x5xf32>) outs(%j : tensor<5x7x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<5x7x3xf32>
  return %a, %b : tensor<3x5x7xf32>, tensor<5x7x3xf32>
}

// Generics that compute, broadcast or yield the output are none.
#row = affine_map<(a, b) -> (b)>
#two = affine_map<(a, b) -> (a, b)>
#swap = affine_map<(a, b) -> (b, a)>
// CHECK-LABEL: @other_generics(
// CHECK-NOT: relayout
// CHECK: return
func.func @other_generics(%x: tensor<3xf32>, %y: tensor<3x2xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %c = arith.constant dense<1.0> : tensor<2x3xf32>
  %a = linalg.generic {indexing_maps = [#row, #two], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<3xf32>) outs(%c : tensor<2x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3xf32>
  %b = linalg.generic {indexing_maps = [#swap, #two], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<3x2xf32>) outs(%c : tensor<2x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    linalg.yield %n : f32
  } -> tensor<2x3xf32>
  %d = linalg.generic {indexing_maps = [#swap, #two], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<3x2xf32>) outs(%c : tensor<2x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %out : f32
  } -> tensor<2x3xf32>
  return %a, %b, %d : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}

// Packing to tiles, with padding and permuted outer dimensions.
// CHECK-LABEL: @pack(
// CHECK: %[[R:.*]] = relayout.rearrange %{{.*}} "(d0 d1) d2 (d3 d4) -> d3 d0 d2 d4 d1" sizes {d0 = 4, d1 = 5, d3 = 3, d4 = 8} pad [0:3, 0:0, 0:2] value 6.000000e+00 : f32 : tensor<17x3x22xf32> -> tensor<3x4x3x8x5xf32>
// CHECK-NEXT: return %[[R]]
func.func @pack(%x: tensor<17x3x22xf32>) -> tensor<3x4x3x8x5xf32> {
  %c = arith.constant 6.0 : f32
  %i = tensor.empty() : tensor<3x4x3x8x5xf32>
  %p = linalg.pack %x padding_value(%c : f32) outer_dims_perm = [2, 0, 1] inner_dims_pos = [2, 0] inner_tiles = [8, 5]
      into %i : tensor<17x3x22xf32> -> tensor<3x4x3x8x5xf32>
  return %p : tensor<3x4x3x8x5xf32>
}

// CHECK-LABEL: @unpack(
// CHECK-NEXT: %[[R:.*]] = relayout.rearrange %{{.*}} "d0 d1 d2 d3 d4 -> (d1 d4) d2 (d0 d3)" crop [0:3, 0:0, 0:2] : tensor<3x4x3x8x5xf32> -> tensor<17x3x22xf32>
// CHECK-NEXT: return %[[R]]
func.func @unpack(%x: tensor<3x4x3x8x5xf32>) -> tensor<17x3x22xf32> {
  %i = tensor.empty() : tensor<17x3x22xf32>
  %u = linalg.unpack %x outer_dims_perm = [2, 0, 1] inner_dims_pos = [2, 0] inner_tiles = [8, 5]
      into %i : tensor<3x4x3x8x5xf32> -> tensor<17x3x22xf32>
  return %u : tensor<17x3x22xf32>
}

// CHECK-LABEL: @pack_and_back(
// CHECK-SAME: %[[X:.*]]: tensor<17x22xi8>
// CHECK-NEXT: return %[[X]]
func.func @pack_and_back(%x: tensor<17x22xi8>) -> tensor<17x22xi8> {
  %c = arith.constant 6 : i8
  %i = tensor.empty() : tensor<4x3x5x8xi8>
  %p = linalg.pack %x padding_value(%c : i8) inner_dims_pos = [0, 1] inner_tiles = [5, 8]
      into %i : tensor<17x22xi8> -> tensor<4x3x5x8xi8>
  %j = tensor.empty() : tensor<17x22xi8>
  %u = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [5, 8] into %j : tensor<4x3x5x8xi8> -> tensor<17x22xi8>
  return %u : tensor<17x22xi8>
}

// From one packed layout to another.
// CHECK-LABEL: @repack(
// CHECK: %[[R:.*]] = relayout.rearrange
// CHECK-NEXT: return %[[R]] : tensor<12x3x32xf32>
func.func @repack(%x: tensor<3x12x32xf32>) -> tensor<12x3x32xf32> {
  %i = tensor.empty() : tensor<12x96xf32>
  %u = linalg.unpack %x outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [32] into %i
      : tensor<3x12x32xf32> -> tensor<12x96xf32>
  %j = tensor.empty() : tensor<12x3x32xf32>
  %p = linalg.pack %u inner_dims_pos = [1] inner_tiles = [32] into %j : tensor<12x96xf32> -> tensor<12x3x32xf32>
  return %p : tensor<12x3x32xf32>
}

// What else a body does is not lost; what it computes for nothing is.
// CHECK-LABEL: @effects(
// CHECK-NOT: relayout
// CHECK: vector.print
// CHECK-NOT: relayout
// CHECK: vector.print
// CHECK: return
func.func @effects(%x: tensor<7x3xf32>) -> tensor<5x7xf32> {
  %i = tensor.empty() : tensor<3x7xf32>
  %t = linalg.generic {indexing_maps = [#swap, #two], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<7x3xf32>) outs(%i : tensor<3x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    vector.print %in : f32
    linalg.yield %in : f32
  } -> tensor<3x7xf32>
  %p = tensor.pad %t low[2, 0] high[0, 0] {
  ^bb0(%a: index, %b: index):
    vector.print %a : index
    %c = arith.constant 6.0 : f32
    tensor.yield %c : f32
  } : tensor<3x7xf32> to tensor<5x7xf32>
  return %p : tensor<5x7xf32>
}

// CHECK-LABEL: @unused(
// CHECK-NEXT: %[[R:.*]] = relayout.rearrange %{{.*}} "d0 d1 -> d1 d0" pad [0:0, 2:0] value 6.000000e+00 : f32 : tensor<7x3xf32> -> tensor<5x7xf32>
// CHECK-NEXT: return %[[R]]
func.func @unused(%x: tensor<7x3xf32>) -> tensor<5x7xf32> {
  %i = tensor.empty() : tensor<3x7xf32>
  %t = linalg.generic {indexing_maps = [#swap, #two], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<7x3xf32>) outs(%i : tensor<3x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    linalg.yield %in : f32
  } -> tensor<3x7xf32>
  %p = tensor.pad %t low[2, 0] high[0, 0] {
  ^bb0(%a: index, %b: index):
    %c = arith.constant 6.0 : f32
    tensor.yield %c : f32
  } : tensor<3x7xf32> to tensor<5x7xf32>
  return %p : tensor<5x7xf32>
}
