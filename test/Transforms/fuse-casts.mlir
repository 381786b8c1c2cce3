// RUN: relayout-opt %s --relayout-fuse | FileCheck %s

// A shape that is known once stays known behind types that say less.
// CHECK-LABEL: @casts(
// CHECK-SAME: %[[X:.*]]: tensor<6x5xf32>
// CHECK-NEXT: %[[R:.*]] = relayout.rearrange %[[X]] "(d0 d1) d2 -> (d1 d2) d0" sizes {d0 = 2, d1 = 3} : tensor<6x5xf32> -> tensor<15x2xf32>
// CHECK-NEXT: return %[[R]]
func.func @casts(%x: tensor<6x5xf32>) -> tensor<15x2xf32> {
  %c = tensor.cast %x : tensor<6x5xf32> to tensor<6x?xf32>
  %c1 = arith.constant 1 : index
  %n = tensor.dim %c, %c1 : tensor<6x?xf32>
  %e = tensor.expand_shape %c [[0, 1], [2]] output_shape [2, 3, %n] : tensor<6x?xf32> into tensor<2x3x?xf32>
  %i = tensor.empty(%n) : tensor<3x?x2xf32>
  %t = linalg.transpose ins(%e : tensor<2x3x?xf32>) outs(%i : tensor<3x?x2xf32>) permutation = [1, 2, 0]
  %f = tensor.collapse_shape %t [[0, 1], [2]] : tensor<3x?x2xf32> into tensor<?x2xf32>
  %r = tensor.cast %f : tensor<?x2xf32> to tensor<15x2xf32>
  return %r : tensor<15x2xf32>
}

// The type that readers expect comes back by a cast.
// CHECK-LABEL: @result_that_says_less(
// CHECK: %[[R:.*]] = relayout.rearrange %{{.*}} "d0 d1 -> d1 d0" : tensor<6x5xf32> -> tensor<5x6xf32>
// CHECK-NEXT: %[[C:.*]] = tensor.cast %[[R]] : tensor<5x6xf32> to tensor<?x6xf32>
// CHECK-NEXT: return %[[C]]
func.func @result_that_says_less(%x: tensor<6x5xf32>, %d: tensor<?x6xf32>) -> tensor<?x6xf32> {
  %c = tensor.cast %x : tensor<6x5xf32> to tensor<6x?xf32>
  %c1 = arith.constant 1 : index
  %n = tensor.dim %c, %c1 : tensor<6x?xf32>
  %i = tensor.empty(%n) : tensor<?x6xf32>
  %t = linalg.transpose ins(%c : tensor<6x?xf32>) outs(%i : tensor<?x6xf32>) permutation = [1, 0]
  return %t : tensor<?x6xf32>
}

// A cast to a shape begins a chain.
// CHECK-LABEL: @dynamic_source(
// CHECK-NEXT: %[[C:.*]] = tensor.cast %{{.*}} : tensor<?x?xf32> to tensor<6x5xf32>
// CHECK: relayout.rearrange %[[C]] "d0 d1 -> d1 d0" : tensor<6x5xf32> -> tensor<5x6xf32>
func.func @dynamic_source(%x: tensor<?x?xf32>) -> tensor<5x6xf32> {
  %c = tensor.cast %x : tensor<?x?xf32> to tensor<6x5xf32>
  %i = tensor.empty() : tensor<5x6xf32>
  %t = linalg.transpose ins(%c : tensor<6x5xf32>) outs(%i : tensor<5x6xf32>) permutation = [1, 0]
  return %t : tensor<5x6xf32>
}

// The destination says less than is known.
// CHECK-LABEL: @dynamic_dest(
// CHECK-SAME: %[[X:[^:]*]]: tensor<6x5xf32>, %[[D:[^:]*]]: tensor<?x6xf32>
// CHECK: %[[S:.*]] = tensor.cast %[[D]] : tensor<?x6xf32> to tensor<5x6xf32>
// CHECK-NEXT: %[[R:.*]] = relayout.rearrange %[[X]] into %[[S]] "d0 d1 -> d1 d0"
// CHECK-NEXT: tensor.cast %[[R]] : tensor<5x6xf32> to tensor<?x6xf32>
func.func @dynamic_dest(%x: tensor<6x5xf32>, %d: tensor<?x6xf32>) -> tensor<?x6xf32> {
  %c = tensor.cast %x : tensor<6x5xf32> to tensor<6x?xf32>
  %t = linalg.transpose ins(%c : tensor<6x?xf32>) outs(%d : tensor<?x6xf32>) permutation = [1, 0]
  return %t : tensor<?x6xf32>
}
