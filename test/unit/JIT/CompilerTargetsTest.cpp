// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Modules.h"

#include "relayout/Runtime/HostFeatures.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "gtest/gtest.h"

using namespace relayout;
using namespace relayout::test;

namespace {

TEST(Compiler, RefusesUnknownTargets) {
  testing::internal::CaptureStderr();
  CompilerOptions options;
  options.cpu = "pentagon";
  Result<std::unique_ptr<Compiler>> compiler = Compiler::create(options);
  ASSERT_FALSE(compiler);
  EXPECT_EQ(compiler.error().code, ErrorCode::Usage);
  EXPECT_EQ(compiler.error().message, "expects a CPU that LLVM knows, but got 'pentagon'; the "
                                      "host is '" +
                                          llvm::sys::getHostCPUName().str() + "'");
  options.cpu.clear();
  options.features = "+wings";
  compiler = Compiler::create(options);
  ASSERT_FALSE(compiler);
  EXPECT_EQ(compiler.error().message, "expects features that LLVM knows, but got 'wings'");
  // One that is known, but neither added nor left out, and a processor of 32 bits.
  for (auto [cpu, features] : {std::pair("", "avx2"), {"i686", ""}}) {
    options.cpu = cpu;
    options.features = features;
    compiler = Compiler::create(options);
    ASSERT_FALSE(compiler);
    EXPECT_EQ(compiler.error().code, ErrorCode::Usage);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Compiler, TakesTheHostByName) {
  CompilerOptions options;
  Result<std::unique_ptr<Compiler>> host = Compiler::create(options);
  options.cpu = "native";
  Result<std::unique_ptr<Compiler>> native = Compiler::create(options);
  options.triple = llvm::sys::getProcessTriple();
  Result<std::unique_ptr<Compiler>> withTriple = Compiler::create(options);
  ASSERT_TRUE(host && native && withTriple);
  for (const auto *other : {&native, &withTriple}) {
    EXPECT_EQ((**other)->cpu(), (*host)->cpu());
    EXPECT_EQ((**other)->features(), (*host)->features());
    EXPECT_EQ((**other)->target().isa, (*host)->target().isa);
  }
}

TEST(Compiler, RefusesModesOfAProcessor) {
  if (hostArch() != std::string("x86_64"))
    GTEST_SKIP() << "needs an x86-64 host";
  CompilerOptions options;
  for (const char *mode : {"64bit", "64bit-mode", "32bit-mode", "16bit-mode", "x32", "soft-float",
                           "sse-unaligned-mem"})
    for (const char *sign : {"+", "-"}) {
      options.features = std::string(sign) + mode;
      Result<std::unique_ptr<Compiler>> compiler = Compiler::create(options);
      ASSERT_FALSE(compiler) << options.features;
      EXPECT_EQ(compiler.error().message, "expects features that are instructions, but got '" +
                                              std::string(mode) + "', which is a mode of x86_64");
    }
}

TEST(Compiler, CompilesForOtherCPUsButRunsOnlyWhatTheHostCan) {
  if (!llvm::StringRef(llvm::sys::getProcessTriple()).starts_with("x86_64"))
    GTEST_SKIP() << "needs an x86-64 host";
  if (llvm::sys::getHostCPUFeatures().lookup("avx512fp16"))
    GTEST_SKIP() << "needs a host without AVX-512 FP16";
  CompilerOptions options;
  options.cpu = "sapphirerapids";
  auto compiler = makeCompiler(options);
  TextModule module{kernelText(kTranspose)};
  Result<std::string> assembly = compiler->emit(std::ref(module), Stage::Assembly);
  ASSERT_TRUE(assembly) << assembly.error().message;
  Result<Kernel> kernel = compiler->compile(std::ref(module));
  ASSERT_FALSE(kernel);
  EXPECT_EQ(kernel.error().code, ErrorCode::Environment);
  EXPECT_TRUE(llvm::StringRef(kernel.error().message)
                  .starts_with("expects a CPU that the host can stand in for, but "
                               "'sapphirerapids' has "));
}

static std::string refusalOf(const std::string &triple, ErrorCode code) {
  CompilerOptions options;
  options.triple = triple;
  Result<std::unique_ptr<Compiler>> compiler = Compiler::create(options);
  if (compiler)
    return "none";
  EXPECT_EQ(compiler.error().code, code) << triple;
  return compiler.error().message;
}

TEST(Compiler, TakesTargetsWhoseProcessorsTheRuntimeKnows) {
  for (const char *triple : {"vax", "", "riscv64-linux-gnu", "aarch64_be-linux-gnu",
                             "i686-linux-gnu", "arm64-apple-macosx", "x86_64-pc-windows-msvc",
                             "x86_64-linux-gnux32", "aarch64-linux-gnu_ilp32"})
    EXPECT_EQ(refusalOf(triple, ErrorCode::Usage),
              *triple == 0 ? "none"
                           : "expects a target of x86_64 or aarch64 with files in ELF, but got '" +
                                 std::string(triple) +
                                 "'; x86_64-linux-gnu and aarch64-linux-gnu are possible");
  // Of the host's architecture, but of no processor: what all have.
  CompilerOptions options;
  options.triple = std::string(hostArch()) + "-linux-gnu";
  auto compiler = makeCompiler(options);
  EXPECT_EQ(compiler->arch(), hostArch());
  EXPECT_EQ(compiler->requirements(), std::vector<std::string>());
  TextModule module{kernelText(kTranspose)};
  EXPECT_TRUE(isRight(compiler->compile(std::ref(module)).take(), module));
}

TEST(Compiler, CompilesForBackEndsThatTheProgramRegisters) {
  bool onX86 = hostArch() == std::string("x86_64");
  CompilerOptions options;
  options.triple = onX86 ? "aarch64-unknown-linux-gnu" : "x86_64-unknown-linux-gnu";
  // This program registers only the host's before.
  EXPECT_EQ(refusalOf(options.triple, ErrorCode::Environment),
            "expects a target that LLVM has a back end for here, but got '" + options.triple +
                "'; " + llvm::sys::getProcessTriple() + " is possible");
  llvm::InitializeAllTargetInfos();
  llvm::InitializeAllTargets();
  llvm::InitializeAllTargetMCs();
  llvm::InitializeAllAsmPrinters();
  auto compiler = makeCompiler(options);
  EXPECT_EQ(compiler->arch(), onX86 ? "aarch64" : "x86_64");
  EXPECT_EQ(compiler->emptyImage().arch, compiler->arch());
  EXPECT_EQ(compiler->requirements(), std::vector<std::string>());
  TextModule module{kernelText(kTranspose)};
  EXPECT_TRUE(compiler->compileFlat(std::ref(module)));
  Result<Kernel> kernel = compiler->compile(std::ref(module));
  ASSERT_FALSE(kernel);
  EXPECT_EQ(kernel.error().code, ErrorCode::Environment);
  EXPECT_EQ(kernel.error().message, std::string("expects a target of this machine, ") + hostArch() +
                                        ", to run a kernel, but got " + compiler->arch() +
                                        "; to compile and not run it is possible");
  // Extensions that the runtime library cannot look for are not used.
  options.cpu = onX86 ? "apple-m4" : "sapphirerapids";
  compiler = makeCompiler(options);
  EXPECT_FALSE(compiler->requirements().empty());
  for (const std::string &name : compiler->requirements())
    EXPECT_TRUE(isKnownFeature(compiler->arch(), name)) << name;
}

TEST(Compiler, RuntimeAndLLVMSeeTheSameProcessor) {
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  for (std::string_view name : optionalFeatures(hostArch()))
    EXPECT_EQ(hostHas(name), features.lookup(name)) << std::string(name);
  EXPECT_FALSE(isKnownFeature(hostArch(), "amx-tile"));
  EXPECT_FALSE(hostHas("wings"));
  auto compiler = makeCompiler();
  EXPECT_TRUE(compiler->runsOnHost());
  EXPECT_EQ(missingFeatures(compiler->requirements()), "");
}

TEST(Compiler, StatesWhatAProcessorMustHave) {
  if (hostArch() != std::string("x86_64"))
    GTEST_SKIP() << "needs an x86-64 host";
  CompilerOptions options;
  options.cpu = "x86-64";
  EXPECT_EQ(makeCompiler(options)->requirements(), std::vector<std::string>());
  options.cpu = "x86-64-v3";
  EXPECT_EQ(
      makeCompiler(options)->requirements(),
      (std::vector<std::string>{"sse3", "ssse3", "fma", "cx16", "sse4.1", "sse4.2", "movbe",
                                "popcnt", "avx", "f16c", "bmi", "avx2", "bmi2", "sahf", "lzcnt"}));
  options.features = "-bmi2,+avx512vbmi,-amx-tile";
  std::vector<std::string> needed = makeCompiler(options)->requirements();
  auto has = [&](const char *name) { return llvm::is_contained(needed, name); };
  EXPECT_TRUE(has("avx512f") && has("avx512bw") && has("avx512vbmi"));
  EXPECT_FALSE(has("bmi2"));
}

TEST(Compiler, RefusesWhatNoProgramCouldLookFor) {
  if (hostArch() != std::string("x86_64"))
    GTEST_SKIP() << "needs an x86-64 host";
  // All that LLVM can tell of a host, whether this one has it or not.
  const llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  std::vector<std::string> refused;
  for (llvm::StringRef name : features.keys()) {
    if (isKnownFeature("x86_64", name.str()))
      continue;
    CompilerOptions options;
    options.features = ("+avx2,+" + name).str();
    Result<std::unique_ptr<Compiler>> compiler = Compiler::create(options);
    ASSERT_FALSE(compiler) << name.str();
    EXPECT_EQ(compiler.error().code, ErrorCode::Usage);
    EXPECT_EQ(compiler.error().message,
              "expects features that can be looked for where a kernel runs, but got '" +
                  name.str() + "'; leave it out");
    refused.push_back(name.str());
  }
  for (const char *name : {"amx-tile", "egpr", "rtm"})
    EXPECT_TRUE(llvm::is_contained(refused, name)) << name;
}
} // namespace
