// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Support.h"

using namespace relayout;

// The numbers of the interface are those of the library, from 1.
static relayout_error_code codeOf(ErrorCode code) {
  return static_cast<relayout_error_code>(static_cast<int>(code) + 1);
}
static_assert(static_cast<int>(ErrorCode::Usage) + 1 == RELAYOUT_ERROR_USAGE);
static_assert(static_cast<int>(ErrorCode::Divisible) + 1 == RELAYOUT_ERROR_DIVISIBLE);
static_assert(static_cast<int>(ErrorCode::Buffer) + 1 == RELAYOUT_ERROR_BUFFER);
static_assert(static_cast<int>(ErrorCode::Internal) + 1 == RELAYOUT_ERROR_INTERNAL);

relayout_error *capi::fail(const Error &error) { return fail(error.code, error.message); }

relayout_error *capi::fail(ErrorCode code, std::string message) {
  // The caller's text would end at a NUL that a string of JSON has.
  for (size_t place; (place = message.find('\0')) != std::string::npos;)
    message.replace(place, 1, "\\x00");
  return new relayout_error{codeOf(code), std::move(message)};
}

relayout_error *capi::require(const void *pointer, const char *name) {
  if (pointer)
    return nullptr;
  return fail(ErrorCode::Usage, std::string("expects ") + name + " not to be null");
}

relayout_error *capi::checkStructSize(size_t size, const char *name) {
  if (size >= sizeof(size_t) && size <= 4096)
    return nullptr;
  return fail(ErrorCode::Usage, std::string("expects struct_size of ") + name +
                                    " to be the size of the struct, but it is " +
                                    std::to_string(size));
}

uint32_t relayout_abi_version(void) { return RELAYOUT_ABI_VERSION; }

const char *relayout_version(void) { return RELAYOUT_VERSION_TEXT; }

relayout_error_code relayout_error_get_code(const relayout_error *error) {
  return error ? error->code : static_cast<relayout_error_code>(0);
}

const char *relayout_error_message(const relayout_error *error) {
  return error ? error->message.c_str() : nullptr;
}

void relayout_error_free(relayout_error *error) { delete error; }
