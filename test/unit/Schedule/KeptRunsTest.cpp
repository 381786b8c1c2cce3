// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Runs that go on from block to block, followed in the order of their loops.

#include "RandomCases.h"
#include "ScheduleCases.h"

using namespace relayout;
using namespace relayout::test;

namespace {

/// Follows the runs of a piece that carries them, in the order of its loops.
class RunFollower {
public:
  RunFollower(const Problem &piece, const PieceSchedule &schedule)
      : piece(piece), schedule(schedule), block(stagedBlock(piece, schedule)),
        start(piece.digits.size(), 0), end(piece.digits.size()) {
    for (size_t d = 0; d < end.size(); ++d)
      end[d] = piece.digits[d].extent;
  }

  void follow() { nest(0); }
  int64_t visits = 0;

private:
  /// Where the run of a kept line began and where it goes on, at which value of the joined digit;
  /// at which visits it had its first and its last part so far.
  struct Row {
    int64_t begin, next, joined, begun, done;
  };

  void nest(size_t depth) {
    if (depth == *schedule.carry && depth <= *schedule.stage) {
      rows.clear();
      lowest = start;
    }
    if (depth == *schedule.stage) {
      visit();
    } else {
      Loop loop = schedule.loops[depth];
      int64_t from = start[loop.digit], to = end[loop.digit];
      bool isOver = isOverSegments(schedule.loops, depth);
      int64_t first = isOver ? 0 : from, extent = piece.digits[loop.digit].extent;
      int64_t last =
          isOver ? extent - from : std::min(to, from + segmentAfter(schedule.loops, depth));
      for (int64_t at = first; at < last; at += loop.step) {
        start[loop.digit] = isOver ? from + at : at;
        end[loop.digit] = std::min(isOver ? to + at : last, start[loop.digit] + loop.step);
        nest(depth + 1);
      }
      start[loop.digit] = from;
      end[loop.digit] = to;
    }
    if (depth == *schedule.carry)
      checkEnds();
  }

  /// True if the block is left out by a crop.
  bool isLeftOut() {
    for (const DigitRange *crop : windowsOf(piece, schedule).crops) {
      int64_t sum = 0;
      for (auto [digit, coefficient] : crop->terms)
        sum += start[digit] * coefficient;
      if (sum < crop->low || sum >= crop->high)
        return true;
    }
    return false;
  }

  void visit() {
    if (isLeftOut())
      return;
    ++visits;
    std::vector<int64_t> value(start.size());
    row(0, value);
  }

  /// One run for all values of the digits outside of it that the block before does not have.
  void row(size_t d, std::vector<int64_t> &value) {
    if (d == value.size())
      return run(value);
    bool inRun = piece.digits[d].outStride < block.run;
    int64_t first = std::min(start[d], piece.digits[d].extent - block.extents[d]);
    value[d] = inRun ? first : start[d];
    for (; value[d] < (inRun ? first + 1 : first + block.extents[d]); ++value[d])
      row(d + 1, value);
  }

  void run(const std::vector<int64_t> &value) {
    int64_t line = block.keptFirst, to = 0;
    for (size_t d = 0; d < value.size(); ++d) {
      std::optional<size_t> segments = segmentLoop(schedule.loops, d);
      int64_t kept = block.along[d] && segments ? start[d] / schedule.loops[*segments].step
                                                : value[d] - lowest[d];
      line += kept * block.keptStrides[d];
      to += value[d] * piece.digits[d].outStride;
    }
    ASSERT_GE(line, block.keptFirst);
    ASSERT_LE(line + 64 / piece.width, block.joined ? block.headsFirst : block.elements);
    int64_t joined = block.joined ? value[*block.joined] : 0;
    auto [place, isFirst] = rows.insert({line, {to, to + block.run, joined, visits, visits}});
    if (isFirst)
      return;
    Row &old = place->second;
    bool goesOn = to <= old.next && old.next <= to + block.run;
    bool isAlong = std::find(block.along.begin(), block.along.end(), true) != block.along.end();
    ASSERT_TRUE(goesOn || !isAlong) << "from " << old.next << " to " << to;
    old.next = to + block.run;
    old.done = visits;
  }

  /// A run ends where the one at the next value of the joined digit begins, whose first line is
  /// kept by then.
  void checkEnds() {
    if (!block.joined)
      return;
    for (auto [line, row] : rows) {
      auto next = rows.find(line + block.keptStrides[*block.joined]);
      if (next == rows.end() || next->second.joined != row.joined + 1)
        continue;
      EXPECT_EQ(row.next, next->second.begin);
      EXPECT_LT(next->second.begun, row.done);
    }
  }

  const Problem &piece;
  const PieceSchedule &schedule;
  StagedBlock block;
  std::vector<int64_t> start, end, lowest;
  std::map<int64_t, Row> rows;
};

/// Exchanges two loops of each piece that carries runs.
void swapLoops(Schedule &schedule, Random &random) {
  for (PieceSchedule &piece : schedule.pieces)
    if (piece.carry && *piece.stage > *piece.carry + 1) {
      size_t i = random.between(*piece.carry, *piece.stage - 2);
      std::swap(piece.loops[i], piece.loops[i + 1]);
    }
}

/// Follows all pieces that carry runs; how many do so over several visits.
int64_t followRuns(const Problem &problem, const Schedule &schedule) {
  SCOPED_TRACE(schedule.str());
  std::vector<Piece> pieces = piecesOf(problem, schedule);
  int64_t carried = 0;
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (!schedule.pieces[i].carry)
      continue;
    Problem piece = pieceProblem(problem, pieces[i]);
    RunFollower follower(piece, schedule.pieces[i]);
    follower.follow();
    carried += follower.visits > 1;
  }
  return carried;
}

TEST(KeptRuns, MeetWhereAllOfThemAreBegunBeforeOneEnds) {
  // 48 rows of 70 elements, transposed, in blocks of 16 x 16.
  Problem piece;
  piece.width = 4;
  piece.digits = {{48, 1, 70}, {70, 48, 1}};
  PieceSchedule schedule;
  schedule.tile = {16, 16};
  schedule.vectorBytes = 64;
  schedule.store = StoreMode::NonTemporal;
  schedule.stage = 2;
  schedule.carry = 0;
  schedule.loops = {{1, 16}, {0, 16}};
  EXPECT_EQ(stagedBlock(piece, schedule).joined, 0u);
  RunFollower(piece, schedule).follow();
  std::swap(schedule.loops[0], schedule.loops[1]);
  EXPECT_EQ(stagedBlock(piece, schedule).joined, std::nullopt);
  RunFollower(piece, schedule).follow();
  // A loop of one visit goes around nothing.
  schedule.loops.insert(schedule.loops.begin(), {1, 80});
  schedule.stage = 3;
  EXPECT_EQ(stagedBlock(piece, schedule).joined, std::nullopt);
  RunFollower(piece, schedule).follow();
  schedule.loops.erase(schedule.loops.begin());
  schedule.stage = 2;
  schedule.carry = 1; // rows of one block
  EXPECT_EQ(stagedBlock(piece, schedule).joined, 0u);
  RunFollower(piece, schedule).follow();
}

TEST(KeptRuns, KeptLinesBelongToRunsThatGoOn) {
  Random random;
  int64_t carried = 0, cut = 0, swapped = 0;
  for (int round = 0; round < 600 && !testing::Test::HasFailure(); ++round) {
    Case test = randomCase(random);
    TargetInfo target = randomTarget(random);
    target.nonTemporal = target.isa != VectorISA::Scalar;
    SCOPED_TRACE(test.problem.str());
    ScheduleOptions options;
    options.result = ResultHint::Cold;
    for (const Schedule &candidate : candidateSchedules(test.problem, target, options, 6)) {
      carried += followRuns(test.problem, candidate);
      Schedule other = candidate;
      addSegments(other, random);
      if (verifySchedule(other, test.problem, target))
        cut += followRuns(test.problem, other);
      other = candidate;
      swapLoops(other, random);
      if (!(other == candidate) && verifySchedule(other, test.problem, target))
        swapped += followRuns(test.problem, other);
    }
  }
  EXPECT_GT(carried, 40);
  EXPECT_GT(cut, 8);
  EXPECT_GT(swapped, 8);
}

TEST(KeptRuns, GoOnWithinWindows) {
  Random random;
  int64_t carried = 0, swapped = 0;
  for (int round = 0; round < 300 && !testing::Test::HasFailure(); ++round) {
    Problem problem = windowedProblem(random);
    TargetInfo target = randomTarget(random);
    target.nonTemporal = target.isa != VectorISA::Scalar;
    SCOPED_TRACE(problem.str());
    ScheduleOptions options;
    options.rows = Rows::Together;
    for (const Schedule &candidate : candidateSchedules(problem, target, options, 6)) {
      carried += followRuns(problem, candidate);
      Schedule other = candidate;
      swapLoops(other, random);
      if (!(other == candidate) && verifySchedule(other, problem, target))
        swapped += followRuns(problem, other);
    }
  }
  EXPECT_GT(carried, 40);
  EXPECT_GT(swapped, 8);
}

TEST(KeptRuns, GoOnInsideOfCropsThatLeaveLittle) {
  // 2 x 2 columns in blocks, of which the middle two are left: those and the rows that they are in
  // stride equally far.
  Result<Rearrangement> r = batchToSpace({24, 5, 2, 67}, {4, 2}, {{3, 4}, {1, 1}});
  ASSERT_TRUE(r);
  Result<Problem> problem = buildProblem(*r, 4);
  ASSERT_TRUE(problem);
  ScheduleOptions options;
  options.rows = Rows::Together;
  Result<Schedule> schedule = pickSchedule(*problem, avx512(), options);
  ASSERT_TRUE(schedule) << schedule.error().message;
  EXPECT_EQ(followRuns(*problem, *schedule), 1);
  const std::vector<Digit> &digits = problem->digits;
  std::vector<unsigned> order = stagedBlock(*problem, schedule->pieces[0]).order;
  ASSERT_GE(order.size(), 3u);
  EXPECT_EQ(digits[order[0]].outStride, 67);
  EXPECT_EQ(digits[order[1]].outStride, digits[order[2]].outStride);
  EXPECT_EQ(problem->written.back().terms.front().first, order[1]);
}

} // namespace
