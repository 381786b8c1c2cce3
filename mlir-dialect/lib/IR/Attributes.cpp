// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "relayout/IR/Relayout.h"
#include "llvm/ADT/TypeSwitch.h"

#define GET_ATTRDEF_CLASSES
#include "relayout/IR/RelayoutAttrs.cpp.inc"

using namespace mlir;

namespace relayout {

void RelayoutDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "relayout/IR/RelayoutAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Mode and layout
//===----------------------------------------------------------------------===//

/// Parses a keyword that `fromWord` knows; its error says what is accepted.
template <typename T, typename FromWord>
static FailureOr<T> parseWord(AsmParser &parser, FromWord fromWord) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (failed(parser.parseKeyword(&word)))
    return failure();
  Result<T> value = fromWord(std::string_view(word.data(), word.size()));
  if (!value)
    return parser.emitError(loc, value.error().message);
  return *value;
}

Attribute ModeAttr::parse(AsmParser &parser, Type) {
  FailureOr<DepthMode> mode = parseWord<DepthMode>(parser, parseDepthMode);
  return succeeded(mode) ? ModeAttr::get(parser.getContext(), *mode) : ModeAttr();
}

void ModeAttr::print(AsmPrinter &printer) const { printer << ' ' << modeWord(getValue()); }

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  FailureOr<TensorLayout> layout = parseWord<TensorLayout>(parser, parseTensorLayout);
  return succeeded(layout) ? LayoutAttr::get(parser.getContext(), *layout) : LayoutAttr();
}

void LayoutAttr::print(AsmPrinter &printer) const { printer << ' ' << layoutWord(getValue()); }

//===----------------------------------------------------------------------===//
// Pattern
//===----------------------------------------------------------------------===//

static Result<Pattern> parseText(StringRef text) {
  return parsePattern(std::string_view(text.data(), text.size()));
}

Attribute PatternAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  std::string text;
  if (failed(parser.parseString(&text)))
    return {};
  Result<Pattern> pattern = parseText(text);
  if (!pattern)
    return parser.emitError(loc, pattern.error().message), Attribute();
  return PatternAttr::get(parser.getContext(), *pattern);
}

void PatternAttr::print(AsmPrinter &printer) const {
  printer << ' ';
  printer.printString(getText());
}

PatternAttr PatternAttr::get(MLIRContext *context, const Pattern &pattern) {
  return get(context, StringRef(printPattern(pattern)));
}

LogicalResult PatternAttr::verify(function_ref<InFlightDiagnostic()> emitError, StringRef text) {
  Result<Pattern> pattern = parseText(text);
  if (!pattern)
    return emitError() << pattern.error().message;
  return success();
}

Pattern PatternAttr::getPattern() const { return parseText(getText()).take(); }

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

Attribute SizesAttr::parse(AsmParser &parser, Type) {
  DigitSizes sizes;
  auto parseOne = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    int64_t extent;
    if (parser.parseKeyword(&name) || parser.parseEqual() || parser.parseInteger(extent))
      return failure();
    if (!sizes.try_emplace(name.str(), extent).second)
      return parser.emitError(loc)
             << "expects each name once in sizes, but '" << name << "' is given twice";
    return success();
  };
  if (failed(parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces, parseOne)))
    return {};
  return SizesAttr::get(parser.getContext(), sizes);
}

void SizesAttr::print(AsmPrinter &printer) const {
  printer << " {";
  llvm::interleaveComma(getSizes(), printer, [&](const auto &entry) {
    printer << entry.first << " = " << entry.second;
  });
  printer << '}';
}

SizesAttr SizesAttr::get(MLIRContext *context, const DigitSizes &sizes) {
  SmallVector<StringAttr> names;
  SmallVector<int64_t> extents;
  for (const auto &[name, extent] : sizes) {
    names.push_back(StringAttr::get(context, name));
    extents.push_back(extent);
  }
  return get(context, names, extents);
}

LogicalResult SizesAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                ArrayRef<StringAttr> names, ArrayRef<int64_t> extents) {
  if (names.size() != extents.size())
    return emitError() << "expects as many extents as names in sizes, but there are "
                       << extents.size() << " and " << names.size();
  return success();
}

DigitSizes SizesAttr::getSizes() const {
  DigitSizes sizes;
  for (auto [name, extent] : llvm::zip_equal(getNames(), getExtents()))
    sizes.emplace(name.str(), extent);
  return sizes;
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

Attribute WindowsAttr::parse(AsmParser &parser, Type) {
  SmallVector<Window> windows;
  auto parseOne = [&]() -> ParseResult {
    Window &window = windows.emplace_back();
    return failure(parser.parseInteger(window.low) || parser.parseColon() ||
                   parser.parseInteger(window.high));
  };
  if (failed(parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne)))
    return {};
  return WindowsAttr::get(parser.getContext(), windows);
}

void WindowsAttr::print(AsmPrinter &printer) const {
  printer << " [";
  llvm::interleaveComma(getWindows(), printer,
                        [&](const Window &window) { printer << window.low << ':' << window.high; });
  printer << ']';
}

bool WindowsAttr::isZero() const {
  return llvm::all_of(getWindows(), [](const Window &window) { return window.isZero(); });
}

//===----------------------------------------------------------------------===//
// Digits
//===----------------------------------------------------------------------===//

Attribute DigitsAttr::parse(AsmParser &parser, Type) {
  SmallVector<Digit> digits;
  SMLoc loc = parser.getCurrentLocation();
  auto parseOne = [&]() -> ParseResult {
    Digit &digit = digits.emplace_back();
    return failure(parser.parseInteger(digit.extent) || parser.parseColon() ||
                   parser.parseInteger(digit.inStride) || parser.parseColon() ||
                   parser.parseInteger(digit.outStride));
  };
  if (failed(parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne)))
    return {};
  return DigitsAttr::getChecked([&] { return parser.emitError(loc); }, parser.getContext(), digits);
}

void DigitsAttr::print(AsmPrinter &printer) const {
  printer << " [";
  llvm::interleaveComma(getDigits(), printer, [&](const Digit &digit) {
    printer << digit.extent << ':' << digit.inStride << ':' << digit.outStride;
  });
  printer << ']';
}

LogicalResult DigitsAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<Digit> digits) {
  for (const Digit &digit : digits)
    if (digit.extent < 1)
      return emitError() << "expects digits of at least one value, but got an extent of "
                         << digit.extent;
  return success();
}

} // namespace relayout
