// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RELAYOUT_IR_RELAYOUTATTRS
#define RELAYOUT_IR_RELAYOUTATTRS

include "mlir/IR/AttrTypeBase.td"
include "relayout/IR/RelayoutDialect.td"

class Relayout_Attr<string name, string attrMnemonic> : AttrDef<Relayout_Dialect, name> {
  let mnemonic = attrMnemonic;
  let hasCustomAssemblyFormat = 1;
}

def Relayout_ModeAttr : Relayout_Attr<"Mode", "mode"> {
  let summary = "which digits of the depth index are the block's";
  let description = [{
    `blocks_first`: the high ones (ONNX DCR, TensorFlow). `depth_first`: the low
    ones (ONNX CRD, PyTorch). There is no default.

    Example: `#relayout<mode blocks_first>`, in an operation `mode blocks_first`.
  }];
  let parameters = (ins "::relayout::DepthMode":$value);
}

def Relayout_LayoutAttr : Relayout_Attr<"Layout", "layout"> {
  let summary = "the order of the dimensions of an image-like tensor";
  let description = [{
    One of `NHWC NCHW NCHW_VECT_C NWC NCW NDHWC NCDHW channels_first
    channels_last`. There is no default.

    Example: `#relayout<layout NHWC>`, in an operation `layout NHWC`.
  }];
  let parameters = (ins "::relayout::TensorLayout":$value);
}

def Relayout_PatternAttr : Relayout_Attr<"Pattern", "pattern"> {
  let summary = "a rearrangement in the notation of einops";
  let description = [{
    The dimensions of the operand and of the result, each a name, `1`, or the
    names of its digits in brackets with the most significant first; `...`
    stands for any number of dimensions.

    Example: `#relayout<pattern "n (by bx c) h w -> n c (h by) (w bx)">`, in an
    operation the string alone.
  }];
  let parameters = (ins StringRefParameter<"canonical text">:$text);
  let builders = [AttrBuilder<(ins "const ::relayout::Pattern &":$pattern)>];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The parsed pattern; `text` has been verified.
    ::relayout::Pattern getPattern() const;
  }];
}

def Relayout_SizesAttr : Relayout_Attr<"Sizes", "sizes"> {
  let summary = "extents of digits by name";
  let description = [{
    Sorted by name; each name once.

    Example: `#relayout<sizes {bx = 2, by = 4}>`, in an operation
    `sizes {bx = 2, by = 4}`.
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::StringAttr">:$names,
                        ArrayRefParameter<"int64_t">:$extents);
  let builders = [AttrBuilder<(ins "const ::relayout::DigitSizes &":$sizes)>];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    ::relayout::DigitSizes getSizes() const;
  }];
}

def Relayout_WindowsAttr : Relayout_Attr<"Windows", "windows"> {
  let summary = "a `low:high` pair for each of some dimensions";
  let description = [{
    What is added to the low and high end of a dimension (a pad), or taken from
    it (a crop). In `relayout.rearrange`, and only there, a negative number does
    the opposite.

    Example: `#relayout<windows [1:0, 2:3]>`, in an operation `pad [1:0, 2:3]`.
  }];
  let parameters = (ins ArrayRefParameter<"::relayout::Window">:$windows);
  let extraClassDeclaration = [{
    bool isZero() const;
    std::vector<::relayout::Window> toVector() const { return {getWindows().begin(), getWindows().end()}; }
  }];
}

def Relayout_DigitsAttr : Relayout_Attr<"Digits", "digits"> {
  let summary = "digits of a window-free movement, with their strides";
  let description = [{
    One `extent:inStride:outStride` for each digit; strides count elements.

    Example: `#relayout<digits [16:1:640, 32:480:1]>`, in an operation
    `digits [16:1:640, 32:480:1]`.
  }];
  let parameters = (ins ArrayRefParameter<"::relayout::Digit">:$digits);
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    std::vector<::relayout::Digit> toVector() const { return {getDigits().begin(), getDigits().end()}; }
  }];
}

#endif // RELAYOUT_IR_RELAYOUTATTRS
