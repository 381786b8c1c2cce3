// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Random.h"

#include "relayout/Layout/CheckedMath.h"
#include "relayout/Layout/Reference.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <sstream>

using namespace relayout;
using namespace relayout::test;

Random::Random() {
  const char *given = std::getenv("RELAYOUT_TEST_SEED");
  uint64_t seed = given ? std::strtoull(given, nullptr, 10) : std::random_device()();
  std::cout << "RELAYOUT_TEST_SEED=" << seed << std::endl;
  engine.seed(seed);
}

int64_t Random::between(int64_t low, int64_t high) {
  return std::uniform_int_distribution<int64_t>(low, high)(engine);
}

std::vector<int64_t> Random::shape(const Options &options) {
  static const std::vector<int64_t> extents = {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 15, 16, 17, 31};
  std::vector<int64_t> shape(between(0, 8));
  do {
    for (int64_t &extent : shape)
      extent = extents[between(0, chance(80) ? 5 : extents.size() - 1)];
  } while (*checkedProduct(shape) > options.maxElements);
  if (options.zeroExtents && !shape.empty() && chance(5))
    shape[between(0, shape.size() - 1)] = 0;
  return shape;
}

Window Random::window(int64_t extent, bool narrows) {
  if (chance(50))
    return {};
  int64_t sign = narrows ? -1 : 1; // of a number that makes the dimension longer
  int64_t low = between(-3, 7), high = between(-3, 7);
  if (chance(30))
    low = 0;
  if (extent + low + high < 0)
    high = -low;
  return {sign * low, sign * high};
}

/// Splits `extent` into one to three factors.
static std::vector<int64_t> factors(Random &random, int64_t extent) {
  if (extent == 0)
    return random.chance(50) ? std::vector<int64_t>{0} : std::vector<int64_t>{0, 3};
  std::vector<int64_t> parts;
  while (parts.size() < 2 && random.chance(50)) {
    int64_t part = random.between(1, extent);
    while (extent % part != 0)
      --part;
    parts.push_back(part);
    extent /= part;
  }
  parts.push_back(extent);
  return parts;
}

Rearrangement Random::candidate(const std::vector<int64_t> &shape, const Options &options) {
  Rearrangement r;
  r.operandShape = shape;
  bool windows = options.windows && chance(60);
  for (int64_t extent : shape) {
    r.pad.push_back(windows && chance(40) ? window(extent, false) : Window{});
    int64_t padded = extent + r.pad.back().low + r.pad.back().high;
    r.operandGroups.emplace_back();
    if (padded == 1 && chance(50))
      continue;
    for (int64_t part : factors(*this, padded)) {
      r.operandGroups.back().push_back(r.digits.size());
      r.digits.push_back({"x" + std::to_string(r.digits.size()), part});
    }
  }
  std::vector<unsigned> order(r.digits.size());
  std::iota(order.begin(), order.end(), 0);
  if (chance(80)) // otherwise a reshape: digits keep their order
    for (size_t swaps = between(1, 4); swaps-- > 0 && order.size() > 1;)
      std::swap(order[between(0, order.size() - 1)], order[between(0, order.size() - 1)]);
  if (!order.empty() || chance(50))
    r.resultGroups.resize(1);
  for (unsigned digit : order) {
    while (r.resultGroups.size() < 8 && chance(60))
      r.resultGroups.emplace_back();
    r.resultGroups.back().push_back(digit);
  }
  for (int64_t extent : r.mergedShape())
    r.crop.push_back(windows && chance(40) ? window(extent, true) : Window{});
  return r;
}

static int64_t count(const std::vector<int64_t> &shape) {
  return checkedProduct(shape).value_or(INT64_MAX);
}

Rearrangement Random::rearrangement(const std::vector<int64_t> &shape, const Options &options) {
  while (true) {
    Rearrangement r = candidate(shape, options);
    if (r.verify() && count(r.paddedShape()) <= options.maxElements &&
        count(r.resultShape()) <= options.maxElements)
      return r;
  }
}

Rearrangement Random::hugeRearrangement() {
  auto amount = [&] {
    int64_t size = int64_t(1) << between(0, chance(80) ? 12 : 62);
    return between(-1, 1) + (chance(50) ? size : between(0, size));
  };
  auto window = [&] { return chance(70) ? Window{} : Window{amount(), -amount()}; };
  Rearrangement r;
  for (size_t dim = between(0, 6); dim-- > 0;) {
    std::vector<int64_t> extents(between(1, 2));
    r.operandGroups.emplace_back();
    for (int64_t &extent : extents) {
      extent = amount();
      r.operandGroups.back().push_back(r.digits.size());
      r.digits.push_back({"x" + std::to_string(r.digits.size()), extent});
    }
    r.pad.push_back(window());
    int64_t shape = checkedProduct(extents).value_or(-1);
    for (int64_t added : {r.pad.back().low, r.pad.back().high})
      shape = checkedAdd(shape, -added).value_or(-1);
    r.operandShape.push_back(shape);
  }
  std::vector<unsigned> order(r.digits.size());
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), engine);
  for (unsigned digit : order) {
    if (r.resultGroups.empty() || chance(60))
      r.resultGroups.emplace_back();
    r.resultGroups.back().push_back(digit);
  }
  for (size_t dim = 0; dim < r.resultGroups.size(); ++dim)
    r.crop.push_back(window());
  return r;
}

Rearrangement Random::refined(const Rearrangement &r) {
  Rearrangement fine = r;
  for (unsigned digit = 0; digit < r.digits.size(); ++digit) {
    int64_t extent = r.digits[digit].extent;
    if (extent == 0 || chance(50) || fine.digits.size() + 1 > kMaxDigits)
      continue;
    int64_t low = between(1, extent);
    while (extent % low != 0)
      --low;
    unsigned minor = fine.digits.size();
    fine.digits[digit].extent = extent / low;
    fine.digits.push_back({"y" + std::to_string(minor), low});
    for (auto *groups : {&fine.operandGroups, &fine.resultGroups})
      for (auto &group : *groups)
        if (auto at = std::find(group.begin(), group.end(), digit); at != group.end())
          group.insert(at + 1, minor);
  }
  return fine;
}

std::vector<int64_t> Random::strides(const std::vector<int64_t> &shape) {
  std::vector<unsigned> order(shape.size());
  std::iota(order.begin(), order.end(), 0);
  if (chance(50))
    std::shuffle(order.begin(), order.end(), engine);
  std::vector<int64_t> strides(shape.size());
  int64_t next = chance(70) ? 1 : between(2, 3);
  for (size_t i = order.size(); i-- > 0;) {
    strides[order[i]] = next;
    next *= std::max<int64_t>(shape[order[i]], 1);
    if (chance(20))
      next += between(1, 3);
  }
  return strides;
}

std::vector<int64_t> relayout::test::oneAfterAnother(const Rearrangement &first,
                                                     const Rearrangement &second) {
  std::vector<int64_t> inner = referenceMap(first), map = referenceMap(second);
  for (int64_t &source : map)
    source = source < 0 ? -1 : inner[source];
  return map;
}

std::string relayout::test::describe(const Rearrangement &r) {
  std::ostringstream out;
  out << "shape";
  for (int64_t extent : r.operandShape)
    out << " " << extent;
  out << ": " << printPattern(r.pattern());
  for (const auto &digit : r.digits)
    out << " " << digit.name << "=" << digit.extent;
  for (const auto *windows : {&r.pad, &r.crop}) {
    out << (windows == &r.pad ? " pad" : " crop");
    for (const Window &window : *windows)
      out << " " << window.low << ":" << window.high;
  }
  return out.str();
}
