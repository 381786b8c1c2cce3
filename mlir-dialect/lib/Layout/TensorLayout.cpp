// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Layout/TensorLayout.h"

#include "relayout/Support/Text.h"

#include "Text.h"

using namespace relayout;

const std::vector<std::pair<const char *, TensorLayout>> &relayout::tensorLayouts() {
  static const auto &layouts = *new std::vector<std::pair<const char *, TensorLayout>>{
      {"NHWC", TensorLayout::NHWC},
      {"NCHW", TensorLayout::NCHW},
      {"NCHW_VECT_C", TensorLayout::NCHW_VECT_C},
      {"NWC", TensorLayout::NWC},
      {"NCW", TensorLayout::NCW},
      {"NDHWC", TensorLayout::NDHWC},
      {"NCDHW", TensorLayout::NCDHW},
      {"channels_first", TensorLayout::ChannelsFirst},
      {"channels_last", TensorLayout::ChannelsLast},
  };
  return layouts;
}

const char *relayout::layoutWord(TensorLayout layout) {
  for (const auto &[word, value] : tensorLayouts())
    if (value == layout)
      return word;
  return "";
}

Result<TensorLayout> relayout::parseTensorLayout(std::string_view word) {
  std::vector<const char *> words;
  for (const auto &[known, value] : tensorLayouts()) {
    if (word == known)
      return value;
    words.push_back(known);
  }
  return makeError(ErrorCode::Layout, "expects a layout among ", join(words, ", "), ", but got '",
                   beginning(word), "'");
}

/// The rank that `layout` fixes, or 0 where it takes any from 3.
static int64_t fixedRank(TensorLayout layout) {
  switch (layout) {
  case TensorLayout::NWC:
  case TensorLayout::NCW:
    return 3;
  case TensorLayout::NHWC:
  case TensorLayout::NCHW:
    return 4;
  case TensorLayout::NDHWC:
  case TensorLayout::NCDHW:
  case TensorLayout::NCHW_VECT_C:
    return 5;
  case TensorLayout::ChannelsFirst:
  case TensorLayout::ChannelsLast:
    return 0;
  }
  return 0;
}

static bool isChannelsLast(TensorLayout layout) {
  return layout == TensorLayout::NHWC || layout == TensorLayout::NWC ||
         layout == TensorLayout::NDHWC || layout == TensorLayout::ChannelsLast;
}

Result<DimensionRoles> relayout::dimensionRoles(TensorLayout layout, int64_t rank) {
  int64_t fixed = fixedRank(layout);
  if (fixed != 0 && rank != fixed)
    return makeError(ErrorCode::Layout, "expects a tensor of rank ", fixed, " in layout ",
                     layoutWord(layout), ", but the rank is ", rank);
  if (rank < 3)
    return makeError(ErrorCode::Layout, "expects a tensor of rank 3 or more in layout ",
                     layoutWord(layout), ", but the rank is ", rank);
  DimensionRoles roles;
  roles.batch = 0;
  roles.channel = isChannelsLast(layout) ? rank - 1 : 1;
  if (layout == TensorLayout::NCHW_VECT_C)
    roles.vector = static_cast<int>(rank) - 1;
  for (unsigned dim = 1; dim < rank; ++dim)
    if (dim != roles.channel && static_cast<int>(dim) != roles.vector)
      roles.spatial.push_back(dim);
  return roles;
}
