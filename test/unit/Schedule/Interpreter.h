// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Schedules, executed element by element by a slow interpreter that follows their definition.

#ifndef RELAYOUT_TEST_UNIT_SCHEDULE_INTERPRETER_H
#define RELAYOUT_TEST_UNIT_SCHEDULE_INTERPRETER_H

#include "RandomCases.h"

namespace relayout::test {

/// What lies at the places of the output: who wrote it, and from where (-1: fill).
struct Write {
  int64_t unit;
  int64_t source;
};
using Output = std::map<int64_t, Write>;

class Interpreter {
public:
  Interpreter(const Problem &problem, const Piece &piece, const PieceSchedule &schedule,
              const UnitClip &clip)
      : reduced(pieceProblem(problem, piece)), piece(piece), schedule(schedule), clip(clip) {}

  /// Performs units [begin, end) of the piece, in the name of `unit`.
  void run(int64_t begin, int64_t end, int64_t unit, Output &output) {
    size_t digits = reduced.digits.size();
    low.assign(digits, 0);
    high.clear();
    for (const Digit &digit : reduced.digits)
      high.push_back(digit.extent);
    int64_t first = clip.border(begin), last = clip.border(end);
    if (first == last)
      return;
    if (clip.digit) {
      low[*clip.digit] = first;
      high[*clip.digit] = last;
    }
    limit = high;
    taken = schedule.tile;
    fills = piece.kind == Piece::Kind::Fill;
    nest(0, unit, output);
  }

private:
  /// The inner loops and tiles of a staged piece stay within its block.
  void block(int64_t unit, Output &output) {
    StagedBlock staged = stagedBlock(reduced, schedule);
    auto saved = std::make_tuple(low, high, limit);
    for (size_t d = 0; d < low.size(); ++d) {
      low[d] = std::min(low[d], limit[d] - staged.extents[d]);
      ASSERT_GE(low[d], 0);
    }
    std::vector<int64_t> first = low;
    PieceWindows windows = windowsOf(reduced, schedule);
    for (const DigitRange *crop : windows.crops)
      if (isLeftOut(*crop)) {
        std::tie(low, high, limit) = saved;
        return;
      }
    inBlock = true;
    for (const Piece &part : partsOfBlock(
             reduced, schedule, windows.border ? first[windows.border->terms[0].first] : 0)) {
      for (size_t d = 0; d < low.size(); ++d) {
        low[d] = first[d] + part.lower[d];
        high[d] = limit[d] = low[d] + part.extent[d];
      }
      taken = tileOfPart(schedule, part);
      fills = piece.kind == Piece::Kind::Fill || part.kind == Piece::Kind::Fill;
      nest(*schedule.stage, unit, output);
    }
    inBlock = false;
    std::tie(low, high, limit) = saved;
  }

  /// True if the block, which has one value of each digit of `crop`, lies beyond.
  bool isLeftOut(const DigitRange &crop) {
    int64_t sum = 0;
    for (auto [digit, coefficient] : crop.terms)
      sum += low[digit] * coefficient;
    return sum < crop.low || sum >= crop.high;
  }

  void nest(size_t depth, int64_t unit, Output &output) {
    if (schedule.stage == depth && !inBlock)
      return block(unit, output);
    if (depth == schedule.loops.size())
      return tile(unit, output);
    Loop loop = schedule.loops[depth];
    int64_t from = low[loop.digit], to = high[loop.digit];
    if (isOverSegments(schedule.loops, depth)) {
      for (int64_t at = 0; from + at < limit[loop.digit]; at += loop.step) {
        low[loop.digit] = from + at;
        high[loop.digit] = std::min(to + at, limit[loop.digit]);
        nest(depth + 1, unit, output);
      }
    } else {
      int64_t last = std::min(to, from + segmentAfter(schedule.loops, depth));
      for (int64_t at = from; at < last; at += loop.step) {
        low[loop.digit] = at;
        high[loop.digit] = std::min(last, at + loop.step);
        nest(depth + 1, unit, output);
      }
    }
    low[loop.digit] = from;
    high[loop.digit] = to;
  }

  void tile(int64_t unit, Output &output) {
    /// From and to where an element moves, and the sums of the borders' terms.
    struct Move {
      int64_t from, to;
      std::vector<int64_t> sums;
    };
    std::vector<Move> moves{
        {reduced.inOffset, reduced.outOffset, std::vector<int64_t>(reduced.read.size(), 0)}};
    for (size_t d = 0; d < reduced.digits.size(); ++d) {
      const Digit &digit = reduced.digits[d];
      int64_t start = std::min(low[d], limit[d] - taken[d]);
      ASSERT_GE(start, 0);
      std::vector<Move> wider;
      for (int64_t value = start; value < start + taken[d]; ++value)
        for (Move move : moves) {
          move.from += value * digit.inStride;
          move.to += value * digit.outStride;
          for (size_t i = 0; i < reduced.read.size(); ++i)
            for (auto [term, factor] : reduced.read[i].terms)
              move.sums[i] += term == d ? value * factor : 0;
          wider.push_back(std::move(move));
        }
      moves = std::move(wider);
    }
    std::vector<int64_t> places;
    std::map<int64_t, bool> reads;
    for (const auto &[source, place, sums] : moves) {
      bool fill = fills;
      for (size_t i = 0; i < sums.size(); ++i)
        fill |= sums[i] < reduced.read[i].low || sums[i] >= reduced.read[i].high;
      // What a tile reads, it may not have to leave out for another element.
      ASSERT_TRUE(fills || reads.insert({source, fill}).first->second == fill);
      Write write{unit, fill ? -1 : source};
      auto [old, fresh] = output.insert({place, write});
      ASSERT_TRUE(fresh || (old->second.unit == unit && old->second.source == write.source));
      places.push_back(place * reduced.width);
    }
    if (schedule.store == StoreMode::NonTemporal && !schedule.stage)
      checkLines(places);
  }

  /// Every contiguous run of `places` (in bytes) starts and ends on a line.
  void checkLines(std::vector<int64_t> &places) {
    std::sort(places.begin(), places.end());
    for (size_t i = 0; i < places.size(); ++i) {
      bool starts = i == 0 || places[i] != places[i - 1] + reduced.width;
      bool ends = i + 1 == places.size() || places[i + 1] != places[i] + reduced.width;
      ASSERT_TRUE(!starts || places[i] % 64 == 0);
      ASSERT_TRUE(!ends || (places[i] + reduced.width) % 64 == 0);
    }
  }

  Problem reduced;
  const Piece &piece;
  const PieceSchedule &schedule;
  const UnitClip &clip;
  std::vector<int64_t> low, high, limit;
  std::vector<int64_t> taken; ///< values of each digit that a tile has
  bool inBlock = false, fills = false;
};

inline void checkSchedule(const Case &test, const Schedule &schedule, const TargetInfo &target,
                          Random &random) {
  SCOPED_TRACE(schedule.str());
  Status status = verifySchedule(schedule, test.problem, target);
  ASSERT_TRUE(status) << status.error().message;
  Result<Schedule> parsed = parseSchedule(schedule.str());
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(*parsed, schedule);
  Prediction prediction = predict(schedule, test.problem, target);
  EXPECT_GT(prediction.ratio, 0);
  EXPECT_LE(prediction.ratio, 1.01);

  std::vector<Piece> pieces = piecesOf(test.problem, schedule);
  int64_t units = unitCount(schedule, test.problem);
  Output output;
  for (int64_t begin = 0, end; begin < units; begin = end) {
    end = random.between(begin + 1, units);
    for (size_t i = 0; i < pieces.size(); ++i) {
      const PieceSchedule &piece = schedule.pieces[i];
      Result<UnitClip> clip = unitClip(schedule, test.problem, pieces[i], piece);
      ASSERT_TRUE(clip) << clip.error().message;
      Interpreter(test.problem, pieces[i], piece, *clip).run(begin, end, begin, output);
    }
  }
  ASSERT_EQ(output.size(), test.expected.size());
  for (auto [at, source] : test.expected) {
    auto found = output.find(at);
    ASSERT_NE(found, output.end()) << "nothing is written at " << at;
    ASSERT_EQ(found->second.source, source) << "at " << at;
  }
}

/// What every place of the output of `problem` must hold, by the definition of a problem.
inline Case caseOf(const Problem &problem) {
  Case test{problem, {}};
  std::vector<int64_t> values(problem.digits.size(), 0);
  auto holds = [&](const DigitRange &range) {
    int64_t sum = 0;
    for (auto [digit, coefficient] : range.terms)
      sum += values[digit] * coefficient;
    return range.low <= sum && sum < range.high;
  };
  auto isNext = [&] {
    for (size_t d = values.size(); d-- > 0; values[d] = 0)
      if (++values[d] < problem.digits[d].extent)
        return true;
    return false;
  };
  do {
    int64_t in = problem.inOffset, out = problem.outOffset;
    for (size_t d = 0; d < values.size(); ++d) {
      in += values[d] * problem.digits[d].inStride;
      out += values[d] * problem.digits[d].outStride;
    }
    if (std::all_of(problem.written.begin(), problem.written.end(), holds))
      test.expected[out] = std::all_of(problem.read.begin(), problem.read.end(), holds) ? in : -1;
  } while (isNext());
  return test;
}

} // namespace relayout::test

#endif // RELAYOUT_TEST_UNIT_SCHEDULE_INTERPRETER_H
