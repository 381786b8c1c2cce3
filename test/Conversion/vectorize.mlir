// RUN: relayout-opt %s --relayout-vectorize="cpu=x86-64" --split-input-file > %t
// RUN: FileCheck %s --check-prefix=LOADS < %t
// RUN: FileCheck %s --check-prefix=SHUFFLES < %t
// RUN: FileCheck %s --check-prefix=STORES < %t

// A 4x4 transpose takes two stages of one shuffle a register: 8, between 4 loads and 4
// stores of whole vectors.
// LOADS-LABEL:     func.func @transpose
// LOADS-COUNT-4:     vector.load {{.*}}alignment = 4 : i64{{.*}} vector<4xi32>
// LOADS-NOT:         load
// SHUFFLES-LABEL:  func.func @transpose
// SHUFFLES-COUNT-8:  vector.shuffle {{.*}} : vector<4xi32>, vector<4xi32>
// SHUFFLES-NOT:      vector.shuffle
// STORES-LABEL:    func.func @transpose
// STORES-COUNT-4:    vector.store {{.*}}alignment = 4 : i64{{.*}} vector<4xi32>
// STORES-NOT:        store
// STORES:            return
func.func @transpose(%in: memref<256xi32>, %out: memref<256xi32>, %i: index, %j: index) {
  relayout.tile %in[%i] to %out[%j] digits [4:16:1, 4:1:16] vector 16
      : memref<256xi32> from memref<256xi32>
  return
}

// -----

// What lies ahead is fetched once for each line, into the cache that is named.
// LOADS-LABEL:     func.func @ahead(
// LOADS-COUNT-4:     memref.prefetch {{.*}}, read, locality<2>, data
// LOADS-NOT:         memref.prefetch
// LOADS-LABEL:     func.func @ahead_in_first
// LOADS-COUNT-4:     memref.prefetch {{.*}}, read, locality<3>, data
// LOADS-NOT:         memref.prefetch
// LOADS:             return
// SHUFFLES-LABEL:  func.func @ahead(
// SHUFFLES-LABEL:  func.func @ahead_in_first
// STORES-LABEL:    func.func @ahead(
// STORES-LABEL:    func.func @ahead_in_first
func.func @ahead(%in: memref<256xi32>, %out: memref<256xi32>, %i: index, %j: index) {
  relayout.tile %in[%i] to %out[%j] digits [4:16:1, 4:1:16] vector 16 prefetch [64, 0] cache 2
      : memref<256xi32> from memref<256xi32>
  return
}
func.func @ahead_in_first(%in: memref<256xi32>, %out: memref<256xi32>, %i: index, %j: index) {
  relayout.tile %in[%i] to %out[%j] digits [4:16:1, 4:1:16] vector 16 prefetch [64, 0]
      : memref<256xi32> from memref<256xi32>
  return
}

// -----

// A kept run of 12 bytes, in vectors of 16: no access leaves the run.
// LOADS-LABEL:     func.func @short_run
// LOADS-NOT:         vector.load {{.*}}, vector<4xi32>
// LOADS:             return
// SHUFFLES-LABEL:  func.func @short_run
// STORES-LABEL:    func.func @short_run
// STORES-NOT:        vector.store {{.*}}, vector<4xi32>
// STORES:            return
func.func @short_run(%in: memref<256xi32>, %out: memref<256xi32>, %i: index, %j: index) {
  relayout.tile %in[%i] to %out[%j] digits [3:1:1] vector 16 : memref<256xi32> from memref<256xi32>
  return
}

// -----

// A fill stores a splat; non-temporal stores know that they are aligned, ordinary ones
// stand in for them where they are not, and a fence follows the last of them.
// LOADS-LABEL:     func.func @fill
// LOADS-NOT:         load
// LOADS:             return
// SHUFFLES-LABEL:  func.func @fill
// SHUFFLES-NOT:      vector.shuffle
// SHUFFLES:          return
// STORES-LABEL:    func.func @fill
// STORES-SAME:       %[[ALIGNED:[a-z0-9]+]]: i1)
// STORES:            %[[SPLAT:.*]] = arith.constant dense<7> : vector<8xi16>
// STORES:            scf.if %[[ALIGNED]] {
// STORES:              vector.store {{.*}}alignment = 16 : i64, nontemporal = true{{.*}} vector<8xi16>
// STORES:              vector.store {{.*}}alignment = 16 : i64, nontemporal = true{{.*}} vector<8xi16>
// STORES-NEXT:       } else {
// STORES:              vector.store {{.*}} {alignment = 2 : i64} : memref<256xi16>, vector<8xi16>
// STORES:              vector.store {{.*}} {alignment = 2 : i64} : memref<256xi16>, vector<8xi16>
// STORES-NEXT:       }
// STORES-NOT:        vector.store
// STORES:            llvm.call_intrinsic "llvm.x86.sse.sfence"() : () -> ()
// STORES-NEXT:       return
func.func @fill(%out: memref<256xi16>, %j: index, %aligned: i1) {
  relayout.tile fill 7 : i16 to %out[%j] digits [16:0:1] vector 16 non_temporal if %aligned : memref<256xi16>
  return
}

// -----

// The lines of later tiles are fetched once each: four rows are read 32 elements
// ahead, and one line is written 64 elements ahead.
// LOADS-LABEL:     func.func @prefetch
// LOADS-COUNT-4:     memref.prefetch {{.*}}, read, locality<3>, data
// LOADS-NOT:         , read,
// LOADS:             return
// SHUFFLES-LABEL:  func.func @prefetch
// STORES-LABEL:    func.func @prefetch
// STORES-COUNT-1:    memref.prefetch {{.*}}, write, locality<3>, data
// STORES-NOT:        , write,
// STORES:            return
func.func @prefetch(%in: memref<1024xi32>, %out: memref<1024xi32>, %i: index, %j: index) {
  relayout.tile %in[%i] to %out[%j] digits [4:1:4, 4:64:1] vector 16 prefetch [32, 64]
      : memref<1024xi32> from memref<1024xi32>
  return
}

// -----

// A tile without vectors is for relayout-expand-tiles.
// LOADS-LABEL:     func.func @scalar
// LOADS:             relayout.tile
// SHUFFLES-LABEL:  func.func @scalar
// STORES-LABEL:    func.func @scalar
func.func @scalar(%in: memref<256xi32>, %out: memref<256xi32>, %i: index, %j: index) {
  relayout.tile %in[%i] to %out[%j] digits [3:1:1] : memref<256xi32> from memref<256xi32>
  return
}
