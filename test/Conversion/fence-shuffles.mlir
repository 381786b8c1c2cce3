// RUN: relayout-opt %s --pass-pipeline='builtin.module(llvm.func(relayout-fence-shuffles))' | FileCheck %s

// A result that another shuffle takes is fenced, the last one is not.
// CHECK-LABEL: llvm.func @two
// CHECK:       %[[S:.+]] = llvm.shufflevector %{{.+}}, %{{.+}} [0, 4, 1, 5] : vector<4xi32>
// CHECK:       %[[F:.+]] = llvm.bitcast %[[S]] : vector<4xi32> to vector<4xf32>
// CHECK:       %[[G:.+]] = llvm.call_intrinsic "llvm.arithmetic.fence"(%[[F]])
// CHECK:       %[[B:.+]] = llvm.bitcast %[[G]] : vector<4xf32> to vector<4xi32>
// CHECK:       llvm.shufflevector %[[B]], %{{.+}} [0, 4, 1, 5] : vector<4xi32>
// CHECK-NOT:   fence
// CHECK:       llvm.return
llvm.func @two(%a: vector<4xi32>, %b: vector<4xi32>) -> vector<4xi32> {
  %0 = llvm.shufflevector %a, %b [0, 4, 1, 5] : vector<4xi32>
  %1 = llvm.shufflevector %0, %b [0, 4, 1, 5] : vector<4xi32>
  llvm.return %1 : vector<4xi32>
}

// A stored result is not fenced.
// CHECK-LABEL: llvm.func @stored
// CHECK-NOT:   fence
// CHECK:       llvm.return
llvm.func @stored(%a: vector<16xi8>, %b: vector<16xi8>, %out: !llvm.ptr) {
  %0 = llvm.shufflevector %a, %b [0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23] : vector<16xi8>
  llvm.store %0, %out : vector<16xi8>, !llvm.ptr
  llvm.return
}

// One is whose bytes are those of four vectors in turn, if LLVM has a sequence for as many.
// CHECK-LABEL: llvm.func @stored_in_turn
// CHECK:       %[[G:.+]] = llvm.call_intrinsic "llvm.arithmetic.fence"
// CHECK-NEXT:  %[[B:.+]] = llvm.bitcast %[[G]] : vector<8xf32> to vector<32xi8>
// CHECK-NEXT:  llvm.store %[[B]]
// CHECK-NOT:   fence
// CHECK:       llvm.return
llvm.func @stored_in_turn(%a: vector<32xi8>, %b: vector<32xi8>, %c: vector<4xi32>, %out: !llvm.ptr) {
  %0 = llvm.shufflevector %a, %b [0, 16, 32, 48, 1, 17, 33, 49, 2, 18, 34, 50, 3, 19, 35, 51, 4, 20, 36, 52, 5, 21, 37, 53, 6, 22, 38, 54, 7, 23, 39, 55] : vector<32xi8>
  llvm.store %0, %out : vector<32xi8>, !llvm.ptr
  %1 = llvm.shufflevector %c, %c [0, 2, 1, 3] : vector<4xi32>
  llvm.store %1, %out : vector<4xi32>, !llvm.ptr
  llvm.return
}

// Of fewer bytes, or of lanes of more, it has none.
// CHECK-LABEL: llvm.func @stored_in_turn_narrow
// CHECK-NOT:   fence
// CHECK:       llvm.return
llvm.func @stored_in_turn_narrow(%a: vector<16xi8>, %b: vector<32xi16>, %out: !llvm.ptr) {
  %0 = llvm.shufflevector %a, %a [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15] : vector<16xi8>
  llvm.store %0, %out : vector<16xi8>, !llvm.ptr
  %1 = llvm.shufflevector %b, %b [0, 8, 16, 24, 1, 9, 17, 25, 2, 10, 18, 26, 3, 11, 19, 27, 4, 12, 20, 28, 5, 13, 21, 29, 6, 14, 22, 30, 7, 15, 23, 31] : vector<32xi16>
  llvm.store %1, %out : vector<32xi16>, !llvm.ptr
  llvm.return
}

// The lanes may change on the way.
// CHECK-LABEL: llvm.func @through_cast
// CHECK:       llvm.bitcast %{{.+}} : vector<32xi8> to vector<8xf32>
// CHECK:       "llvm.arithmetic.fence"
llvm.func @through_cast(%a: vector<32xi8>, %b: vector<16xi16>) -> vector<16xi16> {
  %0 = llvm.shufflevector %a, %a [1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14, 17, 16,
                                  19, 18, 21, 20, 23, 22, 25, 24, 27, 26, 29, 28, 31, 30] : vector<32xi8>
  %1 = llvm.bitcast %0 : vector<32xi8> to vector<16xi16>
  %2 = llvm.shufflevector %1, %b [0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23] : vector<16xi16>
  llvm.return %2 : vector<16xi16>
}

// 16 bytes at their place are an insertion; what widened them is gone.
// CHECK-LABEL: llvm.func @part
// CHECK-SAME:  %[[V:.+]]: vector<8xi32>, %[[P:.+]]: vector<4xi32>
// CHECK-NEXT:  %[[I:.+]] = llvm.intr.vector.insert %[[P]], %[[V]][4] : vector<4xi32> into vector<8xi32>
// CHECK-NEXT:  llvm.return %[[I]]
llvm.func @part(%v: vector<8xi32>, %p: vector<4xi32>) -> vector<8xi32> {
  %0 = llvm.shufflevector %p, %p [-1, -1, -1, -1, 0, 1, 2, 3] : vector<4xi32>
  %1 = llvm.shufflevector %v, %0 [0, 1, 2, 3, 12, 13, 14, 15] : vector<8xi32>
  llvm.return %1 : vector<8xi32>
}

// Two parts at the start of a register for four are a register of their own, which is fenced.
// CHECK-LABEL: llvm.func @pair
// CHECK-SAME:  %[[A:.+]]: !llvm.ptr
// CHECK-NEXT:  %[[P:.+]] = llvm.load %[[A]]
// CHECK-NEXT:  %[[Q:.+]] = llvm.load %[[A]]
// CHECK-NEXT:  %[[S:.+]] = llvm.shufflevector %[[P]], %[[Q]] [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>
// CHECK-NEXT:  %[[F:.+]] = llvm.bitcast %[[S]] : vector<8xi32> to vector<8xf32>
// CHECK-NEXT:  %[[G:.+]] = llvm.call_intrinsic "llvm.arithmetic.fence"(%[[F]]) : (vector<8xf32>) -> vector<8xf32>
// CHECK-NEXT:  %[[B:.+]] = llvm.bitcast %[[G]] : vector<8xf32> to vector<8xi32>
// CHECK-NEXT:  %[[W:.+]] = llvm.shufflevector %[[B]], %[[B]] [0, 1, 2, 3, 4, 5, 6, 7, -1, -1, -1, -1, -1, -1, -1, -1] : vector<8xi32>
// CHECK-NEXT:  llvm.return %[[W]]
llvm.func @pair(%a: !llvm.ptr) -> vector<16xi32> {
  %p = llvm.load %a : !llvm.ptr -> vector<4xi32>
  %q = llvm.load %a : !llvm.ptr -> vector<4xi32>
  %0 = llvm.shufflevector %p, %p [0, 1, 2, 3, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1] : vector<4xi32>
  %1 = llvm.shufflevector %q, %q [-1, -1, -1, -1, 0, 1, 2, 3, -1, -1, -1, -1, -1, -1, -1, -1] : vector<4xi32>
  %2 = llvm.shufflevector %0, %1 [0, 1, 2, 3, 20, 21, 22, 23, 8, 9, 10, 11, 12, 13, 14, 15] : vector<16xi32>
  llvm.return %2 : vector<16xi32>
}

// Two that fill their register, what is not at its start, or from memory, are inserted.
// CHECK-LABEL: llvm.func @no_pair
// CHECK-SAME:  %{{.+}}: !llvm.ptr, %[[V:.+]]: vector<16xi32>, %[[R:.+]]: vector<4xi32>
// CHECK:       %[[P:.+]] = llvm.load
// CHECK:       %[[Q:.+]] = llvm.load
// CHECK:       llvm.intr.vector.insert %[[Q]], %{{.+}}[4] : vector<4xi32> into vector<8xi32>
// CHECK:       llvm.intr.vector.insert %[[Q]], %[[V]][4] : vector<4xi32> into vector<16xi32>
// CHECK:       llvm.intr.vector.insert %[[R]], %{{.+}}[4] : vector<4xi32> into vector<16xi32>
llvm.func @no_pair(%a: !llvm.ptr, %v: vector<16xi32>, %r: vector<4xi32>)
    -> !llvm.struct<(vector<8xi32>, vector<16xi32>, vector<16xi32>)> {
  %p = llvm.load %a : !llvm.ptr -> vector<4xi32>
  %q = llvm.load %a : !llvm.ptr -> vector<4xi32>
  %0 = llvm.shufflevector %p, %p [0, 1, 2, 3, -1, -1, -1, -1] : vector<4xi32>
  %1 = llvm.shufflevector %q, %q [-1, -1, -1, -1, 0, 1, 2, 3] : vector<4xi32>
  %2 = llvm.shufflevector %0, %1 [0, 1, 2, 3, 12, 13, 14, 15] : vector<8xi32>
  %3 = llvm.shufflevector %q, %q [-1, -1, -1, -1, 0, 1, 2, 3, -1, -1, -1, -1, -1, -1, -1, -1] : vector<4xi32>
  %4 = llvm.shufflevector %v, %3 [0, 1, 2, 3, 20, 21, 22, 23, 8, 9, 10, 11, 12, 13, 14, 15] : vector<16xi32>
  %5 = llvm.shufflevector %p, %p [0, 1, 2, 3, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1] : vector<4xi32>
  %6 = llvm.shufflevector %r, %r [-1, -1, -1, -1, 0, 1, 2, 3, -1, -1, -1, -1, -1, -1, -1, -1] : vector<4xi32>
  %7 = llvm.shufflevector %5, %6 [0, 1, 2, 3, 20, 21, 22, 23, 8, 9, 10, 11, 12, 13, 14, 15] : vector<16xi32>
  %8 = llvm.mlir.poison : !llvm.struct<(vector<8xi32>, vector<16xi32>, vector<16xi32>)>
  %9 = llvm.insertvalue %2, %8[0] : !llvm.struct<(vector<8xi32>, vector<16xi32>, vector<16xi32>)>
  %10 = llvm.insertvalue %4, %9[1] : !llvm.struct<(vector<8xi32>, vector<16xi32>, vector<16xi32>)>
  %11 = llvm.insertvalue %7, %10[2] : !llvm.struct<(vector<8xi32>, vector<16xi32>, vector<16xi32>)>
  llvm.return %11 : !llvm.struct<(vector<8xi32>, vector<16xi32>, vector<16xi32>)>
}

// What is cast to lanes is loaded as such, so that two are a pair.
// CHECK-LABEL: llvm.func @wide_lanes
// CHECK:       %[[P:.+]] = llvm.load %{{.+}} : !llvm.ptr -> vector<2xf64>
// CHECK-NEXT:  %[[Q:.+]] = llvm.load %{{.+}} {alignment = 8 : i64} : !llvm.ptr -> vector<2xf64>
// CHECK-NEXT:  %[[W:.+]] = llvm.load %{{.+}} : !llvm.ptr -> vector<2xi128>
// CHECK-NEXT:  %[[S:.+]] = llvm.shufflevector %[[P]], %[[Q]] [0, 1, 2, 3] : vector<2xf64>
// CHECK-NEXT:  llvm.call_intrinsic "llvm.arithmetic.fence"(%[[S]])
// CHECK:       llvm.store %[[W]]
llvm.func @wide_lanes(%a: !llvm.ptr, %out: !llvm.ptr) -> vector<8xf64> {
  %0 = llvm.load %a : !llvm.ptr -> vector<1xi128>
  %1 = llvm.load %a {alignment = 8 : i64} : !llvm.ptr -> vector<1xi128>
  %whole = llvm.load %a : !llvm.ptr -> vector<2xi128>
  %p = llvm.bitcast %0 : vector<1xi128> to vector<2xf64>
  %q = llvm.bitcast %1 : vector<1xi128> to vector<2xf64>
  %2 = llvm.shufflevector %p, %p [0, 1, -1, -1, -1, -1, -1, -1] : vector<2xf64>
  %3 = llvm.shufflevector %q, %q [-1, -1, 0, 1, -1, -1, -1, -1] : vector<2xf64>
  %4 = llvm.shufflevector %2, %3 [0, 1, 10, 11, 4, 5, 6, 7] : vector<8xf64>
  llvm.store %whole, %out : vector<2xi128>, !llvm.ptr
  llvm.return %4 : vector<8xf64>
}

// Not at a multiple of their size, in another order, fewer than 16 bytes: shuffles.
// CHECK-LABEL: llvm.func @no_part
// CHECK-NOT:   vector.insert
// CHECK:       llvm.return
llvm.func @no_part(%v: vector<8xi32>, %p: vector<4xi32>, %q: vector<2xi32>) -> vector<8xi32> {
  %0 = llvm.shufflevector %p, %p [-1, -1, 0, 1, 2, 3, -1, -1] : vector<4xi32>
  %1 = llvm.shufflevector %v, %0 [0, 1, 10, 11, 12, 13, 6, 7] : vector<8xi32>
  %2 = llvm.shufflevector %p, %p [-1, -1, -1, -1, 1, 0, 2, 3] : vector<4xi32>
  %3 = llvm.shufflevector %1, %2 [0, 1, 2, 3, 12, 13, 14, 15] : vector<8xi32>
  %4 = llvm.shufflevector %q, %q [-1, -1, 0, 1, -1, -1, -1, -1] : vector<2xi32>
  %5 = llvm.shufflevector %3, %4 [0, 1, 10, 11, 4, 5, 6, 7] : vector<8xi32>
  llvm.return %5 : vector<8xi32>
}

// Floats need no cast.
// CHECK-LABEL: llvm.func @floats
// CHECK-NOT:   bitcast
// CHECK:       %[[S:.+]] = llvm.shufflevector
// CHECK-NEXT:  %[[G:.+]] = llvm.call_intrinsic "llvm.arithmetic.fence"(%[[S]]) : (vector<4xf64>) -> vector<4xf64>
// CHECK-NEXT:  llvm.shufflevector %[[G]], %{{.+}} [0, 4, 1, 5] : vector<4xf64>
llvm.func @floats(%a: vector<4xf64>, %b: vector<4xf64>) -> vector<4xf64> {
  %0 = llvm.shufflevector %a, %b [0, 4, 1, 5] : vector<4xf64>
  %1 = llvm.shufflevector %0, %b [0, 4, 1, 5] : vector<4xf64>
  llvm.return %1 : vector<4xf64>
}

// Of a masked load and zeros, LLVM would make an expanding load without the mask.
// CHECK-LABEL: llvm.func @masked_load
// CHECK:       %[[L:.+]] = llvm.intr.masked.load
// CHECK-NEXT:  %[[G:.+]] = llvm.call_intrinsic "llvm.arithmetic.fence"(%[[L]]) : (vector<8xf64>) -> vector<8xf64>
// CHECK:       llvm.shufflevector %{{.+}}, %[[G]] [0, 1, 2, 3, 4, 8, 9, 10] : vector<8xf64>
llvm.func @masked_load(%from: !llvm.ptr, %mask: vector<8xi1>) -> vector<8xf64> {
  %zeros = llvm.mlir.constant(dense<0.0> : vector<8xf64>) : vector<8xf64>
  %0 = llvm.intr.masked.load %from, %mask, %zeros {alignment = 8 : i32} : (!llvm.ptr, vector<8xi1>, vector<8xf64>) -> vector<8xf64>
  %1 = llvm.shufflevector %zeros, %0 [0, 1, 2, 3, 4, 8, 9, 10] : vector<8xf64>
  llvm.return %1 : vector<8xf64>
}

// Among lanes that it does not know it keeps the mask.
// CHECK-LABEL: llvm.func @masked_load_apart
// CHECK-NOT:   fence
// CHECK:       llvm.return
llvm.func @masked_load_apart(%from: !llvm.ptr, %mask: vector<8xi1>, %a: vector<8xf64>) -> vector<8xf64> {
  %0 = llvm.intr.masked.load %from, %mask, %a {alignment = 8 : i32} : (!llvm.ptr, vector<8xi1>, vector<8xf64>) -> vector<8xf64>
  %1 = llvm.shufflevector %a, %0 [0, 1, 2, 3, 4, 8, 9, 10] : vector<8xf64>
  llvm.return %1 : vector<8xf64>
}

// Lanes of any value are none that it knows.
// CHECK-LABEL: llvm.func @masked_load_poison
// CHECK-NOT:   fence
// CHECK:       llvm.return
llvm.func @masked_load_poison(%from: !llvm.ptr, %mask: vector<8xi1>, %a: vector<8xf64>) -> vector<8xf64> {
  %any = llvm.mlir.poison : vector<8xf64>
  %0 = llvm.intr.masked.load %from, %mask, %a {alignment = 8 : i32} : (!llvm.ptr, vector<8xi1>, vector<8xf64>) -> vector<8xf64>
  %1 = llvm.shufflevector %0, %any [1, 0, 3, 2, 5, 4, 7, 6] : vector<8xf64>
  llvm.return %1 : vector<8xf64>
}

// Pointers are not moved as floats are.
// CHECK-LABEL: llvm.func @masked_load_pointers
// CHECK-NOT:   fence
// CHECK:       llvm.return
llvm.func @masked_load_pointers(%from: !llvm.ptr, %mask: vector<4xi1>) -> vector<4x!llvm.ptr> {
  %zeros = llvm.mlir.zero : vector<4x!llvm.ptr>
  %0 = llvm.intr.masked.load %from, %mask, %zeros {alignment = 8 : i32} : (!llvm.ptr, vector<4xi1>, vector<4x!llvm.ptr>) -> vector<4x!llvm.ptr>
  %1 = llvm.shufflevector %zeros, %0 [0, 1, 4, 5] : vector<4x!llvm.ptr>
  llvm.return %1 : vector<4x!llvm.ptr>
}

// Each shuffle is looked at once, where each reads the one before twice.
// CHECK-LABEL: llvm.func @masked_load_long
// CHECK:       %[[L:.+]] = llvm.intr.masked.load
// CHECK-NEXT:  llvm.call_intrinsic "llvm.arithmetic.fence"(%[[L]])
llvm.func @masked_load_long(%from: !llvm.ptr, %mask: vector<2xi1>) -> vector<2xf64> {
  %s0 = llvm.mlir.constant(dense<0.0> : vector<2xf64>) : vector<2xf64>
  %s1 = llvm.shufflevector %s0, %s0 [1, 0] : vector<2xf64>
  %s2 = llvm.shufflevector %s1, %s1 [1, 0] : vector<2xf64>
  %s3 = llvm.shufflevector %s2, %s2 [1, 0] : vector<2xf64>
  %s4 = llvm.shufflevector %s3, %s3 [1, 0] : vector<2xf64>
  %s5 = llvm.shufflevector %s4, %s4 [1, 0] : vector<2xf64>
  %s6 = llvm.shufflevector %s5, %s5 [1, 0] : vector<2xf64>
  %s7 = llvm.shufflevector %s6, %s6 [1, 0] : vector<2xf64>
  %s8 = llvm.shufflevector %s7, %s7 [1, 0] : vector<2xf64>
  %s9 = llvm.shufflevector %s8, %s8 [1, 0] : vector<2xf64>
  %s10 = llvm.shufflevector %s9, %s9 [1, 0] : vector<2xf64>
  %s11 = llvm.shufflevector %s10, %s10 [1, 0] : vector<2xf64>
  %s12 = llvm.shufflevector %s11, %s11 [1, 0] : vector<2xf64>
  %s13 = llvm.shufflevector %s12, %s12 [1, 0] : vector<2xf64>
  %s14 = llvm.shufflevector %s13, %s13 [1, 0] : vector<2xf64>
  %s15 = llvm.shufflevector %s14, %s14 [1, 0] : vector<2xf64>
  %s16 = llvm.shufflevector %s15, %s15 [1, 0] : vector<2xf64>
  %s17 = llvm.shufflevector %s16, %s16 [1, 0] : vector<2xf64>
  %s18 = llvm.shufflevector %s17, %s17 [1, 0] : vector<2xf64>
  %s19 = llvm.shufflevector %s18, %s18 [1, 0] : vector<2xf64>
  %s20 = llvm.shufflevector %s19, %s19 [1, 0] : vector<2xf64>
  %s21 = llvm.shufflevector %s20, %s20 [1, 0] : vector<2xf64>
  %s22 = llvm.shufflevector %s21, %s21 [1, 0] : vector<2xf64>
  %s23 = llvm.shufflevector %s22, %s22 [1, 0] : vector<2xf64>
  %s24 = llvm.shufflevector %s23, %s23 [1, 0] : vector<2xf64>
  %s25 = llvm.shufflevector %s24, %s24 [1, 0] : vector<2xf64>
  %s26 = llvm.shufflevector %s25, %s25 [1, 0] : vector<2xf64>
  %s27 = llvm.shufflevector %s26, %s26 [1, 0] : vector<2xf64>
  %s28 = llvm.shufflevector %s27, %s27 [1, 0] : vector<2xf64>
  %s29 = llvm.shufflevector %s28, %s28 [1, 0] : vector<2xf64>
  %s30 = llvm.shufflevector %s29, %s29 [1, 0] : vector<2xf64>
  %s31 = llvm.shufflevector %s30, %s30 [1, 0] : vector<2xf64>
  %s32 = llvm.shufflevector %s31, %s31 [1, 0] : vector<2xf64>
  %s33 = llvm.shufflevector %s32, %s32 [1, 0] : vector<2xf64>
  %s34 = llvm.shufflevector %s33, %s33 [1, 0] : vector<2xf64>
  %s35 = llvm.shufflevector %s34, %s34 [1, 0] : vector<2xf64>
  %s36 = llvm.shufflevector %s35, %s35 [1, 0] : vector<2xf64>
  %s37 = llvm.shufflevector %s36, %s36 [1, 0] : vector<2xf64>
  %s38 = llvm.shufflevector %s37, %s37 [1, 0] : vector<2xf64>
  %s39 = llvm.shufflevector %s38, %s38 [1, 0] : vector<2xf64>
  %s40 = llvm.shufflevector %s39, %s39 [1, 0] : vector<2xf64>
  %0 = llvm.intr.masked.load %from, %mask, %s0 {alignment = 8 : i32} : (!llvm.ptr, vector<2xi1>, vector<2xf64>) -> vector<2xf64>
  %1 = llvm.shufflevector %s40, %0 [0, 2] : vector<2xf64>
  llvm.return %1 : vector<2xf64>
}
