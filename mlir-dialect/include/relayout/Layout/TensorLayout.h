// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Layouts: which dimension of a tensor is the batch, the channels, a spatial axis.

#ifndef RELAYOUT_LAYOUT_TENSORLAYOUT_H
#define RELAYOUT_LAYOUT_TENSORLAYOUT_H

#include "relayout/Support/Result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace relayout {

/// The order of the dimensions of an image-like tensor.
///
/// channels_first is [N, C, D1..DK], channels_last [N, D1..DK, C]; NCW, NCHW,
/// NCDHW and NWC, NHWC, NDHWC are the same with K fixed to 1, 2, 3.
/// NCHW_VECT_C is [N, C/4, H, W, 4].
enum class TensorLayout {
  NHWC,
  NCHW,
  NCHW_VECT_C,
  NWC,
  NCW,
  NDHWC,
  NCDHW,
  ChannelsFirst,
  ChannelsLast
};

/// Where each role sits in a tensor of a certain rank.
struct DimensionRoles {
  unsigned batch;
  unsigned channel;
  std::vector<unsigned> spatial;
  /// The dimension that holds the low digit of the channel (NCHW_VECT_C), or -1.
  int vector = -1;
};

/// All layout words, in the order in which messages list them.
const std::vector<std::pair<const char *, TensorLayout>> &tensorLayouts();
const char *layoutWord(TensorLayout layout);
Result<TensorLayout> parseTensorLayout(std::string_view word);

/// The roles of the dimensions of a tensor of `rank`, or an error where the
/// layout does not have that rank (channels_first and _last take rank 3 and more).
Result<DimensionRoles> dimensionRoles(TensorLayout layout, int64_t rank);

/// Extent of the vector dimension of NCHW_VECT_C.
constexpr int64_t kVectorChannels = 4;

} // namespace relayout

#endif // RELAYOUT_LAYOUT_TENSORLAYOUT_H
