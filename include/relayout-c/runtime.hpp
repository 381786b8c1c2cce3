// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// relayout-c/runtime.h for C++17: handles that free themselves and results that are a
/// value or an error. Header only; works without exceptions and RTTI. The rules on
/// threads are those of the C functions.

#ifndef RELAYOUT_C_RUNTIME_HPP
#define RELAYOUT_C_RUNTIME_HPP

#include "relayout-c/runtime.h"
#include "relayout-c/view.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace relayout::api {

/// What went wrong: a kind and a text.
class Error {
public:
  Error(relayout_error_code code, std::string message) : kind(code), text(std::move(message)) {}
  /// Frees `error`.
  explicit Error(relayout_error *error)
      : kind(relayout_error_get_code(error)), text(relayout_error_message(error)) {
    relayout_error_free(error);
  }
  relayout_error_code code() const { return kind; }
  const std::string &message() const { return text; }

private:
  relayout_error_code kind;
  std::string text;
};

/// A value or an error. Test it before use: `if (!kernel) return kernel.error();`.
template <typename T> class [[nodiscard]] Expected {
public:
  Expected(T value) : state(std::in_place_index<0>, std::move(value)) {}
  Expected(Error error) : state(std::in_place_index<1>, std::move(error)) {}
  explicit operator bool() const { return state.index() == 0; }
  bool has_value() const { return state.index() == 0; }
  T &operator*() & { return *std::get_if<0>(&state); }
  const T &operator*() const & { return *std::get_if<0>(&state); }
  T &&operator*() && { return std::move(*std::get_if<0>(&state)); }
  T *operator->() { return std::get_if<0>(&state); }
  const T *operator->() const { return std::get_if<0>(&state); }
  const Error &error() const { return *std::get_if<1>(&state); }

private:
  std::variant<T, Error> state;
};

/// Success or an error.
template <> class [[nodiscard]] Expected<void> {
public:
  Expected() = default;
  Expected(Error error) : failure(std::move(error)) {}
  explicit operator bool() const { return !failure; }
  bool has_value() const { return !failure; }
  const Error &error() const { return *failure; }

private:
  std::optional<Error> failure;
};

namespace detail {
inline Expected<void> check(relayout_error *error) {
  return error ? Expected<void>(Error(error)) : Expected<void>();
}

/// Owns a handle of the C interface.
template <typename CHandle, void (*freeHandle)(CHandle *)> class Owner {
public:
  using Handle = CHandle;
  /// Takes `handle` over.
  explicit Owner(Handle *handle) : owned(handle) {}
  /// Null after a move.
  Handle *get() const { return owned.get(); }

private:
  struct Free {
    void operator()(Handle *handle) const { freeHandle(handle); }
  };
  std::unique_ptr<Handle, Free> owned;
};

/// Calls a function of the C interface whose last argument takes the new handle.
template <typename Made, typename... Parameters, typename... Arguments>
Expected<Made> make(relayout_error *(*function)(Parameters...), Arguments... arguments) {
  typename Made::Handle *handle = nullptr;
  if (relayout_error *error = function(arguments..., &handle))
    return Error(error);
  return Made(handle);
}

/// The bytes of a view or of a std::mdspan.
template <typename V> size_t bytesOf(const V &view) {
  return static_cast<size_t>(view.mapping().required_span_size()) * sizeof(*view.data_handle());
}
} // namespace detail

/// A pool of threads for programs that have none to lend.
class Pool : public detail::Owner<relayout_pool, relayout_pool_free> {
public:
  using Owner::Owner;
  static Expected<Pool> create(int64_t width) {
    return detail::make<Pool>(relayout_pool_create, width);
  }
  const relayout_executor *executor() const { return relayout_pool_executor(get()); }
};

/// Code for one rearrangement.
class Kernel : public detail::Owner<relayout_kernel, relayout_kernel_free> {
public:
  using Owner::Owner;

  /// Of an image that was compiled ahead of time; `data` may be freed afterwards.
  static Expected<Kernel> load(const void *data, size_t size) {
    return detail::make<Kernel>(relayout_kernel_load, data, size);
  }
  static Expected<Kernel> loadFile(const char *path) {
    return detail::make<Kernel>(relayout_kernel_load_file, path);
  }

  relayout_kernel_info info() const {
    relayout_kernel_info info = {};
    info.struct_size = sizeof(info);
    relayout_error_free(relayout_kernel_get_info(get(), &info));
    return info;
  }

  /// Runs the whole kernel on `executor`, or on the caller's thread if it is null.
  Expected<void> run(relayout_const_buffer in, relayout_buffer out,
                     const relayout_executor *executor = nullptr) const {
    return detail::check(relayout_kernel_run(get(), in, out, executor));
  }
  /// The same from a view or std::mdspan to another, which must lie as the spec says.
  template <typename In, typename Out>
  auto run(const In &in, const Out &out, const relayout_executor *executor = nullptr) const
      -> decltype(in.data_handle(), out.data_handle(), Expected<void>()) {
    return run(relayout_const_buffer{in.data_handle(), detail::bytesOf(in)},
               relayout_buffer{out.data_handle(), detail::bytesOf(out)}, executor);
  }
  /// Runs units `begin` to `end` - 1; see relayout_kernel_run_units.
  Expected<void> runUnits(relayout_const_buffer in, relayout_buffer out, void *scratch,
                          int64_t begin, int64_t end) const {
    return detail::check(relayout_kernel_run_units(get(), in, out, scratch, begin, end));
  }

  /// JSON.
  const char *spec() const { return relayout_kernel_spec(get()); }
  /// Empty for a plain copy.
  const char *schedule() const { return relayout_kernel_schedule(get()); }
};

} // namespace relayout::api

#endif // RELAYOUT_C_RUNTIME_HPP
