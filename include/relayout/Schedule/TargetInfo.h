// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What a schedule must know of the machine that runs the kernel.

#ifndef RELAYOUT_SCHEDULE_TARGETINFO_H
#define RELAYOUT_SCHEDULE_TARGETINFO_H

#include "relayout/Support/CacheLine.h"
#include "relayout/Support/Result.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace relayout {

/// Instruction sets by what they offer to a permutation, weakest first.
enum class VectorISA {
  Scalar,     ///< no vectors
  SSE2,       ///< 16 bytes, no byte shuffle (baseline x86-64)
  AVX2,       ///< 32 bytes, permutes of one source, blends
  AVX512,     ///< 64 bytes, permutes of two sources of 2-, 4-, 8-byte lanes, masks
  AVX512VBMI, ///< the same for bytes
  NEON,       ///< 16 bytes, table look-up of bytes
};

/// How a family of processors takes to the orders of accesses, out of cache. What they are worth is
/// measured (docs/schedules.md). Sizes in bytes.
struct MemoryTraits {
  int64_t readStreams = 16;  ///< streams that may be read side by side at no cost
  double streamCost = 0.4;   ///< exponent of the slowdown by more of them
  double loneStream = 0.12;  ///< what an order loses that reads one stream alone
  double loneCarried = 0.25; ///< the same where parts of lines wait for what follows
  double besideCost = 0;     ///< exponent of the slowdown by rows that are moved in turn
  int64_t visitBytes = 64;   ///< to write side by side at a visit; less is slow
  int64_t visitCost = 0;     ///< that might have been written beside each of many visits
  int64_t restartBytes = 64; ///< that each stream might have read while it restarts
  int64_t freshBytes = 0;    ///< that might have been read while streams begin elsewhere
  int64_t linesAhead = 4;    ///< to prefetch in each of many streams
  /// Whether one stream at a time is fastest, so that blocks are fetched one after the other before
  /// they are moved. Where it is not, parts of one stream, far apart, are moved in turn.
  bool fetches = false;
  /// Where it is not: whether blocks of bytes, and of parts of lines that are put together, are
  /// fetched all the same.
  bool fetchesParts = false;
  bool followsRows = false; ///< but not if all that blocks save is the start of many streams
  /// Whether to read a block's lines in order before it is moved, where blocks are fetched.
  bool touches = false;
  bool packs = false;          ///< whether to move blocks of some transposes from scratch memory
  bool fetchesWritten = true;  ///< whether lines are worth prefetching to be written
  double pageCost = 0.2;       ///< exponent of the slowdown by pages beyond the TLB's reach
  double sharedPageCost = 0.2; ///< the same beside other threads, for pages far apart
  /// Whether threads had better share out rows that visits carry on, with borders on lines, than
  /// split the outermost loop.
  bool sharesRows = false;
  double aliasedLines = 0.65; ///< speed of lone lines written at multiples of 512 bytes
  double partLines = 1;       ///< exponent of the share of a line read before it is evicted

  /// Whether nearly all that goes to rows far apart gains by going in blocks: what neither side's
  /// order suits is lost.
  bool losesRows() const { return fetches && !followsRows; }
};

/// What was measured of the family of the processor that LLVM calls `cpu` (`znver4`,
/// `sapphirerapids`); the defaults for one of a family of which nothing was.
MemoryTraits memoryTraits(std::string_view cpu);

/// A machine as data. Sizes in bytes.
struct TargetInfo {
  VectorISA isa = VectorISA::Scalar;
  int64_t vectorBytes = 8;
  int64_t registers = 16; ///< that hold a vector each
  int64_t pageBytes = 4096;
  int64_t l1Bytes = 32 << 10;
  int64_t l1Ways = 8;
  int64_t l2Bytes = 1 << 20;
  int64_t l2Ways = 8; ///< taken for those of every machine: what was measured rests on it
  int64_t l3Bytes = 32 << 20;
  int64_t firstTlbPages = 64; ///< reach of the first-level TLB
  int64_t tlbPages = 1536;    ///< of the second-level one
  MemoryTraits memory;
  bool maskedAccess = false;  ///< masked loads and stores of every lane width
  bool nonTemporal = false;   ///< stores of whole lines that bypass the caches
  bool prefetchWrite = false; ///< lines can be prefetched to be written

  /// Bytes after which places meet in one set of the first or the second cache; a line at least,
  /// whatever a machine says of its caches.
  int64_t firstWayBytes() const {
    return std::max(kLineBytes, l1Bytes / std::max<int64_t>(1, l1Ways));
  }
  int64_t secondWayBytes() const {
    return std::max(kLineBytes, l2Bytes / std::max<int64_t>(1, l2Ways));
  }
};

/// The target for an LLVM CPU name (`x86-64`, `haswell`, `skylake-avx512`,
/// `icelake-server`, `znver5`, `native`, `generic` and so on) and a list of
/// LLVM features ("+avx2,-avx512f"; may be empty) on an architecture ("x86_64",
/// "aarch64"; others that LLVM knows have no vectors here). `native` is this
/// machine with all it has, minus or plus `features`. Caches, TLB and prefetchers
/// are the host's if the architecture is that of this process.
Result<TargetInfo> targetFor(std::string_view arch, std::string_view cpu,
                             std::string_view features);

} // namespace relayout

#endif // RELAYOUT_SCHEDULE_TARGETINFO_H
