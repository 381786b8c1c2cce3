// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PassSession.h"

#include "relayout/Conversion/KernelAbi.h"
#include "relayout/IR/DiagnosticText.h"
#include "relayout/IR/Relayout.h"
#include "relayout/Pipelines/Pipelines.h"
#include "relayout/Pipelines/Register.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;

namespace relayout {

static DialectRegistry makeRegistry() {
  DialectRegistry registry;
  registerAllDialects(registry);
  return registry;
}

PassSession::PassSession(PipelineOptions options)
    : options(std::move(options)), context(makeRegistry(), MLIRContext::Threading::DISABLED) {
  context.loadAllAvailableDialects();
}

Result<OwningOpRef<ModuleOp>> PassSession::build(Compiler::ModuleBuilder builder) {
  DiagnosticText diagnostics(context);
  Result<OwningOpRef<ModuleOp>> module = builder(context);
  if (!module)
    return module.error();
  if (!*module || failed(verify(**module)))
    return diagnostics.error(ErrorCode::Unsupported, "the module does not verify");
  return module;
}

PassManager &PassSession::getManager(Stage from, Stage to) {
  std::unique_ptr<PassManager> &manager = managers[{from, to}];
  if (!manager) {
    manager = std::make_unique<PassManager>(&context, ModuleOp::getOperationName());
    buildStagePipeline(*manager, from, to, options);
  }
  return *manager;
}

Status PassSession::run(PassManager &manager, ModuleOp module) {
  DiagnosticText diagnostics(context);
  if (succeeded(manager.run(module)))
    return Status::success();
  Error error = diagnostics.error(ErrorCode::Unsupported, "a pass failed without saying why");
  // Of what a pass chose, none says that it is impossible.
  if (!options.schedule.empty() && StringRef(error.message).contains(" op schedule: "))
    error.code = ErrorCode::Schedule;
  return error;
}

/// True for what needs no bufferization, since `relayout-kernel-abi` takes it as it is: one
/// rearrangement, on tensors or on memrefs, and its return.
static bool isDirect(func::FuncOp function) {
  if (function.isDeclaration() || !function.getBody().hasOneBlock())
    return false;
  Block &block = function.getBody().front();
  return llvm::hasSingleElement(block.without_terminator()) &&
         isa<RearrangementOpInterface>(block.front());
}

Status PassSession::runToLoops(ModuleOp module) {
  auto functions = module.getOps<func::FuncOp>();
  if (!llvm::all_of(functions, isDirect))
    return run(getManager(Stage::Named, Stage::Loops), module);
  if (!direct) {
    direct = std::make_unique<PassManager>(&context, ModuleOp::getOperationName());
    buildDirectPipeline(*direct);
    buildStagePipeline(*direct, Stage::Buffers, Stage::Loops, options);
    // The module was verified when it was built, and these passes are our own.
    direct->enableVerifier(false);
  }
  return run(*direct, module);
}

Status PassSession::runToLLVM(ModuleOp module) {
  PassManager &manager = getManager(Stage::Loops, Stage::LLVM);
  manager.enableVerifier(false);
  return run(manager, module);
}

Status PassSession::runStage(ModuleOp module, Stage stage) {
  if (!stageInfo(stage).addPasses)
    return Status::success();
  Stage before = static_cast<Stage>(static_cast<int>(stage) - 1);
  return run(getManager(before, stage), module);
}

} // namespace relayout
