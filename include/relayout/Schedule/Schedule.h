// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The schedule: which digits form the register tile, in what order the loops run,
/// how stores are done, which digit is split over threads.

#ifndef RELAYOUT_SCHEDULE_SCHEDULE_H
#define RELAYOUT_SCHEDULE_SCHEDULE_H

#include "relayout/Layout/Problem.h"
#include "relayout/Schedule/TargetInfo.h"
#include "relayout/Schedule/Tile.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace relayout {

enum class StoreMode {
  Ordinary,
  Prefetch,    ///< ordinary, the output lines prefetched for write some tiles ahead
  NonTemporal, ///< whole aligned lines bypass the caches; asks for an output base on a line
};

/// What the caller's consumer does: Hot reads the result at once, Cold does not.
enum class ResultHint { Auto, Hot, Cold };

/// What becomes of rows of the output that a window would cut, and of what lies beyond them.
enum class Rows {
  Cut,      ///< they are boxes to copy and boxes to fill
  Whole,    ///< the blocks of staged pieces put them together, what is filled or left out as well
  Together, ///< and with them whole rows that other windows fill or leave out: one piece
};

/// cut, whole or together.
const char *wordOf(Rows rows);

/// The hint called `word`: auto, hot or cold. An error of code Usage for any other word.
Result<ResultHint> parseResultHint(std::string_view word);

/// One loop of a piece's nest: `digit` (of the reduced piece problem) advances by
/// `step`. A digit may have several loops, the outer ones over blocks: an inner
/// loop runs within the step of the next outer loop over the same digit, the
/// outermost over the whole extent. The innermost step equals the tile's extent.
/// Where a step does not divide, the last tile is shifted back to end at the last
/// value (it repeats some elements): the extent is at least the tile's.
///
/// One loop of a digit may be over segments: its step is a multiple of that of the outermost
/// loop over the digit, inside of which it stands. It cuts the digit into segments of `step`
/// values, of which each has its values at one place of the outer loops side by side, the last
/// one as far as it goes; the outer loops run through one segment. So d0:16,d0:4096 reads and
/// writes places 4096 values apart in turn, 16 values at each.
struct Loop {
  unsigned digit;
  int64_t step;
  bool operator==(const Loop &o) const { return digit == o.digit && step == o.step; }
};

/// True if `loops[i]` is over segments.
bool isOverSegments(const std::vector<Loop> &loops, size_t i);

/// The loop over segments of `digit`; none if there is none.
std::optional<size_t> segmentLoop(const std::vector<Loop> &loops, unsigned digit);

/// How one piece is performed. Digits are those of `pieceProblem(problem, piece)`.
struct PieceSchedule {
  std::vector<int64_t> tile; ///< extent of each digit in the register tile
  std::vector<Loop> loops;   ///< outermost first
  StoreMode store = StoreMode::Ordinary;
  /// How many elements of the input after a tile's own are prefetched with it; 0: none.
  int64_t prefetch = 0;
  int64_t vectorBytes = 0; ///< 0: scalar
  /// The loops from this one on and their tiles fill a block of scratch memory, which is
  /// then written in its long runs: whole lines (past the caches if `store` is
  /// NonTemporal) wherever the runs start. None: tiles write to the output.
  std::optional<unsigned> stage;
  /// The stage's loops from this one on keep the part of a line with which a run ends for
  /// the next run, where that goes on behind it: it is written as a whole line then. None:
  /// the parts at the ends of each run are ordinary stores.
  std::optional<unsigned> carry;
  /// The loops from this one on are over blocks of the input, of which each is fetched into the
  /// second cache, row by row, while the one before it is moved. None: nothing is.
  std::optional<unsigned> fetch;
  /// The loops from this one on are over blocks of the input, each of them one stretch, whose lines
  /// are read one after the other before a block is moved. None: lines are read as tiles need them.
  std::optional<unsigned> touch;
  /// The loops from this one on are over blocks of the input, of which each is copied into scratch
  /// memory, one row behind the other, before tiles move it from there. None: tiles read the input.
  std::optional<unsigned> pack;
  /// Into which cache what is prefetched ahead of the tiles goes: 1, the first, or 2, the second.
  int64_t cache = 1;
  /// How many elements of the input after a tile's own go from the second cache, into which they
  /// are fetched, to the first; 0: none.
  int64_t near = 0;
  bool operator==(const PieceSchedule &o) const;
};

/// Values of each digit of `piece` inside the first `depth` of `loops`.
std::vector<int64_t> valuesWithin(const Problem &piece, const std::vector<Loop> &loops,
                                  size_t depth);

/// What a staged piece puts together in scratch memory between two visits to the output.
struct StagedBlock {
  std::vector<int64_t> extents; ///< of each digit; a block at the end is shifted back
  std::vector<int64_t> strides; ///< of each digit in scratch memory, in elements
  int64_t run = 1;              ///< elements side by side in the output
  int64_t cropped = 0;          ///< elements before a run that are not written
  int64_t first = 0;            ///< where what is written starts in scratch memory
  int64_t elements = 0;         ///< of scratch memory, with the kept lines

  // With `carry`:
  /// The input has the runs too: they do not go through the block. Beyond a border they come from
  /// one run in scratch memory, which is filled once.
  bool fromInput = false;
  std::vector<bool> along;     ///< the digits over whose loops runs go on
  std::vector<unsigned> order; ///< those, in the order of the output
  /// Between kept lines: of each other digit's values, and of the segments of one of those.
  std::vector<int64_t> keptStrides;
  int64_t keptFirst = 0; ///< where they start in scratch memory
  /// The digit at whose next value a run begins where one ends: the line in which they meet is
  /// written whole, too. None: no run begins there while lines are kept.
  std::optional<unsigned> joined;
  int64_t headsFirst = 0; ///< where the lines in which runs begin are kept, with the same strides
};

/// The block of `schedule`, which is staged. `piece` is its problem.
StagedBlock stagedBlock(const Problem &piece, const PieceSchedule &schedule);

/// The windows of a piece, as what its schedule does at a time meets them: blocks of staged pieces,
/// or tiles.
struct PieceWindows {
  const DigitRange *border = nullptr; ///< that of rows, which some lie across; null: none
  const DigitRange *crop = nullptr;   ///< the same
  /// Ranges of whose digits each tile has one value, or each block: it lies within, or is filled.
  std::vector<const DigitRange *> reads;
  /// Ranges of whose digits each block has one value: it lies within, or is left out.
  std::vector<const DigitRange *> crops;
};

PieceWindows windowsOf(const Problem &piece, const PieceSchedule &schedule);

/// True if there is one value of each digit of `window` among `extents`.
bool hasOneOfEach(const DigitRange &window, const std::vector<int64_t> &extents);

/// True if the tile of `schedule` has all values of the digits of the border of `piece`: it leaves
/// out what is not read.
bool isBorderInTile(const Problem &piece, const PieceSchedule &schedule);

/// The parts of the block of `schedule` from value `start` of the window's major digit on: what
/// lies within the window and beyond, each moved by tiles of its own, of which none has more values
/// of a digit than the part. One, the whole block, if no window cuts it, or a border is in the
/// tile.
std::vector<Piece> partsOfBlock(const Problem &piece, const PieceSchedule &schedule, int64_t start);

/// The largest of `parts`, of those that are copied if there are such.
const Piece &largestPart(const std::vector<Piece> &parts);

/// The tile of `schedule` in `part` of its block.
std::vector<int64_t> tileOfPart(const PieceSchedule &schedule, const Piece &part);

/// Blocks of a border that each have code of their own.
constexpr size_t kMostBorderBlocks = 4;

/// Where along the major digit of the border of `piece` blocks start that do not lie within it, in
/// their order, as far as one more than `kMostBorderBlocks` of them. None if the border is in the
/// tile, or cuts no block.
std::vector<int64_t> blocksOfBorder(const Problem &piece, const PieceSchedule &schedule);

/// What a packed piece copies into scratch memory before its tiles move it.
struct PackedBlock {
  std::vector<int64_t> extents; ///< of each digit; a block at the end is shifted back
  std::vector<int64_t> strides; ///< of each digit in scratch memory, in elements
  int64_t run = 1;              ///< elements side by side in the input
  int64_t first = 0;            ///< where the block starts in scratch memory
  int64_t elements = 0;         ///< of scratch memory, with what else the piece has there
};

/// The block of `schedule`, which is packed. `piece` is its problem.
PackedBlock packedBlock(const Problem &piece, const PieceSchedule &schedule);

/// Elements of scratch memory that `schedule` needs for `piece`.
int64_t scratchElements(const Problem &piece, const PieceSchedule &schedule);

/// A whole problem's schedule. Work units are blocks of `unitStep` values of the
/// problem's digit `unitDigit`; every piece is clipped to them.
struct Schedule {
  unsigned unitDigit = 0;
  int64_t unitStep = 1;
  /// Units that all pieces perform before the next ones, so that lines in which pieces
  /// meet are still in a cache; 0: each piece performs all units before the next piece.
  int64_t sweep = 0;
  Rows rows = Rows::Cut;
  std::vector<PieceSchedule> pieces; ///< one a piece, in the order of piecesOf

  bool operator==(const Schedule &o) const;
  /// Text that parses back: for the attribute, --schedule= and people.
  std::string str() const;
};

/// The pieces that `schedule` is for: those of splitWithBorders, splitIntoRows or keepWindows.
std::vector<Piece> piecesOf(const Problem &problem, const Schedule &schedule);

Result<Schedule> parseSchedule(std::string_view text);

/// `base` with the fields that `text` names pinned: the same words as in the text of
/// a schedule, each of them optional, but that a piece with all that is always printed has no
/// loops unless it says so. One `{...}` pins every piece, otherwise there is one for each piece.
/// `rows=` must be that of `base`. For `--schedule=`.
Result<Schedule> overrideSchedule(const Schedule &base, std::string_view text);

/// What `text` says of rows; none if it does not.
std::optional<Rows> pinnedRows(std::string_view text);

/// How many pieces `text` has in braces.
size_t pinnedPieces(std::string_view text);

/// An error where no schedule could be pinned by `text`, whatever the problem: for those
/// who take it before there is one, or where none is needed.
Status checkScheduleText(std::string_view text);

/// Checks that `schedule` can perform `problem` on `target`.
Status verifySchedule(const Schedule &schedule, const Problem &problem, const TargetInfo &target);

/// How many units the work falls into.
int64_t unitCount(const Schedule &schedule, const Problem &problem);

/// How the units cut one piece: units [begin, end) perform the values
/// [border(begin), border(end)) of one digit of the piece. Borders fall on multiples of
/// the tile's extent, and the last interval is at least a tile, so a tile that is
/// shifted back never reaches into another unit's values.
struct UnitClip {
  std::optional<unsigned> digit; ///< of the piece's problem; none: extent 1, a guard
  int64_t step;                  ///< values of the piece's digit a unit
  int64_t offset;                ///< what lies before the piece, in values of its digit
  int64_t extent;                ///< of the piece's digit
  int64_t tile;                  ///< the tile's extent of the digit

  /// `clamp(unit * step - offset, 0, extent)`, rounded up to a multiple of `tile`,
  /// or to `extent` where less than a tile would be left.
  int64_t border(int64_t unit) const;
};

/// The clip of `piece`; for a staged one, blocks stand for tiles. An error where the digit of the
/// units is the minor part of a digit that the piece has merged.
Result<UnitClip> unitClip(const Schedule &schedule, const Problem &problem, const Piece &piece,
                          const PieceSchedule &pieceSchedule);

/// What the cost model expects of a schedule.
struct Prediction {
  double bytes = 0;       ///< read plus written, line granularity
  double pages = 0;       ///< pages live in the inner loops, the most of both sides
  double readStreams = 0; ///< streams read side by side
  double runBytes = 0;    ///< contiguous bytes read by the innermost loops
  double chunkBytes = 0;  ///< contiguous bytes written at a visit
  double shuffles = 0;    ///< shuffles a vector of output
  double ratio = 0;       ///< predicted share of the bound
};

struct ScheduleOptions {
  ResultHint result = ResultHint::Auto;
  int64_t threads = 1;
  std::optional<Rows> rows = std::nullopt; ///< none: as is best
};

/// Picks a schedule by the cost model; deterministic.
Result<Schedule> pickSchedule(const Problem &problem, const TargetInfo &target,
                              const ScheduleOptions &options = {});

/// `pickSchedule` with the parts that `pinned` names replaced (see overrideSchedule); an
/// error if that cannot perform `problem` on `target`. Empty text pins nothing. Rows are whole or
/// cut as it says, or else as is best, or as its pieces are for.
Result<Schedule> chooseSchedule(const Problem &problem, const TargetInfo &target,
                                const ScheduleOptions &options, std::string_view pinned);

/// At most `count` candidates for tuning by measurement: what pickSchedule picks, and would pick
/// for the memory of each family of processors that was measured; then half of them the best by
/// prediction and half spread over the others, since a prediction may be wrong. Deterministic.
std::vector<Schedule> candidateSchedules(const Problem &problem, const TargetInfo &target,
                                         const ScheduleOptions &options, unsigned count);

Prediction predict(const Schedule &schedule, const Problem &problem, const TargetInfo &target);

} // namespace relayout

#endif // RELAYOUT_SCHEDULE_SCHEDULE_H
