// RUN: relayout-opt %s --relayout-vectorize="cpu=icelake-server" | FileCheck %s
// RUN: relayout-opt %s --relayout-vectorize="cpu=icelake-server pattern-only" \
// RUN:   | FileCheck %s --check-prefix=PATTERN

// Where the target has masks, a part of a vector is one masked access.
// CHECK-LABEL: func.func @masked
// CHECK:         %[[MASK:.*]] = arith.constant dense<{{.*}}true, true, true, false{{.*}}> : vector<{{.*}}xi1>
// CHECK:         vector.maskedload
// CHECK:         vector.maskedstore
// CHECK-NOT:     vector.store
func.func @masked(%in: memref<256xi32>, %out: memref<256xi32>, %i: index, %j: index) {
  relayout.tile %in[%i] to %out[%j] digits [11:1:1] vector 64 : memref<256xi32> from memref<256xi32>
  return
}

// Pairs of bytes move as lanes of 2 bytes, through vectors of the memref's own type.
// CHECK-LABEL: func.func @pairs
// CHECK:         vector.load {{.*}} vector<64xi8>
// CHECK:         vector.bitcast {{.*}} : vector<64xi8> to vector<32xi16>
// CHECK:         vector.shuffle {{.*}} : vector<32xi16>, vector<32xi16>
// CHECK:         vector.bitcast {{.*}} : vector<32xi16> to vector<64xi8>
// CHECK:         vector.store {{.*}} vector<64xi8>
// The pattern has the same accesses and no shuffle.
// PATTERN-LABEL: func.func @pairs
// PATTERN-COUNT-2: vector.load {{.*}} vector<64xi8>
// PATTERN-NOT:     vector.shuffle
// PATTERN-COUNT-2: vector.store {{.*}} vector<64xi8>
func.func @pairs(%in: memref<4096xi8>, %out: memref<4096xi8>, %i: index, %j: index) {
  relayout.tile %in[%i] to %out[%j] digits [2:640:2, 32:2:4, 2:1:1] vector 64
      : memref<4096xi8> from memref<4096xi8>
  return
}
