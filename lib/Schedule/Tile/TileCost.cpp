// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table holds what LLVM's back ends make of a shufflevector, read off their
// assembly. The unit is one instruction on the port that shuffles; a fraction
// above it stands for an index or mask vector that has to be in a register, a
// price below 1 for an instruction that other ports take too.

#include "TileCost.h"

#include <algorithm>

namespace relayout {

namespace {

using Mask = std::vector<int>;

/// A shuffle at the widest lanes that express it.
struct Form {
  Mask mask;
  int64_t laneBytes;
  int size() const { return static_cast<int>(mask.size()); }
  int perChunk() const { return std::max<int>(16 / static_cast<int>(laneBytes), 1); }
  bool isFrom(int lane, int source) const { return mask[lane] / size() == source; }
};

/// The shapes of masks that some ISA has an instruction for.
struct Traits {
  bool isIdentity = false; ///< one source as it is
  bool isSingle = true;    ///< one source only
  bool isBlend = true;     ///< each lane stays in its place
  bool isInChunk = true;   ///< each chunk of 16 bytes draws from the same chunks
  bool isRepeated = true;  ///< all chunks of 16 bytes are permuted alike
  bool isPair = false;     ///< zip, unpack, uzp, trn, shufps, shufpd, whole chunks
  bool isRotation = false; ///< a window of the two sources by one instruction
  bool isWindow = false;   ///< a window of the two sources
};

} // namespace

/// `mask` with lanes twice as wide; false if some pair of lanes is torn apart.
static bool widen(Form &form) {
  Mask wide;
  for (size_t i = 0; i + 1 < form.mask.size(); i += 2) {
    int low = form.mask[i], high = form.mask[i + 1];
    int lane = low >= 0 ? low : high - 1;
    if (low < 0 && high < 0) {
      wide.push_back(-1);
      continue;
    }
    if (lane % 2 != 0 || (high >= 0 && high != lane + 1))
      return false;
    wide.push_back(lane / 2);
  }
  if (wide.empty())
    return false;
  form = {std::move(wide), form.laneBytes * 2};
  return true;
}

/// True if `expected(lane)` is what `form` does, for one order of the sources.
template <typename Function> static bool matches(const Form &form, Function expected) {
  int size = form.size();
  for (int swap : {0, size}) {
    bool isMatch = true;
    for (int lane = 0; lane < size && isMatch; ++lane)
      isMatch = form.mask[lane] < 0 || (form.mask[lane] + swap) % (2 * size) == expected(lane);
    if (isMatch)
      return true;
  }
  return false;
}

/// Interleaves of the low or high halves of groups of `group` lanes.
static bool isUnpack(const Form &form, int group) {
  for (int half : {0, group / 2})
    if (matches(form, [&](int lane) {
          return lane / group * group + half + lane % group / 2 + lane % 2 * form.size();
        }))
      return true;
  return false;
}

/// The even or odd lanes of both sources, one after the other.
static bool isUnzip(const Form &form) {
  for (int odd : {0, 1})
    if (matches(form, [&](int lane) { return 2 * lane + odd; }))
      return true;
  return false;
}

/// The even or odd lanes of both sources, side by side.
static bool isTranspose(const Form &form) {
  for (int odd : {0, 1})
    if (matches(form, [&](int lane) { return lane - lane % 2 + odd + lane % 2 * form.size(); }))
      return true;
  return false;
}

/// Half of each group of lanes from one source, half from the other: shufps,
/// shufpd (groups of a chunk), shuf64x2 (the whole vector in chunks).
static bool isHalves(const Form &form, int group) {
  for (int lane = 0; lane < form.size(); ++lane) {
    int first = lane / (group / 2) * (group / 2);
    for (int other = first; other < lane; ++other)
      if (form.mask[lane] >= 0 && form.mask[other] >= 0 &&
          form.isFrom(lane, 0) != form.isFrom(other, 0))
        return false;
  }
  return true;
}

/// A window of (first, second) concatenated, group by group.
static bool isRotation(const Form &form, int group) {
  for (int shift = 1; shift < group; ++shift)
    if (matches(form, [&](int lane) {
          int from = lane % group + shift;
          return lane - lane % group + from % group + from / group * form.size();
        }))
      return true;
  return false;
}

static void findPlaceTraits(const Form &form, Traits &traits) {
  int chunk = form.perChunk(), size = form.size();
  bool isUsed[2] = {false, false};
  Mask alike(chunk, -1); // what the chunks do, in lanes of two chunks
  for (int lane = 0; lane < size; ++lane) {
    int from = form.mask[lane];
    if (from < 0)
      continue;
    isUsed[from / size] = true;
    traits.isBlend &= from % size == lane;
    traits.isInChunk &= from % size / chunk == lane / chunk;
    int &twin = alike[lane % chunk], place = from % chunk + from / size * chunk;
    traits.isRepeated &= twin < 0 || twin == place;
    twin = place;
  }
  traits.isRepeated &= traits.isInChunk;
  traits.isSingle = !isUsed[0] || !isUsed[1];
  traits.isIdentity = traits.isBlend && traits.isSingle;
}

static bool isAVX512(VectorISA isa) {
  return isa == VectorISA::AVX512 || isa == VectorISA::AVX512VBMI;
}

static Traits findTraits(const Form &form, VectorISA isa) {
  Traits traits;
  findPlaceTraits(form, traits);
  int chunk = form.perChunk(), size = form.size();
  bool isNEON = isa == VectorISA::NEON;
  if (form.laneBytes >= 16)
    traits.isPair = size == 2 || (size == 4 && isHalves(form, 4));
  else
    traits.isPair = isUnpack(form, chunk) || (isNEON && (isUnzip(form) || isTranspose(form))) ||
                    (!isNEON && form.laneBytes == 8 && traits.isInChunk && isHalves(form, 2)) ||
                    (!isNEON && form.laneBytes == 4 && traits.isRepeated && isHalves(form, 4));
  bool rotatesChunks = traits.isInChunk && chunk > 1 && isa != VectorISA::SSE2;
  bool rotatesAll = isAVX512(isa) && form.laneBytes >= 4;
  traits.isWindow = isRotation(form, size);
  traits.isRotation = (rotatesChunks && isRotation(form, chunk)) || (rotatesAll && traits.isWindow);
  return traits;
}

/// The instruction sets that have no shuffle of two sources for `form` shuffle each
/// source by itself and blend the two.
template <typename Price> static double priceApart(const Form &form, double blend, Price price) {
  double sum = blend;
  for (int source : {0, 1}) {
    Form part = form;
    for (int lane = 0; lane < form.size(); ++lane)
      part.mask[lane] =
          form.mask[lane] >= 0 && form.isFrom(lane, source) ? form.mask[lane] % form.size() : -1;
    sum += price(part);
  }
  return sum;
}

static double priceAVX512(const Form &form, VectorISA isa) {
  Traits traits = findTraits(form, isa);
  bool hasBytes = isa == VectorISA::AVX512VBMI || form.laneBytes > 1;
  if (traits.isIdentity)
    return 0;
  if (traits.isBlend)
    return 0.8;
  if (traits.isPair || traits.isRotation)
    return 1;
  bool isWide = form.laneBytes >= 4;
  if (traits.isSingle)
    return isWide && traits.isRepeated ? 1 : isWide || traits.isInChunk || hasBytes ? 1.1 : 10;
  if (traits.isWindow && !isWide)
    return 2.2;
  if (hasBytes)
    return 1.2;
  return priceApart(form, 1, [&](const Form &part) { return priceAVX512(part, isa); });
}

static double priceAVX2(const Form &form) {
  Traits traits = findTraits(form, VectorISA::AVX2);
  if (traits.isIdentity)
    return 0;
  if (traits.isBlend)
    return form.laneBytes >= 4 ? 0.6 : form.laneBytes == 2 && traits.isRepeated ? 1 : 1.6;
  if (traits.isPair || traits.isRotation)
    return 1;
  if (traits.isSingle)
    return form.laneBytes >= 8 || (form.laneBytes == 4 && traits.isRepeated) ? 1
           : form.laneBytes == 4 || traits.isInChunk                         ? 1.2
                                                                             : 4;
  if (traits.isWindow)
    return 2;
  return priceApart(form, form.laneBytes >= 4 ? 0.6 : 1, priceAVX2);
}

static double priceSSE2(const Form &form) {
  Traits traits = findTraits(form, VectorISA::SSE2);
  if (traits.isIdentity)
    return 0;
  if (traits.isPair || form.laneBytes == 8)
    return 1;
  if (form.laneBytes == 4)
    return traits.isSingle ? 1 : 2.2;
  if (traits.isBlend || traits.isWindow)
    return traits.isSingle ? 1 : 3;
  if (traits.isSingle)
    return form.laneBytes == 2 ? 3.5 : 13;
  return priceApart(form, 2, priceSSE2);
}

static double priceNEON(const Form &form) {
  Traits traits = findTraits(form, VectorISA::NEON);
  if (traits.isIdentity)
    return 0;
  if (traits.isPair || traits.isRotation || form.laneBytes == 8)
    return 1;
  if (form.laneBytes == 4)
    return 2;
  return traits.isBlend || traits.isSingle ? 1.3 : 2.3;
}

/// The shuffle `mask` of lanes of `laneBytes` at the widest lanes.
static Form widestForm(int64_t laneBytes, const Mask &mask) {
  Form form{mask, laneBytes};
  while (form.laneBytes < 16 && widen(form))
    ;
  return form;
}

double shufflePrice(VectorISA isa, int64_t laneBytes, const std::vector<int> &mask) {
  Form form = widestForm(laneBytes, mask);
  switch (isa) {
  case VectorISA::Scalar:
    return static_cast<double>(mask.size());
  case VectorISA::SSE2:
    return priceSSE2(form);
  case VectorISA::AVX2:
    return priceAVX2(form);
  case VectorISA::AVX512:
  case VectorISA::AVX512VBMI:
    return priceAVX512(form, isa);
  case VectorISA::NEON:
    return priceNEON(form);
  }
  return 1;
}

double indexPrice(VectorISA isa, int64_t laneBytes, const std::vector<int> &mask) {
  if (!isAVX512(isa))
    return 0;
  Traits traits = findTraits(widestForm(laneBytes, mask), isa);
  bool isImmediate = traits.isBlend || traits.isPair || traits.isRotation;
  // vpshufb takes its indices from memory.
  return isImmediate || (traits.isSingle && traits.isInChunk) ? 0 : 0.5;
}

/// The price of a load of 16 bytes and more that is put beside others, up to `end` bytes from the
/// start of a register.
static double mergePrice(VectorISA isa, int64_t end) {
  if (!isAVX512(isa))
    return 1.3; // transposes that let such loads do a stage are no faster
  // Such loads are as dear as a wide shuffle and a half, and come at twice the rate in half a
  // register (docs/schedules.md, "Short rows side by side").
  return end <= 32 ? 0.8 : 1.8;
}

double loadPrice(VectorISA isa, int64_t laneBytes, int lanes, const Access &access, bool merges) {
  if (access.count == lanes)
    return 0.5;
  // A mask takes two instructions to make, and there are but seven registers for them.
  if (access.masked)
    return 2;
  int64_t bytes = laneBytes * access.count;
  if (!merges && access.first == 0)
    return bytes >= 4 ? 0.5 : 1;
  if (bytes >= 16 && access.first % access.count == 0)
    return mergePrice(isa, laneBytes * (access.first + access.count));
  // movhps, pinsrq and the like; further up they go to a chunk of its own first.
  bool isLow = laneBytes * (access.first + access.count) <= 16 && access.first % access.count == 0;
  if (isLow && (bytes == 8 || isa != VectorISA::SSE2))
    return 1.5;
  return isLow ? 3 : 3.5;
}

double storePrice(VectorISA isa, int64_t laneBytes, int lanes, const Access &access) {
  if (access.count == lanes)
    return 1;
  if (access.masked)
    return 2;
  int64_t bytes = laneBytes * access.count;
  if (access.first == 0)
    return bytes >= 4 || isa != VectorISA::SSE2 ? 1 : 2;
  return access.first % access.count == 0 ? 1.7 : 2.5;
}

} // namespace relayout
