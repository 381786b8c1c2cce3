// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Spec/Element.h"

#include "relayout/Layout/CheckedMath.h"
#include "relayout/Spec/GuardedJson.h"
#include "relayout/Support/PlainNumbers.h"
#include "relayout/Support/Text.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstring>

using namespace relayout;
using llvm::APFloat;
using llvm::APInt;
using llvm::StringRef;

/// The longest text of one element: every digit of the longest exact double fits.
static constexpr size_t kMaxElementText = 1200;

const llvm::fltSemantics &relayout::floatSemantics(const ElementType &type) {
  return *llvm::StringSwitch<const llvm::fltSemantics *>(type.name)
              .Case("f16", &APFloat::IEEEhalf())
              .Case("bf16", &APFloat::BFloat())
              .Cases({"f32", "c64"}, &APFloat::IEEEsingle())
              .Cases({"f64", "c128"}, &APFloat::IEEEdouble())
              .Case("f8E5M2", &APFloat::Float8E5M2())
              .Case("f8E5M2FNUZ", &APFloat::Float8E5M2FNUZ())
              .Case("f8E4M3", &APFloat::Float8E4M3())
              .Case("f8E4M3FN", &APFloat::Float8E4M3FN())
              .Case("f8E4M3FNUZ", &APFloat::Float8E4M3FNUZ())
              .Case("f8E4M3B11FNUZ", &APFloat::Float8E4M3B11FNUZ())
              .Case("f8E3M4", &APFloat::Float8E3M4())
              .Case("f8E8M0FNU", &APFloat::Float8E8M0FNU())
              .Default(&APFloat::IEEEdouble());
}

static Error refused(const ElementType &type, const std::string &accepted, StringRef text) {
  return Error{ErrorCode::Type, std::string("expects an element of ") + type.name + ", " +
                                    accepted + ", but got '" + beginning(text) + "'"};
}

static Result<ElementBits> parseInteger(const ElementType &type, StringRef text) {
  unsigned bits = 8 * type.width;
  bool isSigned = type.kind == ElementKind::Signed;
  APInt low = isSigned ? APInt::getSignedMinValue(bits) : APInt::getZero(bits);
  APInt high = isSigned ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits);
  std::string accepted = "an integer from " + llvm::toString(low, 10, isSigned) + " to " +
                         llvm::toString(high, 10, isSigned);
  StringRef digits = text;
  bool negative = digits.consume_front("-");
  APInt magnitude;
  if (digits.empty() || digits.size() > 50 || digits.getAsInteger(10, magnitude))
    return refused(type, accepted, text);
  // 50 digits fit 192 bits: enough to compare without wrapping.
  APInt value = magnitude.zextOrTrunc(192);
  if (negative)
    value.negate();
  if (value.slt(isSigned ? low.sext(192) : low.zext(192)) ||
      value.sgt(isSigned ? high.sext(192) : high.zext(192)))
    return refused(type, accepted, text);
  ElementBits element{};
  llvm::StoreIntToMemory(value, element.data(), type.width);
  return element;
}

/// What a message says of the floats of one format.
static std::string acceptedFloats(const llvm::fltSemantics &semantics) {
  llvm::SmallString<32> largest;
  APFloat::getLargest(semantics).toString(largest);
  std::string text = ("a number up to " + largest).str();
  if (!APFloat::semanticsHasZero(semantics))
    text = ("a number above 0, which it lacks, up to " + largest).str();
  if (APFloat::semanticsHasInf(semantics))
    text += ", inf";
  if (APFloat::semanticsHasNaN(semantics))
    text += ", nan";
  unsigned digits = APFloat::getSizeInBits(semantics) / 4;
  return text + ", or 0x and the " + std::to_string(digits) + " digits of its bits";
}

/// One float, written to `to`. Special values are handled here: not every format has them.
static Status parseFloat(const ElementType &type, StringRef text, unsigned char *to) {
  const llvm::fltSemantics &semantics = floatSemantics(type);
  Error error = refused(type, acceptedFloats(semantics), text);
  int64_t width = type.kind == ElementKind::Complex ? type.width / 2 : type.width;
  StringRef body = text;
  // All bits, as MLIR writes them: fewer digits might be meant as a number.
  if (body.consume_front_insensitive("0x")) {
    APInt bits;
    if (body.size() != static_cast<size_t>(2 * width) || body.getAsInteger(16, bits))
      return error;
    llvm::StoreIntToMemory(bits.zextOrTrunc(8 * width), to, width);
    return Status::success();
  }
  bool negative = body.consume_front("-");
  if (negative && !APFloat::semanticsHasSignedRepr(semantics))
    return error;
  std::string word = body.lower();
  APFloat value(semantics, APInt::getZero(8 * width));
  if (word == "inf" || word == "infinity") {
    if (!APFloat::semanticsHasInf(semantics))
      return error;
    value = APFloat::getInf(semantics, negative);
  } else if (word == "nan") {
    if (!APFloat::semanticsHasNaN(semantics))
      return error;
    value = APFloat::getNaN(semantics, negative);
  } else {
    if (body.empty() || !(llvm::isDigit(body[0]) || body[0] == '.') ||
        body.starts_with_insensitive("0x"))
      return error;
    auto status = value.convertFromString(body, APFloat::rmNearestTiesToEven);
    if (!status) {
      llvm::consumeError(status.takeError());
      return error;
    }
    if (*status & (APFloat::opOverflow | APFloat::opInvalidOp) || !value.isFinite())
      return error;
    // f8E8M0FNU has no zero and would take its smallest number instead.
    if (!APFloat::semanticsHasZero(semantics) && APFloat(APFloat::IEEEdouble(), body).isZero())
      return error;
    if (negative)
      value.changeSign();
  }
  llvm::StoreIntToMemory(value.bitcastToAPInt(), to, width);
  return Status::success();
}

static Result<ElementBits> parseComplex(const ElementType &type, StringRef text) {
  auto [real, imaginary] = text.split(',');
  ElementBits element{};
  if (Status status = parseFloat(type, real.trim(), element.data()); !status)
    return status.error();
  if (real.size() == text.size())
    return element;
  Status status = parseFloat(type, imaginary.trim(), element.data() + type.width / 2);
  return status ? Result<ElementBits>(element) : Result<ElementBits>(status.error());
}

Result<ElementBits> relayout::parseElement(const ElementType &type, StringRef text) {
  if (text.size() > kMaxElementText)
    return Error{ErrorCode::Limit, "expects an element of at most " +
                                       llvm::utostr(kMaxElementText) + " characters, but it has " +
                                       llvm::utostr(text.size())};
  ElementBits element{};
  switch (type.kind) {
  case ElementKind::Bool:
    if (text != "true" && text != "false" && text != "1" && text != "0")
      return refused(type, "true or false", text);
    element[0] = text == "true" || text == "1";
    return element;
  case ElementKind::Signed:
  case ElementKind::Unsigned:
    return parseInteger(type, text);
  case ElementKind::Float:
    if (Status status = parseFloat(type, text, element.data()); !status)
      return status.error();
    return element;
  case ElementKind::Complex:
    return parseComplex(type, text);
  }
  return Error{ErrorCode::Internal, "an element type has no kind"};
}

Result<std::string> relayout::elementText(const llvm::json::Value &value) {
  if (std::optional<bool> boolean = value.getAsBoolean())
    return std::string(*boolean ? "true" : "false");
  if (std::optional<StringRef> string = value.getAsString())
    return string->str();
  if (value.getAsNumber()) {
    // An integer is one, however it is written: 2.0, which is a double. A zero keeps its sign.
    if (std::optional<int64_t> integer = jsonInteger(value); integer && *integer != 0)
      return llvm::itostr(*integer);
    PlainNumbers plain;
    std::string text;
    llvm::raw_string_ostream(text) << value;
    return text;
  }
  const llvm::json::Array *pair = value.getAsArray();
  if (!pair || pair->size() != 2 || (*pair)[0].getAsArray() || (*pair)[1].getAsArray())
    return Error{ErrorCode::Input,
                 "expects an element to be a number, a boolean, a string or [re, im]"};
  Result<std::string> real = elementText((*pair)[0]), imaginary = elementText((*pair)[1]);
  if (!real || !imaginary)
    return real ? imaginary.error() : real.error();
  return *real + "," + *imaginary;
}

/// The integer `value` as a float of `type`, written to `to`.
static void storeFloat(const ElementType &type, int64_t value, unsigned char *to) {
  int64_t width = type.kind == ElementKind::Complex ? type.width / 2 : type.width;
  if (std::strcmp(type.name, "f32") == 0) {
    float number = static_cast<float>(value);
    std::memcpy(to, &number, sizeof(number));
    return;
  }
  APFloat number(floatSemantics(type), APInt::getZero(8 * width));
  number.convertFromAPInt(APInt(64, value, /*isSigned=*/true), /*IsSigned=*/true,
                          APFloat::rmNearestTiesToEven);
  llvm::StoreIntToMemory(number.bitcastToAPInt(), to, width);
}

Status relayout::checkIota(int64_t first, int64_t count) {
  if (count == 0 || checkedAdd(first, count - 1))
    return Status::success();
  return Error{ErrorCode::Overflow, "expects integers that 64 bits hold, but " +
                                        llvm::itostr(count) + " from " + llvm::itostr(first) +
                                        " are more"};
}

void relayout::fillIota(const ElementType &type, int64_t first, int64_t count, void *data) {
  auto *to = static_cast<unsigned char *>(data);
  for (int64_t i = 0; i < count; ++i, to += type.width) {
    int64_t value = first + i;
    switch (type.kind) {
    case ElementKind::Bool:
      *to = value != 0;
      break;
    case ElementKind::Signed:
    case ElementKind::Unsigned:
      std::memset(to, value < 0 ? 0xff : 0, type.width);
      std::memcpy(to, &value, std::min<int64_t>(type.width, sizeof(value)));
      break;
    case ElementKind::Float:
    case ElementKind::Complex:
      std::memset(to, 0, type.width);
      storeFloat(type, value, to);
      break;
    }
  }
}
