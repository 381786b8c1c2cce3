// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Random.h"

#include "relayout/Layout/NamedOperations.h"
#include "relayout/Layout/Problem.h"
#include "relayout/Layout/Reference.h"

#include "gtest/gtest.h"

#include <locale>
#include <map>
#include <numeric>

using namespace relayout;
using namespace relayout::test;

namespace {

/// What is written where: result place to operand place, or to -1 for the fill value.
using Movement = std::map<int64_t, int64_t>;

/// Calls `visit` with all values of digits of `extents`.
template <typename Visit> void forEach(const std::vector<int64_t> &extents, Visit visit) {
  std::vector<int64_t> index(extents.size(), 0);
  for (int64_t extent : extents)
    if (extent == 0)
      return;
  while (true) {
    visit(index);
    size_t dim = extents.size();
    while (dim > 0 && ++index[dim - 1] == extents[dim - 1])
      index[--dim] = 0;
    if (dim == 0)
      return;
  }
}

int64_t dot(const std::vector<int64_t> &a, const std::vector<int64_t> &b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), int64_t(0));
}

/// The movement by the reference evaluator.
Movement expected(const Rearrangement &r, const std::vector<int64_t> &operandStrides,
                  const std::vector<int64_t> &resultStrides) {
  std::vector<int64_t> places;
  forEach(r.operandShape,
          [&](const std::vector<int64_t> &index) { places.push_back(dot(index, operandStrides)); });
  std::vector<int64_t> map = referenceMap(r);
  Movement movement;
  size_t element = 0;
  forEach(r.resultShape(), [&](const std::vector<int64_t> &index) {
    int64_t source = map[element++];
    movement[dot(index, resultStrides)] = source < 0 ? -1 : places[source];
  });
  return movement;
}

bool holds(const DigitRange &range, const std::vector<int64_t> &values) {
  int64_t sum = 0;
  for (auto [digit, coefficient] : range.terms)
    sum += values[digit] * coefficient;
  return range.low <= sum && sum < range.high;
}

/// The movement by the definition of a problem. A place written twice is an error.
void run(const Problem &problem, bool fills, Movement &movement) {
  std::vector<int64_t> extents;
  for (const Digit &digit : problem.digits)
    extents.push_back(digit.extent);
  forEach(extents, [&](const std::vector<int64_t> &values) {
    int64_t in = problem.inOffset, out = problem.outOffset;
    for (size_t i = 0; i < values.size(); ++i) {
      in += values[i] * problem.digits[i].inStride;
      out += values[i] * problem.digits[i].outStride;
    }
    for (const DigitRange &range : problem.written)
      if (!holds(range, values))
        return;
    for (const DigitRange &range : problem.read)
      if (!holds(range, values))
        in = -1;
    bool isNew = movement.emplace(out, fills ? -1 : in).second;
    EXPECT_TRUE(isNew) << "place " << out << " is written twice";
  });
}

void expectProblemMoves(const Rearrangement &r, const std::vector<int64_t> &operandStrides,
                        const std::vector<int64_t> &resultStrides) {
  Result<Problem> problem = buildProblem(r, 4, operandStrides, resultStrides);
  ASSERT_TRUE(bool(problem)) << problem.error().message << "\n" << describe(r);
  Movement wanted = expected(r, operandStrides, resultStrides), whole, byPieces, byBoxes, bordered,
           byRows;
  run(*problem, false, whole);
  ASSERT_EQ(whole, wanted) << describe(r) << "\n" << problem->str();
  for (const Piece &piece : splitWithBorders(*problem)) {
    Problem part = pieceProblem(*problem, piece);
    ASSERT_TRUE(part.written.empty() && part.read.size() <= (piece.read.size()));
    run(part, piece.kind == Piece::Kind::Fill, bordered);
  }
  ASSERT_EQ(bordered, wanted) << describe(r) << "\n" << problem->str();
  for (const Piece &piece : splitIntoRows(*problem)) {
    Problem part = pieceProblem(*problem, piece);
    ASSERT_LE(part.read.size(), piece.read.size());
    ASSERT_LE(part.written.size(), piece.written.size());
    run(part, piece.kind == Piece::Kind::Fill, byRows);
  }
  ASSERT_EQ(byRows, wanted) << describe(r) << "\n" << problem->str();
  int64_t elements = 0;
  for (const Piece &piece : splitIntoPieces(*problem)) {
    Problem part = pieceProblem(*problem, piece);
    ASSERT_FALSE(part.hasWindows());
    run(part, piece.kind == Piece::Kind::Fill, byPieces);
    forEach(piece.extent, [&](std::vector<int64_t> values) {
      int64_t in = problem->inOffset, out = problem->outOffset;
      for (size_t i = 0; i < values.size(); ++i) {
        in += (values[i] + piece.lower[i]) * problem->digits[i].inStride;
        out += (values[i] + piece.lower[i]) * problem->digits[i].outStride;
      }
      byBoxes[out] = piece.kind == Piece::Kind::Fill ? -1 : in;
    });
    elements += piece.elements();
  }
  ASSERT_EQ(byPieces, wanted) << describe(r) << "\n" << problem->str();
  ASSERT_EQ(byBoxes, wanted) << describe(r) << "\n" << problem->str();
  ASSERT_EQ(elements, static_cast<int64_t>(wanted.size())) << describe(r);
}

Problem problemOf(const Result<Rearrangement> &r) {
  EXPECT_TRUE(bool(r));
  Result<Problem> problem = buildProblem(*r, 4);
  EXPECT_TRUE(bool(problem));
  return problem.take();
}

Rearrangement bind(const char *pattern, const std::vector<int64_t> &shape,
                   const DigitSizes &sizes = {}, const std::vector<Window> &pad = {},
                   const std::vector<Window> &crop = {}) {
  Result<Rearrangement> bound = bindPattern(*parsePattern(pattern), shape, sizes, pad, crop);
  EXPECT_TRUE(bool(bound)) << (bound ? "" : bound.error().message);
  return bound.take();
}

} // namespace

TEST(Problem, DenseMovementIsTheReference) {
  Random random;
  for (int i = 0; i < 4000; ++i) {
    Options options;
    options.maxElements = random.chance(90) ? 200 : 2000;
    Rearrangement r = random.rearrangement(options);
    expectProblemMoves(r, rowMajorStrides(r.operandShape), rowMajorStrides(r.resultShape()));
    if (HasFatalFailure())
      return;
  }
}

TEST(Problem, StridedMovementIsTheReference) {
  Random random;
  for (int i = 0; i < 4000; ++i) {
    Options options;
    options.maxElements = 200;
    Rearrangement r = random.rearrangement(options);
    expectProblemMoves(r, random.strides(r.operandShape), random.strides(r.resultShape()));
    if (HasFatalFailure())
      return;
  }
}

TEST(Problem, IsTheSameForFinerDigits) {
  Random random;
  for (int i = 0; i < 4000; ++i) {
    Rearrangement r = random.rearrangement({});
    std::vector<int64_t> in = random.strides(r.operandShape), out = random.strides(r.resultShape());
    Result<Problem> coarse = buildProblem(r, 2, in, out);
    Result<Problem> fine = buildProblem(random.refined(r), 2, in, out);
    ASSERT_TRUE(coarse && fine);
    ASSERT_EQ(*coarse, *fine) << describe(r) << "\n" << coarse->str() << "\n" << fine->str();
  }
}

TEST(Problem, ReducesNamedOperations) {
  DepthSpaceAttrs nhwc{{2}, DepthMode::BlocksFirst, TensorLayout::NHWC, TensorLayout::NHWC};
  EXPECT_EQ(problemOf(depthToSpace({3, 5, 7, 12}, nhwc)).str(),
            "w4 [15:84:84 2:6:42 7:12:6 6:1:1]");
  EXPECT_EQ(problemOf(spaceToDepth({3, 10, 14, 3}, nhwc)).str(),
            "w4 [15:84:84 7:6:12 2:42:6 6:1:1]");
  // One position of the block: nothing is left of the batch's blocks but an offset.
  EXPECT_EQ(problemOf(channelShuffle({2, 6, 5}, 1, 3)).str(), "w4 [2:30:30 2:5:15 3:10:5 5:1:1]");
  EXPECT_EQ(problemOf(identityRearrangement({3, 5, 7})).str(), "w4 [105:1:1]");
  EXPECT_EQ(problemOf(identityRearrangement({})).str(), "w4 []");
  EXPECT_EQ(problemOf(identityRearrangement({3, 0, 7})).str(), "w4 [0:1:1]");
}

/// Hosts set the locale of C++'s streams; German groups the digits of a number.
TEST(Problem, IsWrittenTheSameInEveryLocale) {
  struct Grouped : std::numpunct<char> {
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  std::locale before =
      std::locale::global(std::locale(std::locale::classic(), new Grouped)); // which owns it
  EXPECT_EQ(problemOf(identityRearrangement({6000, 7})).str(), "w4 [42000:1:1]");
  std::locale::global(before);
}

TEST(Problem, KnowsPlainCopies) {
  EXPECT_TRUE(isPlainCopy(problemOf(identityRearrangement({3, 5, 7}))));
  EXPECT_TRUE(isPlainCopy(problemOf(identityRearrangement({}))));
  EXPECT_TRUE(isPlainCopy(problemOf(identityRearrangement({0}))));
  EXPECT_TRUE(isPlainCopy(problemOf(bind("a b -> (a b)", {3, 5}))));
  // A slice of the outermost dimension is a copy from an offset.
  Problem slice = problemOf(bind("a b -> a b", {6, 5}, {}, {{-2, -1}, {0, 0}}));
  EXPECT_TRUE(isPlainCopy(slice));
  EXPECT_EQ(slice.inOffset, 10);
  EXPECT_FALSE(isPlainCopy(problemOf(bind("a b -> b a", {3, 5}))));
  EXPECT_FALSE(isPlainCopy(problemOf(bind("a b -> a b", {3, 5}, {}, {{1, 0}, {0, 0}}))));
  EXPECT_FALSE(isPlainCopy(problemOf(bind("a b -> a b", {3, 5}, {}, {{0, 0}, {0, -1}}))));
}

TEST(Problem, FillsWhatHasNoOperand) {
  Problem problem = problemOf(bind("a b -> a b", {0, 5}, {}, {{2, 1}, {0, 0}}));
  EXPECT_EQ(problem.str(), "w4 [15:0:1] read 0<=0<0");
  std::vector<Piece> pieces = splitIntoPieces(problem);
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_EQ(pieces[0].kind, Piece::Kind::Fill);
}

TEST(Problem, RefusesImpossibleStrides) {
  Rearrangement r = identityRearrangement({3, 5});
  auto code = [&](std::vector<int64_t> in, std::vector<int64_t> out, int64_t width = 4) {
    Result<Problem> problem = buildProblem(r, width, in, out);
    EXPECT_FALSE(bool(problem));
    return problem ? "" : std::string(codeWord(problem.error().code));
  };
  EXPECT_EQ(code({5}, {5, 1}), "shape");
  EXPECT_EQ(code({-5, 1}, {5, 1}), "shape");
  EXPECT_EQ(code({5, 1}, {4, 1}), "shape"); // two elements share a place
  EXPECT_EQ(code({5, 1}, {0, 1}), "shape");
  EXPECT_EQ(code({INT64_MAX, 1}, {5, 1}), "overflow");
  EXPECT_EQ(code({5, 1}, {INT64_MAX / 2, 1}), "overflow");
  EXPECT_EQ(code({5, 1}, {5, 1}, 3), "type");
  // The operand may be read twice from one place.
  EXPECT_TRUE(bool(buildProblem(r, 4, {0, 1}, {5, 1})));
}

TEST(Pieces, AreFewAndQuickForHugeExtents) {
  int64_t huge = int64_t(1) << 24;
  Result<Rearrangement> r = batchToSpace({4, huge, huge, 3}, {2, 2}, {{1, 0}, {1, 2}});
  EXPECT_LE(splitIntoPieces(problemOf(r)).size(), 6u);
  // Equal borders on both ends: the blocks' digits are cut, each once. Only neighbours
  // of one line or page stay together, at the price of a box more.
  r = batchToSpace({4, huge, huge / 8, 2048}, {2, 2}, {{1, 1}, {1, 1}});
  EXPECT_LE(splitIntoPieces(problemOf(r)).size(), 4u);
  r = batchToSpace({4, huge, huge, 64}, {2, 2}, {{1, 1}, {1, 1}});
  EXPECT_LE(splitIntoPieces(problemOf(r)).size(), 6u);
  r = batchToSpace({4, huge, huge, 3}, {2, 2}, {{1, 1}, {1, 1}});
  EXPECT_LE(splitIntoPieces(problemOf(r)).size(), 6u);
  r = spaceToBatch({3, huge, huge - 3}, {2, 4}, {{1, 1}, {1, 2}});
  size_t copies = 0;
  for (const Piece &piece : splitIntoPieces(problemOf(r)))
    copies += piece.kind == Piece::Kind::Copy;
  EXPECT_LE(copies, 6u);
}

/// The share of the output that the largest copied box of a space to batch has.
double largestCopied(const std::vector<int64_t> &shape, const std::vector<Window> &pads) {
  Problem problem = problemOf(spaceToBatch(shape, {2, 2}, pads));
  int64_t largest = 0, copied = 0;
  for (const Piece &piece : splitIntoPieces(problem))
    if (piece.kind == Piece::Kind::Copy) {
      largest = std::max(largest, piece.elements());
      copied += piece.elements();
    }
  return double(largest) / copied;
}

TEST(Pieces, KeepRunsOfAPageInOneBox) {
  // Rows of 46 pixels of 719 floats, with one more on each side: 22 of the 24 pairs are whole.
  EXPECT_EQ(largestCopied({3, 12, 46, 719}, {{0, 0}, {1, 1}}), 22. / 23);
  // Runs of more than a page, what a cache holds, and rows that are mostly ends: one box for each
  // place in the blocks.
  EXPECT_EQ(largestCopied({3, 12, 46, 1031}, {{0, 0}, {1, 1}}), 0.5);
  EXPECT_EQ(largestCopied({1, 2, 46, 719}, {{0, 0}, {1, 1}}), 0.5);
  EXPECT_EQ(largestCopied({17, 66, 6, 719}, {{0, 0}, {1, 1}}), 0.5);
}

TEST(Pieces, AreNotTooMany) {
  // Crops within the blocks of 15 dimensions make 2^15 boxes.
  std::vector<int64_t> shape(16, 2);
  shape[0] = 1 << 15;
  Result<Rearrangement> r =
      batchToSpace(shape, std::vector<int64_t>(15, 2), std::vector<Window>(15, {1, 0}));
  ASSERT_TRUE(bool(r));
  Result<Problem> problem = buildProblem(*r, 1);
  ASSERT_FALSE(bool(problem));
  EXPECT_EQ(problem.error().message,
            "expects windows that cut the tensor into at most 4096 boxes, but those within the "
            "digits of many dimensions cut it into more");
  // Six dimensions are no trouble.
  r = batchToSpace({1 << 6, 4, 4, 4, 4, 4, 4}, std::vector<int64_t>(6, 2),
                   std::vector<Window>(6, {1, 0}));
  EXPECT_EQ(splitIntoPieces(problemOf(r)).size(), 64u);
}

TEST(Problem, HugeSizesNeverOverflow) {
  // Nothing is run: the sanitizers watch, and the pieces must count up to the result.
  Random random;
  int built = 0;
  for (int i = 0; i < 20000; ++i) {
    Rearrangement r = random.hugeRearrangement();
    if (!r.verify())
      continue;
    Rearrangement normal = normalize(r);
    ASSERT_TRUE(bool(normal.verify())) << describe(r) << "\n" << describe(normal);
    Result<Rearrangement> both = compose(r, identityRearrangement(r.resultShape()));
    ASSERT_TRUE(!both || both->resultShape() == r.resultShape());
    Result<Problem> problem = buildProblem(r, 4);
    if (!problem)
      continue;
    ++built;
    int64_t elements = 0, wanted = 1;
    for (const Piece &piece : splitIntoPieces(*problem)) {
      elements += piece.elements();
      ASSERT_EQ(pieceProblem(*problem, piece).width, 4);
    }
    for (int64_t extent : r.resultShape())
      wanted *= extent;
    ASSERT_EQ(elements, wanted) << describe(r);
    int64_t source = wanted == 0 ? -1 : referenceSource(r, random.between(0, wanted - 1));
    ASSERT_GE(source, -1);
  }
  EXPECT_GT(built, 1000);
}

TEST(Problem, RefusesRangesThatLeave64Bits) {
  // The second dimension shows one place of b, the first goes 2^32 places on past the operand,
  // where a counts 2^31 elements each.
  Rearrangement r = bind("(a b) -> a b", {(int64_t(1) << 32) - 1}, {{"a", 2}}, {{1, 0}},
                         {{0, -(int64_t(1) << 32)}, {0, (int64_t(1) << 31) - 1}});
  EXPECT_EQ(r.resultShape(), (std::vector<int64_t>{(int64_t(1) << 32) + 2, 1}));
  Result<Problem> problem = buildProblem(r, 1);
  ASSERT_FALSE(bool(problem));
  EXPECT_EQ(problem.error().code, ErrorCode::Overflow);
  EXPECT_EQ(problem.error().message,
            "expects the windows times the strides and the digits to fit 63 bits");
  // With rows of 2^11 all of it fits: place 0 is before the operand, and the start of row 1, its
  // element 2^11 - 1, is the one that is read.
  r = bind("(a b) -> a b", {(int64_t(1) << 12) - 1}, {{"a", 2}}, {{1, 0}},
           {{0, -(int64_t(1) << 32)}, {0, (int64_t(1) << 11) - 1}});
  EXPECT_EQ(problemOf(r).str(), "w4 [4294967298:0:1] in 2047 read 1<=d0<2");
}

TEST(Pieces, BeginBehindPadsOfAnyReach) {
  // From the first place of the pad to the operand are 2^31 rows of 2^32 elements: 2^63.
  Rearrangement r = bind("a b -> b a", {2, 3}, {}, {{int64_t(1) << 31, 0}, {0, 0}});
  Result<Problem> problem =
      buildProblem(r, 1, {int64_t(1) << 32, 1}, rowMajorStrides(r.resultShape()));
  ASSERT_TRUE(bool(problem)) << problem.error().message;
  EXPECT_EQ(problem->inOffset, INT64_MIN);
  Piece copied = splitIntoPieces(*problem).front();
  ASSERT_EQ(copied.kind, Piece::Kind::Copy);
  EXPECT_EQ(pieceProblem(*problem, copied).inOffset, 0);
}

TEST(Pieces, OfAPadAreItsBorders) {
  // A box to copy, and for each padded end a box to fill.
  std::vector<Piece> pieces =
      splitIntoPieces(problemOf(bind("a b -> a b", {3, 5}, {}, {{1, 2}, {1, 0}})));
  ASSERT_EQ(pieces.size(), 4u);
  EXPECT_EQ(pieces[0].kind, Piece::Kind::Copy);
  EXPECT_EQ(pieces[0].lower, (std::vector<int64_t>{1, 1}));
  EXPECT_EQ(pieces[0].extent, (std::vector<int64_t>{3, 5}));
}

TEST(Pieces, OfWholeRowsAreCutElsewhereAlone) {
  // Rows before and after are filled; those between have their borders, however long they are.
  std::vector<Piece> pieces =
      splitIntoRows(problemOf(bind("a b -> a b", {3, 4093}, {}, {{1, 2}, {1, 2}})));
  ASSERT_EQ(pieces.size(), 3u);
  EXPECT_EQ(pieces[0].lower, (std::vector<int64_t>{1, 0}));
  EXPECT_EQ(pieces[0].extent, (std::vector<int64_t>{3, 4096}));
  EXPECT_EQ(pieces[0].read.size(), 1u);
  EXPECT_EQ(pieces[1].kind, Piece::Kind::Fill);
  // Rows of 5 times 3 of which 2 and 4 places are cropped, in a result of which rows are, too.
  Problem cropped = problemOf(
      bind("a (b p) c -> a c (b p)", {7, 15, 11}, {{"p", 3}}, {}, {{2, 1}, {0, 0}, {2, 4}}));
  pieces = splitIntoRows(cropped);
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_TRUE(!pieces[0].written.empty() || pieceProblem(cropped, pieces[0]).written.empty());
}

TEST(Pieces, KeepBordersThatShareLines) {
  // Rows of 5 and their borders are one box; rows before and after them are filled.
  std::vector<Piece> pieces =
      splitWithBorders(problemOf(bind("a b -> a b", {3, 5}, {}, {{1, 2}, {1, 0}})));
  ASSERT_EQ(pieces.size(), 3u);
  EXPECT_EQ(pieces[0].kind, Piece::Kind::Copy);
  EXPECT_EQ(pieces[0].extent, (std::vector<int64_t>{3, 6}));
  ASSERT_EQ(pieces[0].read.size(), 1u);
  // A long row has one at each end, and between them whole lines.
  pieces = splitWithBorders(problemOf(bind("a b -> a b", {3, 4093}, {}, {{0, 0}, {1, 2}})));
  ASSERT_EQ(pieces.size(), 3u);
  EXPECT_EQ(pieces[1].extent, (std::vector<int64_t>{3, 4096 - 32}));
  EXPECT_TRUE(pieces[1].read.empty());
  EXPECT_FALSE(pieces[0].read.empty() || pieces[2].read.empty());
  // Runs of lines are filled and copied apart.
  pieces =
      splitWithBorders(problemOf(bind("a b c -> a b c", {3, 5, 16}, {}, {{0, 0}, {1, 0}, {0, 0}})));
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_TRUE(pieces[0].read.empty());
}

TEST(Pieces, KeepWholeRowsThatOneTileMayHave) {
  // Of others the ends are borders.
  auto areWhole = [](const Problem &problem) { return splitWithBorders(problem).size() == 1; };
  // Pixels of 20 bytes, in pairs: 2 x 51 are 2040 bytes, 2 x 52 more than a tile's.
  auto pairs = [](int64_t places) {
    return bind("a (b p) c -> p a b c", {3, 2 * places - 3, 5}, {{"p", 2}},
                {{0, 0}, {2, 1}, {0, 0}});
  };
  EXPECT_TRUE(areWhole(problemOf(pairs(51))));
  EXPECT_FALSE(areWhole(problemOf(pairs(52))));
  // Transposed columns: each value of a row is a run of the input.
  auto columns = [](int64_t values) {
    return bind("a b -> b a", {values - 3, 7}, {}, {{1, 2}, {0, 0}});
  };
  EXPECT_TRUE(areWhole(problemOf(columns(64))));
  EXPECT_FALSE(areWhole(problemOf(columns(65))));
}
