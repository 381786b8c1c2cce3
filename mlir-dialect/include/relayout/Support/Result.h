// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Errors as values: the one error type of every library of the project. It
/// depends on nothing but the standard library, since Runtime knows no LLVM.

#ifndef RELAYOUT_SUPPORT_RESULT_H
#define RELAYOUT_SUPPORT_RESULT_H

#include <cassert>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace relayout {

/// What kind of rule an input broke. `codeWord` gives the word that machine
/// readable output uses.
enum class ErrorCode {
  Usage,       ///< a flag, key or command that does not exist or is malformed
  Syntax,      ///< text that does not parse (JSON, MLIR, numbers)
  Limit,       ///< text too long or too deep, rank or size beyond a guard
  Shape,       ///< a shape or rank that the operation does not take
  Type,        ///< an element type that is not accepted
  Layout,      ///< a layout that is missing, unknown or of another rank
  Mode,        ///< a mode that is missing or unknown
  Block,       ///< a block size below 1, or the wrong number of them
  Divisible,   ///< an extent that a block or digit does not divide
  Pattern,     ///< a pattern that breaks the rules of the notation
  Permutation, ///< a perm that is no permutation of the dimensions
  Pad,         ///< pads that are negative, too many or too few
  Crop,        ///< crops that are negative, too large, too many or too few
  Overflow,    ///< a product or sum that leaves 64 bits
  Input,       ///< input data that does not fit the spec
  Buffer,      ///< a null, small, overlapping or misaligned buffer
  Schedule,    ///< a pinned schedule that is impossible
  Unsupported, ///< valid, but not done by this version
  Environment, ///< files, memory, devices
  Mismatch,    ///< a result that differs from the reference
  Internal,    ///< a fault of ours
};

/// The word for `code` in JSON answers: lower case with underscores.
inline const char *codeWord(ErrorCode code) {
  switch (code) {
  case ErrorCode::Usage:
    return "usage";
  case ErrorCode::Syntax:
    return "syntax";
  case ErrorCode::Limit:
    return "limit";
  case ErrorCode::Shape:
    return "shape";
  case ErrorCode::Type:
    return "type";
  case ErrorCode::Layout:
    return "layout";
  case ErrorCode::Mode:
    return "mode";
  case ErrorCode::Block:
    return "block";
  case ErrorCode::Divisible:
    return "divisible";
  case ErrorCode::Pattern:
    return "pattern";
  case ErrorCode::Permutation:
    return "perm";
  case ErrorCode::Pad:
    return "pad";
  case ErrorCode::Crop:
    return "crop";
  case ErrorCode::Overflow:
    return "overflow";
  case ErrorCode::Input:
    return "input";
  case ErrorCode::Buffer:
    return "buffer";
  case ErrorCode::Schedule:
    return "schedule";
  case ErrorCode::Unsupported:
    return "unsupported";
  case ErrorCode::Environment:
    return "environment";
  case ErrorCode::Mismatch:
    return "mismatch";
  case ErrorCode::Internal:
    return "internal";
  }
  return "internal";
}

/// An error: its kind and a text in the project's grammar (lower case, no full
/// stop; the rule, the values that break it, what would be accepted).
struct Error {
  ErrorCode code;
  std::string message;
};

/// Either a value or an error. Test it before use: `if (!r) return r.error();`.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : state(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return state.index() == 0; }
  T &operator*() {
    assert(*this);
    return std::get<0>(state);
  }
  const T &operator*() const {
    assert(*this);
    return std::get<0>(state);
  }
  T *operator->() { return &**this; }
  const T *operator->() const { return &**this; }
  /// Moves the value out.
  T take() { return std::move(**this); }
  const Error &error() const {
    assert(!*this);
    return std::get<1>(state);
  }

private:
  std::variant<T, Error> state;
};

/// Success or an error, for functions that return no value.
class [[nodiscard]] Status {
public:
  Status() = default;
  Status(Error error) : failure(std::move(error)) {}
  explicit operator bool() const { return !failure; }
  const Error &error() const {
    assert(failure);
    return *failure;
  }
  static Status success() { return {}; }

private:
  std::optional<Error> failure;
};

} // namespace relayout

#endif // RELAYOUT_SUPPORT_RESULT_H
