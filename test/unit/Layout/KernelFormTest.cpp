// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Random.h"

#include "relayout/Layout/KernelForm.h"
#include "relayout/Layout/Reference.h"

#include "gtest/gtest.h"

#include <cstring>
#include <limits>

using namespace relayout;
using namespace relayout::test;

namespace {

constexpr int64_t kWhole = 16, kPart = 8;
using Bytes = std::vector<unsigned char>;

Rearrangement bind(const char *pattern, const std::vector<int64_t> &shape,
                   const std::vector<Window> &pad = {}) {
  Result<Rearrangement> bound = bindPattern(*parsePattern(pattern), shape, {}, pad);
  EXPECT_TRUE(bool(bound)) << (bound ? "" : bound.error().message);
  return bound.take();
}

int64_t elementsOf(const std::vector<int64_t> &shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

/// 16 bytes of fill.
Bytes fillOf(uint64_t low, uint64_t high) {
  Bytes fill(kWhole);
  std::memcpy(fill.data(), &low, kPart);
  std::memcpy(fill.data() + kPart, &high, kPart);
  return fill;
}

} // namespace

TEST(KernelForm, PartsAreMovedAsTheirElementsAre) {
  Random random;
  for (int i = 0; i < 1500; ++i) {
    Options options;
    options.maxElements = 300;
    Rearrangement r = random.rearrangement(options);
    Bytes fill = fillOf(0x0123456789abcdef, 0x0123456789abcdef);
    KernelForm form = kernelForm(r, kWhole, fill.data());
    ASSERT_EQ(form.parts, 2) << describe(r);
    ASSERT_EQ(form.width, kPart);
    ASSERT_TRUE(bool(form.rearrangement.verify())) << describe(form.rearrangement);
    Bytes in(elementsOf(r.operandShape) * kWhole);
    for (unsigned char &byte : in)
      byte = random.between(0, 255);
    Bytes wanted(elementsOf(r.resultShape()) * kWhole), moved(wanted.size());
    evaluateReference(r, kWhole, in.data(), wanted.data(), fill.data());
    evaluateReference(form.rearrangement, form.width, in.data(), moved.data(), fill.data());
    ASSERT_EQ(moved, wanted) << describe(r);
  }
}

TEST(KernelForm, OtherWidthsStayWhole) {
  for (int64_t width : {1, 2, 4, 8}) {
    KernelForm form = kernelForm(bind("a b -> b a", {3, 5}), width, nullptr);
    EXPECT_EQ(form.parts, 1);
    EXPECT_EQ(form.width, width);
    EXPECT_EQ(form.rearrangement, bind("a b -> b a", {3, 5}));
  }
}

TEST(KernelForm, OneFillValueIsEnough) {
  Rearrangement padded = bind("a b -> b a", {3, 5}, {{1, 0}, {0, 2}});
  EXPECT_EQ(kernelForm(padded, kWhole, nullptr).parts, 2);
  EXPECT_EQ(kernelForm(padded, kWhole, fillOf(7, 7).data()).parts, 2);
  EXPECT_EQ(kernelForm(padded, kWhole, fillOf(7, 0).data()).parts, 1);
  // Nothing is filled.
  EXPECT_EQ(kernelForm(bind("a b -> b a", {3, 5}), kWhole, fillOf(7, 0).data()).parts, 2);
}

TEST(KernelForm, TheHighestRankStaysWhole) {
  std::vector<int64_t> shape(kMaxRank, 1);
  shape[0] = 3, shape[1] = 5;
  EXPECT_EQ(kernelForm(identityRearrangement(shape), kWhole, nullptr).parts, 1);
  shape.pop_back();
  EXPECT_EQ(kernelForm(identityRearrangement(shape), kWhole, nullptr).parts, 2);
}

TEST(KernelForm, NamesStayDistinct) {
  KernelForm form = kernelForm(bind("part part_ -> part_ part", {3, 5}), kWhole, nullptr);
  EXPECT_EQ(printPattern(form.rearrangement.pattern()), "part part_ part__ -> part_ part part__");
}

TEST(KernelForm, ProblemsCountParts) {
  Rearrangement r = bind("a b -> b a", {3, 5});
  Result<Problem> problem = buildKernelProblem(r, kWhole, nullptr, {20, 3}, {7, 2});
  ASSERT_TRUE(bool(problem)) << problem.error().message;
  EXPECT_EQ(problem->str(), "w8 [5:6:14 3:40:4 2:1:1]");
  problem = buildKernelProblem(identityRearrangement({3, 5}), kWhole, nullptr);
  ASSERT_TRUE(bool(problem)) << problem.error().message;
  EXPECT_EQ(problem->str(), "w8 [30:1:1]");
  EXPECT_EQ(buildKernelProblem(r, 4, nullptr)->str(), "w4 [5:1:3 3:5:1]");
}

TEST(KernelForm, ErrorsSpeakOfElements) {
  Rearrangement r = bind("a b -> b a", {3, 5});
  Result<Problem> problem = buildKernelProblem(r, kWhole, nullptr, {-20, 3}, {7, 2});
  ASSERT_FALSE(bool(problem));
  EXPECT_EQ(problem.error().message,
            "expects strides of 0 or more, but that of dimension 0 of the operand is -20");
}

TEST(KernelForm, StridesOfOneValueCountForNothing) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  Result<Problem> problem =
      buildKernelProblem(identityRearrangement({1, 5}), kWhole, nullptr, {kMost, 3}, {5, 1});
  ASSERT_TRUE(bool(problem)) << problem.error().message;
  EXPECT_EQ(problem->str(), "w8 [5:6:2 2:1:1]");
}
