// RUN: relayout-opt %s --relayout-vectorize="cpu=icelake-server pattern-only" --canonicalize | FileCheck %s

// A tile that reads more vectors than it writes: 64 rows of 16 bytes, four of them in each vector
// that it writes. The pattern uses each of them, so that none is taken out as dead.
// CHECK-LABEL:    func.func @narrow
// CHECK-COUNT-64: vector.load {{.*}} vector<16xi8>
// CHECK-NOT:      vector.load
// CHECK-COUNT-16: vector.store {{.*}} vector<64xi8>
// CHECK-NOT:      vector.store
// CHECK:          return
func.func @narrow(%in: memref<8192xi8>, %out: memref<4096xi8>, %i: index, %j: index) {
  relayout.tile %in[%i] to %out[%j] digits [16:1:100, 64:80:1] vector 64
      : memref<4096xi8> from memref<8192xi8>
  return
}
