// RUN: relayout-opt %s --relayout-vectorize="cpu=icelake-server" --split-input-file | FileCheck %s

// 32 places of a row, of which the first 3 and the last 2 lie beside the operand: the
// loads leave these out, and the fill value shows through.
// CHECK-LABEL: func.func @row
// CHECK-SAME:    (%[[IN:[a-z0-9]+]]: memref<1024xi32>, {{.*}}, %[[ALIGNED:[a-z0-9]+]]: i1)
// CHECK:         %[[FILL:.*]] = arith.constant dense<7> : vector<16xi32>
// CHECK:         %[[HEAD:.*]] = arith.constant dense<[false, false, false, true, true, true, true, true, true, true, true, true, true, true, true, true]> : vector<16xi1>
// CHECK:         vector.maskedload %[[IN]][%{{.*}}], %[[HEAD]], %[[FILL]]
// CHECK:         %[[FILLED:.*]] = arith.constant dense<7> : vector<16xi32>
// CHECK:         %[[TAIL:.*]] = arith.constant dense<[true, true, true, true, true, true, true, true, true, true, true, true, true, true, false, false]> : vector<16xi1>
// CHECK:         vector.maskedload %[[IN]][%{{.*}}], %[[TAIL]], %[[FILLED]]
// CHECK:         scf.if %[[ALIGNED]] {
// CHECK-COUNT-2:   vector.store {{.*}} {alignment = 64 : i64, nontemporal = true}
func.func @row(%in: memref<1024xi32>, %out: memref<1024xi32>, %i: index, %j: index,
               %aligned: i1) {
  relayout.tile %in[%i] fill 7 : i32 border [3, 30, 1] to %out[%j] digits [32:1:1] vector 64 non_temporal if %aligned
      : memref<1024xi32> from memref<1024xi32>
  return
}

// -----

// A vector that is all border is not read at all; one within it is an ordinary load.
// CHECK-LABEL: func.func @vectors
// CHECK-NOT:     vector.{{.*}}load
// CHECK:         arith.constant dense<7> : vector<16xi32>
// CHECK-NOT:     vector.{{.*}}load
// CHECK:         vector.store
// CHECK:         vector.load %{{.*}} : memref<1024xi32>, vector<16xi32>
// CHECK:         vector.store
// CHECK-NOT:     vector.{{.*}}load
// CHECK:         return
func.func @vectors(%in: memref<1024xi32>, %out: memref<1024xi32>, %i: index, %j: index) {
  relayout.tile %in[%i] fill 7 : i32 border [16, 40, 1] to %out[%j] digits [32:1:1] vector 64
      : memref<1024xi32> from memref<1024xi32>
  return
}
