// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Blocks.h"
#include "RearrangementBuilder.h"
#include "Text.h"
#include "relayout/Layout/NamedOperations.h"

using namespace relayout;

namespace {

/// What both pixel shuffles check.
Status checkPixels(const std::vector<int64_t> &shape, int64_t factor) {
  if (Status status = checkShape(shape); !status)
    return status;
  if (shape.size() < 3)
    return makeError(ErrorCode::Shape, "expects a rank of 3 or more, but the rank is ",
                     shape.size());
  if (Result<int64_t> square = blockProduct({factor, factor}, "the factor"); !square)
    return square.error();
  return Status::success();
}

/// The digits of both: leading dimensions as they are, channels, positions, blocks.
struct PixelDigits {
  RearrangementBuilder builder;
  unsigned c, h, w, by, bx;
};

PixelDigits makeDigits(const std::vector<int64_t> &shape, int64_t factor, int64_t c, int64_t h,
                       int64_t w) {
  PixelDigits d{RearrangementBuilder(shape), 0, 0, 0, 0, 0};
  size_t leading = shape.size() - 3;
  std::vector<std::string> names = numberedNames("n", leading);
  for (unsigned dim = 0; dim < leading; ++dim) {
    unsigned n = d.builder.digit(names[dim], shape[dim]);
    d.builder.setOperand(dim, {n});
    d.builder.setResult(dim, {n});
  }
  d.c = d.builder.digit("c", c);
  d.h = d.builder.digit("h", h);
  d.w = d.builder.digit("w", w);
  d.by = d.builder.digit("by", factor);
  d.bx = d.builder.digit("bx", factor);
  return d;
}

} // namespace

Result<Rearrangement> relayout::pixelShuffle(const std::vector<int64_t> &shape, int64_t factor) {
  if (Status status = checkPixels(shape, factor); !status)
    return status.error();
  size_t channel = shape.size() - 3;
  int64_t depth = shape[channel], square = factor * factor;
  if (depth % square != 0)
    return makeError(ErrorCode::Divisible, "expects dimension ", channel,
                     " to be divisible by the square of the factor, but ", depth,
                     " is not divisible by ", square, "; factor ", largestBlock({depth}, 2, factor),
                     " is possible");
  PixelDigits d = makeDigits(shape, factor, depth / square, shape[channel + 1], shape[channel + 2]);
  d.builder.setOperand(channel, {d.c, d.by, d.bx});
  d.builder.setOperand(channel + 1, {d.h});
  d.builder.setOperand(channel + 2, {d.w});
  d.builder.setResult(channel, {d.c});
  d.builder.setResult(channel + 1, {d.h, d.by});
  d.builder.setResult(channel + 2, {d.w, d.bx});
  return d.builder.finish();
}

Result<Rearrangement> relayout::pixelUnshuffle(const std::vector<int64_t> &shape, int64_t factor) {
  if (Status status = checkPixels(shape, factor); !status)
    return status.error();
  size_t channel = shape.size() - 3;
  int64_t height = shape[channel + 1], width = shape[channel + 2];
  for (size_t dim : {channel + 1, channel + 2})
    if (shape[dim] % factor != 0)
      return makeError(ErrorCode::Divisible, "expects dimension ", dim,
                       " to be divisible by the factor, but ", shape[dim], " is not divisible by ",
                       factor, "; factor ", largestBlock({height, width}, 1, factor),
                       " is possible");
  PixelDigits d = makeDigits(shape, factor, shape[channel], height / factor, width / factor);
  d.builder.setOperand(channel, {d.c});
  d.builder.setOperand(channel + 1, {d.h, d.by});
  d.builder.setOperand(channel + 2, {d.w, d.bx});
  d.builder.setResult(channel, {d.c, d.by, d.bx});
  d.builder.setResult(channel + 1, {d.h});
  d.builder.setResult(channel + 2, {d.w});
  return d.builder.finish();
}

Result<Rearrangement> relayout::channelShuffle(const std::vector<int64_t> &shape, int64_t axis,
                                               int64_t groups) {
  if (Status status = checkShape(shape); !status)
    return status.error();
  int64_t rank = shape.size();
  if (axis < 0 || axis >= rank)
    return makeError(ErrorCode::Shape, "expects axis to be one of the ", rank,
                     " dimensions, from 0, but got ", axis);
  if (groups < 1)
    return makeError(ErrorCode::Block, "expects groups to be 1 or more, but got ", groups);
  if (shape[axis] % groups != 0)
    return makeError(ErrorCode::Divisible, "expects dimension ", axis,
                     " to be divisible by groups, but ", shape[axis], " is not divisible by ",
                     groups, "; groups ", largestBlock({shape[axis]}, 1, groups), " is possible");
  RearrangementBuilder builder(shape);
  std::vector<std::string> names = numberedNames("n", shape.size() - 1);
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (dim == axis)
      continue;
    unsigned n = builder.digit(names[dim < axis ? dim : dim - 1], shape[dim]);
    builder.setOperand(dim, {n});
    builder.setResult(dim, {n});
  }
  unsigned g = builder.digit("g", groups), c = builder.digit("c", shape[axis] / groups);
  builder.setOperand(axis, {g, c});
  builder.setResult(axis, {c, g});
  return builder.finish();
}
