// RUN: relayout-opt %s --relayout-expand-tiles | FileCheck %s

// CHECK: #[[WITHIN:[a-z0-9]+]] = affine_set<(d0, d1) : (d0 * 3 + d1 - 2 >= 0, -(d0 * 3 + d1) + 13 >= 0)>
// CHECK-LABEL: func.func @copy(
// CHECK-SAME:    %[[IN:.*]]: memref<256xi32>, %[[OUT:.*]]: memref<256xi32>, %[[I:.*]]: index, %[[J:.*]]: index)
// CHECK-NEXT:    affine.for %[[A:.*]] = 0 to 4 {
// CHECK-NEXT:      affine.for %[[B:.*]] = 0 to 3 {
// CHECK-NEXT:        %[[FROM:.*]] = affine.apply #{{.*}}(%[[A]], %[[B]])
// CHECK-NEXT:        %[[SOURCE:.*]] = arith.addi %[[I]], %[[FROM]] : index
// CHECK-NEXT:        %[[ELEMENT:.*]] = memref.load %[[IN]][%[[SOURCE]]]
// CHECK-NEXT:        %[[TO:.*]] = affine.apply #{{.*}}(%[[A]], %[[B]])
// CHECK-NEXT:        %[[DEST:.*]] = arith.addi %[[J]], %[[TO]] : index
// CHECK-NEXT:        memref.store %[[ELEMENT]], %[[OUT]][%[[DEST]]]
func.func @copy(%in: memref<256xi32>, %out: memref<256xi32>, %i: index, %j: index) {
  relayout.tile %in[%i] to %out[%j] digits [4:16:1, 3:1:16] : memref<256xi32> from memref<256xi32>
  return
}

// A fill has no source, and one element has no loop.
// CHECK-LABEL: func.func @fill(
// CHECK-NOT:     affine.for
// CHECK:         %[[FILL:.*]] = arith.constant -3 : i16
// CHECK-NOT:     memref.load
// CHECK:         memref.store %[[FILL]]
func.func @fill(%out: memref<256xi16>, %j: index) {
  relayout.tile fill -3 : i16 to %out[%j] digits [1:0:1] : memref<256xi16>
  return
}

// Beyond a border nothing is read.
// CHECK-LABEL: func.func @border(
// CHECK-SAME:    %[[IN:[a-z0-9]+]]: memref<256xi16>
// CHECK:         affine.for %[[A:.*]] = 0 to 5 {
// CHECK:           affine.for %[[B:.*]] = 0 to 3 {
// CHECK:             %[[FILL:.*]] = arith.constant -3 : i16
// CHECK:             %[[ELEMENT:.*]] = affine.if #[[WITHIN:[a-z0-9]+]](%[[A]], %[[B]]) -> i16 {
// CHECK:               %[[READ:.*]] = memref.load %[[IN]]
// CHECK:               affine.yield %[[READ]] : i16
// CHECK:             } else {
// CHECK:               affine.yield %[[FILL]] : i16
// CHECK:             memref.store %[[ELEMENT]]
func.func @border(%in: memref<256xi16>, %out: memref<256xi16>, %i: index, %j: index) {
  relayout.tile %in[%i] fill -3 : i16 border [2, 14, 3, 1] to %out[%j] digits [5:3:1, 3:1:5]
      : memref<256xi16> from memref<256xi16>
  return
}

// A run is a loop over its elements.
// CHECK-LABEL: func.func @run(
// CHECK-SAME:    %[[IN:.*]]: memref<256xi32>, %[[OUT:.*]]: memref<512xi32>, %[[I:.*]]: index, %[[J:.*]]: index)
// CHECK-NEXT:    affine.for %[[A:.*]] = 0 to 37 {
// CHECK:           %[[SOURCE:.*]] = arith.addi %[[I]], %{{.*}} : index
// CHECK:           %[[DEST:.*]] = arith.addi %[[J]], %{{.*}} : index
// CHECK-NEXT:      %[[ELEMENT:.*]] = memref.load %[[IN]][%[[SOURCE]]]
// CHECK-NEXT:      memref.store %[[ELEMENT]], %[[OUT]][%[[DEST]]]
func.func @run(%in: memref<256xi32>, %out: memref<512xi32>, %i: index, %j: index) {
  relayout.run %in[%i] to %out[%j] count 37 : memref<256xi32> to memref<512xi32>
  return
}

// -----

// What is done beside a run is left out.
// CHECK-LABEL: func.func @beside
// CHECK-NOT:     prefetch
// CHECK:         affine.for %{{.*}} = 0 to 64 {
// CHECK-NOT:     prefetch
// CHECK:         return
func.func @beside(%in: memref<256xi32>, %out: memref<512xi32>, %i: index, %j: index) {
  relayout.run %in[%i] to %out[%j] count 64 every 32 {
  ^bb0(%element: index):
    memref.prefetch %in[%element], read, locality<2>, data : memref<256xi32>
  } : memref<256xi32> to memref<512xi32>
  return
}

// -----

// What is only read is left out.
// CHECK-LABEL: func.func @touch
// CHECK-NEXT:    return
func.func @touch(%in: memref<999xi32>, %i: index) {
  relayout.touch %in[%i] count 37 : memref<999xi32>
  return
}

// -----

// No line waits.
// CHECK-LABEL: func.func @kept(
// CHECK-SAME:    %[[IN:[^:]*]]: memref<999xi32>, %[[OUT:[^:]*]]: memref<999xi32>, %[[KEPT:[^:]*]]: memref<99xi32>
// CHECK-NOT:     %[[KEPT]]
// CHECK:         affine.for %{{.*}} = 0 to 3 {
// CHECK:           affine.for %{{.*}} = 0 to 16 {
// CHECK:             %[[ELEMENT:.*]] = memref.load %[[IN]]
// CHECK:             memref.store %[[ELEMENT]], %[[OUT]]
// CHECK-NOT:     %[[KEPT]]
// CHECK:         return
func.func @kept(%in: memref<999xi32>, %out: memref<999xi32>, %kept: memref<99xi32>, %i: index, %j: index, %k: index) {
  relayout.tile %in[%i] to %out[%j] keep %kept[%k] lines [16, 0] digits [3:1:99, 16:31:1] vector 64
      : memref<999xi32> from memref<999xi32> keep memref<99xi32>
  return
}
