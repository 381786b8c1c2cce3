// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SpecGenerator.h"

#include "relayout/Layout/CheckedMath.h"
#include "relayout/Layout/ElementType.h"

#include <algorithm>
#include <numeric>

using namespace relayout;
using namespace relayout::test;

int64_t SpecGenerator::pick(int64_t low, int64_t high) {
  // std::uniform_int_distribution differs between libraries.
  return low + int64_t(engine() % uint64_t(high - low + 1));
}

int64_t SpecGenerator::pickExtent() {
  static const int64_t extents[] = {1,  1,   2,   3,   5, 7,  11, 13, 17, 19, 23, 31, 3,
                                    4,  5,   7,   8,   9, 15, 16, 17, 31, 32, 33, 63, 64,
                                    65, 127, 128, 129, 2, 2,  3,  3,  5,  1,  1};
  return oneIn(60) ? 0 : extents[pick(0, std::size(extents) - 1)];
}

std::vector<int64_t> SpecGenerator::pickShape(int64_t rank) {
  Shape shape(rank);
  // High ranks need small extents to stay within the limit.
  for (int64_t &extent : shape)
    extent = rank > 3 ? std::min<int64_t>(pickExtent(), pick(1, 5)) : pickExtent();
  return shape;
}

/// Pads of 0 to 7 that make `extent` divisible by `divisor` (at most 8).
Window SpecGenerator::pickPad(int64_t extent, int64_t divisor) {
  Window pad;
  pad.low = oneIn(2) ? 0 : pick(0, 7);
  int64_t rest = (extent + pad.low) % divisor;
  pad.high = rest ? divisor - rest : 0;
  while (pad.high + divisor <= 7 && oneIn(2))
    pad.high += divisor;
  return pad;
}

/// Crops of 0 to 7 that leave nothing at least.
Window SpecGenerator::pickCrop(int64_t extent) {
  Window crop;
  crop.low = oneIn(2) ? 0 : pick(0, std::min<int64_t>(7, extent));
  crop.high = oneIn(2) ? 0 : pick(0, std::min<int64_t>(7, extent - crop.low));
  return crop;
}

ElementBits SpecGenerator::pickBits(const ElementType &type) {
  ElementBits bits = {};
  for (int64_t i = 0; i < type.width; ++i)
    bits[i] = static_cast<unsigned char>(pick(0, type.kind == ElementKind::Bool ? 1 : 255));
  // No signalling NaN in a complex number: T8 of Spec.md.
  int64_t part = type.width / 2;
  for (int64_t at = part; type.kind == ElementKind::Complex && at <= type.width; at += part)
    bits[at - 2] |= part == 4 ? 0x40 : 0x08;
  return bits;
}

void SpecGenerator::shuffle(std::vector<int64_t> &values) {
  for (size_t i = values.size(); i > 1; --i)
    std::swap(values[i - 1], values[pick(0, i - 1)]);
}

void SpecGenerator::pickLayouts(Spec &spec, int64_t axes) {
  std::vector<TensorLayout> fitting = {TensorLayout::ChannelsFirst, TensorLayout::ChannelsLast};
  if (axes == 1)
    fitting.insert(fitting.end(), {TensorLayout::NCW, TensorLayout::NWC});
  if (axes == 2)
    fitting.insert(fitting.end(),
                   {TensorLayout::NCHW, TensorLayout::NHWC, TensorLayout::NCHW_VECT_C});
  if (axes == 3)
    fitting.insert(fitting.end(), {TensorLayout::NCDHW, TensorLayout::NDHWC});
  spec.layout = fitting[pick(0, fitting.size() - 1)];
  if (oneIn(3))
    spec.resultLayout = fitting[pick(0, fitting.size() - 1)];
}

void SpecGenerator::makeDepthSpace(Spec &spec) {
  int64_t axes = oneIn(5) ? pick(4, 6) : pick(1, 3);
  pickLayouts(spec, axes);
  spec.mode = oneIn(2) ? DepthMode::BlocksFirst : DepthMode::DepthFirst;
  spec.blockSize = {pick(1, axes > 3 ? 2 : 5)};
  if (oneIn(2))
    for (spec.blockSize.clear(); int64_t(spec.blockSize.size()) < axes;)
      spec.blockSize.push_back(pick(1, axes > 2 ? 2 : 5));

  bool toSpace = spec.operation == Operation::DepthToSpace;
  Shape space = pickShape(axes);
  int64_t channels = pickExtent();
  for (int64_t i = 0; i < axes; ++i) {
    int64_t block = spec.blockSize.size() == 1 ? spec.blockSize[0] : spec.blockSize[i];
    (toSpace ? channels : space[i]) *= block;
  }
  bool vector =
      spec.layout == TensorLayout::NCHW_VECT_C || spec.resultLayout == TensorLayout::NCHW_VECT_C;
  // Vectors of 4 channels need the low digits of the depth (D8 of Spec.md).
  if (!toSpace && spec.resultLayout == TensorLayout::NCHW_VECT_C &&
      spec.layout != TensorLayout::NCHW_VECT_C)
    spec.mode = DepthMode::BlocksFirst;
  if (vector)
    channels *= kVectorChannels;

  int64_t batch = oneIn(20) ? 0 : pick(1, 4);
  Result<DimensionRoles> roles =
      dimensionRoles(*spec.layout, axes + 2 + (spec.layout == TensorLayout::NCHW_VECT_C ? 1 : 0));
  spec.shape.assign(axes + 2 + (roles->vector >= 0 ? 1 : 0), 1);
  spec.shape[roles->batch] = batch;
  spec.shape[roles->channel] = roles->vector >= 0 ? channels / kVectorChannels : channels;
  for (int64_t i = 0; i < axes; ++i)
    spec.shape[roles->spatial[i]] = space[i];
  if (roles->vector >= 0)
    spec.shape[roles->vector] = kVectorChannels;
}

/// Blocks for axes 1..M, or for every axis with a leading 1.
void SpecGenerator::pickBlockShape(Spec &spec, int64_t rank) {
  bool everyAxis = oneIn(4);
  int64_t blocked = everyAxis ? rank - 1 : pick(0, std::min<int64_t>(rank - 1, 4));
  for (int64_t i = 0; i < blocked; ++i)
    spec.blockShape.push_back(i < 3 ? pick(1, rank > 3 ? 3 : 8) : 1);
  if (everyAxis)
    spec.blockShape.insert(spec.blockShape.begin(), 1);
}

void SpecGenerator::makeSpaceToBatch(Spec &spec) {
  int64_t rank = pick(1, 8);
  spec.shape = pickShape(rank);
  pickBlockShape(spec, rank);
  int64_t lead = int64_t(spec.blockShape.size()) == rank ? 0 : 1;
  for (size_t i = 0; i < spec.blockShape.size(); ++i) {
    bool isBatch = i + lead == 0;
    spec.paddings.push_back(isBatch ? Window{} : pickPad(spec.shape[i + lead], spec.blockShape[i]));
  }
  if (oneIn(2))
    spec.padValue = pickBits(*spec.dtype);
}

void SpecGenerator::makeBatchToSpace(Spec &spec) {
  int64_t rank = pick(1, 8);
  spec.shape = pickShape(rank);
  pickBlockShape(spec, rank);
  int64_t lead = int64_t(spec.blockShape.size()) == rank ? 0 : 1;
  for (size_t i = 0; i < spec.blockShape.size(); ++i) {
    bool isBatch = i + lead == 0;
    int64_t extent = spec.shape[i + lead] * spec.blockShape[i];
    spec.crops.push_back(isBatch ? Window{} : pickCrop(extent));
  }
  spec.shape[0] = pick(0, 3);
  for (int64_t block : spec.blockShape)
    spec.shape[0] *= block;
}

void SpecGenerator::makePixelShuffle(Spec &spec) {
  int64_t factor = pick(1, 5);
  spec.blockSize = {factor};
  spec.shape = pickShape(pick(3, 8));
  int64_t *lastThree = &spec.shape[spec.shape.size() - 3];
  if (spec.operation == Operation::PixelShuffle)
    lastThree[0] *= factor * factor;
  else
    for (int64_t *extent : {lastThree + 1, lastThree + 2})
      *extent *= factor;
}

void SpecGenerator::makeChannelShuffle(Spec &spec) {
  spec.shape = pickShape(pick(1, 8));
  spec.axis = pick(0, spec.shape.size() - 1);
  spec.groups = pick(1, 9);
  spec.shape[spec.axis] *= spec.groups;
}

void SpecGenerator::makeTranspose(Spec &spec) {
  spec.shape = pickShape(pick(0, 8));
  spec.perm.resize(spec.shape.size());
  std::iota(spec.perm.begin(), spec.perm.end(), 0);
  shuffle(spec.perm);
}

namespace {

/// A side of a random pattern: groups of digits by number.
using Groups = std::vector<std::vector<int64_t>>;

std::string sideText(const Groups &groups) {
  std::string text;
  for (const std::vector<int64_t> &group : groups) {
    std::string names;
    for (int64_t digit : group)
      names += (names.empty() ? "d" : " d") + std::to_string(digit);
    text += (group.size() == 1 ? names : "(" + names + ")") + " ";
  }
  return text;
}

} // namespace

/// Digits are dealt to the dimensions of the operand, permuted, and dealt to those of
/// the result. `...` may stand in front of both sides.
void SpecGenerator::makeRearrange(Spec &spec) {
  int64_t ellipsis = oneIn(5) ? pick(1, 2) : 0;
  int64_t rank = pick(0, 8 - ellipsis), resultRank = pick(rank ? 1 : 0, 8 - ellipsis);
  Groups operand(rank), result(resultRank);
  Shape extents;
  if (rank > 0)
    for (int64_t digits = pick(0, 9); int64_t(extents.size()) < digits;) {
      operand[pick(0, rank - 1)].push_back(extents.size());
      extents.push_back(digits > 3 ? std::min<int64_t>(pickExtent(), pick(1, 5)) : pickExtent());
    }
  std::vector<int64_t> order(extents.size());
  std::iota(order.begin(), order.end(), 0);
  shuffle(order);
  for (int64_t digit : order)
    result[pick(0, resultRank - 1)].push_back(digit);

  std::string dots = ellipsis ? "... " : "";
  spec.pattern = dots + sideText(operand) + "-> " + dots + sideText(result);
  for (size_t i = 0; i < extents.size(); ++i)
    spec.sizes["d" + std::to_string(i)] = extents[i];

  auto merged = [&](const std::vector<int64_t> &group) {
    int64_t extent = 1;
    for (int64_t digit : group)
      extent *= extents[digit];
    return extent;
  };
  // A negative number does the opposite of its window.
  bool padded = oneIn(2), cropped = oneIn(2);
  spec.shape = pickShape(ellipsis);
  spec.pad.assign(padded ? ellipsis : 0, Window{});
  spec.crop.assign(cropped ? ellipsis : 0, Window{});
  for (const std::vector<int64_t> &group : operand) {
    int64_t extent = merged(group);
    Window pad = padded ? pickCrop(extent) : Window{};
    if (padded && oneIn(4))
      pad.low = -pick(0, 7);
    spec.shape.push_back(extent - pad.low - pad.high);
    if (padded)
      spec.pad.push_back(pad);
  }
  if (cropped)
    for (const std::vector<int64_t> &group : result) {
      Window crop = pickCrop(merged(group));
      if (oneIn(4))
        crop.high = -pick(0, 7);
      spec.crop.push_back(crop);
    }
  if (oneIn(2))
    spec.padValue = pickBits(*spec.dtype);
}

Spec SpecGenerator::attempt() {
  Spec spec;
  // The general form has the most to go wrong.
  spec.operation =
      oneIn(3) ? Operation::Rearrange : Operation(pick(0, int64_t(Operation::ChannelShuffle)));
  const std::vector<ElementType> &types = elementTypes();
  spec.dtype = &types[pick(0, types.size() - 1)];
  switch (spec.operation) {
  case Operation::DepthToSpace:
  case Operation::SpaceToDepth:
    makeDepthSpace(spec);
    break;
  case Operation::SpaceToBatch:
    makeSpaceToBatch(spec);
    break;
  case Operation::BatchToSpace:
    makeBatchToSpace(spec);
    break;
  case Operation::Rearrange:
    makeRearrange(spec);
    break;
  case Operation::Transpose:
    makeTranspose(spec);
    break;
  case Operation::PixelShuffle:
  case Operation::PixelUnshuffle:
    makePixelShuffle(spec);
    break;
  case Operation::ChannelShuffle:
    makeChannelShuffle(spec);
    break;
  }
  return spec;
}

Spec SpecGenerator::make(int64_t maxElements) {
  while (true) {
    Spec spec = attempt();
    std::optional<int64_t> operand = checkedProduct(spec.shape);
    // What is padded may be larger; windows are small, so few are lost here.
    Result<Rearrangement> r = toRearrangement(spec);
    std::optional<int64_t> padded = r ? checkedProduct(r->paddedShape()) : operand;
    std::optional<int64_t> result = r ? checkedProduct(r->resultShape()) : operand;
    if (operand && padded && result && std::max({*operand, *padded, *result}) <= maxElements)
      return spec;
  }
}

/// The dimensions in any order, gaps of 0 to 3 elements after each but mostly none.
std::vector<int64_t> SpecGenerator::pickStrides(const Shape &shape) {
  std::vector<int64_t> order(shape.size()), strides(shape.size());
  for (size_t dim = 0; dim < order.size(); ++dim)
    order[dim] = static_cast<int64_t>(dim);
  shuffle(order);
  int64_t stride = oneIn(3) ? pick(1, 3) : 1;
  for (int64_t dim : order) {
    strides[dim] = stride;
    stride *= std::max<int64_t>(shape[dim], 1);
    stride += oneIn(3) ? pick(0, 3) : 0;
  }
  return strides;
}

void SpecGenerator::addStrides(Spec &spec) {
  if (!oneIn(4) || spec.shape.empty())
    return;
  Result<Rearrangement> r = toRearrangement(spec);
  int64_t which = pick(1, 3);
  if (which & 1) {
    spec.inputStrides = pickStrides(spec.shape);
    if (oneIn(4))
      spec.inputStrides[pick(0, spec.shape.size() - 1)] = 0;
  }
  if (r && which & 2)
    spec.outputStrides = pickStrides(r->resultShape());
}
