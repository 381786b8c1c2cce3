// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Parts of what a user wrote, as messages quote them: whole characters of UTF-8.

#ifndef RELAYOUT_SUPPORT_TEXT_H
#define RELAYOUT_SUPPORT_TEXT_H

#include <string>
#include <string_view>

namespace relayout {

/// True if the byte `c` goes on with a character that has begun before it.
inline bool continuesCharacter(char c) { return (c & 0xc0) == 0x80; }

/// What of `text` fits a message: at most `most` bytes. A character has four at most.
inline std::string beginning(std::string_view text, size_t most = 60) {
  if (text.size() <= most)
    return std::string(text);
  size_t end = most;
  while (end > 0 && most - end < 3 && continuesCharacter(text[end]))
    --end;
  return std::string(text.substr(0, continuesCharacter(text[end]) ? most : end));
}

/// The first character of `text`, which is not empty.
inline std::string firstCharacter(std::string_view text) {
  size_t size = 1;
  while (size < 4 && size < text.size() && continuesCharacter(text[size]))
    ++size;
  return std::string(text.substr(0, size));
}

} // namespace relayout

#endif // RELAYOUT_SUPPORT_TEXT_H
