// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Random.h"

#include "relayout/Layout/Reference.h"

#include "gtest/gtest.h"

#include <set>

using namespace relayout;
using namespace relayout::test;

namespace {

Rearrangement bind(const char *pattern, const std::vector<int64_t> &shape,
                   const DigitSizes &sizes = {}, const std::vector<Window> &pad = {},
                   const std::vector<Window> &crop = {}) {
  Result<Pattern> parsed = parsePattern(pattern);
  EXPECT_TRUE(bool(parsed));
  Result<Rearrangement> bound = bindPattern(*parsed, shape, sizes, pad, crop);
  EXPECT_TRUE(bool(bound)) << (bound ? "" : bound.error().message);
  return bound.take();
}

/// Composes, and holds the composite equal to doing one after the other.
void expectComposes(const Rearrangement &first, const Rearrangement &second) {
  Result<Rearrangement> both = compose(first, second);
  ASSERT_TRUE(bool(both)) << both.error().message << "\n"
                          << describe(first) << "\n"
                          << describe(second);
  ASSERT_TRUE(bool(both->verify()));
  EXPECT_EQ(referenceMap(*both), oneAfterAnother(first, second)) << describe(first) << "\n"
                                                                 << describe(second) << "\n"
                                                                 << describe(*both);
}

/// The text of the refusal; the test fails if the two compose.
std::string refusal(const Rearrangement &first, const Rearrangement &second) {
  Result<Rearrangement> both = compose(first, second);
  EXPECT_FALSE(bool(both)) << describe(*both);
  return both ? "" : both.error().message;
}

} // namespace

TEST(Compose, IsOneAfterTheOther) {
  Random random;
  int composed = 0, windowed = 0;
  constexpr int kCases = 12000;
  for (int i = 0; i < kCases; ++i) {
    Options options;
    options.windows = random.chance(60);
    options.maxElements = 400;
    Rearrangement first = random.rearrangement(options);
    Rearrangement second = random.rearrangement(first.resultShape(), options);
    Result<Rearrangement> both = compose(first, second);
    if (!both)
      continue;
    ASSERT_TRUE(bool(both->verify()));
    ASSERT_EQ(both->operandShape, first.operandShape);
    ASSERT_EQ(both->resultShape(), second.resultShape());
    ASSERT_EQ(referenceMap(*both), oneAfterAnother(first, second)) << describe(first) << "\n"
                                                                   << describe(second) << "\n"
                                                                   << describe(*both);
    ++composed;
    windowed += first.hasWindows() || second.hasWindows();
  }
  EXPECT_GT(composed, kCases / 5);
  EXPECT_GT(windowed, kCases / 20);
}

TEST(Compose, IsAssociative) {
  Random random;
  int compared = 0;
  constexpr int kCases = 8000;
  for (int i = 0; i < kCases; ++i) {
    Options options;
    options.windows = random.chance(50);
    options.maxElements = 300;
    Rearrangement a = random.rearrangement(options);
    Rearrangement b = random.rearrangement(a.resultShape(), options);
    Rearrangement c = random.rearrangement(b.resultShape(), options);
    Result<Rearrangement> ab = compose(a, b), bc = compose(b, c);
    if (!ab || !bc)
      continue;
    Result<Rearrangement> left = compose(*ab, c), right = compose(a, *bc);
    if (!left || !right)
      continue;
    ++compared;
    ASSERT_EQ(referenceMap(*left), referenceMap(*right)) << describe(a) << "\n"
                                                         << describe(b) << "\n"
                                                         << describe(c);
  }
  EXPECT_GT(compared, kCases / 20);
}

TEST(Compose, HasAnIdentity) {
  Random random;
  for (int i = 0; i < 4000; ++i) {
    Rearrangement r = random.rearrangement({});
    Result<Rearrangement> before = compose(identityRearrangement(r.operandShape), r);
    Result<Rearrangement> after = compose(r, identityRearrangement(r.resultShape()));
    ASSERT_TRUE(before && after) << describe(r);
    ASSERT_EQ(referenceMap(*before), referenceMap(r)) << describe(r);
    ASSERT_EQ(referenceMap(*after), referenceMap(r)) << describe(r);
  }
}

TEST(Compose, HasInverses) {
  Random random;
  Options options;
  options.windows = false;
  for (int i = 0; i < 4000; ++i) {
    Rearrangement r = random.rearrangement(options);
    Result<Rearrangement> back = inverse(r);
    ASSERT_TRUE(bool(back));
    for (auto [first, second] : {std::pair(r, *back), std::pair(*back, r)}) {
      Result<Rearrangement> both = compose(first, second);
      ASSERT_TRUE(bool(both)) << describe(r);
      ASSERT_TRUE(both->isIdentity()) << describe(r);
    }
  }
}

TEST(Normalize, PreservesTheFunction) {
  Random random;
  for (int i = 0; i < 8000; ++i) {
    Rearrangement r = random.rearrangement({});
    Rearrangement normal = normalize(r);
    ASSERT_TRUE(bool(normal.verify())) << describe(r) << "\n" << describe(normal);
    ASSERT_EQ(normal.operandShape, r.operandShape);
    ASSERT_EQ(normal.resultShape(), r.resultShape());
    ASSERT_EQ(referenceMap(normal), referenceMap(r)) << describe(r) << "\n" << describe(normal);
    ASSERT_EQ(normalize(normal), normal) << describe(r) << "\n" << describe(normal);
    ASSERT_EQ(normalize(random.refined(r)), normal) << describe(r);
  }
}

TEST(Normalize, PutsWindowsInOnePlace) {
  // A pad of the operand and a negative crop of the result say the same.
  EXPECT_EQ(normalize(bind("a b -> b a", {2, 5}, {}, {{0, 0}, {1, 2}})),
            normalize(bind("a b -> b a", {2, 5}, {}, {}, {{-1, -2}, {0, 0}})));
  // So do a crop by whole blocks and a drop of the operand's positions.
  EXPECT_EQ(normalize(bind("(b n) h -> n (h b)", {6, 5}, {{"b", 2}}, {}, {{0, 0}, {4, 2}})),
            normalize(bind("(b n) h -> n (h b)", {6, 5}, {{"b", 2}}, {{0, 0}, {-2, -1}})));
  // Adding and dropping again is nothing.
  EXPECT_TRUE(bind("a b -> a b", {2, 5}, {}, {{0, 0}, {1, 2}}, {{0, 0}, {1, 2}}).isIdentity());
  // Dropping and adding is something.
  EXPECT_FALSE(bind("a b -> a b", {2, 5}, {}, {{0, 0}, {-1, 0}}, {{0, 0}, {-1, 0}}).isIdentity());
}

/// True if every digit takes several values among the elements that move. Where a
/// pad leaves a digit one, the digit may as well belong to another dimension.
static bool everyDigitVaries(const Rearrangement &r) {
  std::vector<std::set<int64_t>> values(r.digits.size());
  std::vector<int64_t> padded = r.paddedShape();
  for (int64_t source : referenceMap(r))
    for (size_t dim = padded.size(); source >= 0 && dim-- > 0;) {
      int64_t place = source % r.operandShape[dim] + r.pad[dim].low;
      source /= r.operandShape[dim];
      for (size_t i = r.operandGroups[dim].size(); i-- > 0;) {
        unsigned digit = r.operandGroups[dim][i];
        values[digit].insert(place % r.digits[digit].extent);
        place /= r.digits[digit].extent;
      }
    }
  for (size_t digit = 0; digit < values.size(); ++digit)
    if (r.digits[digit].extent != 1 && values[digit].size() < 2)
      return false;
  return true;
}

/// The steps that make up `r`: pad, split dimensions, permute, merge, crop.
static std::vector<Rearrangement> stepsOf(const Rearrangement &r) {
  Rearrangement pad = identityRearrangement(r.paddedShape());
  pad.operandShape = r.operandShape;
  pad.pad = r.pad;
  Rearrangement split = r, merge = r;
  split.pad.assign(r.operandShape.size(), {});
  split.operandShape = r.paddedShape();
  merge.crop.assign(r.resultGroups.size(), {});
  split.resultGroups.clear();
  merge.operandGroups.clear();
  std::vector<int64_t> perm;
  for (const auto &group : r.operandGroups)
    for (unsigned digit : group)
      split.resultGroups.push_back({digit});
  for (const auto &group : r.resultGroups)
    for (unsigned digit : group) {
      merge.operandGroups.push_back({digit});
      for (size_t i = 0; i < split.resultGroups.size(); ++i)
        if (split.resultGroups[i][0] == digit)
          perm.push_back(i);
    }
  split.crop.assign(split.resultGroups.size(), {});
  merge.pad.assign(merge.operandGroups.size(), {});
  Result<Rearrangement> permute = permutation(split.resultShape(), perm);
  EXPECT_TRUE(bool(permute));
  merge.operandShape = permute->resultShape();
  Rearrangement crop = identityRearrangement(r.mergedShape());
  crop.crop = r.crop;
  return {pad, split, *permute, merge, crop};
}

TEST(Compose, PutsAllStepsTogether) {
  Random random;
  int canonical = 0;
  constexpr int kCases = 4000;
  for (int i = 0; i < kCases; ++i) {
    Options options;
    options.maxElements = 400;
    options.zeroExtents = false;
    Rearrangement r = random.rearrangement(options);
    std::vector<Rearrangement> steps = stepsOf(r);
    Rearrangement forwards = steps.front(), backwards = steps.back();
    for (size_t step = 1; step < steps.size(); ++step) {
      Result<Rearrangement> next = compose(forwards, steps[step]);
      ASSERT_TRUE(bool(next)) << describe(r) << "\n" << next.error().message;
      forwards = *next;
      next = compose(steps[steps.size() - 1 - step], backwards);
      ASSERT_TRUE(bool(next)) << describe(r) << "\n" << next.error().message;
      backwards = *next;
    }
    bool isCanonical = everyDigitVaries(r);
    canonical += isCanonical;
    for (const Rearrangement &whole : {forwards, backwards}) {
      ASSERT_EQ(referenceMap(whole), referenceMap(r)) << describe(r) << "\n" << describe(whole);
      ASSERT_TRUE(!isCanonical || whole == normalize(r)) << describe(r) << "\n"
                                                         << describe(whole) << "\n"
                                                         << describe(normalize(r));
    }
  }
  EXPECT_GT(canonical, kCases / 3);
}

TEST(Compose, RefinesByCommonRadices) {
  expectComposes(bind("a (b c) -> c a b", {5, 12}, {{"b", 3}}),
                 bind("c a (d e) -> a d (c e)", {4, 5, 3}, {{"d", 3}}));
  expectComposes(bind("(a b) -> b a", {24}, {{"a", 4}}),
                 bind("b (c d) -> d (b c)", {6, 4}, {{"c", 2}}));
  std::string text =
      refusal(bind("(a b) -> (b a)", {6}, {{"a", 2}}), bind("(a b) -> (b a)", {6}, {{"a", 2}}));
  EXPECT_EQ(text, "expects the digits of intermediate dimension 0 to have a common refinement, but "
                  "(3 2) and (2 3) have none");
}

TEST(Compose, MovesWindowsToEitherSide) {
  Rearrangement crop = bind("a b -> a b", {3, 7}, {}, {}, {{0, 0}, {2, 1}});
  Rearrangement pad = bind("a b -> a b", {3, 7}, {}, {{0, 0}, {1, 3}});
  Rearrangement blocks = bind("a (b x) -> x a b", {3, 4}, {{"x", 2}});
  Rearrangement unblocks = bind("x a b -> a (b x)", {2, 3, 2});
  expectComposes(crop, blocks);                                               // to the operand
  expectComposes(unblocks, bind("a b -> b a", {3, 4}, {}, {{0, 0}, {1, 1}})); // to the result
  expectComposes(pad, bind("a b -> a b", {3, 11}, {}, {}, {{0, 0}, {4, 0}}));
  // What is dropped comes back as the fill value, not as itself.
  expectComposes(crop, bind("a b -> b a", {3, 4}, {}, {{0, 0}, {2, 1}}));
  // A new dimension is padded; a single position is taken and its dimension dropped.
  expectComposes(bind("a b -> a 1 b", {3, 7}),
                 bind("a c b -> a c b", {3, 1, 7}, {}, {{0, 0}, {1, 2}, {0, 0}}));
  expectComposes(bind("(a x) b -> a x b", {6, 5}, {{"x", 2}}, {}, {{0, 0}, {1, 0}, {0, 0}}),
                 bind("a 1 b -> b a", {3, 1, 5}));
}

TEST(Compose, RefusesWindowsWithinDigits) {
  Rearrangement unblocks = bind("x a b -> a (b x)", {2, 3, 4}, {}, {}, {{0, 0}, {1, 1}});
  std::string text = refusal(unblocks, bind("a (b x) -> x a b", {3, 6}, {{"x", 2}}));
  EXPECT_NE(text.find("expects the crop 1:1 and the pad 0:0 of intermediate dimension 1 to cancel"),
            std::string::npos)
      << text;
}

TEST(Compose, RefusesOtherShapes) {
  Result<Rearrangement> both =
      compose(identityRearrangement({2, 3}), identityRearrangement({3, 2}));
  ASSERT_FALSE(bool(both));
  EXPECT_EQ(both.error().code, ErrorCode::Shape);
}

TEST(Inverse, RefusesWindows) {
  Result<Rearrangement> back = inverse(bind("a b -> b a", {2, 5}, {}, {{0, 0}, {1, 2}}));
  ASSERT_FALSE(bool(back));
  EXPECT_EQ(back.error().code, ErrorCode::Unsupported);
}
