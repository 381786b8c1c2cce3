// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Schedule/Schedule.h"

#include <algorithm>

using namespace relayout;

bool PieceSchedule::operator==(const PieceSchedule &o) const {
  return tile == o.tile && loops == o.loops && store == o.store && prefetch == o.prefetch &&
         cache == o.cache && vectorBytes == o.vectorBytes && stage == o.stage && carry == o.carry &&
         fetch == o.fetch && touch == o.touch && pack == o.pack && near == o.near;
}

bool Schedule::operator==(const Schedule &o) const {
  return unitDigit == o.unitDigit && unitStep == o.unitStep && sweep == o.sweep && rows == o.rows &&
         pieces == o.pieces;
}

const char *relayout::wordOf(Rows rows) {
  switch (rows) {
  case Rows::Cut:
    return "cut";
  case Rows::Whole:
    return "whole";
  case Rows::Together:
    return "together";
  }
  return "";
}

std::vector<Piece> relayout::piecesOf(const Problem &problem, const Schedule &schedule) {
  switch (schedule.rows) {
  case Rows::Cut:
    return splitWithBorders(problem);
  case Rows::Whole:
    return splitIntoRows(problem);
  case Rows::Together:
    return keepWindows(problem);
  }
  return {};
}

bool relayout::isOverSegments(const std::vector<Loop> &loops, size_t i) {
  return std::any_of(loops.begin(), loops.begin() + i, [&](const Loop &outer) {
    return outer.digit == loops[i].digit && outer.step < loops[i].step;
  });
}

std::optional<size_t> relayout::segmentLoop(const std::vector<Loop> &loops, unsigned digit) {
  for (size_t i = 0; i < loops.size(); ++i)
    if (loops[i].digit == digit && isOverSegments(loops, i))
      return i;
  return std::nullopt;
}

std::vector<int64_t> relayout::valuesWithin(const Problem &piece, const std::vector<Loop> &loops,
                                            size_t depth) {
  std::vector<int64_t> values;
  for (const Digit &digit : piece.digits)
    values.push_back(digit.extent);
  for (size_t i = 0; i < std::min(depth, loops.size()); ++i)
    values[loops[i].digit] = std::min(values[loops[i].digit], loops[i].step);
  return values;
}
