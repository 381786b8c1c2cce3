// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TileCost.h"
#include "TileStages.h"

#include "llvm/ADT/bit.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <queue>
#include <unordered_map>

namespace relayout {

namespace {

/// Where each position of the lane number comes from: a position before the shuffle,
/// or `size` for the bit that tells the two sources apart.
struct Pattern {
  std::vector<int> from;
  int leaving = -1; ///< the position whose bit leaves, -1 for one source
  double price = 0;
  double firstPrice = 0; ///< where the sources are loads
};

/// LaneBits in one word, 8 bits a position.
using PackedLanes = uint64_t;

struct State {
  PackedLanes lanes;
  int parent;
  int entering;
  double cost;
  bool isDone = false;
};

class StageSearch {
public:
  StageSearch(const LaneProblem &problem, VectorISA isa, int64_t unitBytes, double limit)
      : problem(problem), isa(isa), unitBytes(unitBytes), limit(limit),
        size(static_cast<int>(problem.start.size())) {}
  std::optional<std::vector<TileStage>> run();

private:
  int bitAt(PackedLanes lanes, int position) const { return lanes >> 8 * position & 0xFF; }
  PackedLanes pack(const LaneBits &bits) const;
  LaneBits unpack(PackedLanes lanes) const;
  uint64_t members(PackedLanes lanes) const;
  PackedLanes canonical(PackedLanes lanes) const;
  int disorder(PackedLanes lanes) const;
  void addPattern(std::vector<int> from, double most);
  void addPatterns();
  double price(const Pattern &pattern) const;
  void setPrices(Pattern &pattern) const;
  int chunkBits() const;
  double registers(uint64_t members) const;
  void push(PackedLanes lanes, int parent, int entering, double cost);
  void apply(int at, const Pattern &pattern, int entering);
  void expand(int at);
  void finish(int at);
  std::vector<TileStage> path(int at) const;
  std::optional<std::vector<TileStage>> search();

  const LaneProblem &problem;
  VectorISA isa;
  int64_t unitBytes;
  double limit;
  int size;
  PackedLanes target = 0;
  uint64_t wanted = 0;            ///< the members of the target
  double haste = 1;               ///< weight of the stages to come
  std::vector<int> placeInTarget; ///< of each bit, -1 for those that must leave
  std::map<std::vector<int>, Pattern> directPatterns;
  std::vector<Pattern> patterns;
  std::vector<State> states;
  std::unordered_map<PackedLanes, int> known;
  using Entry = std::pair<double, int>; ///< (estimate, minus the state): newest first
  std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> open;
};

/// States looked at before the search gives up.
constexpr int kMaxExpansions = 300;

} // namespace

PackedLanes StageSearch::pack(const LaneBits &bits) const {
  PackedLanes lanes = 0;
  for (int position = 0; position < size; ++position)
    lanes |= static_cast<PackedLanes>(bits[position]) << 8 * position;
  return lanes;
}

LaneBits StageSearch::unpack(PackedLanes lanes) const {
  LaneBits bits(size);
  for (int position = 0; position < size; ++position)
    bits[position] = bitAt(lanes, position);
  return bits;
}

/// The set of the bits in `lanes`.
uint64_t StageSearch::members(PackedLanes lanes) const {
  uint64_t set = 0;
  for (int position = 0; position < size; ++position)
    set |= uint64_t(1) << bitAt(lanes, position);
  return set;
}

/// The price of the shuffles of `pattern`, for a leaving bit of 0 and of 1.
double StageSearch::price(const Pattern &pattern) const {
  int lanes = 1 << size, variants = pattern.leaving < 0 ? 1 : 2;
  double sum = 0;
  std::vector<int> mask(lanes);
  for (int variant = 0; variant < variants; ++variant) {
    for (int lane = 0; lane < lanes; ++lane) {
      mask[lane] = pattern.leaving < 0 ? 0 : variant << pattern.leaving;
      for (int position = 0; position < size; ++position)
        mask[lane] |= (lane >> position & 1) << pattern.from[position];
    }
    sum += shufflePrice(isa, unitBytes, mask);
  }
  return sum / variants;
}

/// `lanes` with one name for all real bits that must leave, another for all fillers
/// that must: what is to come is the same whichever they are.
PackedLanes StageSearch::canonical(PackedLanes lanes) const {
  for (int position = 0; position < size; ++position)
    if (int bit = bitAt(lanes, position); !(wanted >> bit & 1)) {
      PackedLanes name = bit < problem.bits ? 0xFE : 0xFF;
      lanes = (lanes & ~(PackedLanes(0xFF) << 8 * position)) | name << 8 * position;
    }
  return lanes;
}

/// The positions of a lane number within 16 bytes.
int StageSearch::chunkBits() const {
  int bits = 0;
  while (unitBytes << bits < 16)
    ++bits;
  return bits;
}

void StageSearch::setPrices(Pattern &pattern) const {
  pattern.price = pattern.firstPrice = price(pattern);
  // LLVM takes a shuffle of whole chunks of loads apart into loads of chunks, and
  // what follows with it.
  constexpr double kTornApart = 2;
  bool movesChunks = chunkBits() > 0;
  for (int position = 0; position < chunkBits(); ++position)
    movesChunks &= pattern.from[position] == position;
  if (movesChunks)
    pattern.firstPrice += kTornApart;
}

/// How far the bits that stay are from their order in the target: pairs the wrong way
/// round, and bits on the wrong side of a chunk's border. No bound on the cost to
/// come, but of two states with one estimate the tidier is nearer to the end.
int StageSearch::disorder(PackedLanes lanes) const {
  int inChunk = chunkBits(), count = 0;
  std::vector<int> places; // in the target, in the order of the lanes
  for (int position = 0; position < size; ++position)
    if (int place = placeInTarget[bitAt(lanes, position)]; place >= 0) {
      count += (position < inChunk) != (place < inChunk);
      for (int below : places)
        count += below > place;
      places.push_back(place);
    }
  return count;
}

/// Adds a pattern unless its price is above `most`.
void StageSearch::addPattern(std::vector<int> from, double most) {
  Pattern pattern;
  std::vector<char> isUsed(size + 1, 0);
  for (int position : from)
    isUsed[position] = 1;
  if (isUsed[size])
    pattern.leaving = static_cast<int>(std::find(isUsed.begin(), isUsed.end(), 0) - isUsed.begin());
  pattern.from = std::move(from);
  setPrices(pattern);
  bool isKnown = std::any_of(patterns.begin(), patterns.end(),
                             [&](const Pattern &p) { return p.from == pattern.from; });
  if (pattern.price <= most && !isKnown)
    patterns.push_back(std::move(pattern));
}

void StageSearch::addPatterns() {
  constexpr double kAny = 100, kCheap = 1.3;
  std::vector<int> same(size);
  std::iota(same.begin(), same.end(), 0);
  // The bit enters at `low`, the positions above move up as far as `high`, whose bit
  // leaves: unpack and zip. Or the other way round: uzp, shufps, shuf64x2.
  for (int low = 0; low < size; ++low)
    for (int high = low; high < size; ++high) {
      std::vector<int> up = same, down = same;
      for (int position = low; position < high; ++position) {
        up[position + 1] = position;
        down[position] = position + 1;
      }
      up[low] = down[high] = size;
      addPattern(std::move(up), low == high ? kAny : kCheap);
      addPattern(std::move(down), kCheap);
    }
  // One source: any order of the positions within a chunk, or of those of lanes of
  // 4 bytes and more.
  int inChunk = std::min(chunkBits(), size), inWord = 0;
  while (unitBytes << inWord < 4)
    ++inWord;
  for (auto [first, last] : {std::pair<int, int>{0, inChunk}, {inWord, size}}) {
    std::vector<int> order = same;
    while (last - first > 1 && std::next_permutation(order.begin() + first, order.begin() + last))
      addPattern(order, kCheap);
  }
}

/// Registers in use while `members` are in the lanes.
double StageSearch::registers(uint64_t members) const {
  uint64_t real = members & ((uint64_t(1) << problem.bits) - 1);
  return static_cast<double>(int64_t(1) << (problem.bits - llvm::popcount(real)));
}

void StageSearch::push(PackedLanes lanes, int parent, int entering, double cost) {
  uint64_t set = members(lanes);
  double least = std::min(registers(set), registers(wanted));
  double estimate = cost + llvm::popcount(wanted & ~set) * least;
  if (estimate >= limit)
    return;
  auto [place, isNew] = known.try_emplace(canonical(lanes), static_cast<int>(states.size()));
  if (!isNew && states[place->second].cost <= cost)
    return;
  place->second = static_cast<int>(states.size());
  constexpr double kTieBreak = 1e-3;
  double rest = (estimate - cost) * haste + kTieBreak * disorder(lanes);
  open.push({cost + rest, -place->second});
  states.push_back({lanes, parent, entering, cost});
}

void StageSearch::apply(int at, const Pattern &pattern, int entering) {
  PackedLanes lanes = 0;
  for (int position = 0; position < size; ++position) {
    int from = pattern.from[position];
    int bit = from == size ? entering : bitAt(states[at].lanes, from);
    lanes |= static_cast<PackedLanes>(bit) << 8 * position;
  }
  double stagePrice = states[at].parent < 0 ? pattern.firstPrice : pattern.price;
  push(lanes, at, entering, states[at].cost + stagePrice * registers(members(lanes)));
}

void StageSearch::expand(int at) {
  uint64_t missing = wanted & ~members(states[at].lanes);
  for (const Pattern &pattern : patterns) {
    if (pattern.leaving < 0)
      apply(at, pattern, -1);
    else
      for (uint64_t rest = missing; rest; rest &= rest - 1)
        apply(at, pattern, llvm::countr_zero(rest));
  }
}

/// Adds the shuffle that goes straight to the target, where one does.
void StageSearch::finish(int at) {
  uint64_t set = members(states[at].lanes);
  if (llvm::popcount(wanted & ~set) > 1)
    return;
  LaneBits lanes = unpack(states[at].lanes);
  Pattern pattern;
  int entering = -1;
  for (int bit : problem.target) {
    auto place = std::find(lanes.begin(), lanes.end(), bit);
    pattern.from.push_back(static_cast<int>(place - lanes.begin()));
    if (place == lanes.end())
      entering = bit;
  }
  for (int position = 0; position < size; ++position)
    if (!(wanted >> lanes[position] & 1))
      pattern.leaving = position;
  auto [direct, isNew] = directPatterns.try_emplace(pattern.from, pattern);
  if (isNew)
    setPrices(direct->second);
  apply(at, direct->second, entering);
}

std::vector<TileStage> StageSearch::path(int at) const {
  std::vector<TileStage> stages;
  for (; states[at].parent >= 0; at = states[at].parent)
    stages.push_back({states[at].entering, unpack(states[at].lanes)});
  std::reverse(stages.begin(), stages.end());
  return stages;
}

std::optional<std::vector<TileStage>> StageSearch::search() {
  states.clear();
  known.clear();
  open = {};
  push(pack(problem.start), -1, -1, 0);
  if (!open.empty() && patterns.empty())
    addPatterns();
  for (int count = 0; !open.empty() && count < kMaxExpansions;) {
    int at = -open.top().second;
    open.pop();
    if (states[at].lanes == target)
      return path(at);
    if (states[at].isDone)
      continue;
    states[at].isDone = true;
    ++count;
    finish(at);
    expand(at);
  }
  return std::nullopt;
}

std::optional<std::vector<TileStage>> StageSearch::run() {
  target = pack(problem.target);
  wanted = members(target);
  placeInTarget.assign(64, -1);
  for (int position = 0; position < size; ++position)
    placeInTarget[problem.target[position]] = position;
  // Where the cheapest end is not soon found, some end is better than none: the
  // second time, what is far from the end counts more.
  for (double weight : {1.0, 2.0}) {
    haste = weight;
    if (std::optional<std::vector<TileStage>> stages = search())
      return stages;
  }
  return std::nullopt;
}

std::optional<std::vector<TileStage>> findStages(const LaneProblem &problem, VectorISA isa,
                                                 int64_t unitBytes, double limit) {
  if (problem.start.size() > 8 || problem.bits + problem.start.size() > 60)
    return std::nullopt;
  return StageSearch(problem, isa, unitBytes, limit).run();
}

} // namespace relayout
