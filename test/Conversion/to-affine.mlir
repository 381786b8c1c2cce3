// RUN: relayout-opt %s --relayout-to-affine --split-input-file | FileCheck %s

// The example of the pass.
// CHECK-LABEL: func.func @padded_transpose(
// CHECK-SAME:    %[[IN:.*]]: memref<2x3xi32>, %[[OUT:.*]]: memref<5x2xi32>)
// CHECK-NEXT:    %[[FILL:.*]] = arith.constant -1 : i32
// CHECK-NEXT:    %[[A:.*]] = memref.reinterpret_cast %[[IN]] to offset: [0], sizes: [6], strides: [1] : memref<2x3xi32> to memref<6xi32>
// CHECK-NEXT:    %[[B:.*]] = memref.reinterpret_cast %[[OUT]] to offset: [0], sizes: [10], strides: [1] : memref<5x2xi32> to memref<10xi32>
// CHECK-NEXT:    affine.for %[[W:.*]] = 2 to 5 {
// CHECK-NEXT:      affine.for %[[H:.*]] = 0 to 2 {
// CHECK-NEXT:        %[[E:.*]] = affine.load %[[A]][%[[W]] + %[[H]] * 3 - 2] : memref<6xi32>
// CHECK-NEXT:        affine.store %[[E]], %[[B]][%[[W]] * 2 + %[[H]]] : memref<10xi32>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    affine.for %[[W:.*]] = 0 to 2 {
// CHECK-NEXT:      affine.for %[[H:.*]] = 0 to 2 {
// CHECK-NEXT:        affine.store %[[FILL]], %[[B]][%[[W]] * 2 + %[[H]]] : memref<10xi32>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    return
func.func @padded_transpose(%in: memref<2x3xi32>, %out: memref<5x2xi32>) {
  relayout.rearrange %in into %out "h w -> w h" pad [0:0, 2:0] value -1 : i32
      : memref<2x3xi32>, memref<5x2xi32>
  return
}

// -----

// A named operation. Batch and height are one digit, block column and depth another.
// CHECK-LABEL: func.func @depth_to_space
// CHECK:         affine.for %[[NH:.*]] = 0 to 6 {
// CHECK-NEXT:      affine.for %[[BY:.*]] = 0 to 2 {
// CHECK-NEXT:        affine.for %[[W:.*]] = 0 to 5 {
// CHECK-NEXT:          affine.for %[[C:.*]] = 0 to 6 {
// CHECK-NEXT:            %[[E:.*]] = affine.load %{{.*}}[%[[NH]] * 60 + %[[BY]] * 6 + %[[W]] * 12 + %[[C]]] : memref<360xf32>
// CHECK-NEXT:            affine.store %[[E]], %{{.*}}[%[[NH]] * 60 + %[[BY]] * 30 + %[[W]] * 6 + %[[C]]] : memref<360xf32>
// CHECK-NOT:     affine.for
func.func @depth_to_space(%in: memref<2x3x5x12xf32>, %out: memref<2x6x10x3xf32>) {
  relayout.depth_to_space %in into %out block_size [2] mode blocks_first layout NHWC
      : memref<2x3x5x12xf32>, memref<2x6x10x3xf32>
  return
}

// -----

// Crops inside of digits: the first and the other rows, whole and half columns.
// The operand's strides are n 180, by 90, bx 45, c 15, h 5, w 1; those of the cropped
// result n 135, c 45, h 18, by 9, w 2, bx 1, all less the one row that is cropped.
// CHECK-LABEL: func.func @crops
// CHECK:         %[[A:.*]] = memref.reinterpret_cast %{{.*}} : memref<2x12x3x5xi8> to memref<360xi8>
// CHECK-NEXT:    %[[B:.*]] = memref.reinterpret_cast %{{.*}} : memref<2x3x5x9xi8> to memref<270xi8>
// CHECK:         affine.for %[[N:.*]] = 0 to 2 {
// CHECK-NEXT:      affine.for %[[C:.*]] = 0 to 3 {
// CHECK-NEXT:        affine.for %[[W:.*]] = 0 to 4 {
// CHECK-NEXT:          affine.for %[[BX:.*]] = 0 to 2 {
// CHECK-NEXT:            %[[E:.*]] = affine.load %[[A]][%[[N]] * 180 + %[[C]] * 15 + %[[W]] + %[[BX]] * 45 + 90]
// CHECK-NEXT:            affine.store %[[E]], %[[B]][%[[N]] * 135 + %[[C]] * 45 + %[[W]] * 2 + %[[BX]]]
// CHECK:         affine.for %[[N:.*]] = 0 to 2 {
// CHECK-NEXT:      affine.for %[[C:.*]] = 0 to 3 {
// CHECK-NEXT:        %[[E:.*]] = affine.load %[[A]][%[[N]] * 180 + %[[C]] * 15 + 94]
// CHECK-NEXT:        affine.store %[[E]], %[[B]][%[[N]] * 135 + %[[C]] * 45 + 8]
// CHECK:         affine.for %[[N:.*]] = 0 to 2 {
// CHECK-NEXT:      affine.for %[[C:.*]] = 0 to 3 {
// CHECK-NEXT:        affine.for %[[H:.*]] = 1 to 3 {
// CHECK-NEXT:          affine.for %[[BY:.*]] = 0 to 2 {
// CHECK-NEXT:            affine.for %[[W:.*]] = 0 to 4 {
// CHECK-NEXT:              affine.for %[[BX:.*]] = 0 to 2 {
// CHECK-NEXT:                %[[E:.*]] = affine.load %[[A]][%[[N]] * 180 + %[[C]] * 15 + %[[H]] * 5 + %[[BY]] * 90 + %[[W]] + %[[BX]] * 45]
// CHECK-NEXT:                affine.store %[[E]], %[[B]][%[[N]] * 135 + %[[C]] * 45 + %[[H]] * 18 + %[[BY]] * 9 + %[[W]] * 2 + %[[BX]] - 9]
// CHECK:         affine.for %[[N:.*]] = 0 to 2 {
// CHECK-NEXT:      affine.for %[[C:.*]] = 0 to 3 {
// CHECK-NEXT:        affine.for %[[H:.*]] = 1 to 3 {
// CHECK-NEXT:          affine.for %[[BY:.*]] = 0 to 2 {
// CHECK-NEXT:            %[[E:.*]] = affine.load %[[A]][%[[N]] * 180 + %[[C]] * 15 + %[[H]] * 5 + %[[BY]] * 90 + 4]
// CHECK-NEXT:            affine.store %[[E]], %[[B]][%[[N]] * 135 + %[[C]] * 45 + %[[H]] * 18 + %[[BY]] * 9 - 1]
// CHECK-NOT:     affine.for
func.func @crops(%in: memref<2x12x3x5xi8>, %out: memref<2x3x5x9xi8>) {
  relayout.rearrange %in into %out "n (by bx c) h w -> n c (h by) (w bx)"
      sizes {bx = 2, by = 2} crop [0:0, 0:0, 1:0, 0:1] : memref<2x12x3x5xi8>, memref<2x3x5x9xi8>
  return
}

// -----

// Strides and offsets of both sides; the widest element.
// CHECK-LABEL: func.func @strided
// CHECK-SAME:    %[[IN:.*]]: memref<2x3xi128, strided<[8, 2], offset: 5>>, %[[OUT:.*]]: memref<3x2xi128, strided<[4, 1]>>)
// CHECK-NEXT:    %[[A:.*]] = memref.reinterpret_cast %[[IN]] to offset: [5], sizes: [13], strides: [1] : memref<2x3xi128, strided<[8, 2], offset: 5>> to memref<13xi128, strided<[1], offset: 5>>
// CHECK-NEXT:    %[[B:.*]] = memref.reinterpret_cast %[[OUT]] to offset: [0], sizes: [10], strides: [1] : memref<3x2xi128, strided<[4, 1]>> to memref<10xi128>
// CHECK-NEXT:    affine.for %[[X:.*]] = 0 to 3 {
// CHECK-NEXT:      affine.for %[[Y:.*]] = 0 to 2 {
// CHECK-NEXT:        %[[E:.*]] = affine.load %[[A]][%[[X]] * 2 + %[[Y]] * 8]
// CHECK-NEXT:        affine.store %[[E]], %[[B]][%[[X]] * 4 + %[[Y]]]
func.func @strided(%in: memref<2x3xi128, strided<[8, 2], offset: 5>>,
                   %out: memref<3x2xi128, strided<[4, 1]>>) {
  relayout.rearrange %in into %out "a b -> b a"
      : memref<2x3xi128, strided<[8, 2], offset: 5>>, memref<3x2xi128, strided<[4, 1]>>
  return
}

// -----

// A float is as good as an integer as long as nothing, or a float, fills.
// CHECK-LABEL: func.func @floats
// CHECK-NEXT:    %[[FILL:.*]] = arith.constant 0.000000e+00 : f64
// CHECK:         affine.store %[[FILL]], %{{.*}}[%{{.*}}] : memref<4xf64>
func.func @floats(%in: memref<2xf64>, %out: memref<4xf64>) {
  relayout.rearrange %in into %out "a -> a" pad [2:0] : memref<2xf64>, memref<4xf64>
  return
}

// -----

// In a kernel the first digit's loop is cut to the units: 5 rows of the result.
// CHECK:       #[[$FROM2:.*]] = affine_map<()[s0] -> (2, s0)>
// CHECK:       #[[$TO5:.*]] = affine_map<()[s0] -> (5, s0)>
// CHECK:       #[[$FROM0:.*]] = affine_map<()[s0] -> (0, s0)>
// CHECK-LABEL: func.func @kernel(
// CHECK-SAME:    %[[BEGIN:[a-z0-9]*]]: index, %[[END:[a-z0-9]*]]: index)
// CHECK-SAME:    relayout.kernel = {alignment = 4 : i64, input_bytes = 24 : i64, output_bytes = 40 : i64, scratch_bytes = 0 : i64, units = 5 : i64}
// CHECK:         affine.for %{{.*}} = max #[[$FROM2]]()[%[[BEGIN]]] to min #[[$TO5]]()[%[[END]]] {
// CHECK-NEXT:      affine.for %{{.*}} = 0 to 2 {
// CHECK:         affine.for %{{.*}} = max #[[$FROM0]]()[%[[BEGIN]]] to min #[[$FROM2]]()[%[[END]]] {
func.func @kernel(%in: memref<2x3xi32>, %out: memref<5x2xi32>, %scratch: memref<0xi8>,
                  %begin: index, %end: index)
    attributes {relayout.kernel = {alignment = 4 : i64, input_bytes = 24 : i64,
                                   output_bytes = 40 : i64, scratch_bytes = 0 : i64}} {
  relayout.rearrange %in into %out "h w -> w h" pad [0:0, 2:0] value -1 : i32
      : memref<2x3xi32>, memref<5x2xi32>
  return
}

// -----

// A single element is one unit.
// CHECK:       #[[$FROM0:.*]] = affine_map<()[s0] -> (0, s0)>
// CHECK:       #[[$TO1:.*]] = affine_map<()[s0] -> (1, s0)>
// CHECK-LABEL: func.func @scalar
// CHECK-SAME:    units = 1 : i64
// CHECK:         affine.for %{{.*}} = max #[[$FROM0]]()[%{{.*}}] to min #[[$TO1]]()[%{{.*}}] {
// CHECK-NEXT:      %[[E:.*]] = affine.load
// CHECK-NEXT:      affine.store %[[E]]
func.func @scalar(%in: memref<i8>, %out: memref<i8>, %scratch: memref<0xi8>, %begin: index,
                  %end: index) attributes {relayout.kernel = {}} {
  relayout.rearrange %in into %out "->" : memref<i8>, memref<i8>
  return
}

// -----

// A kernel that is a plain copy says so: rows 2 to 5 of 7, 15 elements of 2 bytes each.
// CHECK-LABEL: func.func @copy
// CHECK-SAME:    copy_bytes = 120 : i64, copy_from = 60 : i64, copy_to = 0 : i64
func.func @copy(%in: memref<7x15xi16>, %out: memref<4x15xi16>, %scratch: memref<0xi8>,
                %begin: index, %end: index) attributes {relayout.kernel = {}} {
  relayout.rearrange %in into %out "a b -> a b" crop [2:1, 0:0] : memref<7x15xi16>, memref<4x15xi16>
  return
}

// -----

// Nothing to do.
// CHECK-LABEL: func.func @empty
// CHECK-SAME:    units = 0 : i64
// CHECK-NEXT:    return
func.func @empty(%in: memref<0x9xi16>, %out: memref<9x0xi16>, %scratch: memref<0xi8>,
                 %begin: index, %end: index) attributes {relayout.kernel = {}} {
  relayout.rearrange %in into %out "a b -> b a" : memref<0x9xi16>, memref<9x0xi16>
  return
}

// -----

// Operations on tensors stay.
// CHECK-LABEL: func.func @tensors
// CHECK:         relayout.rearrange
func.func @tensors(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %r = relayout.rearrange %x "a b -> b a" : tensor<2x3xf32> -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}

// -----

// A function within another has loops of its own.
// CHECK-LABEL: func.func @outer
// CHECK:         relayout.rearrange
// CHECK:         affine.for
func.func @outer(%in: memref<2x3xi8>, %out: memref<3x2xi8>) {
  builtin.module {
    func.func @inner(%x: memref<2x3xi8>, %y: memref<3x2xi8>) attributes {relayout.kernel = {}} {
      relayout.rearrange %x into %y "a b -> b a" : memref<2x3xi8>, memref<3x2xi8>
      return
    }
  }
  relayout.rearrange %in into %out "a b -> b a" : memref<2x3xi8>, memref<3x2xi8>
  return
}
