// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Conversion/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace relayout {
#define GEN_PASS_DEF_FLOATLANESPASS
#include "relayout/Conversion/Passes.h.inc"
} // namespace relayout

using namespace mlir;

namespace {

/// The vector of floats for one of integers as wide; null for any other type.
VectorType floatsFor(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector || !vector.getElementType().isInteger())
    return {};
  MLIRContext *context = type.getContext();
  switch (vector.getElementTypeBitWidth()) {
  case 32:
    return vector.clone(Float32Type::get(context));
  case 64:
    return vector.clone(Float64Type::get(context));
  default:
    return {};
  }
}

/// Moves lanes, and does not look at what is in them.
bool onlyMoves(Operation *op) {
  return isa<LLVM::LoadOp, LLVM::StoreOp, LLVM::MaskedLoadOp, LLVM::MaskedStoreOp,
             LLVM::ShuffleVectorOp, LLVM::BitcastOp, LLVM::vector_insert, LLVM::SelectOp,
             LLVM::PoisonOp, LLVM::UndefOp>(op) ||
         (isa<LLVM::ConstantOp>(op) &&
          isa<DenseElementsAttr>(cast<LLVM::ConstantOp>(op).getValue()));
}

bool hasFloatsFor(Value value) { return floatsFor(value.getType()) != VectorType(); }

/// One lane on its way from memory to memory, which needs no fence. LLVM 22 ends the process where
/// it joins stores of such floats for AArch64.
bool isCopied(Value value) {
  return cast<VectorType>(value.getType()).getNumElements() == 1 &&
         value.getDefiningOp<LLVM::LoadOp>() &&
         llvm::all_of(value.getUsers(), [](Operation *user) { return isa<LLVM::StoreOp>(user); });
}

/// The integers of a function that may become floats: all of them, or none.
SmallVector<Value> findIntegers(LLVM::LLVMFuncOp function) {
  SmallVector<Value> integers;
  WalkResult walk = function.getBody().walk([&](Operation *op) {
    bool takes = llvm::any_of(op->getOperands(), hasFloatsFor);
    auto results = llvm::make_filter_range(op->getResults(), hasFloatsFor);
    if ((takes || !results.empty()) && !onlyMoves(op))
      return WalkResult::interrupt();
    llvm::append_range(integers, results);
    return WalkResult::advance();
  });
  bool isArgument = llvm::any_of(function.getBody(), [](Block &block) {
    return llvm::any_of(block.getArguments(), hasFloatsFor);
  });
  return walk.wasInterrupted() || isArgument ? SmallVector<Value>() : integers;
}

struct FloatLanes : relayout::impl::FloatLanesPassBase<FloatLanes> {
  void runOnOperation() override {
    for (Value value : findIntegers(getOperation())) {
      if (isCopied(value))
        continue;
      VectorType floats = floatsFor(value.getType());
      value.setType(floats);
      if (auto constant = value.getDefiningOp<LLVM::ConstantOp>())
        constant.setValueAttr(
            cast<DenseElementsAttr>(constant.getValue()).bitcast(floats.getElementType()));
    }
  }
};

} // namespace
