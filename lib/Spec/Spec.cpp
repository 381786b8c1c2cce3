// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Spec/Spec.h"

#include "llvm/ADT/StringExtras.h"

using namespace relayout;

static DepthSpaceAttrs depthSpaceAttrs(const Spec &spec) {
  DepthSpaceAttrs attrs;
  attrs.blockSize = spec.blockSize;
  attrs.mode = *spec.mode;
  attrs.layout = *spec.layout;
  attrs.resultLayout = spec.resultLayout.value_or(*spec.layout);
  return attrs;
}

/// The one factor of the pixel shuffles.
static Result<int64_t> shuffleFactor(const Spec &spec) {
  if (spec.blockSize.size() != 1)
    return Error{ErrorCode::Block, "expects one block_size, but got " +
                                       llvm::utostr(spec.blockSize.size()) + " numbers"};
  return spec.blockSize.front();
}

/// Without a look at the strides.
static Result<Rearrangement> meaningOf(const Spec &spec) {
  if (Status status = checkShape(spec.shape, spec.dtype->width); !status)
    return status.error();
  switch (spec.operation) {
  case Operation::DepthToSpace:
    return depthToSpace(spec.shape, depthSpaceAttrs(spec));
  case Operation::SpaceToDepth:
    return spaceToDepth(spec.shape, depthSpaceAttrs(spec));
  case Operation::SpaceToBatch:
    return spaceToBatch(spec.shape, spec.blockShape, spec.paddings);
  case Operation::BatchToSpace:
    return batchToSpace(spec.shape, spec.blockShape, spec.crops);
  case Operation::Transpose:
    return permutation(spec.shape, spec.perm);
  case Operation::ChannelShuffle:
    return channelShuffle(spec.shape, spec.axis, spec.groups);
  case Operation::PixelShuffle:
  case Operation::PixelUnshuffle: {
    Result<int64_t> factor = shuffleFactor(spec);
    if (!factor)
      return factor.error();
    return spec.operation == Operation::PixelShuffle ? pixelShuffle(spec.shape, *factor)
                                                     : pixelUnshuffle(spec.shape, *factor);
  }
  case Operation::Rearrange:
    break;
  }
  Result<Pattern> pattern = parsePattern(spec.pattern);
  if (!pattern)
    return pattern.error();
  return bindPattern(*pattern, spec.shape, spec.sizes, spec.pad, spec.crop);
}

Result<Rearrangement> relayout::toRearrangement(const Spec &spec) {
  Result<Rearrangement> r = meaningOf(spec);
  if (!r || !spec.isStrided())
    return r;
  Result<std::pair<SpecSide, SpecSide>> sides = specSides(spec, *r);
  return sides ? std::move(r) : sides.error();
}

Result<Spec> relayout::invertSpec(const Spec &spec, const Rearrangement &r) {
  Result<Rearrangement> back = inverse(r);
  if (!back)
    return back.error();
  Spec result;
  result.operation = Operation::Rearrange;
  result.dtype = spec.dtype;
  result.shape = back->operandShape;
  result.pattern = printPattern(back->pattern());
  result.sizes = back->sizes();
  result.inputStrides = spec.outputStrides;
  result.outputStrides = spec.inputStrides;
  // Strides that may be read from need not be such that may be written to.
  if (Result<Rearrangement> checked = toRearrangement(result); !checked)
    return checked.error();
  return result;
}
