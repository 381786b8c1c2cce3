// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Where the windows of a piece cut its blocks and tiles.

#include "Movement.h"
#include "relayout/Layout/CheckedMath.h"
#include "relayout/Schedule/Schedule.h"

#include <algorithm>

using namespace relayout;

bool relayout::hasOneOfEach(const DigitRange &window, const std::vector<int64_t> &extents) {
  return std::all_of(window.terms.begin(), window.terms.end(),
                     [&](auto term) { return extents[term.first] == 1; });
}

PieceWindows relayout::windowsOf(const Problem &piece, const PieceSchedule &schedule) {
  PieceWindows windows;
  const DigitRange *row = rowWindow(piece);
  bool isAcross =
      row &&
      !(schedule.stage && hasOneOfEach(*row, valuesWithin(piece, schedule.loops, *schedule.stage)));
  for (const DigitRange &range : piece.read)
    if (isAcross && &range == row)
      windows.border = row;
    else
      windows.reads.push_back(&range);
  for (const DigitRange &range : piece.written)
    if (isAcross && &range == row)
      windows.crop = row;
    else
      windows.crops.push_back(&range);
  return windows;
}

bool relayout::isBorderInTile(const Problem &piece, const PieceSchedule &schedule) {
  const DigitRange *border = windowsOf(piece, schedule).border;
  return border && std::all_of(border->terms.begin(), border->terms.end(), [&](auto term) {
           return schedule.tile[term.first] == piece.digits[term.first].extent;
         });
}

std::vector<Piece> relayout::partsOfBlock(const Problem &piece, const PieceSchedule &schedule,
                                          int64_t start) {
  Piece whole;
  whole.extent = valuesWithin(piece, schedule.loops, *schedule.stage);
  whole.lower.assign(whole.extent.size(), 0);
  PieceWindows windows = windowsOf(piece, schedule);
  if ((!windows.border && !windows.crop) || isBorderInTile(piece, schedule))
    return {whole};
  Problem values = piece;
  values.read.clear();
  values.written.clear();
  for (size_t d = 0; d < whole.extent.size(); ++d)
    values.digits[d].extent = whole.extent[d];
  if (windows.crop)
    values.written = {*windows.crop};
  if (windows.border) {
    DigitRange border = *windows.border;
    int64_t before = start * border.terms.front().second;
    border.low -= before;
    border.high -= before;
    values.read = {border};
  }
  return splitIntoPieces(values);
}

const Piece &relayout::largestPart(const std::vector<Piece> &parts) {
  return *std::max_element(parts.begin(), parts.end(), [](const Piece &x, const Piece &y) {
    return std::pair(x.kind == Piece::Kind::Copy, x.elements()) <
           std::pair(y.kind == Piece::Kind::Copy, y.elements());
  });
}

std::vector<int64_t> relayout::tileOfPart(const PieceSchedule &schedule, const Piece &part) {
  std::vector<int64_t> tile = schedule.tile;
  for (size_t d = 0; d < tile.size(); ++d)
    tile[d] = std::min(tile[d], part.extent[d]);
  return tile;
}

std::vector<int64_t> relayout::blocksOfBorder(const Problem &piece, const PieceSchedule &schedule) {
  std::vector<int64_t> starts;
  const DigitRange *found = windowsOf(piece, schedule).border;
  if (!found || isBorderInTile(piece, schedule))
    return starts;
  const DigitRange &border = *found;
  auto [major, unit] = border.terms.front();
  std::vector<int64_t> block = valuesWithin(piece, schedule.loops, *schedule.stage);
  int64_t last = piece.digits[major].extent - block[major], end = 0; // of what a block reads
  for (auto [digit, coefficient] : border.terms)
    end += (block[digit] - 1) * coefficient;
  // Blocks within lie side by side: those before them and those behind.
  for (int64_t start = 0;; start = std::min(start + block[major], last)) {
    if (start * unit < border.low || start * unit + end >= border.high)
      starts.push_back(start);
    else if (int64_t within = floorDiv(border.high - 1 - end, unit) / block[major] * block[major];
             within > start)
      start = std::min(within, last);
    if (start == last || starts.size() > kMostBorderBlocks)
      return starts;
  }
}
