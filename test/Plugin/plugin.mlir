// A stock mlir-opt has no sanitizer's run-time library.
// UNSUPPORTED: sanitize
// The plugin in a stock mlir-opt: dialect, passes, both. (A relayout-opt has them
// built in and refuses to load them twice.)

// RUN: mlir-opt --load-dialect-plugin=%plugin %s | FileCheck %s --check-prefix=DIALECT
// RUN: mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(relayout-decompose)' %s | FileCheck %s --check-prefix=CHAIN
// RUN: mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(relayout-decompose,relayout-fuse,one-shot-bufferize{bufferize-function-boundaries=1 function-boundary-type-conversion=identity-layout-map})' %s | FileCheck %s --check-prefix=BUFFERS
// RUN: mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(relayout-cpu-pipeline)' %s | FileCheck %s --check-prefix=LLVM

// Without the plugin the dialect is unknown.
// RUN: not mlir-opt %s 2>&1 | FileCheck %s --check-prefix=WITHOUT

// DIALECT: relayout.depth_to_space %{{.*}} block_size [2] mode blocks_first layout NHWC
// CHAIN: linalg.transpose {{.*}} permutation = [0, 1, 3, 2, 4, 5]
// BUFFERS: relayout.rearrange %{{.*}} into %{{.*}} "d0 d1 d2 (d3 d4 d5) -> d0 (d1 d3) (d2 d4) d5"
// LLVM: llvm.func @kernel
// WITHOUT: Dialect `relayout' not found
func.func @kernel(%x: tensor<2x3x5x12xf32>) -> tensor<2x6x10x3xf32> {
  %r = relayout.depth_to_space %x block_size [2] mode blocks_first layout NHWC
      : tensor<2x3x5x12xf32> -> tensor<2x6x10x3xf32>
  return %r : tensor<2x6x10x3xf32>
}
