// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RELAYOUT_IR_RELAYOUTINTERFACES
#define RELAYOUT_IR_RELAYOUTINTERFACES

include "mlir/IR/OpBase.td"

def RearrangementOpInterface : OpInterface<"RearrangementOpInterface"> {
  let cppNamespace = "::relayout";
  let description = [{
    What the operations of the dialect share: each is one rearrangement of
    `source`, on tensors (with a result) or on memrefs (written to `dest`).
  }];
  let methods = [
    InterfaceMethod<"The tensor or memref that is read.", "::mlir::Value", "getSource">,
    InterfaceMethod<"The tensor or memref that is written; null if there is none.",
                    "::mlir::Value", "getDest">,
    InterfaceMethod<"The fill value, of the element type; null stands for zero.",
                    "::mlir::TypedAttr", "getPadValue">,
    InterfaceMethod<[{
      The rearrangement that the operation means, for the static shape of its
      source, or an error in the words of the verifier.
    }], "::relayout::Result<::relayout::Rearrangement>", "getRearrangement">,
  ];
  let extraSharedClassDeclaration = [{
    /// True for the form on tensors, which has a result.
    bool hasTensorForm() {
      return ::llvm::isa<::mlir::RankedTensorType>($_op.getSource().getType());
    }
    /// The element type of both sides.
    ::mlir::Type getElementType() {
      return ::mlir::getElementTypeOrSelf($_op.getSource().getType());
    }
    /// The fill value with the default filled in.
    ::mlir::TypedAttr getPadValueOrZero() {
      if (::mlir::TypedAttr value = $_op.getPadValue())
        return value;
      return ::relayout::getZeroElement(getElementType());
    }
  }];
}

#endif // RELAYOUT_IR_RELAYOUTINTERFACES
