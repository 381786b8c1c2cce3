// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The guard in front of MLIR's parser, which recurses over brackets and over the
/// operators of affine expressions without a limit of its own.

#include "relayout/Spec/Module.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace relayout;
using llvm::StringRef;

namespace {
class ModuleScanner {
public:
  explicit ModuleScanner(StringRef text) : rest(text) {}

  /// True if the nesting stays within the limit.
  bool run() {
    while (!rest.empty() && isShallow())
      step();
    return isShallow();
  }

private:
  bool isShallow() const {
    return std::max({depth[0], depth[1], depth[2], depth[3], operators}) <= kMaxModuleDepth;
  }

  void step() {
    if (rest.starts_with("//")) {
      rest = rest.drop_until([](char c) { return c == '\n'; });
      return;
    }
    // Arrows and comparisons are no angle brackets.
    if (rest.consume_front("->") || rest.consume_front(">=") || rest.consume_front("<="))
      return;
    if (llvm::isAlpha(rest.front())) {
      StringRef word = rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
      operators += word == "mod" || word == "floordiv" || word == "ceildiv";
      rest = rest.drop_front(word.size());
      return;
    }
    char c = rest.front();
    rest = rest.drop_front();
    if (c == '"')
      skipString();
    else
      count(c);
  }

  void skipString() {
    while (!rest.empty() && rest.front() != '"' && rest.front() != '\n')
      rest = rest.drop_front(rest.front() == '\\' ? std::min<size_t>(2, rest.size()) : 1);
    rest = rest.drop_front(rest.empty() ? 0 : 1);
  }

  void count(char c) {
    // None of these stands inside of an affine expression, as `%` does.
    if (StringRef(",@^=:{}").contains(c))
      operators = 0;
    if (c == '+' || c == '-' || c == '*')
      ++operators;
    constexpr StringRef opening = "([{<", closing = ")]}>";
    if (size_t kind = opening.find(c); kind != StringRef::npos)
      ++depth[kind];
    if (size_t kind = closing.find(c); kind != StringRef::npos && depth[kind] > 0)
      --depth[kind];
  }

  StringRef rest;
  size_t depth[4] = {0, 0, 0, 0};
  size_t operators = 0;
};
} // namespace

Status relayout::checkModuleText(StringRef text) {
  if (text.size() > kMaxModuleBytes)
    return Error{ErrorCode::Limit, "expects at most " + llvm::utostr(kMaxModuleBytes) +
                                       " bytes of MLIR, but got " + llvm::utostr(text.size())};
  if (!ModuleScanner(text).run())
    return Error{ErrorCode::Limit, "expects brackets and operators of MLIR to be nested at most " +
                                       llvm::utostr(kMaxModuleDepth) + " deep"};
  return Status::success();
}
