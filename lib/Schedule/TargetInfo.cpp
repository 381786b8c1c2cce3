// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Schedule/TargetInfo.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/TargetParser/AArch64TargetParser.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/TargetParser/X86TargetParser.h"

#include <fstream>
#include <string>
#include <unistd.h>

namespace relayout {

namespace {

/// What an instruction set offers.
struct Level {
  VectorISA isa;
  int64_t vectorBytes;
  int64_t registers;
  bool maskedAccess;
  bool nonTemporal;
};

constexpr Level kScalar{VectorISA::Scalar, 8, 16, false, false};
constexpr Level kNEON{VectorISA::NEON, 16, 32, false, false};
constexpr Level kSSE2{VectorISA::SSE2, 16, 16, false, true};
constexpr Level kAVX2{VectorISA::AVX2, 32, 16, false, true};
constexpr Level kAVX512{VectorISA::AVX512, 64, 32, true, true};
constexpr Level kAVX512VBMI{VectorISA::AVX512VBMI, 64, 32, true, true};

/// Each as measured on one processor of the family: a Sapphire Rapids (and what it fetches on an
/// Emerald Rapids), a Zen 5, a Zen 4.
constexpr MemoryTraits intel() {
  MemoryTraits traits;
  traits.readStreams = 32;
  traits.visitBytes = 128;
  traits.restartBytes = 400;
  traits.linesAhead = 2;
  traits.fetchesParts = true;
  traits.pageCost = 0.03;
  traits.sharedPageCost = 0.06;
  traits.sharesRows = true;
  traits.aliasedLines = 1;
  traits.partLines = 0.25;
  return traits;
}
constexpr MemoryTraits zen5() {
  MemoryTraits traits;
  traits.loneStream = 0;
  traits.loneCarried = 0;
  traits.fetches = true;
  traits.followsRows = true;
  return traits;
}
constexpr MemoryTraits zen4() {
  MemoryTraits traits;
  traits.streamCost = 1;
  traits.loneStream = 0;
  traits.loneCarried = 0;
  traits.besideCost = 0.1;
  traits.visitCost = 35;
  traits.freshBytes = 3000;
  traits.fetches = true;
  traits.touches = true;
  traits.packs = true;
  traits.fetchesWritten = false;
  traits.aliasedLines = 1;
  return traits;
}
constexpr MemoryTraits kIntel = intel(), kZen5 = zen5(), kZen4 = zen4();

/// A processor by the start of LLVM's name of it.
struct Core {
  llvm::StringLiteral prefix;
  int64_t tlbPages; ///< of the second-level TLB
  const MemoryTraits &memory;
};
constexpr Core kCores[] = {
    {"haswell", 1024, kIntel},       {"broadwell", 1536, kIntel},
    {"skylake", 1536, kIntel},       {"cascadelake", 1536, kIntel},
    {"icelake", 2048, kIntel},       {"tigerlake", 2048, kIntel},
    {"rocketlake", 2048, kIntel},    {"alderlake", 2048, kIntel},
    {"raptorlake", 2048, kIntel},    {"sapphirerapids", 2048, kIntel},
    {"emeraldrapids", 2048, kIntel}, {"graniterapids", 2048, kIntel},
    {"znver2", 2048, kZen4},         {"znver3", 2048, kZen4},
    {"znver4", 3072, kZen4},         {"znver5", 4096, kZen5},
};

using FeatureMap = llvm::StringMap<bool>;

} // namespace

static void setLevel(TargetInfo &target, const Level &level) {
  target.isa = level.isa;
  target.vectorBytes = level.vectorBytes;
  target.registers = level.registers;
  target.maskedAccess = level.maskedAccess;
  target.nonTemporal = level.nonTemporal;
}

/// Sets `bytes` to what the system says, if it says anything.
static void setFromSystem(int64_t &bytes, int name) {
  if (long value = sysconf(name); value > 0)
    bytes = value;
}

/// The first word of a file under /sys; empty if there is no such file.
static std::string readWord(const std::string &path) {
  std::string word;
  std::ifstream(path) >> word;
  return word;
}

/// Sets `value` to the number in a file under /sys; K stands for 1024.
static void setFromFile(int64_t &value, const std::string &path) {
  std::string word = readWord(path);
  llvm::StringRef text = word;
  int64_t scale = text.consume_back("K") ? 1024 : 1, number;
  if (!text.getAsInteger(10, number) && number > 0)
    value = number * scale;
}

/// The caches as Linux lists them. They are what a guest of a virtual machine has,
/// where sysconf gives those of the whole processor.
static void setCaches(TargetInfo &target) {
  for (int index = 0; index < 5; ++index) {
    std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
    std::string level = readWord(folder + "level");
    if (level.empty() || readWord(folder + "type") == "Instruction")
      continue;
    if (level == "1") {
      setFromFile(target.l1Bytes, folder + "size");
      setFromFile(target.l1Ways, folder + "ways_of_associativity");
    } else if (level == "2" || level == "3") {
      setFromFile(level == "2" ? target.l2Bytes : target.l3Bytes, folder + "size");
    }
  }
}

static void setHostSizes(TargetInfo &target) {
  setFromSystem(target.pageBytes, _SC_PAGESIZE);
#ifdef _SC_LEVEL1_DCACHE_SIZE
  setFromSystem(target.l1Bytes, _SC_LEVEL1_DCACHE_SIZE);
  setFromSystem(target.l1Ways, _SC_LEVEL1_DCACHE_ASSOC);
  setFromSystem(target.l2Bytes, _SC_LEVEL2_CACHE_SIZE);
  setFromSystem(target.l3Bytes, _SC_LEVEL3_CACHE_SIZE);
#endif
  setCaches(target);
}

/// Applies "+a,-b" to `map`, with what each implies on x86.
static Status applyFeatures(FeatureMap &map, llvm::StringRef features, bool isX86) {
  llvm::SmallVector<llvm::StringRef> list;
  features.split(list, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef feature : list) {
    feature = feature.trim();
    bool isOn = feature.consume_front("+");
    if (feature.empty() || (!isOn && !feature.consume_front("-")))
      return Error{ErrorCode::Usage,
                   "expects a feature to start with + or -, but got " + feature.str()};
    map[feature] = isOn;
    if (isX86)
      llvm::X86::updateImpliedFeatures(feature, isOn, map);
  }
  return Status::success();
}

static Level x86Level(const FeatureMap &features) {
  auto has = [&](llvm::StringRef feature) { return features.lookup(feature); };
  // The levels use byte and word instructions, and vectors of 16 and 32 bytes.
  bool isAVX512 = has("avx512f") && has("avx512bw") && has("avx512dq") && has("avx512vl");
  if (isAVX512)
    return has("avx512vbmi") ? kAVX512VBMI : kAVX512;
  if (has("avx2"))
    return kAVX2;
  return has("sse2") ? kSSE2 : kScalar;
}

static Status setX86(TargetInfo &target, llvm::StringRef cpu, llvm::StringRef features) {
  if (cpu.empty() || cpu == "generic")
    cpu = "x86-64";
  if (llvm::X86::parseArchX86(cpu, /*Only64Bit=*/true) == llvm::X86::CK_None)
    return Error{ErrorCode::Usage, "expects an x86-64 cpu that LLVM knows, but got " + cpu.str() +
                                       "; x86-64, haswell, skylake-avx512, znver5 are possible"};
  llvm::SmallVector<llvm::StringRef> known;
  llvm::X86::getFeaturesForCPU(cpu, known);
  FeatureMap map;
  map["sse2"] = true; // every x86-64 has it, LLVM's list leaves it out
  for (llvm::StringRef feature : known) {
    map[feature] = true;
    llvm::X86::updateImpliedFeatures(feature, true, map);
  }
  if (Status status = applyFeatures(map, features, /*isX86=*/true); !status)
    return status;
  setLevel(target, x86Level(map));
  // A processor without an instruction for it has the line fetched to read, which is as good
  // while no other core has it.
  target.prefetchWrite = true;
  return Status::success();
}

static Status setAArch64(TargetInfo &target, llvm::StringRef cpu, llvm::StringRef features) {
  if (!cpu.empty() && cpu != "generic" && !llvm::AArch64::parseCpu(cpu))
    return Error{ErrorCode::Usage, "expects an AArch64 cpu that LLVM knows, but got " + cpu.str() +
                                       "; generic, neoverse-n1, apple-m1 are possible"};
  FeatureMap map;
  map["neon"] = map["fp-armv8"] = true;
  if (Status status = applyFeatures(map, features, /*isX86=*/false); !status)
    return status;
  // NEON works in the registers of floats.
  setLevel(target, map.lookup("neon") && map.lookup("fp-armv8") ? kNEON : kScalar);
  target.prefetchWrite = true;
  return Status::success();
}

/// Null for a processor that is not listed.
static const Core *findCore(llvm::StringRef cpu) {
  auto found =
      llvm::find_if(kCores, [&](const Core &core) { return cpu.starts_with(core.prefix); });
  return found == std::end(kCores) ? nullptr : found;
}

static void setCore(TargetInfo &target, llvm::StringRef cpu) {
  target.memory = memoryTraits(cpu);
  if (const Core *core = findCore(cpu))
    target.tlbPages = core->tlbPages;
}

MemoryTraits memoryTraits(std::string_view cpu) {
  const Core *core = findCore(cpu);
  return core ? core->memory : MemoryTraits();
}

/// The host's features as LLVM writes them: "+avx2,-avx512f".
static std::string hostFeatures() {
  std::string text;
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    text +=
        (text.empty() ? "" : ",") + std::string(feature.second ? "+" : "-") + feature.first().str();
  return text;
}

Result<TargetInfo> targetFor(std::string_view arch, std::string_view cpu,
                             std::string_view features) {
  llvm::Triple::ArchType type = llvm::Triple(llvm::StringRef(arch)).getArch();
  if (type == llvm::Triple::UnknownArch)
    return Error{ErrorCode::Usage, "expects an architecture that LLVM knows, but got " +
                                       std::string(arch) + "; x86_64 and aarch64 are possible"};
  bool isHost = type == llvm::Triple(llvm::sys::getProcessTriple()).getArch();
  std::string name(cpu), list(features);
  if (cpu == "native") {
    if (!isHost)
      return Error{ErrorCode::Usage, "expects the architecture of this machine for the cpu native, "
                                     "but got " +
                                         std::string(arch)};
    name = llvm::sys::getHostCPUName().str();
    list = hostFeatures() + "," + list;
  }
  TargetInfo target;
  setLevel(target, kScalar);
  Status status;
  if (type == llvm::Triple::x86_64)
    status = setX86(target, name, list);
  else if (type == llvm::Triple::aarch64)
    status = setAArch64(target, name, list);
  if (!status)
    return status.error();
  // A CPU that is named for its instructions still runs on this machine's memory.
  setCore(target, isHost ? llvm::sys::getHostCPUName() : llvm::StringRef(name));
  if (isHost)
    setHostSizes(target);
  return target;
}

} // namespace relayout
