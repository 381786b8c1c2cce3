// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReadChain.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "relayout/IR/Relayout.h"
#include "relayout/Layout/CheckedMath.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>

using namespace mlir;

namespace relayout {

using namespace detail;

Error detail::unsupported(std::string message) {
  return {ErrorCode::Unsupported, std::move(message)};
}

Result<Shape> detail::constants(ArrayRef<OpFoldResult> values, const char *what) {
  std::optional<SmallVector<int64_t>> numbers = getConstantIntValues(values);
  if (!numbers)
    return unsupported(std::string("expects constant ") + what);
  return Shape(numbers->begin(), numbers->end());
}

Rearrangement detail::blank(const Shape &operandShape, const Shape &extents) {
  Rearrangement r;
  r.operandShape = operandShape;
  for (auto [index, extent] : llvm::enumerate(extents))
    r.digits.push_back({"d" + std::to_string(index), extent});
  return r;
}

Result<Rearrangement> detail::finish(Rearrangement r) {
  r.pad.resize(r.operandGroups.size());
  r.crop.resize(r.resultGroups.size());
  if (Status status = r.verify(); !status)
    return status.error();
  return r;
}

std::vector<Rearrangement::Group> detail::singles(size_t count) {
  std::vector<Rearrangement::Group> groups;
  for (unsigned digit = 0; digit < count; ++digit)
    groups.push_back({digit});
  return groups;
}

bool detail::hasNoEffects(Block &body) {
  return llvm::all_of(body.without_terminator(), [](Operation &op) { return isPure(&op); });
}

static std::vector<Rearrangement::Group> runs(ArrayRef<ReassociationIndices> reassociation) {
  std::vector<Rearrangement::Group> groups;
  for (const ReassociationIndices &run : reassociation)
    groups.emplace_back(run.begin(), run.end());
  return groups;
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

static Result<Rearrangement> readExpand(tensor::ExpandShapeOp op, const Shape &shape) {
  ArrayRef<int64_t> output = op.getStaticOutputShape();
  Shape extents(output.begin(), output.end());
  SmallVector<ReassociationIndices> reassociation = op.getReassociationIndices();
  for (auto [run, whole] : llvm::zip(reassociation, shape)) {
    Shape known;
    int64_t *unknown = nullptr;
    for (int64_t dim : run) {
      if (ShapedType::isDynamic(extents[dim]))
        unknown = &extents[dim];
      else
        known.push_back(extents[dim]);
    }
    if (!unknown)
      continue;
    int64_t product = checkedProduct(known).value_or(0);
    if (product == 0 || whole % product != 0)
      return unsupported("expects a constant output shape");
    *unknown = whole / product;
  }
  // A tensor of rank 0 has no group for digits of extent 1.
  Rearrangement r = blank(shape, shape.empty() ? Shape() : extents);
  r.operandGroups = runs(reassociation);
  r.resultGroups = singles(r.digits.size());
  r.resultGroups.resize(extents.size());
  return finish(std::move(r));
}

static Result<Rearrangement> readCollapse(tensor::CollapseShapeOp op, const Shape &shape) {
  SmallVector<ReassociationIndices> reassociation = op.getReassociationIndices();
  Rearrangement r = blank(shape, reassociation.empty() ? Shape() : shape);
  r.operandGroups = singles(r.digits.size());
  r.operandGroups.resize(shape.size());
  r.resultGroups = runs(reassociation);
  return finish(std::move(r));
}

/// By way of the flat tensor, where both shapes have a common refinement.
static Result<Rearrangement> readReshape(tensor::ReshapeOp op, const Shape &shape) {
  std::optional<Shape> output = getStaticExtents(op.getType());
  if (!output)
    return unsupported("expects a static result shape");
  auto flatten = [](const Shape &from) {
    Rearrangement r = blank(from, from);
    r.operandGroups = singles(from.size());
    r.resultGroups.resize(1);
    for (unsigned digit = 0; digit < from.size(); ++digit)
      r.resultGroups[0].push_back(digit);
    return finish(std::move(r));
  };
  Result<Rearrangement> first = flatten(shape), second = flatten(*output);
  if (!first || !second)
    return first ? second.error() : first.error();
  Result<Rearrangement> unflatten = inverse(*second);
  return unflatten ? compose(*first, *unflatten) : unflatten;
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

static Result<Movement> readPad(tensor::PadOp op, const Shape &shape) {
  Result<Shape> low = constants(op.getMixedLowPad(), "pads");
  Result<Shape> high = constants(op.getMixedHighPad(), "pads");
  if (!low || !high)
    return low ? high.error() : low.error();
  if (op.getNofold())
    return unsupported("expects a pad without nofold");
  Rearrangement r = identityRearrangement(shape);
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    r.pad[dim] = {(*low)[dim], (*high)[dim]};
    if (r.pad[dim].low < 0 || r.pad[dim].high < 0)
      return unsupported("expects pads of 0 or more");
    std::optional<int64_t> extent = checkedAdd(shape[dim], r.pad[dim].low);
    extent = extent ? checkedAdd(*extent, r.pad[dim].high) : extent;
    if (!extent)
      return Error{ErrorCode::Overflow, "expects padded extents within 64 bits"};
    for (unsigned digit : r.operandGroups[dim])
      r.digits[digit].extent = *extent;
  }
  if (!hasNoEffects(*op.getBody()))
    return unsupported("expects a pad whose body does no more than compute the fill value");
  auto yield = cast<tensor::YieldOp>(op.getBody()->getTerminator());
  Result<TypedAttr> fill = readFill(yield.getValue());
  Result<Rearrangement> checked = finish(std::move(r));
  if (!fill || !checked)
    return fill ? checked.error() : fill.error();
  return Movement{checked.take(), *fill};
}

/// Windows `pad` on the dimensions of `shape`, of which those in `dropped` (extent
/// 1 after the window) are left out of the result.
static Result<Rearrangement> windowThenDrop(const Shape &shape, const std::vector<Window> &pad,
                                            const llvm::SmallBitVector &dropped) {
  Rearrangement r;
  r.operandShape = shape;
  r.pad = pad;
  for (auto [dim, window] : llvm::enumerate(pad)) {
    Rearrangement::Group &group = r.operandGroups.emplace_back();
    if (dropped.test(dim))
      continue;
    unsigned digit = r.digits.size();
    r.digits.push_back({"d" + std::to_string(digit), shape[dim] + window.low + window.high});
    group.push_back(digit);
    r.resultGroups.push_back({digit});
  }
  return finish(std::move(r));
}

/// The slice that `op` takes from a tensor of shape `whole`, or writes to it: its `side`.
template <typename Op>
static Result<Rearrangement> readSlice(Op op, const Shape &whole, const char *side) {
  Result<Shape> offsets = constants(op.getMixedOffsets(), "offsets");
  Result<Shape> sizes = constants(op.getMixedSizes(), "sizes");
  if (!offsets || !sizes)
    return offsets ? sizes.error() : offsets.error();
  if (!op.hasUnitStride())
    return unsupported("expects strides of 1");
  std::vector<Window> pad(whole.size());
  for (size_t dim = 0; dim < whole.size(); ++dim) {
    int64_t rest = whole[dim] - (*offsets)[dim] - (*sizes)[dim];
    if ((*offsets)[dim] < 0 || rest < 0)
      return unsupported(std::string("expects a slice within its ") + side);
    pad[dim] = {-(*offsets)[dim], -rest};
  }
  return windowThenDrop(whole, pad, op.getDroppedDims());
}

/// A tensor that is put into one that is constant all over: a pad.
static Result<Movement> readInsertSlice(tensor::InsertSliceOp op, const Shape &shape) {
  Result<TypedAttr> fill = readSplat(op.getDest());
  if (!fill)
    return fill.error();
  std::optional<Shape> whole = getStaticExtents(op.getDest().getType());
  if (!whole)
    return unsupported("expects a destination of static shape");
  // The inverse of the slice that takes the source out again.
  Result<Rearrangement> out = readSlice(op, *whole, "destination");
  if (!out)
    return out.error();
  Rearrangement r = out.take();
  r.operandShape = shape;
  std::swap(r.operandGroups, r.resultGroups);
  std::swap(r.pad, r.crop);
  Result<Rearrangement> checked = finish(std::move(r));
  if (!checked)
    return checked.error();
  return Movement{checked.take(), *fill};
}

//===----------------------------------------------------------------------===//
// All kinds
//===----------------------------------------------------------------------===//

Value getChainSource(Operation *op) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp>([](auto o) { return o.getSrc(); })
      .Case<tensor::ReshapeOp, tensor::PadOp, tensor::ExtractSliceOp, tensor::InsertSliceOp,
            tensor::CastOp, linalg::UnPackOp, linalg::PackOp>([](auto o) { return o.getSource(); })
      .Case([](RearrangementOpInterface o) { return o.hasTensorForm() ? o.getSource() : Value(); })
      .Case([](linalg::LinalgOp o) {
        return isPermutation(o) ? o.getDpsInputOperand(0)->get() : Value();
      })
      .Default(Value());
}

Value getChainDest(Operation *op) {
  Value dest = llvm::TypeSwitch<Operation *, Value>(op)
                   .Case([](RearrangementOpInterface o) { return o.getDest(); })
                   .Case([](linalg::LinalgOp o) { return o.getDpsInitOperand(0)->get(); })
                   .Case<linalg::PackOp, linalg::UnPackOp>([](auto o) { return o.getDest(); })
                   .Default(Value());
  return dest && dest.getDefiningOp<tensor::EmptyOp>() ? Value() : dest;
}

/// Without the checks on types.
static Result<Movement> readAny(Operation *op, const Shape &shape) {
  auto bare = [](Result<Rearrangement> r) -> Result<Movement> {
    if (!r)
      return r.error();
    return Movement{r.take(), {}};
  };
  return llvm::TypeSwitch<Operation *, Result<Movement>>(op)
      .Case([&](tensor::ExpandShapeOp o) { return bare(readExpand(o, shape)); })
      .Case([&](tensor::CollapseShapeOp o) { return bare(readCollapse(o, shape)); })
      .Case([&](tensor::ReshapeOp o) { return bare(readReshape(o, shape)); })
      .Case([&](tensor::CastOp) { return bare(identityRearrangement(shape)); })
      .Case([&](tensor::PadOp o) { return readPad(o, shape); })
      .Case([&](tensor::ExtractSliceOp o) { return bare(readSlice(o, shape, "source")); })
      .Case([&](tensor::InsertSliceOp o) { return readInsertSlice(o, shape); })
      .Case([&](linalg::PackOp o) { return readPack(o, shape); })
      .Case([&](linalg::UnPackOp o) { return bare(readUnpack(o, shape)); })
      .Case([&](RearrangementOpInterface o) -> Result<Movement> {
        Result<Rearrangement> r = o.getRearrangement();
        if (!r)
          return r.error();
        return Movement{r.take(), o.getPadValueOrZero()};
      })
      .Case([&](linalg::LinalgOp o) { return bare(readPermutation(o, shape)); })
      .Default([](Operation *) { return unsupported("expects an operation of a chain"); });
}

Result<Movement> readChainOp(Operation *op, const Shape &shape) {
  auto source = dyn_cast<RankedTensorType>(getChainSource(op).getType());
  auto result = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!source || !result || source.getEncoding() || result.getEncoding())
    return unsupported("expects ranked tensors without encoding");
  if (auto info = getElementTypeInfo(source.getElementType()); !info)
    return info.error();
  Result<Movement> movement = readAny(op, shape);
  if (!movement)
    return movement;
  if (failed(verifyCompatibleShape(result.getShape(), movement->rearrangement.resultShape())))
    return unsupported("expects a result type that the operation makes of its source");
  if (!movement->rearrangement.needsFill())
    movement->fill = {};
  else if (movement->fill && movement->fill.getType() != source.getElementType())
    return unsupported("expects a fill value of the element type");
  return movement;
}

} // namespace relayout
