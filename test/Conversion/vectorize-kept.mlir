// RUN: relayout-opt %s --relayout-vectorize="cpu=icelake-server" --split-input-file \
// RUN:   | FileCheck %s --check-prefixes=CHECK,BYTES
// RUN: relayout-opt %s --relayout-vectorize="cpu=skylake-avx512" --split-input-file \
// RUN:   | FileCheck %s --check-prefixes=CHECK,WORDS

// Rows of two lines that go on at both sides, straight from the registers of a tile: the first line
// is joined with what waits for it, and what is left of the second one waits for the next tile. No
// element lies across lines, so none chooses how lines are stored.
// CHECK-LABEL: func.func @kept_rows
// CHECK-SAME:    %[[OUT:[^:]*]]: memref<9999xi32>, %[[KEPT:[^:]*]]: memref<64xi32>, %{{[^:]*}}: index, %[[J:[^:]*]]: index, %[[K:[^:]*]]: index)
// CHECK-NOT:     scf.if
// CHECK:         %[[PHASE:.*]] = arith.divui
// CHECK:         %[[LINE:.*]] = arith.subi %[[J]], %[[PHASE]] : index
// CHECK:         %[[LANES:.*]] = arith.subi %{{.*}} : vector<16xi32>
// CHECK:         %[[WAITED:.*]] = arith.cmpi slt, %[[LANES]]
// CHECK:         %[[BEFORE:.*]] = vector.load %[[KEPT]][%[[K]]] {alignment = 64 : i64}
// CHECK:         %[[A:.*]] = llvm.call_intrinsic "llvm.x86.avx512.permvar.si.512"(%{{.*}}, %[[LANES]])
// CHECK:         %[[FIRST:.*]] = arith.select %[[WAITED]], %[[BEFORE]], %[[A]]
// CHECK:         vector.store %[[FIRST]], %[[OUT]][%[[LINE]]] {alignment = 64 : i64, nontemporal = true}
// CHECK:         %[[B:.*]] = llvm.call_intrinsic "llvm.x86.avx512.permvar.si.512"(%{{.*}}, %[[LANES]])
// CHECK:         %[[SECOND:.*]] = arith.select %[[WAITED]], %[[A]], %[[B]]
// CHECK:         %[[NEXT:.*]] = arith.addi %[[LINE]], %c16
// CHECK:         vector.store %[[SECOND]], %[[OUT]][%[[NEXT]]] {alignment = 64 : i64, nontemporal = true}
// CHECK:         vector.store %[[B]], %[[KEPT]][%[[K]]] {alignment = 64 : i64}
// CHECK:         %[[K16:.*]] = arith.addi %[[K]], %c16
// CHECK:         vector.load %[[KEPT]][%[[K16]]] {alignment = 64 : i64}
// CHECK:         llvm.call_intrinsic "llvm.x86.sse.sfence"
// CHECK-NEXT:    return
func.func @kept_rows(%in: memref<9999xi32>, %out: memref<9999xi32>, %kept: memref<64xi32>, %i: index, %j: index, %k: index)
    attributes {relayout.kernel = {alignment = 4 : i64}} {
  relayout.tile %in[%i] to %out[%j] keep %kept[%k] lines [16, 0] digits [2:32:99, 32:1:1] vector 64
      : memref<9999xi32> from memref<9999xi32> keep memref<64xi32>
  return
}

// -----

// Rows of bytes are turned by one permutation, or, where bytes are not permuted by a value, by two
// of words: each word of the line has the end of one and the beginning of the next.
// CHECK-LABEL: func.func @kept_bytes
// CHECK:         %[[PHASE:.*]] = arith.divui
// CHECK:         %[[LANES:.*]] = arith.subi %{{.*}} : vector<64xi8>
// CHECK:         %[[WAITED:.*]] = arith.cmpi slt, %[[LANES]]
// CHECK:         %[[BEFORE:.*]] = vector.load
// BYTES:         %[[TURNED:.*]] = llvm.call_intrinsic "llvm.x86.avx512.permvar.qi.512"(%{{.*}}, %[[LANES]])
// WORDS:         %[[WHOLE:.*]] = arith.divui %[[PHASE]], %c4
// WORDS:         %[[NEXT:.*]] = arith.addi %[[WHOLE]], %c1
// WORDS:         %[[REST:.*]] = arith.remui %[[PHASE]], %c4
// WORDS:         arith.muli %[[REST]], %c8
// WORDS:         %[[SHIFT:.*]] = vector.broadcast %{{.*}} : i32 to vector<16xi32>
// WORDS:         %[[ENDS:.*]] = llvm.call_intrinsic "llvm.x86.avx512.permvar.si.512"(
// WORDS:         %[[BEGINS:.*]] = llvm.call_intrinsic "llvm.x86.avx512.permvar.si.512"(
// WORDS:         %[[JOINED:.*]] = llvm.intr.fshl(%[[BEGINS]], %[[ENDS]], %[[SHIFT]])
// WORDS:         %[[TURNED:.*]] = vector.bitcast %[[JOINED]] : vector<16xi32> to vector<64xi8>
// CHECK:         arith.select %[[WAITED]], %[[BEFORE]], %[[TURNED]]
func.func @kept_bytes(%in: memref<9999xi8>, %out: memref<9999xi8>, %kept: memref<256xi8>, %i: index, %j: index, %k: index) {
  relayout.tile %in[%i] to %out[%j] keep %kept[%k] lines [64, 0] digits [3:1:99, 64:31:1] vector 64
      : memref<9999xi8> from memref<9999xi8> keep memref<256xi8>
  return
}
