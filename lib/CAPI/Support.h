// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What every function of the C interface needs: errors that cross it, and structs
/// whose size the caller states.

#ifndef RELAYOUT_LIB_CAPI_SUPPORT_H
#define RELAYOUT_LIB_CAPI_SUPPORT_H

#include "relayout-c/runtime.h"

#include "relayout/Support/Result.h"

#include <cstring>
#include <string>

struct relayout_error {
  relayout_error_code code;
  std::string message;
};

namespace relayout::capi {

/// `error` for the caller, who frees it.
relayout_error *fail(const Error &error);
relayout_error *fail(ErrorCode code, std::string message);
/// Null on success.
inline relayout_error *fail(const Status &status) {
  return status ? nullptr : fail(status.error());
}

/// An error if `pointer`, the argument called `name`, is null; otherwise null.
relayout_error *require(const void *pointer, const char *name);

/// An error if the struct called `name` does not begin with its size.
relayout_error *checkStructSize(size_t size, const char *name);

/// Copies the members of `from` that the caller's struct has; it keeps its size.
template <typename Struct> relayout_error *fillStruct(Struct *to, Struct from, const char *name) {
  if (relayout_error *error = require(to, name))
    return error;
  if (relayout_error *error = checkStructSize(to->struct_size, name))
    return error;
  size_t known = to->struct_size < sizeof(Struct) ? to->struct_size : sizeof(Struct);
  std::memcpy(reinterpret_cast<char *>(to) + sizeof(size_t),
              reinterpret_cast<char *>(&from) + sizeof(size_t), known - sizeof(size_t));
  return nullptr;
}

/// Copies the caller's struct to `to`, whose members are zero before: those that the
/// caller's lacks stay so. An error if it has others that are not zero. Null is all zeros.
template <typename Struct>
relayout_error *readStruct(Struct &to, const Struct *from, const char *name) {
  if (!from)
    return nullptr;
  if (relayout_error *error = checkStructSize(from->struct_size, name))
    return error;
  const char *bytes = reinterpret_cast<const char *>(from);
  for (size_t i = sizeof(Struct); i < from->struct_size; ++i)
    if (bytes[i] != 0)
      return fail(ErrorCode::Unsupported, std::string("expects ") + name +
                                              " without members that this version does not know, "
                                              "but byte " +
                                              std::to_string(i) + " is not zero");
  std::memcpy(&to, from, from->struct_size < sizeof(Struct) ? from->struct_size : sizeof(Struct));
  return nullptr;
}

} // namespace relayout::capi

#endif // RELAYOUT_LIB_CAPI_SUPPORT_H
