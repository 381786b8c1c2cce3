// RUN: relayout-opt %s --relayout-vectorize="cpu=icelake-server" --split-input-file | FileCheck %s --check-prefix=MASKS
// RUN: relayout-opt %s --relayout-vectorize="cpu=haswell" --split-input-file | FileCheck %s --check-prefix=PARTS
// RUN: relayout-opt %s --relayout-vectorize="cpu=skylake-avx512" --split-input-file | FileCheck %s --check-prefix=WORDS

// With masks: what lies before the first line, whole lines past the caches, the rest.
// MASKS-LABEL: func.func @run
// MASKS:         memref.extract_aligned_pointer_as_index
// MASKS:         %[[HEAD:.*]] = arith.divui
// MASKS:         vector.maskedstore {{.*}} : memref<9999xi16>, vector<32xi1>, vector<32xi16>
// MASKS:         scf.for %{{.*}} = %[[HEAD]] to
// MASKS-COUNT-2:   vector.store {{.*}}alignment = 32 : i64, nontemporal = true{{.*}} vector<16xi16>
// MASKS:         }
// MASKS:         vector.maskedstore
// MASKS-NOT:     scf.if
// MASKS:         llvm.call_intrinsic "llvm.x86.sse.sfence"

// Without masks: parts of 16, 8, 4, 2 and 1 elements, each where its bit is set in the
// number of elements left; never a loop over elements.
// PARTS-LABEL: func.func @run
// PARTS-COUNT-5:  scf.if
// PARTS:          scf.for
// PARTS-COUNT-2:    vector.store {{.*}}alignment = 32 : i64, nontemporal = true{{.*}} vector<16xi16>
// PARTS:          }
// PARTS:          scf.if
// PARTS:            vector.store {{.*}} vector<16xi16>
// PARTS:          scf.if
// PARTS:            vector.store {{.*}} vector<8xi16>
// PARTS:          scf.if
// PARTS:            vector.store {{.*}} vector<4xi16>
// PARTS:          scf.if
// PARTS:            vector.store {{.*}} vector<2xi16>
// PARTS:          scf.if
// PARTS:            vector.store {{.*}} vector<1xi16>
// PARTS-NOT:      scf.
func.func @run(%scratch: memref<4096xi16>, %out: memref<9999xi16>, %i: index, %j: index) {
  relayout.run %scratch[%i] to %out[%j] count 300 vector 32 non_temporal
      : memref<4096xi16> to memref<9999xi16>
  return
}

// A part of a longer run. Its first line is joined with what was kept of it, two whole lines
// follow, and its end is kept. The mask makes no difference between lines that begin in the part
// and those that do not.
// MASKS-LABEL: func.func @part
// MASKS:         scf.if %[[FIRST:[^ ]*]] {
// MASKS:           vector.maskedstore
// MASKS:         } else {
// MASKS:           %[[KEPT:.*]] = vector.load %[[S:[^ ]*]][%{{.*}}] {alignment = 64 : i64} : memref<4096xi16>, vector<32xi16>
// MASKS:           %[[LINE:.*]] = vector.maskedload %[[S]][%{{.*}}], %{{.*}}, %[[KEPT]]
// MASKS:           vector.store %[[LINE]], {{.*}}nontemporal = true
// MASKS:         }
// MASKS-COUNT-4: vector.store {{.*}}alignment = 32 : i64, nontemporal = true
// MASKS:         scf.if %{{.*}} {
// MASKS:           vector.maskedstore
// MASKS:         } else {
// MASKS:           vector.store %{{.*}}, %[[S]][%{{.*}}] {alignment = 64 : i64} : memref<4096xi16>, vector<32xi16>
// MASKS:         }

// Without masks a comparison of lanes with the phase chooses between both.
// PARTS-LABEL: func.func @part
// PARTS:         } else {
// PARTS-COUNT-2:   arith.select %{{.*}} : vector<16xi1>, vector<16xi16>
// PARTS:         }
// PARTS-COUNT-4: vector.store {{.*}}alignment = 32 : i64, nontemporal = true
func.func @part(%scratch: memref<4096xi16>, %out: memref<9999xi16>, %i: index, %j: index, %k: index, %first: i1, %last: i1) {
  %none = arith.constant 0 : index
  relayout.run %scratch[%i] to %out[%j] keep %scratch[%k] repeated %none first %first last %last
      count 96 vector 32 non_temporal : memref<4096xi16> to memref<9999xi16> keep memref<4096xi16>
  return
}

// -----

// A part of as many elements as two lines have: its vectors are loaded as they were stored and
// turned to where their elements lie, so that each has the end of one line and the beginning of the
// next. The mask of those that begin in a vector joins it with the one before, or with what was
// kept.
// MASKS-LABEL: func.func @turned
// MASKS-DAG:     %[[LANES:.*]] = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]> : vector<16xi32>
// MASKS-DAG:     %[[BY:.*]] = vector.broadcast %{{.*}} : i32 to vector<16xi32>
// MASKS:         %[[FROM:.*]] = arith.subi %[[LANES]], %[[BY]] : vector<16xi32>
// MASKS:         %[[LOADED:.*]] = vector.load %[[S:[^ ]*]][
// MASKS:         %[[ONE:.*]] = llvm.call_intrinsic "llvm.x86.avx512.permvar.si.512"(%[[LOADED]], %[[FROM]])
// MASKS:         %[[LOADED2:.*]] = vector.load %[[S]][
// MASKS:         %[[TWO:.*]] = llvm.call_intrinsic "llvm.x86.avx512.permvar.si.512"(%[[LOADED2]], %[[FROM]])
// MASKS:         scf.if %{{.*}} {
// MASKS:           vector.maskedstore %{{.*}}, %[[ONE]]
// MASKS:         } else {
// MASKS:           %[[KEPT:.*]] = vector.load %[[S]][%{{.*}}] {alignment = 64 : i64}
// MASKS:           %[[HEAD:.*]] = arith.select %{{.*}}, %[[ONE]], %[[KEPT]] : vector<16xi1>, vector<16xi32>
// MASKS:           vector.store %[[HEAD]], {{.*}}nontemporal = true
// MASKS:         }
// MASKS:         %[[LINE:.*]] = arith.select %{{.*}}, %[[TWO]], %[[ONE]] : vector<16xi1>, vector<16xi32>
// MASKS:         vector.store %[[LINE]], {{.*}}nontemporal = true
// MASKS:         scf.if %{{.*}} {
// MASKS:           vector.maskedstore %{{.*}}, %[[TWO]]
// MASKS:         } else {
// MASKS:           vector.store %[[TWO]], %[[S]][%{{.*}}] {alignment = 64 : i64}
// MASKS:         }
// PARTS-LABEL: func.func @turned
// PARTS-NOT:     permvar
// PARTS:         return
// WORDS-LABEL: func.func @turned
// WORDS:         llvm.call_intrinsic "llvm.x86.avx512.permvar.si.512"
func.func @turned(%scratch: memref<4096xi32>, %out: memref<9999xi32>, %i: index, %j: index, %k: index, %first: i1, %last: i1) {
  %none = arith.constant 0 : index
  relayout.run %scratch[%i] to %out[%j] keep %scratch[%k] repeated %none first %first last %last
      count 32 vector 64 non_temporal : memref<4096xi32> to memref<9999xi32> keep memref<4096xi32>
  return
}

// -----

// Where it is known that a run goes on at both sides, nothing is asked. Bytes are turned where the
// processor permutes them; elsewhere they are loaded from where a line has them.
// MASKS-LABEL: func.func @turned_bytes
// MASKS-NOT:     scf.if
// MASKS:         llvm.call_intrinsic "llvm.x86.avx512.permvar.qi.512"
// MASKS-NOT:     scf.if
// MASKS:         vector.store {{.*}}nontemporal = true
// MASKS-NOT:     scf.if
// MASKS:         return
// WORDS-LABEL: func.func @turned_bytes
// WORDS-NOT:     permvar
// WORDS:         vector.maskedload
// WORDS:         return
func.func @turned_bytes(%scratch: memref<4096xi8>, %out: memref<9999xi8>, %i: index, %j: index, %k: index) {
  %none = arith.constant 0 : index
  %no = arith.constant false
  relayout.run %scratch[%i] to %out[%j] keep %scratch[%k] repeated %none first %no last %no
      count 64 vector 64 non_temporal : memref<4096xi8> to memref<9999xi8> keep memref<4096xi8>
  return
}

// -----

// What is done beside a run: before each 128 elements of its whole lines, from the first one on.
// MASKS-LABEL: func.func @beside
// MASKS:         %[[HEAD:.*]] = arith.divui
// MASKS:         vector.maskedstore
// MASKS:         relayout.sweep %[[HEAD]] to %{{.*}} step 128 {
// MASKS-NEXT:    ^bb0(%[[FIRST:.*]]: index, %[[END:.*]]: index):
// MASKS-NEXT:      memref.prefetch %{{.*}}[%[[FIRST]]], read, locality<2>, data
// MASKS:           scf.for %{{.*}} = %[[FIRST]] to %[[END]] step
// MASKS:             vector.store {{.*}}nontemporal = true
// MASKS:         vector.maskedstore

// PARTS-LABEL: func.func @beside
// PARTS:         relayout.sweep %{{.*}} to %{{.*}} step 128 {
// PARTS:           memref.prefetch
func.func @beside(%in: memref<9999xi32>, %scratch: memref<4096xi32>, %out: memref<9999xi32>, %i: index, %j: index) {
  relayout.run %scratch[%i] to %out[%j] count 508 vector 32 non_temporal every 128 {
  ^bb0(%element: index):
    memref.prefetch %in[%element], read, locality<2>, data : memref<9999xi32>
  } : memref<4096xi32> to memref<9999xi32>
  return
}

// -----

// A part of a longer run, even one of a few lines, from its second line on.
// MASKS-LABEL: func.func @beside_part
// MASKS:         relayout.sweep %{{.*}} to %{{.*}} step 32 {
// MASKS:           memref.prefetch
func.func @beside_part(%in: memref<9999xi32>, %scratch: memref<4096xi32>, %out: memref<9999xi32>, %i: index, %j: index, %k: index, %n: index, %f: i1) {
  relayout.run %scratch[%i] to %out[%j] keep %scratch[%k] repeated %n first %f last %f
      count 64 vector 32 non_temporal every 32 {
  ^bb0(%element: index):
    memref.prefetch %in[%element], read, locality<2>, data : memref<9999xi32>
  } : memref<4096xi32> to memref<9999xi32> keep memref<4096xi32>
  return
}
