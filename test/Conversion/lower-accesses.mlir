// RUN: relayout-opt %s --pass-pipeline='builtin.module(func.func(relayout-lower-accesses))' --split-input-file | FileCheck %s

// Each kind of access, at a distance from one address for each index and parameter.
// CHECK-LABEL: func.func @kernel
// CHECK-SAME:    (%[[IN:.+]]: !llvm.ptr, %[[OUT:.+]]: !llvm.ptr, %{{.+}}: !llvm.ptr, %[[I:.+]]: index, %[[E:.+]]: index)
// CHECK-DAG:     %[[TO:.+]] = llvm.getelementptr %[[OUT]][%{{.+}}] : (!llvm.ptr, i64) -> !llvm.ptr, i16
// CHECK-DAG:     %[[FROM:.+]] = llvm.getelementptr %[[IN]][%{{.+}}] : (!llvm.ptr, i64) -> !llvm.ptr, i16
// CHECK:         %[[A:.+]] = llvm.ptrtoint %[[OUT]] : !llvm.ptr to i64
// CHECK:         arith.index_cast %[[A]] : i64 to index
// CHECK:         %[[FIVE:.+]] = llvm.getelementptr %[[FROM]][5] : (!llvm.ptr) -> !llvm.ptr, i16
// CHECK:         %[[ROW:.+]] = llvm.load %[[FIVE]] {alignment = 2 : i64} : !llvm.ptr -> vector<4xi16>
// CHECK:         %[[THREE:.+]] = llvm.getelementptr %[[TO]][3] : (!llvm.ptr) -> !llvm.ptr, i16
// CHECK:         llvm.store %[[ROW]], %[[THREE]] {alignment = 8 : i64, nontemporal} : vector<4xi16>, !llvm.ptr
// CHECK:         %[[REST:.+]] = llvm.intr.masked.load %{{.+}}, %{{.+}}, %[[ROW]] {alignment = 2 : i32}
// CHECK:         llvm.intr.masked.store %[[REST]], %[[TO]], %{{.+}} {alignment = 2 : i32}
// CHECK:         "llvm.intr.prefetch"(%[[FROM]]) <{cache = 1 : i32, hint = 3 : i32, rw = 0 : i32}>
// CHECK:         %[[ONE:.+]] = llvm.load %{{.+}} : !llvm.ptr -> i16
// CHECK:         llvm.store %[[ONE]], %{{.+}} : i16, !llvm.ptr
// CHECK:         return %{{.+}} : index
func.func @kernel(%in: memref<3x5xi16>, %out: memref<20xi16>, %scratch: memref<0xi8>, %i: index,
                  %end: index) -> index attributes {relayout.kernel = {}} {
  %flat = memref.reinterpret_cast %in to offset: [0], sizes: [15], strides: [1]
      : memref<3x5xi16> to memref<15xi16>
  %mask = arith.constant dense<[true, false, true, true]> : vector<4xi1>
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %address = memref.extract_aligned_pointer_as_index %out : memref<20xi16> -> index
  %at5 = arith.addi %i, %c5 : index
  %row = vector.load %flat[%at5] {alignment = 2 : i64} : memref<15xi16>, vector<4xi16>
  %at3 = arith.addi %i, %c3 : index
  vector.store %row, %out[%at3] {alignment = 8 : i64, nontemporal = true} : memref<20xi16>, vector<4xi16>
  %rest = vector.maskedload %flat[%at3], %mask, %row {alignment = 2 : i64}
      : memref<15xi16>, vector<4xi1>, vector<4xi16> into vector<4xi16>
  vector.maskedstore %out[%i], %mask, %rest {alignment = 2 : i64}
      : memref<20xi16>, vector<4xi1>, vector<4xi16>
  memref.prefetch %flat[%i], read, locality<3>, data : memref<15xi16>
  %one = memref.load %flat[%end] : memref<15xi16>
  memref.store %one, %out[%end] : memref<20xi16>
  return %address : index
}

// -----

// A view that starts later, and one at a distance that no constant of an address holds.
// CHECK-LABEL: func.func @offset
// CHECK:         llvm.getelementptr %{{.+}}[9] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK:         %[[FAR:.+]] = llvm.mlir.constant(400000007 : i64) : i64
// CHECK:         llvm.getelementptr %{{.+}}[%[[FAR]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
func.func @offset(%in: memref<30xi8>, %out: memref<600000000xi8>, %scratch: memref<0xi8>, %i: index,
                  %end: index) attributes {relayout.kernel = {}} {
  %view = memref.reinterpret_cast %in to offset: [7], sizes: [20], strides: [1]
      : memref<30xi8> to memref<20xi8, strided<[1], offset: 7>>
  %far = memref.reinterpret_cast %out to offset: [7], sizes: [500000000], strides: [1]
      : memref<600000000xi8> to memref<500000000xi8, strided<[1], offset: 7>>
  %c2 = arith.constant 2 : index
  %c400m = arith.constant 400000000 : index
  %at2 = arith.addi %i, %c2 : index
  %at400m = arith.addi %i, %c400m : index
  %one = memref.load %view[%at2] : memref<20xi8, strided<[1], offset: 7>>
  memref.store %one, %far[%at400m] : memref<500000000xi8, strided<[1], offset: 7>>
  return
}

// -----

// Rows that are not flat memory, and functions that are no kernels, stay as they are.
// CHECK-LABEL: func.func @rows
// CHECK-SAME:    memref<3x5xi16>
// CHECK:         memref.load
func.func @rows(%in: memref<3x5xi16>, %out: memref<20xi16>, %scratch: memref<0xi8>, %i: index,
                %end: index) attributes {relayout.kernel = {}} {
  %one = memref.load %in[%i, %end] : memref<3x5xi16>
  memref.store %one, %out[%end] : memref<20xi16>
  return
}

// -----

// So do views whose elements do not lie side by side.
// CHECK-LABEL: func.func @strided_view
// CHECK-SAME:    memref<40xi16>
// CHECK:         memref.load
func.func @strided_view(%in: memref<40xi16>, %out: memref<20xi16>, %scratch: memref<0xi8>, %i: index,
                        %end: index) attributes {relayout.kernel = {}} {
  %second = memref.reinterpret_cast %in to offset: [0], sizes: [20], strides: [2]
      : memref<40xi16> to memref<20xi16, strided<[2]>>
  %one = memref.load %second[%i] : memref<20xi16, strided<[2]>>
  memref.store %one, %out[%i] : memref<20xi16>
  return
}

// -----

// CHECK-LABEL: func.func @no_kernel
// CHECK-SAME:    memref<20xi16>
func.func @no_kernel(%out: memref<20xi16>, %i: index, %one: i16) {
  memref.store %one, %out[%i] : memref<20xi16>
  return
}

// -----

// Vectors lie at any element where nothing else is said.
// CHECK-LABEL: func.func @unaligned
// CHECK:         llvm.load %{{.+}} {alignment = 2 : i64} : !llvm.ptr -> vector<8xi16>
// CHECK:         llvm.store %{{.+}}, %{{.+}} {alignment = 2 : i64} : vector<8xi16>, !llvm.ptr
func.func @unaligned(%in: memref<20xi16>, %out: memref<20xi16>, %scratch: memref<0xi8>, %i: index,
                     %end: index) attributes {relayout.kernel = {}} {
  %row = vector.load %in[%i] : memref<20xi16>, vector<8xi16>
  vector.store %row, %out[%i] : memref<20xi16>, vector<8xi16>
  return
}

// -----

// What LLVM does not know, and other memory spaces, are left to relayout-to-llvm.
// CHECK-LABEL: func.func @index
// CHECK-SAME:    memref<20xindex>
func.func @index(%in: memref<20xindex>, %out: memref<20xindex>, %scratch: memref<0xi8>, %i: index,
                 %end: index) attributes {relayout.kernel = {}} {
  %one = memref.load %in[%i] : memref<20xindex>
  memref.store %one, %out[%i] : memref<20xindex>
  return
}

// -----

// CHECK-LABEL: func.func @no_dimension
// CHECK-SAME:    memref<20xi16>
func.func @no_dimension(%in: memref<20xi16>, %out: memref<20xi16>, %scratch: memref<0xi8>, %i: index,
                        %end: index) attributes {relayout.kernel = {}} {
  %one = vector.load %in[%i] : memref<20xi16>, vector<i16>
  vector.store %one, %out[%i] : memref<20xi16>, vector<i16>
  return
}

// -----

// CHECK-LABEL: func.func @space
// CHECK-SAME:    memref<20xi16, 1>
func.func @space(%in: memref<20xi16, 1>, %out: memref<20xi16, 1>, %scratch: memref<0xi8>, %i: index,
                 %end: index) attributes {relayout.kernel = {}} {
  %one = memref.load %in[%i] : memref<20xi16, 1>
  memref.store %one, %out[%i] : memref<20xi16, 1>
  return
}
