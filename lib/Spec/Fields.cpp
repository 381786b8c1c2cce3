// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Spec/Fields.h"
#include "relayout/Support/Text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace relayout;
using llvm::ArrayRef;
using llvm::StringRef;

ArrayRef<SpecField> relayout::specFields() {
  static const SpecField fields[] = {
      {"shape", FieldForm::Shape, "1x2x3xf32", "extents and element type of the operand"},
      {"dtype", FieldForm::Text, "TYPE",
       "element type, if the shape does not state it: bool i8 i16 i32 i64 u8 u16 u32 u64\n"
       "f8E5M2 f8E4M3 f8E4M3FN f8E5M2FNUZ f8E4M3FNUZ f8E4M3B11FNUZ f8E3M4 f8E8M0FNU\n"
       "f16 bf16 f32 f64 c64 c128 b8 b16 b32 b64 b128"},
      {"layout", FieldForm::Text, "LAYOUT",
       "what each dimension of the operand is: NHWC NCHW NCHW_VECT_C NWC NCW NDHWC NCDHW\n"
       "channels_first channels_last (no default)"},
      {"result_layout", FieldForm::Text, "LAYOUT", "the same of the result (default: layout)"},
      {"mode", FieldForm::Text, "MODE", "blocks_first (DCR) or depth_first (CRD) (no default)"},
      {"block_size", FieldForm::OneOrMore, "LIST",
       "block: one number, or one a spatial axis (no default)"},
      {"block_shape", FieldForm::Integers, "LIST", "blocks of dimensions 1, 2 ..., or of 0, 1 ..."},
      {"paddings", FieldForm::Windows, "LO:HI,...", "pads, one pair an entry of block-shape"},
      {"crops", FieldForm::Windows, "LO:HI,...", "crops, one pair an entry of block-shape"},
      {"pattern", FieldForm::Text, "PATTERN", "einops pattern; or give it after rearrange"},
      {"sizes", FieldForm::Sizes, "NAME=N,...", "extents of the pattern's digits"},
      {"pad", FieldForm::Windows, "LO:HI,...", "pads of the operand, one pair a dimension"},
      {"crop", FieldForm::Windows, "LO:HI,...", "crops of the result, one pair a dimension"},
      {"pad_value", FieldForm::Value, "VALUE", "the element that pads hold (default: zero)"},
      {"perm", FieldForm::Integers, "LIST", "result dimension i is operand dimension perm[i]"},
      {"groups", FieldForm::Integer, "N", "groups of channels"},
      {"axis", FieldForm::Integer, "N", "dimension of the channels (default: 1)"},
      {"input_strides", FieldForm::Integers, "LIST",
       "of the operand in memory, in elements (not run, bench)"},
      {"output_strides", FieldForm::Integers, "LIST",
       "of the result in memory, in elements (not run, bench)"},
  };
  return fields;
}

ArrayRef<OperationInfo> relayout::operations() {
  static const auto &infos = *new std::vector<OperationInfo>{
      {Operation::DepthToSpace,
       "depth_to_space",
       "moves blocks of channels into the spatial axes",
       {"layout", "mode", "block_size"},
       {"result_layout"}},
      {Operation::SpaceToDepth,
       "space_to_depth",
       "the inverse of depth_to_space",
       {"layout", "mode", "block_size"},
       {"result_layout"}},
      {Operation::SpaceToBatch,
       "space_to_batch",
       "pads, then moves blocks of the spatial axes into the batch",
       {"block_shape"},
       {"paddings", "pad_value"}},
      {Operation::BatchToSpace,
       "batch_to_space",
       "moves blocks of the batch into the spatial axes, then crops",
       {"block_shape"},
       {"crops"}},
      {Operation::Rearrange,
       "rearrange",
       "the general form: pads, a pattern, crops",
       {"pattern"},
       {"sizes", "pad", "crop", "pad_value"}},
      {Operation::Transpose, "transpose", "permutes the dimensions", {"perm"}, {}},
      {Operation::PixelShuffle,
       "pixel_shuffle",
       "PyTorch's: depth_to_space, depth first, on [*, C, H, W]",
       {"block_size"},
       {}},
      {Operation::PixelUnshuffle,
       "pixel_unshuffle",
       "PyTorch's: the inverse of pixel_shuffle",
       {"block_size"},
       {}},
      {Operation::ChannelShuffle,
       "channel_shuffle",
       "PyTorch's: [groups, C / groups] to [C / groups, groups]",
       {"groups"},
       {"axis"}},
  };
  return infos;
}

bool OperationInfo::takes(StringRef key) const {
  return key == "shape" || key == "dtype" || key == "input_strides" || key == "output_strides" ||
         llvm::is_contained(required, key) || llvm::is_contained(optional, key);
}

const OperationInfo &relayout::operationInfo(Operation operation) {
  return operations()[static_cast<size_t>(operation)];
}

StringRef relayout::nearestWord(StringRef word, ArrayRef<StringRef> candidates) {
  // Of a short word, some of it has to be right.
  unsigned limit = std::min<unsigned>(std::max<unsigned>(2, word.size() / 3), word.size() / 2) + 1;
  unsigned best = limit;
  StringRef nearest;
  for (StringRef candidate : candidates) {
    unsigned distance = word.edit_distance(candidate, /*AllowReplacements=*/true, limit);
    if (distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

/// `word` as an error may show it: not longer than a line.
static std::string shown(StringRef word) {
  constexpr size_t most = 60;
  return "'" + beginning(word, most) + (word.size() <= most ? "" : "...") + "'";
}

Error relayout::unknownWord(const char *what, StringRef word, ArrayRef<StringRef> words) {
  std::string message = std::string("expects ") + what + ", one of " +
                        llvm::join(words.begin(), words.end(), ", ") + ", but got " + shown(word);
  if (StringRef nearest = nearestWord(word, words); !nearest.empty())
    message += "; did you mean " + nearest.str() + "?";
  return Error{ErrorCode::Usage, message};
}

Result<const OperationInfo *> relayout::parseOperation(StringRef name) {
  llvm::SmallVector<StringRef> names;
  for (const OperationInfo &info : operations()) {
    if (name == info.name)
      return &info;
    names.push_back(info.name);
  }
  return unknownWord("an operation", name, names);
}

Result<const SpecField *> relayout::parseFieldKey(StringRef key, ArrayRef<StringRef> others) {
  std::string normal = key.str();
  std::replace(normal.begin(), normal.end(), '-', '_');
  llvm::SmallVector<StringRef> keys;
  for (const SpecField &field : specFields()) {
    if (normal == field.key)
      return &field;
    keys.push_back(field.key);
  }
  keys.append(others.begin(), others.end());
  return unknownWord("a key", key, keys);
}
