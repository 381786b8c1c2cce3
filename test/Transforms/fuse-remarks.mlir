// RUN: relayout-opt %s --split-input-file --relayout-fuse --remarks-filter=relayout-fuse --remark-policy=all --remark-format=emitRemark --verify-diagnostics -o /dev/null

// What was merged, at the first operation, and why the rest was not.

func.func @two_values(%x: tensor<3x5xf32>) -> tensor<8x7xf32> {
  %c = arith.constant 0.0 : f32
  %d = arith.constant 2.0 : f32
  // expected-remark@+1 {{[Passed] fused | Category:relayout-fuse | operations=2}}
  %p = tensor.pad %x low[0, 1] high[0, 2] {
  ^bb0(%a: index, %b: index):
    tensor.yield %c : f32
  } : tensor<3x5xf32> to tensor<3x8xf32>
  %i = tensor.empty() : tensor<8x3xf32>
  %t = linalg.transpose ins(%p : tensor<3x8xf32>) outs(%i : tensor<8x3xf32>) permutation = [1, 0]
  // expected-remark@+1 {{[Missed] not-fused | Category:relayout-fuse | Reason="expects pads of one fill value, but 0.000000e+00 : f32 is followed by 2.000000e+00 : f32"}}
  %q = tensor.pad %t low[0, 0] high[0, 4] {
  ^bb0(%a: index, %b: index):
    tensor.yield %d : f32
  } : tensor<8x3xf32> to tensor<8x7xf32>
  return %q : tensor<8x7xf32>
}

// -----

func.func @unlike_digits(%x: tensor<4x3xf32>) -> tensor<3x4xf32> {
  %i = tensor.empty() : tensor<3x4xf32>
  // expected-remark@+1 {{operations=2}}
  %t = linalg.transpose ins(%x : tensor<4x3xf32>) outs(%i : tensor<3x4xf32>) permutation = [1, 0]
  %c = tensor.collapse_shape %t [[0, 1]] : tensor<3x4xf32> into tensor<12xf32>
  // expected-remark@+2 {{expects the digits of intermediate dimension 0 to have a common refinement, but (3 4) and (4 3) have none}}
  // expected-remark@+1 {{operations=2}}
  %e = tensor.expand_shape %c [[0, 1]] output_shape [4, 3] : tensor<12xf32> into tensor<4x3xf32>
  %u = linalg.transpose ins(%e : tensor<4x3xf32>) outs(%i : tensor<3x4xf32>) permutation = [1, 0]
  return %u : tensor<3x4xf32>
}

// -----

func.func @crop_before_pad(%x: tensor<24x17x10x7xf32>) -> tensor<24x17x10x7xf32> {
  %b = relayout.batch_to_space %x block_shape [2, 4] crops [1:0, 2:3]
      : tensor<24x17x10x7xf32> -> tensor<3x33x35x7xf32>
  // expected-remark@+1 {{Reason="expects the crop 1:0 and the pad 1:0 of intermediate dimension 1 to cancel}}
  %r = relayout.space_to_batch %b block_shape [2, 4] paddings [1:0, 2:3]
      : tensor<3x33x35x7xf32> -> tensor<24x17x10x7xf32>
  return %r : tensor<24x17x10x7xf32>
}

// -----

func.func @other_uses(%x: tensor<2x3x5xf32>) -> (tensor<3x2x5xf32>, tensor<5x3x2xf32>) {
  %i = tensor.empty() : tensor<3x2x5xf32>
  %t = linalg.transpose ins(%x : tensor<2x3x5xf32>) outs(%i : tensor<3x2x5xf32>) permutation = [1, 0, 2]
  %j = tensor.empty() : tensor<5x3x2xf32>
  // expected-remark@+1 {{the value between has other uses, and to fuse it with one of them would repeat its work}}
  %u = linalg.transpose ins(%t : tensor<3x2x5xf32>) outs(%j : tensor<5x3x2xf32>) permutation = [2, 0, 1]
  return %t, %u : tensor<3x2x5xf32>, tensor<5x3x2xf32>
}

// -----

// Once at the operation that is not understood, once at the chain behind it.
func.func @fill_is_no_constant(%x: tensor<3x5xf32>, %c: f32) -> tensor<8x3xf32> {
  // expected-remark@+1 {{expects a constant fill value}}
  %p = tensor.pad %x low[0, 1] high[0, 2] {
  ^bb0(%a: index, %b: index):
    tensor.yield %c : f32
  } : tensor<3x5xf32> to tensor<3x8xf32>
  %i = tensor.empty() : tensor<8x3xf32>
  // expected-remark@+1 {{expects a constant fill value}}
  %t = linalg.transpose ins(%p : tensor<3x8xf32>) outs(%i : tensor<8x3xf32>) permutation = [1, 0]
  return %t : tensor<8x3xf32>
}

// -----

func.func @nofold(%x: tensor<3x5xf32>) -> tensor<3x8xf32> {
  %c = arith.constant 0.0 : f32
  // expected-remark@+1 {{expects a pad without nofold}}
  %p = tensor.pad %x nofold low[0, 1] high[0, 2] {
  ^bb0(%a: index, %b: index):
    tensor.yield %c : f32
  } : tensor<3x5xf32> to tensor<3x8xf32>
  return %p : tensor<3x8xf32>
}

// -----

func.func @pads_are_no_constants(%x: tensor<3x5xf32>, %n: index) -> tensor<3x8xf32> {
  %c = arith.constant 0.0 : f32
  // expected-remark@+1 {{expects constant pads}}
  %p = tensor.pad %x low[0, %n] high[0, %n] {
  ^bb0(%a: index, %b: index):
    tensor.yield %c : f32
  } : tensor<3x5xf32> to tensor<3x8xf32>
  return %p : tensor<3x8xf32>
}

// -----

func.func @slices(%x: tensor<8x9xf32>, %n: index) -> (tensor<4x9xf32>, tensor<4x9xf32>, tensor<?x9xf32>) {
  // expected-remark@+1 {{expects strides of 1}}
  %a = tensor.extract_slice %x[0, 0] [4, 9] [2, 1] : tensor<8x9xf32> to tensor<4x9xf32>
  // expected-remark@+1 {{expects constant offsets}}
  %b = tensor.extract_slice %x[%n, 0] [4, 9] [1, 1] : tensor<8x9xf32> to tensor<4x9xf32>
  // expected-remark@+1 {{expects constant sizes}}
  %c = tensor.extract_slice %x[0, 0] [%n, 9] [1, 1] : tensor<8x9xf32> to tensor<?x9xf32>
  return %a, %b, %c : tensor<4x9xf32>, tensor<4x9xf32>, tensor<?x9xf32>
}

// -----

func.func @insertions(%x: tensor<2x3xf32>, %y: tensor<4x9xf32>, %n: index) -> (tensor<4x9xf32>, tensor<4x9xf32>, tensor<4x9xf32>) {
  %f = arith.constant dense<1.0> : tensor<4x9xf32>
  // expected-remark@+1 {{expects a constant fill value}}
  %a = tensor.insert_slice %x into %y[0, 0] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<4x9xf32>
  // expected-remark@+1 {{expects strides of 1}}
  %b = tensor.insert_slice %x into %f[0, 0] [2, 3] [2, 2] : tensor<2x3xf32> into tensor<4x9xf32>
  // expected-remark@+1 {{expects constant offsets}}
  %c = tensor.insert_slice %x into %f[%n, 0] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<4x9xf32>
  return %a, %b, %c : tensor<4x9xf32>, tensor<4x9xf32>, tensor<4x9xf32>
}

// -----

func.func @types(%x: tensor<2x3xindex>, %z: tensor<?x3xf32>, %d: tensor<3x?xf32>) -> (tensor<3x2xindex>, tensor<3x?xf32>) {
  %i = tensor.empty() : tensor<3x2xindex>
  // expected-remark@+1 {{but got 'index'}}
  %t = linalg.transpose ins(%x : tensor<2x3xindex>) outs(%i : tensor<3x2xindex>) permutation = [1, 0]
  // expected-remark@+1 {{expects a static shape}}
  %v = linalg.transpose ins(%z : tensor<?x3xf32>) outs(%d : tensor<3x?xf32>) permutation = [1, 0]
  return %t, %v : tensor<3x2xindex>, tensor<3x?xf32>
}

// -----

func.func @encoding(%x: tensor<6x5xf32, "e">) -> tensor<2x3x5xf32, "e"> {
  // expected-remark@+1 {{expects ranked tensors without encoding}}
  %e = tensor.expand_shape %x [[0, 1], [2]] output_shape [2, 3, 5] : tensor<6x5xf32, "e"> into tensor<2x3x5xf32, "e">
  return %e : tensor<2x3x5xf32, "e">
}

// -----

func.func @reshapes(%x: tensor<2x3xf32>, %s: tensor<2xindex>) -> (tensor<3x2xf32>, tensor<?x2xf32>) {
  // expected-remark@+1 {{to have a common refinement}}
  %r = tensor.reshape %x(%s) : (tensor<2x3xf32>, tensor<2xindex>) -> tensor<3x2xf32>
  // expected-remark@+1 {{expects a static result shape}}
  %q = tensor.reshape %x(%s) : (tensor<2x3xf32>, tensor<2xindex>) -> tensor<?x2xf32>
  return %r, %q : tensor<3x2xf32>, tensor<?x2xf32>
}

// -----

func.func @tiles(%x: tensor<16x8xf32>, %y: tensor<4x8x4xf32>, %n: index, %i: tensor<?x8x?xf32>, %j: tensor<?x8xf32>)
    -> (tensor<?x8x?xf32>, tensor<?x8xf32>) {
  // expected-remark@+1 {{expects constant tiles}}
  %p = linalg.pack %x inner_dims_pos = [0] inner_tiles = [%n] into %i : tensor<16x8xf32> -> tensor<?x8x?xf32>
  // expected-remark@+1 {{expects a destination of static shape}}
  %u = linalg.unpack %y inner_dims_pos = [0] inner_tiles = [4] into %j : tensor<4x8x4xf32> -> tensor<?x8xf32>
  return %p, %u : tensor<?x8x?xf32>, tensor<?x8xf32>
}

// -----

func.func private @act()

func.func @pads(%x: tensor<3x5xf32>) -> (tensor<3x6xf32>, tensor<3x8xf32>) {
  %c = arith.constant 0.0 : f32
  // expected-remark@+1 {{expects pads of 0 or more}}
  %p = tensor.pad %x low[0, -1] high[0, 2] {
  ^bb0(%a: index, %b: index):
    tensor.yield %c : f32
  } : tensor<3x5xf32> to tensor<3x6xf32>
  // expected-remark@+1 {{expects a pad whose body does no more than compute the fill value}}
  %q = tensor.pad %x low[0, 1] high[0, 2] {
  ^bb0(%a: index, %b: index):
    func.call @act() : () -> ()
    tensor.yield %c : f32
  } : tensor<3x5xf32> to tensor<3x8xf32>
  return %p, %q : tensor<3x6xf32>, tensor<3x8xf32>
}

// -----

// What is known of a shape shows that the program is wrong.
func.func @beyond(%x: tensor<8x9xf32>, %n: index) -> (tensor<4x9xf32>, tensor<3x?x9xf32>, tensor<7x9xf32>) {
  %d = tensor.cast %x : tensor<8x9xf32> to tensor<?x9xf32>
  // expected-remark@+1 {{expects a slice within its source}}
  %s = tensor.extract_slice %d[6, 0] [4, 9] [1, 1] : tensor<?x9xf32> to tensor<4x9xf32>
  // expected-remark@+1 {{expects a constant output shape}}
  %e = tensor.expand_shape %d [[0, 1], [2]] output_shape [3, %n, 9] : tensor<?x9xf32> into tensor<3x?x9xf32>
  // expected-remark@+1 {{expects a result type that the operation makes of its source}}
  %c = tensor.cast %d : tensor<?x9xf32> to tensor<7x9xf32>
  return %s, %e, %c : tensor<4x9xf32>, tensor<3x?x9xf32>, tensor<7x9xf32>
}

// -----

func.func @into_unknown(%x: tensor<2x3xf32>, %n: index) -> tensor<?x9xf32> {
  %c = arith.constant 1.0 : f32
  %f = tensor.splat %c[%n] : tensor<?x9xf32>
  // expected-remark@+1 {{expects a destination of static shape}}
  %a = tensor.insert_slice %x into %f[0, 0] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<?x9xf32>
  return %a : tensor<?x9xf32>
}

// -----

// A lone reshape beside a movement is no loss.
func.func @silent(%x: tensor<4x3xf32>) -> tensor<4x3xf32> {
  // expected-remark@+1 {{operations=2}}
  %t = relayout.rearrange %x "a b -> b a" : tensor<4x3xf32> -> tensor<3x4xf32>
  %c = tensor.collapse_shape %t [[0, 1]] : tensor<3x4xf32> into tensor<12xf32>
  %e = tensor.expand_shape %c [[0, 1]] output_shape [4, 3] : tensor<12xf32> into tensor<4x3xf32>
  return %e : tensor<4x3xf32>
}

// -----

func.func @nothing(%x: tensor<0xf32>, %n: index, %y: tensor<16x8xf32>, %i: tensor<?x8x?xf32>)
    -> (tensor<?x0xf32>, tensor<?x8x?xf32>) {
  %c = tensor.cast %x : tensor<0xf32> to tensor<?xf32>
  // expected-remark@+1 {{expects a constant output shape}}
  %e = tensor.expand_shape %c [[0, 1]] output_shape [%n, 0] : tensor<?xf32> into tensor<?x0xf32>
  %negative = arith.constant -4 : index
  // expected-remark@+1 {{expects tiles of 1 or more}}
  %p = linalg.pack %y inner_dims_pos = [0] inner_tiles = [%negative] into %i : tensor<16x8xf32> -> tensor<?x8x?xf32>
  return %e, %p : tensor<?x0xf32>, tensor<?x8x?xf32>
}

// -----

func.func @encodes(%x: tensor<6x5xf32>) -> tensor<6x5xf32, "e"> {
  // expected-remark@+1 {{expects ranked tensors without encoding}}
  %c = tensor.cast %x : tensor<6x5xf32> to tensor<6x5xf32, "e">
  return %c : tensor<6x5xf32, "e">
}
