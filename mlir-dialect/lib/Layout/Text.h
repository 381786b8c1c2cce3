// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//
/// \file
/// Text of messages, for the sources of this library.

#ifndef RELAYOUT_LIB_LAYOUT_TEXT_H
#define RELAYOUT_LIB_LAYOUT_TEXT_H

#include "relayout/Support/Result.h"

#include <locale>
#include <sstream>
#include <string>

namespace relayout {

/// The parts, one after another, as text: the same in every locale, since caches compare it.
template <typename... Parts> std::string cat(const Parts &...parts) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  (out << ... << parts);
  return out.str();
}

/// The entries of `list` with `separator` between them.
template <typename List> std::string join(const List &list, const char *separator) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  const char *before = "";
  for (const auto &entry : list) {
    out << before << entry;
    before = separator;
  }
  return out.str();
}

template <typename... Parts> Error makeError(ErrorCode code, const Parts &...parts) {
  return Error{code, cat(parts...)};
}

} // namespace relayout

#endif // RELAYOUT_LIB_LAYOUT_TEXT_H
