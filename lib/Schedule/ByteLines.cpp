// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Transposes of bytes whose rows start anywhere in a line: a line of each row of the output at a
/// visit, joined in registers with what waits of it (docs/schedules.md, "Lines of bytes joined in
/// registers").

#include "Blocks.h"
#include "Pieces.h"
#include "Reading.h"

#include <algorithm>

using namespace relayout;
using namespace relayout::movement;

namespace {

/// A line of each row of the output at a visit, joined in registers, in tiles of `read` bytes of
/// rows of the input that start within lines, and do not evict each other; none if they do.
std::optional<PieceSchedule> joinedLines(const PieceView &view, const TargetInfo &target,
                                         int64_t read) {
  const Problem &problem = view.problem;
  unsigned in = contiguousChain(problem, Side::In)[0];
  unsigned out = contiguousChain(problem, Side::Out)[0];
  std::vector<int64_t> tile(problem.digits.size(), 1);
  tile[in] = std::min(problem.digits[in].extent, read);
  tile[out] = std::min(problem.digits[out].extent, target.lineBytes);
  if (target.isa != VectorISA::AVX512VBMI || tile[out] < target.lineBytes ||
      !readsPartLines(problem, tile, target.lineBytes) || evictsPartLines(problem, tile, target))
    return std::nullopt;
  Knobs knobs = defaultKnobs(view, target, ResultHint::Cold);
  return carryTile(view, target, knobs, tile, target.lineBytes, /*mostBytes=*/0);
}

/// Lines of the output's rows from which on those have many.
constexpr int64_t kManyLines = 8;

} // namespace

std::optional<PieceSchedule> relayout::longByteLines(const PieceView &view,
                                                     const TargetInfo &target) {
  constexpr int64_t kLongBytes = 4 << 10, kRead = 32;
  const Problem &problem = view.problem;
  int64_t read = rowBytes(problem, Side::In), written = rowBytes(problem, Side::Out);
  unsigned out = contiguousChain(problem, Side::Out)[0];
  if (read < kLongBytes || 2 * read < 3 * written ||
      problem.digits[out].extent < kManyLines * target.lineBytes)
    return std::nullopt;
  std::optional<PieceSchedule> piece = joinedLines(view, target, kRead);
  if (piece)
    piece->fetch = piece->stage;
  return piece;
}

std::optional<PieceSchedule> relayout::byteLines(const PieceView &view, const TargetInfo &target) {
  constexpr int64_t kShortBytes = 200, kLongBytes = 3 << 10, kRead = 16, kFewLines = 4, kShare = 4;
  constexpr int64_t kTimes = 4; // of the second cache
  const Problem &problem = view.problem;
  if (!target.memory.losesRows() || !isFromMemory(view) || problem.width != 1 || keepsRuns(view) ||
      contiguousChain(problem, Side::In).empty() || view.bytes < kTimes * target.l2Bytes)
    return std::nullopt;
  unsigned in = contiguousChain(problem, Side::In)[0];
  int64_t read = rowBytes(problem, Side::In);
  int64_t written = problem.digits[contiguousChain(problem, Side::Out)[0]].extent;
  if (problem.digits[in].extent < kRead || read < kShortBytes ||
      written < kFewLines * target.lineBytes ||
      (read >= kLongBytes && written >= kManyLines * target.lineBytes))
    return std::nullopt;
  std::optional<PieceSchedule> piece = joinedLines(view, target, kRead);
  if (!piece)
    return piece;
  piece->fetch = *piece->carry + 1;
  bool fits = blockBytes(problem, *piece, *piece->fetch) <= target.l2Bytes / kShare;
  return fits && !blockCrowdsSecondCache(problem, *piece, target) ? piece : std::nullopt;
}
