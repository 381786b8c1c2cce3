// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RearrangementOp.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace relayout {

static std::vector<Window> windowsOf(std::optional<WindowsAttr> attr) {
  return attr ? attr->toVector() : std::vector<Window>();
}

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

namespace {
/// Drops attributes that say nothing: windows of zeros, a fill value that is zero
/// or that nothing is filled with.
struct DropVoidAttributes : OpRewritePattern<RearrangeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(RearrangeOp op, PatternRewriter &rewriter) const override {
    Result<Rearrangement> rearrangement = op.getRearrangement();
    bool dropPad = op.getPad() && op.getPad()->isZero();
    bool dropCrop = op.getCrop() && op.getCrop()->isZero();
    bool dropValue =
        op.getValue() && (isZeroElement(*op.getValue()) || !rearrangement->needsFill());
    if (!rearrangement || !(dropPad || dropCrop || dropValue))
      return failure();
    rewriter.modifyOpInPlace(op, [&] {
      if (dropPad)
        op.removePadAttr();
      if (dropCrop)
        op.removeCropAttr();
      if (dropValue)
        op.removeValueAttr();
    });
    return success();
  }
};
} // namespace

void RearrangeOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<DropVoidAttributes>(context);
}

RELAYOUT_DEFINE_SHARED_METHODS(RearrangeOp)

} // namespace relayout
