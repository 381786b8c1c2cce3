// RUN: relayout-opt %s --pass-pipeline='builtin.module(llvm.func(relayout-tile-bases))' | FileCheck %s

// Addresses that differ in a constant have one base, wherever the constant stands in them.
// CHECK-LABEL: llvm.func @rows
// CHECK-SAME:  %[[IN:.+]]: !llvm.ptr, %[[I:.+]]: i64
// CHECK:       %[[START:.+]] = llvm.getelementptr %[[IN]][%[[I]]] : (!llvm.ptr, i64) -> !llvm.ptr, i32
// CHECK:       %[[BASE:.+]] = llvm.intr.launder.invariant.group %[[START]]
// CHECK:       llvm.load %[[BASE]] : !llvm.ptr -> vector<8xi32>
// CHECK:       %[[ROW:.+]] = llvm.getelementptr %[[BASE]][384] : (!llvm.ptr) -> !llvm.ptr, i32
// CHECK:       llvm.load %[[ROW]] : !llvm.ptr -> vector<8xi32>
llvm.func @rows(%in: !llvm.ptr, %i: i64) -> vector<8xi32> {
  %c384 = llvm.mlir.constant(384 : i64) : i64
  %0 = llvm.getelementptr %in[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  %row0 = llvm.load %0 : !llvm.ptr -> vector<8xi32>
  %1 = llvm.add %i, %c384 : i64
  %2 = llvm.getelementptr %in[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  %row1 = llvm.load %2 : !llvm.ptr -> vector<8xi32>
  %sum = llvm.add %row0, %row1 : vector<8xi32>
  llvm.return %sum : vector<8xi32>
}

// Other pointers, other indices and other element types have bases of their own, and an
// address without company stays as it is.
// CHECK-LABEL: llvm.func @apart
// CHECK-NOT:   launder
// CHECK:       llvm.return
llvm.func @apart(%in: !llvm.ptr, %out: !llvm.ptr, %i: i64, %j: i64) {
  %c4 = llvm.mlir.constant(4 : i64) : i64
  %0 = llvm.getelementptr %in[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  %a = llvm.load %0 : !llvm.ptr -> i32
  %1 = llvm.add %j, %c4 : i64
  %2 = llvm.getelementptr %in[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  llvm.store %a, %2 : i32, !llvm.ptr
  %3 = llvm.add %i, %c4 : i64
  %4 = llvm.getelementptr %in[%3] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %a, %4 : i32, !llvm.ptr
  %5 = llvm.getelementptr %out[%3] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  llvm.store %a, %5 : i32, !llvm.ptr
  llvm.return
}

// The base of an inner block is a distance from that of an outer one, and both blocks
// below have the same. Offsets that an address cannot hold are constants.
// CHECK-LABEL: llvm.func @nested
// CHECK-SAME:  %[[IN:[^ ]+]]: !llvm.ptr, %{{[^ ]+}}: i64, %[[J:[^ ]+]]: i64
// CHECK:       llvm.getelementptr %[[IN]][%{{.+}}]
// CHECK:       %[[OUTER:.+]] = llvm.intr.launder.invariant.group
// CHECK:     ^[[LOOP:.+]]:
// CHECK-NEXT:  %[[START:.+]] = llvm.getelementptr %[[OUTER]][%[[J]]]
// CHECK-NEXT:  %[[BASE:.+]] = llvm.intr.launder.invariant.group %[[START]]
// CHECK-NEXT:  llvm.load %[[BASE]]
// CHECK-NEXT:  llvm.cond_br
// CHECK:       %[[C:.+]] = llvm.mlir.constant(268435456 : i64)
// CHECK-NEXT:  llvm.getelementptr %[[BASE]][%[[C]]]
llvm.func @nested(%in: !llvm.ptr, %i: i64, %j: i64, %more: i1) {
  %far = llvm.mlir.constant(268435456 : i64) : i64
  %c2 = llvm.mlir.constant(2 : i64) : i64
  %outer = llvm.mul %i, %c2 : i64
  llvm.br ^loop
^loop:
  %index = llvm.add %outer, %j : i64
  %0 = llvm.getelementptr %in[%index] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  %a = llvm.load %0 : !llvm.ptr -> i32
  llvm.cond_br %more, ^loop, ^end
^end:
  %1 = llvm.add %index, %far : i64
  %2 = llvm.getelementptr %in[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  llvm.store %a, %2 : i32, !llvm.ptr
  llvm.return
}

// What goes on from such an address goes on from its new place, and has no base of its own.
// CHECK-LABEL: llvm.func @onwards
// CHECK-SAME:  %[[IN:[^ ]+]]: !llvm.ptr, %[[I:[^ ]+]]: i64, %[[J:[^ ]+]]: i64
// CHECK:       %[[START:.+]] = llvm.getelementptr %[[IN]][%[[I]]]
// CHECK-NEXT:  %[[BASE:.+]] = llvm.intr.launder.invariant.group %[[START]]
// CHECK:       llvm.getelementptr %[[BASE]][%[[J]]]
// CHECK:       %[[NEXT:.+]] = llvm.add %[[J]]
// CHECK:       llvm.getelementptr %[[BASE]][%[[NEXT]]]
// CHECK-NOT:   launder
// CHECK:       llvm.return
llvm.func @onwards(%in: !llvm.ptr, %i: i64, %j: i64) {
  %c4 = llvm.mlir.constant(4 : i64) : i64
  %0 = llvm.getelementptr %in[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  %1 = llvm.getelementptr %0[%j] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  %a = llvm.load %1 : !llvm.ptr -> i32
  %2 = llvm.add %j, %c4 : i64
  %3 = llvm.getelementptr %0[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  llvm.store %a, %3 : i32, !llvm.ptr
  llvm.return
}

// Sums of 32 bits may wrap where an address does not, and vectors of addresses are none of a tile.
// CHECK-LABEL: llvm.func @others
// CHECK-NOT:   launder
// CHECK:       llvm.return
llvm.func @others(%in: !llvm.ptr, %ins: vector<4x!llvm.ptr>, %i: i32, %is: vector<4xi64>, %j: i64,
                  %to: !llvm.ptr) {
  %c4 = llvm.mlir.constant(4 : i32) : i32
  %0 = llvm.getelementptr %in[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  llvm.store %0, %to : !llvm.ptr, !llvm.ptr
  %next = llvm.add %i, %c4 : i32
  %1 = llvm.getelementptr %in[%next] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  llvm.store %1, %to : !llvm.ptr, !llvm.ptr
  %2 = llvm.getelementptr %in[%is] : (!llvm.ptr, vector<4xi64>) -> vector<4x!llvm.ptr>, i32
  llvm.store %2, %to : vector<4x!llvm.ptr>, !llvm.ptr
  %3 = llvm.getelementptr %in[%is] : (!llvm.ptr, vector<4xi64>) -> vector<4x!llvm.ptr>, i32
  llvm.store %3, %to : vector<4x!llvm.ptr>, !llvm.ptr
  %4 = llvm.getelementptr %ins[%j] : (vector<4x!llvm.ptr>, i64) -> vector<4x!llvm.ptr>, i32
  llvm.store %4, %to : vector<4x!llvm.ptr>, !llvm.ptr
  %5 = llvm.getelementptr %ins[%j] : (vector<4x!llvm.ptr>, i64) -> vector<4x!llvm.ptr>, i32
  llvm.store %5, %to : vector<4x!llvm.ptr>, !llvm.ptr
  llvm.return
}

// What is not an address alone, the sum of an outer block is hidden where an inner one adds to it,
// once for both; what adds a constant, and what is a loop's own variable, is not.
// CHECK-LABEL: llvm.func @sums
// CHECK-SAME:  %[[I:[^ ]+]]: i64, %[[J:[^ ]+]]: i64
// CHECK:       %[[OUTER:.+]] = llvm.add %[[I]], %[[J]]
// CHECK-NEXT:  %[[PLACE:.+]] = llvm.inttoptr %[[OUTER]] : i64 to !llvm.ptr
// CHECK-NEXT:  %[[OPAQUE:.+]] = llvm.intr.launder.invariant.group %[[PLACE]] : !llvm.ptr
// CHECK-NEXT:  %[[HIDDEN:.+]] = llvm.ptrtoint %[[OPAQUE]] : !llvm.ptr to i64
// CHECK-NOT:   launder
// CHECK:       llvm.add %[[HIDDEN]], %[[K:.+]] : i64
// CHECK:       llvm.add %[[HIDDEN]], %[[J]] : i64
// CHECK:       llvm.add %[[OUTER]], %{{.+}} : i64
// CHECK-NOT:   launder
// CHECK:       llvm.return
llvm.func @sums(%i: i64, %j: i64, %more: i1) -> i64 {
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %outer = llvm.add %i, %j : i64
  llvm.br ^loop(%i : i64)
^loop(%k: i64):
  %x = llvm.add %outer, %k : i64
  %y = llvm.add %outer, %j : i64
  %z = llvm.add %outer, %c1 : i64
  %xy = llvm.mul %x, %y : i64
  %xyz = llvm.mul %xy, %z : i64
  llvm.cond_br %more, ^step, ^end
^step:
  %next = llvm.add %k, %j : i64
  llvm.br ^loop(%next : i64)
^end:
  llvm.return %xyz : i64
}
