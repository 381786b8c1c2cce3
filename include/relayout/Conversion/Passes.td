// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RELAYOUT_CONVERSION_PASSES
#define RELAYOUT_CONVERSION_PASSES

include "mlir/Pass/PassBase.td"

def KernelAbiPass : Pass<"relayout-kernel-abi", "::mlir::func::FuncOp"> {
  let summary = "gives a function that is one rearrangement the form of a kernel";
  let description = [{
    Takes a function that has been reduced to one rearrangement, from its only
    operand to its only result: on memrefs, as bufferization leaves it (a
    `memref.copy` is a rearrangement too), or on tensors still, which is the
    short way of the JIT. Anything else in the body is an error.

    The function becomes a kernel. Elements become signless integers of their
    width, and the fill value the bits of one: from here on the type of an
    element does not matter. After the two buffers come the scratch memory of
    the calling thread, of the size that its type says, and the units of work to
    do, from `%begin` to `%end - 1`. The attribute `relayout.kernel` collects what
    a caller must know: `alignment` of both base addresses, and the sizes
    `input_bytes`, `output_bytes` and `scratch_bytes`.

    Before:

    ```mlir
    func.func @kernel(%in: memref<2x3xf32>, %out: memref<5x2xf32>) {
      relayout.rearrange %in into %out "h w -> w h" pad [0:0, 2:0] value -1.5 : f32
          : memref<2x3xf32>, memref<5x2xf32>
      return
    }
    ```

    After:

    ```mlir
    func.func @kernel(%in: memref<2x3xi32>, %out: memref<5x2xi32>, %scratch: memref<0xi8>,
                      %begin: index, %end: index)
        attributes {relayout.kernel = {alignment = 4 : i64, input_bytes = 24 : i64,
                                       output_bytes = 40 : i64, scratch_bytes = 0 : i64}} {
      relayout.rearrange %in into %out "h w -> w h" pad [0:0, 2:0] value -1077936128 : i32
          : memref<2x3xi32>, memref<5x2xi32>
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect", "::relayout::RelayoutDialect"];
}

def ToAffinePass : Pass<"relayout-to-affine", "::mlir::func::FuncOp"> {
  let summary = "turns rearrangements of memrefs into affine loops";
  let description = [{
    Each rearrangement of memrefs becomes its canonical problem, and each piece
    of that one loop nest: a loop for each digit that has more than one value,
    the one of the largest output stride outermost, around one load and one
    store. A piece of padding stores the fill value instead. Both buffers are
    seen as flat, so a digit's stride is its coefficient in the subscript.

    In a kernel, the outermost loop of every nest runs over the values of the
    first digit and is cut to the units `%begin` to `%end - 1`; a unit is one
    value of that digit, counted from 0. Their number is added to
    `relayout.kernel` as `units`. In any other function the loops are whole.

    Shapes and strides must be static; offsets need not be.

    Before:

    ```mlir
    func.func @padded_transpose(%in: memref<2x3xi32>, %out: memref<5x2xi32>) {
      relayout.rearrange %in into %out "h w -> w h" pad [0:0, 2:0] value -1 : i32
          : memref<2x3xi32>, memref<5x2xi32>
      return
    }
    ```

    After:

    ```mlir
    func.func @padded_transpose(%in: memref<2x3xi32>, %out: memref<5x2xi32>) {
      %flat_in = memref.reinterpret_cast %in to offset: [0], sizes: [6], strides: [1]
          : memref<2x3xi32> to memref<6xi32>
      %flat_out = memref.reinterpret_cast %out to offset: [0], sizes: [10], strides: [1]
          : memref<5x2xi32> to memref<10xi32>
      %fill = arith.constant -1 : i32
      affine.for %w = 0 to 2 {
        affine.for %h = 0 to 2 {
          affine.store %fill, %flat_out[%w * 2 + %h] : memref<10xi32>
        }
      }
      affine.for %w = 2 to 5 {
        affine.for %h = 0 to 2 {
          %element = affine.load %flat_in[%w + %h * 3 - 2] : memref<6xi32>
          affine.store %element, %flat_out[%w * 2 + %h] : memref<10xi32>
        }
      }
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

def FinalizeKernelPass : Pass<"relayout-finalize-kernel", "::mlir::LLVM::LLVMFuncOp"> {
  let summary = "tells LLVM what holds for every kernel";
  let description = [{
    A function of the LLVM dialect that has `relayout.kernel` gets the facts that
    its form promises: the input is only read, the buffers do not overlap and are
    not kept, it cannot unwind, and no library function may be invented in
    it. Every access gets the alignment of the element as users know it, which
    is less than that of the integer that stands for it (16 bytes of complex<f64>
    are aligned to 8).

    Before:

    ```mlir
    llvm.func @kernel(%in: !llvm.ptr, %out: !llvm.ptr, %scratch: !llvm.ptr, %begin: i64,
                      %end: i64) attributes {relayout.kernel = {alignment = 8 : i64}} {
      %element = llvm.load %in : !llvm.ptr -> i128
      llvm.store %element, %out : i128, !llvm.ptr
      llvm.return
    }
    ```

    After:

    ```mlir
    llvm.func @kernel(%in: !llvm.ptr {llvm.align = 8 : i64, llvm.noalias, llvm.nocapture,
                                      llvm.nofree, llvm.noundef, llvm.readonly},
                      %out: !llvm.ptr {llvm.align = 8 : i64, llvm.noalias, llvm.nocapture,
                                       llvm.nofree, llvm.noundef},
                      %scratch: !llvm.ptr {llvm.noalias, llvm.nocapture, llvm.nofree},
                      %begin: i64, %end: i64)
        attributes {no_unwind, passthrough = ["no-builtins"],
                    relayout.kernel = {alignment = 8 : i64}} {
      %element = llvm.load %in {alignment = 8 : i64} : !llvm.ptr -> i128
      llvm.store %element, %out {alignment = 8 : i64} : i128, !llvm.ptr
      llvm.return
    }
    ```
  }];
}

#endif // RELAYOUT_CONVERSION_PASSES
