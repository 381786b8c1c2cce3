// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Schedules, executed element by element by a slow interpreter that follows their
/// definition, against the reference evaluator.

#include "Interpreter.h"
#include "ScheduleCases.h"

using namespace relayout;
using namespace relayout::test;

namespace {

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

TEST(ScheduleExecution, PutsWholeRowsTogether) {
  Random random;
  int whole = 0, ofParts = 0;
  for (int round = 0; round < 60 && !testing::Test::HasFailure(); ++round) {
    TargetInfo target = randomTarget(random);
    int64_t rows = random.between(2, 9), blocks = random.between(2, 40),
            size = random.between(2, 7), low = random.between(0, 2 * size - 1),
            high = random.between(low == 0, size);
    Problem problem = random.chance(50)
                          ? paddedRows(rows, blocks + 2, size, random.between(2, 6), low, high)
                          : croppedRows(rows, blocks + 2, size, low % size + 1, high % size);
    problem.width = int64_t(1) << random.between(0, 3);
    SCOPED_TRACE(problem.str());
    ScheduleOptions options;
    options.threads = random.between(1, 3);
    options.rows = Rows::Whole;
    Result<Schedule> picked = pickSchedule(problem, target, options);
    if (!picked)
      continue; // no vectors, or not a line to carry
    Case test = caseOf(problem);
    for (const Schedule &candidate : candidateSchedules(problem, target, options, 12)) {
      ASSERT_EQ(candidate.rows, Rows::Whole);
      checkSchedule(test, candidate, target, random);
      ++whole;
      for (const PieceSchedule &piece : candidate.pieces)
        ofParts += blocksOfBorder(problem, piece).size() > 1;
    }
  }
  EXPECT_GT(whole, 60);
  EXPECT_GT(ofParts, 0);
}

TEST(ScheduleExecution, PutsWindowsTogether) {
  Random random;
  int together = 0, ofInput = 0, ofTiles = 0;
  for (int round = 0; round < 80 && !testing::Test::HasFailure(); ++round) {
    TargetInfo target = randomTarget(random);
    Problem problem = windowedProblem(random);
    SCOPED_TRACE(problem.str());
    ScheduleOptions options;
    options.threads = random.between(1, 3);
    options.rows = Rows::Together;
    Case test = caseOf(problem);
    if (!pickSchedule(problem, target, options))
      continue; // no vectors, or not a line to carry
    for (const Schedule &candidate : candidateSchedules(problem, target, options, 12)) {
      ASSERT_EQ(candidate.rows, Rows::Together);
      checkSchedule(test, candidate, target, random);
      ++together;
      for (const PieceSchedule &piece : candidate.pieces) {
        ofInput += piece.carry && stagedBlock(problem, piece).fromInput;
        ofTiles += windowsOf(problem, piece).border != nullptr;
      }
    }
  }
  EXPECT_GT(together, 60);
  EXPECT_GT(ofInput, 5);
  EXPECT_GT(ofTiles, 20);
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

TEST(ScheduleExecution, MovesCellsToTheirRows) {
  Random random;
  TargetInfo target = like("znver4");
  target.l2Bytes = 128 << 10;
  int grouped = 0;
  for (int round = 0; round < 12 && !testing::Test::HasFailure(); ++round) {
    // Groups of cells that end where a row does not, and rows that start anywhere in a line.
    int64_t width = int64_t(1) << random.between(0, 3);
    int64_t c = random.between(3, 9), p = random.between(34 / c + 1, 17), q = random.between(2, 7);
    int64_t w = 2 * random.between(24, 60) + 1, n = random.between(2, 3);
    int64_t h = 2 * target.l2Bytes / (n * c * p * w * q * width) + 2;
    Problem problem = random.chance(50) ? dense(width, {n, h, w, c, p, q}, {0, 3, 1, 4, 2, 5})
                                        : dense(width, {n, h, w, p, c, q}, {0, 4, 1, 3, 2, 5});
    PieceSchedule piece = performPicked(problem, target, random);
    grouped += piece.carry && piece.loops[*piece.carry].digit == 4 && piece.fetch &&
               *piece.fetch == *piece.carry + 1;
  }
  EXPECT_GT(grouped, 6);
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

TEST(ScheduleExecution, JoinsLinesOfLongRowsOfBytes) {
  Random random;
  TargetInfo target = fetchingSoon(avx512());
  target.l2Bytes = 256 << 10; // two blocks and more
  // Rows of the input and of the output that start anywhere in a line.
  Problem problem = dense(1, {2 * random.between(257, 300) + 1, 4579}, {1, 0});
  PieceSchedule piece = performPicked(problem, target, random);
  EXPECT_EQ(piece.tile, (std::vector<int64_t>{32, 64}));
  EXPECT_EQ(piece.stage, piece.loops.size());
}

TEST(ScheduleExecution, JoinsLinesOfRowsOfBytes) {
  Random random;
  TargetInfo target = fetchingSoon(avx512());
  target.l2Bytes = 128 << 10; // some blocks
  // Rows of which 64 fit the first cache: side by side, wherever they start, on lines, and short
  // ones; and 1905 bytes apart.
  int64_t rows = 2 * random.between(129, 150) + 1;
  for (int64_t columns : {2 * random.between(105, 180) + 1, 64 * random.between(1, 4),
                          2 * random.between(32, 99) + 1}) {
    int64_t images = 4 * target.l2Bytes / (rows * columns) + 1;
    PieceSchedule piece =
        performPicked(dense(1, {images, rows, columns}, {0, 2, 1}), target, random);
    EXPECT_EQ(piece.tile, (std::vector<int64_t>{1, 16, 64})) << columns;
    EXPECT_EQ(piece.stage, piece.loops.size());
  }
  PieceSchedule piece = performPicked(dense(1, {rows, 5, 381}, {2, 1, 0}), target, random);
  EXPECT_EQ(piece.tile, (std::vector<int64_t>{16, 1, 64}));
  EXPECT_EQ(piece.stage, piece.loops.size());
  // Longer ones, whose lines wait for the next of five places.
  piece = performPicked(dense(1, {rows, 5, 1041}, {2, 1, 0}), target, random);
  EXPECT_EQ(piece.tile, (std::vector<int64_t>{16, 1, 64}));
  ASSERT_TRUE(piece.carry && piece.fetch);
  EXPECT_EQ(*piece.fetch, *piece.carry + 2);
}

TEST(ScheduleExecution, PacksBlocksThatAreFetched) {
  Random random;
  TargetInfo target = like("znver4");
  target.l2Bytes = 256 << 10;
  // Rows of three ways of the first cache, of which tiles read parts that begin within lines.
  Problem problem = dense(2, {random.between(131, 180), 8, 16, 3, 16}, {4, 3, 2, 1, 0});
  PieceSchedule piece = performPicked(problem, target, random);
  EXPECT_TRUE(piece.pack && piece.carry);
  EXPECT_EQ(piece.fetch, piece.pack);
}

/// `schedule` with a stage put at a random loop of every piece.
Schedule withStages(Schedule schedule, const Problem &problem, Random &random) {
  if (random.chance(50))
    addSegments(schedule, random);
  for (PieceSchedule &piece : schedule.pieces) {
    piece.stage = random.between(0, piece.loops.size());
    if (piece.store == StoreMode::Prefetch)
      piece.store = StoreMode::Ordinary;
    if (piece.store == StoreMode::NonTemporal && random.chance(50))
      piece.carry = random.between(0, *piece.stage);
  }
  return schedule;
}

/// Adds where the elements of `part` of a block are, in scratch memory and in the output.
void addPlaces(const Problem &reduced, const StagedBlock &block, const Piece &part,
               std::vector<std::pair<int64_t, int64_t>> &places) {
  size_t first = places.size();
  places.push_back({block.first - block.cropped, 0});
  for (size_t d = 0; d < reduced.digits.size(); ++d) {
    places[first].first += part.lower[d] * block.strides[d];
    places[first].second += part.lower[d] * reduced.digits[d].outStride;
  }
  for (size_t d = 0; d < reduced.digits.size(); ++d) {
    size_t before = places.size();
    for (int64_t value = 1; value < part.extent[d]; ++value)
      for (size_t i = first; i < before; ++i)
        places.push_back({places[i].first + value * block.strides[d],
                          places[i].second + value * reduced.digits[d].outStride});
  }
}

/// Every element of a block has a place of its own, and those of a run lie side by side.
void checkBlock(const Problem &reduced, const PieceSchedule &piece) {
  StagedBlock block = stagedBlock(reduced, piece);
  if (block.fromInput)
    return;
  std::vector<std::pair<int64_t, int64_t>> places;
  for (const Piece &part : partsOfBlock(reduced, piece, /*start=*/0))
    addPlaces(reduced, block, part, places);
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
    Result<Schedule> picked = pickRandomly(test.problem, target, random);
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
    Result<Schedule> picked = pickRandomly(test.problem, target, random);
    ASSERT_TRUE(picked) << picked.error().message;
    Schedule schedule = withStages(*picked, test.problem, random);
    if (!verifySchedule(schedule, test.problem, target))
      continue;
    ++verified;
    checkSchedule(test, schedule, target, random);
    std::vector<Piece> pieces = piecesOf(test.problem, schedule);
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
    Result<Schedule> schedule = pickRandomly(test.problem, target, random);
    ASSERT_TRUE(schedule);
    SCOPED_TRACE(test.problem.str() + " " + schedule->str());
    std::vector<Piece> pieces = piecesOf(test.problem, *schedule);
    for (size_t i = 0; i < pieces.size(); ++i) {
      const PieceSchedule &piece = schedule->pieces[i];
      if (pieces[i].kind == Piece::Kind::Fill || piece.vectorBytes == 0)
        continue;
      Problem reduced = pieceProblem(test.problem, pieces[i]);
      std::vector<int64_t> extents = piece.tile;
      if (piece.stage)
        extents = tileOfPart(piece, largestPart(partsOfBlock(reduced, piece, /*start=*/0)));
      Tile tile{test.problem.width, reduced.digits};
      for (size_t d = 0; d < tile.digits.size(); ++d)
        tile.digits[d].extent = extents[d];
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
    Result<Schedule> schedule = pickRandomly(test.problem, target, random);
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
