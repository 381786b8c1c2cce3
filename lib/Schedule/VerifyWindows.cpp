// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Whether the schedule of a piece can perform its windows.

#include "Movement.h"
#include "ScheduleError.h"
#include "VerifyPiece.h"

#include <algorithm>

using namespace relayout;

namespace {

/// The window of rows, of whose digits a block has neither one value each nor, but for the major
/// one of a border, all of them.
Error rowError(const std::string &digit, int64_t extent, int64_t got) {
  return scheduleError("expects a staged block of all " + std::to_string(extent) + " values of " +
                       digit +
                       ", which belongs to the window of a row, or of one value of each of its "
                       "digits, but got " +
                       std::to_string(got));
}

/// The digits of the window of rows are whole in a staged block, of which parts are moved by tiles
/// of their own; of a border but for the major one, if few blocks along it are of several parts.
Status verifyWindowOfBlock(const PieceSchedule &piece, const Problem &problem,
                           const DigitRange &window, bool isBorder) {
  std::vector<int64_t> block = valuesWithin(problem, piece.loops, *piece.stage);
  for (auto [digit, coefficient] : window.terms) {
    bool isCut = block[digit] != problem.digits[digit].extent;
    if (isCut && !(isBorder && digit == window.terms.front().first))
      return rowError("d" + std::to_string(digit), problem.digits[digit].extent, block[digit]);
  }
  if (isBorder && blocksOfBorder(problem, piece).size() > kMostBorderBlocks)
    return scheduleError(
        "expects staged blocks of which at most " + std::to_string(kMostBorderBlocks) + " along d" +
        std::to_string(window.terms.front().first) + " lie across a border or beyond");
  return Status::success();
}

/// Rows that are cropped, parts of which no block leaves out as a whole.
Status verifyCrop(const PieceSchedule &piece, const Problem &problem, const DigitRange &crop) {
  if (!piece.stage)
    return scheduleError("expects a stage for rows that are cropped");
  if (Status status = verifyWindowOfBlock(piece, problem, crop, /*isBorder=*/false); !status)
    return status;
  int64_t run = movement::contiguousRun(problem, valuesWithin(problem, piece.loops, *piece.stage),
                                        movement::Side::Out);
  if (run <= problem.digits[crop.terms.front().first].outStride)
    return scheduleError("expects a staged block whose runs have all of a row that is cropped, "
                         "but they have " +
                         std::to_string(run) + " elements");
  return Status::success();
}

/// What is not read of rows is left out by the tile, if it has all values of the digits that tell,
/// or is a part of a staged block.
Status verifyBorder(const PieceSchedule &piece, const Problem &problem, const DigitRange &border) {
  if (isBorderInTile(problem, piece)) {
    Problem rows = problem;
    rows.read = {border};
    if (!isBorderApart(rows, piece.tile))
      return scheduleError("expects a tile in which no place is read that another element has "
                           "beyond its border");
    return Status::success();
  }
  auto term = std::find_if(border.terms.begin(), border.terms.end(), [&](auto term) {
    return piece.tile[term.first] != problem.digits[term.first].extent;
  });
  if (!piece.stage)
    return scheduleError("expects a tile of all " +
                         std::to_string(problem.digits[term->first].extent) + " values of d" +
                         std::to_string(term->first) + ", which belongs to a border, but got " +
                         std::to_string(piece.tile[term->first]));
  return verifyWindowOfBlock(piece, problem, border, /*isBorder=*/true);
}

/// A window beyond which what has `extents` is filled or left out as a whole: a `what`.
Status verifyWhole(const PieceSchedule &piece, const DigitRange &window,
                   const std::vector<int64_t> &extents, const std::string &what) {
  if (!piece.stage)
    return scheduleError("expects a stage where several windows remain");
  for (auto [digit, coefficient] : window.terms)
    if (extents[digit] != 1)
      return scheduleError("expects a " + what + " of one value of d" + std::to_string(digit) +
                           ", which belongs to a window outside of rows, but got " +
                           std::to_string(extents[digit]));
  return Status::success();
}

} // namespace

Status relayout::verifyWindows(const PieceSchedule &piece, const Problem &problem) {
  PieceWindows windows = windowsOf(problem, piece);
  for (const std::vector<DigitRange> *ranges : {&problem.read, &problem.written})
    for (const DigitRange &range : *ranges)
      for (auto [digit, coefficient] : range.terms)
        if (piece.stage && segmentLoop(piece.loops, digit))
          return scheduleError("expects no loop over segments of d" + std::to_string(digit) +
                               ", which belongs to the window of a row");
  Status status = Status::success();
  if (windows.crop)
    status = verifyCrop(piece, problem, *windows.crop);
  if (status && windows.border)
    status = verifyBorder(piece, problem, *windows.border);
  for (const DigitRange *range : windows.reads)
    if (status)
      status = verifyWhole(piece, *range, piece.tile, "tile");
  for (const DigitRange *range : windows.crops)
    if (status)
      status =
          verifyWhole(piece, *range, valuesWithin(problem, piece.loops, piece.stage.value_or(0)),
                      "staged block");
  return status;
}
