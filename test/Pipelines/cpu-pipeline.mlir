// RUN: relayout-opt %s --relayout-cpu-pipeline --split-input-file | FileCheck %s
// RUN: relayout-opt %s --relayout-cpu-pipeline --split-input-file | mlir-translate --split-input-file --mlir-to-llvmir -o /dev/null

// From tensors to the ABI of kernels, whatever stage the function is at: nothing but the
// LLVM dialect is left, and the input is only read.
// CHECK-LABEL: llvm.func @kernel(
// CHECK-SAME:    %{{.*}}: !llvm.ptr {llvm.align = 4 : i64, llvm.noalias, llvm.nocapture, llvm.nofree, llvm.noundef, llvm.readonly}
// CHECK-SAME:    %{{.*}}: !llvm.ptr {llvm.align = 4 : i64, llvm.noalias, llvm.nocapture, llvm.nofree, llvm.noundef}
// CHECK-SAME:    %{{.*}}: !llvm.ptr {llvm.noalias, llvm.nocapture, llvm.nofree}, %{{.*}}: i64, %{{.*}}: i64)
// CHECK-SAME:    no_unwind, passthrough = ["no-builtins"{{[],]}}
// CHECK-SAME:    input_bytes = 1440 : i64, output_bytes = 1440 : i64, scratch_bytes = 0 : i64
// CHECK-NOT:     {{^ *(%.* = )?"?(func|memref|affine|arith|scf|cf|ub|vector|relayout|tensor|linalg)\.}}
func.func @kernel(%x: tensor<2x3x5x12xf32>) -> tensor<2x6x10x3xf32> {
  %r = relayout.depth_to_space %x block_size [2] mode blocks_first layout NHWC
      : tensor<2x3x5x12xf32> -> tensor<2x6x10x3xf32>
  return %r : tensor<2x6x10x3xf32>
}

// -----

// A chain that another front end wrote, with a pad in front of it.
// CHECK-LABEL: llvm.func @kernel(
// CHECK-SAME:    alignment = 2 : i64, input_bytes = 210 : i64, output_bytes = 288 : i64
// CHECK-NOT:     {{^ *(%.* = )?"?(func|memref|affine|arith|scf|cf|ub|vector|relayout|tensor|linalg)\.}}
func.func @kernel(%x: tensor<3x5x7xf16>) -> tensor<2x3x3x8xf16> {
  %fill = arith.constant 1.5 : f16
  %p = tensor.pad %x low[0, 1, 0] high[0, 0, 1] {
  ^bb0(%a: index, %b: index, %c: index):
    tensor.yield %fill : f16
  } : tensor<3x5x7xf16> to tensor<3x6x8xf16>
  %e = tensor.expand_shape %p [[0], [1, 2], [3]] output_shape [3, 3, 2, 8]
      : tensor<3x6x8xf16> into tensor<3x3x2x8xf16>
  %i = tensor.empty() : tensor<2x3x3x8xf16>
  %t = linalg.transpose ins(%e : tensor<3x3x2x8xf16>) outs(%i : tensor<2x3x3x8xf16>)
      permutation = [2, 0, 1, 3]
  return %t : tensor<2x3x3x8xf16>
}

// -----

// A reshape alone, and the identity, are copies.
// CHECK-LABEL: llvm.func @kernel(
// CHECK-SAME:    copy_bytes = 120 : i64, copy_from = 0 : i64, copy_to = 0 : i64
func.func @kernel(%x: tensor<3x5x8xui8>) -> tensor<15x8xui8> {
  %r = tensor.collapse_shape %x [[0, 1], [2]] : tensor<3x5x8xui8> into tensor<15x8xui8>
  return %r : tensor<15x8xui8>
}

// -----

// CHECK-LABEL: llvm.func @kernel(
// CHECK-SAME:    alignment = 8 : i64, copy_bytes = 80 : i64, copy_from = 0 : i64, copy_to = 0 : i64
func.func @kernel(%x: tensor<5xcomplex<f64>>) -> tensor<5xcomplex<f64>> {
  return %x : tensor<5xcomplex<f64>>
}

// -----

// No element, and one.
// CHECK-LABEL: llvm.func @kernel(
// CHECK-SAME:    units = 0 : i64
// CHECK-NEXT:    llvm.return
func.func @kernel(%x: tensor<0x9xi16>) -> tensor<9x0xi16> {
  %r = relayout.rearrange %x "a b -> b a" : tensor<0x9xi16> -> tensor<9x0xi16>
  return %r : tensor<9x0xi16>
}

// -----

// CHECK-LABEL: llvm.func @kernel(
// CHECK-SAME:    copy_bytes = 1 : i64
func.func @kernel(%x: tensor<i1>) -> tensor<i1> {
  %r = relayout.rearrange %x "->" : tensor<i1> -> tensor<i1>
  return %r : tensor<i1>
}
