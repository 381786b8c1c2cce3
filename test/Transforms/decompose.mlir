// RUN: relayout-opt %s --relayout-decompose | FileCheck %s

// Every chain bufferizes.
// RUN: relayout-opt %s --relayout-decompose --one-shot-bufferize='bufferize-function-boundaries=1 function-boundary-type-conversion=identity-layout-map' | FileCheck %s --check-prefix=BUFFERS --implicit-check-not='tensor<'
// BUFFERS: memref.alloc

// The six-dimensional views: see the table of permutations in Spec.md.

// CHECK-LABEL: @depth_to_space_nhwc_blocks_first(
// CHECK-SAME: %[[X:.*]]: tensor<2x3x5x12xf32>
// CHECK-NEXT: %[[E:.*]] = tensor.expand_shape %[[X]] {{\[}}[0], [1], [2], [3, 4, 5]] output_shape [2, 3, 5, 2, 2, 3] : tensor<2x3x5x12xf32> into tensor<2x3x5x2x2x3xf32>
// CHECK-NEXT: %[[I:.*]] = tensor.empty() : tensor<2x3x2x5x2x3xf32>
// CHECK-NEXT: %[[T:.*]] = linalg.transpose ins(%[[E]] : {{.*}}) outs(%[[I]] : {{.*}}) permutation = [0, 1, 3, 2, 4, 5]
// CHECK-NEXT: %[[R:.*]] = tensor.collapse_shape %[[T]] {{\[}}[0], [1, 2], [3, 4], [5]] : tensor<2x3x2x5x2x3xf32> into tensor<2x6x10x3xf32>
// CHECK-NEXT: return %[[R]]
func.func @depth_to_space_nhwc_blocks_first(%x: tensor<2x3x5x12xf32>) -> tensor<2x6x10x3xf32> {
  %r = relayout.depth_to_space %x block_size [2] mode blocks_first layout NHWC
      : tensor<2x3x5x12xf32> -> tensor<2x6x10x3xf32>
  return %r : tensor<2x6x10x3xf32>
}

// CHECK-LABEL: @depth_to_space_nhwc_depth_first
// CHECK: tensor.expand_shape {{.*}} into tensor<2x3x5x7x2x2xf16>
// CHECK: linalg.transpose {{.*}} outs({{.*}}tensor<2x3x2x5x2x7xf16>) permutation = [0, 1, 4, 2, 5, 3]
// CHECK: tensor.collapse_shape {{.*}} {{\[}}[0], [1, 2], [3, 4], [5]]
func.func @depth_to_space_nhwc_depth_first(%x: tensor<2x3x5x28xf16>) -> tensor<2x6x10x7xf16> {
  %r = relayout.depth_to_space %x block_size [2] mode depth_first layout NHWC
      : tensor<2x3x5x28xf16> -> tensor<2x6x10x7xf16>
  return %r : tensor<2x6x10x7xf16>
}

// CHECK-LABEL: @depth_to_space_nchw_blocks_first
// CHECK: tensor.expand_shape {{.*}} {{\[}}[0], [1, 2, 3], [4], [5]] {{.*}} into tensor<2x2x3x7x5x11xf32>
// CHECK: linalg.transpose {{.*}} outs({{.*}}tensor<2x7x5x2x11x3xf32>) permutation = [0, 3, 4, 1, 5, 2]
// CHECK: tensor.collapse_shape {{.*}} {{\[}}[0], [1], [2, 3], [4, 5]] {{.*}} into tensor<2x7x10x33xf32>
func.func @depth_to_space_nchw_blocks_first(%x: tensor<2x42x5x11xf32>) -> tensor<2x7x10x33xf32> {
  %r = relayout.depth_to_space %x block_size [2, 3] mode blocks_first layout NCHW
      : tensor<2x42x5x11xf32> -> tensor<2x7x10x33xf32>
  return %r : tensor<2x7x10x33xf32>
}

// CHECK-LABEL: @depth_to_space_nchw_depth_first
// CHECK: tensor.expand_shape {{.*}} into tensor<2x7x2x3x5x11xf32>
// CHECK: linalg.transpose {{.*}} permutation = [0, 1, 4, 2, 5, 3]
func.func @depth_to_space_nchw_depth_first(%x: tensor<2x42x5x11xf32>) -> tensor<2x7x10x33xf32> {
  %r = relayout.depth_to_space %x block_size [2, 3] mode depth_first layout NCHW
      : tensor<2x42x5x11xf32> -> tensor<2x7x10x33xf32>
  return %r : tensor<2x7x10x33xf32>
}

// CHECK-LABEL: @depth_to_space_vect_c
// CHECK: tensor.expand_shape {{.*}} into tensor<3x2x2x7x5x11x4xi8>
// CHECK: linalg.transpose {{.*}} outs({{.*}}tensor<3x7x5x2x11x2x4xi8>) permutation = [0, 3, 4, 1, 5, 2, 6]
// CHECK: tensor.collapse_shape {{.*}} {{\[}}[0], [1], [2, 3], [4, 5], [6]]
func.func @depth_to_space_vect_c(%x: tensor<3x28x5x11x4xi8>) -> tensor<3x7x10x22x4xi8> {
  %r = relayout.depth_to_space %x block_size [2] mode blocks_first layout NCHW_VECT_C
      : tensor<3x28x5x11x4xi8> -> tensor<3x7x10x22x4xi8>
  return %r : tensor<3x7x10x22x4xi8>
}

// CHECK-LABEL: @depth_to_space_ncdhw_depth_first
// CHECK: tensor.expand_shape {{.*}} into tensor<2x3x2x2x2x5x7x11xf64>
// CHECK: linalg.transpose {{.*}} permutation = [0, 1, 5, 2, 6, 3, 7, 4]
func.func @depth_to_space_ncdhw_depth_first(%x: tensor<2x24x5x7x11xf64>) -> tensor<2x3x10x14x22xf64> {
  %r = relayout.depth_to_space %x block_size [2] mode depth_first layout NCDHW
      : tensor<2x24x5x7x11xf64> -> tensor<2x3x10x14x22xf64>
  return %r : tensor<2x3x10x14x22xf64>
}

// CHECK-LABEL: @depth_to_space_ncdhw_blocks_first
// CHECK: tensor.expand_shape {{.*}} into tensor<2x2x2x2x3x5x7x11xf64>
// CHECK: linalg.transpose {{.*}} permutation = [0, 4, 5, 1, 6, 2, 7, 3]
func.func @depth_to_space_ncdhw_blocks_first(%x: tensor<2x24x5x7x11xf64>) -> tensor<2x3x10x14x22xf64> {
  %r = relayout.depth_to_space %x block_size [2] mode blocks_first layout NCDHW
      : tensor<2x24x5x7x11xf64> -> tensor<2x3x10x14x22xf64>
  return %r : tensor<2x3x10x14x22xf64>
}

// One pass to another layout.
// CHECK-LABEL: @depth_to_space_nchw_to_nhwc
// CHECK: tensor.expand_shape {{.*}} into tensor<2x2x2x7x5x11xf32>
// CHECK: linalg.transpose {{.*}} permutation = [0, 4, 1, 5, 2, 3]
// CHECK: tensor.collapse_shape {{.*}} {{\[}}[0], [1, 2], [3, 4], [5]] {{.*}} into tensor<2x10x22x7xf32>
func.func @depth_to_space_nchw_to_nhwc(%x: tensor<2x28x5x11xf32>) -> tensor<2x10x22x7xf32> {
  %r = relayout.depth_to_space %x block_size [2] mode blocks_first layout NCHW result_layout NHWC
      : tensor<2x28x5x11xf32> -> tensor<2x10x22x7xf32>
  return %r : tensor<2x10x22x7xf32>
}

// CHECK-LABEL: @space_to_depth_nhwc_blocks_first
// CHECK: tensor.expand_shape {{.*}} {{\[}}[0], [1, 2], [3, 4], [5]] {{.*}} into tensor<2x3x2x5x2x7xbf16>
// CHECK: linalg.transpose {{.*}} outs({{.*}}tensor<2x3x5x2x2x7xbf16>) permutation = [0, 1, 3, 2, 4, 5]
// CHECK: tensor.collapse_shape {{.*}} {{\[}}[0], [1], [2], [3, 4, 5]] {{.*}} into tensor<2x3x5x28xbf16>
func.func @space_to_depth_nhwc_blocks_first(%x: tensor<2x6x10x7xbf16>) -> tensor<2x3x5x28xbf16> {
  %r = relayout.space_to_depth %x block_size [2] mode blocks_first layout NHWC
      : tensor<2x6x10x7xbf16> -> tensor<2x3x5x28xbf16>
  return %r : tensor<2x3x5x28xbf16>
}

// CHECK-LABEL: @space_to_depth_nchw_blocks_first
// CHECK: linalg.transpose {{.*}} permutation = [0, 3, 5, 1, 2, 4]
func.func @space_to_depth_nchw_blocks_first(%x: tensor<2x7x6x10xi1>) -> tensor<2x28x3x5xi1> {
  %r = relayout.space_to_depth %x block_size [2] mode blocks_first layout NCHW
      : tensor<2x7x6x10xi1> -> tensor<2x28x3x5xi1>
  return %r : tensor<2x28x3x5xi1>
}

// CHECK-LABEL: @space_to_depth_nchw_depth_first
// CHECK: linalg.transpose {{.*}} permutation = [0, 1, 3, 5, 2, 4]
func.func @space_to_depth_nchw_depth_first(%x: tensor<2x7x6x10xi1>) -> tensor<2x28x3x5xi1> {
  %r = relayout.space_to_depth %x block_size [2] mode depth_first layout NCHW
      : tensor<2x7x6x10xi1> -> tensor<2x28x3x5xi1>
  return %r : tensor<2x28x3x5xi1>
}

// CHECK-LABEL: @space_to_batch(
// CHECK-SAME: %[[X:.*]]: tensor<3x33x35x7xf32>
// CHECK-NEXT: %[[C:.*]] = arith.constant -1.500000e+00 : f32
// CHECK-NEXT: %[[P:.*]] = tensor.pad %[[X]] low[0, 1, 2, 0] high[0, 0, 3, 0] {
// CHECK:        tensor.yield %[[C]] : f32
// CHECK-NEXT: } : tensor<3x33x35x7xf32> to tensor<3x34x40x7xf32>
// CHECK-NEXT: tensor.expand_shape %[[P]] {{\[}}[0], [1, 2], [3, 4], [5]] output_shape [3, 17, 2, 10, 4, 7]
// CHECK: linalg.transpose {{.*}} outs({{.*}}tensor<2x4x3x17x10x7xf32>) permutation = [2, 4, 0, 1, 3, 5]
// CHECK: tensor.collapse_shape {{.*}} {{\[}}[0, 1, 2], [3], [4], [5]] {{.*}} into tensor<24x17x10x7xf32>
func.func @space_to_batch(%x: tensor<3x33x35x7xf32>) -> tensor<24x17x10x7xf32> {
  %r = relayout.space_to_batch %x block_shape [2, 4] paddings [1:0, 2:3] value -1.5 : f32
      : tensor<3x33x35x7xf32> -> tensor<24x17x10x7xf32>
  return %r : tensor<24x17x10x7xf32>
}

// CHECK-LABEL: @batch_to_space(
// CHECK-SAME: %[[X:.*]]: tensor<24x17x10x7xf32>
// CHECK-NEXT: tensor.expand_shape %[[X]] {{\[}}[0, 1, 2], [3], [4], [5]] output_shape [2, 4, 3, 17, 10, 7]
// CHECK: linalg.transpose {{.*}} outs({{.*}}tensor<3x17x2x10x4x7xf32>) permutation = [2, 3, 0, 4, 1, 5]
// CHECK: %[[M:.*]] = tensor.collapse_shape {{.*}} {{\[}}[0], [1, 2], [3, 4], [5]] {{.*}} into tensor<3x34x40x7xf32>
// CHECK-NEXT: %[[R:.*]] = tensor.extract_slice %[[M]][0, 1, 2, 0] [3, 33, 35, 7] [1, 1, 1, 1] : tensor<3x34x40x7xf32> to tensor<3x33x35x7xf32>
// CHECK-NEXT: return %[[R]]
func.func @batch_to_space(%x: tensor<24x17x10x7xf32>) -> tensor<3x33x35x7xf32> {
  %r = relayout.batch_to_space %x block_shape [2, 4] crops [1:0, 2:3]
      : tensor<24x17x10x7xf32> -> tensor<3x33x35x7xf32>
  return %r : tensor<3x33x35x7xf32>
}

// A negative pad drops, a negative crop adds; the crop of the split dimension
// cannot be a pad.
// CHECK-LABEL: @negative_windows(
// CHECK-SAME: %[[X:.*]]: tensor<5x6x7xi16>
// CHECK-NEXT: %[[P:.*]] = tensor.extract_slice %[[X]][1, 0, 0] [4, 6, 5] [1, 1, 1] : tensor<5x6x7xi16> to tensor<4x6x5xi16>
// CHECK-NEXT: %[[E:.*]] = tensor.expand_shape %[[P]] {{\[}}[0], [1, 2], [3]] output_shape [4, 2, 3, 5]
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[E]] : {{.*}}) {{.*}} permutation = [1, 0, 3, 2]
// CHECK: %[[M:.*]] = tensor.collapse_shape %[[T]] {{\[}}[0], [1, 2], [3]] : tensor<2x4x5x3xi16> into tensor<2x20x3xi16>
// CHECK-NEXT: %[[C:.*]] = arith.constant 9 : i16
// CHECK-NEXT: %[[R:.*]] = tensor.pad %[[M]] low[0, 3, 0] high[0, 2, 0] {
// CHECK:        tensor.yield %[[C]] : i16
// CHECK-NEXT: } : tensor<2x20x3xi16> to tensor<2x25x3xi16>
// CHECK-NEXT: return %[[R]]
func.func @negative_windows(%x: tensor<5x6x7xi16>) -> tensor<2x25x3xi16> {
  %r = relayout.rearrange %x "a (b c) d -> b (a d) c" sizes {b = 2} pad [-1:0, 0:0, 0:-2]
      crop [0:0, -3:-2, 0:0] value 9 : i16 : tensor<5x6x7xi16> -> tensor<2x25x3xi16>
  return %r : tensor<2x25x3xi16>
}

// More is dropped at one end than there is: the pad at the other end comes first.
// CHECK-LABEL: @pad_of_both_signs(
// CHECK-SAME: %[[X:.*]]: tensor<3x2xi32>
// CHECK: %[[P:.*]] = tensor.pad %[[X]] low[0, 0] high[7, 0]
// CHECK: } : tensor<3x2xi32> to tensor<10x2xi32>
// CHECK-NEXT: %[[S:.*]] = tensor.extract_slice %[[P]][5, 0] [5, 2] [1, 1] : tensor<10x2xi32> to tensor<5x2xi32>
// CHECK: linalg.transpose ins(%[[S]] : {{.*}}
func.func @pad_of_both_signs(%x: tensor<3x2xi32>) -> tensor<2x5xi32> {
  %r = relayout.rearrange %x "a b -> b a" pad [-5:7, 0:0] : tensor<3x2xi32> -> tensor<2x5xi32>
  return %r : tensor<2x5xi32>
}

// Fill values of types that arith.constant does not take.
// CHECK-LABEL: @fill_unsigned
// CHECK: %[[T:.*]] = arith.constant dense<200> : tensor<ui8>
// CHECK-NEXT: %[[C:.*]] = tensor.extract %[[T]][] : tensor<ui8>
// CHECK: tensor.pad
// CHECK: tensor.yield %[[C]] : ui8
func.func @fill_unsigned(%x: tensor<3x5xui8>) -> tensor<6x3xui8> {
  %r = relayout.rearrange %x "h w -> w h" pad [0:0, 1:0] value 200 : ui8 : tensor<3x5xui8> -> tensor<6x3xui8>
  return %r : tensor<6x3xui8>
}

// CHECK-LABEL: @fill_unsigned_zero
// CHECK: arith.constant dense<0> : tensor<ui64>
func.func @fill_unsigned_zero(%x: tensor<3x5xui64>) -> tensor<6x3xui64> {
  %r = relayout.rearrange %x "h w -> w h" pad [0:0, 1:0] : tensor<3x5xui64> -> tensor<6x3xui64>
  return %r : tensor<6x3xui64>
}

// CHECK-LABEL: @fill_complex
// CHECK: %[[C:.*]] = complex.constant [1.500000e+00 : f32, -2.000000e+00 : f32] : complex<f32>
// CHECK: tensor.yield %[[C]] : complex<f32>
func.func @fill_complex(%x: tensor<3x5xcomplex<f32>>) -> tensor<6x3xcomplex<f32>> {
  %r = relayout.rearrange %x "h w -> w h" pad [0:0, 1:0] value #complex.number<:f32 1.5, -2.0> : complex<f32>
      : tensor<3x5xcomplex<f32>> -> tensor<6x3xcomplex<f32>>
  return %r : tensor<6x3xcomplex<f32>>
}

// CHECK-LABEL: @fill_complex_zero
// CHECK: complex.constant [0.000000e+00, 0.000000e+00] : complex<f64>
func.func @fill_complex_zero(%x: tensor<3x5xcomplex<f64>>) -> tensor<6x3xcomplex<f64>> {
  %r = relayout.rearrange %x "h w -> w h" pad [0:0, 1:0] : tensor<3x5xcomplex<f64>> -> tensor<6x3xcomplex<f64>>
  return %r : tensor<6x3xcomplex<f64>>
}

// CHECK-LABEL: @fill_bool
// CHECK: %[[C:.*]] = arith.constant true
// CHECK: tensor.yield %[[C]] : i1
func.func @fill_bool(%x: tensor<3x5xi1>) -> tensor<6x3xi1> {
  %r = relayout.rearrange %x "h w -> w h" pad [0:0, 1:0] value true : tensor<3x5xi1> -> tensor<6x3xi1>
  return %r : tensor<6x3xi1>
}

// CHECK-LABEL: @fill_float8
// CHECK: arith.constant 5.000000e-01 : f8E4M3FN
func.func @fill_float8(%x: tensor<3x5xf8E4M3FN>) -> tensor<6x3xf8E4M3FN> {
  %r = relayout.rearrange %x "h w -> w h" pad [0:0, 1:0] value 0.5 : f8E4M3FN : tensor<3x5xf8E4M3FN> -> tensor<6x3xf8E4M3FN>
  return %r : tensor<6x3xf8E4M3FN>
}

// What does nothing is left out.
// CHECK-LABEL: @block_of_one(
// CHECK-SAME: %[[X:.*]]: tensor<2x3x5x7xf32>
// CHECK-NEXT: return %[[X]]
func.func @block_of_one(%x: tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32> {
  %r = relayout.depth_to_space %x block_size [1] mode blocks_first layout NHWC
      : tensor<2x3x5x7xf32> -> tensor<2x3x5x7xf32>
  return %r : tensor<2x3x5x7xf32>
}

// CHECK-LABEL: @pad_alone(
// CHECK-SAME: %[[X:.*]]: tensor<2x3x5xf32>
// CHECK: %[[P:.*]] = tensor.pad %[[X]] low[0, 1, 0] high[0, 2, 0]
// CHECK: } : tensor<2x3x5xf32> to tensor<2x6x5xf32>
// CHECK-NEXT: return %[[P]]
func.func @pad_alone(%x: tensor<2x3x5xf32>) -> tensor<2x6x5xf32> {
  %r = relayout.space_to_batch %x block_shape [1] paddings [1:2] : tensor<2x3x5xf32> -> tensor<2x6x5xf32>
  return %r : tensor<2x6x5xf32>
}

// CHECK-LABEL: @transpose_alone(
// CHECK-SAME: %[[X:.*]]: tensor<2x3x5xf32>
// CHECK-NEXT: %[[I:.*]] = tensor.empty() : tensor<5x2x3xf32>
// CHECK-NEXT: %[[T:.*]] = linalg.transpose ins(%[[X]] : tensor<2x3x5xf32>) outs(%[[I]] : tensor<5x2x3xf32>) permutation = [2, 0, 1]
// CHECK-NEXT: return %[[T]]
func.func @transpose_alone(%x: tensor<2x3x5xf32>) -> tensor<5x2x3xf32> {
  %r = relayout.rearrange %x "a b c -> c a b" : tensor<2x3x5xf32> -> tensor<5x2x3xf32>
  return %r : tensor<5x2x3xf32>
}

// A digit of extent 1 changes its place for nothing.
// CHECK-LABEL: @reshape_alone(
// CHECK-SAME: %[[X:.*]]: tensor<2x1x35xf32>
// CHECK-NOT: linalg.transpose
// CHECK: return {{.*}} : tensor<1x10x7xf32>
func.func @reshape_alone(%x: tensor<2x1x35xf32>) -> tensor<1x10x7xf32> {
  %r = relayout.rearrange %x "a u (b c) -> u (a b) c" sizes {b = 5} : tensor<2x1x35xf32> -> tensor<1x10x7xf32>
  return %r : tensor<1x10x7xf32>
}

// Dimensions of extent 1 that only one side has.
// CHECK-LABEL: @unit_dimensions(
// CHECK-SAME: %[[X:.*]]: tensor<1x3x1x5xf32>
// CHECK: linalg.transpose
// CHECK: return {{.*}} : tensor<5x1x1x3x1xf32>
func.func @unit_dimensions(%x: tensor<1x3x1x5xf32>) -> tensor<5x1x1x3x1xf32> {
  %r = relayout.rearrange %x "1 a 1 b -> b 1 1 a 1" : tensor<1x3x1x5xf32> -> tensor<5x1x1x3x1xf32>
  return %r : tensor<5x1x1x3x1xf32>
}

// CHECK-LABEL: @from_rank_0(
// CHECK-SAME: %[[X:.*]]: tensor<f32>
// CHECK-NEXT: %[[R:.*]] = tensor.expand_shape %[[X]] [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
// CHECK-NEXT: return %[[R]]
func.func @from_rank_0(%x: tensor<f32>) -> tensor<1x1xf32> {
  %r = relayout.rearrange %x " -> 1 1" : tensor<f32> -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// CHECK-LABEL: @to_rank_0(
// CHECK-SAME: %[[X:.*]]: tensor<1x1xf32>
// CHECK-NEXT: %[[R:.*]] = tensor.collapse_shape %[[X]] [] : tensor<1x1xf32> into tensor<f32>
// CHECK-NEXT: return %[[R]]
func.func @to_rank_0(%x: tensor<1x1xf32>) -> tensor<f32> {
  %r = relayout.rearrange %x "1 1 -> " : tensor<1x1xf32> -> tensor<f32>
  return %r : tensor<f32>
}

// CHECK-LABEL: @no_elements
// CHECK: tensor.expand_shape {{.*}} into tensor<0x3x5x2x2x3xf32>
// CHECK: linalg.transpose
// CHECK: tensor.collapse_shape {{.*}} into tensor<0x6x10x3xf32>
func.func @no_elements(%x: tensor<0x3x5x12xf32>) -> tensor<0x6x10x3xf32> {
  %r = relayout.depth_to_space %x block_size [2] mode blocks_first layout NHWC
      : tensor<0x3x5x12xf32> -> tensor<0x6x10x3xf32>
  return %r : tensor<0x6x10x3xf32>
}

// CHECK-LABEL: @transpose_into_dest(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2x3xf32>, %[[D:[^:]*]]: tensor<3x2xf32>
// CHECK-NEXT: %[[T:.*]] = linalg.transpose ins(%[[X]] : {{.*}}) outs(%[[D]] : {{.*}}) permutation = [1, 0]
// CHECK-NEXT: return %[[T]]
func.func @transpose_into_dest(%x: tensor<2x3xf32>, %d: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %r = relayout.rearrange %x into %d "a b -> b a" : tensor<2x3xf32>, tensor<3x2xf32> -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}

// CHECK-LABEL: @chain_into_dest(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2x3x5x12xui8>, %[[D:[^:]*]]: tensor<2x6x10x3xui8>
// CHECK: %[[M:.*]] = tensor.collapse_shape
// CHECK-NEXT: %[[C:.*]] = linalg.copy ins(%[[M]] : {{.*}}) outs(%[[D]] : {{.*}})
// CHECK-NEXT: return %[[C]]
func.func @chain_into_dest(%x: tensor<2x3x5x12xui8>, %d: tensor<2x6x10x3xui8>) -> tensor<2x6x10x3xui8> {
  %r = relayout.depth_to_space %x into %d block_size [2] mode blocks_first layout NHWC
      : tensor<2x3x5x12xui8>, tensor<2x6x10x3xui8> -> tensor<2x6x10x3xui8>
  return %r : tensor<2x6x10x3xui8>
}

// What a crop leaves is copied: the transpose makes more.
// CHECK-LABEL: @crop_into_dest(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2x5xf32>, %[[D:[^:]*]]: tensor<4x2xf32>
// CHECK: %[[T:.*]] = linalg.transpose
// CHECK-NEXT: %[[S:.*]] = tensor.extract_slice %[[T]]
// CHECK-NEXT: %[[C:.*]] = linalg.copy ins(%[[S]] : {{.*}}) outs(%[[D]] : {{.*}})
// CHECK-NEXT: return %[[C]]
func.func @crop_into_dest(%x: tensor<2x5xf32>, %d: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %r = relayout.rearrange %x into %d "a b -> b a" crop [0:1, 0:0]
      : tensor<2x5xf32>, tensor<4x2xf32> -> tensor<4x2xf32>
  return %r : tensor<4x2xf32>
}

// CHECK-LABEL: @on_memrefs
// CHECK-NEXT: relayout.depth_to_space
func.func @on_memrefs(%x: memref<2x3x5x12xf32>, %d: memref<2x6x10x3xf32>) {
  relayout.depth_to_space %x into %d block_size [2] mode blocks_first layout NHWC
      : memref<2x3x5x12xf32>, memref<2x6x10x3xf32>
  return
}
