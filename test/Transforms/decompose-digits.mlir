// RUN: relayout-opt %s --relayout-decompose | FileCheck %s
// RUN: relayout-opt %s --relayout-decompose --relayout-fuse | FileCheck %s --check-prefix=FUSED

// A view of these digits would have more dimensions than a chain is read with.
// CHECK-LABEL: @more_digits_than_dimensions
// CHECK-NEXT: %[[R:.*]] = relayout.space_to_batch
// CHECK-NEXT: return %[[R]]
// FUSED-LABEL: @more_digits_than_dimensions
// FUSED-NEXT: %[[R:.*]] = relayout.rearrange
// FUSED-NEXT: return %[[R]]
func.func @more_digits_than_dimensions(%x: tensor<1x4x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x3xui8>)
    -> tensor<65536x2x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x3xui8> {
  %0 = relayout.space_to_batch %x block_shape [2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]
      : tensor<1x4x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x3xui8>
      -> tensor<65536x2x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x3xui8>
  return %0 : tensor<65536x2x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x3xui8>
}
