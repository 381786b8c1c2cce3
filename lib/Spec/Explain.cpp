// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Spec/Explain.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace relayout;
namespace json = llvm::json;

static llvm::raw_ostream &row(llvm::raw_ostream &out, const char *name) {
  return out << llvm::formatv("{0,-10}", name);
}

static void writeSide(llvm::raw_ostream &out, const SpecSide &side, const Spec &spec) {
  for (int64_t extent : side.shape)
    out << extent << 'x';
  out << spec.dtype->name << ", " << side.bytes << " bytes";
  if (spec.isStrided()) {
    out << ", strides [";
    llvm::interleave(side.strides, out, ",");
    out << ']';
  }
  out << '\n';
}

static void writeWindows(llvm::raw_ostream &out, const std::vector<Window> &windows) {
  llvm::interleave(windows, out, [&](const Window &w) { out << w.low << ':' << w.high; }, ",");
  out << '\n';
}

void SpecReport::writeText(llvm::raw_ostream &out) const {
  row(out, "spec") << words << '\n';
  writeSide(row(out, "operand"), operand, spec);
  writeSide(row(out, "result"), result, spec);
  row(out, "pattern") << printPattern(meaning.pattern()) << '\n';
  row(out, "digits");
  llvm::interleave(
      meaning.digits, out, [&](const auto &digit) { out << digit.name << '=' << digit.extent; },
      " ");
  out << '\n';
  if (meaning.hasWindows()) {
    writeWindows(row(out, "pad"), meaning.pad);
    writeWindows(row(out, "crop"), meaning.crop);
  }
  row(out, "problem") << problem.str() << (isPlainCopy(problem) ? " (a plain copy)" : "") << '\n';
}

json::Object SpecReport::toJson() const {
  auto windows = [](const std::vector<Window> &list) {
    json::Array array;
    for (const Window &window : list)
      array.push_back(json::Array{window.low, window.high});
    return array;
  };
  json::Array digits;
  for (const auto &digit : meaning.digits)
    digits.push_back(json::Object{{"name", digit.name}, {"extent", digit.extent}});
  return json::Object{{"spec", words},
                      {"shape", json::Array(operand.shape)},
                      {"strides", json::Array(operand.strides)},
                      {"bytes", operand.bytes},
                      {"dtype", spec.dtype->name},
                      {"result_shape", json::Array(result.shape)},
                      {"result_strides", json::Array(result.strides)},
                      {"result_bytes", result.bytes},
                      {"pattern", printPattern(meaning.pattern())},
                      {"digits", std::move(digits)},
                      {"pad", windows(meaning.pad)},
                      {"crop", windows(meaning.crop)},
                      {"problem", problem.str()},
                      {"plain_copy", isPlainCopy(problem)}};
}
