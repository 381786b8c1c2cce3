// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Patterns in the notation of einops: how dimensions split into named digits
/// and how the digits are merged again. `n (by bx c) h w -> n c (h by) (w bx)`.

#ifndef RELAYOUT_LAYOUT_PATTERN_H
#define RELAYOUT_LAYOUT_PATTERN_H

#include "relayout/Support/Result.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace relayout {

/// Limits that stand in front of the parser.
constexpr size_t kMaxPatternLength = 4096;
constexpr int64_t kMaxRank = 32;  ///< dimensions of a tensor
constexpr size_t kMaxDigits = 64; ///< digits of a pattern

/// One side of a pattern: for each dimension the names of its digits, the most
/// significant first. An empty list is a dimension of extent 1 (`1` or `()`).
using PatternSide = std::vector<std::vector<std::string>>;

/// How the ellipsis stands in a parsed pattern: alone in its dimension it spreads
/// over any number of dimensions; inside brackets (on the right) these dimensions
/// are merged with the names beside it.
constexpr const char *kEllipsis = "...";
constexpr const char *kMergedEllipsis = "(...)";

/// A parsed pattern, the ellipsis not yet filled in.
struct Pattern {
  PatternSide operand;
  PatternSide result;
};

/// Parses `text`. Rules (those of einops for rearrange): exactly one `->`; one
/// level of brackets; names are identifiers ([A-Za-z_][A-Za-z0-9_]*), each once a
/// side and the same set on both sides; `...` at most once a side, on both sides
/// or on neither, not inside brackets on the left; the only number is 1.
Result<Pattern> parsePattern(std::string_view text);

/// The text of `pattern`: parses back to the same.
std::string printPattern(const Pattern &pattern);

/// Names bound to extents.
using DigitSizes = std::map<std::string, int64_t>;

} // namespace relayout

#endif // RELAYOUT_LAYOUT_PATTERN_H
