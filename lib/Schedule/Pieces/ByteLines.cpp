// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Transposes of bytes: a line of each row of the output at a visit, joined in registers with what
/// waits of it (docs/schedules.md, "Lines of bytes joined in registers").

#include "Blocks.h"
#include "Cost/Reading.h"
#include "Pieces.h"

#include "relayout/Support/CacheLine.h"

using namespace relayout;
using namespace relayout::movement;

namespace {

/// `read` bytes of each row of the input that a line of the output is read from.
std::vector<int64_t> tileOfLine(const Problem &problem, int64_t read) {
  std::vector<int64_t> tile(problem.digits.size(), 1);
  tile[contiguousChain(problem, Side::In)[0]] = read;
  tile[contiguousChain(problem, Side::Out)[0]] = kLineBytes;
  return tile;
}

/// A line of each row of the output at a visit, joined in registers, in tiles of `read` bytes of
/// rows of the input, and the rows of a line fetched; what is left of a row waits for what comes
/// along `depth` digits. None where rows evict each other, or without instructions that join bytes.
std::optional<PieceSchedule> joinedLines(const PieceView &view, const TargetInfo &target,
                                         int64_t read, unsigned depth) {
  const Problem &problem = view.problem;
  std::vector<int64_t> tile = tileOfLine(problem, read);
  if (target.isa != VectorISA::AVX512VBMI || evictsPartLines(problem, tile, target))
    return std::nullopt;
  Knobs knobs = defaultKnobs(view, target, ResultHint::Cold);
  std::optional<PieceSchedule> piece =
      carryTile(view, target, knobs, tile, kLineBytes, /*mostBytes=*/0, depth);
  if (piece)
    piece->fetch = *piece->carry + depth;
  return piece;
}

/// Lines of the output's rows from which on those have many.
constexpr int64_t kManyLines = 8;

/// True if the rows that are read are too short for a line of each row of the output at a visit.
/// Shorter ones do where rows lie one after the other on both sides.
bool hasShortReads(const Problem &problem, int64_t read, int64_t written) {
  constexpr int64_t kShortBytes = 200, kLeastBytes = 64, kFewBytes = 96, kLongBytes = 1 << 10;
  if (read < kLeastBytes || read >= kShortBytes)
    return read < kLeastBytes;
  const Digit &columns = problem.digits[contiguousChain(problem, Side::In)[0]];
  const Digit &rows = problem.digits[contiguousChain(problem, Side::Out)[0]];
  bool isImage = rows.inStride == columns.extent && columns.outStride == rows.extent;
  return !isImage || (read < kFewBytes && written >= kLongBytes);
}

} // namespace

std::optional<PieceSchedule> relayout::longByteLines(const PieceView &view,
                                                     const TargetInfo &target) {
  constexpr int64_t kLongBytes = 4 << 10, kRead = 32;
  int64_t read = rowBytes(view.problem, Side::In), written = rowBytes(view.problem, Side::Out);
  if (read < kLongBytes || 2 * read < 3 * written || written < kManyLines * kLineBytes ||
      !readsPartLines(view.problem, tileOfLine(view.problem, kRead)))
    return std::nullopt;
  std::optional<PieceSchedule> piece = joinedLines(view, target, kRead, /*depth=*/1);
  if (piece)
    piece->fetch = piece->stage;
  return piece;
}

std::optional<PieceSchedule> relayout::byteLines(const PieceView &view, const TargetInfo &target) {
  constexpr int64_t kShortBytes = 1 << 10, kLongBytes = 3 << 10, kRead = 16, kFewLines = 4;
  constexpr int64_t kTimes = 4; // of the second cache
  const Problem &problem = view.problem;
  if (!target.memory.losesRows() || !isFromMemory(view) || problem.width != 1 || keepsRuns(view) ||
      view.bytes < kTimes * target.l2Bytes)
    return std::nullopt;
  int64_t read = rowBytes(problem, Side::In), written = rowBytes(problem, Side::Out);
  if (written < kFewLines * kLineBytes || hasShortReads(problem, read, written) ||
      (read >= kLongBytes && written >= kManyLines * kLineBytes))
    return std::nullopt;
  // What is left of short rows does not wait for the next digit's: some of its values go together.
  std::optional<PieceSchedule> piece;
  if (read >= kShortBytes)
    piece = joinedLines(view, target, kRead, /*depth=*/2);
  if (!piece)
    piece = joinedLines(view, target, kRead, /*depth=*/1);
  if (piece && blockCrowdsSecondCache(problem, *piece, target))
    return std::nullopt;
  return piece;
}
