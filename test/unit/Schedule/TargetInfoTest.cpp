// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Schedule/TargetInfo.h"

#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

#include <gtest/gtest.h>

using namespace relayout;

static VectorISA isaOf(const char *arch, const char *cpu, const char *features = "") {
  Result<TargetInfo> target = targetFor(arch, cpu, features);
  EXPECT_TRUE(target) << target.error().message;
  return target ? target->isa : VectorISA::Scalar;
}

TEST(TargetInfo, KnowsTheLevelsOfCpus) {
  EXPECT_EQ(isaOf("x86_64", ""), VectorISA::SSE2);
  EXPECT_EQ(isaOf("x86_64", "generic"), VectorISA::SSE2);
  EXPECT_EQ(isaOf("x86_64", "x86-64"), VectorISA::SSE2);
  EXPECT_EQ(isaOf("x86_64", "x86-64-v2"), VectorISA::SSE2);
  EXPECT_EQ(isaOf("x86_64", "x86-64-v3"), VectorISA::AVX2);
  EXPECT_EQ(isaOf("x86_64", "x86-64-v4"), VectorISA::AVX512);
  EXPECT_EQ(isaOf("x86_64", "sandybridge"), VectorISA::SSE2);
  EXPECT_EQ(isaOf("x86_64", "haswell"), VectorISA::AVX2);
  EXPECT_EQ(isaOf("x86_64", "znver3"), VectorISA::AVX2);
  EXPECT_EQ(isaOf("x86_64", "skylake-avx512"), VectorISA::AVX512);
  EXPECT_EQ(isaOf("x86_64", "icelake-server"), VectorISA::AVX512VBMI);
  EXPECT_EQ(isaOf("x86_64", "sapphirerapids"), VectorISA::AVX512VBMI);
  EXPECT_EQ(isaOf("x86_64", "znver5"), VectorISA::AVX512VBMI);
  EXPECT_EQ(isaOf("aarch64", "generic"), VectorISA::NEON);
  EXPECT_EQ(isaOf("arm64", "neoverse-n1"), VectorISA::NEON);
  EXPECT_EQ(isaOf("riscv64", ""), VectorISA::Scalar);
}

TEST(TargetInfo, AppliesFeaturesAndWhatTheyImply) {
  EXPECT_EQ(isaOf("x86_64", "x86-64", "+avx2"), VectorISA::AVX2);
  EXPECT_EQ(isaOf("x86_64", "haswell", "-avx"), VectorISA::SSE2);
  EXPECT_EQ(isaOf("x86_64", "znver5", "-avx512f"), VectorISA::AVX2);
  EXPECT_EQ(isaOf("x86_64", "znver5", "-avx512vbmi"), VectorISA::AVX512);
  EXPECT_EQ(isaOf("x86_64", "znver5", " -avx512bw , -avx512vl"), VectorISA::AVX2);
  EXPECT_EQ(isaOf("x86_64", "haswell", "+avx512f"), VectorISA::AVX2);
  EXPECT_EQ(isaOf("x86_64", "haswell", "+avx512vbmi,+avx512dq,+avx512vl"), VectorISA::AVX512VBMI);
  EXPECT_EQ(isaOf("x86_64", "x86-64", "-sse2"), VectorISA::Scalar);
  EXPECT_EQ(isaOf("aarch64", "", "-neon"), VectorISA::Scalar);
  // SVE brings back the registers of floats, but not what NEON does in them.
  EXPECT_EQ(isaOf("aarch64", "", "-fp-armv8,+sve"), VectorISA::Scalar);
}

/// The machine that this process runs on.
static TargetInfo hostTarget() {
  llvm::Triple host(llvm::sys::getProcessTriple());
  Result<TargetInfo> target = targetFor(host.getArchName().str(), "native", "");
  EXPECT_TRUE(target) << target.error().message;
  return target ? *target : TargetInfo();
}

TEST(TargetInfo, IsNativeOnThisMachineAlone) {
  bool isAArch64 = llvm::Triple(llvm::sys::getProcessTriple()).isAArch64();
  std::string other = isAArch64 ? "x86_64" : "aarch64";
  Result<TargetInfo> target = targetFor(other, "native", "");
  ASSERT_FALSE(target);
  EXPECT_EQ(target.error().message, "expects the architecture of this machine for the cpu native, "
                                    "but got " +
                                        other);
}

TEST(TargetInfo, DescribesWhatTheLevelOffers) {
#if defined(__x86_64__)
  const bool onX86 = true;
#else
  const bool onX86 = false;
#endif
  Result<TargetInfo> target = targetFor("x86_64", "znver5", "");
  ASSERT_TRUE(target);
  EXPECT_EQ(target->vectorBytes, 64);
  // The instructions are those of the CPU named, the memory is this machine's.
  if (onX86)
    EXPECT_EQ(target->tlbPages, hostTarget().tlbPages);
  else
    EXPECT_EQ(target->tlbPages, 4096);
  EXPECT_EQ(target->registers, 32);
  EXPECT_TRUE(target->maskedAccess && target->nonTemporal && target->prefetchWrite);
  target = targetFor("x86_64", "haswell", "");
  ASSERT_TRUE(target);
  EXPECT_EQ(target->vectorBytes, 32);
  EXPECT_EQ(target->registers, 16);
  // LLVM has haswell without an instruction for it.
  EXPECT_TRUE(!target->maskedAccess && target->nonTemporal && target->prefetchWrite);
  target = targetFor("x86_64", "x86-64", "");
  ASSERT_TRUE(target);
  EXPECT_EQ(target->vectorBytes, 16);
  EXPECT_TRUE(target->nonTemporal);
  target = targetFor("aarch64", "", "");
  ASSERT_TRUE(target);
  EXPECT_EQ(target->vectorBytes, 16);
  EXPECT_TRUE(!target->maskedAccess && !target->nonTemporal && target->prefetchWrite);
}

TEST(TargetInfo, DescribesTheHost) {
  TargetInfo host = hostTarget();
  EXPECT_GE(host.l2Bytes, host.l1Bytes);
  for (int64_t size : {host.pageBytes, host.vectorBytes})
    EXPECT_TRUE(size > 0 && (size & (size - 1)) == 0) << size;
}

static std::string failure(const char *arch, const char *cpu, const char *features) {
  Result<TargetInfo> target = targetFor(arch, cpu, features);
  return target ? "none" : target.error().message;
}

TEST(TargetInfo, RefusesWhatLLVMDoesNotKnow) {
  EXPECT_EQ(
      failure("vax", "", ""),
      "expects an architecture that LLVM knows, but got vax; x86_64 and aarch64 are possible");
  EXPECT_EQ(failure("x86_64", "pentium9", ""),
            "expects an x86-64 cpu that LLVM knows, but got pentium9; x86-64, haswell, "
            "skylake-avx512, znver5 are possible");
  EXPECT_EQ(failure("aarch64", "haswell", ""),
            "expects an AArch64 cpu that LLVM knows, but got haswell; generic, neoverse-n1, "
            "apple-m1 are possible");
  EXPECT_EQ(failure("x86_64", "haswell", "avx2"),
            "expects a feature to start with + or -, but got avx2");
}
