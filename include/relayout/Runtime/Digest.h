// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// A digest of 128 bits against accidents, not against attackers (docs/cache.md says
/// why that is enough).

#ifndef RELAYOUT_RUNTIME_DIGEST_H
#define RELAYOUT_RUNTIME_DIGEST_H

#include <string>
#include <string_view>

namespace relayout {

constexpr size_t kDigestBytes = 16;

/// Of the two texts one after the other. The same on every machine.
std::string digestOf(std::string_view head, std::string_view tail = {});

} // namespace relayout

#endif // RELAYOUT_RUNTIME_DIGEST_H
