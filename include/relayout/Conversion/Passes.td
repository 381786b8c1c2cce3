// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RELAYOUT_CONVERSION_PASSES
#define RELAYOUT_CONVERSION_PASSES

include "mlir/Pass/PassBase.td"

def CheckResultsPass : Pass<"relayout-check-results", "::mlir::func::FuncOp"> {
  let summary = "refuses functions that return one value twice";
  let description = [{
    Each result of a function becomes a buffer of the caller's, so a value that is
    returned twice would have to be written to two of them. That is an error:
    upstream's `buffer-results-to-out-params`, which comes later, would end the
    process. Nothing is changed.

    Before:

    ```mlir
    func.func @f(%x: memref<2x3xf32>, %y: memref<2x3xf32>) -> (memref<2x3xf32>, memref<2x3xf32>) {
      return %x, %y : memref<2x3xf32>, memref<2x3xf32>
    }
    ```

    After:

    ```mlir
    func.func @f(%x: memref<2x3xf32>, %y: memref<2x3xf32>) -> (memref<2x3xf32>, memref<2x3xf32>) {
      return %x, %y : memref<2x3xf32>, memref<2x3xf32>
    }
    ```
  }];
}

def KernelAbiPass : Pass<"relayout-kernel-abi", "::mlir::func::FuncOp"> {
  let summary = "gives a function that is one rearrangement the form of a kernel";
  let description = [{
    Takes a function that has been reduced to one rearrangement, from its only
    operand to its only result: on memrefs, as bufferization leaves it (a
    `memref.copy` is a rearrangement too), or on tensors still, which is the
    short way of the JIT. Anything else in the body is an error.

    The function becomes a kernel. Elements become signless integers of their
    width, and the fill value the bits of one: from here on the type of an
    element does not matter. No lane of a vector has 16 bytes, so an element of
    16 becomes two of 8, a last dimension of both sides, unless the halves of the
    fill value differ. After the two buffers come the scratch memory of
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

    With a schedule, its loops stand around one `relayout.tile`. A staged piece fills a
    block of scratch memory, the kernel's third parameter, and writes it by
    `relayout.run`; the bytes that it needs are added as `scratch_bytes`. Runs that go on
    from block to block keep the last part of a line there, and where the input has them,
    they come from it. Of many rows those visits at which none begins or ends stand by
    themselves.

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
      %fill = arith.constant -1 : i32
      %flat_in = memref.reinterpret_cast %in to offset: [0], sizes: [6], strides: [1]
          : memref<2x3xi32> to memref<6xi32>
      %flat_out = memref.reinterpret_cast %out to offset: [0], sizes: [10], strides: [1]
          : memref<5x2xi32> to memref<10xi32>
      affine.for %w = 2 to 5 {
        affine.for %h = 0 to 2 {
          %element = affine.load %flat_in[%w + %h * 3 - 2] : memref<6xi32>
          affine.store %element, %flat_out[%w * 2 + %h] : memref<10xi32>
        }
      }
      affine.for %w = 0 to 2 {
        affine.for %h = 0 to 2 {
          affine.store %fill, %flat_out[%w * 2 + %h] : memref<10xi32>
        }
      }
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def ToLLVMPass : Pass<"relayout-to-llvm", "::mlir::ModuleOp"> {
  let summary = "lowers functions of loops, vectors and memrefs to the LLVM dialect";
  let description = [{
    The upstream conversions of func, memref, arith, cf, ub and vector in one, with
    memrefs passed as bare pointers, which their static shapes allow. Structured
    loops must have become branches (`lower-affine`, `convert-scf-to-cf`).

    Before:

    ```mlir
    func.func @copy(%in: memref<4xi32>, %out: memref<4xi32>, %i: index) {
      %row = vector.load %in[%i] {alignment = 4 : i64} : memref<4xi32>, vector<4xi32>
      vector.store %row, %out[%i] {alignment = 4 : i64} : memref<4xi32>, vector<4xi32>
      return
    }
    ```

    After:

    ```mlir
    llvm.func @copy(%in: !llvm.ptr, %out: !llvm.ptr, %i: i64) {
      %from = llvm.getelementptr %in[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %row = llvm.load %from {alignment = 4 : i64} : !llvm.ptr -> vector<4xi32>
      %to = llvm.getelementptr %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %row, %to {alignment = 4 : i64} : vector<4xi32>, !llvm.ptr
      llvm.return
    }
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def FinalizeKernelPass : Pass<"relayout-finalize-kernel", "::mlir::LLVM::LLVMFuncOp"> {
  let summary = "tells LLVM what holds for every kernel";
  let description = [{
    A function of the LLVM dialect that has `relayout.kernel` gets the facts that
    its form promises: the input is only read, the buffers do not overlap and are
    not kept, it cannot unwind, and no library function may be invented in
    it. Every access gets the alignment of the element as users know it, which
    is less than that of the integer that stands for it (16 bytes of complex<f64>
    are aligned to 8), but for non-temporal stores, which know theirs. A kernel with
    vectors of more than 16 bytes aligns the stack for those that go there.

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

def LowerAccessesPass : Pass<"relayout-lower-accesses", "::mlir::func::FuncOp"> {
  let summary = "makes pointers of a kernel's memory";
  let description = [{
    The accesses of a kernel are to flat memory that starts at a parameter, so each is a
    pointer and a distance. One step makes them so: through descriptors of memrefs, and sums of
    indices one by one, it takes the conversion several times as long. A kernel whose memory
    is used otherwise, or lies in another memory space, is left to `relayout-to-llvm`.

    Before:

    ```mlir
    func.func @kernel(%in: memref<4x8xi32>, %out: memref<32xi32>, %scratch: memref<0xi8>,
                      %begin: index, %end: index) attributes {relayout.kernel = {}} {
      %flat = memref.reinterpret_cast %in to offset: [0], sizes: [32], strides: [1]
          : memref<4x8xi32> to memref<32xi32>
      %c8 = arith.constant 8 : index
      %i = arith.addi %begin, %c8 : index
      %row = vector.load %flat[%i] : memref<32xi32>, vector<8xi32>
      vector.store %row, %out[%begin] : memref<32xi32>, vector<8xi32>
      return
    }
    ```

    After:

    ```mlir
    func.func @kernel(%in: !llvm.ptr, %out: !llvm.ptr, %scratch: !llvm.ptr,
                      %begin: index, %end: index) attributes {relayout.kernel = {}} {
      %0 = arith.index_cast %begin : index to i64
      %1 = llvm.getelementptr %out[%0] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %2 = arith.index_cast %begin : index to i64
      %3 = llvm.getelementptr %in[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %4 = llvm.getelementptr %3[8] : (!llvm.ptr) -> !llvm.ptr, i32
      %row = llvm.load %4 {alignment = 4 : i64} : !llvm.ptr -> vector<8xi32>
      llvm.store %row, %1 {alignment = 4 : i64} : vector<8xi32>, !llvm.ptr
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect"];
}

def TileBasesPass : Pass<"relayout-tile-bases", "::mlir::LLVM::LLVMFuncOp"> {
  let summary = "gives the accesses of a tile one base pointer a side";
  let description = [{
    Addresses that differ in a constant become constant distances from one pointer, and
    the pointer of an inner loop a distance from that of the next outer one.
    `llvm.intr.launder.invariant.group` hides from LLVM's loop strength reduction how
    these pointers move: it would weigh each of some hundred accesses against the
    others, and each loop against all around it, which costs more than it gains. So are
    hidden the sums that inner loops add to for more than an address: the phase of a line,
    the number of a tile. The intrinsic is gone before instructions are selected.

    Before:

    ```mlir
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
    ```

    After:

    ```mlir
    llvm.func @rows(%in: !llvm.ptr, %i: i64) -> vector<8xi32> {
      %0 = llvm.getelementptr %in[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %base = llvm.intr.launder.invariant.group %0 : !llvm.ptr
      %row0 = llvm.load %base : !llvm.ptr -> vector<8xi32>
      %1 = llvm.getelementptr %base[384] : (!llvm.ptr) -> !llvm.ptr, i32
      %row1 = llvm.load %1 : !llvm.ptr -> vector<8xi32>
      %sum = llvm.add %row0, %row1 : vector<8xi32>
      llvm.return %sum : vector<8xi32>
    }
    ```
  }];
}

def FloatLanesPass : Pass<"relayout-float-lanes", "::mlir::LLVM::LLVMFuncOp"> {
  let summary = "makes vectors of 32 or 64 bit integers vectors of floats";
  let description = [{
    Lanes are only moved, so their type does not matter to what a kernel does. Fences are for
    floats alone: where lanes are floats already, a fence needs no casts around it, which
    would be half of what LLVM has to select from. Nothing changes in a function that does
    more with its vectors, or takes some.

    Before:

    ```mlir
    llvm.func @swap(%in: !llvm.ptr, %out: !llvm.ptr) {
      %0 = llvm.load %in : !llvm.ptr -> vector<4xi32>
      %1 = llvm.shufflevector %0, %0 [1, 0, 3, 2] : vector<4xi32>
      llvm.store %1, %out : vector<4xi32>, !llvm.ptr
      llvm.return
    }
    ```

    After:

    ```mlir
    llvm.func @swap(%in: !llvm.ptr, %out: !llvm.ptr) {
      %0 = llvm.load %in : !llvm.ptr -> vector<4xf32>
      %1 = llvm.shufflevector %0, %0 [1, 0, 3, 2] : vector<4xf32>
      llvm.store %1, %out : vector<4xf32>, !llvm.ptr
      llvm.return
    }
    ```
  }];
}

def FenceShufflesPass : Pass<"relayout-fence-shuffles", "::mlir::LLVM::LLVMFuncOp"> {
  let summary = "keeps LLVM from looking for other shuffles than those chosen";
  let description = [{
    The shuffles of a tile were chosen one instruction each. LLVM's selection of
    instructions looks through chains of them for something better, at a cost that
    grows with a power of their length, and finds nothing. A fence, which is no
    instruction, around the result of a shuffle that feeds another ends that search.
    Fences are for floats, so lanes of other types are cast to some and back.

    Before:

    ```mlir
    llvm.func @two(%a: vector<4xi32>, %b: vector<4xi32>) -> vector<4xi32> {
      %0 = llvm.shufflevector %a, %b [0, 4, 1, 5] : vector<4xi32>
      %1 = llvm.shufflevector %0, %b [0, 4, 1, 5] : vector<4xi32>
      llvm.return %1 : vector<4xi32>
    }
    ```

    After:

    ```mlir
    llvm.func @two(%a: vector<4xi32>, %b: vector<4xi32>) -> vector<4xi32> {
      %0 = llvm.shufflevector %a, %b [0, 4, 1, 5] : vector<4xi32>
      %1 = llvm.bitcast %0 : vector<4xi32> to vector<4xf32>
      %2 = llvm.call_intrinsic "llvm.arithmetic.fence"(%1) : (vector<4xf32>) -> vector<4xf32>
      %3 = llvm.bitcast %2 : vector<4xf32> to vector<4xi32>
      %4 = llvm.shufflevector %3, %b [0, 4, 1, 5] : vector<4xi32>
      llvm.return %4 : vector<4xi32>
    }
    ```

    A blend with a part of 16 bytes or more that a shuffle widened for it becomes an
    insertion, which costs no shuffle where the part comes from memory. Two parts at the
    start of a register that holds more are put together in a narrow one.

    A result that is stored is fenced where its bytes are those of four vectors in turn:
    LLVM 22 has a sequence of its own for such stores, of up to thrice the instructions.

    A masked load that a shuffle puts among known lanes is fenced, too: where those are
    zeros and the masks the same, LLVM 22 makes an expanding load of both, which reads
    what the mask leaves out.

    Integers of 128 bits that are cast to lanes are loaded as those, since LLVM 22 cannot
    concatenate vectors of such integers.
  }];
}

def LowerSweepsPass : Pass<"relayout-lower-sweeps", "::mlir::func::FuncOp"> {
  let summary = "makes loops of sweeps";
  let description = [{
    Affine loops must have become others before: their bounds would no longer be
    symbols.

    Before:

    ```mlir
    func.func @sweep(%out: memref<256xi32>, %begin: index, %end: index, %element: i32) {
      relayout.sweep %begin to %end step 4 {
      ^bb0(%first: index, %last: index):
        memref.store %element, %out[%first] : memref<256xi32>
        memref.store %element, %out[%last] : memref<256xi32>
      }
      return
    }
    ```

    After:

    ```mlir
    func.func @sweep(%out: memref<256xi32>, %begin: index, %end: index, %element: i32) {
      %step = arith.constant 4 : index
      scf.for %first = %begin to %end step %step {
        %next = arith.addi %first, %step : index
        %last = arith.minsi %next, %end : index
        memref.store %element, %out[%first] : memref<256xi32>
        memref.store %element, %out[%last] : memref<256xi32>
      }
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def VectorizePass : Pass<"relayout-vectorize", "::mlir::func::FuncOp"> {
  let summary = "turns register tiles into vector code";
  let description = [{
    Each `relayout.tile` that names a vector size becomes vector loads, shuffles of
    two sources and stores, straight-line, of vectors that the target has. Parts of
    vectors are masked accesses where the target has them and narrower ones
    elsewhere. Each `relayout.run` becomes a loop over whole lines between the parts of
    lines at its ends; those of a part of a longer run are joined with what is kept, by
    vectors turned by where the part lies in its line if the target has such permutes
    and the part is a few lines long. Non-temporal stores get a fence before the function
    returns.

    Before:

    ```mlir
    func.func @tile(%in: memref<256xi32>, %out: memref<256xi32>, %i: index, %j: index) {
      relayout.tile %in[%i] to %out[%j] digits [4:16:1, 4:1:16] vector 16
          : memref<256xi32> from memref<256xi32>
      return
    }
    ```

    After, for a machine with SSE2, four loads, eight shuffles and four stores:

    ```mlir
    %row0 = vector.load %in[%i] {alignment = 4 : i64} : memref<256xi32>, vector<4xi32>
    ...
    %t0 = vector.shuffle %row0, %row1 [0, 4, 1, 5] : vector<4xi32>, vector<4xi32>
    ...
    vector.store %u0, %out[%j] {alignment = 4 : i64} : memref<256xi32>, vector<4xi32>
    ```
  }];
  let options = [
    Option<"arch", "arch", "std::string", /*default=*/"\"x86_64\"",
           "the architecture: x86_64 or aarch64">,
    Option<"cpu", "cpu", "std::string", /*default=*/"\"native\"", "the CPU, in LLVM's words">,
    Option<"features", "features", "std::string", /*default=*/"\"\"",
           "features to add or take away, in LLVM's words: +avx2,-avx512f">,
    Option<"patternOnly", "pattern-only", "bool", /*default=*/"false",
           "leave the shuffles out: the same loads and stores, to measure with">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::ub::UBDialect",
                           "::mlir::vector::VectorDialect",
                           "::mlir::scf::SCFDialect"];
}

def ExpandTilesPass : Pass<"relayout-expand-tiles", "::mlir::func::FuncOp"> {
  let summary = "turns register tiles into loops over their elements";
  let description = [{
    For targets without vectors, and as the slow check of `relayout-vectorize`. The
    same for each `relayout.run`. Elements beyond a border are not read, and no line waits:
    each element is stored by itself.

    Before:

    ```mlir
    func.func @tile(%in: memref<256xi32>, %out: memref<256xi32>, %i: index, %j: index) {
      relayout.tile %in[%i] to %out[%j] digits [4:16:1, 3:1:16]
          : memref<256xi32> from memref<256xi32>
      return
    }
    ```

    After:

    ```mlir
    func.func @tile(%in: memref<256xi32>, %out: memref<256xi32>, %i: index, %j: index) {
      affine.for %a = 0 to 4 {
        affine.for %b = 0 to 3 {
          %from = affine.apply affine_map<(a, b) -> (a * 16 + b)>(%a, %b)
          %source = arith.addi %i, %from : index
          %element = memref.load %in[%source] : memref<256xi32>
          %to = affine.apply affine_map<(a, b) -> (a + b * 16)>(%a, %b)
          %dest = arith.addi %j, %to : index
          memref.store %element, %out[%dest] : memref<256xi32>
        }
      }
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

#endif // RELAYOUT_CONVERSION_PASSES
