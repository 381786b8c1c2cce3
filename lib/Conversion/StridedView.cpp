// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StridedView.h"

#include "relayout/Layout/CheckedMath.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace relayout;

/// The widest accepted element.
static constexpr int64_t kMaxWidth = 16;

FailureOr<StridedView> relayout::getStridedView(Operation *op, MemRefType type) {
  StridedView view{type, 0, 0};
  // Upstream finds no strides in a type without elements.
  if (type.hasStaticShape() && type.getNumElements() == 0)
    return view;
  SmallVector<int64_t> strides;
  if (!type.hasStaticShape() || failed(type.getStridesAndOffset(strides, view.offset)) ||
      ShapedType::isDynamic(view.offset) || llvm::any_of(strides, ShapedType::isDynamic))
    return op->emitOpError("expects static extents, strides and offset, but got ") << type;
  if (view.offset < 0)
    return op->emitOpError("expects an offset of 0 or more, but got ") << type;

  std::optional<int64_t> span = 1;
  for (auto [extent, stride] : llvm::zip(type.getShape(), strides)) {
    std::optional<int64_t> reach = checkedMul(extent - 1, stride);
    span = span && reach ? checkedAdd(*span, *reach) : std::nullopt;
  }
  std::optional<int64_t> end = span ? checkedAdd(*span, view.offset) : std::nullopt;
  if (!end || !checkedMul(*end, kMaxWidth))
    return op->emitOpError("expects less than 2^63 bytes a side, but got ") << type;
  view.span = *span;
  return view;
}

Value relayout::flatten(OpBuilder &b, Location loc, Value memref, const StridedView &view) {
  MemRefLayoutAttrInterface layout;
  if (view.offset != 0)
    layout = StridedLayoutAttr::get(b.getContext(), view.offset, {1});
  auto flat =
      MemRefType::get({view.span}, view.type.getElementType(), layout, view.type.getMemorySpace());
  return memref::ReinterpretCastOp::create(b, loc, flat, memref, view.offset, {view.span}, {1});
}
