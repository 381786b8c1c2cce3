// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Linker.h"

#include "llvm/ExecutionEngine/JITLink/ELF.h"
#include "llvm/ExecutionEngine/JITLink/JITLink.h"
#include "llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h"

#include <optional>

using namespace llvm;
using namespace llvm::jitlink;

namespace relayout {
namespace {

/// Constants as wide as a cache line keep their alignment, and share no line with
/// instructions.
constexpr uint64_t kSectionAlignment = 64;
/// What code may assume of the address where it begins.
constexpr uint64_t kPageSize = 4096;

/// The bytes of one link. It ends before anything is mapped.
struct Image {
  std::string bytes;
  std::optional<uint64_t> entry; ///< address
  std::string problem;
};

/// Lays all sections out in one run of bytes that pretends to begin at `base`.
class FlatMemory : public JITLinkMemoryManager {
public:
  FlatMemory(Image &image, uint64_t base) : image(image), base(base) {}

  void allocate(const JITLinkDylib *, LinkGraph &graph, OnAllocatedFunction done) override {
    BasicLayout layout(graph);
    if (llvm::Error error = place(layout))
      return done(std::move(error));
    if (llvm::Error error = layout.apply())
      return done(std::move(error));
    done(std::make_unique<InFlight>());
  }
  void deallocate(std::vector<FinalizedAlloc> allocations, OnDeallocatedFunction done) override {
    for (FinalizedAlloc &allocation : allocations)
      allocation.release();
    done(llvm::Error::success());
  }

private:
  /// Nothing is mapped, so there is nothing to protect or to free.
  struct InFlight : InFlightAlloc {
    void abandon(OnAbandonedFunction done) override { done(llvm::Error::success()); }
    void finalize(OnFinalizedFunction done) override {
      done(FinalizedAlloc(orc::ExecutorAddr(kPageSize)));
    }
  };

  llvm::Error place(BasicLayout &layout) {
    using orc::MemProt;
    std::vector<BasicLayout::Segment *> segments;
    for (auto &[group, segment] : layout.segments()) {
      bool isCode = (group.getMemProt() & MemProt::Exec) != MemProt::None;
      if ((group.getMemProt() & MemProt::Write) != MemProt::None || segment.ZeroFillSize != 0)
        return createStringError("it has data that can be written");
      if (segment.Alignment.value() > kPageSize)
        return createStringError("it has data aligned to " +
                                 std::to_string(segment.Alignment.value()) +
                                 " bytes, more than a page");
      segments.insert(isCode ? segments.begin() : segments.end(), &segment);
    }
    uint64_t size = 0;
    for (BasicLayout::Segment *segment : segments) {
      size = alignTo(size, std::max(kSectionAlignment, segment->Alignment.value()));
      segment->Addr = orc::ExecutorAddr(base + size);
      size += segment->ContentSize;
    }
    image.bytes.assign(size, '\0');
    for (BasicLayout::Segment *segment : segments)
      segment->WorkingMem = image.bytes.data() + (segment->Addr.getValue() - base);
    return llvm::Error::success();
  }

  Image &image;
  uint64_t base;
};

class FlatContext : public JITLinkContext {
public:
  FlatContext(Image &image, StringRef symbol, uint64_t base)
      : JITLinkContext(nullptr), image(image), symbol(symbol), memory(image, base) {}

  JITLinkMemoryManager &getMemoryManager() override { return memory; }
  void notifyFailed(llvm::Error error) override { image.problem = toString(std::move(error)); }
  void notifyFinalized(JITLinkMemoryManager::FinalizedAlloc allocation) override {
    allocation.release();
  }
  void lookup(const LookupMap &symbols,
              std::unique_ptr<JITLinkAsyncLookupContinuation> next) override {
    next->run(createStringError("it needs the symbol " + (*symbols.begin()->first).str()));
  }
  llvm::Error notifyResolved(LinkGraph &graph) override {
    for (Symbol *defined : graph.defined_symbols())
      if (defined->hasName() && *defined->getName() == symbol)
        image.entry = defined->getAddress().getValue();
    return image.entry ? llvm::Error::success()
                       : createStringError("it defines no symbol " + symbol.str());
  }
  LinkGraphPassFunction getMarkLivePass(const Triple &) const override {
    return [symbol = symbol](LinkGraph &graph) {
      for (Symbol *defined : graph.defined_symbols())
        defined->setLive(defined->hasName() && *defined->getName() == symbol);
      return llvm::Error::success();
    };
  }

private:
  Image &image;
  StringRef symbol;
  FlatMemory memory;
};

relayout::Error linkError(const std::string &text) {
  return {ErrorCode::Internal, "the object of the kernel cannot be made flat: " + text};
}

Result<Image> linkAt(StringRef object, StringRef symbol, uint64_t base) {
  // A lookup that fails drops the graph before the names that it was asked for.
  auto names = std::make_shared<orc::SymbolStringPool>();
  auto graph = createLinkGraphFromELFObject(MemoryBufferRef(object, "kernel.o"), names);
  if (!graph)
    return linkError(toString(graph.takeError()));
  Image image;
  link_ELF(std::move(*graph), std::make_unique<FlatContext>(image, symbol, base));
  if (!image.problem.empty())
    return linkError(image.problem);
  return image;
}

} // namespace

Result<FlatCode> linkFlat(StringRef object, StringRef symbol) {
  // Code that comes out the same for two addresses holds no address.
  constexpr uint64_t kBase = 1 << 20, kOtherBase = (uint64_t(0x5a) << 40) + 7 * kPageSize;
  Result<Image> image = linkAt(object, symbol, kBase);
  if (!image)
    return image.error();
  Result<Image> other = linkAt(object, symbol, kOtherBase);
  if (!other)
    return other.error();
  if (image->bytes != other->bytes)
    return linkError("it depends on the address where it is loaded");
  return FlatCode{std::move(image->bytes), static_cast<int64_t>(*image->entry - kBase)};
}

} // namespace relayout
