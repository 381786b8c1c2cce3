// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Lines of a file or of standard input, each of bounded length.

#ifndef RELAYOUT_TOOLS_RELAYOUTC_LINEREADER_H
#define RELAYOUT_TOOLS_RELAYOUTC_LINEREADER_H

#include "relayout/Support/Result.h"

#include "llvm/ADT/StringRef.h"

#include <cstdio>
#include <memory>

namespace relayout::driver {

/// Reads line by line, so that a program may wait for each answer.
class LineReader {
public:
  /// An error if `path` (`-` is standard input) cannot be read.
  static Result<LineReader> open(llvm::StringRef path);

  enum class Outcome { Line, TooLong, End, Failed };
  /// The next line without its end. Of a line longer than `maxBytes`, nothing is kept.
  Outcome next(std::string &line, size_t maxBytes);

private:
  struct Close {
    void operator()(std::FILE *file) const;
  };
  explicit LineReader(std::FILE *file) : file(file) {}
  std::unique_ptr<std::FILE, Close> file;
};

} // namespace relayout::driver

#endif // RELAYOUT_TOOLS_RELAYOUTC_LINEREADER_H
