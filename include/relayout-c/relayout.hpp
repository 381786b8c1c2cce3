// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// relayout-c/relayout.h for C++17, by the rules of relayout-c/runtime.hpp.

#ifndef RELAYOUT_C_RELAYOUT_HPP
#define RELAYOUT_C_RELAYOUT_HPP

#include "relayout-c/relayout.h"
#include "relayout-c/runtime.hpp"

#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace relayout::api {

using Window = relayout_window;
using Shape = std::vector<int64_t>;

/// A tensor: its element type and its shape.
struct Tensor {
  std::string dtype; ///< as in relayout_tensor; empty: opaque elements of `width` bytes
  Shape shape;
  int64_t width = 0;

  /// Of elements that C++ calls `T`.
  template <typename T> static Tensor of(Shape shape) {
    return {dtypeOf<T>(), std::move(shape), sizeof(T)};
  }
  relayout_tensor get() const {
    return {dtype.empty() ? nullptr : dtype.c_str(), width, static_cast<int64_t>(shape.size()),
            shape.data()};
  }
};

/// One operation on one shape.
class Spec : public detail::Owner<relayout_spec, relayout_spec_free> {
public:
  using Owner::Owner;

  /// Extents of a pattern's digits.
  using Sizes = std::map<std::string, int64_t>;
  /// What a pattern takes beside the operand. Windows have one entry for each dimension,
  /// or none.
  struct PatternOptions {
    Sizes sizes = {};
    std::vector<Window> pad = {};
    std::vector<Window> crop = {};
    const char *padValue = nullptr;
  };
  static Expected<Spec> pattern(const char *text, const Tensor &operand,
                                const PatternOptions &options) {
    if (!options.pad.empty() && options.pad.size() != operand.shape.size())
      return countError(RELAYOUT_ERROR_PAD, "pad", operand.shape.size(), options.pad.size());
    if (!options.crop.empty()) {
      Expected<Spec> whole = pattern(text, operand, {options.sizes, options.pad, {}, nullptr});
      if (!whole)
        return whole;
      size_t rank = static_cast<size_t>(relayout_spec_rank(whole->get(), 1));
      if (options.crop.size() != rank)
        return countError(RELAYOUT_ERROR_CROP, "crop", rank, options.crop.size());
    }
    relayout_tensor tensor = operand.get();
    std::vector<relayout_size> sizes;
    for (const auto &[name, size] : options.sizes)
      sizes.push_back({name.c_str(), size});
    return detail::make<Spec>(relayout_spec_create_pattern, text, &tensor, sizes.data(),
                              sizes.size(), options.pad.empty() ? nullptr : options.pad.data(),
                              options.crop.empty() ? nullptr : options.crop.data(),
                              options.padValue);
  }
  static Expected<Spec> pattern(const char *text, const Tensor &operand) {
    return pattern(text, operand, PatternOptions());
  }
  /// With sizes alone, as `{{"name", extent}, ...}`.
  template <size_t count>
  static Expected<Spec> pattern(const char *text, const Tensor &operand,
                                const std::pair<const std::string, int64_t> (&sizes)[count]) {
    return pattern(text, operand, Sizes(sizes, sizes + count));
  }
  /// The same from a map. A template, so that `{}` is not taken for a map.
  template <typename Map, typename = std::enable_if_t<std::is_same_v<Map, Sizes>>>
  static Expected<Spec> pattern(const char *text, const Tensor &operand, const Map &sizes) {
    return pattern(text, operand, PatternOptions{sizes, {}, {}, nullptr});
  }
  static Expected<Spec> depthToSpace(const Tensor &operand, const char *layout, const char *mode,
                                     const Shape &blockSize) {
    relayout_tensor tensor = operand.get();
    return detail::make<Spec>(relayout_spec_create_depth_to_space, &tensor, layout, mode,
                              blockSize.data(), blockSize.size());
  }
  static Expected<Spec> spaceToDepth(const Tensor &operand, const char *layout, const char *mode,
                                     const Shape &blockSize) {
    relayout_tensor tensor = operand.get();
    return detail::make<Spec>(relayout_spec_create_space_to_depth, &tensor, layout, mode,
                              blockSize.data(), blockSize.size());
  }
  /// `paddings` has as many entries as `blockShape`, or none.
  static Expected<Spec> spaceToBatch(const Tensor &operand, const Shape &blockShape,
                                     const std::vector<Window> &paddings = {},
                                     const char *padValue = nullptr) {
    relayout_tensor tensor = operand.get();
    if (!paddings.empty() && paddings.size() != blockShape.size())
      return countError(RELAYOUT_ERROR_PAD, "paddings", blockShape.size(), paddings.size());
    return detail::make<Spec>(relayout_spec_create_space_to_batch, &tensor, blockShape.data(),
                              paddings.empty() ? nullptr : paddings.data(), blockShape.size(),
                              padValue);
  }
  static Expected<Spec> batchToSpace(const Tensor &operand, const Shape &blockShape,
                                     const std::vector<Window> &crops = {}) {
    relayout_tensor tensor = operand.get();
    if (!crops.empty() && crops.size() != blockShape.size())
      return countError(RELAYOUT_ERROR_CROP, "crops", blockShape.size(), crops.size());
    return detail::make<Spec>(relayout_spec_create_batch_to_space, &tensor, blockShape.data(),
                              crops.empty() ? nullptr : crops.data(), blockShape.size());
  }
  static Expected<Spec> pixelShuffle(const Tensor &operand, int64_t factor) {
    relayout_tensor tensor = operand.get();
    return detail::make<Spec>(relayout_spec_create_pixel_shuffle, &tensor, factor);
  }
  static Expected<Spec> pixelUnshuffle(const Tensor &operand, int64_t factor) {
    relayout_tensor tensor = operand.get();
    return detail::make<Spec>(relayout_spec_create_pixel_unshuffle, &tensor, factor);
  }
  static Expected<Spec> channelShuffle(const Tensor &operand, int64_t groups, int64_t axis = 1) {
    relayout_tensor tensor = operand.get();
    return detail::make<Spec>(relayout_spec_create_channel_shuffle, &tensor, groups, axis);
  }
  static Expected<Spec> transpose(const Tensor &operand, const Shape &perm) {
    if (perm.size() != operand.shape.size())
      return countError(RELAYOUT_ERROR_PERMUTATION, "perm", operand.shape.size(), perm.size());
    relayout_tensor tensor = operand.get();
    return detail::make<Spec>(relayout_spec_create_transpose, &tensor, perm.data());
  }
  static Expected<Spec> json(std::string_view text) {
    return detail::make<Spec>(relayout_spec_create_json, text.data(), text.size());
  }

  Expected<Spec> inverse() const { return detail::make<Spec>(relayout_spec_invert, get()); }
  /// One stride for each dimension, in elements; an empty list is row-major without gaps.
  Expected<void> setStrides(const Shape &input, const Shape &output) {
    for (int side = 0; side < 2; ++side) {
      size_t count = (side ? output : input).size();
      size_t rank = static_cast<size_t>(relayout_spec_rank(get(), side));
      if (count != 0 && count != rank)
        return countError(RELAYOUT_ERROR_LAYOUT, side ? "output strides" : "input strides", rank,
                          count);
    }
    return detail::check(relayout_spec_set_strides(get(), input.empty() ? nullptr : input.data(),
                                                   output.empty() ? nullptr : output.data()));
  }

  std::string_view json() const { return relayout_spec_json(get()); }
  std::string_view dtype() const { return relayout_spec_dtype(get()); }
  int64_t width() const { return relayout_spec_width(get()); }
  Shape inputShape() const { return list(relayout_spec_shape(get(), 0), 0); }
  Shape outputShape() const { return list(relayout_spec_shape(get(), 1), 1); }
  Shape inputStrides() const { return list(relayout_spec_strides(get(), 0), 0); }
  Shape outputStrides() const { return list(relayout_spec_strides(get(), 1), 1); }
  /// Bytes from the first element to the end of the last.
  int64_t inputSize() const { return relayout_spec_size(get(), 0); }
  int64_t outputSize() const { return relayout_spec_size(get(), 1); }

  /// The caller's memory, seen as the operand or the result lies in it.
  template <typename T> View<const T> input(const T *data) const {
    return {data, inputShape(), inputStrides()};
  }
  template <typename T> View<T> output(T *data) const {
    return {data, outputShape(), outputStrides()};
  }

private:
  static Error countError(relayout_error_code code, const char *what, size_t rank, size_t found) {
    return {code, std::string("expects ") + what + " to have one entry for each of the " +
                      std::to_string(rank) + " dimensions, but got " + std::to_string(found)};
  }
  Shape list(const int64_t *values, int output) const {
    return Shape(values, values + relayout_spec_rank(get(), output));
  }
};

/// A spec with a machine and a schedule. Outlives its compiler.
class Plan : public detail::Owner<relayout_plan, relayout_plan_free> {
public:
  using Owner::Owner;
  const char *explain() const { return relayout_plan_explain(get()); }
  const char *schedule() const { return relayout_plan_schedule(get()); }
  /// Text or bytes; see relayout_plan_emit.
  Expected<std::string> emit(const char *stage) const {
    relayout_data *data = nullptr;
    if (relayout_error *error = relayout_plan_emit(get(), stage, &data))
      return Error(error);
    std::string bytes(static_cast<const char *>(relayout_data_bytes(data)),
                      relayout_data_size(data));
    relayout_data_free(data);
    return bytes;
  }
  Expected<Kernel> kernel() const { return detail::make<Kernel>(relayout_kernel_create, get()); }
};

/// Nulls and zeros take the default.
struct PlanOptions {
  const char *cpu = nullptr; ///< `native` too
  const char *features = nullptr;
  const char *result = nullptr;   ///< `hot`, `cold` or `auto`
  const char *schedule = nullptr; ///< pinned parts
  int64_t threads = 0;
};

/// What compiles, and keeps what it compiled.
class Compiler : public detail::Owner<relayout_compiler, relayout_compiler_free> {
public:
  using Owner::Owner;
  /// `struct_size` of `options` is set here.
  static Expected<Compiler> create(relayout_compiler_options options = {}) {
    options.struct_size = sizeof(options);
    return detail::make<Compiler>(relayout_compiler_create, &options);
  }
  Expected<Plan> plan(const Spec &spec, const PlanOptions &options = {}) const {
    relayout_plan_options given = {sizeof(given),  options.cpu,      options.features,
                                   options.result, options.schedule, options.threads};
    return detail::make<Plan>(relayout_plan_create, get(), spec.get(), &given);
  }
  /// Plan and kernel in one step.
  Expected<Kernel> compile(const Spec &spec, const PlanOptions &options = {}) const {
    Expected<Plan> made = plan(spec, options);
    return made ? made->kernel() : made.error();
  }
  relayout_compiler_statistics statistics() const {
    relayout_compiler_statistics counts = {};
    counts.struct_size = sizeof(counts);
    relayout_error_free(relayout_compiler_get_statistics(get(), &counts));
    return counts;
  }
  /// Why the cache on disk is not used, or null if it is.
  const char *cacheProblem() const { return relayout_compiler_cache_problem(get()); }
};

/// Compares the kernel with the reference evaluator, every byte.
inline Expected<void> verify(const Kernel &kernel) {
  return detail::check(relayout_kernel_verify(kernel.get()));
}

/// Measures the kernel against the best copy; about a second.
inline Expected<relayout_measurement> bench(const Kernel &kernel, bool warm) {
  relayout_measurement measurement = {};
  measurement.struct_size = sizeof(measurement);
  if (relayout_error *error = relayout_kernel_bench(kernel.get(), warm, &measurement))
    return Error(error);
  return measurement;
}

} // namespace relayout::api

#endif // RELAYOUT_C_RELAYOUT_HPP
