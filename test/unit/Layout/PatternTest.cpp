// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Random.h"

#include "relayout/Layout/Reference.h"

#include "gtest/gtest.h"

using namespace relayout;
using namespace relayout::test;

namespace {

std::string reprinted(const char *text) {
  Result<Pattern> pattern = parsePattern(text);
  return pattern ? printPattern(*pattern) : pattern.error().message;
}

std::string refusal(const std::string &text, ErrorCode code = ErrorCode::Pattern) {
  Result<Pattern> pattern = parsePattern(text);
  EXPECT_FALSE(bool(pattern)) << text.substr(0, 80);
  if (pattern)
    return "";
  EXPECT_EQ(codeWord(pattern.error().code), std::string(codeWord(code)));
  return pattern.error().message;
}

Result<Rearrangement> bind(const char *text, const std::vector<int64_t> &shape,
                           const DigitSizes &sizes = {}, const std::vector<Window> &pad = {},
                           const std::vector<Window> &crop = {}) {
  Result<Pattern> pattern = parsePattern(text);
  EXPECT_TRUE(bool(pattern)) << text;
  return bindPattern(*pattern, shape, sizes, pad, crop);
}

std::string bindError(const Result<Rearrangement> &bound, ErrorCode code) {
  EXPECT_FALSE(bool(bound));
  if (bound)
    return "";
  EXPECT_EQ(codeWord(bound.error().code), std::string(codeWord(code)));
  return bound.error().message;
}

std::string boundPattern(const Result<Rearrangement> &bound) {
  EXPECT_TRUE(bool(bound)) << (bound ? "" : bound.error().message);
  return bound ? printPattern(bound->pattern()) : "";
}

} // namespace

TEST(Pattern, PrintsWhatItParses) {
  EXPECT_EQ(reprinted("n (by bx c) h w->n c (h by)(w bx)"), "n (by bx c) h w -> n c (h by) (w bx)");
  EXPECT_EQ(reprinted("a 1 () (b) -> (1 a) b (1)"), "a 1 1 b -> a b 1");
  EXPECT_EQ(reprinted("->"), "->");
  EXPECT_EQ(reprinted("1 ->"), "1 ->");
  EXPECT_EQ(reprinted("-> 1 1"), "-> 1 1");
  EXPECT_EQ(reprinted("b ... c -> (...) (b c)"), "b ... c -> (...) (b c)");
  EXPECT_EQ(reprinted("... _a1 -> _a1 ..."), "... _a1 -> _a1 ...");
  EXPECT_EQ(reprinted("a ... -> (a ...)"), "a ... -> (a ...)");
}

TEST(Pattern, RefusesWhatBreaksItsRules) {
  EXPECT_EQ(refusal("a b"), "expects one '->' in a pattern, but got none");
  EXPECT_EQ(refusal("a -> a -> a"), "expects one '->' in a pattern, but got more");
  EXPECT_EQ(refusal("b (h h) -> b h"),
            "expects every name once a side, but 'h' stands twice left of '->'");
  EXPECT_EQ(refusal("b h -> b (h b)"),
            "expects every name once a side, but 'b' stands twice right of '->'");
  EXPECT_EQ(refusal("b ((h w)) -> b h w"),
            "expects one level of brackets, but got nested brackets");
  EXPECT_EQ(refusal("b h w -> b h"),
            "expects every name on both sides, but 'w' stands only left of '->'");
  EXPECT_EQ(refusal("b -> b c"),
            "expects every name on both sides, but 'c' stands only right of '->'");
  EXPECT_EQ(refusal("(a b -> a b"), "expects every '(' to be closed");
  EXPECT_EQ(refusal("a) -> a"), "expects every ')' to follow a '('");
  EXPECT_EQ(refusal("a 2 -> a 2"), "expects 1 as the only number, but got '2'");
  EXPECT_EQ(refusal("a 1b -> a 1b"), "expects 1 as the only number, but got '1b'");
  EXPECT_EQ(refusal("\u00e9 -> a"),
            "expects names, 1, '...' and brackets, but got '\u00e9' at column 1");
  EXPECT_EQ(refusal("a-b -> a"), "expects names, 1, '...' and brackets, but got '-' at column 2");
  EXPECT_EQ(refusal("(a ...) -> a ..."), "expects '...' outside brackets left of '->'");
  EXPECT_EQ(refusal("... a ... -> a ..."), "expects '...' at most once a side");
  EXPECT_EQ(refusal("...a -> ...a"), "expects a blank between '...' and a name");
  EXPECT_EQ(refusal("a... -> a..."), "expects a blank between '...' and a name");
  EXPECT_EQ(refusal("... a -> a"),
            "expects every name on both sides, but '...' stands only left of '->'");
}

TEST(Pattern, HasLimits) {
  refusal(std::string(10000, '('), ErrorCode::Limit);
  refusal(std::string(4000, '(') + "->", ErrorCode::Pattern);
  std::string ones, names;
  for (int i = 0; i <= kMaxRank; ++i)
    ones += "1 ";
  refusal(ones + "->", ErrorCode::Limit);
  for (int i = 0; i < 65; ++i)
    names += " a" + std::to_string(i);
  refusal("(" + names + ") -> (" + names + ")", ErrorCode::Limit);
}

TEST(Binding, FillsInTheEllipsis) {
  EXPECT_EQ(boundPattern(bind("a ... b -> b ... a", {2, 3, 5, 7})), "a e0 e1 b -> b e0 e1 a");
  EXPECT_EQ(boundPattern(bind("a ... b -> b (a ...)", {2, 3, 5, 7})), "a e0 e1 b -> b (a e0 e1)");
  EXPECT_EQ(boundPattern(bind("a ... b -> b (...) a", {2, 7})), "a b -> b 1 a");
  EXPECT_EQ(boundPattern(bind("e0 ... -> ... e0", {2, 7})), "e0 e1 -> e1 e0");
  EXPECT_EQ(boundPattern(bind("... -> ...", {})), "->");
}

TEST(Binding, InfersOneSizeADimension) {
  Result<Rearrangement> r = bind("n (by bx c) -> n c by bx", {5, 12}, {{"by", 2}, {"bx", 3}});
  ASSERT_TRUE(bool(r));
  EXPECT_EQ(r->resultShape(), (std::vector<int64_t>{5, 2, 2, 3}));
  // From the padded extent.
  r = bind("(a b) -> b a", {5}, {{"b", 4}}, {{1, 2}});
  ASSERT_TRUE(bool(r));
  EXPECT_EQ(r->resultShape(), (std::vector<int64_t>{4, 2}));
  // 0 is divisible by any size but 0.
  r = bind("(a b) -> b a", {0}, {{"b", 4}});
  ASSERT_TRUE(bool(r));
  EXPECT_EQ(r->resultShape(), (std::vector<int64_t>{4, 0}));
  EXPECT_TRUE(bool(bind("(a b) -> b a", {0}, {{"a", 0}, {"b", 4}})));
}

TEST(Binding, RefusesSizesThatDoNotFit) {
  EXPECT_EQ(bindError(bind("(a b) -> b a", {10}, {{"b", 4}}), ErrorCode::Divisible),
            "expects padded dimension 0 to be divisible by the sizes in (a b), but 10 is not "
            "divisible by 4");
  EXPECT_EQ(bindError(bind("(a b) -> b a", {10}), ErrorCode::Pattern),
            "expects at most one unknown size in (a b) of dimension 0, but 'a' and 'b' have none");
  EXPECT_EQ(bindError(bind("(a b) -> b a", {10}, {{"a", 2}, {"b", 4}}), ErrorCode::Divisible),
            "expects the sizes in (a b) of dimension 0 to multiply to its padded extent, but the "
            "product is 8 and the padded extent is 10");
  EXPECT_EQ(bindError(bind("(a b) -> b a", {0}, {{"b", 0}}), ErrorCode::Pattern),
            "expects no size of 0 beside the unknown size of 'a' in (a b) of dimension 0");
  EXPECT_EQ(bindError(bind("a -> a", {4}, {{"b", 4}}), ErrorCode::Pattern),
            "expects sizes of names in the pattern 'a -> a', but got one of 'b'");
  EXPECT_EQ(bindError(bind("a -> a", {4}, {{"a", -4}}), ErrorCode::Pattern),
            "expects sizes of 0 or more, but the size of 'a' is -4");
  EXPECT_EQ(bindError(bind("a 1 -> a", {4, 3}), ErrorCode::Divisible),
            "expects the sizes in 1 of dimension 1 to multiply to its padded extent, but the "
            "product is 1 and the padded extent is 3");
  bindError(bind("(a b c) -> a b c", {12}, {{"b", INT64_MAX}, {"c", 2}}), ErrorCode::Overflow);
  bindError(bind("a b -> a b", {4}), ErrorCode::Pattern);
  bindError(bind("a b ... -> a b ...", {4}), ErrorCode::Pattern);
}

TEST(Binding, ChecksWindows) {
  EXPECT_EQ(bindError(bind("a b -> a b", {4, 5}, {}, {{1, 1}}), ErrorCode::Pad),
            "expects one pad for each of the 2 dimensions of the operand, but got 1");
  EXPECT_EQ(bindError(bind("a b -> (a b)", {4, 5}, {}, {}, {{1, 1}, {0, 0}}), ErrorCode::Crop),
            "expects one crop for each of the 1 dimensions of the result, but got 2");
  EXPECT_EQ(bindError(bind("a -> a", {4}, {}, {{-3, -2}}), ErrorCode::Pad),
            "expects the pad of operand dimension 0 to leave an extent of 0 or more, but 4 + (-3) "
            "+ (-2) is -1");
  EXPECT_EQ(bindError(bind("a -> a", {4}, {}, {}, {{3, 2}}), ErrorCode::Crop),
            "expects the crop of result dimension 0 to leave an extent of 0 or more, but 4 - (3) - "
            "(2) is -1");
  bindError(bind("a -> a", {4}, {}, {{INT64_MAX, 1}}), ErrorCode::Overflow);
  bindError(bind("a -> a", {4}, {}, {{INT64_MIN, 0}}), ErrorCode::Overflow);
  bindError(bind("a b -> a b", {4, 4}, {}, {{1 << 30, 0}, {1 << 30, 0}}), ErrorCode::Overflow);
  bindError(bind("a b -> a b", {4, 4}, {}, {}, {{-(1 << 30), 0}, {-(1 << 30), 0}}),
            ErrorCode::Overflow);
}

TEST(Binding, NegativeWindowsDoTheOpposite) {
  Result<Rearrangement> r = bind("a -> a", {5}, {}, {{-1, 2}}, {{-1, 1}});
  ASSERT_TRUE(bool(r));
  EXPECT_EQ(referenceMap(*r), (std::vector<int64_t>{-1, 1, 2, 3, 4, -1}));
  EXPECT_TRUE(r->needsFill());
  r = bind("a -> a", {5}, {}, {{-1, 0}}, {{0, 1}});
  ASSERT_TRUE(bool(r));
  EXPECT_FALSE(r->needsFill());
  EXPECT_EQ(referenceMap(*r), (std::vector<int64_t>{1, 2, 3}));
  // More may be dropped than there is, as long as as much is added elsewhere.
  r = bind("a -> a", {2}, {}, {{-3, 4}});
  ASSERT_TRUE(bool(r));
  EXPECT_EQ(referenceMap(*r), (std::vector<int64_t>{-1, -1, -1}));
}

TEST(Binding, BindsWhatItPrints) {
  Random random;
  for (int i = 0; i < 4000; ++i) {
    Rearrangement r = random.rearrangement({});
    std::string text = printPattern(r.pattern());
    Result<Pattern> pattern = parsePattern(text);
    ASSERT_TRUE(bool(pattern)) << text;
    ASSERT_EQ(printPattern(*pattern), text);
    Result<Rearrangement> bound = bindPattern(*pattern, r.operandShape, r.sizes(), r.pad, r.crop);
    ASSERT_TRUE(bool(bound)) << describe(r) << "\n" << bound.error().message;
    ASSERT_EQ(*bound, r) << describe(r);
  }
}

TEST(Permutation, GathersDimensions) {
  Result<Rearrangement> r = permutation({2, 3, 5}, {2, 0, 1});
  ASSERT_TRUE(bool(r));
  EXPECT_EQ(r->resultShape(), (std::vector<int64_t>{5, 2, 3}));
  // Element (i, j, k) of the result is element (j, k, i) of the operand.
  EXPECT_EQ(referenceMap(*r)[1 * 6 + 1 * 3 + 2], 1 * 15 + 2 * 5 + 1);
  EXPECT_TRUE(permutation({2, 3}, {0, 1})->isIdentity());
  EXPECT_FALSE(r->isIdentity());
}

TEST(Reference, MovesElementsOfEveryWidth) {
  Result<Rearrangement> r = bind("a b -> b a", {2, 3}, {}, {{0, 0}, {1, 0}});
  ASSERT_TRUE(bool(r));
  std::vector<int64_t> map = referenceMap(*r);
  for (int64_t width : {1, 2, 4, 8, 16}) {
    std::vector<unsigned char> operand(6 * width), result(8 * width), fill(width, 0xee);
    for (size_t i = 0; i < operand.size(); ++i)
      operand[i] = i;
    evaluateReference(*r, width, operand.data(), result.data(), fill.data());
    for (int64_t i = 0; i < 8 * width; ++i) {
      int64_t source = map[i / width];
      EXPECT_EQ(result[i], source < 0 ? 0xee : source * width + i % width);
    }
  }
}
