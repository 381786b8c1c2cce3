// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Specs as flags: text to values and back.

#include "relayout/Spec/Fields.h"
#include "relayout/Support/Text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Unicode.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace relayout;
using llvm::StringRef;

/// The longest value of a flag; element lists of batch input do not pass here.
static constexpr size_t kMaxFlagLength = 8192;

static Error malformed(const SpecField &field, const std::string &form, StringRef text) {
  return Error{ErrorCode::Syntax, std::string("expects ") + field.key + " to be " + form +
                                      ", but got '" + beginning(text) + "'"};
}

static Result<int64_t> parseInteger(const SpecField &field, StringRef text) {
  int64_t value;
  if (text.getAsInteger(10, value))
    return malformed(field, "made of integers of 64 bits", text);
  return value;
}

/// The parts of `text` between commas; none for an empty text.
static llvm::SmallVector<StringRef> splitList(StringRef text) {
  llvm::SmallVector<StringRef> parts;
  if (!text.empty())
    text.split(parts, ',');
  return parts;
}

static Result<FieldValue> parseIntegers(const SpecField &field, StringRef text) {
  std::vector<int64_t> values;
  for (StringRef part : splitList(text)) {
    Result<int64_t> value = parseInteger(field, part);
    if (!value)
      return value.error();
    values.push_back(*value);
  }
  if (field.form == FieldForm::Integer && values.size() != 1)
    return malformed(field, "one integer", text);
  return FieldValue(std::move(values));
}

static Result<FieldValue> parseWindows(const SpecField &field, StringRef text) {
  std::vector<Window> windows;
  for (StringRef part : splitList(text)) {
    auto [low, high] = part.split(':');
    if (low.size() == part.size())
      return malformed(field, "low:high pairs as in 1:0,2:3", part);
    Result<int64_t> first = parseInteger(field, low), second = parseInteger(field, high);
    if (!first || !second)
      return first ? second.error() : first.error();
    windows.push_back({*first, *second});
  }
  return FieldValue(std::move(windows));
}

static Result<FieldValue> parseSizes(const SpecField &field, StringRef text) {
  DigitSizes sizes;
  for (StringRef part : splitList(text)) {
    auto [name, extent] = part.split('=');
    if (name.empty() || name.size() == part.size())
      return malformed(field, "name=extent pairs as in by=2,bx=3", part);
    Result<int64_t> value = parseInteger(field, extent);
    if (!value)
      return value.error();
    if (!sizes.emplace(name.str(), *value).second)
      return Error{ErrorCode::Pattern,
                   "expects each name in sizes once, but '" + name.str() + "' stands twice"};
  }
  return FieldValue(std::move(sizes));
}

static Result<FieldValue> parseFlag(const SpecField &field, StringRef text) {
  if (text.size() > kMaxFlagLength)
    return Error{ErrorCode::Limit, std::string("expects ") + field.key + " to have at most " +
                                       llvm::utostr(kMaxFlagLength) + " characters, but it has " +
                                       llvm::utostr(text.size())};
  switch (field.form) {
  case FieldForm::Integer:
  case FieldForm::Integers:
  case FieldForm::OneOrMore:
    return parseIntegers(field, text);
  case FieldForm::Windows:
    return parseWindows(field, text);
  case FieldForm::Sizes:
    return parseSizes(field, text);
  case FieldForm::Shape:
  case FieldForm::Text:
  case FieldForm::Value:
    break;
  }
  return FieldValue(text.str());
}

Result<Spec> relayout::parseSpecFlags(StringRef name, const FlagList &flags) {
  Result<const OperationInfo *> operation = parseOperation(name);
  if (!operation)
    return operation.error();
  std::map<std::string, FieldValue> values;
  for (const auto &[key, text] : flags) {
    Result<const SpecField *> field = parseFieldKey(key);
    if (!field)
      return field.error();
    Result<FieldValue> value = parseFlag(**field, text);
    if (!value)
      return value.error();
    if (!values.emplace((*field)->key, value.take()).second)
      return Error{ErrorCode::Usage,
                   std::string("expects ") + (*field)->key + " once, but it is given twice"};
  }
  return makeSpec(**operation, values);
}

/// The bytes of the first character of `text`, if a terminal shows it as it is; else 0.
static size_t shownBytes(StringRef text) {
  llvm::UTF32 character = 0;
  const llvm::UTF8 *end = text.bytes_begin();
  bool isShown = llvm::convertUTF8Sequence(&end, text.bytes_end(), &character,
                                           llvm::strictConversion) == llvm::conversionOK &&
                 llvm::sys::unicode::isPrintable(character);
  return isShown ? end - text.bytes_begin() : 0;
}

static bool isShown(StringRef text) {
  while (size_t size = text.empty() ? 0 : shownBytes(text))
    text = text.drop_front(size);
  return text.empty();
}

std::string relayout::shellQuoted(StringRef word) {
  auto isPlain = [](char c) { return llvm::isAlnum(c) || StringRef("/.,:=+-_").contains(c); };
  if (!word.empty() && llvm::all_of(word, isPlain))
    return word.str();
  // The text must stay one line.
  bool escapes = !isShown(word);
  std::string text = escapes ? "$'" : "'";
  llvm::raw_string_ostream out(text);
  while (!word.empty()) {
    size_t size = shownBytes(word);
    char c = word.front();
    if (size == 0)
      out << '\\' << llvm::format("%03o", word.bytes_begin()[0]);
    else if (escapes && (c == '\'' || c == '\\'))
      out << '\\' << c;
    else
      out << (c == '\'' ? "'\\''" : word.take_front(size));
    word = word.drop_front(std::max<size_t>(size, 1));
  }
  return text + "'";
}

std::string relayout::printable(StringRef text) {
  std::string shown;
  llvm::raw_string_ostream out(shown);
  while (!text.empty()) {
    size_t size = shownBytes(text);
    if (size == 0)
      out << "\\x" << llvm::format_hex_no_prefix(text.bytes_begin()[0], 2);
    else
      out << text.take_front(size);
    text = text.drop_front(std::max<size_t>(size, 1));
  }
  return shown;
}

namespace {
/// Writes ` --key=value` for what differs from the default.
struct FlagPrinter {
  llvm::raw_ostream &out;

  llvm::raw_ostream &flag(StringRef key) {
    out << " --";
    for (char c : key)
      out << (c == '_' ? '-' : c);
    return out << '=';
  }
  void integers(StringRef key, const std::vector<int64_t> &values) {
    llvm::interleave(values, flag(key), ",");
  }
  void windows(StringRef key, const std::vector<Window> &windows) {
    if (windows.empty())
      return;
    llvm::interleave(
        windows, flag(key), [&](const Window &w) { out << w.low << ':' << w.high; }, ",");
  }
  void padValue(const Spec &spec) {
    if (!spec.padValue)
      return;
    std::string text;
    llvm::raw_string_ostream stream(text);
    printElement(stream, *spec.dtype, spec.padValue->data());
    llvm::erase_if(text, [](char c) { return StringRef("[]\" ").contains(c); });
    flag("pad_value") << text;
  }
};
} // namespace

static void printDepthSpace(FlagPrinter &printer, const Spec &spec) {
  printer.flag("layout") << layoutWord(*spec.layout);
  if (spec.resultLayout)
    printer.flag("result_layout") << layoutWord(*spec.resultLayout);
  printer.flag("mode") << modeWord(*spec.mode);
  printer.integers("block_size", spec.blockSize);
}

static void printRearrange(FlagPrinter &printer, const Spec &spec) {
  printer.out << ' ' << shellQuoted(spec.pattern);
  if (!spec.sizes.empty())
    llvm::interleave(
        spec.sizes, printer.flag("sizes"),
        [&](const auto &size) { printer.out << size.first << '=' << size.second; }, ",");
  printer.windows("pad", spec.pad);
  printer.windows("crop", spec.crop);
  printer.padValue(spec);
}

std::string relayout::printSpecFlags(const Spec &spec) {
  std::string text;
  llvm::raw_string_ostream out(text);
  FlagPrinter printer{out};
  out << operationInfo(spec.operation).name;
  if (spec.operation == Operation::Rearrange)
    printRearrange(printer, spec);
  printer.flag("shape");
  for (int64_t extent : spec.shape)
    out << extent << 'x';
  out << spec.dtype->name;
  switch (spec.operation) {
  case Operation::DepthToSpace:
  case Operation::SpaceToDepth:
    printDepthSpace(printer, spec);
    break;
  case Operation::SpaceToBatch:
  case Operation::BatchToSpace:
    printer.integers("block_shape", spec.blockShape);
    printer.windows("paddings", spec.paddings);
    printer.windows("crops", spec.crops);
    printer.padValue(spec);
    break;
  case Operation::Rearrange:
    break;
  case Operation::Transpose:
    printer.integers("perm", spec.perm);
    break;
  case Operation::PixelShuffle:
  case Operation::PixelUnshuffle:
    printer.integers("block_size", spec.blockSize);
    break;
  case Operation::ChannelShuffle:
    printer.flag("groups") << spec.groups;
    printer.flag("axis") << spec.axis;
    break;
  }
  if (!spec.inputStrides.empty())
    printer.integers("input_strides", spec.inputStrides);
  if (!spec.outputStrides.empty())
    printer.integers("output_strides", spec.outputStrides);
  return text;
}
