// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// From values by key to a checked spec: where all written forms meet.

#include "relayout/Spec/Fields.h"
#include "relayout/Support/Text.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <optional>

using namespace relayout;
using llvm::StringRef;

using FieldValues = std::map<std::string, FieldValue>;

template <typename Range, typename Word>
static std::string wordList(const Range &range, Word word) {
  std::string text;
  for (const auto &entry : range)
    text += (text.empty() ? "" : ", ") + std::string(word(entry));
  return text;
}

/// With ONNX's words, which stand in a spec only as it is written.
static const char *const kModeWords = "blocks_first (DCR), depth_first (CRD)";

/// What a key that is missing is, and what it may be.
static Error missingField(const OperationInfo &operation, StringRef key) {
  std::string message = std::string(operation.name) + " expects " + key.str();
  if (key == "layout")
    return Error{ErrorCode::Layout,
                 message + ", which has no default, one of " +
                     wordList(tensorLayouts(), [](const auto &entry) { return entry.first; })};
  if (key == "mode")
    return Error{ErrorCode::Mode, message + ", which has no default, one of " + kModeWords};
  if (key == "block_size")
    return Error{ErrorCode::Block, message + ", which has no default, as in 2"};
  if (key == "shape")
    return Error{ErrorCode::Shape, message + ", as in 1x2x3xf32"};
  if (key == "dtype")
    return Error{ErrorCode::Type,
                 message + ", one of " +
                     wordList(elementTypes(), [](const ElementType &type) { return type.name; })};
  ErrorCode code = key == "pattern" ? ErrorCode::Pattern
                   : key == "perm"  ? ErrorCode::Permutation
                                    : ErrorCode::Block;
  return Error{code, message};
}

/// Checks that `operation` takes all keys of `values` and has all that it needs.
static Status checkKeys(const OperationInfo &operation, const FieldValues &values) {
  for (const auto &[key, value] : values) {
    if (operation.takes(key))
      continue;
    std::string taken;
    for (const SpecField &field : specFields())
      if (operation.takes(field.key))
        taken += (taken.empty() ? "" : ", ") + std::string(field.key);
    return Error{ErrorCode::Usage,
                 std::string(operation.name) + " takes no " + key + ", only " + taken};
  }
  for (StringRef key : operation.required)
    if (!values.count(key.str()))
      return missingField(operation, key);
  return Status::success();
}

/// Reads `1x2x3xf32`, `1x2x3`, `f32` or an empty text into `spec`.
static Status parseShapeText(StringRef text, Spec &spec) {
  StringRef rest = text;
  while (!rest.empty()) {
    if (rest.starts_with("?"))
      return Error{ErrorCode::Unsupported,
                   "expects static extents, but dimension " + llvm::utostr(spec.shape.size()) +
                       " is '?'; dynamic dimensions are not supported in this version"};
    size_t digits = rest.starts_with("-") ? 1 : 0;
    digits += rest.drop_front(digits).take_while(llvm::isDigit).size();
    bool isLast = digits == rest.size();
    if (digits == 0 || (!isLast && rest[digits] != 'x'))
      break;
    int64_t extent;
    if (rest.take_front(digits).getAsInteger(10, extent))
      return Error{ErrorCode::Syntax, "expects extents of 64 bits, but got '" +
                                          rest.take_front(std::min<size_t>(digits, 60)).str() +
                                          "'"};
    spec.shape.push_back(extent);
    rest = isLast ? StringRef() : rest.drop_front(digits + 1);
    if (rest.empty() && !isLast)
      return Error{ErrorCode::Syntax, "expects an extent or a type after the last 'x' of shape"};
  }
  if (rest.empty())
    return Status::success();
  if (!llvm::isAlpha(rest.front()))
    return Error{ErrorCode::Syntax, "expects shape to be extents and a type, as in 1x2x3xf32, "
                                    "but got '" +
                                        beginning(text) + "'"};
  Result<const ElementType *> type = parseElementType({rest.data(), rest.size()});
  if (!type)
    return type.error();
  spec.dtype = *type;
  return Status::success();
}

static Status takeShape(const OperationInfo &operation, const FieldValues &values, Spec &spec) {
  auto shape = values.find("shape");
  if (shape == values.end())
    return missingField(operation, "shape");
  if (Status status = parseShapeText(std::get<std::string>(shape->second), spec); !status)
    return status;
  if (auto dtype = values.find("dtype"); dtype != values.end()) {
    Result<const ElementType *> type = parseElementType(std::get<std::string>(dtype->second));
    if (!type)
      return type.error();
    if (spec.dtype && spec.dtype != *type)
      return Error{ErrorCode::Type, std::string("expects dtype to be that of shape, but ") +
                                        (*type)->name + " is not " + spec.dtype->name};
    spec.dtype = *type;
  }
  if (!spec.dtype)
    return missingField(operation, "dtype");
  return checkShape(spec.shape, spec.dtype->width);
}

/// Sets `member` to the value of `key` by `parse`, if there is one.
template <typename Member, typename Parse>
static Status takeWord(const FieldValues &values, const char *key, Member &member, Parse parse) {
  auto found = values.find(key);
  if (found == values.end())
    return Status::success();
  auto word = parse(std::get<std::string>(found->second));
  if (!word)
    return word.error();
  member = *word;
  return Status::success();
}

template <typename Value>
static void take(const FieldValues &values, const char *key, Value &member) {
  if (auto found = values.find(key); found != values.end())
    member = std::get<Value>(found->second);
}

static void takeInteger(const FieldValues &values, const char *key, int64_t &member) {
  if (auto found = values.find(key); found != values.end())
    member = std::get<std::vector<int64_t>>(found->second).front();
}

static Result<DepthMode> parseModeWord(StringRef word) {
  if (word == "DCR")
    return DepthMode::BlocksFirst;
  if (word == "CRD")
    return DepthMode::DepthFirst;
  if (Result<DepthMode> mode = parseDepthMode(word))
    return mode;
  return Error{ErrorCode::Mode, std::string("expects a mode among ") + kModeWords + ", but got '" +
                                    beginning(word) + "'"};
}

/// An attribute of MLIR makes signalling NaNs in a complex number quiet (T8 of Spec.md).
static Result<ElementBits> parsePadValue(const ElementType &type, const std::string &text) {
  Result<ElementBits> bits = parseElement(type, text);
  if (!bits || type.kind != ElementKind::Complex)
    return bits;
  int64_t part = type.width / 2;
  for (int64_t at : {int64_t(0), part})
    if (llvm::APFloat(floatSemantics(type), loadBits(bits->data() + at, part)).isSignaling())
      return Error{ErrorCode::Type,
                   "expects no signalling NaN in a complex number, but got '" + text + "'"};
  return bits;
}

static Status takeWords(const FieldValues &values, Spec &spec) {
  if (Status status = takeWord(values, "layout", spec.layout, parseTensorLayout); !status)
    return status;
  if (Status status = takeWord(values, "result_layout", spec.resultLayout, parseTensorLayout);
      !status)
    return status;
  if (Status status = takeWord(values, "mode", spec.mode, parseModeWord); !status)
    return status;
  return takeWord(values, "pad_value", spec.padValue,
                  [&](const std::string &text) { return parsePadValue(*spec.dtype, text); });
}

/// The dimensions of the result; none for a spec that means nothing, which is refused for that.
static size_t resultRank(const Spec &spec) {
  Result<Rearrangement> meaning = toRearrangement(spec);
  return meaning ? meaning->resultShape().size() : 0;
}

/// A spec has no entries where a list is left out: one that is given must not look like that.
static Status checkEntries(const FieldValues &values, const Spec &spec) {
  struct List {
    const char *key;
    ErrorCode code;
    std::optional<size_t> wanted; ///< entries; absent: one for each dimension of the result
  };
  size_t blocks = spec.blockShape.size(), rank = spec.shape.size();
  for (const List &list : {List{"paddings", ErrorCode::Pad, blocks},
                           {"crops", ErrorCode::Crop, blocks},
                           {"pad", ErrorCode::Pad, rank},
                           {"crop", ErrorCode::Crop, std::nullopt},
                           {"input_strides", ErrorCode::Layout, rank},
                           {"output_strides", ErrorCode::Layout, std::nullopt}}) {
    auto found = values.find(list.key);
    bool isEmpty = found != values.end() &&
                   std::visit([](const auto &value) { return value.empty(); }, found->second);
    if (isEmpty && (list.wanted ? *list.wanted : resultRank(spec)) > 0)
      return Error{list.code, std::string("expects ") + list.key +
                                  " to have entries or to be left out, but got an empty list"};
  }
  return Status::success();
}

Result<Spec> relayout::makeSpec(const OperationInfo &operation, const FieldValues &values) {
  if (Status status = checkKeys(operation, values); !status)
    return status.error();
  Spec spec;
  spec.operation = operation.operation;
  if (Status status = takeShape(operation, values, spec); !status)
    return status.error();
  if (Status status = takeWords(values, spec); !status)
    return status.error();
  take(values, "block_size", spec.blockSize);
  take(values, "block_shape", spec.blockShape);
  take(values, "paddings", spec.paddings);
  take(values, "crops", spec.crops);
  take(values, "pattern", spec.pattern);
  take(values, "sizes", spec.sizes);
  take(values, "pad", spec.pad);
  take(values, "crop", spec.crop);
  take(values, "perm", spec.perm);
  takeInteger(values, "groups", spec.groups);
  takeInteger(values, "axis", spec.axis);
  take(values, "input_strides", spec.inputStrides);
  take(values, "output_strides", spec.outputStrides);
  if (Status status = checkEntries(values, spec); !status)
    return status.error();
  return spec;
}
