// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Whether a schedule can perform a problem on a target: everything that a user may pin.

#include "Movement.h"
#include "VerifyPiece.h"
#include "relayout/Layout/CheckedMath.h"
#include "relayout/Schedule/Schedule.h"
#include "relayout/Support/CacheLine.h"

#include <algorithm>

using namespace relayout;
using movement::kMaxStagedWidth;
using movement::saturatingMul;

namespace {

/// Keeps addresses within 64 bits, with room to spare.
constexpr int64_t kMaxPrefetch = int64_t(1) << 40;

/// A call needs as much scratch memory for each thread.
constexpr int64_t kMaxStagedBytes = int64_t(1) << 23;

std::string number(int64_t value) { return std::to_string(value); }

Error scheduleError(std::string message) {
  return Error{ErrorCode::Schedule, "schedule: " + std::move(message)};
}

Status verifyTile(const PieceSchedule &piece, const Problem &problem) {
  if (piece.tile.size() != problem.digits.size())
    return scheduleError("expects a tile of " + number(problem.digits.size()) +
                         " extents, one for each digit, but got " + number(piece.tile.size()));
  for (size_t d = 0; d < piece.tile.size(); ++d)
    if (piece.tile[d] < 1 || piece.tile[d] > problem.digits[d].extent)
      return scheduleError("expects the tile's extent of d" + number(d) + " in 1 to " +
                           number(problem.digits[d].extent) + ", but got " + number(piece.tile[d]));
  std::optional<int64_t> elements = checkedProduct(piece.tile);
  if (!elements || *elements > kMaxTileElements)
    return scheduleError("expects a tile of at most " + number(kMaxTileElements) +
                         " elements, but got " + (elements ? number(*elements) : "more"));
  return Status::success();
}

/// The window of rows, of whose digits a block has neither one value each nor, but for the major
/// one of a border, all of them.
Error rowError(const std::string &digit, int64_t extent, int64_t got) {
  return scheduleError("expects a staged block of all " + number(extent) + " values of " + digit +
                       ", which belongs to the window of a row, or of one value of each of its "
                       "digits, but got " +
                       number(got));
}

/// The digits of the window of rows are whole in a staged block, of which parts are moved by tiles
/// of their own; of a border but for the major one, if few blocks along it are of several parts.
Status verifyWindowOfBlock(const PieceSchedule &piece, const Problem &problem,
                           const DigitRange &window, bool isBorder) {
  std::vector<int64_t> block = valuesWithin(problem, piece.loops, *piece.stage);
  for (auto [digit, coefficient] : window.terms) {
    bool isCut = block[digit] != problem.digits[digit].extent;
    if (isCut && !(isBorder && digit == window.terms.front().first))
      return rowError("d" + number(digit), problem.digits[digit].extent, block[digit]);
  }
  if (isBorder && blocksOfBorder(problem, piece).size() > kMostBorderBlocks)
    return scheduleError("expects staged blocks of which at most " + number(kMostBorderBlocks) +
                         " along d" + number(window.terms.front().first) +
                         " lie across a border or beyond");
  return Status::success();
}

/// Rows that are cropped, parts of which no block leaves out as a whole.
Status verifyCrop(const PieceSchedule &piece, const Problem &problem, const DigitRange &crop) {
  if (!piece.stage)
    return scheduleError("expects a stage for rows that are cropped");
  if (Status status = verifyWindowOfBlock(piece, problem, crop, /*isBorder=*/false); !status)
    return status;
  int64_t run = movement::contiguousRun(problem, valuesWithin(problem, piece.loops, *piece.stage),
                                        movement::Side::Out);
  if (run <= problem.digits[crop.terms.front().first].outStride)
    return scheduleError("expects a staged block whose runs have all of a row that is cropped, "
                         "but they have " +
                         number(run) + " elements");
  return Status::success();
}

/// What is not read of rows is left out by the tile, if it has all values of the digits that tell,
/// or is a part of a staged block.
Status verifyBorder(const PieceSchedule &piece, const Problem &problem, const DigitRange &border) {
  if (isBorderInTile(problem, piece)) {
    Problem rows = problem;
    rows.read = {border};
    if (!isBorderApart(rows, piece.tile))
      return scheduleError("expects a tile in which no place is read that another element has "
                           "beyond its border");
    return Status::success();
  }
  auto term = std::find_if(border.terms.begin(), border.terms.end(), [&](auto term) {
    return piece.tile[term.first] != problem.digits[term.first].extent;
  });
  if (!piece.stage)
    return scheduleError("expects a tile of all " + number(problem.digits[term->first].extent) +
                         " values of d" + number(term->first) +
                         ", which belongs to a border, but got " + number(piece.tile[term->first]));
  return verifyWindowOfBlock(piece, problem, border, /*isBorder=*/true);
}

/// A window beyond which what has `extents` is filled or left out as a whole: a `what`.
Status verifyWhole(const PieceSchedule &piece, const DigitRange &window,
                   const std::vector<int64_t> &extents, const std::string &what) {
  if (!piece.stage)
    return scheduleError("expects a stage where several windows remain");
  for (auto [digit, coefficient] : window.terms)
    if (extents[digit] != 1)
      return scheduleError("expects a " + what + " of one value of d" + number(digit) +
                           ", which belongs to a window outside of rows, but got " +
                           number(extents[digit]));
  return Status::success();
}

/// Windows are within rows, or outside of them; loops over their digits are not over segments.
Status verifyWindows(const PieceSchedule &piece, const Problem &problem) {
  PieceWindows windows = windowsOf(problem, piece);
  for (const std::vector<DigitRange> *ranges : {&problem.read, &problem.written})
    for (const DigitRange &range : *ranges)
      for (auto [digit, coefficient] : range.terms)
        if (piece.stage && segmentLoop(piece.loops, digit))
          return scheduleError("expects no loop over segments of d" + number(digit) +
                               ", which belongs to the window of a row");
  Status status = Status::success();
  if (windows.crop)
    status = verifyCrop(piece, problem, *windows.crop);
  if (status && windows.border)
    status = verifyBorder(piece, problem, *windows.border);
  for (const DigitRange *range : windows.reads)
    if (status)
      status = verifyWhole(piece, *range, piece.tile, "tile");
  for (const DigitRange *range : windows.crops)
    if (status)
      status =
          verifyWhole(piece, *range, valuesWithin(problem, piece.loops, piece.stage.value_or(0)),
                      "staged block");
  return status;
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
      return scheduleError("expects segments of a multiple of " + number(step) +
                           " values, the step of the outermost loop over d" + number(d) +
                           ", but got " + number(piece.loops[*segments].step));
    for (size_t i = *segments + 1; i < piece.loops.size(); ++i)
      if (piece.loops[i].digit == d && isOverSegments(piece.loops, i))
        return scheduleError("expects at most one loop over segments of d" + number(d));
    for (std::optional<unsigned> border : {piece.stage, piece.carry})
      if (border && (outermost < *border) != (*segments < *border))
        return scheduleError("expects a stage and a carry outside or inside of all loops over the "
                             "segments of d" +
                             number(d));
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
        return scheduleError("expects no loop over d" + number(d) +
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
    std::string name = "d" + number(loop.digit);
    if (loop.digit >= problem.digits.size())
      return scheduleError("expects loops over d0 to d" + number(problem.digits.size() - 1) +
                           ", but got " + name);
    int64_t extent = problem.digits[loop.digit].extent;
    if (loop.step > extent)
      return scheduleError("expects a loop over " + name + " to advance by at most " +
                           number(extent) + ", but got " + number(loop.step));
    if (isOverSegments(piece.loops, i))
      continue;
    int64_t &previous = inner[loop.digit];
    if (previous == 0 && loop.step != piece.tile[loop.digit])
      return scheduleError("expects the innermost loop over " + name + " to advance by " +
                           number(piece.tile[loop.digit]) + " as the tile, but got " +
                           number(loop.step));
    if (previous != 0 && (loop.step <= previous || loop.step % previous != 0))
      return scheduleError("expects a loop over " + name + " to advance by a larger multiple of " +
                           number(previous) + ", the step of the next inner one, but got " +
                           number(loop.step));
    previous = loop.step;
  }
  for (size_t d = 0; d < inner.size(); ++d)
    if (inner[d] == 0 && piece.tile[d] != problem.digits[d].extent)
      return scheduleError("expects a loop over d" + number(d) + ", of which the tile covers " +
                           number(piece.tile[d]) + " of " + number(problem.digits[d].extent) +
                           " values");
  if (Status status = verifySegments(piece, problem); !status)
    return status;
  return verifyCarriedSegments(piece, problem);
}

/// What a visit leaves of its last line goes on along runs that have whole lines, and only
/// stores past the caches gain by it.
Status verifyCarry(const PieceSchedule &piece, int64_t runBytes) {
  if (*piece.carry > *piece.stage)
    return scheduleError("expects a carry of 0 to " + number(*piece.stage) +
                         ", the stage, but got " + number(*piece.carry));
  if (piece.store != StoreMode::NonTemporal)
    return scheduleError("expects store=nontemporal beside a carry, but got store=ordinary");
  if (runBytes < kLineBytes)
    return scheduleError("expects a stage whose runs have at least " + number(kLineBytes) +
                         " bytes, a line, beside a carry, but they have " + number(runBytes));
  return Status::success();
}

Status verifyStage(const PieceSchedule &piece, const Problem &problem, const TargetInfo &target) {
  if (*piece.stage > piece.loops.size())
    return scheduleError("expects a stage of 0 to " + number(piece.loops.size()) +
                         ", the number of loops, but got " + number(*piece.stage));
  bool isWritten = !movement::contiguousChain(problem, movement::Side::Out).empty();
  if (piece.vectorBytes == 0 || problem.width > kMaxStagedWidth || !isWritten)
    return scheduleError("expects vectors, elements of at most " + number(kMaxStagedWidth) +
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
    return scheduleError("expects a stage of at most " + number(kMaxStagedBytes) +
                         " bytes, but got " + number(elements) + " elements of " +
                         number(problem.width));
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
                         " and a loop or a stage inside of it, but the piece has " + number(loops) +
                         (loops == 1 ? " loop" : " loops") + (piece.stage ? " and stage=0" : "") +
                         ", which leaves no place for it");
  if (depth < 1 || depth > last)
    return scheduleError("expects a " + name + " of 1 to " + number(last) +
                         ", loops outside of it and inside of it or a stage, but got " +
                         number(depth));
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
                         number(elements) + " elements " + number(run) + " lie side by side");
  return Status::success();
}

/// Blocks that tiles move from scratch memory, which nothing reads but for what copies them there.
Status verifyPack(const PieceSchedule &piece, const Problem &problem) {
  if (Status status = verifyBlock(piece, "pack", *piece.pack); !status)
    return status;
  bool isFromInput = piece.carry && stagedBlock(problem, piece).fromInput;
  if (piece.vectorBytes == 0 || problem.width > kMaxStagedWidth || !problem.read.empty() ||
      piece.prefetch != 0 || piece.touch || isFromInput)
    return scheduleError("expects vectors, elements of at most " + number(kMaxStagedWidth) +
                         " bytes, and no border, prefetch, touch or runs straight from the input "
                         "beside a pack");
  int64_t elements = packedBlock(problem, piece).elements;
  if (elements > kMaxStagedBytes / problem.width)
    return scheduleError("expects a pack of at most " + number(kMaxStagedBytes) +
                         " bytes, but got " + number(elements) + " elements of " +
                         number(problem.width));
  return Status::success();
}

/// Only what was fetched into the second cache can come from there to the first, of tiles that read
/// the input itself.
Status verifyNear(const PieceSchedule &piece, const Problem &problem) {
  bool isFromInput = piece.carry && stagedBlock(problem, piece).fromInput;
  if (piece.near > kMaxPrefetch || !piece.fetch || piece.pack || !problem.read.empty() ||
      isFromInput)
    return scheduleError("expects at most " + number(kMaxPrefetch) +
                         " elements to be near, of blocks that are fetched, and no border, pack "
                         "or runs straight from the input beside them");
  return Status::success();
}

Status verifyStores(const PieceSchedule &piece, const Problem &problem, const TargetInfo &target) {
  int64_t bytes = piece.vectorBytes;
  bool power = bytes > 0 && (bytes & (bytes - 1)) == 0;
  if (bytes != 0 && (!power || bytes < problem.width || bytes > target.vectorBytes))
    return scheduleError("expects vectors of 0 (scalar) or a power of 2 from " +
                         number(problem.width) + " to " + number(target.vectorBytes) +
                         " bytes, but got " + number(bytes));
  if (piece.prefetch < 0 || piece.prefetch > kMaxPrefetch)
    return scheduleError("expects a prefetch of 0 to " + number(kMaxPrefetch) +
                         " elements ahead, but got " + number(piece.prefetch));
  if (piece.cache < 1 || piece.cache > 2)
    return scheduleError("expects a cache of 1 or 2 to prefetch into, but got " +
                         number(piece.cache));
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
    return scheduleError("expects a tile that writes whole lines of " + number(kLineBytes) +
                         " bytes wherever it stands, for store=nontemporal; store=ordinary is "
                         "possible");
  return Status::success();
}

Status verifyUnits(const Schedule &schedule, const Problem &problem) {
  bool hasDigits = !problem.digits.empty() || schedule.unitDigit != 0 || schedule.unitStep != 1;
  if (hasDigits && schedule.unitDigit >= problem.digits.size())
    return scheduleError("expects units over one of the " + number(problem.digits.size()) +
                         " digits of the problem, but got d" + number(schedule.unitDigit));
  // A problem without elements has a digit of extent 0, and units of one value.
  int64_t extent = hasDigits ? std::max<int64_t>(1, problem.digits[schedule.unitDigit].extent) : 1;
  if (schedule.unitStep < 1 || schedule.unitStep > extent)
    return scheduleError("expects units of 1 to " + number(extent) + " values of d" +
                         number(schedule.unitDigit) + ", but got " + number(schedule.unitStep));
  int64_t units = ceilDiv(extent, schedule.unitStep);
  if (schedule.sweep < 0 || schedule.sweep > units)
    return scheduleError("expects a sweep of 0 (none) to " + number(units) + " units, but got " +
                         number(schedule.sweep));
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

Status relayout::verifySchedule(const Schedule &schedule, const Problem &problem,
                                const TargetInfo &target) {
  std::vector<Piece> pieces = piecesOf(problem, schedule);
  if (schedule.pieces.size() != pieces.size())
    return scheduleError("expects " + number(pieces.size()) + " pieces, but got " +
                         number(schedule.pieces.size()));
  if (Status status = verifyUnits(schedule, problem); !status)
    return status;
  for (size_t i = 0; i < pieces.size(); ++i) {
    Problem reduced = pieceProblem(problem, pieces[i]);
    Status status =
        verifyPiece(schedule.pieces[i], reduced, pieces[i].kind == Piece::Kind::Fill, target);
    if (status) {
      Result<UnitClip> clip = unitClip(schedule, problem, pieces[i], schedule.pieces[i]);
      if (!clip)
        status = clip.error();
    }
    if (!status && pieces.size() > 1)
      return Error{status.error().code, status.error().message + " (piece " + number(i) + " of " +
                                            number(pieces.size()) + ")"};
    if (!status)
      return status;
  }
  return Status::success();
}
