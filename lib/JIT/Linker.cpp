// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Linker.h"

#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include "llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"

#include <atomic>
#include <mutex>

using namespace llvm;
using namespace llvm::orc;

namespace relayout {
namespace {

Error linkError(const std::string &text) {
  return {ErrorCode::Environment, "the code of the kernel cannot be mapped: " + text};
}

class OrcLinker : public Linker, public std::enable_shared_from_this<OrcLinker> {
public:
  explicit OrcLinker(std::unique_ptr<ExecutorProcessControl> control)
      : session(std::move(control)), layer(session) {
    session.setErrorReporter([this](llvm::Error error) {
      std::lock_guard<std::mutex> lock(reportMutex);
      reported += (reported.empty() ? "" : "; ") + toString(std::move(error));
    });
  }

  ~OrcLinker() override {
    if (llvm::Error error = session.endSession())
      consumeError(std::move(error));
  }

  Result<LinkedCode> link(SmallString<0> object) override;

private:
  /// What ORC said on the side since the last call, which is most of the cause.
  std::string takeReport() {
    std::lock_guard<std::mutex> lock(reportMutex);
    return std::exchange(reported, {});
  }
  Error failure(llvm::Error error) {
    std::string text = toString(std::move(error)), report = takeReport();
    return linkError(report.empty() ? text : text + "; " + report);
  }
  void remove(JITDylib &library) {
    if (llvm::Error error = session.removeJITDylib(library))
      consumeError(std::move(error));
    session.getSymbolStringPool()->clearDeadEntries();
  }

  ExecutionSession session;
  ObjectLinkingLayer layer;
  std::atomic<uint64_t> count{0};
  std::mutex reportMutex;
  std::string reported;
};

Result<LinkedCode> OrcLinker::link(SmallString<0> object) {
  // A library of its own for each kernel: all have one name, and each is
  // unmapped on its own.
  JITDylib &library = session.createBareJITDylib(std::to_string(count++));
  std::shared_ptr<void> owner(&library, [self = shared_from_this()](void *library) {
    self->remove(*static_cast<JITDylib *>(library));
  });
  auto buffer = std::make_unique<SmallVectorMemoryBuffer>(std::move(object), "kernel.o",
                                                          /*RequiresNullTerminator=*/false);
  if (llvm::Error error = layer.add(library, std::move(buffer)))
    return failure(std::move(error));
  Expected<ExecutorSymbolDef> symbol = session.lookup({&library}, session.intern(kKernelSymbol));
  if (!symbol)
    return failure(symbol.takeError());
  return LinkedCode{symbol->getAddress().toPtr<KernelFunction>(), std::move(owner)};
}

} // namespace

Result<std::shared_ptr<Linker>> Linker::create() {
  auto control =
      SelfExecutorProcessControl::Create(nullptr, std::make_unique<InPlaceTaskDispatcher>());
  if (!control)
    return linkError(toString(control.takeError()));
  return std::shared_ptr<Linker>(std::make_shared<OrcLinker>(std::move(*control)));
}

} // namespace relayout
