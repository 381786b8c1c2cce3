// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Runtime/Digest.h"

// In headers only: nothing is added to what a program must link or load.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace relayout {

std::string digestOf(std::string_view head, std::string_view tail) {
  XXH3_state_t state;
  XXH3_INITSTATE(&state);
  XXH3_128bits_reset(&state);
  XXH3_128bits_update(&state, head.data(), head.size());
  XXH3_128bits_update(&state, tail.data(), tail.size());
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(&state));
  static_assert(sizeof(canonical) == kDigestBytes, "a digest has 128 bits");
  return {reinterpret_cast<const char *>(canonical.digest), kDigestBytes};
}

} // namespace relayout
