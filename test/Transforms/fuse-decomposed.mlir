// The two ways from named operations to rearrangements end in the same text. (Where
// no element moves, windows have no canonical place; the unit tests compare the maps.)

// RUN: relayout-opt %s --relayout-decompose --relayout-fuse -o %t.chain
// RUN: relayout-opt %s --relayout-generalize --relayout-fuse -o %t.direct
// RUN: diff %t.chain %t.direct
// RUN: relayout-opt %s --relayout-decompose --relayout-fuse=all -o %t.chain
// RUN: relayout-opt %s --relayout-generalize --relayout-fuse=all -o %t.direct
// RUN: diff %t.chain %t.direct
// RUN: FileCheck %s --input-file=%t.chain

// With `all` nothing of the chains is left.
// CHECK-NOT: tensor.
// CHECK-NOT: linalg.

func.func @depth_to_space_ncdhw(%x: tensor<2x60x3x7x4xui16>) -> tensor<2x5x6x14x12xui16> {
  %r = relayout.depth_to_space %x block_size [2, 2, 3] mode blocks_first layout NCDHW
      : tensor<2x60x3x7x4xui16> -> tensor<2x5x6x14x12xui16>
  return %r : tensor<2x5x6x14x12xui16>
}

func.func @depth_to_space_nwc(%x: tensor<2x7x12xi64>) -> tensor<2x21x4xi64> {
  %r = relayout.depth_to_space %x block_size [3] mode depth_first layout NWC : tensor<2x7x12xi64> -> tensor<2x21x4xi64>
  return %r : tensor<2x21x4xi64>
}

func.func @depth_to_space_other_layout(%x: tensor<2x12x3x5xcomplex<f64>>) -> tensor<2x6x10x3xcomplex<f64>> {
  %r = relayout.depth_to_space %x block_size [2] mode depth_first layout NCHW result_layout NHWC
      : tensor<2x12x3x5xcomplex<f64>> -> tensor<2x6x10x3xcomplex<f64>>
  return %r : tensor<2x6x10x3xcomplex<f64>>
}

func.func @depth_to_space_units(%x: tensor<1x4x1x1xf32>) -> tensor<1x1x2x2xf32> {
  %r = relayout.depth_to_space %x block_size [2] mode depth_first layout NCHW : tensor<1x4x1x1xf32> -> tensor<1x1x2x2xf32>
  return %r : tensor<1x1x2x2xf32>
}

func.func @space_to_depth_vect_c(%x: tensor<3x7x10x22x4xi8>) -> tensor<3x28x5x11x4xi8> {
  %r = relayout.space_to_depth %x block_size [2] mode blocks_first layout NCHW_VECT_C
      : tensor<3x7x10x22x4xi8> -> tensor<3x28x5x11x4xi8>
  return %r : tensor<3x28x5x11x4xi8>
}

func.func @space_to_depth_nchw(%x: tensor<2x3x6x10xf8E5M2>) -> tensor<2x12x3x5xf8E5M2> {
  %r = relayout.space_to_depth %x block_size [2] mode depth_first layout NCHW
      : tensor<2x3x6x10xf8E5M2> -> tensor<2x12x3x5xf8E5M2>
  return %r : tensor<2x12x3x5xf8E5M2>
}

func.func @space_to_batch(%x: tensor<3x33x35x7xui8>) -> tensor<24x17x10x7xui8> {
  %r = relayout.space_to_batch %x block_shape [2, 4] paddings [1:0, 2:3] value 255 : ui8
      : tensor<3x33x35x7xui8> -> tensor<24x17x10x7xui8>
  return %r : tensor<24x17x10x7xui8>
}

func.func @space_to_batch_one_block(%x: tensor<3x33x35xcomplex<f32>>) -> tensor<3x34x40xcomplex<f32>> {
  %r = relayout.space_to_batch %x block_shape [1, 1] paddings [1:0, 2:3] value #complex.number<:f32 1.0, -0.0> : complex<f32>
      : tensor<3x33x35xcomplex<f32>> -> tensor<3x34x40xcomplex<f32>>
  return %r : tensor<3x34x40xcomplex<f32>>
}

func.func @batch_to_space(%x: tensor<24x17x10x7xi1>) -> tensor<3x33x35x7xi1> {
  %r = relayout.batch_to_space %x block_shape [2, 4] crops [1:0, 2:3] : tensor<24x17x10x7xi1> -> tensor<3x33x35x7xi1>
  return %r : tensor<3x33x35x7xi1>
}

func.func @rearrange_windows(%x: tensor<5x6x7xi16>) -> tensor<2x25x3xi16> {
  %r = relayout.rearrange %x "a (b c) d -> b (a d) c" sizes {b = 2} pad [-1:0, 0:0, 0:-2]
      crop [0:0, -3:-2, 0:0] value 9 : i16 : tensor<5x6x7xi16> -> tensor<2x25x3xi16>
  return %r : tensor<2x25x3xi16>
}

func.func @rearrange_both_signs(%x: tensor<5x6xf64>) -> tensor<6x7xf64> {
  %r = relayout.rearrange %x "a b -> b a" pad [-2:4, 3:-1] crop [1:1, -3:3] value 0.25 : f64 : tensor<5x6xf64> -> tensor<6x7xf64>
  return %r : tensor<6x7xf64>
}

func.func @rearrange_ranks(%x: tensor<1x6x1x5xbf16>) -> tensor<5x1x2x1x3xbf16> {
  %r = relayout.rearrange %x "1 (a b) 1 c -> c 1 a 1 b" sizes {a = 2} : tensor<1x6x1x5xbf16> -> tensor<5x1x2x1x3xbf16>
  return %r : tensor<5x1x2x1x3xbf16>
}

func.func @rearrange_dest(%x: tensor<6x5xf16>, %d: tensor<2x15xf16>) -> tensor<2x15xf16> {
  %r = relayout.rearrange %x into %d "(a b) c -> a (c b)" sizes {a = 2} : tensor<6x5xf16>, tensor<2x15xf16> -> tensor<2x15xf16>
  return %r : tensor<2x15xf16>
}

func.func @rearrange_copy_to_dest(%x: tensor<6x5xf16>, %d: tensor<6x5xf16>) -> tensor<6x5xf16> {
  %r = relayout.rearrange %x into %d "a b -> a b" : tensor<6x5xf16>, tensor<6x5xf16> -> tensor<6x5xf16>
  return %r : tensor<6x5xf16>
}

func.func @two_in_a_row(%x: tensor<2x3x5x12xf32>) -> tensor<4x3x5x3xf32> {
  %a = relayout.depth_to_space %x block_size [2] mode blocks_first layout NHWC : tensor<2x3x5x12xf32> -> tensor<2x6x10x3xf32>
  %b = relayout.space_to_batch %a block_shape [2, 2] : tensor<2x6x10x3xf32> -> tensor<8x3x5x3xf32>
  %c = relayout.rearrange %b "b h w c -> b h w c" pad [-4:0, 0:0, 0:0, 0:0] : tensor<8x3x5x3xf32> -> tensor<4x3x5x3xf32>
  return %c : tensor<4x3x5x3xf32>
}
