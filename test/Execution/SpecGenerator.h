// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Random specs that are valid by construction: every operation, layout, mode and
/// element type, ranks 0 to 8, extents 0, 1, primes, powers of two and their
/// neighbours, windows of 0 to 7.

#ifndef RELAYOUT_TEST_EXECUTION_SPECGENERATOR_H
#define RELAYOUT_TEST_EXECUTION_SPECGENERATOR_H

#include "relayout/Spec/Spec.h"

#include <random>

namespace relayout::test {

/// Makes specs from a seed. Equal seeds give equal specs on every system.
class SpecGenerator {
public:
  explicit SpecGenerator(uint64_t seed) : engine(seed) {}

  /// A spec whose operand and result have at most `maxElements` elements.
  Spec make(int64_t maxElements);

  /// Gives one in four specs strides on one side or both: dimensions in any order in
  /// memory with gaps, and some of the operand's with stride 0.
  void addStrides(Spec &spec);

  /// A number in `low` to `high`.
  int64_t pick(int64_t low, int64_t high);

private:
  using Shape = std::vector<int64_t>;

  bool oneIn(int64_t n) { return pick(1, n) == 1; }
  int64_t pickExtent();
  Shape pickShape(int64_t rank);
  Window pickPad(int64_t extent, int64_t divisor);
  Window pickCrop(int64_t extent);
  ElementBits pickBits(const ElementType &type);
  void shuffle(std::vector<int64_t> &values);

  std::vector<int64_t> pickStrides(const Shape &shape);
  Spec attempt();
  void makeDepthSpace(Spec &spec);
  void pickLayouts(Spec &spec, int64_t axes);
  void makeSpaceToBatch(Spec &spec);
  void makeBatchToSpace(Spec &spec);
  void pickBlockShape(Spec &spec, int64_t rank);
  void makePixelShuffle(Spec &spec);
  void makeChannelShuffle(Spec &spec);
  void makeTranspose(Spec &spec);
  void makeRearrange(Spec &spec);

  std::mt19937_64 engine;
};

} // namespace relayout::test

#endif // RELAYOUT_TEST_EXECUTION_SPECGENERATOR_H
