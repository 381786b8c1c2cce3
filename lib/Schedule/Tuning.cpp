// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The candidates that a measurement chooses among, where the cost model is not trusted.

#include "Pieces/Blocks.h"
#include "Pieces/BuildPiece.h"
#include "Pieces/Pieces.h"
#include "Pieces/Segments.h"
#include "Units.h"

#include "relayout/Support/CacheLine.h"

#include <algorithm>
#include <set>

using namespace relayout;

namespace {

/// Tiles, each with every order of the loops around it and every distance of prefetch.
std::vector<Knobs> tilesWithOrders(const PieceView &view, const Knobs &base,
                                   const TargetInfo &target) {
  std::vector<Knobs> tiles = rankedKnobs(view, base, target);
  for (int64_t bytes : {base.inMost / 2, 2 * base.inMost, 4 * base.inMost}) {
    tiles.push_back(base);
    tiles.back().inMost = std::max(bytes, view.problem.width);
    tiles.back().inLeast = tiles.back().inMost * 3 / 4;
  }
  for (int64_t vectors : {1, 24}) {
    tiles.push_back(base);
    tiles.back().vectors = vectors;
  }
  std::vector<Knobs> all;
  for (const Knobs &tile : tiles)
    for (int64_t streams : {1, 4, 8, 16})
      for (int64_t pages :
           {base.pages, int64_t(0), int64_t(256), 4 * target.tlbPages, 16 * target.tlbPages})
        for (int64_t lines : {0, 2, 8}) {
          all.push_back(tile);
          all.back().streams = streams;
          all.back().pages = pages;
          all.back().prefetchBytes = lines * kLineBytes;
        }
  return all;
}

/// The tiles of `rankedKnobs`, each in orders that fetch blocks.
std::vector<Knobs> tilesWithFetches(const PieceView &view, const Knobs &base,
                                    const TargetInfo &target) {
  std::vector<Knobs> all;
  if (view.fill)
    return all;
  for (const Knobs &tile : rankedKnobs(view, base, target))
    for (movement::Side along : {movement::Side::Out, movement::Side::In})
      for (int64_t lines : {1, 2, 4, 16})
        for (int64_t bytes : {512, 2048, 8192}) {
          all.push_back(tile);
          all.back().visitBytes = lines * kLineBytes;
          all.back().fetchBytes = bytes;
          all.back().along = along;
        }
  return all;
}

/// Adds `piece` with each of its digits in a few segments.
void addWithSegments(const PieceView &view, const PieceSchedule &piece, const TargetInfo &target,
                     std::vector<PieceSchedule> &variants) {
  for (unsigned d = 0; d < view.problem.digits.size(); ++d)
    for (int64_t count : {2, 4, 8, 16})
      if (std::optional<PieceSchedule> cut = addSegments(view, piece, d, count, target))
        variants.push_back(std::move(*cut));
}

/// Adds `piece`, and as blocks of the input that are fetched.
void addWithFetches(const PieceView &view, PieceSchedule piece, const TargetInfo &target,
                    std::vector<PieceSchedule> &variants) {
  variants.push_back(piece);
  if (std::optional<PieceSchedule> blocks = fetchCarried(view, target, piece))
    variants.push_back(std::move(*blocks));
  if (view.fill || !piece.stage)
    return;
  std::optional<unsigned> outermost = fetchDepth(view, piece, target);
  if (!outermost)
    return;
  for (unsigned depth = *outermost; depth <= std::min(*outermost + 1, *piece.stage); ++depth) {
    piece.fetch = depth;
    piece.prefetch = 0;
    variants.push_back(piece);
  }
}

/// Schedules of one piece, the same ones perhaps several times; of one whose rows are whole if
/// `hasRows`.
std::vector<PieceSchedule> variantsOf(const PieceView &view, const Knobs &base,
                                      const TargetInfo &target, bool hasRows) {
  if (hasRows && view.problem.hasWindows())
    return wholeRowPieces(view, base, target);
  std::vector<PieceSchedule> variants;
  for (const Knobs &knobs : tilesWithOrders(view, base, target)) {
    variants.push_back(buildPiece(view, target, knobs));
    // A staged piece has one order for each number of streams.
    if (knobs.pages == base.pages)
      if (std::optional<PieceSchedule> staged = stagePiece(view, target, knobs))
        addWithFetches(view, std::move(*staged), target, variants);
  }
  for (const Knobs &knobs : tilesWithFetches(view, base, target))
    variants.push_back(buildPiece(view, target, knobs));
  for (const Knobs &knobs : rankedKnobs(view, base, target))
    if (!view.fill)
      addWithSegments(view, buildPiece(view, target, knobs), target, variants);
  for (int64_t streams : {1, 8})
    for (PieceSchedule &carried :
         carryPieces(view, target, rankedKnobs(view, base, target), streams)) {
      addWithSegments(view, carried, target, variants);
      addWithFetches(view, std::move(carried), target, variants);
    }
  for (StoreMode store : {StoreMode::Ordinary, StoreMode::Prefetch, StoreMode::NonTemporal}) {
    Knobs knobs = base;
    knobs.store = store;
    variants.push_back(buildPiece(view, target, knobs));
  }
  return variants;
}

/// What is picked for `target`, and what would be if its memory were that of another family: rules
/// that were found on one may hold on the next. Then what is picked with rows as the first one does
/// not have them, if that is possible.
std::vector<Schedule> picksOfFamilies(const Problem &problem, const TargetInfo &target,
                                      const ScheduleOptions &options) {
  std::vector<Schedule> picks;
  auto add = [&](const TargetInfo &machine) {
    if (Result<Schedule> picked = pickSchedule(problem, machine, options))
      picks.push_back(picked.take());
  };
  add(target);
  for (const char *cpu : {"sapphirerapids", "znver4", "znver5"}) {
    TargetInfo other = target;
    other.memory = memoryTraits(cpu);
    add(other);
  }
  for (Rows rows : {Rows::Cut, Rows::Whole, Rows::Together}) {
    if (picks.empty() || options.rows || rows == picks.front().rows)
      continue;
    ScheduleOptions others = options;
    others.rows = rows;
    if (Result<Schedule> picked = pickSchedule(problem, target, others))
      picks.push_back(picked.take());
  }
  return picks;
}

/// `count` of the candidates: the first half of them, the others at even distances.
std::vector<Schedule> spread(std::vector<Schedule> ranked, size_t count) {
  if (ranked.size() <= count)
    return ranked;
  std::vector<Schedule> chosen;
  size_t best = (count + 1) / 2, rest = count - best;
  for (size_t i = 0; i < best; ++i)
    chosen.push_back(std::move(ranked[i]));
  for (size_t i = 0; i < rest; ++i)
    chosen.push_back(std::move(ranked[best + i * (ranked.size() - best) / rest]));
  return chosen;
}

} // namespace

std::vector<Schedule> relayout::candidateSchedules(const Problem &problem, const TargetInfo &target,
                                                   const ScheduleOptions &options, unsigned count) {
  std::vector<Schedule> picks = picksOfFamilies(problem, target, options);
  if (picks.empty())
    return picks;
  Rows rows = picks.front().rows;
  std::vector<Piece> pieces = piecesOf(problem, picks.front());
  std::vector<std::vector<PieceSchedule>> variants;
  size_t most = 0;
  for (const PieceView &view : viewPieces(problem, pieces, target)) {
    Knobs base = defaultKnobs(view, target, options.result);
    PieceSchedule picked = picks.front().pieces[variants.size()];
    variants.push_back(variantsOf(view, base, target, rows != Rows::Cut));
    if (variants.back().empty()) // of whole rows, in an order of its own
      variants.back().push_back(std::move(picked));
    most = std::max(most, variants.back().size());
  }
  std::vector<Schedule> found;
  std::vector<std::pair<double, size_t>> order; // by what is predicted, negated
  std::set<std::string> seen;
  auto add = [&](Schedule schedule, bool isPicked) {
    if (!seen.insert(schedule.str()).second)
      return;
    // No prediction is above 1.
    order.push_back({isPicked ? -2 : -predict(schedule, problem, target).ratio, found.size()});
    found.push_back(std::move(schedule));
  };
  for (Schedule &picked : picks)
    add(std::move(picked), /*isPicked=*/true);
  for (size_t variant = 0; variant < most; ++variant) {
    std::vector<PieceSchedule> schedules;
    for (const std::vector<PieceSchedule> &ofPiece : variants)
      schedules.push_back(ofPiece[std::min(variant, ofPiece.size() - 1)]);
    add(scheduleOf(problem, pieces, std::move(schedules), target, options.threads, rows),
        /*isPicked=*/false);
  }
  std::sort(order.begin(), order.end());
  std::vector<Schedule> ranked;
  for (auto [ratio, i] : order)
    ranked.push_back(std::move(found[i]));
  return spread(std::move(ranked), count);
}
