// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "EraseUnused.h"

#include "relayout/Conversion/Passes.h"
#include "relayout/IR/Relayout.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/FoldUtils.h"

#include <memory>

namespace relayout {
#define GEN_PASS_DEF_TOLLVMPASS
#include "relayout/Conversion/Passes.h.inc"
} // namespace relayout

using namespace mlir;

namespace {

/// What does not change from one module to the next, and takes longer to make than
/// to use.
struct Lowering {
  LLVMTypeConverter converter;
  LLVMConversionTarget target;
  FrozenRewritePatternSet patterns;

  explicit Lowering(MLIRContext *context)
      : converter(context, getOptions(context)), target(*context) {
    RewritePatternSet all(context);
    populateFuncToLLVMConversionPatterns(converter, all);
    populateFinalizeMemRefToLLVMConversionPatterns(converter, all);
    arith::populateArithToLLVMConversionPatterns(converter, all);
    cf::populateControlFlowToLLVMConversionPatterns(converter, all);
    ub::populateUBToLLVMConversionPatterns(converter, all);
    populateVectorToLLVMConversionPatterns(converter, all);
    patterns = std::move(all);
    target.addLegalOp<ModuleOp>();
  }

  static LowerToLLVMOptions getOptions(MLIRContext *context) {
    LowerToLLVMOptions options(context);
    options.useBarePtrCallConv = true;
    return options;
  }
};

/// The passes of a pipeline that change functions take those of the module that it runs on.
LogicalResult checkInnerModules(ModuleOp module) {
  for (auto inner : module.getOps<ModuleOp>()) {
    WalkResult walked = inner.walk([](Operation *op) {
      if (!isa_and_nonnull<relayout::RelayoutDialect>(op->getDialect()))
        return WalkResult::advance();
      op->emitOpError("is in a module inside of the one that is lowered, which expects the passes "
                      "to run on the inner one");
      return WalkResult::interrupt();
    });
    if (walked.wasInterrupted())
      return failure();
  }
  return success();
}

/// Folds every operation once: what it uses stands before it and was folded already.
void fold(LLVM::LLVMFuncOp function) {
  OperationFolder folder(function.getContext());
  function.getBody().walk([&](Operation *op) {
    Attribute value;
    if (matchPattern(op, m_Constant(&value)))
      folder.insertKnownConstant(op, value);
    else
      (void)folder.tryToFold(op);
  });
}

/// One conversion with the patterns of all dialects, where upstream has a pass for
/// each: every one of those walks, legalizes and casts anew. Folding then takes the
/// descriptors of memrefs apart, which leaves the pointers.
struct ToLLVM : relayout::impl::ToLLVMPassBase<ToLLVM> {
  LogicalResult initialize(MLIRContext *context) override {
    lowering = std::make_shared<Lowering>(context);
    return success();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(checkInnerModules(module)))
      return signalPassFailure();
    ConversionConfig conversion;
    conversion.allowPatternRollback = false;
    conversion.foldingMode = DialectConversionFoldingMode::Never; // done below
    if (failed(applyFullConversion(module, lowering->target, lowering->patterns, conversion)))
      return signalPassFailure();
    for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
      fold(function);
      relayout::eraseUnused(function.getBody());
    }
  }

private:
  std::shared_ptr<Lowering> lowering;
};

} // namespace
