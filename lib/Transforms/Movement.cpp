// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Transforms/Chain.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace relayout {

std::optional<std::vector<int64_t>> getStaticExtents(Type type) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (!ranked || !ranked.hasStaticShape())
    return std::nullopt;
  return std::vector<int64_t>(ranked.getShape().begin(), ranked.getShape().end());
}

static std::string attributeText(Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream(text) << attribute;
  return text;
}

Result<Movement> composeMovements(const Movement &first, const Movement &second) {
  if (first.fill && second.fill && first.fill != second.fill)
    return Error{ErrorCode::Unsupported, "expects pads of one fill value, but " +
                                             attributeText(first.fill) + " is followed by " +
                                             attributeText(second.fill)};
  Result<Rearrangement> composite = compose(first.rearrangement, second.rearrangement);
  if (!composite)
    return composite.error();
  TypedAttr fill = first.fill ? first.fill : second.fill;
  if (!composite->needsFill())
    fill = {};
  return Movement{composite.take(), fill};
}

/// The digits of `groups` that have more than one value, in order.
static SmallVector<unsigned> movingDigits(const Rearrangement &rearrangement,
                                          const std::vector<Rearrangement::Group> &groups) {
  SmallVector<unsigned> order;
  for (const Rearrangement::Group &group : groups)
    for (unsigned digit : group)
      if (rearrangement.digits[digit].extent != 1)
        order.push_back(digit);
  return order;
}

bool permutesDigits(const Rearrangement &rearrangement) {
  return movingDigits(rearrangement, rearrangement.operandGroups) !=
         movingDigits(rearrangement, rearrangement.resultGroups);
}

unsigned countChainMoves(const Rearrangement &rearrangement) {
  auto count = [](const std::vector<Window> &windows) -> unsigned {
    return llvm::any_of(windows, [](Window w) { return w.low > 0 || w.high > 0; }) +
           llvm::any_of(windows, [](Window w) { return w.low < 0 || w.high < 0; });
  };
  return count(rearrangement.pad) + permutesDigits(rearrangement) + count(rearrangement.crop);
}

} // namespace relayout
