// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Specs from the arguments of C functions. They become the values that flags and
// JSON give, too, and so go through the same checks.

#include "Handles.h"

#include "relayout/Spec/Fields.h"
#include "relayout/Support/Text.h"

#include <map>

using namespace relayout;
using namespace relayout::capi;

namespace {
/// Collects the values of one operation. The first error stays.
class Values {
public:
  explicit Values(const relayout_tensor *operand) {
    if (!operand)
      refuse(ErrorCode::Usage, "expects operand not to be null");
    else if (operand->rank < 0 || operand->rank > kMaxRank)
      refuse(ErrorCode::Limit, "expects a rank from 0 to " + std::to_string(kMaxRank) +
                                   ", but got " + std::to_string(operand->rank));
    else if (operand->rank > 0 && !operand->shape)
      refuse(ErrorCode::Usage, "expects shape of operand not to be null");
    else
      setOperand(*operand);
  }

  void text(const char *key, const char *value) {
    if (!value)
      return refuse(ErrorCode::Usage, std::string("expects ") + key + " not to be null");
    values[key] = std::string(value);
  }
  void integer(const char *key, int64_t value) { values[key] = std::vector<int64_t>{value}; }
  void integers(const char *key, const int64_t *list, size_t count) {
    if (isList(key, list, count))
      values[key] = std::vector<int64_t>(list, list + count);
  }
  void windows(const char *key, const relayout_window *list, size_t count) {
    if (!isList(key, list, count))
      return;
    std::vector<Window> windows;
    for (size_t i = 0; i < count; ++i)
      windows.push_back({list[i].low, list[i].high});
    values[key] = std::move(windows);
  }
  void sizes(const relayout_size *list, size_t count) {
    DigitSizes sizes;
    if (!isList("sizes", list, count))
      return;
    for (size_t i = 0; i < count; ++i) {
      if (!list[i].name)
        return refuse(ErrorCode::Usage, "expects the names of sizes not to be null");
      if (!sizes.emplace(list[i].name, list[i].size).second)
        return refuse(ErrorCode::Pattern, std::string("expects each name in sizes once, but '") +
                                              beginning(list[i].name) + "' stands twice");
    }
    values["sizes"] = std::move(sizes);
  }

  Result<Spec> make(Operation operation) const {
    if (!problem)
      return problem.error();
    return makeSpec(operationInfo(operation), values);
  }
  relayout_error *finish(Operation operation, relayout_spec **spec) const {
    if (relayout_error *error = require(spec, "spec"))
      return error;
    return finishSpec(make(operation), spec);
  }

  int64_t rank = 0; ///< of the operand

private:
  void refuse(ErrorCode code, std::string message) {
    if (problem)
      problem = Error{code, std::move(message)};
  }
  void setOperand(const relayout_tensor &operand) {
    std::string shape;
    for (int64_t dim = 0; dim < operand.rank; ++dim)
      shape += (dim ? "x" : "") + std::to_string(operand.shape[dim]);
    values["shape"] = shape;
    rank = operand.rank;
    if (operand.dtype)
      return text("dtype", operand.dtype);
    for (int64_t width : {1, 2, 4, 8, 16})
      if (operand.width == width)
        return text("dtype", ("b" + std::to_string(8 * width)).c_str());
    refuse(ErrorCode::Type, "expects a dtype, or a width of 1, 2, 4, 8 or 16 bytes, but got " +
                                std::to_string(operand.width));
  }
  /// Counts are checked before anything is read.
  bool isList(const char *key, const void *list, size_t count) {
    if (count > kMaxDigits)
      refuse(ErrorCode::Limit, std::string("expects ") + key + " to have at most " +
                                   std::to_string(kMaxDigits) + " entries, but got " +
                                   std::to_string(count));
    else if (!list && count > 0)
      refuse(ErrorCode::Usage, std::string("expects ") + key + " not to be null");
    else
      return true;
    return false;
  }

  std::map<std::string, FieldValue> values;
  Status problem;
};
} // namespace

/// The rank of the result, which says how many crops there are: what stands without them.
static Result<int64_t> resultRank(const Values &values) {
  Result<Spec> spec = values.make(Operation::Rearrange);
  if (!spec)
    return spec.error();
  Result<Rearrangement> r = toRearrangement(*spec);
  if (!r)
    return r.error();
  return static_cast<int64_t>(r->resultGroups.size());
}

relayout_error *relayout_spec_create_pattern(const char *pattern, const relayout_tensor *operand,
                                             const relayout_size *sizes, size_t size_count,
                                             const relayout_window *pad,
                                             const relayout_window *crop, const char *pad_value,
                                             relayout_spec **spec) {
  Values values(operand);
  values.text("pattern", pattern);
  values.sizes(sizes, size_count);
  if (pad)
    values.windows("pad", pad, values.rank);
  if (pad_value)
    values.text("pad_value", pad_value);
  if (crop) {
    Result<int64_t> rank = resultRank(values);
    if (!rank)
      return fail(rank.error());
    values.windows("crop", crop, *rank);
  }
  return values.finish(Operation::Rearrange, spec);
}

static relayout_error *createDepthSpace(Operation operation, const relayout_tensor *operand,
                                        const char *layout, const char *mode,
                                        const int64_t *block_size, size_t block_count,
                                        relayout_spec **spec) {
  Values values(operand);
  values.text("layout", layout);
  values.text("mode", mode);
  values.integers("block_size", block_size, block_count);
  return values.finish(operation, spec);
}

relayout_error *relayout_spec_create_depth_to_space(const relayout_tensor *operand,
                                                    const char *layout, const char *mode,
                                                    const int64_t *block_size, size_t block_count,
                                                    relayout_spec **spec) {
  return createDepthSpace(Operation::DepthToSpace, operand, layout, mode, block_size, block_count,
                          spec);
}

relayout_error *relayout_spec_create_space_to_depth(const relayout_tensor *operand,
                                                    const char *layout, const char *mode,
                                                    const int64_t *block_size, size_t block_count,
                                                    relayout_spec **spec) {
  return createDepthSpace(Operation::SpaceToDepth, operand, layout, mode, block_size, block_count,
                          spec);
}

relayout_error *relayout_spec_create_space_to_batch(const relayout_tensor *operand,
                                                    const int64_t *block_shape,
                                                    const relayout_window *paddings,
                                                    size_t block_count, const char *pad_value,
                                                    relayout_spec **spec) {
  Values values(operand);
  values.integers("block_shape", block_shape, block_count);
  if (paddings)
    values.windows("paddings", paddings, block_count);
  if (pad_value)
    values.text("pad_value", pad_value);
  return values.finish(Operation::SpaceToBatch, spec);
}

relayout_error *relayout_spec_create_batch_to_space(const relayout_tensor *operand,
                                                    const int64_t *block_shape,
                                                    const relayout_window *crops,
                                                    size_t block_count, relayout_spec **spec) {
  Values values(operand);
  values.integers("block_shape", block_shape, block_count);
  if (crops)
    values.windows("crops", crops, block_count);
  return values.finish(Operation::BatchToSpace, spec);
}

relayout_error *relayout_spec_create_pixel_shuffle(const relayout_tensor *operand, int64_t factor,
                                                   relayout_spec **spec) {
  Values values(operand);
  values.integer("block_size", factor);
  return values.finish(Operation::PixelShuffle, spec);
}

relayout_error *relayout_spec_create_pixel_unshuffle(const relayout_tensor *operand, int64_t factor,
                                                     relayout_spec **spec) {
  Values values(operand);
  values.integer("block_size", factor);
  return values.finish(Operation::PixelUnshuffle, spec);
}

relayout_error *relayout_spec_create_channel_shuffle(const relayout_tensor *operand, int64_t groups,
                                                     int64_t axis, relayout_spec **spec) {
  Values values(operand);
  values.integer("groups", groups);
  values.integer("axis", axis);
  return values.finish(Operation::ChannelShuffle, spec);
}

relayout_error *relayout_spec_create_transpose(const relayout_tensor *operand, const int64_t *perm,
                                               relayout_spec **spec) {
  Values values(operand);
  values.integers("perm", perm, values.rank);
  return values.finish(Operation::Transpose, spec);
}
