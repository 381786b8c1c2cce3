// RUN: relayout-opt %s --relayout-vectorize="cpu=icelake-server" --split-input-file | FileCheck %s --check-prefix=MASKS
// RUN: relayout-opt %s --relayout-vectorize="cpu=haswell" --split-input-file | FileCheck %s --check-prefix=PARTS

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
