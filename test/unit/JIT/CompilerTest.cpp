// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Modules.h"

#include "relayout/Runtime/HostFeatures.h"

#include "llvm/ADT/StringRef.h"

#include <fstream>
#include <gtest/gtest.h>
#include <memory>
#include <numeric>

using namespace relayout;
using namespace relayout::test;

namespace {

/// Both that `compile` fails with `message`, and that nothing is printed.
void expectRefused(Compiler &compiler, const std::string &text, const std::string &message) {
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  TextModule module{text};
  Result<Kernel> kernel = compiler.compile(std::ref(module));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  ASSERT_FALSE(kernel);
  EXPECT_EQ(kernel.error().message, message);
}

TEST(Compiler, KernelsOutliveTheirCompilerAndEachOther) {
  TextModule module{kernelText(kTranspose)};
  auto compiler = makeCompiler();
  std::vector<Kernel> kernels;
  for (int i = 0; i < 3; ++i)
    kernels.push_back(compiler->compile(std::ref(module)).take());
  kernels.erase(kernels.begin());
  compiler.reset();
  for (const Kernel &kernel : kernels)
    EXPECT_TRUE(isRight(kernel, module));
}

TEST(Compiler, RecyclesItsContext) {
  CompilerOptions options;
  options.recycleAfter = 3;
  auto compiler = makeCompiler(options);
  TextModule module{kernelText(kTranspose)};
  std::vector<mlir::MLIRContext *> contexts;
  // Keeps the memory of the old context taken, so that a new one has another place.
  for (int i = 0; i < 8; ++i) {
    Result<Kernel> kernel = compiler->compile([&](mlir::MLIRContext &context) {
      contexts.push_back(&context);
      // A dialect that only this context knows tells it from its successors.
      EXPECT_EQ(context.allowsUnregisteredDialects(), i % 3 != 0) << "compile " << i;
      context.allowUnregisteredDialects();
      return module(context);
    });
    ASSERT_TRUE(kernel);
    EXPECT_TRUE(isRight(*kernel, module));
  }
}

TEST(Compiler, TimesCompilesAndNothingElse) {
  TextModule module{kernelText(kTranspose)};
  auto compiler = makeCompiler();
  ASSERT_TRUE(compiler->compile(std::ref(module)));
  const CompileTimes before = compiler->times();
  EXPECT_GT(before.build, 0);
  ASSERT_TRUE(compiler->emit(std::ref(module), Stage::LLVMIR));
  ASSERT_TRUE(compiler->emitAll(
      std::ref(module), [](const StageInfo &, const std::string &) { return Status::success(); }));
  const CompileTimes &after = compiler->times();
  for (double CompileTimes::*phase :
       {&CompileTimes::build, &CompileTimes::passes, &CompileTimes::translate,
        &CompileTimes::optimize, &CompileTimes::codegen, &CompileTimes::link})
    EXPECT_EQ(after.*phase, before.*phase);
}

TEST(Compiler, PlainCopiesAndEmptyResultsNeedNoCode) {
  auto compiler = makeCompiler();
  for (const char *op : {
           "rearrange %x \"a (b c) -> a b c\" sizes {b = 3} : tensor<7x15xf32> -> "
           "tensor<7x3x5xf32>",
           "rearrange %x \"a b -> a b\" pad [-2:-1, 0:0] : tensor<7x15xf32> -> tensor<4x15xf32>",
           "rearrange %x \"a b -> b a\" : tensor<1x9xf64> -> tensor<9x1xf64>",
           "rearrange %x \"a b -> b a\" : tensor<0x9xf64> -> tensor<9x0xf64>",
       }) {
    TextModule module{kernelText(op)};
    Result<Kernel> kernel = compiler->compile(std::ref(module));
    ASSERT_TRUE(kernel) << kernel.error().message;
    EXPECT_TRUE(kernel->isCopy()) << op;
    EXPECT_TRUE(isRight(*kernel, module)) << op;
  }
  TextModule module{kernelText(kTranspose)};
  EXPECT_FALSE(compiler->compile(std::ref(module))->isCopy());
}

TEST(Compiler, PlainCopiesAreForEveryProcessor) {
  auto compiler = makeCompiler();
  auto featuresOf = [&](const char *op) {
    TextModule module{kernelText(op)};
    Result<ImageVariant> variant = compiler->compileVariant(std::ref(module));
    EXPECT_TRUE(variant) << variant.error().message;
    return variant->features;
  };
  EXPECT_EQ(featuresOf("rearrange %x \"a b -> a b\" : tensor<3x5xf32> -> tensor<3x5xf32>"),
            std::vector<std::string>());
  EXPECT_EQ(featuresOf(kTranspose), compiler->requirements());
}

TEST(Compiler, TakesChainsThatOthersWrote) {
  auto compiler = makeCompiler();
  TextModule module{R"mlir(
    func.func @kernel(%x: tensor<2x3x5x12xf32>) -> tensor<2x6x10x3xf32> {
      %e = tensor.expand_shape %x [[0], [1], [2], [3, 4, 5]] output_shape [2, 3, 5, 2, 2, 3]
          : tensor<2x3x5x12xf32> into tensor<2x3x5x2x2x3xf32>
      %i = tensor.empty() : tensor<2x3x2x5x2x3xf32>
      %t = linalg.transpose ins(%e : tensor<2x3x5x2x2x3xf32>)
          outs(%i : tensor<2x3x2x5x2x3xf32>) permutation = [0, 1, 3, 2, 4, 5]
      %r = tensor.collapse_shape %t [[0], [1, 2], [3, 4], [5]]
          : tensor<2x3x2x5x2x3xf32> into tensor<2x6x10x3xf32>
      return %r : tensor<2x6x10x3xf32>
    })mlir"};
  Result<Kernel> kernel = compiler->compile(std::ref(module));
  ASSERT_TRUE(kernel) << kernel.error().message;
  TextModule same{kernelText("depth_to_space %x block_size [2] mode blocks_first layout NHWC"
                             " : tensor<2x3x5x12xf32> -> tensor<2x6x10x3xf32>")};
  ASSERT_TRUE(compiler->compile(std::ref(same)));
  EXPECT_TRUE(isRight(*kernel, same));

  TextModule two{R"mlir(
    func.func @kernel(%x: tensor<3x5x7xf32>) -> tensor<7x5x3xf32> {
      %t = relayout.rearrange %x "a b c -> a c b" : tensor<3x5x7xf32> -> tensor<3x7x5xf32>
      %r = relayout.rearrange %t "a c b -> c b a" : tensor<3x7x5xf32> -> tensor<7x5x3xf32>
      return %r : tensor<7x5x3xf32>
    })mlir"};
  Result<Kernel> fused = compiler->compile(std::ref(two));
  ASSERT_TRUE(fused) << fused.error().message;
  TextModule one{
      kernelText("rearrange %x \"a b c -> c b a\" : tensor<3x5x7xf32> -> tensor<7x5x3xf32>")};
  ASSERT_TRUE(compiler->compile(std::ref(one)));
  EXPECT_TRUE(isRight(*fused, one));

  TextModule identity{"func.func @kernel(%x: tensor<3x5xi8>) -> tensor<3x5xi8> {\n"
                      "  return %x : tensor<3x5xi8>\n}"};
  Result<Kernel> copy = compiler->compile(std::ref(identity));
  ASSERT_TRUE(copy) << copy.error().message;
  EXPECT_TRUE(copy->isCopy());
  EXPECT_EQ(copy->info().outputBytes, 15);
}

TEST(Compiler, StatesAlignmentAndSizes) {
  auto compiler = makeCompiler();
  struct Case {
    const char *type;
    int64_t width, alignment;
  };
  for (const Case &c :
       {Case{"i1", 1, 1}, Case{"f16", 2, 2}, Case{"ui32", 4, 4}, Case{"f64", 8, 8},
        Case{"complex<f32>", 8, 4}, Case{"complex<f64>", 16, 8}, Case{"i128", 16, 8}}) {
    std::string type = c.type;
    TextModule module{kernelText("rearrange %x \"a b -> b a\" pad [0:0, 1:2] : tensor<3x5x" + type +
                                 "> -> tensor<8x3x" + type + ">")};
    Result<Kernel> kernel = compiler->compile(std::ref(module));
    ASSERT_TRUE(kernel) << kernel.error().message;
    EXPECT_EQ(kernel->info().alignment, c.alignment) << type;
    EXPECT_EQ(kernel->info().inputBytes, 15 * c.width);
    EXPECT_EQ(kernel->info().outputBytes, 24 * c.width);
    EXPECT_EQ(kernel->info().scratchBytes, 0);
    EXPECT_GE(kernel->info().units, 1);
    EXPECT_LE(kernel->info().units, 24);
  }
}

/// Transposes `rows` x `columns` elements of `type` between buffers that are aligned to what the
/// kernel asks for, and no more.
void expectRightOffLines(Compiler &compiler, const std::string &type, int64_t rows,
                         int64_t columns) {
  std::string r = std::to_string(rows) + "x", c = std::to_string(columns) + "x";
  TextModule module{kernelText("rearrange %x \"a b -> b a\" : tensor<" + r + c + type +
                               "> -> tensor<" + c + r + type + ">")};
  Result<Kernel> kernel = compiler.compile(std::ref(module));
  ASSERT_TRUE(kernel) << kernel.error().message;
  int64_t bytes = kernel->info().inputBytes, offset = kernel->info().alignment;
  constexpr int64_t kLine = 64;
  std::vector<unsigned char> in(bytes + 2 * kLine), out(in.size(), 0xee);
  auto place = [&](std::vector<unsigned char> &buffer) {
    return buffer.data() + offset + (-reinterpret_cast<uintptr_t>(buffer.data()) & (kLine - 1));
  };
  unsigned char *from = place(in), *to = place(out);
  for (int64_t i = 0; i < bytes; ++i)
    from[i] = static_cast<unsigned char>(i * 31 / 7);
  ASSERT_TRUE(kernel->run({from, bytes}, {to, bytes}));
  int64_t width = module.width;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      ASSERT_EQ(std::memcmp(to + (j * rows + i) * width, from + (i * columns + j) * width, width),
                0)
          << type << " " << r << c;
  EXPECT_EQ(to[-1], 0xee);
  EXPECT_EQ(to[bytes], 0xee);
}

TEST(Compiler, RunsOnBuffersAlignedToTheElementOnly) {
  // In the caches, in whole lines past them, and in rows whose parts of lines wait. Of complex
  // numbers, elements then lie across lines.
  bool onX86 = hostArch() == std::string("x86_64");
  for (const char *features : {"", "-avx512f", "-avx2"}) {
    CompilerOptions options;
    options.features = onX86 ? features : "";
    auto compiler = makeCompiler(options);
    for (const char *type : {"complex<f64>", "complex<f32>", "i128", "i64"})
      for (auto [rows, columns] : {std::pair<int64_t, int64_t>(9, 8), {421, 643}, {640, 448}})
        expectRightOffLines(*compiler, type, rows, columns);
  }
}

TEST(Compiler, WritesFromWhereAViewBegins) {
  // In whole lines past the caches, and in rows whose parts of lines wait: both have to know where
  // the lines of the result are, which begins three elements after its buffer.
  constexpr int64_t kOffset = 3;
  for (auto [rows, columns] : {std::pair<int64_t, int64_t>(1280, 640), {1021, 643}}) {
    std::string r = std::to_string(rows), c = std::to_string(columns);
    std::string in = "memref<" + r + "x" + c + "xi32>";
    std::string out = "memref<" + c + "x" + r + "xi32, strided<[" + r + ", 1], offset: 3>>";
    TextModule module{"func.func @kernel(%x: " + in + ", %y: " + out +
                      ") {\n  relayout.rearrange %x into %y \"a b -> b a\" : " + in + ", " + out +
                      "\n  return\n}\n"};
    Result<Kernel> kernel = makeCompiler()->compile(std::ref(module));
    ASSERT_TRUE(kernel) << kernel.error().message;
    const KernelInfo &info = kernel->info();
    ASSERT_EQ(info.outputBytes, (kOffset + rows * columns) * 4);
    std::vector<int32_t> from(rows * columns);
    std::iota(from.begin(), from.end(), 1);
    std::vector<int32_t> store(kOffset + rows * columns + 16, -1);
    // On a line, so that the result is not.
    void *place = store.data();
    size_t space = store.size() * sizeof(int32_t);
    auto *to = static_cast<int32_t *>(std::align(64, info.outputBytes, place, space));
    ASSERT_TRUE(to);
    ASSERT_TRUE(kernel->run({from.data(), info.inputBytes}, {to, info.outputBytes}));
    for (int64_t i = 0; i < kOffset; ++i)
      ASSERT_EQ(to[i], -1);
    for (int64_t i = 0; i < rows * columns; ++i)
      ASSERT_EQ(to[kOffset + i], from[i % rows * columns + i / rows]) << "element " << i;
  }
}

TEST(Compiler, RefusesWhatIsNotOneRearrangement) {
  auto compiler = makeCompiler();
  expectRefused(*compiler,
                "func.func @kernel(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
                "  %r = arith.addf %x, %x : tensor<4xf32>\n  return %r : tensor<4xf32>\n}",
                "-:2:8: op was not bufferized");
  expectRefused(*compiler,
                "func.func @other(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
                "  return %x : tensor<4xf32>\n}",
                "expects a function called kernel with a body");
  expectRefused(*compiler, "not mlir", "does not parse");
}

TEST(Compiler, NamesTheOperationThatIsLeft) {
  auto compiler = makeCompiler();
  // The two do not compose: 15 splits at 3 on one side and at 5 on the other.
  TextModule module{R"mlir(
    func.func @kernel(%x: tensor<3x5x7xf32>) -> tensor<7x3x5xf32> {
      %a = relayout.rearrange %x "a b c -> c (b a)" : tensor<3x5x7xf32> -> tensor<7x15xf32>
      %b = relayout.rearrange %a "c (a b) -> c b a" sizes {a = 5, b = 3}
          : tensor<7x15xf32> -> tensor<7x3x5xf32>
      %r = relayout.rearrange %b "c b a -> c (b a)" : tensor<7x3x5xf32> -> tensor<7x15xf32>
      %s = relayout.rearrange %r "c (a b) -> c a b" sizes {a = 3} : tensor<7x15xf32> -> tensor<7x3x5xf32>
      %p = relayout.rearrange %s "a b c -> a b c" pad [1:0, 0:0, 0:0] value 1.0 : f32
          : tensor<7x3x5xf32> -> tensor<8x3x5xf32>
      %q = relayout.rearrange %p "a b c -> b a c" pad [1:-2, 0:0, 0:0] value 2.0 : f32
          : tensor<8x3x5xf32> -> tensor<3x7x5xf32>
      %t = relayout.rearrange %q "b a c -> a b c" : tensor<3x7x5xf32> -> tensor<7x3x5xf32>
      return %t : tensor<7x3x5xf32>
    })mlir"};
  Result<Kernel> kernel = compiler->compile(std::ref(module));
  ASSERT_FALSE(kernel);
  EXPECT_EQ(kernel.error().code, ErrorCode::Unsupported);
  EXPECT_NE(kernel.error().message.find("is left in a kernel, which expects one rearrangement "
                                        "from its operand to its result and nothing else"),
            std::string::npos)
      << kernel.error().message;
  // The compiler still works.
  TextModule good{kernelText(kTranspose)};
  EXPECT_TRUE(isRight(compiler->compile(std::ref(good)).take(), good));
}

TEST(Compiler, EmitsEveryStageInOrder) {
  auto compiler = makeCompiler();
  TextModule module{kernelText(operations().front())};
  std::vector<std::string> words;
  Status status = compiler->emitAll(
      std::ref(module), [&](const StageInfo &info, const std::string &bytes) -> Status {
        words.push_back(info.word);
        EXPECT_FALSE(bytes.empty());
        EXPECT_EQ(llvm::StringRef(bytes).starts_with("\177ELF"), info.isBinary) << info.word;
        Result<std::string> alone = compiler->emit(std::ref(module), info.stage);
        EXPECT_TRUE(alone && *alone == bytes) << info.word;
        return Status::success();
      });
  ASSERT_TRUE(status) << status.error().message;
  EXPECT_EQ(words,
            (std::vector<std::string>{"named", "chain", "fused", "buffers", "scheduled", "loops",
                                      "vectors", "llvm", "llvm-ir", "asm", "object"}));
  Status stopped =
      compiler->emitAll(std::ref(module), [](const StageInfo &, const std::string &) -> Status {
        return Error{ErrorCode::Environment, "disk full"};
      });
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().message, "disk full");
}

TEST(Compiler, NothingIsWritableAndExecutable) {
  auto compiler = makeCompiler();
  TextModule module{kernelText(kTranspose)};
  Kernel kernel = compiler->compile(std::ref(module)).take();
  EXPECT_TRUE(isRight(kernel, module));
  std::ifstream maps("/proc/self/maps");
  if (!maps)
    GTEST_SKIP() << "needs /proc/self/maps";
  for (std::string line; std::getline(maps, line);)
    EXPECT_EQ(line.find(" rwx"), std::string::npos) << line;
}

TEST(Compiler, FreedKernelsAreUnmapped) {
  auto countExecutable = [] {
    std::ifstream maps("/proc/self/maps");
    int count = 0;
    for (std::string line; std::getline(maps, line);)
      count += line.find(" r-x") != std::string::npos;
    return count;
  };
  auto compiler = makeCompiler();
  TextModule module{kernelText(kTranspose)};
  int before = countExecutable();
  if (before == 0)
    GTEST_SKIP() << "needs /proc/self/maps";
  {
    Kernel kernel = compiler->compile(std::ref(module)).take();
    EXPECT_GT(countExecutable(), before);
  }
  EXPECT_EQ(countExecutable(), before);
}

} // namespace
