// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Elements as JSON values that read back exactly.

#include "relayout/Spec/Element.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <charconv>

using namespace relayout;
using llvm::APFloat;
using llvm::APInt;
using llvm::StringRef;

APInt relayout::loadBits(const unsigned char *bytes, int64_t width) {
  APInt bits = APInt::getZero(8 * width);
  llvm::LoadIntFromMemory(bits, bytes, width);
  return bits;
}

/// Writes `number` with the fewest digits that `parseElement` takes back to `value`.
static StringRef shortest(const APFloat &value, double number, char (&text)[40]) {
  const llvm::fltSemantics &semantics = value.getSemantics();
  char *end = text;
  if (&semantics == &APFloat::IEEEdouble())
    end = std::to_chars(text, text + sizeof(text), number).ptr;
  else if (&semantics == &APFloat::IEEEsingle())
    end = std::to_chars(text, text + sizeof(text), static_cast<float>(number)).ptr;
  else
    for (int digits = 1; digits <= 17; ++digits) {
      end =
          std::to_chars(text, text + sizeof(text), number, std::chars_format::general, digits).ptr;
      APFloat back(semantics, APInt::getZero(APFloat::getSizeInBits(semantics)));
      auto status =
          back.convertFromString(StringRef(text, end - text), APFloat::rmNearestTiesToEven);
      if (!status)
        llvm::consumeError(status.takeError());
      else if (back.bitwiseIsEqual(value))
        break;
    }
  return StringRef(text, end - text);
}

/// A NaN by its word where `parseElement` reads the same one, else by its bits.
static void printNaN(llvm::raw_ostream &out, const llvm::fltSemantics &semantics,
                     const APInt &bits) {
  auto isWord = [&](bool negative) {
    return bits == APFloat::getNaN(semantics, negative).bitcastToAPInt();
  };
  if (isWord(/*negative=*/false))
    out << "\"nan\"";
  else if (isWord(/*negative=*/true))
    out << "\"-nan\"";
  else
    out << '"' << llvm::format_hex(bits.getZExtValue(), 2 + bits.getBitWidth() / 4, /*Upper=*/true)
        << '"';
}

static void printFloat(llvm::raw_ostream &out, const ElementType &type,
                       const unsigned char *bytes) {
  int64_t width = type.kind == ElementKind::Complex ? type.width / 2 : type.width;
  const llvm::fltSemantics &semantics = floatSemantics(type);
  APInt bits = loadBits(bytes, width);
  APFloat value(semantics, bits);
  if (value.isNaN())
    return printNaN(out, semantics, bits);
  if (value.isInfinity()) {
    out << (value.isNegative() ? "\"-inf\"" : "\"inf\"");
    return;
  }
  // JSON readers take -0 for the integer 0.
  if (value.isZero()) {
    out << (value.isNegative() ? "-0.0" : "0");
    return;
  }
  if (value.isNegative()) {
    out << '-';
    value.changeSign();
  }
  bool losesInfo;
  APFloat wide = value;
  wide.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
  char text[40];
  out << shortest(value, wide.convertToDouble(), text);
}

void relayout::printElement(llvm::raw_ostream &out, const ElementType &type, const void *data) {
  auto *bytes = static_cast<const unsigned char *>(data);
  switch (type.kind) {
  case ElementKind::Bool:
    out << (*bytes ? "true" : "false");
    break;
  case ElementKind::Signed:
  case ElementKind::Unsigned: {
    const char *quote = type.width > 8 ? "\"" : "";
    out << quote;
    loadBits(bytes, type.width).print(out, type.kind == ElementKind::Signed);
    out << quote;
    break;
  }
  case ElementKind::Float:
    printFloat(out, type, bytes);
    break;
  case ElementKind::Complex:
    out << '[';
    printFloat(out, type, bytes);
    out << ',';
    printFloat(out, type, bytes + type.width / 2);
    out << ']';
    break;
  }
}
