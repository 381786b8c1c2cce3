// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OpSupport.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

#include "relayout/IR/RelayoutInterfaces.cpp.inc"

#define GET_OP_CLASSES
#include "relayout/IR/RelayoutOps.cpp.inc"

namespace relayout {

static std::vector<Window> windowsOf(std::optional<WindowsAttr> attr) {
  return attr ? attr->toVector() : std::vector<Window>();
}

//===----------------------------------------------------------------------===//
// depth_to_space and space_to_depth
//===----------------------------------------------------------------------===//

template <typename Adaptor> static DepthSpaceAttrs depthSpaceAttrs(Adaptor adaptor) {
  TensorLayout layout = adaptor.getLayout().getValue();
  std::optional<LayoutAttr> resultLayout = adaptor.getResultLayout();
  return {adaptor.getBlockSize().vec(), adaptor.getMode().getValue(), layout,
          resultLayout ? resultLayout->getValue() : layout};
}

Result<Rearrangement> DepthToSpaceOp::bind(Adaptor adaptor) {
  return depthToSpace(detail::shapeOf(adaptor.getSource()), depthSpaceAttrs(adaptor));
}

Result<Rearrangement> SpaceToDepthOp::bind(Adaptor adaptor) {
  return spaceToDepth(detail::shapeOf(adaptor.getSource()), depthSpaceAttrs(adaptor));
}

TypedAttr DepthToSpaceOp::getPadValue() { return {}; }
TypedAttr SpaceToDepthOp::getPadValue() { return {}; }

//===----------------------------------------------------------------------===//
// space_to_batch and batch_to_space
//===----------------------------------------------------------------------===//

Result<Rearrangement> SpaceToBatchOp::bind(Adaptor adaptor) {
  return spaceToBatch(detail::shapeOf(adaptor.getSource()), adaptor.getBlockShape().vec(),
                      windowsOf(adaptor.getPaddings()));
}

Result<Rearrangement> BatchToSpaceOp::bind(Adaptor adaptor) {
  return batchToSpace(detail::shapeOf(adaptor.getSource()), adaptor.getBlockShape().vec(),
                      windowsOf(adaptor.getCrops()));
}

TypedAttr SpaceToBatchOp::getPadValue() { return getValueAttr(); }
TypedAttr BatchToSpaceOp::getPadValue() { return {}; }

//===----------------------------------------------------------------------===//
// rearrange
//===----------------------------------------------------------------------===//

Result<Rearrangement> RearrangeOp::bind(Adaptor adaptor) {
  std::optional<SizesAttr> sizes = adaptor.getSizes();
  return bindPattern(adaptor.getPattern().getPattern(), detail::shapeOf(adaptor.getSource()),
                     sizes ? sizes->getSizes() : DigitSizes(), windowsOf(adaptor.getPad()),
                     windowsOf(adaptor.getCrop()));
}

TypedAttr RearrangeOp::getPadValue() { return getValueAttr(); }

/// Windows as an attribute, null if there are none.
static WindowsAttr windowsAttr(MLIRContext *context, const std::vector<Window> &windows) {
  WindowsAttr attr = WindowsAttr::get(context, windows);
  return attr.isZero() ? WindowsAttr() : attr;
}

void RearrangeOp::build(OpBuilder &builder, OperationState &state, Type resultType, Value source,
                        Value dest, const Rearrangement &rearrangement, TypedAttr padValue) {
  MLIRContext *context = builder.getContext();
  DigitSizes sizes = rearrangement.sizes();
  build(builder, state, resultType ? TypeRange(resultType) : TypeRange(), source, dest,
        PatternAttr::get(context, rearrangement.pattern()),
        sizes.empty() ? SizesAttr() : SizesAttr::get(context, sizes),
        windowsAttr(context, rearrangement.pad), windowsAttr(context, rearrangement.crop),
        rearrangement.needsFill() && !isZeroElement(padValue) ? padValue : TypedAttr());
}

//===----------------------------------------------------------------------===//
// Interfaces
//===----------------------------------------------------------------------===//

namespace detail {

std::vector<int64_t> shapeOf(Value value) {
  ArrayRef<int64_t> shape = cast<ShapedType>(value.getType()).getShape();
  return shape.vec();
}

LogicalResult reifyResultShapes(RearrangementOpInterface op, OpBuilder &builder,
                                ReifiedRankedShapedTypeDims &shapes) {
  if (!op.hasTensorForm())
    return failure();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  shapes.push_back(getAsIndexOpFoldResult(builder.getContext(), type.getShape()));
  return success();
}

void getEffects(RearrangementOpInterface op,
                SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  if (op.hasTensorForm())
    return;
  effects.emplace_back(MemoryEffects::Read::get(), &op->getOpOperand(0));
  effects.emplace_back(MemoryEffects::Write::get(), &op->getOpOperand(1));
}

} // namespace detail
} // namespace relayout
