// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Specs as JSON objects: from a spec to its text.

#include "relayout/Spec/Fields.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace relayout;
namespace json = llvm::json;

namespace {
/// Writes the keys that differ from their default.
struct JsonPrinter {
  json::OStream &out;

  void integers(const char *key, const std::vector<int64_t> &values) {
    out.attributeArray(key, [&] {
      for (int64_t value : values)
        out.value(value);
    });
  }
  void strides(const char *key, const std::vector<int64_t> &values) {
    if (!values.empty())
      integers(key, values);
  }
  void windows(const char *key, const std::vector<Window> &windows) {
    if (windows.empty())
      return;
    out.attributeArray(key, [&] {
      for (const Window &window : windows)
        out.value(json::Array{window.low, window.high});
    });
  }
  void padValue(const Spec &spec) {
    if (!spec.padValue)
      return;
    std::string text;
    llvm::raw_string_ostream stream(text);
    printElement(stream, *spec.dtype, spec.padValue->data());
    out.attributeBegin("pad_value");
    out.rawValue(text);
    out.attributeEnd();
  }
  void depthSpace(const Spec &spec) {
    out.attribute("layout", layoutWord(*spec.layout));
    if (spec.resultLayout)
      out.attribute("result_layout", layoutWord(*spec.resultLayout));
    out.attribute("mode", modeWord(*spec.mode));
    integers("block_size", spec.blockSize);
  }
  void rearrange(const Spec &spec) {
    out.attribute("pattern", spec.pattern);
    if (!spec.sizes.empty())
      out.attributeObject("sizes", [&] {
        for (const auto &[name, extent] : spec.sizes)
          out.attribute(name, extent);
      });
    windows("pad", spec.pad);
    windows("crop", spec.crop);
    padValue(spec);
  }
  void attributes(const Spec &spec);
};
} // namespace

void JsonPrinter::attributes(const Spec &spec) {
  switch (spec.operation) {
  case Operation::DepthToSpace:
  case Operation::SpaceToDepth:
    return depthSpace(spec);
  case Operation::SpaceToBatch:
    integers("block_shape", spec.blockShape);
    windows("paddings", spec.paddings);
    return padValue(spec);
  case Operation::BatchToSpace:
    integers("block_shape", spec.blockShape);
    return windows("crops", spec.crops);
  case Operation::Rearrange:
    return rearrange(spec);
  case Operation::Transpose:
    return integers("perm", spec.perm);
  case Operation::PixelShuffle:
  case Operation::PixelUnshuffle:
    return integers("block_size", spec.blockSize);
  case Operation::ChannelShuffle:
    out.attribute("groups", spec.groups);
    return out.attribute("axis", spec.axis);
  }
}

std::string relayout::printSpecJson(const Spec &spec) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  json::OStream out(stream);
  out.object([&] {
    JsonPrinter printer{out};
    out.attribute("op", operationInfo(spec.operation).name);
    printer.integers("shape", spec.shape);
    out.attribute("dtype", spec.dtype->name);
    printer.attributes(spec);
    printer.strides("input_strides", spec.inputStrides);
    printer.strides("output_strides", spec.outputStrides);
  });
  return text;
}
