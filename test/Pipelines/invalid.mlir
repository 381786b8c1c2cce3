// RUN: relayout-opt %s --relayout-cpu-pipeline --split-input-file --verify-diagnostics
// RUN: not relayout-opt %s --pass-pipeline='builtin.module(func.func(relayout-cpu-pipeline))' 2>&1 | FileCheck %s
// CHECK: error: relayout-cpu-pipeline expects to run on builtin.module, but got func.func{{$}}
// RUN: not relayout-opt %s --pass-pipeline='builtin.module(relayout-cpu-pipeline{threads=2})' 2>&1 | FileCheck %s --check-prefix=OPTIONS
// RUN: not relayout-opt %s --relayout-cpu-pipeline=threads=2 2>&1 | FileCheck %s --check-prefix=OPTIONS
// OPTIONS: error: relayout-cpu-pipeline expects no options, but got 'threads=2'{{$}}

// What does not reduce to one rearrangement is no kernel.
func.func @two_fills(%x: tensor<3x5xf32>) -> tensor<8x5xf32> {
  %a = relayout.rearrange %x "a b -> b a" pad [1:0, 0:0] value 1.0 : f32
      : tensor<3x5xf32> -> tensor<5x4xf32>
  // expected-error@below {{'relayout.rearrange' op is left in a kernel, which expects one rearrangement from its operand to its result and nothing else}}
  %b = relayout.rearrange %a "b a -> a b" pad [0:0, 2:2] value 2.0 : f32
      : tensor<5x4xf32> -> tensor<8x5xf32>
  return %b : tensor<8x5xf32>
}

// -----

func.func @other_work(%x: tensor<3x5xf32>) -> tensor<5x3xf32> {
  %i = tensor.empty() : tensor<5x3xf32>
  %t = linalg.transpose ins(%x : tensor<3x5xf32>) outs(%i : tensor<5x3xf32>) permutation = [1, 0]
  // expected-error@below {{'linalg.exp' op is left in a kernel, which expects one rearrangement from its operand to its result and nothing else}}
  %r = linalg.exp ins(%t : tensor<5x3xf32>) outs(%i : tensor<5x3xf32>) -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

// -----

func.func @twice(%x: tensor<3x5xf32>) -> (tensor<5x3xf32>, tensor<5x3xf32>) {
  %r = relayout.rearrange %x "a b -> b a" : tensor<3x5xf32> -> tensor<5x3xf32>
  // expected-error@below {{'func.return' op expects results that differ, but one value is returned twice}}
  return %r, %r : tensor<5x3xf32>, tensor<5x3xf32>
}

// -----

module {
  module @inner {
    func.func @kernel(%x: tensor<3x5xf32>) -> tensor<5x3xf32> {
      // expected-error@below {{'relayout.rearrange' op is in a module inside of the one that is lowered, which expects the passes to run on the inner one}}
      %r = relayout.rearrange %x "a b -> b a" : tensor<3x5xf32> -> tensor<5x3xf32>
      return %r : tensor<5x3xf32>
    }
  }
}

// -----

// Two tensors, of elements that no pass of ours looks at, of which bufferization makes one buffer.
func.func @cast(%x: index) -> (tensor<2xindex>, tensor<2xindex>) {
  %r = tensor.splat %x : tensor<2xindex>
  %s = tensor.cast %r : tensor<2xindex> to tensor<2xindex>
  // expected-error@below {{'func.return' op expects results that differ, but one value is returned twice}}
  return %r, %s : tensor<2xindex>, tensor<2xindex>
}

// -----

// The work, not the constant that it is done with.
func.func @sum(%x: tensor<3x5xf32>) -> tensor<5x3xf32> {
  %one = arith.constant 1.0 : f32
  %i = tensor.empty() : tensor<3x5xf32>
  // expected-error@below {{'linalg.map' op is left in a kernel, which expects one rearrangement from its operand to its result and nothing else}}
  %s = linalg.map ins(%x : tensor<3x5xf32>) outs(%i : tensor<3x5xf32>)
      (%e: f32, %o: f32) {
        %a = arith.addf %e, %one : f32
        linalg.yield %a : f32
      }
  %r = relayout.rearrange %s "a b -> b a" : tensor<3x5xf32> -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}
