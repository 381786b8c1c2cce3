// RUN: relayout-opt %s --pass-pipeline='builtin.module(llvm.func(relayout-finalize-kernel))' --split-input-file --verify-diagnostics | FileCheck %s

// The example of the pass.
// CHECK-LABEL: llvm.func @kernel(
// CHECK-SAME:    %[[IN:.*]]: !llvm.ptr {llvm.align = 8 : i64, llvm.noalias, llvm.nocapture, llvm.nofree, llvm.noundef, llvm.readonly},
// CHECK-SAME:    %[[OUT:.*]]: !llvm.ptr {llvm.align = 8 : i64, llvm.noalias, llvm.nocapture, llvm.nofree, llvm.noundef},
// CHECK-SAME:    %{{.*}}: !llvm.ptr {llvm.noalias, llvm.nocapture, llvm.nofree}, %{{.*}}: i64, %{{.*}}: i64)
// CHECK-SAME:    no_unwind, passthrough = ["no-builtins"]
// CHECK-NEXT:    %[[E:.*]] = llvm.load %[[IN]] {alignment = 8 : i64} : !llvm.ptr -> i128
// CHECK-NEXT:    llvm.store %[[E]], %[[OUT]] {alignment = 8 : i64} : i128, !llvm.ptr
llvm.func @kernel(%in: !llvm.ptr, %out: !llvm.ptr, %scratch: !llvm.ptr, %begin: i64,
                  %end: i64) attributes {relayout.kernel = {alignment = 8 : i64}} {
  %element = llvm.load %in : !llvm.ptr -> i128
  llvm.store %element, %out : i128, !llvm.ptr
  llvm.return
}

// -----

// Vectors on the stack shall not lie across lines.
// CHECK-LABEL: llvm.func @vectors(
// CHECK-SAME:    passthrough = ["no-builtins", ["alignstack", "64"]]
llvm.func @vectors(%in: !llvm.ptr, %out: !llvm.ptr, %scratch: !llvm.ptr, %begin: i64,
                   %end: i64) attributes {relayout.kernel = {alignment = 4 : i64}} {
  %wide = llvm.load %in : !llvm.ptr -> vector<16xf32>
  %narrow = llvm.load %in : !llvm.ptr -> vector<8xi16>
  llvm.store %wide, %out : vector<16xf32>, !llvm.ptr
  llvm.store %narrow, %out : vector<8xi16>, !llvm.ptr
  llvm.return
}

// -----

// The stack has the alignment of vectors of 16 bytes.
// CHECK-LABEL: llvm.func @narrow(
// CHECK-SAME:    passthrough = ["no-builtins"]
llvm.func @narrow(%in: !llvm.ptr, %out: !llvm.ptr, %scratch: !llvm.ptr, %begin: i64,
                  %end: i64) attributes {relayout.kernel = {alignment = 4 : i64}} {
  %narrow = llvm.load %in : !llvm.ptr -> vector<8xi16>
  llvm.store %narrow, %out : vector<8xi16>, !llvm.ptr
  llvm.return
}

// -----

// Other functions stay as they are.
// CHECK-LABEL: llvm.func @other(%{{.*}}: !llvm.ptr) {
// CHECK-NEXT:    llvm.load %{{.*}} : !llvm.ptr -> i128
llvm.func @other(%in: !llvm.ptr) {
  %element = llvm.load %in : !llvm.ptr -> i128
  llvm.return
}

// -----

// LLVM aligns the stack to powers of two of bytes, up to 256.
// CHECK-LABEL: llvm.func @odd(
// CHECK-SAME:    ["alignstack", "32"]
llvm.func @odd(%in: !llvm.ptr, %out: !llvm.ptr, %scratch: !llvm.ptr, %begin: i64,
               %end: i64) attributes {relayout.kernel = {alignment = 4 : i64}} {
  %odd = llvm.load %in : !llvm.ptr -> vector<3xi64>
  llvm.store %odd, %out : vector<3xi64>, !llvm.ptr
  llvm.return
}

// -----

// CHECK-LABEL: llvm.func @most(
// CHECK-SAME:    ["alignstack", "256"]
llvm.func @most(%in: !llvm.ptr, %out: !llvm.ptr, %scratch: !llvm.ptr, %begin: i64,
                %end: i64) attributes {relayout.kernel = {alignment = 4 : i64}} {
  %most = llvm.load %in : !llvm.ptr -> vector<64xi64>
  llvm.store %most, %out : vector<64xi64>, !llvm.ptr
  llvm.return
}

// -----

// expected-error@+1 {{'llvm.func' op expects the five parameters of a kernel, the first three of which are pointers}}
llvm.func @few(%in: !llvm.ptr) attributes {relayout.kernel = {alignment = 8 : i64}} {
  llvm.return
}

// -----

// expected-error@+1 {{'llvm.func' op expects the five parameters of a kernel, the first three of which are pointers}}
llvm.func @numbers(%in: !llvm.ptr, %out: !llvm.ptr, %scratch: i64, %begin: i64,
                   %end: i64) attributes {relayout.kernel = {alignment = 8 : i64}} {
  llvm.return
}

// -----

// expected-error@+1 {{'llvm.func' op expects an alignment of a power of two of bytes, at most 4096, but got 0}}
llvm.func @unaligned(%in: !llvm.ptr, %out: !llvm.ptr, %scratch: !llvm.ptr, %begin: i64,
                     %end: i64) attributes {relayout.kernel = {alignment = 0 : i64}} {
  llvm.return
}
