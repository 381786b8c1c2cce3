// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Specs as JSON objects: JSON values to the values that flags give, too.

#include "relayout/Spec/Fields.h"
#include "relayout/Spec/GuardedJson.h"
#include "relayout/Support/Text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace relayout;
using llvm::StringRef;
namespace json = llvm::json;

/// `value` in a message: its text, cut to a line.
static std::string shown(const json::Value &value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text.size() <= 60 ? text : beginning(text) + "...";
}

static Error malformed(const SpecField &field, const char *form, const json::Value &value) {
  return Error{ErrorCode::Syntax, std::string("expects ") + field.key + " to be " + form +
                                      ", but got " + shown(value)};
}

static const char *const kIntegers = "a list of integers of 64 bits";

static Result<FieldValue> parseInteger(const SpecField &field, const json::Value &value,
                                       const char *form = "an integer of 64 bits") {
  if (std::optional<int64_t> integer = jsonInteger(value))
    return FieldValue(std::vector<int64_t>{*integer});
  return malformed(field, form, value);
}

static Result<FieldValue> parseIntegers(const SpecField &field, const json::Value &value) {
  const json::Array *array = value.getAsArray();
  if (!array)
    return malformed(field, kIntegers, value);
  std::vector<int64_t> values;
  for (const json::Value &entry : *array) {
    std::optional<int64_t> integer = jsonInteger(entry);
    if (!integer)
      return malformed(field, kIntegers, entry);
    values.push_back(*integer);
  }
  return FieldValue(std::move(values));
}

/// A list of extents becomes the text that `--shape` takes, without a type.
static Result<FieldValue> parseShape(const SpecField &field, const json::Value &value) {
  if (std::optional<StringRef> text = value.getAsString())
    return FieldValue(text->str());
  const json::Array *array = value.getAsArray();
  if (!array)
    return malformed(field, kIntegers, value);
  std::string text;
  for (const json::Value &entry : *array) {
    std::optional<int64_t> integer = jsonInteger(entry);
    if (!integer && entry.getAsString() != StringRef("?"))
      return malformed(field, kIntegers, entry);
    text += (text.empty() ? "" : "x") + (integer ? llvm::itostr(*integer) : std::string("?"));
  }
  return FieldValue(std::move(text));
}

static Result<FieldValue> parseWindows(const SpecField &field, const json::Value &value) {
  const char *form = "a list of [low, high] pairs of integers";
  const json::Array *array = value.getAsArray();
  if (!array)
    return malformed(field, form, value);
  std::vector<Window> windows;
  for (const json::Value &entry : *array) {
    const json::Array *pair = entry.getAsArray();
    if (!pair || pair->size() != 2)
      return malformed(field, form, entry);
    std::optional<int64_t> low = jsonInteger((*pair)[0]), high = jsonInteger((*pair)[1]);
    if (!low || !high)
      return malformed(field, form, entry);
    windows.push_back({*low, *high});
  }
  return FieldValue(std::move(windows));
}

static Result<FieldValue> parseSizes(const SpecField &field, const json::Value &value) {
  const json::Object *object = value.getAsObject();
  if (!object)
    return malformed(field, "an object of integers", value);
  DigitSizes sizes;
  for (const auto &[name, entry] : *object) {
    std::optional<int64_t> extent = jsonInteger(entry);
    if (!extent)
      return Error{ErrorCode::Syntax, "expects " + std::string(field.key) +
                                          " to be an object of integers of 64 bits, but " +
                                          name.str() + " is " + shown(entry)};
    sizes[name.str()] = *extent;
  }
  return FieldValue(std::move(sizes));
}

static Result<FieldValue> parseText(const SpecField &field, const json::Value &value) {
  if (std::optional<StringRef> text = value.getAsString())
    return FieldValue(text->str());
  return malformed(field, "a string", value);
}

static Result<FieldValue> parseValue(const SpecField &field, const json::Value &value) {
  Result<std::string> text = elementText(value);
  if (!text)
    return Error{text.error().code, std::string(field.key) + ": " + text.error().message};
  return FieldValue(text.take());
}

static Result<FieldValue> parseField(const SpecField &field, const json::Value &value) {
  switch (field.form) {
  case FieldForm::Shape:
    return parseShape(field, value);
  case FieldForm::Integer:
    return parseInteger(field, value);
  case FieldForm::Integers:
    return parseIntegers(field, value);
  case FieldForm::OneOrMore:
    return value.getAsArray()
               ? parseIntegers(field, value)
               : parseInteger(field, value, "an integer of 64 bits or a list of them");
  case FieldForm::Windows:
    return parseWindows(field, value);
  case FieldForm::Sizes:
    return parseSizes(field, value);
  case FieldForm::Text:
    return parseText(field, value);
  case FieldForm::Value:
    return parseValue(field, value);
  }
  return Error{ErrorCode::Internal, "a field has no form"};
}

Result<Spec> relayout::parseSpecJson(const json::Object &object, llvm::ArrayRef<StringRef> others) {
  if (const json::Value *version = object.get("spec"); version && jsonInteger(*version) != 1)
    return Error{ErrorCode::Unsupported,
                 "expects spec to be 1, the only version, but got " + shown(*version)};
  std::optional<StringRef> name = object.getString("op");
  if (!name)
    return Error{ErrorCode::Usage,
                 object.get("op") ? "expects op to be a string, but got " + shown(*object.get("op"))
                                  : "expects op, the name of an operation"};
  Result<const OperationInfo *> operation = parseOperation(*name);
  if (!operation)
    return operation.error();
  std::map<std::string, FieldValue> values;
  llvm::SmallVector<StringRef> beside = {"spec", "op"};
  beside.append(others.begin(), others.end());
  for (const auto &[key, value] : object) {
    StringRef word = key;
    if (llvm::is_contained(beside, word))
      continue;
    Result<const SpecField *> field = parseFieldKey(word, beside);
    if (!field)
      return field.error();
    Result<FieldValue> parsed = parseField(**field, value);
    if (!parsed)
      return parsed.error();
    if (!values.emplace((*field)->key, parsed.take()).second)
      return Error{ErrorCode::Usage,
                   std::string("expects ") + (*field)->key + " once, but it is given twice"};
  }
  return makeSpec(**operation, values);
}
