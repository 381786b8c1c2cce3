// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScheduleText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace relayout;
using namespace relayout::driver;

static std::string digitName(unsigned digit) { return "d" + llvm::utostr(digit); }

static const char *storeText(StoreMode store, bool staged) {
  switch (store) {
  case StoreMode::Ordinary:
    return "ordinary stores";
  case StoreMode::Prefetch:
    return "ordinary stores, lines fetched for writing before";
  case StoreMode::NonTemporal:
    return staged ? "whole lines past the caches, the ends of runs by ordinary stores"
                  : "whole lines past the caches; ordinary stores to a base off a line";
  }
  return "";
}

/// The tile as the registers see it: how many elements of each digit.
static std::string tileText(const ScheduleReport::PieceReport &piece) {
  std::string text;
  for (unsigned d = 0; d < piece.schedule.tile.size(); ++d)
    if (piece.schedule.tile[d] > 1)
      text +=
          (text.empty() ? "" : " ") + llvm::itostr(piece.schedule.tile[d]) + " of " + digitName(d);
  return text.empty() ? "one element" : text;
}

static std::string loopsText(const PieceSchedule &schedule) {
  std::string text;
  for (const Loop &loop : schedule.loops)
    text += (text.empty() ? "" : ", ") + digitName(loop.digit) + " by " + llvm::itostr(loop.step);
  return text.empty() ? "none" : text + ", outermost first";
}

/// What a staged piece puts together before it is written; empty for others.
static std::string stageText(const ScheduleReport::PieceReport &piece) {
  if (!piece.schedule.stage)
    return "";
  StagedBlock block = stagedBlock(piece.problem, piece.schedule);
  std::string text = "blocks of " + llvm::itostr(block.elements * piece.problem.width) +
                     " bytes of scratch memory inside " + llvm::itostr(*piece.schedule.stage) +
                     " loops, written in runs of " + llvm::itostr(block.run * piece.problem.width) +
                     " bytes";
  if (block.fromInput)
    text = "runs of " + llvm::itostr(block.run * piece.problem.width) +
           " bytes from the input inside " + llvm::itostr(*piece.schedule.stage) + " loops";
  if (piece.schedule.carry)
    text += "; parts of lines wait for what goes on behind them inside " +
            llvm::itostr(*piece.schedule.carry) + " loops";
  return text;
}

/// What a packed piece copies before it is moved.
static std::string packText(const ScheduleReport::PieceReport &piece) {
  PackedBlock block = packedBlock(piece.problem, piece.schedule);
  int64_t rows = 1;
  for (int64_t values : block.extents)
    rows *= values;
  rows /= block.run;
  return "each block inside of " + llvm::utostr(*piece.schedule.pack) +
         " loops is copied into scratch memory before it is moved, in " + llvm::itostr(rows) +
         " rows of " + llvm::itostr(block.run * piece.problem.width) + " bytes";
}

static void writePiece(llvm::raw_ostream &out, const ScheduleReport::PieceReport &piece) {
  out << "  " << (piece.fills ? "fill" : "copy") << " " << piece.problem.str() << '\n'
      << "    registers " << tileText(piece) << ", vectors of " << piece.schedule.vectorBytes
      << " bytes: " << piece.loads << " loads, " << piece.shuffles
      << " shuffles (whole loads take at least " << piece.leastShuffles << "), " << piece.stores
      << " stores\n"
      << "    loops     " << loopsText(piece.schedule) << '\n'
      << "    stores    " << storeText(piece.schedule.store, piece.schedule.stage.has_value())
      << '\n';
  if (piece.schedule.stage)
    out << "    stage     " << stageText(piece) << '\n';
  if (piece.schedule.touch)
    out << "    touch     each line of the block inside of " << *piece.schedule.touch
        << " loops is read in its order before the block is moved\n";
  if (piece.schedule.pack)
    out << "    pack      " << packText(piece) << '\n';
  if (piece.schedule.fetch)
    out << "    fetch     each block inside of " << *piece.schedule.fetch
        << " loops while the one before is moved, row by row\n";
  if (piece.schedule.prefetch != 0)
    out << "    prefetch  " << piece.schedule.prefetch << " elements ahead"
        << (piece.schedule.cache == 2 ? ", into the second cache\n" : "\n");
  if (piece.schedule.near != 0)
    out << "    near      lines " << piece.schedule.near
        << " elements ahead, from the second cache to the first\n";
}

void ScheduleReport::writeText(llvm::raw_ostream &out) const {
  out << llvm::formatv("{0,-10}", "schedule") << schedule.str() << '\n'
      << "  units     " << units << ", of " << schedule.unitStep << " values of "
      << digitName(schedule.unitDigit);
  if (schedule.sweep != 0)
    out << "; all pieces perform " << schedule.sweep << " of them before the next";
  out << '\n';
  for (const PieceReport &piece : pieces)
    writePiece(out, piece);
  const Prediction &p = prediction;
  out << llvm::format("  expected  %.2f of the bound: %.0f bytes, %.0f pages live, %.0f streams "
                      "of %.0f bytes read, %.0f bytes written at a visit\n",
                      p.ratio, p.bytes, p.pages, p.readStreams, p.runBytes, p.chunkBytes);
}

llvm::json::Object ScheduleReport::toJson() const {
  llvm::json::Array list;
  for (const PieceReport &piece : pieces)
    list.push_back(llvm::json::Object{
        {"problem", piece.problem.str()},
        {"registers", tileText(piece)},
        {"loops", loopsText(piece.schedule)},
        {"stores", storeText(piece.schedule.store, piece.schedule.stage.has_value())},
        {"stage", stageText(piece)},
        {"vector_bytes", piece.schedule.vectorBytes},
        {"loads", piece.loads},
        {"shuffles", piece.shuffles},
        {"least_shuffles", piece.leastShuffles}});
  return llvm::json::Object{{"text", schedule.str()},
                            {"units", units},
                            {"pieces", std::move(list)},
                            {"bytes", prediction.bytes},
                            {"pages", prediction.pages},
                            {"read_streams", prediction.readStreams},
                            {"run_bytes", prediction.runBytes},
                            {"chunk_bytes", prediction.chunkBytes},
                            {"predicted_ratio", prediction.ratio}};
}

/// Counts what the program of the tile consists of.
static Status countInstructions(ScheduleReport::PieceReport &piece, const TargetInfo &target) {
  if (piece.schedule.vectorBytes == 0)
    return Status::success();
  std::vector<int64_t> extents = piece.schedule.tile;
  if (piece.schedule.stage)
    extents = tileOfPart(piece.schedule,
                         largestPart(partsOfBlock(piece.problem, piece.schedule, /*start=*/0)));
  Tile tile;
  tile.width = piece.problem.width;
  for (unsigned d = 0; d < extents.size(); ++d) {
    Digit digit = piece.problem.digits[d];
    int64_t inStride = piece.fills ? digit.outStride : digit.inStride;
    tile.digits.push_back({extents[d], inStride, digit.outStride});
  }
  TileOptions options;
  options.vectorBytes = piece.schedule.vectorBytes;
  Result<TileProgram> program = synthesizeTile(tile, target, options);
  if (!program)
    return program.error();
  piece.stores = program->stores();
  if (piece.fills)
    return Status::success();
  piece.loads = program->loads();
  piece.shuffles = program->shuffles();
  piece.leastShuffles = program->shuffleLowerBound;
  return Status::success();
}

Result<ScheduleReport> driver::explainSchedule(const TargetOptions &flags, const Problem &problem) {
  Result<CompilerOptions> options = flags.read();
  if (!options)
    return options.error();
  Result<std::unique_ptr<Compiler>> compiler = Compiler::create(*options);
  if (!compiler)
    return compiler.error();
  Result<TargetInfo> target = (*compiler)->target();
  if (!target)
    return target.error();
  Result<ResultHint> hint = parseResultHint(options->result);
  if (!hint)
    return hint.error();
  Result<Schedule> schedule =
      chooseSchedule(problem, *target, {*hint, options->threads}, options->schedule);
  if (!schedule)
    return schedule.error();
  ScheduleReport report;
  report.schedule = schedule.take();
  report.units = unitCount(report.schedule, problem);
  report.prediction = predict(report.schedule, problem, *target);
  for (auto &&[piece, pieceSchedule] :
       llvm::zip_equal(piecesOf(problem, report.schedule), report.schedule.pieces)) {
    ScheduleReport::PieceReport &own = report.pieces.emplace_back();
    own.problem = pieceProblem(problem, piece);
    own.fills = piece.kind == Piece::Kind::Fill;
    own.schedule = pieceSchedule;
    if (Status status = countInstructions(own, *target); !status)
      return status.error();
  }
  return report;
}
