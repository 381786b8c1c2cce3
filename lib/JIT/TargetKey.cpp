// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TargetKey.h"

#include <charconv>

using namespace relayout;

/// As short as brings the number back, whatever the locale.
template <typename... Numbers> static std::string blankSeparated(Numbers... numbers) {
  std::string text;
  auto append = [&](auto number) {
    char digits[32];
    text += ' ';
    text.append(digits, std::to_chars(digits, std::end(digits), number).ptr);
  };
  // A flag is a number here.
  (append(+numbers), ...);
  return text;
}

// The members are taken apart by position so that a new one does not compile until it is here.

static std::string memoryKey(const MemoryTraits &memory) {
  const auto &[readStreams, streamCost, loneStream, loneCarried, besideCost, visitBytes, visitCost,
               restartBytes, freshBytes, linesAhead, fetches, fetchesParts, followsRows, touches,
               packs, fetchesWritten, pageCost, sharedPageCost, sharesRows, aliasedLines,
               partLines] = memory;
  return blankSeparated(readStreams, streamCost, loneStream, loneCarried, besideCost, visitBytes,
                        visitCost, restartBytes, freshBytes, linesAhead, fetches, fetchesParts,
                        followsRows, touches, packs, fetchesWritten, pageCost, sharedPageCost,
                        sharesRows, aliasedLines, partLines);
}

std::string relayout::targetKey(const TargetInfo &target) {
  const auto &[isa, vectorBytes, registers, pageBytes, l1Bytes, l1Ways, l2Bytes, l2Ways, l3Bytes,
               firstTlbPages, tlbPages, memory, maskedAccess, nonTemporal, prefetchWrite] = target;
  return blankSeparated(static_cast<int>(isa), vectorBytes, registers, pageBytes, l1Bytes, l1Ways,
                        l2Bytes, l2Ways, l3Bytes, firstTlbPages, tlbPages, maskedAccess,
                        nonTemporal, prefetchWrite) +
         memoryKey(memory);
}
