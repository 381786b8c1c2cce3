// RUN: relayout-opt %s --one-shot-bufferize="bufferize-function-boundaries" --verify-diagnostics

// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// By default the boundary of a function takes any strides, which are not known
// here: T3.

func.func @dynamic_layout(%x: tensor<4x7xi16>) -> tensor<7x4xi16> {
  // expected-error@+2 {{expects source to have static strides and a static offset, but its type is 'memref<4x7xi16, strided<[?, ?], offset: ?>>'}}
  // expected-error@+1 {{failed to bufferize op}}
  %0 = relayout.rearrange %x "a b -> b a" : tensor<4x7xi16> -> tensor<7x4xi16>
  return %0 : tensor<7x4xi16>
}
