// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RearrangementOp.h"

using namespace mlir;

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

RELAYOUT_DEFINE_SHARED_METHODS(DepthToSpaceOp)
RELAYOUT_DEFINE_SHARED_METHODS(SpaceToDepthOp)
RELAYOUT_DEFINE_SHARED_METHODS(SpaceToBatchOp)
RELAYOUT_DEFINE_SHARED_METHODS(BatchToSpaceOp)

} // namespace relayout

#define GET_OP_CLASSES
#include "relayout/IR/RelayoutOps.cpp.inc"
