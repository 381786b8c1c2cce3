// RUN: relayout-opt %s --pass-pipeline='builtin.module(llvm.func(relayout-float-lanes))' | FileCheck %s

// Whatever moves lanes takes floats as wide; a constant keeps its bits.
// CHECK-LABEL: llvm.func @moves
// CHECK:       %[[C:.+]] = llvm.mlir.constant(dense<[1.000000e+00, 0x7F800001, -0.000000e+00, 1.401300e-45]> : vector<4xf32>)
// CHECK:       %[[L:.+]] = llvm.intr.masked.load %{{.+}}, %{{.+}}, %[[C]] {alignment = 4 : i32} : (!llvm.ptr, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
// CHECK:       %[[T:.+]] = llvm.select %{{.+}}, %[[L]], %[[C]] : vector<4xi1>, vector<4xf32>
// CHECK:       %[[B:.+]] = llvm.bitcast %[[T]] : vector<4xf32> to vector<2xf64>
// CHECK:       %[[S:.+]] = llvm.shufflevector %[[B]], %[[B]] [1, 0] : vector<2xf64>
// CHECK:       %[[D:.+]] = llvm.bitcast %[[S]] : vector<2xf64> to vector<8xi16>
// CHECK:       llvm.store %[[D]], %{{.+}} : vector<8xi16>, !llvm.ptr
llvm.func @moves(%in: !llvm.ptr, %out: !llvm.ptr) {
  %mask = llvm.mlir.constant(dense<[true, false, true, true]> : vector<4xi1>) : vector<4xi1>
  %c = llvm.mlir.constant(dense<[1065353216, 2139095041, -2147483648, 1]> : vector<4xi32>) : vector<4xi32>
  %l = llvm.intr.masked.load %in, %mask, %c {alignment = 4 : i32} : (!llvm.ptr, vector<4xi1>, vector<4xi32>) -> vector<4xi32>
  %t = llvm.select %mask, %l, %c : vector<4xi1>, vector<4xi32>
  %b = llvm.bitcast %t : vector<4xi32> to vector<2xi64>
  %s = llvm.shufflevector %b, %b [1, 0] : vector<2xi64>
  %d = llvm.bitcast %s : vector<2xi64> to vector<8xi16>
  llvm.store %d, %out : vector<8xi16>, !llvm.ptr
  llvm.return
}

// Single lanes that are copied stay integers, but not those that meet others.
// CHECK-LABEL: llvm.func @single
// CHECK:       %[[A:.+]] = llvm.load %{{.+}} : !llvm.ptr -> vector<1xi64>
// CHECK-NEXT:  llvm.store %[[A]], %{{.+}} : vector<1xi64>, !llvm.ptr
// CHECK-NEXT:  %[[B:.+]] = llvm.load %{{.+}} : !llvm.ptr -> vector<1xf64>
// CHECK-NEXT:  llvm.shufflevector %[[B]], %[[B]] [0, -1] : vector<1xf64>
llvm.func @single(%in: !llvm.ptr, %out: !llvm.ptr) {
  %0 = llvm.load %in : !llvm.ptr -> vector<1xi64>
  llvm.store %0, %out : vector<1xi64>, !llvm.ptr
  %1 = llvm.load %in : !llvm.ptr -> vector<1xi64>
  %2 = llvm.shufflevector %1, %1 [0, -1] : vector<1xi64>
  llvm.store %2, %out : vector<2xi64>, !llvm.ptr
  llvm.return
}

// A sum needs integers, and so does all that meets it.
// CHECK-LABEL: llvm.func @sum
// CHECK-NOT:   f32
// CHECK:       llvm.return
llvm.func @sum(%in: !llvm.ptr, %out: !llvm.ptr) {
  %0 = llvm.load %in : !llvm.ptr -> vector<4xi32>
  %1 = llvm.add %0, %0 : vector<4xi32>
  llvm.store %1, %out : vector<4xi32>, !llvm.ptr
  llvm.return
}

// Who calls the function passes integers.
// CHECK-LABEL: llvm.func @argument
// CHECK-SAME:  vector<4xi32>
// CHECK-NOT:   f32
// CHECK:       llvm.return
llvm.func @argument(%a: vector<4xi32>, %out: !llvm.ptr) {
  %0 = llvm.shufflevector %a, %a [1, 0, 3, 2] : vector<4xi32>
  llvm.store %0, %out : vector<4xi32>, !llvm.ptr
  llvm.return
}
