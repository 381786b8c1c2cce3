// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reduce.h"

#include "relayout/Layout/CheckedMath.h"

#include <algorithm>
#include <numeric>
#include <tuple>

using namespace relayout;

/// One more than the largest value of the range's sum.
static int64_t rangeEnd(const Problem &problem, const DigitRange &range) {
  int64_t end = 1;
  for (auto [digit, coefficient] : range.terms)
    end += (problem.digits[digit].extent - 1) * coefficient;
  return end;
}

/// Clamps the bounds to the values that occur, and leaves out the low digits that
/// cannot decide. True if the range always holds.
static bool simplifyRange(const Problem &problem, DigitRange &range) {
  auto &terms = range.terms;
  if (range.low <= 0 && range.high >= rangeEnd(problem, range))
    return true;
  // What a unit divides, low digits below it do not decide.
  auto divide = [&](int64_t unit) {
    range.low = ceilDiv(range.low, unit);
    range.high = ceilDiv(range.high, unit);
    for (auto &term : terms)
      term.second /= unit;
  };
  while (!terms.empty()) {
    divide(terms.back().second);
    bool toEnd = range.high >= rangeEnd(problem, range);
    range.low = std::max<int64_t>(range.low, 0);
    range.high = std::min(range.high, rangeEnd(problem, range));
    int64_t unit = terms.size() > 1 ? terms[terms.size() - 2].second : 0;
    if (unit == 0 || range.low % unit != 0 || (!toEnd && range.high % unit != 0))
      break;
    terms.pop_back();
  }
  return false;
}

/// `offset` plus `count` strides, if it fits.
static std::optional<int64_t> advanced(int64_t offset, int64_t count, int64_t stride) {
  std::optional<int64_t> product = checkedMul(count, stride);
  return product ? checkedAdd(offset, *product) : product;
}

/// Shortens the leading digits of the written ranges to the values that are written.
static bool shrinkToWritten(Problem &problem) {
  bool changed = false;
  for (const DigitRange &range : problem.written) {
    auto [leader, unit] = range.terms.front();
    Digit &digit = problem.digits[leader];
    int64_t low = std::max<int64_t>(floorDiv(range.low, unit), 0);
    int64_t high = std::min(ceilDiv(range.high, unit), digit.extent);
    std::optional<int64_t> in = advanced(problem.inOffset, low, digit.inStride);
    std::optional<int64_t> out = advanced(problem.outOffset, low, digit.outStride);
    if ((low == 0 && high == digit.extent) || !in || !out)
      continue;
    digit.extent = high - low;
    problem.inOffset = *in;
    problem.outOffset = *out;
    for (std::vector<DigitRange> *ranges : {&problem.read, &problem.written})
      for (DigitRange &other : *ranges)
        for (auto [index, coefficient] : other.terms)
          if (index == leader) {
            other.low -= low * coefficient;
            other.high -= low * coefficient;
          }
    changed = true;
  }
  return changed;
}

static bool neverHolds(const Problem &problem, const DigitRange &range) {
  return range.high <= range.low || range.high <= 0 || range.low >= rangeEnd(problem, range);
}

static void simplifyRanges(Problem &problem, std::vector<DigitRange> &ranges) {
  std::vector<DigitRange> kept;
  for (DigitRange &range : ranges)
    if (!simplifyRange(problem, range))
      kept.push_back(std::move(range));
  ranges = std::move(kept);
}

/// Renumbers the digits of the ranges: digit i becomes `newIndex[i]`.
static void renumber(Problem &problem, const std::vector<unsigned> &newIndex) {
  for (std::vector<DigitRange> *ranges : {&problem.read, &problem.written})
    for (DigitRange &range : *ranges)
      for (auto &term : range.terms)
        term.first = newIndex[term.first];
}

/// Drops the digits of extent 1, whose only value is 0.
static void dropUnits(Problem &problem) {
  for (std::vector<DigitRange> *ranges : {&problem.read, &problem.written})
    for (DigitRange &range : *ranges) {
      auto isUnit = [&](auto term) { return problem.digits[term.first].extent == 1; };
      range.terms.erase(std::remove_if(range.terms.begin(), range.terms.end(), isUnit),
                        range.terms.end());
    }
  std::vector<unsigned> newIndex;
  std::vector<Digit> kept;
  for (const Digit &digit : problem.digits) {
    newIndex.push_back(kept.size());
    if (digit.extent != 1)
      kept.push_back(digit);
  }
  problem.digits = std::move(kept);
  renumber(problem, newIndex);
}

static void sortDigits(Problem &problem) {
  std::vector<unsigned> order(problem.digits.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](unsigned i, unsigned j) {
    const Digit &a = problem.digits[i], &b = problem.digits[j];
    return std::make_tuple(-a.outStride, -a.inStride, i) <
           std::make_tuple(-b.outStride, -b.inStride, j);
  });
  std::vector<unsigned> newIndex(order.size());
  std::vector<Digit> sorted;
  for (unsigned i = 0; i < order.size(); ++i) {
    newIndex[order[i]] = i;
    sorted.push_back(problem.digits[order[i]]);
  }
  problem.digits = std::move(sorted);
  renumber(problem, newIndex);
}

/// True if no range tells `high` from the digit `high + 1` below it: it has
/// neither, or both as one digit.
static bool rangesAllowMerge(const Problem &problem, unsigned high) {
  for (const std::vector<DigitRange> *ranges : {&problem.read, &problem.written})
    for (const DigitRange &range : *ranges) {
      int64_t highCoefficient = 0, lowCoefficient = 0;
      for (auto [digit, coefficient] : range.terms) {
        highCoefficient = digit == high ? coefficient : highCoefficient;
        lowCoefficient = digit == high + 1 ? coefficient : lowCoefficient;
      }
      if (highCoefficient != lowCoefficient * problem.digits[high + 1].extent)
        return false;
    }
  return true;
}

/// Makes the digit `high` and the one below it one digit.
static void mergeWithNext(Problem &problem, unsigned high) {
  problem.digits[high + 1].extent *= problem.digits[high].extent;
  for (std::vector<DigitRange> *ranges : {&problem.read, &problem.written})
    for (DigitRange &range : *ranges) {
      auto &terms = range.terms;
      terms.erase(
          std::remove_if(terms.begin(), terms.end(), [&](auto term) { return term.first == high; }),
          terms.end());
      for (auto &term : terms)
        if (term.first > high)
          --term.first;
    }
  problem.digits.erase(problem.digits.begin() + high);
}

static bool mergeDigits(Problem &problem) {
  bool changed = false;
  for (unsigned high = problem.digits.size(); high-- > 0;) {
    if (high + 1 >= problem.digits.size())
      continue;
    const Digit &a = problem.digits[high], &b = problem.digits[high + 1];
    if (checkedMul(b.outStride, b.extent) == a.outStride &&
        checkedMul(b.inStride, b.extent) == a.inStride && rangesAllowMerge(problem, high)) {
      mergeWithNext(problem, high);
      changed = true;
    }
  }
  return changed;
}

static bool rangeLess(const DigitRange &a, const DigitRange &b) {
  return std::tie(a.terms, a.low, a.high) < std::tie(b.terms, b.low, b.high);
}

/// A digit of which only one value is read needs no input stride.
static void dropSingleReads(Problem &problem) {
  for (const DigitRange &range : problem.read)
    if (range.terms.size() == 1 && range.high - range.low == 1) {
      Digit &digit = problem.digits[range.terms[0].first];
      std::optional<int64_t> in = advanced(problem.inOffset, range.low, digit.inStride);
      problem.inOffset = in.value_or(problem.inOffset);
      digit.inStride = in ? 0 : digit.inStride;
    }
}

/// Says in the one canonical way that nothing is read, if some range never holds.
static void canonicalizeFill(Problem &problem) {
  for (const DigitRange &range : problem.read)
    if (neverHolds(problem, range)) {
      for (Digit &digit : problem.digits)
        digit.inStride = 0;
      problem.inOffset = 0;
      problem.read = {{{}, 0, 0}};
      return;
    }
}

void relayout::reduceProblem(Problem &problem) {
  for (const Digit &digit : problem.digits)
    if (digit.extent == 0) {
      int64_t width = problem.width;
      problem = Problem();
      problem.width = width;
      problem.digits = {{0, 1, 1}};
      return;
    }
  bool changed = true;
  while (changed) {
    dropUnits(problem);
    canonicalizeFill(problem);
    simplifyRanges(problem, problem.read);
    simplifyRanges(problem, problem.written);
    dropSingleReads(problem);
    changed = shrinkToWritten(problem);
    sortDigits(problem);
    changed |= mergeDigits(problem);
  }
  std::sort(problem.read.begin(), problem.read.end(), rangeLess);
  std::sort(problem.written.begin(), problem.written.end(), rangeLess);
}
