// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TileUnits.h"

#include "relayout/Layout/CheckedMath.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace relayout {

int64_t Tile::elements() const {
  int64_t count = 1;
  for (const Digit &digit : digits) {
    if (digit.extent < 1)
      return 0;
    std::optional<int64_t> product = checkedMul(count, digit.extent);
    if (!product)
      return -1;
    count = *product;
  }
  return count;
}

static Error tileError(ErrorCode code, std::string message) { return {code, std::move(message)}; }

static Status checkTile(const Tile &tile) {
  if (tile.width < 1 || tile.width > 16 || !llvm::isPowerOf2_64(tile.width))
    return tileError(ErrorCode::Type, "expects elements of 1, 2, 4, 8 or 16 bytes, but got " +
                                          std::to_string(tile.width));
  for (const Digit &digit : tile.digits)
    if (digit.extent < 1)
      return tileError(ErrorCode::Schedule,
                       "expects the extents of a tile to be positive, but got " +
                           std::to_string(digit.extent));
  int64_t elements = tile.elements();
  if (elements < 0 || elements > kMaxTileElements)
    return tileError(ErrorCode::Schedule,
                     "expects a tile of at most " + std::to_string(kMaxTileElements) +
                         " elements, but got " +
                         (elements < 0 ? "more than 64 bits count" : std::to_string(elements)));
  return Status::success();
}

/// The digits of `tile` without those of extent 1, the ones that are adjacent on
/// both sides merged; by ascending output stride.
static std::vector<Digit> reducedDigits(const Tile &tile) {
  std::vector<Digit> sorted, merged;
  for (const Digit &digit : tile.digits)
    if (digit.extent > 1)
      sorted.push_back(digit);
  std::sort(sorted.begin(), sorted.end(),
            [](const Digit &a, const Digit &b) { return a.outStride < b.outStride; });
  for (const Digit &digit : sorted) {
    std::optional<int64_t> in, out;
    if (!merged.empty()) {
      in = checkedMul(merged.back().inStride, merged.back().extent);
      out = checkedMul(merged.back().outStride, merged.back().extent);
    }
    if (in && out && *in == digit.inStride && *out == digit.outStride)
      merged.back().extent *= digit.extent;
    else
      merged.push_back(digit);
  }
  return merged;
}

/// The offsets of all combinations of `digits` on both sides; false on overflow.
static bool enumerate(const std::vector<Digit> &digits,
                      std::vector<std::pair<int64_t, int64_t>> &offsets) {
  offsets.assign(1, {0, 0});
  for (const Digit &digit : digits) {
    size_t count = offsets.size();
    for (int64_t value = 1; value < digit.extent; ++value) {
      std::optional<int64_t> in = checkedMul(value, digit.inStride);
      std::optional<int64_t> out = checkedMul(value, digit.outStride);
      for (size_t i = 0; i < count; ++i) {
        std::optional<int64_t> inSum = in ? checkedAdd(offsets[i].first, *in) : std::nullopt;
        std::optional<int64_t> outSum = out ? checkedAdd(offsets[i].second, *out) : std::nullopt;
        if (!inSum || !outSum)
          return false;
        offsets.push_back({*inSum, *outSum});
      }
    }
  }
  return true;
}

/// Fills in the runs of `side`, whose offsets are sorted; false if units overlap.
static bool findRuns(UnitSide &side, int64_t unitElements) {
  int size = side.size();
  side.runBegin.resize(size);
  side.runEnd.resize(size);
  for (int begin = 0, end; begin < size; begin = end) {
    for (end = begin + 1; end < size && side.offset[end] == side.offset[end - 1] + unitElements;)
      ++end;
    if (end < size && side.offset[end] < side.offset[end - 1] + unitElements)
      return false;
    std::fill(side.runBegin.begin() + begin, side.runBegin.begin() + end, begin);
    std::fill(side.runEnd.begin() + begin, side.runEnd.begin() + end, end);
  }
  return true;
}

/// Builds the map with units of `unitElements`; `inOverlaps` tells that units of
/// the input overlap, so that only narrower ones will do.
static Result<UnitMap> buildMap(const Tile &tile, std::vector<Digit> digits, int64_t unitElements,
                                bool &inOverlaps) {
  if (unitElements > 1) {
    digits.front().extent /= unitElements;
    digits.front().inStride = digits.front().outStride = unitElements;
  }
  std::vector<std::pair<int64_t, int64_t>> offsets;
  if (!enumerate(digits, offsets))
    return tileError(ErrorCode::Overflow, "expects the offsets of a tile to fit 64 bits");
  UnitMap map;
  map.width = tile.width;
  map.unitElements = unitElements;
  map.unitBytes = unitElements * tile.width;
  for (const Digit &digit : digits)
    if (digit.extent > 1)
      map.digits.push_back(digit);
  for (auto &pair : offsets)
    map.in.offset.push_back(pair.first);
  std::sort(map.in.offset.begin(), map.in.offset.end());
  map.in.offset.erase(std::unique(map.in.offset.begin(), map.in.offset.end()), map.in.offset.end());
  std::sort(offsets.begin(), offsets.end(),
            [](const auto &a, const auto &b) { return a.second < b.second; });
  for (auto &pair : offsets) {
    map.out.offset.push_back(pair.second);
    auto place = std::lower_bound(map.in.offset.begin(), map.in.offset.end(), pair.first);
    map.source.push_back(static_cast<int>(place - map.in.offset.begin()));
  }
  if (!findRuns(map.out, unitElements))
    return tileError(ErrorCode::Schedule, "expects each element of a tile to have a place of its "
                                          "own in the output, but two share one");
  inOverlaps = !findRuns(map.in, unitElements);
  return map;
}

Result<UnitMap> buildUnitMap(const Tile &tile) {
  if (Status status = checkTile(tile); !status)
    return status.error();
  std::vector<Digit> digits = reducedDigits(tile);
  int64_t unitElements = 1;
  if (!digits.empty() && digits.front().inStride == 1 && digits.front().outStride == 1)
    while (unitElements * 2 * tile.width <= 8 && digits.front().extent % (unitElements * 2) == 0)
      unitElements *= 2;
  for (;; unitElements /= 2) {
    bool inOverlaps = false;
    Result<UnitMap> map = buildMap(tile, digits, unitElements, inOverlaps);
    if (!map || !inOverlaps)
      return map;
  }
}

std::vector<Access> accessLanes(const UnitMap &map, const UnitSide &side, int unit, int count,
                                int lane, int lanes, bool maskedAccess) {
  int64_t offset = side.offset[unit] - lane * map.unitElements;
  int power = static_cast<int>(llvm::bit_floor(static_cast<unsigned>(count)));
  if (count == lanes || count == power)
    return {{offset, lane, count, false}};
  if (maskedAccess)
    return {{offset, lane, count, true}};
  int rest = count - power;
  if (llvm::isPowerOf2_32(rest))
    return {{offset, lane, power, false}, {offset, lane + power, rest, false}};
  return {{offset, lane, power, false}, {offset, lane + rest, power, false}};
}

} // namespace relayout
