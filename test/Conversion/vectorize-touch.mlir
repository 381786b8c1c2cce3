// RUN: relayout-opt %s --split-input-file --relayout-vectorize="cpu=znver4" | FileCheck %s
// RUN: relayout-opt %s --split-input-file --relayout-vectorize="cpu=x86-64" | FileCheck %s

// A load of each line, which no pass leaves out though nothing uses it; a line that comes soon goes
// to the second cache. Where the first lies is opaque: LLVM would follow the loops around through
// the sum.
// CHECK-LABEL: func.func @lines
// CHECK-SAME:    %[[IN:[^:]*]]: memref<9999xi64>, %[[I:[^:]*]]: index
// CHECK:         %[[BASE:.*]] = memref.extract_aligned_pointer_as_index %[[IN]]
// CHECK:         %[[OFFSET:.*]] = arith.muli %[[I]], %c8
// CHECK:         %[[SUM:.*]] = arith.addi %[[BASE]], %[[OFFSET]]
// CHECK-NEXT:    %[[NUMBER:.*]] = arith.index_cast %[[SUM]] : index to i64
// CHECK-NEXT:    %[[FIRST:.*]] = llvm.inttoptr %[[NUMBER]] : i64 to !llvm.ptr
// CHECK-NEXT:    %[[START:.*]] = llvm.intr.launder.invariant.group %[[FIRST]] : !llvm.ptr
// CHECK:         scf.for %[[AT:.*]] = %c0{{.*}} to %c488{{.*}} step %c64{{.*}} {
// CHECK-NEXT:      %[[PLACE:.*]] = arith.index_cast %[[AT]] : index to i64
// CHECK-NEXT:      %[[POINTER:.*]] = llvm.getelementptr %[[START]][%[[PLACE]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK-NEXT:      %[[THEN:.*]] = llvm.getelementptr %[[POINTER]][256] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:      "llvm.intr.prefetch"(%[[THEN]]) <{cache = 1 : i32, hint = 2 : i32, rw = 0 : i32}>
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
