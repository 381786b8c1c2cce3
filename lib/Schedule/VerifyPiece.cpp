// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Whether the schedule of one piece can perform it, but for its windows.

#include "VerifyPiece.h"
#include "Movement.h"
#include "ScheduleError.h"
#include "relayout/Layout/CheckedMath.h"
#include "relayout/Support/CacheLine.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace relayout;
using movement::kMaxStagedWidth;
using movement::saturatingMul;

namespace {

/// Keeps addresses within 64 bits, with room to spare.
constexpr int64_t kMaxPrefetch = int64_t(1) << 40;

/// A call needs as much scratch memory for each thread.
constexpr int64_t kMaxStagedBytes = int64_t(1) << 23;

Status verifyTile(const PieceSchedule &piece, const Problem &problem) {
  if (piece.tile.size() != problem.digits.size())
    return scheduleError("expects a tile of " + std::to_string(problem.digits.size()) +
                         " extents, one for each digit, but got " +
                         std::to_string(piece.tile.size()));
  for (size_t d = 0; d < piece.tile.size(); ++d)
    if (piece.tile[d] < 1 || piece.tile[d] > problem.digits[d].extent)
      return scheduleError("expects the tile's extent of d" + std::to_string(d) + " in 1 to " +
                           std::to_string(problem.digits[d].extent) + ", but got " +
                           std::to_string(piece.tile[d]));
  std::optional<int64_t> elements = checkedProduct(piece.tile);
  if (!elements || *elements > kMaxTileElements)
    return scheduleError("expects a tile of at most " + std::to_string(kMaxTileElements) +
                         " elements, but got " + (elements ? std::to_string(*elements) : "more"));
  return Status::success();
}

/// At most one loop over each digit is over segments, and those are made of whole steps.
Status verifySegments(const PieceSchedule &piece, const Problem &problem) {
  for (unsigned d = 0; d < problem.digits.size(); ++d) {
    std::optional<size_t> segments = segmentLoop(piece.loops, d);
    if (!segments)
      continue;
    size_t outermost = 0;
    while (piece.loops[outermost].digit != d)
      ++outermost;
    int64_t step = piece.loops[outermost].step;
    if (piece.loops[*segments].step % step != 0)
      return scheduleError("expects segments of a multiple of " + std::to_string(step) +
                           " values, the step of the outermost loop over d" + std::to_string(d) +
                           ", but got " + std::to_string(piece.loops[*segments].step));
    for (size_t i = *segments + 1; i < piece.loops.size(); ++i)
      if (piece.loops[i].digit == d && isOverSegments(piece.loops, i))
        return scheduleError("expects at most one loop over segments of d" + std::to_string(d));
    for (std::optional<unsigned> border : {piece.stage, piece.carry})
      if (border && (outermost < *border) != (*segments < *border))
        return scheduleError("expects a stage and a carry outside or inside of all loops over the "
                             "segments of d" +
                             std::to_string(d));
  }
  return Status::success();
}

/// Where runs go on from block to block, those of a segment are visited by one loop: its ends are
/// known by how far that is in the segment.
Status verifyCarriedSegments(const PieceSchedule &piece, const Problem &problem) {
  size_t stage = std::min<size_t>(piece.stage.value_or(0), piece.loops.size());
  for (unsigned d = 0; piece.carry && d < problem.digits.size(); ++d) {
    std::optional<size_t> segments = segmentLoop(piece.loops, d);
    for (size_t i = segments.value_or(stage) + 1; i < stage; ++i)
      if (piece.loops[i].digit == d)
        return scheduleError("expects no loop over d" + std::to_string(d) +
                             " between its segments and the stage beside a carry");
  }
  return Status::success();
}

/// From the innermost loop outwards, each step over a digit is a larger multiple of
/// the one before, but for segments; the first is the tile's extent.
Status verifyLoops(const PieceSchedule &piece, const Problem &problem) {
  std::vector<int64_t> inner(problem.digits.size(), 0);
  for (size_t i = piece.loops.size(); i-- > 0;) {
    Loop loop = piece.loops[i];
    std::string name = "d" + std::to_string(loop.digit);
    if (loop.digit >= problem.digits.size())
      return scheduleError("expects loops over d0 to d" +
                           std::to_string(problem.digits.size() - 1) + ", but got " + name);
    int64_t extent = problem.digits[loop.digit].extent;
    if (loop.step > extent)
      return scheduleError("expects a loop over " + name + " to advance by at most " +
                           std::to_string(extent) + ", but got " + std::to_string(loop.step));
    if (isOverSegments(piece.loops, i))
      continue;
    int64_t &previous = inner[loop.digit];
    if (previous == 0 && loop.step != piece.tile[loop.digit])
      return scheduleError("expects the innermost loop over " + name + " to advance by " +
                           std::to_string(piece.tile[loop.digit]) + " as the tile, but got " +
                           std::to_string(loop.step));
    if (previous != 0 && (loop.step <= previous || loop.step % previous != 0))
      return scheduleError("expects a loop over " + name + " to advance by a larger multiple of " +
                           std::to_string(previous) + ", the step of the next inner one, but got " +
                           std::to_string(loop.step));
    previous = loop.step;
  }
  for (size_t d = 0; d < inner.size(); ++d)
    if (inner[d] == 0 && piece.tile[d] != problem.digits[d].extent)
      return scheduleError("expects a loop over d" + std::to_string(d) +
                           ", of which the tile covers " + std::to_string(piece.tile[d]) + " of " +
                           std::to_string(problem.digits[d].extent) + " values");
  if (Status status = verifySegments(piece, problem); !status)
    return status;
  return verifyCarriedSegments(piece, problem);
}

/// What a visit leaves of its last line goes on along runs that have whole lines, and only
/// stores past the caches gain by it.
Status verifyCarry(const PieceSchedule &piece, int64_t runBytes) {
  if (*piece.carry > *piece.stage)
    return scheduleError("expects a carry of 0 to " + std::to_string(*piece.stage) +
                         ", the stage, but got " + std::to_string(*piece.carry));
  if (piece.store != StoreMode::NonTemporal)
    return scheduleError("expects store=nontemporal beside a carry, but got store=ordinary");
  if (runBytes < kLineBytes)
    return scheduleError("expects a stage whose runs have at least " + std::to_string(kLineBytes) +
                         " bytes, a line, beside a carry, but they have " +
                         std::to_string(runBytes));
  return Status::success();
}

Status verifyStage(const PieceSchedule &piece, const Problem &problem, const TargetInfo &target) {
  if (*piece.stage > piece.loops.size())
    return scheduleError("expects a stage of 0 to " + std::to_string(piece.loops.size()) +
                         ", the number of loops, but got " + std::to_string(*piece.stage));
  bool isWritten = !movement::contiguousChain(problem, movement::Side::Out).empty();
  if (piece.vectorBytes == 0 || problem.width > kMaxStagedWidth || !isWritten)
    return scheduleError("expects vectors, elements of at most " + std::to_string(kMaxStagedWidth) +
                         " bytes and an output with contiguous runs for a stage");
  if (piece.store == StoreMode::Prefetch ||
      (piece.store == StoreMode::NonTemporal && !target.nonTemporal))
    return scheduleError("expects store=ordinary, or nontemporal where the target has such "
                         "stores, for a stage");
  StagedBlock block = stagedBlock(problem, piece);
  if (piece.carry) {
    int64_t runBytes = saturatingMul(block.run, problem.width);
    if (Status status = verifyCarry(piece, runBytes); !status)
      return status;
  }
  int64_t elements = block.elements;
  if (elements > kMaxStagedBytes / problem.width)
    return scheduleError("expects a stage of at most " + std::to_string(kMaxStagedBytes) +
                         " bytes, but got " + std::to_string(elements) + " elements of " +
                         std::to_string(problem.width));
  return Status::success();
}

/// A block that is read in an order of its own, by what `name` says, lies between loops that
/// advance and loops that move it.
Status verifyBlock(const PieceSchedule &piece, const std::string &name, unsigned depth) {
  auto loops = static_cast<int64_t>(piece.loops.size());
  // Loops that leave a staged block to its tiles are inside of it.
  int64_t last = piece.stage ? static_cast<int64_t>(*piece.stage) : loops - 1;
  if (last < 1)
    return scheduleError("expects a loop outside of a " + name +
                         " and a loop or a stage inside of it, but the piece has " +
                         std::to_string(loops) + (loops == 1 ? " loop" : " loops") +
                         (piece.stage ? " and stage=0" : "") + ", which leaves no place for it");
  if (depth < 1 || depth > last)
    return scheduleError("expects a " + name + " of 1 to " + std::to_string(last) +
                         ", loops outside of it and inside of it or a stage, but got " +
                         std::to_string(depth));
  for (size_t i = 0; i < piece.loops.size(); ++i)
    if (isOverSegments(piece.loops, i))
      return scheduleError("expects no loops over segments beside a " + name);
  return Status::success();
}

Status verifyTouch(const PieceSchedule &piece, const Problem &problem) {
  if (Status status = verifyBlock(piece, "touch", *piece.touch); !status)
    return status;
  std::vector<int64_t> block = valuesWithin(problem, piece.loops, *piece.touch);
  int64_t run = movement::contiguousRun(problem, block, movement::Side::In);
  int64_t elements = checkedProduct(block).value_or(0);
  if (run != elements || !problem.read.empty())
    return scheduleError("expects blocks that are one stretch of the input without a border for a "
                         "touch, but of " +
                         std::to_string(elements) + " elements " + std::to_string(run) +
                         " lie side by side");
  return Status::success();
}

/// Blocks that tiles move from scratch memory, which nothing reads but for what copies them there.
Status verifyPack(const PieceSchedule &piece, const Problem &problem) {
  if (Status status = verifyBlock(piece, "pack", *piece.pack); !status)
    return status;
  bool isFromInput = piece.carry && stagedBlock(problem, piece).fromInput;
  if (piece.vectorBytes == 0 || problem.width > kMaxStagedWidth || !problem.read.empty() ||
      piece.prefetch != 0 || piece.touch || isFromInput)
    return scheduleError("expects vectors, elements of at most " + std::to_string(kMaxStagedWidth) +
                         " bytes, and no border, prefetch, touch or runs straight from the input "
                         "beside a pack");
  int64_t elements = packedBlock(problem, piece).elements;
  if (elements > kMaxStagedBytes / problem.width)
    return scheduleError("expects a pack of at most " + std::to_string(kMaxStagedBytes) +
                         " bytes, but got " + std::to_string(elements) + " elements of " +
                         std::to_string(problem.width));
  return Status::success();
}

/// Only what was fetched into the second cache can come from there to the first, of tiles that read
/// the input itself.
Status verifyNear(const PieceSchedule &piece, const Problem &problem) {
  bool isFromInput = piece.carry && stagedBlock(problem, piece).fromInput;
  if (piece.near > kMaxPrefetch || !piece.fetch || piece.pack || !problem.read.empty() ||
      isFromInput)
    return scheduleError("expects at most " + std::to_string(kMaxPrefetch) +
                         " elements to be near, of blocks that are fetched, and no border, pack "
                         "or runs straight from the input beside them");
  return Status::success();
}

Status verifyStores(const PieceSchedule &piece, const Problem &problem, const TargetInfo &target) {
  int64_t bytes = piece.vectorBytes;
  if (bytes != 0 &&
      (!llvm::isPowerOf2_64(bytes) || bytes < problem.width || bytes > target.vectorBytes))
    return scheduleError(
        "expects vectors of 0 (scalar) or a power of 2 from " + std::to_string(problem.width) +
        " to " + std::to_string(target.vectorBytes) + " bytes, but got " + std::to_string(bytes));
  if (piece.prefetch < 0 || piece.prefetch > kMaxPrefetch)
    return scheduleError("expects a prefetch of 0 to " + std::to_string(kMaxPrefetch) +
                         " elements ahead, but got " + std::to_string(piece.prefetch));
  if (piece.cache < 1 || piece.cache > 2)
    return scheduleError("expects a cache of 1 or 2 to prefetch into, but got " +
                         std::to_string(piece.cache));
  if (piece.fetch)
    if (Status status = verifyBlock(piece, "fetch", *piece.fetch); !status)
      return status;
  if (piece.store == StoreMode::Prefetch && !target.prefetchWrite)
    return scheduleError("expects a target that can prefetch for write; store=ordinary is "
                         "possible");
  if (piece.stage)
    return verifyStage(piece, problem, target);
  if (piece.carry)
    return scheduleError("expects a stage beside a carry");
  if (piece.store != StoreMode::NonTemporal)
    return Status::success();
  if (!target.nonTemporal || bytes == 0)
    return scheduleError("expects a target with non-temporal stores, and vectors, for "
                         "store=nontemporal; store=ordinary is possible");
  if (!movement::writesWholeLines(problem, piece.tile))
    return scheduleError("expects a tile that writes whole lines of " + std::to_string(kLineBytes) +
                         " bytes wherever it stands, for store=nontemporal; store=ordinary is "
                         "possible");
  return Status::success();
}

} // namespace

Status relayout::verifyPiece(const PieceSchedule &piece, const Problem &problem, bool fills,
                             const TargetInfo &target) {
  if (Status status = verifyTile(piece, problem); !status)
    return status;
  if (Status status = verifyLoops(piece, problem); !status)
    return status;
  if (Status status = verifyWindows(piece, problem); !status)
    return status;
  Status status = verifyStores(piece, problem, target);
  if (status && piece.touch && !fills)
    status = verifyTouch(piece, problem);
  if (status && piece.pack && !fills)
    status = verifyPack(piece, problem);
  if (status && piece.near != 0 && !fills)
    status = verifyNear(piece, problem);
  return status;
}
