// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Runtime/HostFeatures.h"

#include <algorithm>
#include <cstdint>

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__)
#include <sys/auxv.h>
#endif

namespace relayout {
namespace {

// The tables are in every build, since kernels are made for other architectures too.

constexpr std::string_view kX86Baseline[] = {"64bit", "cmov", "cx8",  "fxsr",
                                             "mmx",   "sse",  "sse2", "x87"};

/// What the system must save when it switches threads: bits of XCR0.
constexpr uint64_t kNothing = 0, kYmm = 0x06, kZmm = 0xe6;
enum Register { kEax, kEbx, kEcx, kEdx };

struct X86Row {
  const char *name;
  uint32_t leaf, subleaf;
  Register word;
  unsigned bit;
  uint64_t state;
};

constexpr X86Row kX86Optional[] = {
    {"sse3", 1, 0, kEcx, 0, kNothing},
    {"pclmul", 1, 0, kEcx, 1, kNothing},
    {"ssse3", 1, 0, kEcx, 9, kNothing},
    {"fma", 1, 0, kEcx, 12, kYmm},
    {"cx16", 1, 0, kEcx, 13, kNothing},
    {"sse4.1", 1, 0, kEcx, 19, kNothing},
    {"sse4.2", 1, 0, kEcx, 20, kNothing},
    {"movbe", 1, 0, kEcx, 22, kNothing},
    {"popcnt", 1, 0, kEcx, 23, kNothing},
    {"aes", 1, 0, kEcx, 25, kNothing},
    {"avx", 1, 0, kEcx, 28, kYmm},
    {"f16c", 1, 0, kEcx, 29, kYmm},
    {"bmi", 7, 0, kEbx, 3, kNothing},
    {"avx2", 7, 0, kEbx, 5, kYmm},
    {"bmi2", 7, 0, kEbx, 8, kNothing},
    {"avx512f", 7, 0, kEbx, 16, kZmm},
    {"avx512dq", 7, 0, kEbx, 17, kZmm},
    {"adx", 7, 0, kEbx, 19, kNothing},
    {"avx512ifma", 7, 0, kEbx, 21, kZmm},
    {"avx512cd", 7, 0, kEbx, 28, kZmm},
    {"avx512bw", 7, 0, kEbx, 30, kZmm},
    {"avx512vl", 7, 0, kEbx, 31, kZmm},
    {"avx512vbmi", 7, 0, kEcx, 1, kZmm},
    {"avx512vbmi2", 7, 0, kEcx, 6, kZmm},
    {"gfni", 7, 0, kEcx, 8, kNothing},
    {"vaes", 7, 0, kEcx, 9, kYmm},
    {"vpclmulqdq", 7, 0, kEcx, 10, kYmm},
    {"avx512vnni", 7, 0, kEcx, 11, kZmm},
    {"avx512bitalg", 7, 0, kEcx, 12, kZmm},
    {"avx512vpopcntdq", 7, 0, kEcx, 14, kZmm},
    {"avx512fp16", 7, 0, kEdx, 23, kZmm},
    {"avxvnni", 7, 1, kEax, 4, kYmm},
    {"avx512bf16", 7, 1, kEax, 5, kZmm},
    {"sahf", 0x80000001, 0, kEcx, 0, kNothing},
    {"lzcnt", 0x80000001, 0, kEcx, 5, kNothing},
    {"sse4a", 0x80000001, 0, kEcx, 6, kNothing},
    {"prfchw", 0x80000001, 0, kEcx, 8, kNothing},
    {"xop", 0x80000001, 0, kEcx, 11, kYmm},
    {"fma4", 0x80000001, 0, kEcx, 16, kYmm},
    {"tbm", 0x80000001, 0, kEcx, 21, kNothing},
};

constexpr std::string_view kArmBaseline[] = {"fp-armv8", "neon"};

/// Words of the auxiliary vector: AT_HWCAP and AT_HWCAP2 of Linux.
constexpr unsigned long kHwcap = 16, kHwcap2 = 26;

struct ArmRow {
  const char *name;
  unsigned long word;
  unsigned bit;
};

constexpr ArmRow kArmOptional[] = {
    {"crc", kHwcap, 7},    {"lse", kHwcap, 8},      {"fullfp16", kHwcap, 10}, {"rdm", kHwcap, 12},
    {"rcpc", kHwcap, 15},  {"dotprod", kHwcap, 20}, {"sve", kHwcap, 22},      {"sve2", kHwcap2, 1},
    {"i8mm", kHwcap2, 13}, {"bf16", kHwcap2, 14},
};

#if defined(__x86_64__)

constexpr const char *kArch = "x86_64";

/// What the system saves; 0 if it says nothing.
uint64_t savedState() {
  uint32_t words[4] = {};
  constexpr uint32_t kOsxsave = 1u << 27;
  if (!__get_cpuid(1, &words[kEax], &words[kEbx], &words[kEcx], &words[kEdx]) ||
      !(words[kEcx] & kOsxsave))
    return 0;
  uint32_t low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (uint64_t(high) << 32) | low;
}

/// CPUID is slow on a virtual machine: rows of one leaf stand together.
std::vector<std::string_view> detect() {
  std::vector<std::string_view> found;
  const uint64_t state = savedState();
  uint32_t words[4] = {}, leaf = 0, subleaf = 0;
  for (const X86Row &row : kX86Optional) {
    if (row.leaf != leaf || row.subleaf != subleaf) {
      leaf = row.leaf, subleaf = row.subleaf;
      if (!__get_cpuid_count(leaf, subleaf, &words[kEax], &words[kEbx], &words[kEcx], &words[kEdx]))
        std::fill(std::begin(words), std::end(words), 0);
    }
    if ((words[row.word] >> row.bit & 1) && (state & row.state) == row.state)
      found.push_back(row.name);
  }
  return found;
}

#elif defined(__aarch64__)

constexpr const char *kArch = "aarch64";

std::vector<std::string_view> detect() {
  std::vector<std::string_view> found;
  for (const ArmRow &row : kArmOptional)
    if (getauxval(row.word) >> row.bit & 1)
      found.push_back(row.name);
  return found;
}

#else
#error "expects x86-64 or AArch64"
#endif

} // namespace

const char *hostArch() { return kArch; }

template <typename Rows> static std::vector<std::string_view> namesOf(const Rows &rows) {
  std::vector<std::string_view> names;
  for (const auto &row : rows)
    names.push_back(row.name);
  return names;
}

const std::vector<std::string_view> &optionalFeatures(std::string_view arch) {
  static const auto &x86 = *new auto(namesOf(kX86Optional)),
                    &arm = *new auto(namesOf(kArmOptional)),
                    &none = *new std::vector<std::string_view>();
  return arch == "x86_64" ? x86 : arch == "aarch64" ? arm : none;
}

template <typename List> static bool contains(const List &list, std::string_view name) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

/// Whether every processor of the architecture has the feature.
static bool isBaseline(std::string_view arch, std::string_view name) {
  return (arch == "x86_64" && contains(kX86Baseline, name)) ||
         (arch == "aarch64" && contains(kArmBaseline, name));
}

bool isKnownFeature(std::string_view arch, std::string_view name) {
  return isBaseline(arch, name) || contains(optionalFeatures(arch), name);
}

bool hostHas(std::string_view name) {
  static const auto &found = *new auto(detect());
  return isBaseline(kArch, name) || contains(found, name);
}

std::string missingFeatures(const std::vector<std::string> &needed) {
  std::string missing;
  for (const std::string &name : needed)
    if (!hostHas(name))
      missing += (missing.empty() ? "" : ",") + name;
  return missing;
}

} // namespace relayout
