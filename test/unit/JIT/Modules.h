// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Modules for the tests of the compiler.

#ifndef RELAYOUT_TEST_UNIT_JIT_MODULES_H
#define RELAYOUT_TEST_UNIT_JIT_MODULES_H

#include "relayout/IR/Relayout.h"
#include "relayout/JIT/Compiler.h"
#include "relayout/JIT/Verify.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <memory>
#include <string>
#include <vector>

namespace relayout::test {

/// Parses `text`, and tells what its first operation means.
struct TextModule {
  std::string text;
  Rearrangement rearrangement = {};
  int64_t width = 0;

  Result<mlir::OwningOpRef<mlir::ModuleOp>> operator()(mlir::MLIRContext &context) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, mlir::ParserConfig(&context));
    if (!module)
      return Error{ErrorCode::Syntax, "does not parse"};
    module->walk([&](RearrangementOpInterface op) {
      rearrangement = *op.getRearrangement();
      width = (*getElementTypeInfo(op.getElementType()))->width;
      return mlir::WalkResult::interrupt();
    });
    return module;
  }
};

/// `func.func @kernel` with one operation: "op attributes : in -> out", where the
/// operand is %x.
inline std::string kernelText(const std::string &op) {
  std::string types = op.substr(op.rfind(" : ") + 3);
  std::string in = types.substr(0, types.find(" -> "));
  std::string out = types.substr(types.find(" -> ") + 4);
  return "func.func @kernel(%x: " + in + ") -> " + out + " {\n  %r = relayout." + op +
         "\n  return %r : " + out + "\n}\n";
}

/// Operations of every kind, width, and kind of window.
inline const std::vector<std::string> &operations() {
  static const std::vector<std::string> list = {
      "depth_to_space %x block_size [2] mode blocks_first layout NHWC"
      " : tensor<2x3x5x12xf32> -> tensor<2x6x10x3xf32>",
      "depth_to_space %x block_size [2, 3] mode depth_first layout NCHW"
      " : tensor<3x12x5x7xf16> -> tensor<3x2x10x21xf16>",
      "space_to_depth %x block_size [3, 2] mode depth_first layout NCHW result_layout NHWC"
      " : tensor<2x5x9x8xi8> -> tensor<2x3x4x30xi8>",
      "space_to_depth %x block_size [2] mode blocks_first layout NDHWC"
      " : tensor<2x4x6x10x3xui64> -> tensor<2x2x3x5x24xui64>",
      "space_to_batch %x block_shape [2, 4] paddings [1:0, 2:3] value -1.5 : f32"
      " : tensor<3x33x35x7xf32> -> tensor<24x17x10x7xf32>",
      "batch_to_space %x block_shape [2, 4] crops [1:0, 2:3]"
      " : tensor<24x17x10x7xbf16> -> tensor<3x33x35x7xbf16>",
      "rearrange %x \"n (by bx c) h w -> n c (h by) (w bx)\" sizes {bx = 2, by = 2}"
      " crop [0:0, 0:0, 1:0, 0:1] : tensor<2x12x3x5xui8> -> tensor<2x3x5x9xui8>",
      "rearrange %x \"h w -> w h\" pad [0:0, 2:-1] value 7 : i32"
      " : tensor<3x5xi32> -> tensor<6x3xi32>",
      "rearrange %x \"a b c -> c a b\" pad [1:2, -1:0, 0:3] crop [-2:1, 0:-1, 1:0] value true"
      " : tensor<5x7x11xi1> -> tensor<15x9x5xi1>",
      "rearrange %x \"a b -> b a\" : tensor<17x31xcomplex<f64>> -> tensor<31x17xcomplex<f64>>",
      "rearrange %x \"a b -> b a\" : tensor<17x31xcomplex<f32>> -> tensor<31x17xcomplex<f32>>",
      "rearrange %x \"a b -> b a\" pad [1:0, 0:2] value 1.0 : f8E4M3FN"
      " : tensor<19x23xf8E4M3FN> -> tensor<25x20xf8E4M3FN>",
      "rearrange %x \"a b -> b a\" : tensor<1x9xf64> -> tensor<9x1xf64>",
      "rearrange %x \"a b -> b a\" : tensor<0x9xf64> -> tensor<9x0xf64>",
      "rearrange %x \"->\" : tensor<i16> -> tensor<i16>",
      "rearrange %x \"a -> a\" pad [-3:2] : tensor<29xi128> -> tensor<28xi128>",
      "rearrange %x \"a b c d e f g h -> h g f e d c b a\""
      " : tensor<2x3x4x5x3x2x3x2xi8> -> tensor<2x3x2x3x5x4x3x2xi8>",
      "rearrange %x \"a (b c) -> a b c\" sizes {b = 3} : tensor<7x15xf32> -> tensor<7x3x5xf32>",
      "rearrange %x \"a b -> a b\" pad [-2:0, 0:0] : tensor<7x15xf32> -> tensor<5x15xf32>",
  };
  return list;
}

/// The compiler for `options`, which must be possible.
inline std::unique_ptr<Compiler> makeCompiler(CompilerOptions options = {}) {
  Result<std::unique_ptr<Compiler>> compiler = Compiler::create(options);
  EXPECT_TRUE(compiler) << compiler.error().message;
  return compiler.take();
}

inline const char *const kTranspose =
    "rearrange %x \"a b -> b a\" : tensor<5x7xf32> -> tensor<7x5xf32>";

/// True if `kernel` does what `module` means.
inline bool isRight(const Kernel &kernel, const TextModule &module) {
  Result<VerifyReport> report = verifyKernel(kernel, module.rearrangement, module.width, nullptr);
  return report && report->ok();
}

} // namespace relayout::test

#endif // RELAYOUT_TEST_UNIT_JIT_MODULES_H
