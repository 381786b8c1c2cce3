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

// Four tiles side by side along rows of whole lines ask for the next lines of two rows each, by
// where they stand, and not all at once. A tile that reads whole lines asks for each row's.
// LOADS-LABEL:     func.func @near_parts(
// LOADS-SAME:        %{{.*}}, %{{.*}}, %[[I:[^:]*]]: index, %{{.*}}: index)
// LOADS-NEXT:        %[[ROW:.*]] = arith.constant 4 : index
// LOADS-NEXT:        %[[TILE:.*]] = arith.divui %[[I]], %[[ROW]]
// LOADS-NEXT:        %[[TILES:.*]] = arith.constant 4 : index
// LOADS-NEXT:        %[[TURN:.*]] = arith.remui %[[TILE]], %[[TILES]]
// LOADS-NEXT:        %[[ROWS:.*]] = arith.constant 96 : index
// LOADS:             %[[SHARE:.*]] = arith.muli %[[TURN]], %[[ROWS]]
// LOADS:             %[[BASE:.*]] = arith.addi %[[I]], %[[SHARE]]
// LOADS:             vector.load
// LOADS:             %[[C16:.*]] = arith.constant 16 : index
// LOADS:             %[[FIRST:.*]] = arith.addi %[[BASE]], %[[C16]]
// LOADS:             memref.prefetch %{{.*}}[%[[FIRST]]], read, locality<3>, data
// LOADS:             vector.load
// LOADS:             %[[C64:.*]] = arith.constant 64 : index
// LOADS:             %[[SECOND:.*]] = arith.addi %[[BASE]], %[[C64]]
// LOADS:             memref.prefetch %{{.*}}[%[[SECOND]]], read, locality<3>, data
// LOADS-NOT:         memref.prefetch
// LOADS-LABEL:     func.func @near_lines(
// LOADS-SAME:        %{{.*}}, %{{.*}}, %[[I:[^:]*]]: index, %{{.*}}: index)
// LOADS-NOT:         arith.divui
// LOADS:             vector.load
// LOADS:             %[[C16:.*]] = arith.constant 16 : index
// LOADS:             %[[FIRST:.*]] = arith.addi %[[I]], %[[C16]]
// LOADS:             memref.prefetch %{{.*}}[%[[FIRST]]], read, locality<3>, data
// LOADS:             vector.load
// LOADS:             %[[C64:.*]] = arith.constant 64 : index
// LOADS:             %[[SECOND:.*]] = arith.addi %[[I]], %[[C64]]
// LOADS:             memref.prefetch %{{.*}}[%[[SECOND]]], read, locality<3>, data
// LOADS-NOT:         memref.prefetch
// LOADS:             return
// SHUFFLES-LABEL:  func.func @near_parts(
// SHUFFLES-LABEL:  func.func @near_lines(
// STORES-LABEL:    func.func @near_parts(
// STORES-LABEL:    func.func @near_lines(
func.func @near_parts(%in: memref<4096xi32>, %out: memref<4096xi32>, %i: index, %j: index) {
  relayout.tile %in[%i] to %out[%j] digits [8:48:1, 4:1:8] vector 16 near 16
      : memref<4096xi32> from memref<4096xi32>
  return
}
func.func @near_lines(%in: memref<4096xi32>, %out: memref<4096xi32>, %i: index, %j: index) {
  relayout.tile %in[%i] to %out[%j] digits [2:48:1, 16:1:2] vector 16 near 16
      : memref<4096xi32> from memref<4096xi32>
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
