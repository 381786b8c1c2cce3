// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Transforms/Chain.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "relayout/IR/ElementTypes.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <numeric>
#include <utility>

using namespace mlir;

namespace relayout {

using Groups = std::vector<Rearrangement::Group>;

/// What MLIR's reshapes need to know of one side: each group as a run of positions.
static SmallVector<ReassociationIndices> reassociation(ArrayRef<size_t> groupSizes) {
  SmallVector<ReassociationIndices> runs;
  int64_t next = 0;
  for (size_t size : groupSizes) {
    ReassociationIndices &run = runs.emplace_back(size);
    std::iota(run.begin(), run.end(), next);
    next += size;
  }
  return runs;
}

/// `source`, which has no elements, with `shape`, which has none either, by way of
/// the flat tensor: a slice of no elements does not verify.
static Value buildReshapeOfNothing(OpBuilder &builder, Location loc, Value source,
                                   ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(source.getType());
  if (type.getShape() == shape)
    return source;
  SmallVector<ReassociationIndices> all = reassociation({shape.size()});
  source = tensor::CollapseShapeOp::create(builder, loc, source, all);
  return tensor::ExpandShapeOp::create(builder, loc, type.clone(shape), source, all);
}

/// Widens `source` where the numbers of `windows` are positive. The fill is zero if
/// it is null.
static Value buildPad(OpBuilder &builder, Location loc, Value source, ArrayRef<Window> windows,
                      TypedAttr fill) {
  auto type = cast<RankedTensorType>(source.getType());
  SmallVector<OpFoldResult> low, high;
  SmallVector<int64_t> shape(type.getShape());
  for (auto [extent, window] : llvm::zip_equal(shape, windows)) {
    int64_t addLow = std::max<int64_t>(window.low, 0), addHigh = std::max<int64_t>(window.high, 0);
    low.push_back(builder.getIndexAttr(addLow));
    high.push_back(builder.getIndexAttr(addHigh));
    extent += addLow + addHigh;
  }
  if (type.getShape() == ArrayRef(shape))
    return source;
  Value scalar = buildFill(builder, loc, fill ? fill : getZeroElement(type.getElementType()));
  return tensor::PadOp::create(builder, loc, type.clone(shape), source, low, high, scalar);
}

/// Narrows `source` where the numbers of `windows` are negative.
static Value buildSlice(OpBuilder &builder, Location loc, Value source, ArrayRef<Window> windows) {
  auto type = cast<RankedTensorType>(source.getType());
  SmallVector<OpFoldResult> offsets, sizes;
  SmallVector<int64_t> shape(type.getShape());
  for (auto [extent, window] : llvm::zip_equal(shape, windows)) {
    int64_t offset = std::max<int64_t>(-window.low, 0);
    extent -= offset + std::max<int64_t>(-window.high, 0);
    // An empty slice has no place of its own, and none at the end is allowed.
    offsets.push_back(builder.getIndexAttr(extent == 0 ? 0 : offset));
    sizes.push_back(builder.getIndexAttr(extent));
  }
  if (type.getNumElements() == 0)
    return buildReshapeOfNothing(builder, loc, source, shape);
  if (type.getShape() == ArrayRef(shape))
    return source;
  SmallVector<OpFoldResult> strides(shape.size(), builder.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(builder, loc, type.clone(shape), source, offsets, sizes,
                                        strides);
}

/// Both. Widening comes first: a dimension need not have as many elements as a
/// window of both signs takes from it.
static Value buildWindows(OpBuilder &builder, Location loc, Value source, ArrayRef<Window> windows,
                          TypedAttr fill) {
  Value padded = buildPad(builder, loc, source, windows, fill);
  return buildSlice(builder, loc, padded, windows);
}

/// Puts `digit` into `groups` right behind `neighbour` (at the start if there is
/// none): into the next group if that is empty, else into the neighbour's.
static void insertBehind(Groups &groups, std::optional<unsigned> neighbour, unsigned digit) {
  if (groups.empty())
    return;
  size_t group = 0, position = 0;
  if (neighbour) {
    while (!llvm::is_contained(groups[group], *neighbour))
      ++group;
    position = llvm::find(groups[group], *neighbour) - groups[group].begin() + 1;
    if (position == groups[group].size() && group + 1 < groups.size() &&
        groups[group + 1].empty()) {
      ++group;
      position = 0;
    }
  }
  groups[group].insert(groups[group].begin() + position, digit);
}

/// Gives each empty group of `groups` a digit of extent 1, which `others` gets
/// too, at a place that adds nothing to the permutation.
static void addUnitDigits(Rearrangement &view, Groups &groups, Groups &others) {
  std::optional<unsigned> neighbour;
  for (Rearrangement::Group &group : groups) {
    if (group.empty()) {
      unsigned digit = view.digits.size();
      view.digits.push_back({"", 1});
      group.push_back(digit);
      insertBehind(others, neighbour, digit);
    }
    neighbour = group.back();
  }
}

static SmallVector<size_t> sizesOf(const Groups &groups) {
  return llvm::map_to_vector(groups,
                             [](const Rearrangement::Group &group) { return group.size(); });
}

static std::vector<unsigned> concatenate(const Groups &groups) {
  std::vector<unsigned> order;
  for (const Rearrangement::Group &group : groups)
    order.insert(order.end(), group.begin(), group.end());
  return order;
}

/// Splits, permutes and merges; every digit of `view` is a dimension in between. If
/// the transpose is the last step it writes to `dest`, which is then set to null.
static Value buildPermutation(OpBuilder &builder, Location loc, Value source, Rearrangement view,
                              Value &dest) {
  addUnitDigits(view, view.operandGroups, view.resultGroups);
  addUnitDigits(view, view.resultGroups, view.operandGroups);
  std::vector<unsigned> from = concatenate(view.operandGroups);
  std::vector<unsigned> to = concatenate(view.resultGroups);
  // Tensors of rank 0 have no group for the digits of extent 1 of the other side.
  if (view.operandGroups.empty())
    from = to;
  if (view.resultGroups.empty())
    to = from;

  Type element = cast<RankedTensorType>(source.getType()).getElementType();
  auto typeOf = [&](ArrayRef<unsigned> order) {
    SmallVector<int64_t> shape;
    for (unsigned digit : order)
      shape.push_back(view.digits[digit].extent);
    return RankedTensorType::get(shape, element);
  };
  if (from.size() != view.operandGroups.size())
    source = tensor::ExpandShapeOp::create(builder, loc, typeOf(from), source,
                                           reassociation(sizesOf(view.operandGroups)));
  if (from != to) {
    SmallVector<int64_t> perm;
    for (unsigned digit : to)
      perm.push_back(llvm::find(from, digit) - from.begin());
    bool isLast = to.size() == view.resultGroups.size();
    Value init = isLast ? std::exchange(dest, Value()) : Value();
    if (!init)
      init = tensor::EmptyOp::create(builder, loc, typeOf(to).getShape(), element);
    source = linalg::TransposeOp::create(builder, loc, source, init, perm)->getResult(0);
  }
  if (to.size() != view.resultGroups.size())
    source = tensor::CollapseShapeOp::create(builder, loc, source,
                                             reassociation(sizesOf(view.resultGroups)));
  return source;
}

/// Without a destination; writes to `dest` if the transpose can, and sets it to null.
static Value buildSteps(OpBuilder &builder, Location loc, Value source, const Movement &movement,
                        Value &dest) {
  // Where only digits of extent 1 change places there is nothing to transpose.
  Rearrangement view = normalize(movement.rearrangement);
  if (permutesDigits(view))
    view = movement.rearrangement;
  bool crops = llvm::any_of(view.crop, [](Window w) { return !w.isZero(); });
  Value noDest;
  Value value = buildWindows(builder, loc, source, view.pad, movement.fill);
  value = buildPermutation(builder, loc, value, view, crops ? noDest : dest);
  std::vector<Window> crop = view.crop;
  for (Window &window : crop)
    window = {-window.low, -window.high};
  return buildWindows(builder, loc, value, crop, movement.fill);
}

Value buildChain(OpBuilder &builder, Location loc, Value source, const Movement &movement,
                 Value dest) {
  if (!movement.rearrangement.isIdentity())
    source = buildSteps(builder, loc, source, movement, dest);
  if (dest)
    source = linalg::CopyOp::create(builder, loc, source, dest)->getResult(0);
  return source;
}

} // namespace relayout
