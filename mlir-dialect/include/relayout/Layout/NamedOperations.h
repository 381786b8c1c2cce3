// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What the named operations mean: each as a rearrangement. The one set of checks
/// and messages for shapes, blocks, modes and windows, used by the verifiers, by
/// shape inference and by specs. The labels (D1, B2 ...) are those of Spec.md.

#ifndef RELAYOUT_LAYOUT_NAMEDOPERATIONS_H
#define RELAYOUT_LAYOUT_NAMEDOPERATIONS_H

#include "relayout/Layout/Rearrangement.h"
#include "relayout/Layout/TensorLayout.h"

#include <optional>

namespace relayout {

/// Which digits of the depth index are the block's: the high ones (blocks_first,
/// ONNX DCR, TensorFlow) or the low ones (depth_first, ONNX CRD, PyTorch).
enum class DepthMode { BlocksFirst, DepthFirst };

const char *modeWord(DepthMode mode);
Result<DepthMode> parseDepthMode(std::string_view word);

/// Attributes of depth_to_space and space_to_depth. `blockSize` has one entry a
/// spatial axis, or a single one for all.
struct DepthSpaceAttrs {
  std::vector<int64_t> blockSize;
  DepthMode mode;
  TensorLayout layout;       ///< of the operand
  TensorLayout resultLayout; ///< of the result
};

Result<Rearrangement> depthToSpace(const std::vector<int64_t> &shape, const DepthSpaceAttrs &attrs);
Result<Rearrangement> spaceToDepth(const std::vector<int64_t> &shape, const DepthSpaceAttrs &attrs);

/// space_to_batch: dimension 0 is the batch; `blockShape` has M entries for
/// dimensions 1..M, or one for every dimension with a leading 1. `paddings` has as
/// many entries as `blockShape` (or is empty: none); none is negative.
Result<Rearrangement> spaceToBatch(const std::vector<int64_t> &shape,
                                   const std::vector<int64_t> &blockShape,
                                   const std::vector<Window> &paddings);
/// batch_to_space: the inverse, with `crops`.
Result<Rearrangement> batchToSpace(const std::vector<int64_t> &shape,
                                   const std::vector<int64_t> &blockShape,
                                   const std::vector<Window> &crops);

/// PyTorch's pixel_shuffle and pixel_unshuffle: depth_to_space and space_to_depth,
/// depth first, on [*, C, H, W] with any number of leading dimensions.
Result<Rearrangement> pixelShuffle(const std::vector<int64_t> &shape, int64_t factor);
Result<Rearrangement> pixelUnshuffle(const std::vector<int64_t> &shape, int64_t factor);
/// Channel shuffle along `axis`: [groups, C / groups] becomes [C / groups, groups].
Result<Rearrangement> channelShuffle(const std::vector<int64_t> &shape, int64_t axis,
                                     int64_t groups);

/// Checks a shape before anything is computed from it: rank <= kMaxRank, extents
/// >= 0, the product of the nonzero extents times `elementWidth` within 63 bits; times 16,
/// whatever the type, where none is given.
Status checkShape(const std::vector<int64_t> &shape,
                  std::optional<int64_t> elementWidth = std::nullopt);

} // namespace relayout

#endif // RELAYOUT_LAYOUT_NAMEDOPERATIONS_H
