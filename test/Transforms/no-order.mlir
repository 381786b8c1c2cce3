// RUN: relayout-opt %s --allow-unregistered-dialect --canonicalize | FileCheck %s
// RUN: relayout-opt %s --allow-unregistered-dialect --relayout-decompose | FileCheck %s --check-prefix=DECOMPOSE
// RUN: relayout-opt %s --allow-unregistered-dialect --relayout-fuse | FileCheck %s
// RUN: relayout-opt %s --allow-unregistered-dialect --relayout-fuse=all | FileCheck %s

// In a module operations have no order: one may read its own result, or that of one that it feeds.
// No chain leads from there to anywhere.

// CHECK: %[[I:.+]] = relayout.rearrange %[[I]] "a b -> a b"
// DECOMPOSE: %[[I:.+]] = relayout.rearrange %[[I]] "a b -> a b"
%i = relayout.rearrange %i "a b -> a b" : tensor<2x2xf32> -> tensor<2x2xf32>

// CHECK: %[[A:.+]] = relayout.rearrange %[[B:.+]] "a b -> b a"
// DECOMPOSE: linalg.transpose
%a = relayout.rearrange %b "a b -> b a" : tensor<2x2xf32> -> tensor<2x2xf32>
// CHECK: %[[B]] = relayout.rearrange %[[A]] "a b -> b a"
// DECOMPOSE: linalg.transpose
%b = relayout.rearrange %a "a b -> b a" : tensor<2x2xf32> -> tensor<2x2xf32>
"test.use"(%i, %a) : (tensor<2x2xf32>, tensor<2x2xf32>) -> ()

// They may have none in the region of an operation that is not known.
// CHECK: test.region
// CHECK-NEXT: %[[C:.+]] = relayout.rearrange %[[D:.+]] "a b -> b a"
// CHECK-NEXT: %[[D]] = relayout.rearrange %[[C]] "a b -> b a"
// DECOMPOSE: test.region
"test.region"() ({
  %c = relayout.rearrange %d "a b -> b a" : tensor<2x2xf32> -> tensor<2x2xf32>
  %d = relayout.rearrange %c "a b -> b a" : tensor<2x2xf32> -> tensor<2x2xf32>
  "test.use"(%c) : (tensor<2x2xf32>) -> ()
}) : () -> ()
