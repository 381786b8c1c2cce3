// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The guards that stand in front of the JSON parser.

#ifndef RELAYOUT_SPEC_GUARDEDJSON_H
#define RELAYOUT_SPEC_GUARDEDJSON_H

#include "relayout/Support/Result.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include <optional>

namespace relayout {

/// Most bytes of a spec, without input values.
constexpr size_t kMaxSpecBytes = size_t(1) << 20;
/// Deepest nesting of brackets.
constexpr size_t kMaxJsonDepth = 64;

/// Parses `text`. Refused beyond what JSON refuses: more than `maxBytes` bytes, a
/// nesting deeper than kMaxJsonDepth, invalid UTF-8, a key twice in one object or
/// written with escapes, an integer beyond 64 bits, a number beyond a double. An integer of 64 bits
/// that is written with a point or an exponent is exact, too.
Result<llvm::json::Value> parseGuardedJson(llvm::StringRef text, size_t maxBytes = kMaxSpecBytes);

/// The integer that `value` is, or empty if it is none or leaves 64 bits.
std::optional<int64_t> jsonInteger(const llvm::json::Value &value);

} // namespace relayout

#endif // RELAYOUT_SPEC_GUARDEDJSON_H
