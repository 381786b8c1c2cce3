// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Loops around a tile, placed one outside of the other.

#ifndef RELAYOUT_LIB_SCHEDULE_LOOPBUILDER_H
#define RELAYOUT_LIB_SCHEDULE_LOOPBUILDER_H

#include "Movement.h"
#include "relayout/Schedule/Schedule.h"

namespace relayout {

class LoopBuilder {
public:
  /// Loops inside of which all of `tile` is done.
  LoopBuilder(const Problem &problem, std::vector<int64_t> tile)
      : problem(problem), covered(std::move(tile)) {}

  /// Places a loop over `d` up to `values` values, unless so many are covered.
  void place(unsigned d, int64_t values);

  /// Places loops over all that is left, in the order of the output.
  void placeRest();

  bool isDone(unsigned d) const { return covered[d] >= problem.digits[d].extent; }

  /// Values of each digit inside of the loops so far.
  const std::vector<int64_t> &box() const { return covered; }

  size_t size() const { return placed.size(); }

  /// The loops, outermost first.
  std::vector<Loop> loops() const { return {placed.rbegin(), placed.rend()}; }

  /// How many loops are outside of the first `inner` that were placed.
  unsigned outside(size_t inner) const { return static_cast<unsigned>(placed.size() - inner); }

private:
  const Problem &problem;
  std::vector<int64_t> covered;
  std::vector<Loop> placed; ///< innermost first
};

/// The first `depth` digits in the order of the output along which runs go on from `box` to the
/// next one; none if there are fewer.
std::optional<std::vector<unsigned>> digitsAlong(const Problem &problem,
                                                 const std::vector<int64_t> &box, unsigned depth);

} // namespace relayout

#endif // RELAYOUT_LIB_SCHEDULE_LOOPBUILDER_H
