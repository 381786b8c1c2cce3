// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Blocks.h"
#include "RearrangementBuilder.h"
#include "Text.h"
#include "relayout/Layout/CheckedMath.h"
#include "relayout/Layout/NamedOperations.h"

using namespace relayout;

using Group = Rearrangement::Group;

namespace {

/// The block and the window of each of the dimensions 1..M, after the checks that
/// both operations share.
struct BatchBlocks {
  std::vector<int64_t> blocks;
  std::vector<Window> windows;
  int64_t product;
};

/// What an operation calls its windows.
struct WindowWords {
  ErrorCode code;
  const char *list;
};

/// [B1]
Status checkBlockCount(const std::vector<int64_t> &shape, const std::vector<int64_t> &blocks) {
  if (shape.empty())
    return makeError(ErrorCode::Shape, "expects a rank of 1 or more, but the rank is 0");
  if (blocks.size() > shape.size())
    return makeError(ErrorCode::Block, "expects at most ", shape.size() - 1,
                     " entries of block_shape for a tensor of rank ", shape.size(), ", or ",
                     shape.size(), " with a leading 1, but got ", blocks.size());
  if (blocks.size() == shape.size() && blocks[0] != 1)
    return makeError(ErrorCode::Block, "expects a leading 1 where block_shape has an entry for ",
                     "each of the ", shape.size(), " dimensions, but got ", blocks[0]);
  return Status::success();
}

Status checkWindows(const std::vector<Window> &windows, size_t blocks, bool hasBatch,
                    WindowWords words) {
  // [B3]
  if (!windows.empty() && windows.size() != blocks)
    return makeError(words.code, "expects as many ", words.list, " as block_shape has entries, ",
                     blocks, ", but got ", windows.size());
  if (hasBatch && !windows.empty() && !windows[0].isZero())
    return makeError(words.code, "expects 0:0 as the entry of ", words.list,
                     " for the batch, but got ", windows[0].low, ":", windows[0].high);
  // [B4]
  for (size_t i = 0; i < windows.size(); ++i)
    if (windows[i].low < 0 || windows[i].high < 0)
      return makeError(words.code, "expects ", words.list, " of 0 or more, but entry ", i, " is ",
                       windows[i].low, ":", windows[i].high);
  return Status::success();
}

Result<BatchBlocks> checkBatch(const std::vector<int64_t> &shape, std::vector<int64_t> blocks,
                               std::vector<Window> windows, WindowWords words) {
  if (Status status = checkShape(shape); !status)
    return status.error();
  if (Status status = checkBlockCount(shape, blocks); !status)
    return status.error();
  // [B2]
  Result<int64_t> product = blockProduct(blocks, "block_shape");
  if (!product)
    return product.error();
  bool hasBatch = blocks.size() == shape.size();
  if (Status status = checkWindows(windows, blocks.size(), hasBatch, words); !status)
    return status.error();
  windows.resize(blocks.size());
  if (hasBatch) {
    blocks.erase(blocks.begin());
    windows.erase(windows.begin());
  }
  return BatchBlocks{std::move(blocks), std::move(windows), *product};
}

/// The digits of both operations: blocks, batch, whole blocks of dimensions 1..M, the rest.
struct BatchDigits {
  RearrangementBuilder builder;
  Group block, whole;
  unsigned batch;

  /// The dimension that holds the blocks: the high digits of the batch.
  Group blockedBatch() const {
    Group group = block;
    group.push_back(batch);
    return group;
  }
};

BatchDigits makeDigits(const std::vector<int64_t> &shape, const std::vector<int64_t> &blocks,
                       int64_t batch, const std::vector<int64_t> &wholes, const char *wholePrefix) {
  size_t axes = blocks.size();
  BatchDigits d{RearrangementBuilder(shape), {}, {}, 0};
  d.batch = d.builder.digit("n", batch);
  std::vector<std::string> blockNames = spatialNames("b", axes);
  std::vector<std::string> wholeNames = spatialNames(wholePrefix, axes);
  for (size_t axis = 0; axis < axes; ++axis) {
    d.block.push_back(d.builder.digit(blockNames[axis], blocks[axis]));
    d.whole.push_back(d.builder.digit(wholeNames[axis], wholes[axis]));
  }
  std::vector<std::string> restNames = numberedNames("c", shape.size() - 1 - axes);
  for (unsigned dim = axes + 1; dim < shape.size(); ++dim) {
    unsigned rest = d.builder.digit(restNames[dim - axes - 1], shape[dim]);
    d.builder.setOperand(dim, {rest});
    d.builder.setResult(dim, {rest});
  }
  return d;
}

/// The padded extents of dimensions 1..M in whole blocks.
Result<std::vector<int64_t>> wholeBlocks(const std::vector<int64_t> &shape, const BatchBlocks &b) {
  std::vector<int64_t> wholes;
  for (size_t axis = 0; axis < b.blocks.size(); ++axis) {
    Window pad = b.windows[axis];
    int64_t extent = shape[axis + 1], block = b.blocks[axis];
    std::optional<int64_t> padded = checkedAdd(pad.low, pad.high);
    padded = padded ? checkedAdd(*padded, extent) : padded;
    // [S3]
    if (!padded)
      return makeError(ErrorCode::Overflow, "expects the padded extent of dimension ", axis + 1,
                       " to fit 63 bits, but it is ", pad.low, " + ", extent, " + ", pad.high);
    // [B5]
    if (int64_t rest = *padded % block) {
      std::optional<int64_t> high = checkedAdd(pad.high, block - rest);
      return makeError(ErrorCode::Divisible, "expects padded dimension ", axis + 1,
                       " to be divisible by block_shape, but ", pad.low, " + ", extent, " + ",
                       pad.high, " = ", *padded, " is not divisible by ", block,
                       high ? cat("; paddings ", pad.low, ":", *high, " are possible") : "");
    }
    wholes.push_back(*padded / block);
  }
  return wholes;
}

/// [B7]
Status checkCrops(const std::vector<int64_t> &shape, const BatchBlocks &b) {
  for (size_t axis = 0; axis < b.blocks.size(); ++axis) {
    Window crop = b.windows[axis];
    std::optional<int64_t> extent = checkedMul(shape[axis + 1], b.blocks[axis]);
    if (!extent)
      return makeError(ErrorCode::Overflow, "expects the extent of dimension ", axis + 1,
                       " to fit 63 bits, but it is ", shape[axis + 1], " * ", b.blocks[axis]);
    std::optional<int64_t> sum = checkedAdd(crop.low, crop.high);
    if (!sum || *sum > *extent)
      return makeError(ErrorCode::Crop, "expects the crops of dimension ", axis + 1,
                       " to sum to at most ", *extent, ", its extent ", shape[axis + 1],
                       " times its block ", b.blocks[axis], ", but got ", crop.low, ":", crop.high);
  }
  return Status::success();
}

} // namespace

Result<Rearrangement> relayout::spaceToBatch(const std::vector<int64_t> &shape,
                                             const std::vector<int64_t> &blockShape,
                                             const std::vector<Window> &paddings) {
  Result<BatchBlocks> b = checkBatch(shape, blockShape, paddings, {ErrorCode::Pad, "paddings"});
  if (!b)
    return b.error();
  Result<std::vector<int64_t>> wholes = wholeBlocks(shape, *b);
  if (!wholes)
    return wholes.error();
  BatchDigits d = makeDigits(shape, b->blocks, shape[0], *wholes, "o");
  d.builder.setOperand(0, {d.batch});
  d.builder.setResult(0, d.blockedBatch());
  for (unsigned axis = 0; axis < d.block.size(); ++axis) {
    d.builder.setOperand(axis + 1, {d.whole[axis], d.block[axis]});
    d.builder.setResult(axis + 1, {d.whole[axis]});
    d.builder.setPad(axis + 1, b->windows[axis]);
  }
  return d.builder.finish();
}

Result<Rearrangement> relayout::batchToSpace(const std::vector<int64_t> &shape,
                                             const std::vector<int64_t> &blockShape,
                                             const std::vector<Window> &crops) {
  Result<BatchBlocks> b = checkBatch(shape, blockShape, crops, {ErrorCode::Crop, "crops"});
  if (!b)
    return b.error();
  // [B6]
  if (shape[0] % b->product != 0)
    return makeError(ErrorCode::Divisible, "expects dimension 0 to be divisible by the product of ",
                     "block_shape, but ", shape[0], " is not divisible by ", b->product,
                     "; multiples of ", b->product, " are possible");
  if (Status status = checkCrops(shape, *b); !status)
    return status.error();
  std::vector<int64_t> wholes(shape.begin() + 1, shape.begin() + 1 + b->blocks.size());
  BatchDigits d = makeDigits(shape, b->blocks, shape[0] / b->product, wholes, "");
  d.builder.setOperand(0, d.blockedBatch());
  d.builder.setResult(0, {d.batch});
  for (unsigned axis = 0; axis < d.block.size(); ++axis) {
    d.builder.setOperand(axis + 1, {d.whole[axis]});
    d.builder.setResult(axis + 1, {d.whole[axis], d.block[axis]});
    d.builder.setCrop(axis + 1, b->windows[axis]);
  }
  return d.builder.finish();
}
