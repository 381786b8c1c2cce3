// RUN: relayout-opt %s --split-input-file --relayout-vectorize="cpu=znver4" | FileCheck %s
// RUN: relayout-opt %s --split-input-file --relayout-vectorize="cpu=x86-64" | FileCheck %s

// A load of each line, which no pass leaves out though nothing uses it.
// CHECK-LABEL: func.func @lines
// CHECK-SAME:    %[[IN:[^:]*]]: memref<9999xi64>, %[[I:[^:]*]]: index
// CHECK:         %[[BASE:.*]] = memref.extract_aligned_pointer_as_index %[[IN]]
// CHECK:         %[[OFFSET:.*]] = arith.muli %[[I]], %c8
// CHECK:         %[[START:.*]] = arith.addi %[[BASE]], %[[OFFSET]]
// CHECK:         scf.for %[[AT:.*]] = %c0{{.*}} to %c488{{.*}} step %c64{{.*}} {
// CHECK-NEXT:      %[[PLACE:.*]] = arith.addi %[[START]], %[[AT]]
// CHECK-NEXT:      %[[NUMBER:.*]] = arith.index_cast %[[PLACE]] : index to i64
// CHECK-NEXT:      %[[POINTER:.*]] = llvm.inttoptr %[[NUMBER]] : i64 to !llvm.ptr
// CHECK-NEXT:      llvm.load volatile %[[POINTER]] {alignment = 4 : i64} : !llvm.ptr -> i32
// CHECK-NEXT:    }
// CHECK-NEXT:    return
func.func @lines(%in: memref<9999xi64>, %i: index) {
  relayout.touch %in[%i] count 61 : memref<9999xi64>
  return
}

// -----

// Of bytes that begin within a buffer, whose pointer is that of its first one.
// CHECK-LABEL: func.func @bytes
// CHECK-SAME:    %[[IN:[^:]*]]: memref<9999xi8, strided<[1], offset: 5>>, %[[I:[^:]*]]: index
// CHECK:         %[[BUFFER:.*]] = memref.extract_aligned_pointer_as_index %[[IN]]
// CHECK:         %[[BASE:.*]] = arith.addi %[[BUFFER]], %c5
// CHECK:         arith.addi %[[BASE]], %{{.*}}
// CHECK:         llvm.load volatile %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> i8
func.func @bytes(%in: memref<9999xi8, strided<[1], offset: 5>>, %i: index) {
  relayout.touch %in[%i] count 300 : memref<9999xi8, strided<[1], offset: 5>>
  return
}
