// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The text of a schedule, and of the hint that it may be chosen by:
/// `unit=d0:16 {tile=1x16x32 loops=d1:15,d0:1 store=nontemporal prefetch=2 vector=64}`.

#include "ScheduleError.h"
#include "relayout/Schedule/Schedule.h"
#include "relayout/Support/Text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

using namespace relayout;

namespace {

/// Far above any sensible schedule: what keeps hostile text cheap.
constexpr size_t kMaxPieces = 1 << 16;
constexpr size_t kMaxList = 1 << 10;

const char *storeWord(StoreMode store) {
  switch (store) {
  case StoreMode::Ordinary:
    return "ordinary";
  case StoreMode::Prefetch:
    return "prefetch";
  case StoreMode::NonTemporal:
    return "nontemporal";
  }
  return "ordinary";
}

std::string quoted(std::string_view text) {
  constexpr size_t kMost = 40;
  return "'" + beginning(text, kMost) + (text.size() > kMost ? "...'" : "'");
}

/// The words that say how many loops are outside of something, in the order of a text.
struct DepthWord {
  std::string_view word;
  std::optional<unsigned> PieceSchedule::*depth;
};

constexpr DepthWord kDepthWords[] = {{"stage", &PieceSchedule::stage},
                                     {"carry", &PieceSchedule::carry},
                                     {"touch", &PieceSchedule::touch},
                                     {"pack", &PieceSchedule::pack},
                                     {"fetch", &PieceSchedule::fetch}};

constexpr std::string_view kPieceWords[] = {"tile",     "loops", "stage", "carry",
                                            "fetch",    "touch", "pack",  "store",
                                            "prefetch", "cache", "near",  "vector"};

/// What a text says of a piece: words of `kPieceWords`, and their values.
struct PieceText {
  PieceSchedule values;
  std::set<std::string_view> words;

  /// True if the text has one of `some` words.
  template <typename... Words> bool has(Words... some) const { return (words.count(some) || ...); }
  bool complete() const { return has("store") && has("prefetch") && has("vector"); }
};

std::string pieceWords() {
  std::string text;
  for (std::string_view word : kPieceWords)
    text += (text.empty() ? "" : ", ") + std::string(word) + "=";
  return text;
}

struct ScheduleParts {
  std::optional<Loop> unit;
  std::optional<int64_t> sweep;
  std::optional<Rows> rows;
  std::vector<PieceText> pieces;
};

class Parser {
public:
  explicit Parser(std::string_view text) : rest(text) {}

  Result<ScheduleParts> parse() {
    ScheduleParts parts;
    for (skipSpace(); !rest.empty(); skipSpace()) {
      if (consume('{')) {
        if (parts.pieces.size() == kMaxPieces)
          return scheduleError("expects at most " + std::to_string(kMaxPieces) + " pieces");
        Result<PieceText> piece = parsePiece();
        if (!piece)
          return piece.error();
        parts.pieces.push_back(piece.take());
        continue;
      }
      if (Status status = parseUnits(parts); !status)
        return status.error();
    }
    return parts;
  }

private:
  std::string_view rest;

  void skipSpace() {
    while (!rest.empty() && std::isspace(static_cast<unsigned char>(rest.front())))
      rest.remove_prefix(1);
  }
  bool consume(char c) {
    if (rest.empty() || rest.front() != c)
      return false;
    rest.remove_prefix(1);
    return true;
  }
  std::string_view takeWord() {
    size_t length = 0;
    while (length < rest.size() && std::isalpha(static_cast<unsigned char>(rest[length])))
      ++length;
    std::string_view word = rest.substr(0, length);
    rest.remove_prefix(length);
    return word;
  }

  Result<int64_t> parseNumber() {
    int64_t value = 0;
    auto [end, code] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    const size_t length = end - rest.data();
    if (code != std::errc() || value < 0) {
      bool isLong = code == std::errc::result_out_of_range && rest.front() != '-';
      return scheduleError(std::string("expects a number of ") +
                           (isLong ? "63 bits at most" : "0 or more") + ", but got " +
                           quoted(length == 0 ? rest : rest.substr(0, length)));
    }
    rest.remove_prefix(length);
    return value;
  }

  /// `dDIGIT:STEP`.
  Result<Loop> parseLoop() {
    if (!consume('d'))
      return scheduleError("expects dDIGIT:STEP, but got " + quoted(rest));
    Result<int64_t> digit = parseNumber();
    if (!digit)
      return digit.error();
    if (!consume(':') || *digit > std::numeric_limits<int>::max())
      return scheduleError("expects dDIGIT:STEP, but got " + quoted(rest) + " after d" +
                           std::to_string(*digit));
    Result<int64_t> step = parseNumber();
    if (!step)
      return step.error();
    return Loop{static_cast<unsigned>(*digit), *step};
  }

  /// The `=` after `word`. `isRepeated` says that `word` stood before it in `place`.
  Status takeEquals(std::string_view word, bool isRepeated, const char *place) {
    if (!consume('='))
      return scheduleError("expects '=' after " + quoted(word) + ", but got " + quoted(rest));
    if (isRepeated)
      return scheduleError(std::string("expects each word at most once ") + place + ", but " +
                           quoted(word) + " stands twice");
    return Status::success();
  }

  /// `cut`, `whole` or `together`.
  Result<Rows> parseRows() {
    std::string_view word = takeWord();
    for (Rows rows : {Rows::Cut, Rows::Whole, Rows::Together})
      if (word == wordOf(rows))
        return rows;
    return scheduleError("expects rows to be cut, whole or together, but got " +
                         quoted(word.empty() ? rest : word));
  }

  /// `unit=dDIGIT:STEP`, `sweep=UNITS` or `rows=WORD`.
  Status parseUnits(ScheduleParts &parts) {
    std::string_view word = takeWord();
    bool isSweep = word == "sweep", isRows = word == "rows";
    if (!isSweep && !isRows && word != "unit")
      return scheduleError("expects one unit=dDIGIT:STEP, at most one sweep=UNITS, at most one "
                           "rows=cut, rows=whole or rows=together and pieces in braces, but got " +
                           quoted(word.empty() ? rest : word));
    bool isRepeated = isSweep  ? parts.sweep.has_value()
                      : isRows ? parts.rows.has_value()
                               : parts.unit.has_value();
    if (Status status = takeEquals(word, isRepeated, "outside of pieces"); !status)
      return status;
    if (isRows) {
      Result<Rows> rows = parseRows();
      if (!rows)
        return rows.error();
      parts.rows = *rows;
      return Status::success();
    }
    if (isSweep) {
      Result<int64_t> sweep = parseNumber();
      if (!sweep)
        return sweep.error();
      parts.sweep = *sweep;
      return Status::success();
    }
    Result<Loop> unit = parseLoop();
    if (!unit)
      return unit.error();
    parts.unit = *unit;
    return Status::success();
  }

  /// Items with `separator` between them.
  template <typename T>
  Status parseList(char separator, std::vector<T> &list, Result<T> (Parser::*parseItem)()) {
    do {
      if (list.size() == kMaxList)
        return scheduleError("expects at most " + std::to_string(kMaxList) + " items in a list");
      Result<T> item = (this->*parseItem)();
      if (!item)
        return item.error();
      list.push_back(*item);
    } while (consume(separator));
    return Status::success();
  }

  template <typename T> Status parseValue(T &value, Result<T> (Parser::*parse)()) {
    Result<T> parsed = (this->*parse)();
    if (!parsed)
      return parsed.error();
    value = *parsed;
    return Status::success();
  }

  Result<StoreMode> parseStore() {
    // All that stands there, so that an error shows what it is about.
    std::string_view word = rest.substr(0, rest.find_first_of(" \t\n\v\f\r{}"));
    rest.remove_prefix(word.size());
    for (StoreMode store : {StoreMode::Ordinary, StoreMode::Prefetch, StoreMode::NonTemporal})
      if (word == storeWord(store))
        return store;
    return scheduleError("expects store to be ordinary, prefetch or nontemporal, but got " +
                         quoted(word));
  }

  /// The number of the loops outside of something that `key` names.
  Status parseDepth(std::string_view key, std::optional<unsigned> &depth) {
    Result<int64_t> number = parseNumber();
    if (!number)
      return number.error();
    if (*number > static_cast<int64_t>(kMaxList))
      return scheduleError("expects a " + std::string(key) + " of at most " +
                           std::to_string(kMaxList));
    depth = static_cast<unsigned>(*number);
    return Status::success();
  }

  /// The word and the `=` of the next field of `piece`, which is noted in it.
  Result<std::string_view> takeField(PieceText &piece) {
    std::string_view word = takeWord();
    if (std::count(std::begin(kPieceWords), std::end(kPieceWords), word) == 0)
      return scheduleError("expects a piece to be made of " + pieceWords() + ", but got " +
                           quoted(word.empty() ? rest : word));
    bool isRepeated = !piece.words.insert(word).second;
    if (Status status = takeEquals(word, isRepeated, "in a piece"); !status)
      return status.error();
    return word;
  }

  /// One `key=value` of a piece.
  Status parseField(PieceText &piece) {
    Result<std::string_view> taken = takeField(piece);
    if (!taken)
      return taken.error();
    std::string_view key = *taken;
    PieceSchedule &values = piece.values;
    if (key == "tile")
      return parseList('x', values.tile, &Parser::parseNumber);
    if (key == "loops")
      return parseList(',', values.loops, &Parser::parseLoop);
    if (key == "store")
      return parseValue(values.store, &Parser::parseStore);
    if (key == "prefetch")
      return parseValue(values.prefetch, &Parser::parseNumber);
    if (key == "cache")
      return parseValue(values.cache, &Parser::parseNumber);
    if (key == "near")
      return parseValue(values.near, &Parser::parseNumber);
    if (key == "vector")
      return parseValue(values.vectorBytes, &Parser::parseNumber);
    const DepthWord *known = std::find_if(std::begin(kDepthWords), std::end(kDepthWords),
                                          [&](const DepthWord &one) { return one.word == key; });
    return parseDepth(key, values.*(known->depth));
  }

  Result<PieceText> parsePiece() {
    PieceText piece;
    for (skipSpace(); !consume('}'); skipSpace()) {
      if (rest.empty())
        return scheduleError("expects a '}' after a piece");
      if (Status status = parseField(piece); !status)
        return status.error();
    }
    // A piece of no loops is printed without the word.
    if (piece.has("tile") && piece.complete())
      piece.words.insert("loops");
    return piece;
  }
};

std::string pieceText(const PieceSchedule &piece) {
  std::string text = "{";
  for (size_t i = 0; i < piece.tile.size(); ++i)
    text += (i ? "x" : "tile=") + std::to_string(piece.tile[i]);
  text += piece.tile.empty() ? "" : " ";
  for (size_t i = 0; i < piece.loops.size(); ++i)
    text += (i ? ",d" : "loops=d") + std::to_string(piece.loops[i].digit) + ":" +
            std::to_string(piece.loops[i].step);
  text += piece.loops.empty() ? "" : " ";
  for (auto [word, depth] : kDepthWords)
    if (piece.*depth)
      text += std::string(word) + "=" + std::to_string(*(piece.*depth)) + " ";
  return text + "store=" + storeWord(piece.store) + " prefetch=" + std::to_string(piece.prefetch) +
         (piece.cache == 1 ? "" : " cache=" + std::to_string(piece.cache)) +
         (piece.near == 0 ? "" : " near=" + std::to_string(piece.near)) +
         " vector=" + std::to_string(piece.vectorBytes) + "}";
}

void pin(PieceSchedule &piece, const PieceText &text) {
  if (text.has("tile"))
    piece.tile = text.values.tile;
  if (text.has("loops"))
    piece.loops = text.values.loops;
  // Loops without a stage are a nest without one, and fetch no blocks unless they say so.
  for (auto [word, depth] : kDepthWords)
    if (text.has(word, "loops") || (word == "carry" && text.has("stage")))
      piece.*depth = text.values.*depth;
  // Nothing comes near of other blocks unless they say so.
  if (text.has("near", "fetch", "pack", "loops"))
    piece.near = text.values.near;
  if (text.has("store"))
    piece.store = text.values.store;
  if (text.has("prefetch"))
    piece.prefetch = text.values.prefetch;
  // A prefetch is into the first cache unless it says so.
  if (text.has("prefetch", "cache"))
    piece.cache = text.values.cache;
  if (text.has("vector"))
    piece.vectorBytes = text.values.vectorBytes;
}

} // namespace

std::string Schedule::str() const {
  std::string text = "unit=d" + std::to_string(unitDigit) + ":" + std::to_string(unitStep);
  if (sweep != 0)
    text += " sweep=" + std::to_string(sweep);
  if (rows != Rows::Cut)
    text += std::string(" rows=") + wordOf(rows);
  for (const PieceSchedule &piece : pieces)
    text += " " + pieceText(piece);
  return text;
}

Result<Schedule> relayout::parseSchedule(std::string_view text) {
  Result<ScheduleParts> parts = Parser(text).parse();
  if (!parts)
    return parts.error();
  if (!parts->unit)
    return scheduleError("expects unit=dDIGIT:STEP");
  Schedule schedule;
  schedule.unitDigit = parts->unit->digit;
  schedule.unitStep = parts->unit->step;
  schedule.sweep = parts->sweep.value_or(0);
  schedule.rows = parts->rows.value_or(Rows::Cut);
  for (PieceText &piece : parts->pieces) {
    if (!piece.complete())
      return scheduleError("expects store=, prefetch= and vector= in each piece");
    schedule.pieces.push_back(std::move(piece.values));
  }
  return schedule;
}

Status relayout::checkScheduleText(std::string_view text) {
  Result<ScheduleParts> parts = Parser(text).parse();
  return parts ? Status::success() : Status(parts.error());
}

std::optional<Rows> relayout::pinnedRows(std::string_view text) {
  Result<ScheduleParts> parts = Parser(text).parse();
  return parts ? parts->rows : std::nullopt;
}

size_t relayout::pinnedPieces(std::string_view text) {
  Result<ScheduleParts> parts = Parser(text).parse();
  return parts ? parts->pieces.size() : 0;
}

Result<Schedule> relayout::overrideSchedule(const Schedule &base, std::string_view text) {
  Result<ScheduleParts> parts = Parser(text).parse();
  if (!parts)
    return parts.error();
  if (parts->rows.value_or(base.rows) != base.rows)
    return scheduleError("expects rows to be " + std::string(wordOf(base.rows)) +
                         " as in the schedule of which parts are pinned");
  size_t given = parts->pieces.size();
  size_t pieces = base.pieces.size();
  if (given > 1 && given != pieces)
    return scheduleError("expects 1 " +
                         (pieces > 1 ? "or " + std::to_string(pieces) + " pieces" : "piece") +
                         " in braces, but got " + std::to_string(given));
  Schedule schedule = base;
  if (parts->unit) {
    schedule.unitDigit = parts->unit->digit;
    schedule.unitStep = parts->unit->step;
  }
  // Units without a sweep are those of each piece on its own.
  if (parts->sweep || parts->unit)
    schedule.sweep = parts->sweep.value_or(0);
  for (size_t i = 0; given != 0 && i < schedule.pieces.size(); ++i)
    pin(schedule.pieces[i], parts->pieces[given == 1 ? 0 : i]);
  return schedule;
}

Result<ResultHint> relayout::parseResultHint(std::string_view word) {
  if (word == "auto")
    return ResultHint::Auto;
  if (word == "hot")
    return ResultHint::Hot;
  if (word == "cold")
    return ResultHint::Cold;
  return Error{ErrorCode::Usage,
               "expects a result hint of auto, hot or cold, but got '" + std::string(word) + "'"};
}
