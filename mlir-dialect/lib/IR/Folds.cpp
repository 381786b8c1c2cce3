// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OpSupport.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace relayout {

//===----------------------------------------------------------------------===//
// Folds
//===----------------------------------------------------------------------===//

/// The value that `op` gives back unchanged: its source, or the source of the
/// operation before it, which `op` undoes. Where no order is required of operations,
/// that may be its own result.
static Value foldToSource(RearrangementOpInterface op, const Rearrangement &second) {
  if (second.isIdentity())
    return op.getSource();
  auto producer = op.getSource().getDefiningOp<RearrangementOpInterface>();
  if (!producer)
    return {};
  Result<Rearrangement> first = producer.getRearrangement();
  if (!first)
    return {};
  // An identity shows no fill, so different fill values of the two do not matter.
  Result<Rearrangement> both = compose(*first, second);
  return both && both->isIdentity() ? producer.getSource() : Value();
}

LogicalResult detail::fold(RearrangementOpInterface op, Attribute source,
                           SmallVectorImpl<OpFoldResult> &results) {
  if (!op.hasTensorForm())
    return failure();
  Result<Rearrangement> rearrangement = op.getRearrangement();
  if (!rearrangement)
    return failure();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (Value value = foldToSource(op, *rearrangement);
      value && value.getType() == type && value != op->getResult(0)) {
    results.push_back(value);
    return success();
  }
  auto splat = dyn_cast_or_null<SplatElementsAttr>(source);
  if (!splat || type.getNumElements() == 0)
    return failure();
  if (rearrangement->needsFill() && getSplatElement(splat) != op.getPadValueOrZero())
    return failure();
  results.push_back(splat.resizeSplat(type));
  return success();
}

//===----------------------------------------------------------------------===//
// Canonicalisation
//===----------------------------------------------------------------------===//

/// True if `attr` of `op` says what its absence says too: windows of zeros, a fill
/// value that is zero or fills nothing, a result layout that is the operand's.
static bool saysNothing(RearrangementOpInterface op, const Rearrangement &rearrangement,
                        NamedAttribute attr) {
  if (auto windows = dyn_cast<WindowsAttr>(attr.getValue()))
    return windows.isZero();
  if (attr.getName() == "value")
    return isZeroElement(op.getPadValue()) || !rearrangement.needsFill();
  return attr.getName() == "result_layout" && attr.getValue() == op->getAttr("layout");
}

namespace {
struct DropVoidAttributes : OpInterfaceRewritePattern<RearrangementOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(RearrangementOpInterface op,
                                PatternRewriter &rewriter) const override {
    Result<Rearrangement> rearrangement = op.getRearrangement();
    if (!rearrangement)
      return failure();
    SmallVector<StringAttr> names;
    for (StringAttr name : op->getRegisteredInfo()->getAttributeNames())
      if (Attribute value = op->getAttr(name);
          value && saysNothing(op, *rearrangement, {name, value}))
        names.push_back(name);
    if (names.empty())
      return failure();
    rewriter.modifyOpInPlace(op, [&] {
      for (StringAttr name : names)
        op->removeAttr(name);
    });
    return success();
  }
};
} // namespace

void RelayoutDialect::getCanonicalizationPatterns(RewritePatternSet &patterns) const {
  patterns.add<DropVoidAttributes>(getContext());
}

} // namespace relayout
