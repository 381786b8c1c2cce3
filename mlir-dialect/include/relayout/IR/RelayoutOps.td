// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RELAYOUT_IR_RELAYOUTOPS
#define RELAYOUT_IR_RELAYOUTOPS

include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "relayout/IR/RelayoutAttrs.td"
include "relayout/IR/RelayoutInterfaces.td"
include "relayout/IR/RelayoutTile.td"

def Relayout_TensorOrMemRef : AnyTypeOf<[AnyRankedTensor, AnyStridedMemRef]>;

/// The shared part of the operations. An operation adds its attributes and says
/// in `bind` which rearrangement they mean.
class Relayout_Op<string mnemonic> : Op<Relayout_Dialect, mnemonic, [
    DeclareOpInterfaceMethods<RearrangementOpInterface, ["getPadValue", "getRearrangement"]>,
    InferTypeOpAdaptorWithIsCompatible,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<ConditionallySpeculatable>]> {
  dag common = (ins Relayout_TensorOrMemRef:$source, Optional<Relayout_TensorOrMemRef>:$dest);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let hasVerifier = 1;
  let hasFolder = 1;
  let extraClassDeclaration = [{
    /// The rearrangement that the attributes mean for the shape of the source.
    static ::relayout::Result<::relayout::Rearrangement> bind(Adaptor adaptor);
  }];
  let extraClassDefinition = [{
    ::relayout::Result<::relayout::Rearrangement> $cppClass::getRearrangement() {
      return bind(Adaptor(*this));
    }
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *, std::optional<::mlir::Location> location, Adaptor adaptor,
        ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      return detail::inferReturnTypes<$cppClass>(location, adaptor, types);
    }
    // verify(), which runs before, has compared the types in the words of the project.
    bool $cppClass::isCompatibleReturnTypes(::mlir::TypeRange, ::mlir::TypeRange) { return true; }
    ::llvm::LogicalResult $cppClass::verify() { return detail::verify(*this); }
    ::llvm::LogicalResult $cppClass::fold(
        FoldAdaptor adaptor, ::llvm::SmallVectorImpl<::mlir::OpFoldResult> &results) {
      return detail::fold(*this, adaptor.getSource(), results);
    }
    ::llvm::LogicalResult $cppClass::reifyResultShapes(
        ::mlir::OpBuilder &builder, ::mlir::ReifiedRankedShapedTypeDims &shapes) {
      return detail::reifyResultShapes(*this, builder, shapes);
    }
    void $cppClass::getEffects(::llvm::SmallVectorImpl<
        ::mlir::SideEffects::EffectInstance<::mlir::MemoryEffects::Effect>> &effects) {
      detail::getEffects(*this, effects);
    }
    ::mlir::Speculation::Speculatability $cppClass::getSpeculatability() {
      return ::llvm::isa<::mlir::RankedTensorType>(getSource().getType())
          ? ::mlir::Speculation::Speculatable : ::mlir::Speculation::NotSpeculatable;
    }
  }];
}

class Relayout_DepthSpaceOp<string mnemonic> : Relayout_Op<mnemonic> {
  let arguments = !con(common, (ins DenseI64ArrayAttr:$block_size,
                                    Relayout_ModeAttr:$mode,
                                    Relayout_LayoutAttr:$layout,
                                    OptionalAttr<Relayout_LayoutAttr>:$result_layout));
  let assemblyFormat = [{
    $source (`into` $dest^)? `block_size` $block_size `mode` `` $mode `layout` `` $layout
    (`result_layout` `` $result_layout^)? attr-dict
    `:` type($source) (`,` type($dest)^)? (`->` type($result)^)?
  }];
}

def Relayout_DepthToSpaceOp : Relayout_DepthSpaceOp<"depth_to_space"> {
  let summary = "moves blocks of the channels to the spatial axes";
  let description = [{
    The channel dimension is split into one block digit a spatial axis and the
    depth that remains; each block digit becomes the low digit of its axis.
    `block_size` has one entry a spatial axis, or one for all. `mode` says
    whether the block digits are the high (`blocks_first`) or the low
    (`depth_first`) digits of the channel. `result_layout` asks for another
    layout of the result in the same pass; without it the result has `layout`.

    Spec.md has the index equation and constraints D1 to D8.

    Example:

    ```mlir
    %r = relayout.depth_to_space %x block_size [2, 2] mode blocks_first layout NHWC
        : tensor<2x3x5x12xf32> -> tensor<2x6x10x3xf32>
    relayout.depth_to_space %x into %out block_size [2] mode depth_first layout NCHW
        : memref<2x12x3x5xf32>, memref<2x3x6x10xf32>
    ```
  }];
}

def Relayout_SpaceToDepthOp : Relayout_DepthSpaceOp<"space_to_depth"> {
  let summary = "moves blocks of the spatial axes to the channels";
  let description = [{
    The inverse of `relayout.depth_to_space` with the same mode and block size,
    and with `layout` and `result_layout` exchanged.

    Spec.md has the index equation and constraints D1 to D8.

    Example:

    ```mlir
    %r = relayout.space_to_depth %x block_size [3, 2] mode depth_first layout NCHW result_layout NHWC
        : tensor<2x5x9x8xi8> -> tensor<2x3x4x30xi8>
    ```
  }];
}

def Relayout_SpaceToBatchOp : Relayout_Op<"space_to_batch"> {
  let summary = "pads, then moves blocks of the leading axes to the batch";
  let description = [{
    Dimension 0 is the batch. `block_shape` has M entries for dimensions 1 to M
    (or one for every dimension, the first of which is 1); the dimensions after
    them are not touched. Each blocked dimension is padded with `value` (zero if
    it is left out), and its low digit becomes a high digit of the batch.

    Spec.md has the index equation and constraints B1 to B7.

    Example:

    ```mlir
    %r = relayout.space_to_batch %x block_shape [2, 4] paddings [1:0, 2:3] value -1.5 : f32
        : tensor<3x33x35x7xf32> -> tensor<24x17x10x7xf32>
    ```
  }];
  let arguments = !con(common, (ins DenseI64ArrayAttr:$block_shape,
                                    OptionalAttr<Relayout_WindowsAttr>:$paddings,
                                    OptionalAttr<TypedAttrInterface>:$value));
  let assemblyFormat = [{
    $source (`into` $dest^)? `block_shape` $block_shape (`paddings` `` $paddings^)?
    (`value` $value^)? attr-dict
    `:` type($source) (`,` type($dest)^)? (`->` type($result)^)?
  }];
}

def Relayout_BatchToSpaceOp : Relayout_Op<"batch_to_space"> {
  let summary = "moves blocks of the batch to the leading axes, then crops";
  let description = [{
    The inverse of `relayout.space_to_batch` with the same `block_shape` and with
    `crops` that equal its paddings.

    Spec.md has the index equation and constraints B1 to B7.

    Example:

    ```mlir
    %r = relayout.batch_to_space %x block_shape [2, 4] crops [1:0, 2:3]
        : tensor<24x17x10x7xf32> -> tensor<3x33x35x7xf32>
    ```
  }];
  let arguments = !con(common, (ins DenseI64ArrayAttr:$block_shape,
                                    OptionalAttr<Relayout_WindowsAttr>:$crops));
  let assemblyFormat = [{
    $source (`into` $dest^)? `block_shape` $block_shape (`crops` `` $crops^)? attr-dict
    `:` type($source) (`,` type($dest)^)? (`->` type($result)^)?
  }];
}

def Relayout_RearrangeOp : Relayout_Op<"rearrange"> {
  let summary = "the general form: a digit permutation with windows";
  let description = [{
    `pad` widens the dimensions of the operand, the pattern splits and merges
    them, `crop` narrows those of the result. `sizes` gives the digits that
    cannot be found by division. `pad` and `crop` have one `low:high` pair for
    each dimension of their side; a negative number does the opposite. `value`
    fills what is padded (zero if it is left out).

    Spec.md has the index equation and constraints R1 to R8.

    Example:

    ```mlir
    %r = relayout.rearrange %x "n (by bx c) h w -> n c (h by) (w bx)" sizes {bx = 2, by = 2}
        crop [0:0, 0:0, 1:0, 0:1] : tensor<2x12x3x5xui8> -> tensor<2x3x5x9xui8>
    %p = relayout.rearrange %y "h w -> w h" pad [0:0, 2:-1] value 7 : i32
        : tensor<3x5xi32> -> tensor<6x3xi32>
    ```
  }];
  let arguments = !con(common, (ins Relayout_PatternAttr:$pattern,
                                    OptionalAttr<Relayout_SizesAttr>:$sizes,
                                    OptionalAttr<Relayout_WindowsAttr>:$pad,
                                    OptionalAttr<Relayout_WindowsAttr>:$crop,
                                    OptionalAttr<TypedAttrInterface>:$value));
  let builders = [
    OpBuilder<(ins "::mlir::Type":$resultType, "::mlir::Value":$source, "::mlir::Value":$dest,
                   "const ::relayout::Rearrangement &":$rearrangement,
                   "::mlir::TypedAttr":$padValue)>
  ];
  let assemblyFormat = [{
    $source (`into` $dest^)? `` $pattern (`sizes` `` $sizes^)? (`pad` `` $pad^)? (`crop` `` $crop^)?
    (`value` $value^)? attr-dict
    `:` type($source) (`,` type($dest)^)? (`->` type($result)^)?
  }];
}

#endif // RELAYOUT_IR_RELAYOUTOPS
