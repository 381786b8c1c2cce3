// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Spec/GuardedJson.h"

#include "relayout/Support/PlainNumbers.h"
#include "relayout/Support/Text.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"
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

/// The digits of `number`, which has a point or an exponent, if it is an integer of 64 bits.
static std::string integerDigits(StringRef number) {
  // With its 113 bits, what is not exact has a fraction, or more than 64 bits.
  llvm::APFloat value(llvm::APFloat::IEEEquad());
  llvm::Expected<llvm::APFloat::opStatus> read =
      value.convertFromString(number, llvm::APFloat::rmTowardZero);
  llvm::APSInt integer(65, /*isUnsigned=*/false);
  bool isExact;
  if (!read || *read != llvm::APFloat::opOK ||
      value.convertToInteger(integer, llvm::APFloat::rmTowardZero, &isExact) !=
          llvm::APFloat::opOK ||
      !(integer.isNegative() ? integer.isSignedIntN(64) : integer.isIntN(64))) {
    llvm::consumeError(read.takeError());
    return "";
  }
  return llvm::toString(integer, 10);
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

  bool hasEdits() const { return !edits.empty(); }
  /// The text with the numbers that the parser would change: it reads the integer -0 as 0, and
  /// what has a point or an exponent as a double.
  std::string editedText() const {
    std::string exact;
    size_t from = 0;
    for (const Edit &edit : edits) {
      exact += text.slice(from, edit.begin).str() + edit.number;
      from = edit.end;
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
    const size_t begin = position;
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
      if (number.starts_with("-") && number.drop_front().trim('0').empty())
        edits.push_back({begin, position, "-0.0"});
      return Status::success();
    }
    double value;
    if (number.getAsDouble(value) || !std::isfinite(value))
      return Error{ErrorCode::Syntax, "expects numbers that a double can hold, but got " + shown};
    // Below, a double has every integer.
    if (std::fabs(value) >= 0x1p53 && std::fabs(value) <= 0x1p64)
      if (std::string digits = integerDigits(number); !digits.empty())
        edits.push_back({begin, position, digits});
    return Status::success();
  }

  StringRef text;
  size_t position = 0;
  StringRef lastString;
  struct Edit {
    size_t begin, end;
    std::string number;
  };
  std::vector<Edit> edits;
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
  PlainNumbers plain;
  // An error is told in places of the text that was given.
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (value && scanner.hasEdits())
    value = llvm::json::parse(scanner.editedText());
  if (!value)
    return Error{ErrorCode::Syntax, "expects JSON: " + llvm::toString(value.takeError())};
  return std::move(*value);
}

std::optional<int64_t> relayout::jsonInteger(const llvm::json::Value &value) {
  // getAsInteger converts a double that is 2^63 though it does not fit.
  if (std::optional<double> number = value.getAsNumber(); number && *number >= 0x1p63) {
    std::optional<uint64_t> exact = value.getAsUINT64();
    return exact && *exact <= INT64_MAX ? std::optional<int64_t>(*exact) : std::nullopt;
  }
  return value.getAsInteger();
}
