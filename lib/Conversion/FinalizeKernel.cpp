// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Conversion/KernelAbi.h"
#include "relayout/Conversion/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace relayout {
#define GEN_PASS_DEF_FINALIZEKERNELPASS
#include "relayout/Conversion/Passes.h.inc"
} // namespace relayout

using namespace mlir;
using namespace relayout;

namespace {

bool hasParameters(LLVM::LLVMFuncOp function) {
  return function.getNumArguments() == kNumKernelParameters &&
         llvm::all_of(function.getArgumentTypes().take_front(kBegin),
                      llvm::IsaPred<LLVM::LLVMPointerType>);
}

void annotatePointers(LLVM::LLVMFuncOp function, int64_t alignment) {
  Builder b(function.getContext());
  using LLVM::LLVMDialect;
  for (unsigned i : {kIn, kOut, kScratch}) {
    for (StringRef name : {LLVMDialect::getNoAliasAttrName(), LLVMDialect::getNoCaptureAttrName(),
                           LLVMDialect::getNoFreeAttrName()})
      function.setArgAttr(i, name, b.getUnitAttr());
    if (i == kScratch)
      continue;
    function.setArgAttr(i, LLVMDialect::getNoUndefAttrName(), b.getUnitAttr());
    function.setArgAttr(i, LLVMDialect::getAlignAttrName(), b.getI64IntegerAttr(alignment));
  }
  function.setArgAttr(kIn, LLVMDialect::getReadonlyAttrName(), b.getUnitAttr());
}

/// Bytes of the widest vector that an operation of `function` has as a result.
int64_t widestVector(LLVM::LLVMFuncOp function) {
  int64_t widest = 0;
  function.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (auto vector = dyn_cast<VectorType>(type);
          vector && vector.getElementType().isIntOrFloat())
        widest = std::max(widest, vector.getNumElements() * vector.getElementTypeBitWidth() / 8);
  });
  return widest;
}

/// LLVM knows too late that vectors go to the stack to align it for them: without being told, it
/// puts them across lines, and where the stack happens to lie so, across pages.
ArrayAttr functionAttributes(LLVM::LLVMFuncOp function) {
  constexpr uint64_t kStackAlignment = 16, kMost = 256; // LLVM's most
  Builder b(function.getContext());
  SmallVector<Attribute> attributes = {b.getStringAttr("no-builtins")};
  uint64_t bytes = std::min(llvm::PowerOf2Ceil(widestVector(function)), kMost);
  if (bytes > kStackAlignment)
    attributes.push_back(b.getStrArrayAttr({"alignstack", std::to_string(bytes)}));
  return b.getArrayAttr(attributes);
}

struct FinalizeKernel : relayout::impl::FinalizeKernelPassBase<FinalizeKernel> {
  void runOnOperation() override {
    LLVM::LLVMFuncOp function = getOperation();
    FailureOr<std::optional<int64_t>> stated = getKernelAlignment(function);
    if (failed(stated))
      return signalPassFailure();
    if (!*stated)
      return;
    int64_t alignment = **stated;
    if (!hasParameters(function)) {
      function.emitOpError("expects the five parameters of a kernel, the first three of which are "
                           "pointers");
      return signalPassFailure();
    }
    annotatePointers(function, alignment);
    function.setNoUnwind(true);
    function.setPassthroughAttr(functionAttributes(function));
    function.walk([&](Operation *op) {
      if (auto load = dyn_cast<LLVM::LoadOp>(op))
        load.setAlignment(alignment);
      else if (auto store = dyn_cast<LLVM::StoreOp>(op); store && !store.getNontemporal())
        store.setAlignment(alignment);
      else if (auto maskedLoad = dyn_cast<LLVM::MaskedLoadOp>(op))
        maskedLoad.setAlignment(alignment);
      else if (auto maskedStore = dyn_cast<LLVM::MaskedStoreOp>(op))
        maskedStore.setAlignment(alignment);
    });
  }
};

} // namespace
