// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TileStages.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>

namespace relayout {

namespace {

/// A bit of one digit's value.
struct DigitBit {
  int digit;
  int power;
};

/// A tile in bits: its low digits as bits, what is left of them as groups that all
/// run through the same stages.
struct BitSpace {
  std::vector<int> digitBits; ///< of each digit: how many of its low bits are bits
  std::vector<int> firstBit;  ///< of each digit: the number of its lowest bit
  int groups = 1;
  LaneProblem lanes;
  std::vector<int> unit; ///< of (group, value of the bits): the unit of the input, or -1
};

/// The registers between two stages.
struct RegisterFile {
  LaneBits lanes;
  std::vector<int> nodes; ///< of (group, value of the bits, those of lanes 0), -1: empty
};

} // namespace

static int bitsFor(int64_t extent) { return static_cast<int>(llvm::Log2_64_Ceil(extent)); }

/// The digits' bits that number the lanes of a vector of one side: its digits from
/// the smallest stride up, while they are contiguous. A digit that is no power of two
/// takes the bits that hold it, and ends the vector where `isInput`: lanes must be
/// contiguous in what is loaded.
static std::vector<DigitBit> laneBits(const UnitMap &map, int lanes, bool isInput) {
  std::vector<int> order(map.digits.size());
  std::iota(order.begin(), order.end(), 0);
  auto stride = [&](int d) { return isInput ? map.digits[d].inStride : map.digits[d].outStride; };
  std::sort(order.begin(), order.end(), [&](int a, int b) { return stride(a) < stride(b); });
  std::vector<DigitBit> bits;
  int64_t expected = map.unitElements;
  for (int digit : order) {
    int room = bitsFor(lanes) - static_cast<int>(bits.size());
    if (room == 0 || stride(digit) != expected)
      break;
    int64_t extent = map.digits[digit].extent;
    int count = std::min(room, bitsFor(extent));
    for (int power = 0; power < count; ++power)
      bits.push_back({digit, power});
    if (isInput && (int64_t(1) << count) != extent)
      break;
    expected *= extent;
  }
  return bits;
}

/// The lanes in numbers of bits, filled up with fillers.
static LaneBits numberLanes(const BitSpace &space, const std::vector<DigitBit> &bits, int lanes) {
  LaneBits numbers;
  for (const DigitBit &bit : bits)
    numbers.push_back(space.firstBit[bit.digit] + bit.power);
  for (int position = static_cast<int>(bits.size()); position < bitsFor(lanes); ++position)
    numbers.push_back(space.lanes.bits + position);
  return numbers;
}

/// The place in the input of a unit of `group` whose bits are `value`; -1 if a digit
/// runs past its extent there.
static int findUnit(const UnitMap &map, const BitSpace &space, int group, int value) {
  int64_t offset = 0;
  for (size_t d = 0; d < map.digits.size(); ++d) {
    int64_t bits = value >> space.firstBit[d] & ((1 << space.digitBits[d]) - 1);
    int64_t high = (map.digits[d].extent + (1 << space.digitBits[d]) - 1) >> space.digitBits[d];
    int64_t digit = group % high << space.digitBits[d] | bits;
    group /= static_cast<int>(high);
    if (digit >= map.digits[d].extent)
      return -1;
    offset += digit * map.digits[d].inStride;
  }
  auto place = std::lower_bound(map.in.offset.begin(), map.in.offset.end(), offset);
  return static_cast<int>(place - map.in.offset.begin());
}

/// `shape`'s tile in bits; none if too many of them would be empty.
static std::optional<BitSpace> buildBits(const NetworkShape &shape) {
  const UnitMap &map = *shape.map;
  std::vector<DigitBit> in = laneBits(map, shape.lanes, true);
  std::vector<DigitBit> out = laneBits(map, shape.lanes, false);
  BitSpace space;
  space.digitBits.assign(map.digits.size(), 0);
  for (const std::vector<DigitBit> *bits : {&in, &out})
    for (const DigitBit &bit : *bits)
      space.digitBits[bit.digit] = std::max(space.digitBits[bit.digit], bit.power + 1);
  space.lanes.bits = 0;
  int64_t groups = 1;
  for (size_t d = 0; d < map.digits.size(); ++d) {
    int64_t extent = map.digits[d].extent;
    if (extent % (int64_t(1) << space.digitBits[d]) != 0)
      space.digitBits[d] = bitsFor(extent);
    space.firstBit.push_back(space.lanes.bits);
    space.lanes.bits += space.digitBits[d];
    groups *= std::max<int64_t>(extent >> space.digitBits[d], 1);
  }
  constexpr int64_t kMostEmpty = 4;
  if (space.lanes.bits > 14 || (groups << space.lanes.bits) > kMostEmpty * map.in.size())
    return std::nullopt;
  space.groups = static_cast<int>(groups);
  space.lanes.start = numberLanes(space, in, shape.lanes);
  space.lanes.target = numberLanes(space, out, shape.lanes);
  for (int group = 0; group < space.groups; ++group)
    for (int value = 0; value < 1 << space.lanes.bits; ++value)
      space.unit.push_back(findUnit(map, space, group, value));
  return space;
}

/// The value of the bits in each lane; -1 where a filler is 1.
static std::vector<int> laneValues(const BitSpace &space, const LaneBits &lanes) {
  std::vector<int> values(size_t(1) << lanes.size(), 0);
  for (size_t lane = 0; lane < values.size(); ++lane)
    for (size_t position = 0; position < lanes.size(); ++position)
      if (lane >> position & 1)
        values[lane] = lanes[position] >= space.lanes.bits || values[lane] < 0
                           ? -1
                           : values[lane] | 1 << lanes[position];
  return values;
}

/// Calls `visit(index, units)` for every register that `lanes` leaves: `index` is its
/// place in RegisterFile::nodes, `units` what its lanes hold. Empty ones are left out.
template <typename Function>
static void forEachRegister(const BitSpace &space, const LaneBits &lanes, Function visit) {
  std::vector<int> values = laneValues(space, lanes);
  int inLanes = 0, count = 1 << space.lanes.bits;
  for (int value : values)
    inLanes |= std::max(value, 0);
  Network::Units units(values.size());
  for (int index = 0; index < space.groups * count; ++index) {
    if (index % count & inLanes)
      continue;
    bool isEmpty = true;
    for (size_t lane = 0; lane < values.size(); ++lane) {
      units[lane] = values[lane] < 0 ? -1 : space.unit[index | values[lane]];
      isEmpty &= units[lane] < 0;
    }
    if (!isEmpty)
      visit(index, units);
  }
}

static int loadRegister(Network &network, const Network::Units &units) {
  const UnitSide &in = network.getShape().map->in;
  int lanes = network.getShape().lanes, count = 0;
  while (count < lanes && units[count] >= 0)
    ++count;
  // More than is asked for does no harm where the run has it.
  bool isWhole = units[0] + lanes <= in.runEnd[units[0]];
  return network.load(units[0], isWhole ? lanes : count);
}

static RegisterFile loadAll(Network &network, const BitSpace &space) {
  RegisterFile file{space.lanes.start, std::vector<int>(space.unit.size(), -1)};
  forEachRegister(space, file.lanes, [&](int index, const Network::Units &units) {
    file.nodes[index] = loadRegister(network, units);
  });
  return file;
}

static RegisterFile runStage(Network &network, const BitSpace &space, const RegisterFile &before,
                             const TileStage &stage) {
  RegisterFile after{stage.lanes, std::vector<int>(space.unit.size(), -1)};
  bool isReal = stage.entering >= 0 && stage.entering < space.lanes.bits;
  int leaving = 0; // the value of the real bit that leaves
  for (int bit : before.lanes)
    if (bit < space.lanes.bits &&
        std::find(stage.lanes.begin(), stage.lanes.end(), bit) == stage.lanes.end())
      leaving = 1 << bit;
  forEachRegister(space, stage.lanes, [&](int index, const Network::Units &units) {
    int source = index & ~leaving;
    int a = before.nodes[source], b = isReal ? before.nodes[source | 1 << stage.entering] : -1;
    after.nodes[index] = a < 0 ? network.select(b, -1, units) : network.select(a, b, units);
  });
  return after;
}

/// Stores the outputs, each merged from the registers that hold it: one, unless the
/// output's digits are no powers of two.
static void storeAll(Network &network, const RegisterFile &file,
                     const std::vector<OutVector> &outputs) {
  std::vector<int> holder(network.getShape().map->in.size(), -1);
  for (int node : file.nodes)
    if (node >= 0)
      for (int unit : network.units(node))
        if (unit >= 0)
          holder[unit] = node;
  for (const OutVector &output : outputs) {
    std::vector<int> sources;
    for (int unit : output.wanted)
      if (unit >= 0 && std::find(sources.begin(), sources.end(), holder[unit]) == sources.end())
        sources.push_back(holder[unit]);
    network.store(network.merge(sources, output.wanted), output);
  }
}

std::optional<Network> stagedNetwork(const NetworkShape &shape,
                                     const std::vector<OutVector> &outputs, double limit) {
  std::optional<BitSpace> space = buildBits(shape);
  if (!space)
    return std::nullopt;
  std::optional<std::vector<TileStage>> stages =
      findStages(space->lanes, shape.target->isa, shape.map->unitBytes, limit / space->groups);
  if (!stages)
    return std::nullopt;
  Network network(shape);
  RegisterFile file = loadAll(network, *space);
  for (const TileStage &stage : *stages)
    file = runStage(network, *space, file, stage);
  storeAll(network, file, outputs);
  return network;
}

} // namespace relayout
