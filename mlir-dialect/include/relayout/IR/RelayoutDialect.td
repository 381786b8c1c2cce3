// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RELAYOUT_IR_RELAYOUTDIALECT
#define RELAYOUT_IR_RELAYOUTDIALECT

include "mlir/IR/DialectBase.td"

def Relayout_Dialect : Dialect {
  let name = "relayout";
  let cppNamespace = "::relayout";
  let summary = "Rearrangements of tensors: every element moves once, none changes";
  let description = [{
    An operation of this dialect is a digit permutation with windows: the
    dimensions of its operand are widened by pads, split into digits in mixed
    radix, the digits are permuted and merged into the dimensions of the result,
    and these are narrowed by crops. `relayout.rearrange` writes that down in
    full; the other operations are rearrangements with a name, a mode and a
    layout.

    Each operation has two forms. On tensors it is pure and has a result; a
    `dest` tensor may be given for the result to take the place of. On memrefs,
    which may be strided, it reads `source` and writes `dest`; the two must not
    overlap.

    `tile`, `run`, `touch` and `sweep` are none of these: they are what passes make of a
    rearrangement of memrefs, on flat memory, before vectors and loops.

    `Spec.md` beside this dialect gives the index equations and the numbered
    constraints that the verifiers check.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::complex::ComplexDialect",
                           "::mlir::memref::MemRefDialect"];
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    /// Adds the attributes; defined where their storage classes are complete.
    void registerAttributes();
    /// Attaches the implementations of BufferizableOpInterface.
    void attachBufferizationModels();
  }];
}

#endif // RELAYOUT_IR_RELAYOUTDIALECT
