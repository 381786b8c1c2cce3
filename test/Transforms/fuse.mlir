// RUN: relayout-opt %s --relayout-fuse | FileCheck %s
// RUN: relayout-opt %s --relayout-fuse=all | FileCheck %s --check-prefix=ALL
// Fusing again changes nothing.
// RUN: relayout-opt %s --relayout-fuse -o %t.once
// RUN: relayout-opt %t.once --relayout-fuse | diff - %t.once

// CHECK-LABEL: @chain(
// CHECK-SAME: %[[X:.*]]: tensor<2x3x5x12xf32>
// CHECK-NEXT: %[[R:.*]] = relayout.rearrange %[[X]] "d0 d1 d2 (d3 d4 d5) -> d0 (d1 d3) (d2 d4) d5" sizes {d3 = 2, d4 = 2, d5 = 3} : tensor<2x3x5x12xf32> -> tensor<2x6x10x3xf32>
// CHECK-NEXT: return %[[R]]
func.func @chain(%x: tensor<2x3x5x12xf32>) -> tensor<2x6x10x3xf32> {
  %e = tensor.expand_shape %x [[0], [1], [2], [3, 4, 5]] output_shape [2, 3, 5, 2, 2, 3]
      : tensor<2x3x5x12xf32> into tensor<2x3x5x2x2x3xf32>
  %i = tensor.empty() : tensor<2x3x2x5x2x3xf32>
  %t = linalg.transpose ins(%e : tensor<2x3x5x2x2x3xf32>)
      outs(%i : tensor<2x3x2x5x2x3xf32>) permutation = [0, 1, 3, 2, 4, 5]
  %r = tensor.collapse_shape %t [[0], [1, 2], [3, 4], [5]]
      : tensor<2x3x2x5x2x3xf32> into tensor<2x6x10x3xf32>
  return %r : tensor<2x6x10x3xf32>
}

// Named operations and a transpose to another layout: one movement.
// CHECK-LABEL: @layout_change_behind(
// CHECK-NEXT: %[[R:.*]] = relayout.rearrange %{{.*}} "d0 d1 d2 (d3 d4 d5) -> d0 d5 (d1 d3) (d2 d4)" sizes {d3 = 2, d4 = 2, d5 = 3} : tensor<2x3x5x12xf32> -> tensor<2x3x6x10xf32>
// CHECK-NEXT: return %[[R]]
func.func @layout_change_behind(%x: tensor<2x3x5x12xf32>) -> tensor<2x3x6x10xf32> {
  %d = relayout.depth_to_space %x block_size [2] mode blocks_first layout NHWC
      : tensor<2x3x5x12xf32> -> tensor<2x6x10x3xf32>
  %i = tensor.empty() : tensor<2x3x6x10xf32>
  %t = linalg.transpose ins(%d : tensor<2x6x10x3xf32>) outs(%i : tensor<2x3x6x10xf32>) permutation = [0, 3, 1, 2]
  return %t : tensor<2x3x6x10xf32>
}

// A lone named operation and a lone transpose are chains too.
// CHECK-LABEL: @lone(
// CHECK: relayout.rearrange %{{.*}} "d0 (d1 d2) -> (d2 d0) d1" sizes {d1 = 3, d2 = 2}
// CHECK: relayout.rearrange %{{.*}} "d0 d1 d2 -> d1 d2 d0"
func.func @lone(%x: tensor<5x6xf32>, %y: tensor<2x3x5xf32>) -> (tensor<10x3xf32>, tensor<3x5x2xf32>) {
  %a = relayout.space_to_batch %x block_shape [2] : tensor<5x6xf32> -> tensor<10x3xf32>
  %i = tensor.empty() : tensor<3x5x2xf32>
  %b = linalg.transpose ins(%y : tensor<2x3x5xf32>) outs(%i : tensor<3x5x2xf32>) permutation = [1, 2, 0]
  return %a, %b : tensor<10x3xf32>, tensor<3x5x2xf32>
}

// CHECK-LABEL: @round_trip_depth(
// CHECK-SAME: %[[X:.*]]: tensor<2x3x5x12xf32>
// CHECK-NEXT: return %[[X]]
func.func @round_trip_depth(%x: tensor<2x3x5x12xf32>) -> tensor<2x3x5x12xf32> {
  %d = relayout.depth_to_space %x block_size [2] mode blocks_first layout NHWC
      : tensor<2x3x5x12xf32> -> tensor<2x6x10x3xf32>
  %r = relayout.space_to_depth %d block_size [2] mode blocks_first layout NHWC
      : tensor<2x6x10x3xf32> -> tensor<2x3x5x12xf32>
  return %r : tensor<2x3x5x12xf32>
}

// The other order of the digits is no round trip: a channel shuffle remains.
// CHECK-LABEL: @mixed_modes(
// CHECK-NEXT: relayout.rearrange %{{.*}} "d0 d1 d2 (d3 d4) -> d0 d1 d2 (d4 d3)" sizes {d3 = 4, d4 = 3}
func.func @mixed_modes(%x: tensor<2x3x5x12xf32>) -> tensor<2x3x5x12xf32> {
  %d = relayout.depth_to_space %x block_size [2] mode blocks_first layout NHWC
      : tensor<2x3x5x12xf32> -> tensor<2x6x10x3xf32>
  %r = relayout.space_to_depth %d block_size [2] mode depth_first layout NHWC
      : tensor<2x6x10x3xf32> -> tensor<2x3x5x12xf32>
  return %r : tensor<2x3x5x12xf32>
}

// The crop takes off what the pad has put on.
// CHECK-LABEL: @round_trip_batch(
// CHECK-SAME: %[[X:.*]]: tensor<3x33x35x7xf32>
// CHECK-NEXT: return %[[X]]
func.func @round_trip_batch(%x: tensor<3x33x35x7xf32>) -> tensor<3x33x35x7xf32> {
  %b = relayout.space_to_batch %x block_shape [2, 4] paddings [1:0, 2:3] value -1.5 : f32
      : tensor<3x33x35x7xf32> -> tensor<24x17x10x7xf32>
  %r = relayout.batch_to_space %b block_shape [2, 4] crops [1:0, 2:3]
      : tensor<24x17x10x7xf32> -> tensor<3x33x35x7xf32>
  return %r : tensor<3x33x35x7xf32>
}

// The other way round the crop drops elements for good.
// CHECK-LABEL: @no_round_trip_batch(
// CHECK: relayout.rearrange
// CHECK: relayout.rearrange
func.func @no_round_trip_batch(%x: tensor<24x17x10x7xf32>) -> tensor<24x17x10x7xf32> {
  %b = relayout.batch_to_space %x block_shape [2, 4] crops [1:0, 2:3]
      : tensor<24x17x10x7xf32> -> tensor<3x33x35x7xf32>
  %r = relayout.space_to_batch %b block_shape [2, 4] paddings [1:0, 2:3]
      : tensor<3x33x35x7xf32> -> tensor<24x17x10x7xf32>
  return %r : tensor<24x17x10x7xf32>
}

// The reshapes between cancel although each splits 12 in its own way.
// CHECK-LABEL: @round_trip_behind_unlike_digits(
// CHECK-SAME: %[[X:.*]]: tensor<4x3xf32>
// CHECK-NEXT: return %[[X]]
func.func @round_trip_behind_unlike_digits(%x: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %i = tensor.empty() : tensor<3x4xf32>
  %t = linalg.transpose ins(%x : tensor<4x3xf32>) outs(%i : tensor<3x4xf32>) permutation = [1, 0]
  %c = tensor.collapse_shape %t [[0, 1]] : tensor<3x4xf32> into tensor<12xf32>
  %e = tensor.expand_shape %c [[0, 1]] output_shape [4, 3] : tensor<12xf32> into tensor<4x3xf32>
  %d = tensor.collapse_shape %e [[0, 1]] : tensor<4x3xf32> into tensor<12xf32>
  %f = tensor.expand_shape %d [[0, 1]] output_shape [3, 4] : tensor<12xf32> into tensor<3x4xf32>
  %j = tensor.empty() : tensor<4x3xf32>
  %u = linalg.transpose ins(%f : tensor<3x4xf32>) outs(%j : tensor<4x3xf32>) permutation = [1, 0]
  return %u : tensor<4x3xf32>
}

// No common refinement of (3 4) and (4 3): two movements.
// CHECK-LABEL: @unlike_digits(
// CHECK-NEXT: %[[A:.*]] = relayout.rearrange %{{.*}} "d0 d1 -> (d1 d0)" : tensor<4x3xf32> -> tensor<12xf32>
// CHECK-NEXT: %[[B:.*]] = relayout.rearrange %[[A]] "(d0 d1) -> d1 d0" sizes {d0 = 4, d1 = 3} : tensor<12xf32> -> tensor<3x4xf32>
// CHECK-NEXT: return %[[B]]
func.func @unlike_digits(%x: tensor<4x3xf32>) -> tensor<3x4xf32> {
  %i = tensor.empty() : tensor<3x4xf32>
  %t = linalg.transpose ins(%x : tensor<4x3xf32>) outs(%i : tensor<3x4xf32>) permutation = [1, 0]
  %c = tensor.collapse_shape %t [[0, 1]] : tensor<3x4xf32> into tensor<12xf32>
  %e = tensor.expand_shape %c [[0, 1]] output_shape [4, 3] : tensor<12xf32> into tensor<4x3xf32>
  %u = linalg.transpose ins(%e : tensor<4x3xf32>) outs(%i : tensor<3x4xf32>) permutation = [1, 0]
  return %u : tensor<3x4xf32>
}

// Pads of one value meet, on both sides of a transpose.
// CHECK-LABEL: @pads_of_one_value(
// CHECK-NEXT: %[[R:.*]] = relayout.rearrange %{{.*}} "d0 d1 -> d1 d0" pad [0:4, 1:2] value 2.000000e+00 : f32 : tensor<3x5xf32> -> tensor<8x7xf32>
// CHECK-NEXT: return %[[R]]
func.func @pads_of_one_value(%x: tensor<3x5xf32>) -> tensor<8x7xf32> {
  %c = arith.constant 2.0 : f32
  %p = tensor.pad %x low[0, 1] high[0, 2] {
  ^bb0(%a: index, %b: index):
    tensor.yield %c : f32
  } : tensor<3x5xf32> to tensor<3x8xf32>
  %i = tensor.empty() : tensor<8x3xf32>
  %t = linalg.transpose ins(%p : tensor<3x8xf32>) outs(%i : tensor<8x3xf32>) permutation = [1, 0]
  %q = tensor.pad %t low[0, 0] high[0, 4] {
  ^bb0(%a: index, %b: index):
    %d = arith.constant 2.0 : f32
    tensor.yield %d : f32
  } : tensor<8x3xf32> to tensor<8x7xf32>
  return %q : tensor<8x7xf32>
}

// 0 and -0 are two values.
// CHECK-LABEL: @pads_of_two_values(
// CHECK: %[[A:.*]] = relayout.rearrange %{{.*}} "d0 d1 -> d1 d0" pad [0:0, 1:2] : tensor<3x5xf32> -> tensor<8x3xf32>
// CHECK-NEXT: tensor.pad %[[A]]
func.func @pads_of_two_values(%x: tensor<3x5xf32>) -> tensor<8x7xf32> {
  %c = arith.constant 0.0 : f32
  %d = arith.constant -0.0 : f32
  %p = tensor.pad %x low[0, 1] high[0, 2] {
  ^bb0(%a: index, %b: index):
    tensor.yield %c : f32
  } : tensor<3x5xf32> to tensor<3x8xf32>
  %i = tensor.empty() : tensor<8x3xf32>
  %t = linalg.transpose ins(%p : tensor<3x8xf32>) outs(%i : tensor<8x3xf32>) permutation = [1, 0]
  %q = tensor.pad %t low[0, 0] high[0, 4] {
  ^bb0(%a: index, %b: index):
    tensor.yield %d : f32
  } : tensor<8x3xf32> to tensor<8x7xf32>
  return %q : tensor<8x7xf32>
}

// What the first pad has put on is cropped, so the values do not meet.
// CHECK-LABEL: @pad_cropped_away(
// CHECK: relayout.rearrange %{{.*}} "d0 d1 -> d1 d0" pad [0:4, 0:0] value 3.000000e+00 : f32 : tensor<3x5xf32> -> tensor<5x7xf32>
func.func @pad_cropped_away(%x: tensor<3x5xf32>) -> tensor<5x7xf32> {
  %c = arith.constant 2.0 : f32
  %d = arith.constant 3.0 : f32
  %p = tensor.pad %x low[0, 1] high[0, 2] {
  ^bb0(%a: index, %b: index):
    tensor.yield %c : f32
  } : tensor<3x5xf32> to tensor<3x8xf32>
  %s = tensor.extract_slice %p[0, 1] [3, 5] [1, 1] : tensor<3x8xf32> to tensor<3x5xf32>
  %i = tensor.empty() : tensor<5x3xf32>
  %t = linalg.transpose ins(%s : tensor<3x5xf32>) outs(%i : tensor<5x3xf32>) permutation = [1, 0]
  %q = tensor.pad %t low[0, 0] high[0, 4] {
  ^bb0(%a: index, %b: index):
    tensor.yield %d : f32
  } : tensor<5x3xf32> to tensor<5x7xf32>
  return %q : tensor<5x7xf32>
}

// A slice that drops a dimension, and one behind the transpose.
// CHECK-LABEL: @slices(
// CHECK-NEXT: %[[R:.*]] = relayout.rearrange %{{.*}} "1 d0 d1 -> d1 d0" pad [-2:-1, -1:-2, 0:-4] : tensor<4x8x9xf32> -> tensor<5x5xf32>
// CHECK-NEXT: return %[[R]]
func.func @slices(%x: tensor<4x8x9xf32>) -> tensor<5x5xf32> {
  %s = tensor.extract_slice %x[2, 1, 0] [1, 5, 9] [1, 1, 1] : tensor<4x8x9xf32> to tensor<5x9xf32>
  %i = tensor.empty() : tensor<9x5xf32>
  %t = linalg.transpose ins(%s : tensor<5x9xf32>) outs(%i : tensor<9x5xf32>) permutation = [1, 0]
  %u = tensor.extract_slice %t[0, 0] [5, 5] [1, 1] : tensor<9x5xf32> to tensor<5x5xf32>
  return %u : tensor<5x5xf32>
}

// A slice with strides is no rearrangement.
// CHECK-LABEL: @strided_slice(
// CHECK-NEXT: %[[S:.*]] = tensor.extract_slice %{{.*}}[0, 0] [4, 9] [2, 1]
// CHECK-NEXT: relayout.rearrange %[[S]] "d0 d1 -> d1 d0" : tensor<4x9xf32> -> tensor<9x4xf32>
func.func @strided_slice(%x: tensor<8x9xf32>) -> tensor<9x4xf32> {
  %s = tensor.extract_slice %x[0, 0] [4, 9] [2, 1] : tensor<8x9xf32> to tensor<4x9xf32>
  %i = tensor.empty() : tensor<9x4xf32>
  %t = linalg.transpose ins(%s : tensor<4x9xf32>) outs(%i : tensor<9x4xf32>) permutation = [1, 0]
  return %t : tensor<9x4xf32>
}

// Insertion into a tensor of one value is a pad.
// CHECK-LABEL: @insert_slice(
// CHECK-NEXT: %[[R:.*]] = relayout.rearrange %{{.*}} "d0 d1 -> 1 d1 d0"
// CHECK-SAME: value 4.000000e+00 : f32 : tensor<3x5xf32> -> tensor<2x9x7xf32>
// CHECK-NEXT: return %[[R]]
func.func @insert_slice(%x: tensor<3x5xf32>) -> tensor<2x9x7xf32> {
  %i = tensor.empty() : tensor<5x3xf32>
  %t = linalg.transpose ins(%x : tensor<3x5xf32>) outs(%i : tensor<5x3xf32>) permutation = [1, 0]
  %c = arith.constant 4.0 : f32
  %e = tensor.empty() : tensor<2x9x7xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<2x9x7xf32>) -> tensor<2x9x7xf32>
  %r = tensor.insert_slice %t into %f[1, 3, 2] [1, 5, 3] [1, 1, 1] : tensor<5x3xf32> into tensor<2x9x7xf32>
  return %r : tensor<2x9x7xf32>
}

// Into a constant of an unsigned type, and into a tensor that is not of one value.
// CHECK-LABEL: @insert_slice_constant(
// CHECK: relayout.rearrange %{{.*}} "d0 d1 -> d1 d0" pad [2:2, 3:1] value 7 : ui8 : tensor<3x5xui8> -> tensor<9x7xui8>
// CHECK: %[[T:.*]] = relayout.rearrange %{{.*}} "d0 d1 -> d1 d0" : tensor<3x5xui8> -> tensor<5x3xui8>
// CHECK-NEXT: tensor.insert_slice %[[T]] into
func.func @insert_slice_constant(%x: tensor<3x5xui8>, %y: tensor<9x7xui8>) -> (tensor<9x7xui8>, tensor<9x7xui8>) {
  %i = tensor.empty() : tensor<5x3xui8>
  %t = linalg.transpose ins(%x : tensor<3x5xui8>) outs(%i : tensor<5x3xui8>) permutation = [1, 0]
  %f = arith.constant dense<7> : tensor<9x7xui8>
  %r = tensor.insert_slice %t into %f[3, 2] [5, 3] [1, 1] : tensor<5x3xui8> into tensor<9x7xui8>
  %u = linalg.transpose ins(%x : tensor<3x5xui8>) outs(%i : tensor<5x3xui8>) permutation = [1, 0]
  %s = tensor.insert_slice %u into %y[3, 2] [5, 3] [1, 1] : tensor<5x3xui8> into tensor<9x7xui8>
  return %r, %s : tensor<9x7xui8>, tensor<9x7xui8>
}

// What permutes nothing stays as it is, unless all is to become a kernel.
// CHECK-LABEL: @pad_alone(
// CHECK: tensor.pad
// CHECK-NOT: relayout.rearrange
// ALL-LABEL: @pad_alone(
// ALL: relayout.rearrange %{{.*}} "d0 d1 -> d0 d1" pad [1:0, 0:2] value 2 : i8 : tensor<3x5xi8> -> tensor<4x7xi8>
// ALL-NOT: tensor.pad
func.func @pad_alone(%x: tensor<3x5xi8>) -> tensor<4x7xi8> {
  %c = arith.constant 2 : i8
  %p = tensor.pad %x low[1, 0] high[0, 2] {
  ^bb0(%a: index, %b: index):
    tensor.yield %c : i8
  } : tensor<3x5xi8> to tensor<4x7xi8>
  return %p : tensor<4x7xi8>
}

// CHECK-LABEL: @views(
// CHECK-NEXT: tensor.extract_slice
// CHECK-NEXT: tensor.collapse_shape
// CHECK-NEXT: return
// ALL-LABEL: @views(
// ALL-NEXT: relayout.rearrange %{{.*}} "d0 d1 d2 -> (d0 d1) d2" pad [0:0, 0:0, -1:-2] : tensor<3x5x7xi8> -> tensor<15x4xi8>
func.func @views(%x: tensor<3x5x7xi8>) -> tensor<15x4xi8> {
  %s = tensor.extract_slice %x[0, 0, 1] [3, 5, 4] [1, 1, 1] : tensor<3x5x7xi8> to tensor<3x5x4xi8>
  %c = tensor.collapse_shape %s [[0, 1], [2]] : tensor<3x5x4xi8> into tensor<15x4xi8>
  return %c : tensor<15x4xi8>
}

// Written as fewer upstream operations: one pad where two were, and no transposes.
// CHECK-LABEL: @pad_between_transposes(
// CHECK-NOT: relayout
// CHECK: %[[P:.*]] = tensor.pad %{{.*}} low[1, 1] high[0, 3]
// CHECK-NOT: tensor.pad
// CHECK-NOT: linalg.transpose
// CHECK: return %[[P]] : tensor<4x9xf32>
func.func @pad_between_transposes(%x: tensor<3x5xf32>) -> tensor<4x9xf32> {
  %c = arith.constant 2.0 : f32
  %i = tensor.empty() : tensor<5x3xf32>
  %t = linalg.transpose ins(%x : tensor<3x5xf32>) outs(%i : tensor<5x3xf32>) permutation = [1, 0]
  %p = tensor.pad %t low[1, 0] high[3, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %c : f32
  } : tensor<5x3xf32> to tensor<9x3xf32>
  %j = tensor.empty() : tensor<3x9xf32>
  %u = linalg.transpose ins(%p : tensor<9x3xf32>) outs(%j : tensor<3x9xf32>) permutation = [1, 0]
  %q = tensor.pad %u low[1, 0] high[0, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %c : f32
  } : tensor<3x9xf32> to tensor<4x9xf32>
  return %q : tensor<4x9xf32>
}

// A transpose that moves a dimension of extent 1 is a reshape.
// CHECK-LABEL: @transpose_of_unit(
// CHECK-NOT: linalg.transpose
// CHECK-NOT: relayout
// CHECK: return {{.*}} : tensor<5x1x3xf32>
func.func @transpose_of_unit(%x: tensor<1x5x3xf32>) -> tensor<5x1x3xf32> {
  %i = tensor.empty() : tensor<5x1x3xf32>
  %t = linalg.transpose ins(%x : tensor<1x5x3xf32>) outs(%i : tensor<5x1x3xf32>) permutation = [1, 0, 2]
  return %t : tensor<5x1x3xf32>
}

// The first transpose is needed anyhow; to fuse it would be to do it twice.
// CHECK-LABEL: @shared_transpose(
// CHECK: %[[T:.*]] = relayout.rearrange %{{.*}} "d0 d1 d2 -> d1 d0 d2"
// CHECK: %[[U:.*]] = relayout.rearrange %[[T]] "d0 d1 d2 -> d2 d0 d1"
// CHECK: return %[[T]], %[[U]]
func.func @shared_transpose(%x: tensor<2x3x5xf32>) -> (tensor<3x2x5xf32>, tensor<5x3x2xf32>) {
  %i = tensor.empty() : tensor<3x2x5xf32>
  %t = linalg.transpose ins(%x : tensor<2x3x5xf32>) outs(%i : tensor<3x2x5xf32>) permutation = [1, 0, 2]
  %j = tensor.empty() : tensor<5x3x2xf32>
  %u = linalg.transpose ins(%t : tensor<3x2x5xf32>) outs(%j : tensor<5x3x2xf32>) permutation = [2, 0, 1]
  return %t, %u : tensor<3x2x5xf32>, tensor<5x3x2xf32>
}

// A reshape costs nothing, so its other use does no harm.
// CHECK-LABEL: @shared_reshape(
// CHECK-SAME: %[[X:.*]]: tensor<6x5xf32>
// CHECK-NEXT: %[[E:.*]] = tensor.expand_shape %[[X]]
// CHECK-NEXT: %[[U:.*]] = relayout.rearrange %[[X]] "(d0 d1) d2 -> d1 d0 d2" sizes {d0 = 2, d1 = 3} : tensor<6x5xf32> -> tensor<3x2x5xf32>
// CHECK-NEXT: return %[[E]], %[[U]]
func.func @shared_reshape(%x: tensor<6x5xf32>) -> (tensor<2x3x5xf32>, tensor<3x2x5xf32>) {
  %e = tensor.expand_shape %x [[0, 1], [2]] output_shape [2, 3, 5] : tensor<6x5xf32> into tensor<2x3x5xf32>
  %i = tensor.empty() : tensor<3x2x5xf32>
  %t = linalg.transpose ins(%e : tensor<2x3x5xf32>) outs(%i : tensor<3x2x5xf32>) permutation = [1, 0, 2]
  return %e, %t : tensor<2x3x5xf32>, tensor<3x2x5xf32>
}

// A round trip is worth nothing whoever reads the value between.
// CHECK-LABEL: @shared_round_trip(
// CHECK-SAME: %[[X:.*]]: tensor<2x3x5xf32>
// CHECK: %[[T:.*]] = relayout.rearrange %[[X]] "d0 d1 d2 -> d1 d0 d2"
// CHECK-NEXT: return %[[T]], %[[X]]
func.func @shared_round_trip(%x: tensor<2x3x5xf32>) -> (tensor<3x2x5xf32>, tensor<2x3x5xf32>) {
  %i = tensor.empty() : tensor<3x2x5xf32>
  %t = linalg.transpose ins(%x : tensor<2x3x5xf32>) outs(%i : tensor<3x2x5xf32>) permutation = [1, 0, 2]
  %j = tensor.empty() : tensor<2x3x5xf32>
  %u = linalg.transpose ins(%t : tensor<3x2x5xf32>) outs(%j : tensor<2x3x5xf32>) permutation = [1, 0, 2]
  return %t, %u : tensor<3x2x5xf32>, tensor<2x3x5xf32>
}

// The value that the round trip comes back to is itself needed: it is not made
// twice. (3 4) and (4 3) keep the first two from fusing.
// CHECK-LABEL: @round_trip_to_a_movement(
// CHECK: %[[A:.*]] = relayout.rearrange %{{.*}} "d0 d1 -> (d1 d0)"
// CHECK: %[[B:.*]] = relayout.rearrange %[[A]] "(d0 d1) -> (d1 d0)"
// CHECK-NOT: relayout
// CHECK: return %[[B]], %[[A]]
func.func @round_trip_to_a_movement(%x: tensor<4x3xf32>) -> (tensor<12xf32>, tensor<12xf32>) {
  %a = relayout.rearrange %x "a b -> (b a)" : tensor<4x3xf32> -> tensor<12xf32>
  %b = relayout.rearrange %a "(a b) -> (b a)" sizes {a = 4} : tensor<12xf32> -> tensor<12xf32>
  %c = relayout.rearrange %b "(b a) -> (a b)" sizes {a = 4} : tensor<12xf32> -> tensor<12xf32>
  return %b, %c : tensor<12xf32>, tensor<12xf32>
}

// A shared reshape of a movement is part of that movement.
// CHECK-LABEL: @movement_above_shared_reshape(
// CHECK-NEXT: %[[E:.*]] = relayout.rearrange %{{.*}} "(d0 d1) d2 -> d2 d0 d1" sizes {d0 = 2, d1 = 3} : tensor<6x5xf32> -> tensor<5x2x3xf32>
// CHECK-NEXT: %[[U:.*]] = relayout.rearrange %[[E]] "d0 d1 d2 -> d1 d0 d2"
// CHECK-NEXT: return %[[E]], %[[U]]
func.func @movement_above_shared_reshape(%x: tensor<6x5xf32>) -> (tensor<5x2x3xf32>, tensor<2x5x3xf32>) {
  %i = tensor.empty() : tensor<5x6xf32>
  %t = linalg.transpose ins(%x : tensor<6x5xf32>) outs(%i : tensor<5x6xf32>) permutation = [1, 0]
  %e = tensor.expand_shape %t [[0], [1, 2]] output_shape [5, 2, 3] : tensor<5x6xf32> into tensor<5x2x3xf32>
  %j = tensor.empty() : tensor<2x5x3xf32>
  %u = linalg.transpose ins(%e : tensor<5x2x3xf32>) outs(%j : tensor<2x5x3xf32>) permutation = [1, 0, 2]
  return %e, %u : tensor<5x2x3xf32>, tensor<2x5x3xf32>
}

// The last operation's destination is the destination of all.
// CHECK-LABEL: @dest(
// CHECK-SAME: %[[X:[^:]*]]: tensor<6x5xf32>, %[[D:[^:]*]]: tensor<3x2x5xf32>
// CHECK-NEXT: %[[R:.*]] = relayout.rearrange %[[X]] into %[[D]] "(d0 d1) d2 -> d1 d0 d2"
// CHECK-NEXT: return %[[R]]
func.func @dest(%x: tensor<6x5xf32>, %d: tensor<3x2x5xf32>) -> tensor<3x2x5xf32> {
  %e = tensor.expand_shape %x [[0, 1], [2]] output_shape [2, 3, 5] : tensor<6x5xf32> into tensor<2x3x5xf32>
  %t = linalg.transpose ins(%e : tensor<2x3x5xf32>) outs(%d : tensor<3x2x5xf32>) permutation = [1, 0, 2]
  return %t : tensor<3x2x5xf32>
}

// A round trip that ends in a destination is a copy to it; a lone copy stays.
// CHECK-LABEL: @round_trip_into_dest(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2x3xf32>, %[[D:[^:]*]]: tensor<2x3xf32>
// CHECK-NEXT: %[[R:.*]] = linalg.copy ins(%[[X]] : {{.*}}) outs(%[[D]] : {{.*}})
// CHECK-NEXT: %[[C:.*]] = linalg.copy ins(%[[X]] : {{.*}}) outs(%[[D]] : {{.*}})
// CHECK-NEXT: return %[[R]], %[[C]]
// ALL-LABEL: @round_trip_into_dest(
// ALL-NOT: linalg
// ALL-COUNT-2: relayout.rearrange %{{.*}} into %{{.*}} "d0 d1 -> d0 d1"
// ALL-NOT: linalg
// ALL: return
func.func @round_trip_into_dest(%x: tensor<2x3xf32>, %d: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %i = tensor.empty() : tensor<3x2xf32>
  %t = linalg.transpose ins(%x : tensor<2x3xf32>) outs(%i : tensor<3x2xf32>) permutation = [1, 0]
  %u = linalg.transpose ins(%t : tensor<3x2xf32>) outs(%d : tensor<2x3xf32>) permutation = [1, 0]
  %c = linalg.copy ins(%x : tensor<2x3xf32>) outs(%d : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %u, %c : tensor<2x3xf32>, tensor<2x3xf32>
}

// What stands before a loop is not moved into it.
// CHECK-LABEL: @other_block(
// CHECK: %[[T:.*]] = relayout.rearrange %{{.*}} "d0 d1 -> d1 d0"
// CHECK: scf.for
// CHECK: relayout.rearrange %[[T]] "d0 (d1 d2) -> d2 d0 d1"
func.func @other_block(%x: tensor<6x5xf32>, %n: index, %y: tensor<3x5x2xf32>) -> tensor<3x5x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = tensor.empty() : tensor<5x6xf32>
  %t = linalg.transpose ins(%x : tensor<6x5xf32>) outs(%i : tensor<5x6xf32>) permutation = [1, 0]
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %y) -> tensor<3x5x2xf32> {
    %e = tensor.expand_shape %t [[0], [1, 2]] output_shape [5, 2, 3] : tensor<5x6xf32> into tensor<5x2x3xf32>
    %j = tensor.empty() : tensor<3x5x2xf32>
    %u = linalg.transpose ins(%e : tensor<5x2x3xf32>) outs(%j : tensor<3x5x2xf32>) permutation = [2, 0, 1]
    scf.yield %u : tensor<3x5x2xf32>
  }
  return %r : tensor<3x5x2xf32>
}

// Elements that are not accepted, dynamic extents and memrefs are left alone.
// CHECK-LABEL: @left_alone(
// CHECK: linalg.transpose ins(%{{.*}} : tensor<2x3xindex>)
// CHECK: linalg.transpose ins(%{{.*}} : tensor<2x3xi4>)
// CHECK: linalg.transpose ins(%{{.*}} : tensor<?x3xf32>)
// CHECK: linalg.transpose ins(%{{.*}} : memref<2x3xf32>)
func.func @left_alone(%x: tensor<2x3xindex>, %y: tensor<2x3xi4>, %z: tensor<?x3xf32>, %d: tensor<3x?xf32>,
                      %m: memref<2x3xf32>, %n: memref<3x2xf32>)
    -> (tensor<3x2xindex>, tensor<3x2xi4>, tensor<3x?xf32>) {
  %i = tensor.empty() : tensor<3x2xindex>
  %t = linalg.transpose ins(%x : tensor<2x3xindex>) outs(%i : tensor<3x2xindex>) permutation = [1, 0]
  %j = tensor.empty() : tensor<3x2xi4>
  %u = linalg.transpose ins(%y : tensor<2x3xi4>) outs(%j : tensor<3x2xi4>) permutation = [1, 0]
  %v = linalg.transpose ins(%z : tensor<?x3xf32>) outs(%d : tensor<3x?xf32>) permutation = [1, 0]
  linalg.transpose ins(%m : memref<2x3xf32>) outs(%n : memref<3x2xf32>) permutation = [1, 0]
  return %t, %u, %v : tensor<3x2xindex>, tensor<3x2xi4>, tensor<3x?xf32>
}

// Ranks that differ, down to 0.
// CHECK-LABEL: @ranks(
// CHECK-SAME: %[[X:[^:]*]]: tensor<f32>, %[[Y:.*]]: tensor<6xf32>
// CHECK: relayout.rearrange %[[Y]] "(d0 d1) -> d1 1 d0" sizes {d0 = 2, d1 = 3}
// CHECK: return %[[X]], %{{.*}}
func.func @ranks(%x: tensor<f32>, %y: tensor<6xf32>) -> (tensor<f32>, tensor<3x1x2xf32>) {
  %e = tensor.expand_shape %x [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
  %i = tensor.empty() : tensor<1x1xf32>
  %t = linalg.transpose ins(%e : tensor<1x1xf32>) outs(%i : tensor<1x1xf32>) permutation = [1, 0]
  %c = tensor.collapse_shape %t [] : tensor<1x1xf32> into tensor<f32>
  %f = tensor.expand_shape %y [[0, 1, 2]] output_shape [2, 3, 1] : tensor<6xf32> into tensor<2x3x1xf32>
  %j = tensor.empty() : tensor<3x1x2xf32>
  %u = linalg.transpose ins(%f : tensor<2x3x1xf32>) outs(%j : tensor<3x1x2xf32>) permutation = [1, 2, 0]
  return %c, %u : tensor<f32>, tensor<3x1x2xf32>
}

// No element moves, the shapes hold all the same.
// CHECK-LABEL: @no_elements(
// CHECK: return {{.*}} : tensor<3x0x5xf32>
// ALL-LABEL: @no_elements(
// ALL: return {{.*}} : tensor<3x0x5xf32>
func.func @no_elements(%x: tensor<0x3x5xf32>) -> tensor<3x0x5xf32> {
  %i = tensor.empty() : tensor<3x0x5xf32>
  %t = linalg.transpose ins(%x : tensor<0x3x5xf32>) outs(%i : tensor<3x0x5xf32>) permutation = [1, 0, 2]
  return %t : tensor<3x0x5xf32>
}

// A scalar that fills a tensor is no source; a tensor without rank is none either.
// CHECK-LABEL: @no_sources(
// CHECK: linalg.fill
// CHECK: tensor.cast {{.*}} : tensor<2x3xf32> to tensor<*xf32>
// CHECK: %[[C:.*]] = tensor.cast {{.*}} : tensor<*xf32> to tensor<2x3xf32>
// CHECK: relayout.rearrange %[[C]] "d0 d1 -> d1 d0"
func.func @no_sources(%x: f32, %y: tensor<2x3xf32>) -> (tensor<f32>, tensor<3x2xf32>) {
  %i = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%x : f32) outs(%i : tensor<f32>) -> tensor<f32>
  %u = tensor.cast %y : tensor<2x3xf32> to tensor<*xf32>
  %r = tensor.cast %u : tensor<*xf32> to tensor<2x3xf32>
  %j = tensor.empty() : tensor<3x2xf32>
  %t = linalg.transpose ins(%r : tensor<2x3xf32>) outs(%j : tensor<3x2xf32>) permutation = [1, 0]
  return %f, %t : tensor<f32>, tensor<3x2xf32>
}

// What a chain has read alone goes with it, wherever its block stands.
// CHECK-LABEL: @blocks(
// CHECK-NOT: tensor.cast
// CHECK: relayout.rearrange %{{.*}} "(d0 d1) -> d1 d0"
// CHECK-NOT: tensor.cast
func.func @blocks(%x: tensor<6xf32>, %s: tensor<?xindex>) -> tensor<3x2xf32> {
  cf.br ^shape
^reshape:
  %r = tensor.reshape %x(%shape) : (tensor<6xf32>, tensor<2xindex>) -> tensor<2x3xf32>
  %i = tensor.empty() : tensor<3x2xf32>
  %t = linalg.transpose ins(%r : tensor<2x3xf32>) outs(%i : tensor<3x2xf32>) permutation = [1, 0]
  return %t : tensor<3x2xf32>
^shape:
  %shape = tensor.cast %s : tensor<?xindex> to tensor<2xindex>
  cf.br ^reshape
}
