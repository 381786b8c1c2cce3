// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Layout/ElementType.h"

#include "relayout/Support/Text.h"

#include "Text.h"

using namespace relayout;

const std::vector<ElementType> &relayout::elementTypes() {
  static const auto &types = *new std::vector<ElementType>{
      {"bool", ElementKind::Bool, 1},           {"i8", ElementKind::Signed, 1},
      {"i16", ElementKind::Signed, 2},          {"i32", ElementKind::Signed, 4},
      {"i64", ElementKind::Signed, 8},          {"u8", ElementKind::Unsigned, 1},
      {"u16", ElementKind::Unsigned, 2},        {"u32", ElementKind::Unsigned, 4},
      {"u64", ElementKind::Unsigned, 8},        {"f8E5M2", ElementKind::Float, 1},
      {"f8E4M3", ElementKind::Float, 1},        {"f8E4M3FN", ElementKind::Float, 1},
      {"f8E5M2FNUZ", ElementKind::Float, 1},    {"f8E4M3FNUZ", ElementKind::Float, 1},
      {"f8E4M3B11FNUZ", ElementKind::Float, 1}, {"f8E3M4", ElementKind::Float, 1},
      {"f8E8M0FNU", ElementKind::Float, 1},     {"f16", ElementKind::Float, 2},
      {"bf16", ElementKind::Float, 2},          {"f32", ElementKind::Float, 4},
      {"f64", ElementKind::Float, 8},           {"c64", ElementKind::Complex, 8},
      {"c128", ElementKind::Complex, 16},       {"b8", ElementKind::Unsigned, 1},
      {"b16", ElementKind::Unsigned, 2},        {"b32", ElementKind::Unsigned, 4},
      {"b64", ElementKind::Unsigned, 8},        {"b128", ElementKind::Unsigned, 16},
  };
  return types;
}

/// The spec's word for a type as MLIR writes it.
static std::string specWord(std::string_view name) {
  if (name == "i1")
    return "bool";
  if (name == "complex<f32>")
    return "c64";
  if (name == "complex<f64>")
    return "c128";
  for (std::string_view bits : {"8", "16", "32", "64"}) {
    if (name == cat("si", bits))
      return cat("i", bits);
    if (name == cat("ui", bits))
      return cat("u", bits);
  }
  return std::string(name);
}

Result<const ElementType *> relayout::parseElementType(std::string_view name) {
  std::string word = specWord(name);
  std::vector<const char *> names;
  for (const ElementType &type : elementTypes()) {
    if (word == type.name)
      return &type;
    names.push_back(type.name);
  }
  return makeError(ErrorCode::Type, "expects an element type among ", join(names, ", "),
                   ", but got '", beginning(name), "'");
}
