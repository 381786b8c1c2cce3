// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The best schedule of a piece so far, and what is considered in its place.

#ifndef RELAYOUT_LIB_SCHEDULE_BEST_H
#define RELAYOUT_LIB_SCHEDULE_BEST_H

#include "BuildPiece.h"
#include "Cost/CostModel.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace relayout {

/// The best of the candidates so far.
struct Best {
  Best(const PieceView &view, const TargetInfo &target, const Knobs &base)
      : view(view), target(target), knobs(base), piece(buildPiece(view, target, base)),
        prediction(predictPiece(view, piece, target)), considered{piece} {}

  const PieceView &view;
  const TargetInfo &target;
  Knobs knobs;
  PieceSchedule piece;
  Prediction prediction;
  std::vector<PieceSchedule> considered; ///< so far, each once

  void consider(const Knobs &candidate) {
    if (consider(buildPiece(view, target, candidate)))
      knobs = candidate;
  }

  bool consider(PieceSchedule other, double gain = 1.002) {
    if (std::find(considered.begin(), considered.end(), other) != considered.end())
      return false;
    Prediction predicted = predictPiece(view, other, target);
    considered.push_back(other);
    // What comes first is simpler, and no prediction is as exact.
    if (predicted.ratio <= prediction.ratio * gain)
      return false;
    take(std::move(other), predicted);
    return true;
  }

  void take(PieceSchedule other, const Prediction &predicted) {
    piece = std::move(other);
    prediction = predicted;
  }

  bool writesLines() const { return piece.store == StoreMode::NonTemporal; }
};

/// Considers all pieces so far with lines that are read in their order first; none without whole
/// lines in place of one that writes them.
void considerTouched(Best &best);

/// Takes the best of the orders that pack or fetch blocks, whatever is predicted of the best one
/// so far, where that is known to lose to them; for one of `threads`.
void takeBlocks(Best &best, int64_t threads);

/// Considers what puts parts of lines together, where whole lines were wanted and no tile writes
/// them, or they are weak; adds pieces to `wholes` whose digits may be cut into segments.
void considerPartLines(Best &best, const Knobs &base, std::vector<PieceSchedule> &wholes);

} // namespace relayout

#endif // RELAYOUT_LIB_SCHEDULE_BEST_H
