// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//
/// \file
/// Random rearrangements for property tests. The seed is printed, and taken from
/// the environment variable RELAYOUT_TEST_SEED if it is set.

#ifndef RELAYOUT_TEST_UNIT_LAYOUT_RANDOM_H
#define RELAYOUT_TEST_UNIT_LAYOUT_RANDOM_H

#include "relayout/Layout/Rearrangement.h"

#include <random>

namespace relayout::test {

/// What a random rearrangement may have.
struct Options {
  bool windows = true;
  bool zeroExtents = true;
  int64_t maxElements = 3000; ///< of each side and of the digits
};

class Random {
public:
  /// Prints the seed.
  Random();

  int64_t between(int64_t low, int64_t high);
  bool chance(int percent) { return between(1, 100) <= percent; }

  /// A shape of rank 0 to 8 with extents 0, 1, primes, 2^k and 2^k +- 1.
  std::vector<int64_t> shape(const Options &options);
  /// A rearrangement of a tensor of `shape`; it verifies.
  Rearrangement rearrangement(const std::vector<int64_t> &shape, const Options &options);
  Rearrangement rearrangement(const Options &options) {
    return rearrangement(shape(options), options);
  }
  /// Sizes and windows up to the limits; it need not verify.
  Rearrangement hugeRearrangement();
  /// The same function with digits split, and digits of extent 1 put in.
  Rearrangement refined(const Rearrangement &r);
  /// Strides that keep the elements of `shape` apart, with gaps and in any order.
  std::vector<int64_t> strides(const std::vector<int64_t> &shape);

private:
  Rearrangement candidate(const std::vector<int64_t> &shape, const Options &options);
  Window window(int64_t extent, bool narrows);

  std::mt19937_64 engine;
};

/// `first`, then `second`, element by element: operand indices or -1.
std::vector<int64_t> oneAfterAnother(const Rearrangement &first, const Rearrangement &second);

/// For messages.
std::string describe(const Rearrangement &r);

} // namespace relayout::test

#endif // RELAYOUT_TEST_UNIT_LAYOUT_RANDOM_H
