// RUN: relayout-opt %s --relayout-kernel-abi --split-input-file --verify-diagnostics

// Work of another kind is named rather than the buffers around it.
func.func @other_work(%x: memref<4xf32>, %out: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  // expected-error@+1 {{'linalg.exp' op is left in a kernel, which expects one rearrangement from its operand to its result and nothing else}}
  linalg.exp ins(%a : memref<4xf32>) outs(%out : memref<4xf32>)
  return
}

// -----

func.func @buffer(%x: memref<4xf32>, %out: memref<4xf32>) {
  // expected-error@+1 {{'memref.alloc' op is left in a kernel, which expects one rearrangement from its operand to its result and nothing else}}
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %out : memref<4xf32> to memref<4xf32>
  return
}

// -----

func.func @two(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %a = relayout.rearrange %x "a b -> b a" : tensor<3x5xf32> -> tensor<5x3xf32>
  // expected-error@+1 {{'relayout.rearrange' op is left in a kernel, which expects one rearrangement from its operand to its result and nothing else}}
  %r = relayout.rearrange %a "a b -> b a" : tensor<5x3xf32> -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}

// -----

// expected-error@+1 {{'func.func' op expects one rearrangement in a kernel, but there is none}}
func.func @none(%x: tensor<3xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}

// -----

// expected-error@+1 {{'func.func' op expects one block in a kernel, but there are 2}}
func.func @blocks(%x: memref<4xf32>, %out: memref<4xf32>) {
  cf.br ^next
^next:
  memref.copy %x, %out : memref<4xf32> to memref<4xf32>
  return
}

// -----

func.func @backwards(%out: memref<4xf32>, %x: memref<4xf32>) {
  // expected-error@+1 {{'memref.copy' op expects to lead from the only operand of its function to the only result}}
  memref.copy %x, %out : memref<4xf32> to memref<4xf32>
  return
}

// -----

func.func @unused_operand(%x: tensor<3x5xf32>, %y: tensor<2xf32>) -> tensor<5x3xf32> {
  // expected-error@+1 {{'relayout.rearrange' op expects to lead from the only operand of its function to the only result}}
  %r = relayout.rearrange %x "a b -> b a" : tensor<3x5xf32> -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

// -----

func.func @unused_result(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
  // expected-error@+1 {{'relayout.rearrange' op expects to lead from the only operand of its function to the only result}}
  %r = relayout.rearrange %x "a b -> b a" : tensor<3x5xf32> -> tensor<5x3xf32>
  return %x : tensor<3x5xf32>
}

// -----

func.func @two_results(%x: tensor<3x5xf32>) -> (tensor<5x3xf32>, tensor<5x3xf32>) {
  // expected-error@+1 {{'relayout.rearrange' op expects to lead from the only operand of its function to the only result}}
  %r = relayout.rearrange %x "a b -> b a" : tensor<3x5xf32> -> tensor<5x3xf32>
  return %r, %r : tensor<5x3xf32>, tensor<5x3xf32>
}

// -----

func.func @dynamic_offset(%x: memref<4xf32, strided<[1], offset: ?>>, %out: memref<4xf32>) {
  // expected-error@+1 {{'memref.copy' op expects static extents, strides and offset, but got 'memref<4xf32, strided<[1], offset: ?>>'}}
  memref.copy %x, %out : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32>
  return
}

// -----

func.func @negative_offset(%x: memref<4xf32, strided<[1], offset: -100>>, %out: memref<4xf32>) {
  // expected-error@+1 {{'memref.copy' op expects an offset of 0 or more, but got 'memref<4xf32, strided<[1], offset: -100>>'}}
  memref.copy %x, %out : memref<4xf32, strided<[1], offset: -100>> to memref<4xf32>
  return
}

// -----

func.func @dynamic_stride(%x: memref<4x2xf32, strided<[?, 1]>>, %out: memref<4x2xf32>) {
  // expected-error@+1 {{'memref.copy' op expects static extents, strides and offset, but got 'memref<4x2xf32, strided<[?, 1]>>'}}
  memref.copy %x, %out : memref<4x2xf32, strided<[?, 1]>> to memref<4x2xf32>
  return
}

// -----

func.func @dynamic_extent(%x: memref<?xf32>, %out: memref<4xf32>) {
  // expected-error@+1 {{'memref.copy' op expects static extents, strides and offset, but got 'memref<?xf32>'}}
  memref.copy %x, %out : memref<?xf32> to memref<4xf32>
  return
}

// -----

func.func @huge(%x: memref<2x3xf32, strided<[4611686018427387904, 1]>>, %out: memref<2x3xf32>) {
  // expected-error@+1 {{'memref.copy' op expects less than 2^63 bytes a side, but got 'memref<2x3xf32, strided<[4611686018427387904, 1]>>'}}
  memref.copy %x, %out : memref<2x3xf32, strided<[4611686018427387904, 1]>> to memref<2x3xf32>
  return
}

// -----

func.func @element(%x: memref<4xi24>, %out: memref<4xi24>) {
  // expected-error@+1 {{'memref.copy' op expects}}
  memref.copy %x, %out : memref<4xi24> to memref<4xi24>
  return
}

// -----

func.func @unranked(%x: memref<*xf32>, %out: memref<*xf32>) {
  // expected-error@+1 {{'memref.copy' op expects static extents, strides and offset, but got 'memref<*xf32>'}}
  memref.copy %x, %out : memref<*xf32> to memref<*xf32>
  return
}

// -----

func.func @no_return(%x: tensor<3x5xf32>) -> tensor<5x3xf32> {
  // expected-error@+1 {{'relayout.rearrange' op expects to lead from the only operand of its function to the only result}}
  %r = relayout.rearrange %x "a b -> b a" : tensor<3x5xf32> -> tensor<5x3xf32>
  ub.unreachable
}

// -----

// expected-error@+1 {{'func.func' op expects one rearrangement in a kernel, but there is none}}
func.func @empty_without_return(%x: memref<2x0xf32>, %out: memref<2x0xf32>) {
  ub.unreachable
}

// -----

// A copy of no elements that upstream has folded away led from one shape and type to the same.
// expected-error@+1 {{'func.func' op expects one rearrangement in a kernel, but there is none}}
func.func @empty_of_other_shape(%x: memref<2x0xf32>, %out: memref<0x2xf32>) {
  return
}

// -----

// expected-error@+1 {{'func.func' op expects one rearrangement in a kernel, but there is none}}
func.func @empty_of_other_type(%x: memref<2x0xf32>, %out: memref<2x0xi32>) {
  return
}

// -----

func.func @dest_alone(%x: tensor<3x5xf32>, %out: tensor<3x5xf32>) -> tensor<3x5xf32> {
  // expected-error@+1 {{'relayout.rearrange' op expects to lead from the only operand of its function to the only result}}
  %r = relayout.rearrange %out into %out "a b -> a b" : tensor<3x5xf32>, tensor<3x5xf32> -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}
