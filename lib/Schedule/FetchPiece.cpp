// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Orders that fetch blocks of the input into the second cache: for tiles that read short rows, or
/// rows that evict each other's lines.

#include "Candidates.h"

#include <algorithm>

using namespace relayout;
using namespace relayout::movement;

namespace {

/// True if `piece`, whose tiles read several rows, loses what is read ahead: at the ends of short
/// runs, or where rows meet in few sets of the first cache. Where the output's rows are short, too,
/// an order with long runs is as good as one that fetches (docs/performance.md, "Blocks fetched").
bool losesReads(const PieceView &view, const PieceSchedule &piece, const Reading &reading,
                const TargetInfo &target) {
  constexpr int64_t kShortRunBytes = 4 << 10, kLongRowBytes = 512;
  const Problem &problem = view.problem;
  if (reading.ofTile < 2)
    return false;
  unsigned inner = contiguousChain(problem, Side::Out)[0];
  int64_t row = saturatingMul(problem.digits[inner].extent, problem.width);
  double ahead = 1 + static_cast<double>(target.memory.linesAhead);
  bool isCrowded =
      linesPerWay(problem, piece, reading, target) * ahead > static_cast<double>(target.l1Ways);
  bool isShort = reading.jump != 0 && saturatingMul(reading.row, problem.width) < kShortRunBytes;
  return isShort || (isCrowded && row >= kLongRowBytes);
}

} // namespace

std::vector<Knobs> relayout::fetchKnobs(const PieceView &view, const TargetInfo &target,
                                        const PieceSchedule &piece, const Knobs &base) {
  constexpr double kTileBytes = 16 << 10, kLeastBytes = 512, kMostRows = 64;
  std::vector<Knobs> all;
  if (!target.memory.fetches || view.fill || !view.outOfCache ||
      piece.store != StoreMode::NonTemporal)
    return all;
  Reading reading = readingOf(view.problem, piece);
  if (!losesReads(view, piece, reading, target))
    return all;
  for (int64_t lines : {1, 2, 4}) {
    // More rows than the first TLB has entries for are slower.
    if (lines > 1 && static_cast<double>(lines) * reading.ofTile > kMostRows)
      continue;
    all.push_back(base);
    all.back().outBytes = target.lineBytes;
    all.back().visitBytes = lines * target.lineBytes;
    all.back().fetchBytes =
        static_cast<int64_t>(std::max(kLeastBytes, kTileBytes / reading.ofTile));
  }
  return all;
}
