// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Schedules, executed element by element by a slow interpreter that follows their
/// definition, against the reference evaluator.

#include "RandomCases.h"
#include "ScheduleCases.h"

using namespace relayout;
using namespace relayout::test;

namespace {

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
    nest(0, unit, output);
  }

private:
  /// The inner loops and tiles of a staged piece stay within its block.
  void block(int64_t unit, Output &output) {
    StagedBlock staged = stagedBlock(reduced, schedule);
    auto saved = std::make_tuple(low, high, limit);
    for (size_t d = 0; d < low.size(); ++d) {
      low[d] = std::min(low[d], limit[d] - staged.extents[d]);
      high[d] = limit[d] = low[d] + staged.extents[d];
      ASSERT_GE(low[d], 0);
    }
    inBlock = true;
    nest(*schedule.stage, unit, output);
    inBlock = false;
    std::tie(low, high, limit) = saved;
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
    /// From and to where an element moves, and the sum of the border's terms.
    struct Move {
      int64_t from, to, sum;
    };
    std::vector<Move> moves{{reduced.inOffset, reduced.outOffset, 0}};
    for (size_t d = 0; d < reduced.digits.size(); ++d) {
      const Digit &digit = reduced.digits[d];
      int64_t start = std::min(low[d], limit[d] - schedule.tile[d]);
      ASSERT_GE(start, 0);
      int64_t coefficient = 0;
      for (const DigitRange &border : reduced.read)
        for (auto [term, factor] : border.terms)
          coefficient += term == d ? factor : 0;
      std::vector<Move> wider;
      for (int64_t value = start; value < start + schedule.tile[d]; ++value)
        for (const Move &move : moves)
          wider.push_back({move.from + value * digit.inStride, move.to + value * digit.outStride,
                           move.sum + value * coefficient});
      moves = std::move(wider);
    }
    std::vector<int64_t> places;
    std::map<int64_t, bool> reads;
    for (auto [source, place, sum] : moves) {
      bool fill = piece.kind == Piece::Kind::Fill;
      for (const DigitRange &border : reduced.read)
        fill |= sum < border.low || sum >= border.high;
      // What a tile reads, it may not have to leave out for another element.
      ASSERT_TRUE(piece.kind == Piece::Kind::Fill ||
                  reads.insert({source, fill}).first->second == fill);
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
  bool inBlock = false;
};

void checkSchedule(const Case &test, const Schedule &schedule, const TargetInfo &target,
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

  std::vector<Piece> pieces = splitWithBorders(test.problem);
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

TEST(ScheduleExecution, WritesEveryElementOnceFromItsSource) {
  Random random;
  for (int round = 0; round < 150 && !testing::Test::HasFailure(); ++round) {
    Case test = randomCase(random);
    TargetInfo target = randomTarget(random);
    ScheduleOptions options;
    options.threads = random.between(1, 5);
    options.result = static_cast<ResultHint>(random.between(0, 2));
    SCOPED_TRACE(test.problem.str());
    Result<Schedule> picked = pickSchedule(test.problem, target, options);
    ASSERT_TRUE(picked) << picked.error().message;
    checkSchedule(test, *picked, target, random);
    std::vector<Schedule> candidates = candidateSchedules(test.problem, target, options, 40);
    ASSERT_FALSE(candidates.empty());
    EXPECT_EQ(candidates.front(), *picked);
    for (size_t i = 1; i < candidates.size(); i += random.between(1, 6))
      checkSchedule(test, candidates[i], target, random);
  }
}

/// What every place of the output of a problem without windows must hold.
Case caseOf(const Problem &problem) {
  Case test{problem, {{0, 0}}};
  for (const Digit &digit : problem.digits) {
    std::map<int64_t, int64_t> before = test.expected;
    for (int64_t value = 1; value < digit.extent; ++value)
      for (auto [out, in] : before)
        test.expected[out + value * digit.outStride] = in + value * digit.inStride;
  }
  return test;
}

/// Performs what is picked for `problem`, which has one piece; returns the piece's schedule.
PieceSchedule performPicked(const Problem &problem, const TargetInfo &target, Random &random) {
  SCOPED_TRACE(problem.str());
  ScheduleOptions options;
  options.threads = random.between(1, 3);
  Result<Schedule> picked = pickSchedule(problem, target, options);
  EXPECT_TRUE(picked);
  if (!picked)
    return {};
  checkSchedule(caseOf(problem), *picked, target, random);
  return picked->pieces[0];
}

/// `target` with small caches and blocks that are fetched.
TargetInfo fetchingSoon(TargetInfo target) {
  target.l2Bytes = 128 << 10;
  target.memory.fetches = true;
  return target;
}

TEST(ScheduleExecution, PutsPatchesTogether) {
  Random random;
  TargetInfo target = fetchingSoon(avx512());
  int patches = 0;
  for (int round = 0; round < 16 && !testing::Test::HasFailure(); ++round) {
    // Rows of patches of a little more than 4 KiB, and enough of them to leave the caches.
    int64_t width = int64_t(1) << random.between(1, 2);
    int64_t n = random.between(2, 4), c = random.between(2, 3), p = random.between(2, 7),
            q = random.between(16 / width + 1, 64 / width - 1);
    int64_t w = random.between(4096, 5000) / (p * q * width) + 1;
    int64_t h = target.l2Bytes / (n * c * p * w * q * width) + 1;
    Problem problem = random.chance(50) ? dense(width, {n, c, h, p, w, q}, {0, 2, 4, 1, 3, 5})
                                        : dense(width, {n, h, w, c, p, q}, {0, 3, 1, 4, 2, 5});
    PieceSchedule piece = performPicked(problem, target, random);
    patches += piece.carry && piece.fetch && *piece.stage > *piece.carry;
  }
  EXPECT_GT(patches, 0);
}

TEST(ScheduleExecution, PutsShortRowsOfATransposeTogether) {
  Random random;
  int together = 0;
  for (int round = 0; round < 16 && !testing::Test::HasFailure(); ++round) {
    TargetInfo target = fetchingSoon(avx512());
    if (round % 4 == 3) {
      target.isa = VectorISA::AVX2;
      target.vectorBytes = 32;
      target.maskedAccess = false;
    }
    // An odd number of rows, so that those of the output start anywhere in a line.
    int64_t width = int64_t(1) << random.between(0, 3),
            rows = 2 * random.between(15, random.chance(80) ? 31 : 99) + 1;
    int64_t columns = random.between(200, 2000) / width + 32;
    int64_t images = 2 * target.l2Bytes / (rows * columns * width) + 2;
    Problem problem = random.chance(50) ? dense(width, {images, rows, columns}, {0, 2, 1})
                                        : dense(width, {rows, images, columns}, {1, 2, 0});
    PieceSchedule piece = performPicked(problem, target, random);
    together += piece.carry && piece.fetch && piece.loops[*piece.carry].digit == 1;
  }
  EXPECT_GT(together, 0);
}

TEST(ScheduleExecution, MovesBytesInWideBlocks) {
  Random random;
  int wide = 0;
  for (int round = 0; round < 6 && !testing::Test::HasFailure(); ++round) {
    TargetInfo target = fetchingSoon(avx512());
    if (round == 3) {
      target.isa = VectorISA::AVX2;
      target.vectorBytes = 32;
      target.maskedAccess = false;
    }
    target.l2Bytes = 256 << 10; // two blocks and more
    // Odd extents, so that rows of the output start anywhere in a line. Short rows of both sides
    // have longer visits without wide blocks, too.
    auto odd = [&](int64_t least, int64_t most) { return 2 * random.between(least, most) + 1; };
    bool isShort = round % 2 == 0;
    // Rows of most pitches do not crowd the second cache; these surely do not.
    bool isSpread = round == 1;
    int64_t rows = isSpread ? 171 : odd(100, 200), planes = isSpread ? 5 : odd(3, 8);
    int64_t columns = 4 * target.l2Bytes / (rows * planes) + 1;
    Problem problem =
        isShort ? dense(1, {odd(12, 20), odd(10, 14), odd(9, 12), odd(15, 30)}, {3, 2, 1, 0})
                : dense(1, {rows, planes, columns}, {2, 1, 0});
    PieceSchedule piece = performPicked(problem, target, random);
    wide += !isShort && piece.carry && piece.fetch && stagedBlock(problem, piece).run > 128;
  }
  EXPECT_GT(wide, 0);
}

/// `schedule` with a stage put at a random loop of every piece that copies.
Schedule withStages(Schedule schedule, const Problem &problem, Random &random) {
  if (random.chance(50))
    addSegments(schedule, random);
  std::vector<Piece> pieces = splitWithBorders(problem);
  for (size_t i = 0; i < pieces.size(); ++i) {
    PieceSchedule &piece = schedule.pieces[i];
    if (pieces[i].kind == Piece::Kind::Fill)
      continue;
    piece.stage = random.between(0, piece.loops.size());
    if (piece.store == StoreMode::Prefetch)
      piece.store = StoreMode::Ordinary;
    if (piece.store == StoreMode::NonTemporal && random.chance(50))
      piece.carry = random.between(0, *piece.stage);
  }
  return schedule;
}

/// Every element of a block has a place of its own, and those of a run lie side by side.
void checkBlock(const Problem &reduced, const PieceSchedule &piece) {
  StagedBlock block = stagedBlock(reduced, piece);
  if (block.fromInput)
    return;
  std::vector<std::pair<int64_t, int64_t>> places{{block.first, 0}}; // in scratch, in the output
  for (size_t d = 0; d < reduced.digits.size(); ++d) {
    size_t before = places.size();
    for (int64_t value = 1; value < block.extents[d]; ++value)
      for (size_t i = 0; i < before; ++i)
        places.push_back({places[i].first + value * block.strides[d],
                          places[i].second + value * reduced.digits[d].outStride});
  }
  std::sort(places.begin(), places.end());
  EXPECT_LE(places.back().first + 64 / reduced.width,
            piece.carry ? block.keptFirst : block.elements);
  ASSERT_EQ(places.size() % block.run, 0u);
  for (size_t i = 1; i < places.size(); ++i) {
    ASSERT_LT(places[i - 1].first, places[i].first);
    if (i % block.run != 0) {
      ASSERT_EQ(places[i].first, places[i - 1].first + 1);
      ASSERT_EQ(places[i].second, places[i - 1].second + 1);
    } else {
      ASSERT_EQ(places[i].first * reduced.width % 64, 0);
    }
  }
}

TEST(ScheduleExecution, AnySegmentsThatVerifyWriteEveryElementOnce) {
  Random random;
  int verified = 0;
  for (int round = 0; round < 300 && !testing::Test::HasFailure(); ++round) {
    Case test = randomCase(random);
    TargetInfo target = randomTarget(random);
    SCOPED_TRACE(test.problem.str());
    Result<Schedule> picked = pickSchedule(test.problem, target);
    ASSERT_TRUE(picked) << picked.error().message;
    Schedule schedule = *picked;
    addSegments(schedule, random);
    if (schedule == *picked || !verifySchedule(schedule, test.problem, target))
      continue;
    ++verified;
    checkSchedule(test, schedule, target, random);
  }
  EXPECT_GT(verified, 40);
}

TEST(ScheduleExecution, AnyStageThatVerifiesWritesEveryElementOnce) {
  Random random;
  int verified = 0;
  for (int round = 0; round < 300 && !testing::Test::HasFailure(); ++round) {
    Case test = randomCase(random);
    TargetInfo target = randomTarget(random);
    SCOPED_TRACE(test.problem.str());
    Result<Schedule> picked = pickSchedule(test.problem, target);
    ASSERT_TRUE(picked) << picked.error().message;
    Schedule schedule = withStages(*picked, test.problem, random);
    if (!verifySchedule(schedule, test.problem, target))
      continue;
    ++verified;
    checkSchedule(test, schedule, target, random);
    std::vector<Piece> pieces = splitWithBorders(test.problem);
    for (size_t i = 0; i < pieces.size(); ++i)
      if (schedule.pieces[i].stage)
        checkBlock(pieceProblem(test.problem, pieces[i]), schedule.pieces[i]);
  }
  EXPECT_GT(verified, 40);
}

/// What is picked can be generated: synthesis accepts the tiles.
TEST(ScheduleExecution, TilesThatArePickedCanBeMade) {
  Random random;
  for (int round = 0; round < 300 && !testing::Test::HasFailure(); ++round) {
    Case test = randomCase(random);
    TargetInfo target = randomTarget(random);
    Result<Schedule> schedule = pickSchedule(test.problem, target);
    ASSERT_TRUE(schedule);
    SCOPED_TRACE(test.problem.str() + " " + schedule->str());
    std::vector<Piece> pieces = splitWithBorders(test.problem);
    for (size_t i = 0; i < pieces.size(); ++i) {
      const PieceSchedule &piece = schedule->pieces[i];
      if (pieces[i].kind == Piece::Kind::Fill || piece.vectorBytes == 0)
        continue;
      Tile tile{test.problem.width, pieceProblem(test.problem, pieces[i]).digits};
      for (size_t d = 0; d < tile.digits.size(); ++d)
        tile.digits[d].extent = piece.tile[d];
      Result<TileProgram> program = synthesizeTile(tile, target, {piece.vectorBytes});
      ASSERT_TRUE(program) << program.error().message;
    }
  }
}

/// Loops over units of every digit that units may be over, with pinned random steps.
TEST(ScheduleExecution, AnyUnitsThatVerifyPartitionTheOutput) {
  Random random;
  int verified = 0;
  for (int round = 0; round < 150 && !testing::Test::HasFailure(); ++round) {
    Case test = randomCase(random);
    TargetInfo target = randomTarget(random);
    SCOPED_TRACE(test.problem.str());
    Result<Schedule> schedule = pickSchedule(test.problem, target);
    ASSERT_TRUE(schedule);
    for (unsigned d = 0; d < test.problem.digits.size(); ++d) {
      schedule->unitDigit = d;
      schedule->unitStep = random.between(1, std::max<int64_t>(1, test.problem.digits[d].extent));
      if (!verifySchedule(*schedule, test.problem, target))
        continue;
      ++verified;
      checkSchedule(test, *schedule, target, random);
    }
  }
  EXPECT_GT(verified, 100);
}

/// Sizes up to the limits: answers, never a fault.
TEST(ScheduleExecution, HugeProblemsAreScheduled) {
  Random random;
  for (int round = 0; round < 300; ++round) {
    Rearrangement r = random.hugeRearrangement();
    if (!r.verify())
      continue;
    Result<Problem> problem = buildProblem(r, int64_t(1) << random.between(0, 4));
    if (!problem)
      continue;
    TargetInfo target = randomTarget(random);
    SCOPED_TRACE(problem->str());
    Result<Schedule> schedule = pickSchedule(*problem, target);
    ASSERT_TRUE(schedule) << schedule.error().message;
    Status status = verifySchedule(*schedule, *problem, target);
    EXPECT_TRUE(status) << status.error().message << "\n" << schedule->str();
    predict(*schedule, *problem, target);
  }
}

} // namespace
