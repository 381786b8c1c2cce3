// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What kernels are cached by: all that their code depends on, as text.

#ifndef RELAYOUT_CACHE_CACHEKEY_H
#define RELAYOUT_CACHE_CACHEKEY_H

#include "relayout/Runtime/Digest.h"

#include <cstring>
#include <string>

namespace relayout {

/// Keys are equal if their texts are; the digest finds them fast and names files.
class CacheKey {
public:
  CacheKey() : CacheKey(std::string()) {}
  explicit CacheKey(std::string text) : whole(std::move(text)), summary(digestOf(whole)) {}

  const std::string &text() const { return whole; }
  const std::string &digest() const { return summary; }
  bool operator==(const CacheKey &other) const {
    return summary == other.summary && whole == other.whole;
  }
  struct Hash {
    size_t operator()(const CacheKey &key) const {
      size_t hash;
      std::memcpy(&hash, key.summary.data(), sizeof(hash));
      return hash;
    }
  };

private:
  std::string whole;
  std::string summary;
};

} // namespace relayout

#endif // RELAYOUT_CACHE_CACHEKEY_H
