// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Layout/Pattern.h"

#include "Text.h"
#include "relayout/Support/Text.h"

#include <set>

using namespace relayout;

namespace {

bool isNameStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isDecimal(char c) { return c >= '0' && c <= '9'; }

/// Reads one side of a pattern, character by character: [R1], [R2],
/// and the limits of [R8].
class SideParser {
public:
  SideParser(std::string_view text, bool isOperand) : text(text), isOperand(isOperand) {}

  Result<PatternSide> parse() {
    while (position < text.size())
      if (Status status = parseToken(); !status)
        return status.error();
    if (inBrackets)
      return fail("expects every '(' to be closed");
    if (side.size() > static_cast<size_t>(kMaxRank))
      return makeError(ErrorCode::Limit, "expects at most ", kMaxRank,
                       " dimensions a side of a pattern, but got ", side.size());
    return std::move(side);
  }

private:
  Status parseToken() {
    char c = text[position];
    if (c == ' ' || c == '\t' || c == '\n')
      return ++position, Status::success();
    if (c == '(')
      return openBracket();
    if (c == ')')
      return closeBracket();
    auto inWord = [&](size_t at) {
      return at < text.size() && (isNameStart(text[at]) || isDecimal(text[at]));
    };
    if (text.substr(position, 3) == kEllipsis) {
      if (inWord(position + 3) || (position > 0 && inWord(position - 1)))
        return fail("expects a blank between '...' and a name");
      return position += 3, addEllipsis();
    }
    size_t end = position;
    while (inWord(end))
      ++end;
    if (end == position)
      return fail("expects names, 1, '...' and brackets, but got '",
                  firstCharacter(text.substr(position)), "' at column ", position + 1);
    std::string word(text.substr(position, end - position));
    position = end;
    return isDecimal(word[0]) ? addNumber(word) : addName(word);
  }

  Status openBracket() {
    if (inBrackets)
      return fail("expects one level of brackets, but got nested brackets");
    inBrackets = true;
    side.emplace_back();
    ++position;
    return Status::success();
  }

  Status closeBracket() {
    if (!inBrackets)
      return fail("expects every ')' to follow a '('");
    inBrackets = false;
    ++position;
    return Status::success();
  }

  Status addEllipsis() {
    if (inBrackets && isOperand)
      return fail("expects '...' outside brackets left of '->'");
    if (!names.insert(kEllipsis).second)
      return fail("expects '...' at most once a side");
    append(inBrackets ? kMergedEllipsis : kEllipsis);
    return Status::success();
  }

  Status addNumber(const std::string &word) {
    if (word != "1")
      return fail("expects 1 as the only number, but got '", word.substr(0, 64), "'");
    if (!inBrackets)
      side.emplace_back();
    return Status::success();
  }

  Status addName(const std::string &name) {
    if (!names.insert(name).second)
      return fail("expects every name once a side, but '", name, "' stands twice ",
                  isOperand ? "left" : "right", " of '->'");
    if (names.size() > kMaxDigits)
      return makeError(ErrorCode::Limit, "expects at most ", kMaxDigits, " names in a pattern");
    append(name);
    return Status::success();
  }

  void append(const std::string &name) {
    if (!inBrackets)
      side.emplace_back();
    side.back().push_back(name);
  }

  template <typename... Parts> Error fail(const Parts &...parts) {
    return makeError(ErrorCode::Pattern, parts...);
  }

  std::string_view text;
  bool isOperand;
  size_t position = 0;
  bool inBrackets = false;
  PatternSide side;
  std::set<std::string> names;
};

/// All names of `side`; the ellipsis counts as one, in brackets or not.
std::set<std::string> namesOf(const PatternSide &side) {
  std::set<std::string> names;
  for (const auto &group : side)
    for (const std::string &name : group)
      names.insert(name == kMergedEllipsis ? kEllipsis : name);
  return names;
}

/// [R1] and [R2], of both sides.
Status checkSameNames(const Pattern &pattern) {
  std::set<std::string> operand = namesOf(pattern.operand), result = namesOf(pattern.result);
  for (const std::string &name : operand)
    if (!result.count(name))
      return makeError(ErrorCode::Pattern, "expects every name on both sides, but '", name,
                       "' stands only left of '->'");
  for (const std::string &name : result)
    if (!operand.count(name))
      return makeError(ErrorCode::Pattern, "expects every name on both sides, but '", name,
                       "' stands only right of '->'");
  return Status::success();
}

/// The names of a group in brackets as text has them.
std::vector<std::string> writtenNames(std::vector<std::string> group) {
  for (std::string &name : group)
    if (name == kMergedEllipsis)
      name = kEllipsis;
  return group;
}

std::string printSide(const PatternSide &side) {
  std::vector<std::string> dimensions;
  for (const auto &group : side) {
    if (group.empty())
      dimensions.push_back("1");
    else if (group.size() == 1 && group[0] != kMergedEllipsis)
      dimensions.push_back(group[0]);
    else
      dimensions.push_back(cat("(", join(writtenNames(group), " "), ")"));
  }
  return join(dimensions, " ");
}

} // namespace

Result<Pattern> relayout::parsePattern(std::string_view text) {
  if (text.size() > kMaxPatternLength)
    return makeError(ErrorCode::Limit, "expects a pattern of at most ", kMaxPatternLength,
                     " characters, but got ", text.size());
  size_t arrow = text.find("->");
  if (arrow == std::string_view::npos)
    return makeError(ErrorCode::Pattern, "expects one '->' in a pattern, but got none");
  if (text.find("->", arrow + 2) != std::string_view::npos)
    return makeError(ErrorCode::Pattern, "expects one '->' in a pattern, but got more");
  Result<PatternSide> operand = SideParser(text.substr(0, arrow), true).parse();
  if (!operand)
    return operand.error();
  Result<PatternSide> result = SideParser(text.substr(arrow + 2), false).parse();
  if (!result)
    return result.error();
  Pattern pattern{operand.take(), result.take()};
  if (Status status = checkSameNames(pattern); !status)
    return status.error();
  return pattern;
}

std::string relayout::printPattern(const Pattern &pattern) {
  std::string operand = printSide(pattern.operand), result = printSide(pattern.result);
  return cat(operand, operand.empty() ? "->" : " ->", result.empty() ? "" : " ", result);
}
