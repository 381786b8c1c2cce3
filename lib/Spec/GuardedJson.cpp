// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Spec/GuardedJson.h"

#include "relayout/Support/Text.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"

#include <cmath>
#include <string>
#include <vector>

using namespace relayout;
using llvm::StringRef;

/// The parser behind takes what C's functions read, too: 02, 2. and +2.
static bool isJsonNumber(StringRef text) {
  auto takeDigits = [&] {
    StringRef digits = text.take_while(llvm::isDigit);
    text = text.drop_front(digits.size());
    return digits;
  };
  text.consume_front("-");
  StringRef whole = takeDigits();
  if (whole.empty() || (whole.size() > 1 && whole.front() == '0'))
    return false;
  if (text.consume_front(".") && takeDigits().empty())
    return false;
  if (!text.consume_front_insensitive("e"))
    return text.empty();
  if (!text.consume_front("+"))
    text.consume_front("-");
  return !takeDigits().empty() && text.empty();
}

namespace {
/// Walks over the tokens of a text without recursion. It knows just enough of JSON
/// to find depth, keys and numbers; all else is left to the parser behind it.
class Scanner {
public:
  explicit Scanner(StringRef text) : text(text) {}

  Status run() {
    Status status;
    while (status && position < text.size())
      status = step(text[position]);
    return status;
  }

  bool hasSignedZeros() const { return !signedZeros.empty(); }
  /// The text with each zero that has a sign as a float: the parser reads an integer -0 as 0.
  std::string textWithSignedZeros() const {
    std::string exact;
    size_t from = 0;
    for (size_t end : signedZeros) {
      exact += text.slice(from, end).str() + ".0";
      from = end;
    }
    return exact + text.drop_front(from).str();
  }

private:
  Status step(char c) {
    switch (c) {
    case '"':
      scanString();
      return Status::success();
    case '{':
    case '[':
      ++position;
      return open();
    case '}':
    case ']':
      ++position;
      if (!keys.empty())
        keys.pop_back();
      return Status::success();
    case ':':
      ++position;
      return addKey();
    default:
      if (llvm::isDigit(c) || StringRef("+-.").contains(c))
        return scanNumber();
      ++position;
      return Status::success();
    }
  }

  void scanString() {
    size_t begin = ++position;
    while (position < text.size() && text[position] != '"')
      position += text[position] == '\\' ? 2 : 1;
    lastString = text.slice(begin, position);
    ++position;
  }

  Status open() {
    if (keys.size() == kMaxJsonDepth)
      return Error{ErrorCode::Limit, "expects brackets to be nested at most " +
                                         llvm::utostr(kMaxJsonDepth) + " deep, but byte " +
                                         llvm::utostr(position) + " opens one more"};
    keys.emplace_back();
    return Status::success();
  }

  Status addKey() {
    if (keys.empty())
      return Status::success();
    std::string shown = "'" + beginning(lastString) + "'";
    if (lastString.contains('\\'))
      return Error{ErrorCode::Syntax, "expects keys without escapes, but got " + shown};
    if (!keys.back().insert(lastString).second)
      return Error{ErrorCode::Syntax, "expects each key once, but " + shown + " stands twice"};
    return Status::success();
  }

  Status scanNumber() {
    StringRef number = text.drop_front(position).take_while(
        [](char c) { return llvm::isDigit(c) || StringRef("+-.eE").contains(c); });
    position += number.size();
    std::string shown = number.take_front(60).str();
    if (!isJsonNumber(number))
      return Error{ErrorCode::Syntax,
                   "expects numbers as JSON has them, as in -2, 0.5 or 1e3, but got " + shown};
    if (number.find_first_of(".eE") == StringRef::npos) {
      int64_t asSigned;
      uint64_t asUnsigned;
      if (number.getAsInteger(10, asSigned) && number.getAsInteger(10, asUnsigned))
        return Error{ErrorCode::Syntax,
                     "expects integers of 64 bits, but got " + shown + "; a string may be longer"};
      if (number.consume_front("-") && number.trim('0').empty())
        signedZeros.push_back(position);
      return Status::success();
    }
    double value;
    if (number.getAsDouble(value) || !std::isfinite(value))
      return Error{ErrorCode::Syntax, "expects numbers that a double can hold, but got " + shown};
    return Status::success();
  }

  StringRef text;
  size_t position = 0;
  StringRef lastString;
  std::vector<size_t> signedZeros; ///< where the integers end that are -0
  /// The keys so far of each open bracket.
  llvm::SmallVector<llvm::StringSet<>, 8> keys;
};
} // namespace

Result<llvm::json::Value> relayout::parseGuardedJson(StringRef text, size_t maxBytes) {
  if (text.size() > maxBytes)
    return Error{ErrorCode::Limit, "expects at most " + llvm::utostr(maxBytes) +
                                       " bytes of JSON, but got " + llvm::utostr(text.size())};
  size_t invalid;
  if (!llvm::json::isUTF8(text, &invalid))
    return Error{ErrorCode::Syntax,
                 "expects JSON to be UTF-8, but byte " + llvm::utostr(invalid) + " is not"};
  Scanner scanner(text);
  if (Status status = scanner.run(); !status)
    return status.error();
  // An error is told in places of the text that was given.
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (value && scanner.hasSignedZeros())
    value = llvm::json::parse(scanner.textWithSignedZeros());
  if (!value)
    return Error{ErrorCode::Syntax, "expects JSON: " + llvm::toString(value.takeError())};
  return std::move(*value);
}

std::optional<int64_t> relayout::jsonInteger(const llvm::json::Value &value) {
  // getAsInteger converts the double 2^63 though it does not fit.
  if (std::optional<double> number = value.getAsNumber(); number && *number >= 0x1p63) {
    std::optional<uint64_t> exact = value.getAsUINT64();
    return exact && *exact <= INT64_MAX ? std::optional<int64_t>(*exact) : std::nullopt;
  }
  return value.getAsInteger();
}
