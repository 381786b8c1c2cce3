// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The one table of operations and their attributes: parsing, checks, help texts
/// and docs are made from it.

#ifndef RELAYOUT_SPEC_FIELDS_H
#define RELAYOUT_SPEC_FIELDS_H

#include "relayout/Spec/Spec.h"

#include <map>
#include <variant>

namespace relayout {

/// How the value of an attribute is written.
enum class FieldForm {
  Shape,     ///< `1x2x3xf32`; in JSON a list of integers or the same text
  Integer,   ///< `2`
  Integers,  ///< `2,3`; in JSON a list
  OneOrMore, ///< `2,3`; in JSON a list, or one integer
  Windows,   ///< `1:0,2:3`; in JSON a list of pairs
  Sizes,     ///< `by=2,bx=2`; in JSON an object
  Text,      ///< a word or a pattern
  Value,     ///< an element of the spec's type
};

/// A value in the form that flags and JSON share. Shape, Text and Value are text,
/// Integer is a list of one.
using FieldValue = std::variant<std::string, std::vector<int64_t>, std::vector<Window>, DigitSizes>;

/// One attribute. Its key is the JSON key; the flag has dashes for underscores.
struct SpecField {
  const char *key;
  FieldForm form;
  const char *valueName; ///< for help texts: `LIST`, `1x2x3xf32`
  const char *help;      ///< of a line or few, lower case, no full stop
};

/// One operation and the keys that it takes beside `shape`, `dtype` and the strides.
struct OperationInfo {
  Operation operation;
  const char *name;
  const char *help;
  std::vector<llvm::StringRef> required;
  std::vector<llvm::StringRef> optional;

  bool takes(llvm::StringRef key) const;
};

llvm::ArrayRef<SpecField> specFields();
llvm::ArrayRef<OperationInfo> operations();
const OperationInfo &operationInfo(Operation operation);

/// The error that `word` is none of `words`, with the nearest; `what` is what they are.
Error unknownWord(const char *what, llvm::StringRef word, llvm::ArrayRef<llvm::StringRef> words);

/// The operation called `name`, or an error that lists all and the nearest.
Result<const OperationInfo *> parseOperation(llvm::StringRef name);

/// The attribute called `key` (dashes count as underscores), or an error that names
/// the nearest among these and `others`, which may stand beside them.
Result<const SpecField *> parseFieldKey(llvm::StringRef key,
                                        llvm::ArrayRef<llvm::StringRef> others = {});

/// Makes a spec of the values that were given, checking which keys `operation`
/// takes and needs. All written forms end here.
Result<Spec> makeSpec(const OperationInfo &operation,
                      const std::map<std::string, FieldValue> &values);

/// The member of `candidates` that is nearest to `word`, or empty if none is near.
llvm::StringRef nearestWord(llvm::StringRef word, llvm::ArrayRef<llvm::StringRef> candidates);

} // namespace relayout

#endif // RELAYOUT_SPEC_FIELDS_H
