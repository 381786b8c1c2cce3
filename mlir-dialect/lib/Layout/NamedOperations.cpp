// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Layout/NamedOperations.h"

#include "Blocks.h"
#include "RearrangementBuilder.h"
#include "Text.h"
#include "relayout/Layout/CheckedMath.h"
#include "relayout/Support/Text.h"

using namespace relayout;

using Group = Rearrangement::Group;

const char *relayout::modeWord(DepthMode mode) {
  return mode == DepthMode::BlocksFirst ? "blocks_first" : "depth_first";
}

Result<DepthMode> relayout::parseDepthMode(std::string_view word) {
  for (DepthMode mode : {DepthMode::BlocksFirst, DepthMode::DepthFirst})
    if (word == modeWord(mode))
      return mode;
  return makeError(ErrorCode::Mode, "expects a mode among blocks_first, depth_first, but got '",
                   beginning(word), "'");
}

Status relayout::checkShape(const std::vector<int64_t> &shape,
                            std::optional<int64_t> elementWidth) {
  // [S1]
  if (shape.size() > static_cast<size_t>(kMaxRank))
    return makeError(ErrorCode::Limit, "expects a rank of ", kMaxRank, " at most, but the rank is ",
                     shape.size());
  // [S2]
  for (size_t dim = 0; dim < shape.size(); ++dim)
    if (shape[dim] < 0)
      return makeError(ErrorCode::Shape, "expects extents of 0 or more, but dimension ", dim,
                       " is ", shape[dim]);
  // [S3]
  std::vector<int64_t> factors = shape;
  factors.push_back(elementWidth.value_or(16));
  if (!checkedProduct(factors))
    return makeError(ErrorCode::Overflow, "expects the product of the nonzero extents times ",
                     factors.back(), " bytes",
                     elementWidth ? "" : ", as elements of any type count,",
                     " to fit 63 bits, but the shape is [", join(shape, ","), "]");
  return Status::success();
}

namespace {

/// What both operations check before a divisibility, and the block of each axis.
struct DepthSpaceChecks {
  DimensionRoles operand, result;
  std::vector<int64_t> blocks;
  int64_t blockProduct;
};

/// The digits of both operations.
struct DepthSpaceDigits {
  RearrangementBuilder builder;
  unsigned batch, channel;
  Group vector; ///< the low digit of the channel, in NCHW_VECT_C
  Group spatial, block;

  /// The depth that holds the blocks: `channel` and `block`, ordered as `mode` says.
  Group depth(DepthMode mode) const {
    Group group = block;
    group.insert(mode == DepthMode::BlocksFirst ? group.end() : group.begin(), channel);
    return group;
  }
};

/// The roles of the result's dimensions: [D3].
Result<DimensionRoles> resultRoles(const DepthSpaceAttrs &attrs, size_t axes) {
  int64_t rank = axes + (attrs.resultLayout == TensorLayout::NCHW_VECT_C ? 3 : 2);
  if (Result<DimensionRoles> roles = dimensionRoles(attrs.resultLayout, rank))
    return roles;
  return makeError(ErrorCode::Layout, "expects a result layout of ", axes,
                   " spatial axes, as the operand in layout ", layoutWord(attrs.layout),
                   " has, but got ", layoutWord(attrs.resultLayout));
}

Result<DepthSpaceChecks> checkDepthSpace(const std::vector<int64_t> &shape,
                                         const DepthSpaceAttrs &attrs) {
  if (Status status = checkShape(shape); !status)
    return status.error();
  // [D1]
  Result<DimensionRoles> operand = dimensionRoles(attrs.layout, shape.size());
  if (!operand)
    return operand.error();
  // [D2]
  if (operand->vector >= 0 && shape[operand->vector] != kVectorChannels)
    return makeError(ErrorCode::Shape, "expects the last dimension to be ", kVectorChannels,
                     " in layout NCHW_VECT_C, but it is ", shape[operand->vector]);
  size_t axes = operand->spatial.size();
  Result<DimensionRoles> result = resultRoles(attrs, axes);
  if (!result)
    return result.error();
  // [D4]
  std::vector<int64_t> blocks = attrs.blockSize;
  if (blocks.size() == 1)
    blocks.assign(axes, blocks[0]);
  if (blocks.size() != axes)
    return makeError(ErrorCode::Block, "expects one block_size, or one for each of the ", axes,
                     " spatial axes, but got ", blocks.size());
  // [D5]
  Result<int64_t> product = blockProduct(blocks, "block_size");
  if (!product)
    return product.error();
  return DepthSpaceChecks{operand.take(), result.take(), std::move(blocks), *product};
}

bool isUniform(const std::vector<int64_t> &blocks) {
  for (int64_t block : blocks)
    if (block != blocks[0])
      return false;
  return true;
}

Error refuseDepth(const DepthSpaceChecks &checks, int64_t extent) {
  const std::vector<int64_t> &blocks = checks.blocks;
  std::string rule = "the product of block_size";
  std::string advice = cat("multiples of ", checks.blockProduct, " are possible");
  if (isUniform(blocks)) {
    rule = blocks.size() == 1 ? "block_size" : cat("block_size^", blocks.size());
    advice = cat("block_size ", largestBlock({extent}, blocks.size(), blocks[0]), " is possible");
  }
  return makeError(ErrorCode::Divisible, "expects dimension ", checks.operand.channel,
                   " to be divisible by ", rule, ", but ", extent, " is not divisible by ",
                   checks.blockProduct, "; ", advice);
}

Error refuseSpace(const DepthSpaceChecks &checks, const std::vector<int64_t> &shape, size_t axis) {
  unsigned dim = checks.operand.spatial[axis];
  std::vector<int64_t> extents = {shape[dim]};
  std::string rule = cat("block_size[", axis, "]");
  if (isUniform(checks.blocks)) {
    rule = "block_size";
    for (unsigned spatial : checks.operand.spatial)
      extents.push_back(shape[spatial]);
  }
  return makeError(ErrorCode::Divisible, "expects dimension ", dim, " to be divisible by ", rule,
                   ", but ", shape[dim], " is not divisible by ", checks.blocks[axis], "; ", rule,
                   " ", largestBlock(extents, 1, checks.blocks[axis]), " is possible");
}

/// The digits of an operation: `channel` channels, and `spatial` positions on the
/// axes, without the blocks.
DepthSpaceDigits makeDigits(const std::vector<int64_t> &shape, const DepthSpaceChecks &checks,
                            int64_t channel, const std::vector<int64_t> &spatial) {
  DepthSpaceDigits d{RearrangementBuilder(shape), 0, 0, {}, {}, {}};
  size_t axes = spatial.size();
  d.batch = d.builder.digit("n", shape[checks.operand.batch]);
  d.channel = d.builder.digit("c", channel);
  std::vector<std::string> names = spatialNames("", axes);
  for (size_t axis = 0; axis < axes; ++axis) {
    std::string block = axes <= 3 ? cat("b", "zyx"[3 - axes + axis]) : cat("b", axis + 1);
    d.spatial.push_back(d.builder.digit(names[axis], spatial[axis]));
    d.block.push_back(d.builder.digit(block, checks.blocks[axis]));
  }
  if (checks.operand.vector >= 0) {
    d.vector = {d.builder.digit("v", kVectorChannels)};
    d.builder.setOperand(checks.operand.vector, d.vector);
  }
  d.builder.setOperand(checks.operand.batch, {d.batch});
  d.builder.setResult(checks.result.batch, {d.batch});
  return d;
}

/// Places the channel of the result, whose digits above the vector are `depth`.
Result<Rearrangement> finishChannels(DepthSpaceDigits &d, const DimensionRoles &result,
                                     Group depth) {
  depth.insert(depth.end(), d.vector.begin(), d.vector.end());
  if (result.vector >= 0) {
    // [D8]
    std::string extents = d.builder.extentsOf(depth);
    std::optional<Group> tail = d.builder.splitTail(depth, kVectorChannels, "v");
    if (!tail)
      return makeError(ErrorCode::Divisible, "expects the low digits of the result's channels to ",
                       "make vectors of ", kVectorChannels,
                       " for layout NCHW_VECT_C, but the sizes of the digits are ", extents);
    d.builder.setResult(result.vector, *tail);
  }
  d.builder.setResult(result.channel, depth);
  return d.builder.finish();
}

} // namespace

Result<Rearrangement> relayout::depthToSpace(const std::vector<int64_t> &shape,
                                             const DepthSpaceAttrs &attrs) {
  Result<DepthSpaceChecks> checks = checkDepthSpace(shape, attrs);
  if (!checks)
    return checks.error();
  // [D6]
  int64_t depth = shape[checks->operand.channel];
  if (depth % checks->blockProduct != 0)
    return refuseDepth(*checks, depth);
  std::vector<int64_t> spatial;
  for (unsigned dim : checks->operand.spatial)
    spatial.push_back(shape[dim]);
  DepthSpaceDigits d = makeDigits(shape, *checks, depth / checks->blockProduct, spatial);
  d.builder.setOperand(checks->operand.channel, d.depth(attrs.mode));
  for (size_t axis = 0; axis < spatial.size(); ++axis) {
    d.builder.setOperand(checks->operand.spatial[axis], {d.spatial[axis]});
    d.builder.setResult(checks->result.spatial[axis], {d.spatial[axis], d.block[axis]});
  }
  return finishChannels(d, checks->result, {d.channel});
}

Result<Rearrangement> relayout::spaceToDepth(const std::vector<int64_t> &shape,
                                             const DepthSpaceAttrs &attrs) {
  Result<DepthSpaceChecks> checks = checkDepthSpace(shape, attrs);
  if (!checks)
    return checks.error();
  // [D7]
  std::vector<int64_t> spatial;
  for (size_t axis = 0; axis < checks->blocks.size(); ++axis) {
    int64_t extent = shape[checks->operand.spatial[axis]];
    if (extent % checks->blocks[axis] != 0)
      return refuseSpace(*checks, shape, axis);
    spatial.push_back(extent / checks->blocks[axis]);
  }
  DepthSpaceDigits d = makeDigits(shape, *checks, shape[checks->operand.channel], spatial);
  d.builder.setOperand(checks->operand.channel, {d.channel});
  for (size_t axis = 0; axis < spatial.size(); ++axis) {
    d.builder.setOperand(checks->operand.spatial[axis], {d.spatial[axis], d.block[axis]});
    d.builder.setResult(checks->result.spatial[axis], {d.spatial[axis]});
  }
  return finishChannels(d, checks->result, d.depth(attrs.mode));
}
