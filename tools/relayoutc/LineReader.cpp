// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LineReader.h"

#include <cerrno>
#include <cstring>

using namespace relayout;
using namespace relayout::driver;

void LineReader::Close::operator()(std::FILE *file) const {
  if (file != stdin)
    std::fclose(file);
}

Result<LineReader> LineReader::open(llvm::StringRef path) {
  std::FILE *file = path == "-" ? stdin : std::fopen(path.str().c_str(), "rb");
  if (!file)
    return Error{ErrorCode::Environment, "'" + path.str() + "': " + std::strerror(errno)};
  return LineReader(file);
}

LineReader::Outcome LineReader::next(std::string &line, size_t maxBytes) {
  line.clear();
  bool any = false, tooLong = false;
  int c;
  while ((c = getc_unlocked(file.get())) != EOF) {
    any = true;
    if (c == '\n')
      break;
    tooLong = tooLong || line.size() == maxBytes;
    if (!tooLong)
      line += static_cast<char>(c);
  }
  if (c == EOF && std::ferror(file.get()))
    return Outcome::Failed;
  if (!any)
    return Outcome::End;
  if (!line.empty() && line.back() == '\r')
    line.pop_back();
  return tooLong ? Outcome::TooLong : Outcome::Line;
}
