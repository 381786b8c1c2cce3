// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Schedule/Explain.h"

#include "relayout/Support/PlainNumbers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace relayout;

static std::string digitName(unsigned digit) { return "d" + llvm::utostr(digit); }

static const char *kindOf(const MovementReport::PieceReport &piece) {
  return piece.fills ? "fill" : "copy";
}

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
static std::string tileText(const MovementReport::PieceReport &piece) {
  std::string text;
  for (unsigned d = 0; d < piece.schedule.tile.size(); ++d)
    if (piece.schedule.tile[d] > 1)
      text +=
          (text.empty() ? "" : " ") + llvm::itostr(piece.schedule.tile[d]) + " of " + digitName(d);
  return text.empty() ? "one element" : text;
}

/// The digits of which a vector has several values side by side on one side of a piece.
static std::string lanesOf(const MovementReport::PieceReport &piece, int64_t Digit::*stride) {
  const std::vector<int64_t> &tile = piece.schedule.tile;
  int64_t lanes = piece.schedule.vectorBytes / piece.problem.width, run = 1;
  std::string text;
  while (run < lanes) {
    unsigned d = 0;
    while (d < tile.size() && (tile[d] == 1 || piece.problem.digits[d].*stride != run))
      ++d;
    if (d == tile.size())
      break;
    text += (text.empty() ? "" : " ") + digitName(d);
    run *= tile[d];
  }
  return text.empty() ? "no digit" : text;
}

static std::string lanesText(const MovementReport::PieceReport &piece) {
  std::string written = lanesOf(piece, &Digit::outStride) + " written";
  return piece.fills ? written : lanesOf(piece, &Digit::inStride) + " read, " + written;
}

static std::string loopsText(const PieceSchedule &schedule) {
  std::string text;
  for (const Loop &loop : schedule.loops)
    text += (text.empty() ? "" : ", ") + digitName(loop.digit) + " by " + llvm::itostr(loop.step);
  return text.empty() ? "none" : text + ", outermost first";
}

/// What a staged piece puts together before it is written; empty for others.
static std::string stageText(const MovementReport::PieceReport &piece) {
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
static std::string packText(const MovementReport::PieceReport &piece) {
  PackedBlock block = packedBlock(piece.problem, piece.schedule);
  int64_t rows = 1;
  for (int64_t values : block.extents)
    rows *= values;
  rows /= block.run;
  return "each block inside of " + llvm::utostr(*piece.schedule.pack) +
         " loops is copied into scratch memory before it is moved, in " + llvm::itostr(rows) +
         " rows of " + llvm::itostr(block.run * piece.problem.width) + " bytes";
}

/// What is said of a piece beside its registers: a word, and a text.
static std::vector<std::pair<const char *, std::string>>
partsOf(const MovementReport::PieceReport &piece) {
  const PieceSchedule &schedule = piece.schedule;
  std::vector<std::pair<const char *, std::string>> parts;
  if (schedule.vectorBytes != 0)
    parts.emplace_back("lanes", lanesText(piece));
  parts.emplace_back("loops", loopsText(schedule));
  parts.emplace_back("stores", storeText(schedule.store, schedule.stage.has_value()));
  if (schedule.stage)
    parts.emplace_back("stage", stageText(piece));
  if (schedule.touch)
    parts.emplace_back("touch", "each line of the block inside of " +
                                    llvm::utostr(*schedule.touch) +
                                    " loops is read in its order before the block is moved");
  if (schedule.pack)
    parts.emplace_back("pack", packText(piece));
  if (schedule.fetch)
    parts.emplace_back("fetch", "each block inside of " + llvm::utostr(*schedule.fetch) +
                                    " loops while the one before is moved, row by row");
  if (schedule.prefetch != 0)
    parts.emplace_back("prefetch", llvm::itostr(schedule.prefetch) + " elements ahead" +
                                       (schedule.cache == 2 ? ", into the second cache" : ""));
  if (schedule.near != 0)
    parts.emplace_back("near", "lines " + llvm::itostr(schedule.near) +
                                   " elements ahead, from the second cache to the first");
  return parts;
}

static void writePiece(llvm::raw_ostream &out, const MovementReport::PieceReport &piece) {
  out << "  " << kindOf(piece) << " " << piece.problem.str() << '\n'
      << "    registers " << tileText(piece) << ", vectors of " << piece.schedule.vectorBytes
      << " bytes: " << piece.loads << " loads, " << piece.shuffles
      << " shuffles (whole loads take at least " << piece.leastShuffles << "), " << piece.stores
      << " stores\n";
  for (const auto &[word, text] : partsOf(piece))
    out << llvm::formatv("    {0,-10}", word) << text << '\n';
}

void MovementReport::writeText(llvm::raw_ostream &out) const {
  out << llvm::formatv("{0,-10}", "pieces") << pieces.size() << '\n';
  for (const PieceReport &piece : pieces)
    out << "  " << kindOf(piece) << ' ' << piece.elements << " elements, " << piece.problem.str()
        << '\n';
  if (!schedule)
    return;
  out << llvm::formatv("{0,-10}", "schedule") << schedule->str() << '\n'
      << "  units     " << units << ", of " << schedule->unitStep << " values of "
      << digitName(schedule->unitDigit);
  if (schedule->sweep != 0)
    out << "; all pieces perform " << schedule->sweep << " of them before the next";
  out << '\n';
  for (const PieceReport &piece : pieces)
    writePiece(out, piece);
  const Prediction &p = prediction;
  PlainNumbers plain;
  out << llvm::format("  expected  %.2f of the bound: %.0f bytes, %.0f pages live, %.0f streams "
                      "of %.0f bytes read, %.0f bytes written at a visit\n",
                      p.ratio, p.bytes, p.pages, p.readStreams, p.runBytes, p.chunkBytes);
}

static llvm::json::Object scheduleJson(const MovementReport &report) {
  llvm::json::Array list;
  for (const MovementReport::PieceReport &piece : report.pieces) {
    llvm::json::Object object{{"kind", kindOf(piece)},
                              {"problem", piece.problem.str()},
                              {"registers", tileText(piece)},
                              {"vector_bytes", piece.schedule.vectorBytes},
                              {"loads", piece.loads},
                              {"shuffles", piece.shuffles},
                              {"least_shuffles", piece.leastShuffles},
                              {"store_count", piece.stores}};
    for (const auto &[word, text] : partsOf(piece))
      object[word] = text;
    list.push_back(std::move(object));
  }
  const Prediction &p = report.prediction;
  return llvm::json::Object{{"text", report.schedule->str()},
                            {"units", report.units},
                            {"pieces", std::move(list)},
                            {"bytes", p.bytes},
                            {"pages", p.pages},
                            {"read_streams", p.readStreams},
                            {"run_bytes", p.runBytes},
                            {"chunk_bytes", p.chunkBytes},
                            {"predicted_ratio", p.ratio}};
}

llvm::json::Object MovementReport::toJson() const {
  llvm::json::Array list;
  for (const PieceReport &piece : pieces)
    list.push_back(llvm::json::Object{
        {"kind", kindOf(piece)}, {"elements", piece.elements}, {"problem", piece.problem.str()}});
  return llvm::json::Object{
      {"pieces", std::move(list)},
      {"schedule", schedule ? llvm::json::Value(scheduleJson(*this)) : nullptr}};
}

/// Counts what the program of the tile consists of.
static Status countInstructions(MovementReport::PieceReport &piece, const TargetInfo &target) {
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

Result<MovementReport> relayout::explainMovement(const Problem &problem, const TargetInfo &target,
                                                 std::string_view result, int64_t threads,
                                                 std::string_view pinned) {
  MovementReport report;
  std::vector<Piece> pieces = splitWithBorders(problem);
  if (!pieces.empty() && !isPlainCopy(problem)) {
    Result<ResultHint> hint = parseResultHint(result);
    if (!hint)
      return hint.error();
    Result<Schedule> schedule = chooseSchedule(problem, target, {*hint, threads}, pinned);
    if (!schedule)
      return schedule.error();
    pieces = piecesOf(problem, *schedule);
    report.units = unitCount(*schedule, problem);
    report.prediction = predict(*schedule, problem, target);
    report.schedule = schedule.take();
  }
  for (size_t i = 0; i < pieces.size(); ++i) {
    MovementReport::PieceReport &own = report.pieces.emplace_back(
        MovementReport::PieceReport{pieceProblem(problem, pieces[i]),
                                    pieces[i].kind == Piece::Kind::Fill, pieces[i].elements()});
    if (!report.schedule)
      continue;
    own.schedule = report.schedule->pieces[i];
    if (Status status = countInstructions(own, target); !status)
      return status.error();
  }
  return report;
}
