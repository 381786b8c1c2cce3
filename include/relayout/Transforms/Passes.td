// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RELAYOUT_TRANSFORMS_PASSES
#define RELAYOUT_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

def DecomposePass : Pass<"relayout-decompose"> {
  let summary = "writes the operations of relayout as chains of upstream operations";
  let description = [{
    Each operation of the dialect on tensors becomes the chain that it stands
    for: `tensor.pad` (`tensor.extract_slice` for a negative pad),
    `tensor.expand_shape` to one dimension a digit, `linalg.transpose`,
    `tensor.collapse_shape`, `tensor.extract_slice` (`tensor.pad` for a negative
    crop). A step that does nothing is left out; where no digit changes its place
    there is no transpose. With a destination the last transpose writes to it, or
    a `linalg.copy` at the end does.

    Operations on memrefs stay as they are, and so do those of more digits than a
    tensor of a chain may have dimensions, 32.

    A fill value that `arith.constant` does not take comes from `complex.constant`
    or, for integers with a sign, from a constant tensor of rank 0.

    Before:

    ```mlir
    func.func @kernel(%x: tensor<2x3x5x12xf32>) -> tensor<2x6x10x3xf32> {
      %r = relayout.depth_to_space %x block_size [2] mode blocks_first layout NHWC
          : tensor<2x3x5x12xf32> -> tensor<2x6x10x3xf32>
      return %r : tensor<2x6x10x3xf32>
    }
    ```

    After:

    ```mlir
    func.func @kernel(%x: tensor<2x3x5x12xf32>) -> tensor<2x6x10x3xf32> {
      %e = tensor.expand_shape %x [[0], [1], [2], [3, 4, 5]] output_shape [2, 3, 5, 2, 2, 3]
          : tensor<2x3x5x12xf32> into tensor<2x3x5x2x2x3xf32>
      %i = tensor.empty() : tensor<2x3x2x5x2x3xf32>
      %t = linalg.transpose ins(%e : tensor<2x3x5x2x2x3xf32>)
          outs(%i : tensor<2x3x2x5x2x3xf32>) permutation = [0, 1, 3, 2, 4, 5]
      %r = tensor.collapse_shape %t [[0], [1, 2], [3, 4], [5]]
          : tensor<2x3x2x5x2x3xf32> into tensor<2x6x10x3xf32>
      return %r : tensor<2x6x10x3xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::complex::ComplexDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def GeneralizePass : Pass<"relayout-generalize"> {
  let summary = "writes the named operations as relayout.rearrange";
  let description = [{
    Each named operation, on tensors or on memrefs, becomes one
    `relayout.rearrange` with its pattern, sizes and windows. This is the short
    way past `relayout-decompose` and `relayout-fuse`; `relayout-fuse` brings
    both to the same text.

    Before:

    ```mlir
    func.func @kernel(%x: tensor<2x12x3x5xui8>) -> tensor<2x3x6x10xui8> {
      %r = relayout.depth_to_space %x block_size [2] mode depth_first layout NCHW
          : tensor<2x12x3x5xui8> -> tensor<2x3x6x10xui8>
      return %r : tensor<2x3x6x10xui8>
    }
    ```

    After:

    ```mlir
    func.func @kernel(%x: tensor<2x12x3x5xui8>) -> tensor<2x3x6x10xui8> {
      %r = relayout.rearrange %x "n (c by bx) h w -> n c (h by) (w bx)" sizes {bx = 2, by = 2, c = 3}
          : tensor<2x12x3x5xui8> -> tensor<2x3x6x10xui8>
      return %r : tensor<2x3x6x10xui8>
    }
    ```
  }];
}

def FusePass : Pass<"relayout-fuse"> {
  let summary = "folds chains of reshapes, transposes and windows to relayout.rearrange";
  let description = [{
    A chain is a path of operations in one block, each of which reads the result
    of the one before: `tensor.expand_shape`, `collapse_shape`, `reshape`, `pad`,
    `extract_slice`, `insert_slice` into a tensor that is a constant all over,
    `tensor.cast`, the linalg operations that only permute (`transpose`, `copy`,
    a `generic` whose body yields its input), `linalg.pack` and `unpack`, and the
    operations of this dialect. Where no order is required of operations, as in a module,
    there is none. Neighbours are merged as long as they compose to
    one rearrangement: a common mixed-radix refinement of their digits exists, no
    crop stands before a pad, and their pads have one fill value.

    What a merged part of a chain turns into:

    - nothing, where it is the identity: a round trip is replaced by its operand;
    - one `relayout.rearrange` in normal form (digits `d0`, `d1` ... in the order
      of the operand), where it changes the place of a digit. A lone transpose,
      pack or named operation counts;
    - the upstream operations of `relayout-decompose`, where it changes no digit's
      place and they are fewer than before;
    - itself otherwise. So a lone `tensor.pad` or `tensor.extract_slice` and
      reshapes, which cost nothing, stay visible to other passes.

    With `all`, whatever is not the identity becomes a `relayout.rearrange`: for a
    function that is to become one kernel.

    A value with other uses is fused with its reader only if that repeats no work:
    if it is a reshape or a slice of what came before, or if the result is.

    Remarks of category `relayout-fuse` tell, as `passed`, what was merged, and,
    as `missed`, why two neighbours were not.

    Before:

    ```mlir
    func.func @kernel(%x: tensor<2x3x5x12xf32>) -> tensor<2x6x10x3xf32> {
      %e = tensor.expand_shape %x [[0], [1], [2], [3, 4, 5]] output_shape [2, 3, 5, 2, 2, 3]
          : tensor<2x3x5x12xf32> into tensor<2x3x5x2x2x3xf32>
      %i = tensor.empty() : tensor<2x3x2x5x2x3xf32>
      %t = linalg.transpose ins(%e : tensor<2x3x5x2x2x3xf32>)
          outs(%i : tensor<2x3x2x5x2x3xf32>) permutation = [0, 1, 3, 2, 4, 5]
      %r = tensor.collapse_shape %t [[0], [1, 2], [3, 4], [5]]
          : tensor<2x3x2x5x2x3xf32> into tensor<2x6x10x3xf32>
      return %r : tensor<2x6x10x3xf32>
    }
    ```

    After:

    ```mlir
    func.func @kernel(%x: tensor<2x3x5x12xf32>) -> tensor<2x6x10x3xf32> {
      %r = relayout.rearrange %x "d0 d1 d2 (d3 d4 d5) -> d0 (d1 d3) (d2 d4) d5"
          sizes {d3 = 2, d4 = 2, d5 = 3} : tensor<2x3x5x12xf32> -> tensor<2x6x10x3xf32>
      return %r : tensor<2x6x10x3xf32>
    }
    ```
  }];
  let options = [
    Option<"all", "all", "bool", /*default=*/"false",
           "also make a relayout.rearrange of what permutes nothing">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::complex::ComplexDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::relayout::RelayoutDialect"];
}

def SchedulePass : Pass<"relayout-schedule", "::mlir::func::FuncOp"> {
  let summary = "chooses a schedule for each rearrangement of memrefs";
  let description = [{
    The schedule says which digits form the register tile, in what order the loops
    run, how stores are done and what a unit of parallel work is. The cost model
    picks it from the canonical problem and the target; `schedule` pins any part
    of it. It is kept as text in the attribute `relayout.schedule`, which
    `relayout-to-affine` obeys; text that is already there is replaced.

    Before:

    ```mlir
    func.func @transpose(%in: memref<96x160xi32>, %out: memref<160x96xi32>) {
      relayout.rearrange %in into %out "h w -> w h" : memref<96x160xi32>, memref<160x96xi32>
      return
    }
    ```

    After, for a machine with AVX-512:

    ```mlir
    func.func @transpose(%in: memref<96x160xi32>, %out: memref<160x96xi32>) {
      relayout.rearrange %in into %out "h w -> w h"
          {relayout.schedule = "unit=d0:16 {tile=16x16 loops=d0:16,d1:16 store=ordinary prefetch=0 vector=64}"}
          : memref<96x160xi32>, memref<160x96xi32>
      return
    }
    ```
  }];
  let options = [
    Option<"arch", "arch", "std::string", /*default=*/"\"x86_64\"",
           "the architecture: x86_64 or aarch64">,
    Option<"cpu", "cpu", "std::string", /*default=*/"\"native\"", "the CPU, in LLVM's words">,
    Option<"features", "features", "std::string", /*default=*/"\"\"",
           "features to add or take away, in LLVM's words: +avx2,-avx512f">,
    Option<"result", "result", "std::string", /*default=*/"\"auto\"",
           "what the result's consumer does: hot reads it at once, cold does not, auto">,
    Option<"threads", "threads", "int64_t", /*default=*/"1", "threads that share the work">,
    Option<"pinned", "schedule", "std::string", /*default=*/"\"\"",
           "parts of the schedule to pin, in the words of the attribute">,
  ];
}

#endif // RELAYOUT_TRANSFORMS_PASSES
