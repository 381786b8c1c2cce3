// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What compiled kernels do: every element, every partition of the units, and
// nothing that calls or allocates.

#include "Modules.h"

#include "relayout/JIT/Verify.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <random>

using namespace relayout;
using namespace relayout::test;

namespace {

Compiler &compiler() {
  static std::unique_ptr<Compiler> instance = Compiler::create().take();
  return *instance;
}

class KernelCodeTest : public testing::TestWithParam<std::string> {
protected:
  TextModule module{kernelText(GetParam())};
};

/// The fill values that the operations name, by the text that names them.
std::vector<unsigned char> fillOf(const std::string &op, int64_t width) {
  static const std::map<std::string, std::vector<unsigned char>> fills = {
      {"value -1.5 : f32", {0, 0, 0xc0, 0xbf}},
      {"value 7 : i32", {7, 0, 0, 0}},
      {"value true", {1}},
      {"value 1.0 : f8E4M3FN", {0x38}},
  };
  for (const auto &[text, bytes] : fills)
    if (op.find(text) != std::string::npos)
      return bytes;
  EXPECT_EQ(op.find(" value "), std::string::npos) << "no bytes for the fill value of " << op;
  return std::vector<unsigned char>(width, 0);
}

TEST_P(KernelCodeTest, DoesWhatTheReferenceSays) {
  Result<Kernel> kernel = compiler().compile(std::ref(module));
  ASSERT_TRUE(kernel) << kernel.error().message;
  std::vector<unsigned char> fill = fillOf(GetParam(), module.width);
  Result<VerifyReport> report =
      verifyKernel(*kernel, module.rearrangement, module.width, fill.data());
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->ok()) << "element " << report->mismatch->element << " is "
                            << report->mismatch->found << " for " << report->mismatch->expected;
}

/// Runs units `begin` to `end - 1` and returns which bytes that writes: a byte is
/// written if it ends up the same over two different backgrounds.
std::vector<bool> writtenBytes(const Kernel &kernel, const std::vector<unsigned char> &in,
                               int64_t begin, int64_t end) {
  std::vector<unsigned char> low(kernel.info().outputBytes, 0x00), high(low.size(), 0xff);
  kernel.runUnits(in.data(), low.data(), nullptr, begin, end);
  kernel.runUnits(in.data(), high.data(), nullptr, begin, end);
  std::vector<bool> written(low.size());
  for (size_t i = 0; i < low.size(); ++i)
    written[i] = low[i] == high[i];
  return written;
}

TEST_P(KernelCodeTest, WritesEveryByteOnceInAnyPartition) {
  Result<Kernel> kernel = compiler().compile(std::ref(module));
  ASSERT_TRUE(kernel) << kernel.error().message;
  const KernelInfo &info = kernel->info();
  std::vector<unsigned char> in(info.inputBytes), whole(info.outputBytes);
  std::mt19937 random(20240607);
  for (unsigned char &byte : in)
    byte = static_cast<unsigned char>(random());
  ASSERT_TRUE(kernel->run({in.data(), info.inputBytes}, {whole.data(), info.outputBytes}));

  std::vector<int> writers(info.outputBytes);
  for (int64_t unit = 0; unit < info.units; ++unit) {
    std::vector<bool> written = writtenBytes(*kernel, in, unit, unit + 1);
    for (size_t i = 0; i < written.size(); ++i)
      writers[i] += written[i];
  }
  for (int64_t i = 0; i < info.outputBytes; ++i)
    ASSERT_EQ(writers[i], 1) << "writers of byte " << i;

  for (int round = 0; round < 20; ++round) {
    std::vector<int64_t> cuts = {0, info.units};
    for (int i = 0; i < round % 5; ++i)
      cuts.push_back(std::uniform_int_distribution<int64_t>(0, info.units)(random));
    std::sort(cuts.begin(), cuts.end());
    std::vector<size_t> order(cuts.size() - 1);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    std::vector<unsigned char> out(info.outputBytes, 0xa5);
    for (size_t i : order)
      kernel->runUnits(in.data(), out.data(), nullptr, cuts[i], cuts[i + 1]);
    ASSERT_EQ(out, whole);
  }
}

TEST_P(KernelCodeTest, WritesNothingForNoUnits) {
  Result<Kernel> kernel = compiler().compile(std::ref(module));
  ASSERT_TRUE(kernel) << kernel.error().message;
  const KernelInfo &info = kernel->info();
  std::vector<unsigned char> in(info.inputBytes, 1);
  using Range = std::pair<int64_t, int64_t>;
  for (auto [begin, end] :
       {Range{0, 0}, Range{info.units / 2, info.units / 2}, Range{info.units, info.units}})
    for (bool written : writtenBytes(*kernel, in, begin, end))
      ASSERT_FALSE(written);
}

/// The calls that the final IR may hold, each of which is one instruction or none.
bool mayCall(const llvm::CallBase &call) {
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::smax:
  case llvm::Intrinsic::smin:
  case llvm::Intrinsic::masked_load:
  case llvm::Intrinsic::masked_store:
  case llvm::Intrinsic::prefetch:
  case llvm::Intrinsic::x86_sse_sfence:
  case llvm::Intrinsic::arithmetic_fence:
  case llvm::Intrinsic::launder_invariant_group:
    return true;
  default:
    return false;
  }
}

TEST_P(KernelCodeTest, CallsAndAllocatesNothing) {
  Result<std::string> text = compiler().emit(std::ref(module), Stage::LLVMIR);
  ASSERT_TRUE(text) << text.error().message;
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> ir = llvm::parseAssemblyString(*text, diagnostic, context);
  ASSERT_TRUE(ir) << diagnostic.getMessage().str();
  const llvm::Function *function = ir->getFunction("kernel");
  ASSERT_TRUE(function);
  EXPECT_EQ(function->arg_size(), 5u);
  EXPECT_TRUE(function->hasFnAttribute("no-builtins"));
  for (const llvm::BasicBlock &block : *function)
    for (const llvm::Instruction &instruction : block) {
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
        std::string callee =
            call->getCalledFunction() ? call->getCalledFunction()->getName().str() : "";
        EXPECT_TRUE(mayCall(*call)) << callee;
      }
      EXPECT_FALSE(llvm::isa<llvm::AllocaInst>(instruction)) << *text;
    }
  EXPECT_TRUE(ir->global_empty());

  Result<std::string> assembly = compiler().emit(std::ref(module), Stage::Assembly);
  ASSERT_TRUE(assembly) << assembly.error().message;
  for (llvm::StringRef line : llvm::split(*assembly, '\n')) {
    llvm::StringRef mnemonic = line.trim().take_until([](char c) { return c == '\t' || c == ' '; });
    EXPECT_FALSE(mnemonic.starts_with("call") || mnemonic == "bl" || mnemonic == "blr" ||
                 line.contains("@PLT"))
        << line.str();
  }
}

INSTANTIATE_TEST_SUITE_P(Operations, KernelCodeTest, testing::ValuesIn(operations()));

} // namespace
